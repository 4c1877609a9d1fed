import Foundation
import GeometryPlugin
import ImagePlugin
import KeyedArchivePlugin
import StandardPlugin
import Testing
import Transformable
import TransformableCoreData
import TransformableEntities
import TransformableModel

/// The classes of this target's models, which the build plugin generates, say the same as the models.
@Suite struct GeneratedCodeTests {
    struct Case: CustomTestStringConvertible {
        typealias Opening =
            @Sendable (URL, TransformerRegistry, Store.Options, [MigrationStep]) throws -> Store

        let name: String
        let model: @Sendable () throws -> Model
        let open: Opening

        var testDescription: String { name }

        init(_ name: String, _ model: @escaping @Sendable () throws -> Model, _ open: @escaping Opening) {
            self.name = name
            self.model = model
            self.open = open
        }

        /// The model that the classes were generated from.
        var source: Model {
            get throws {
                let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Models")
                return try Model(json: Data(contentsOf: folder.appending(path: "\(name).transformable.json")))
            }
        }
    }

    static let cases = [
        Case("Bounds", BoundsSchema.model, BoundsSchema.store),
        Case("Family", FamilySchema.model, FamilySchema.store),
        Case("History", HistorySchema.model, HistorySchema.store),
        Case("Kinds", KindsSchema.model, KindsSchema.store),
        Case("Library", LibrarySchema.model, LibrarySchema.store),
        Case("Mapped", MappedSchema.model, MappedSchema.store),
        Case("Requests", RequestsSchema.model, RequestsSchema.store),
        Case("Rules", RulesSchema.model, RulesSchema.store),
        Case("Sizes", SizesSchema.model, SizesSchema.store),
        Case("Transformed", TransformedSchema.model, TransformedSchema.store),
        Case("Words", WordsSchema.model, WordsSchema.store),
    ]

    @Test(arguments: cases)
    func declaresTheModel(_ item: Case) throws {
        let expected = try PlainModel(item.source)
        let found = try PlainModel(item.model())
        #expect(found.lines.difference(from: expected.lines).map(\.self) == [])
    }

    /// A store that was created by name can be opened with the classes.
    @Test(arguments: cases)
    func opensAStoreOfTheModel(_ item: Case) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "\(item.name).sqlite")
        let registry = try TransformerRegistry {
            GeometryPlugin()
            ImagePlugin()
            KeyedArchivePlugin()
            StandardPlugin()
        }
        try Store(at: url, model: item.source, transformers: registry).close()
        let store = try item.open(url, registry, Store.Options(opening: .mustExist), [])
        try store.close()
    }

    @Test func declaresTheCoreDataModel() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Models")
        let source = try CoreDataModel(contentsOf: folder.appending(path: "Shop.xcdatamodeld").path)
        #expect(source.name == "Shop 2")
        let expected = try PlainModel(source.converted().model)
        let found = try PlainModel(ShopSchema.model())
        #expect(found.lines.difference(from: expected.lines).map(\.self) == [])
    }

    @Test func storesObjectsOfTheClasses() throws {
        let registry = try TransformerRegistry { KeyedArchivePlugin() }
        let store = try ShopSchema.storeInMemory(transformers: registry)
        try store.write { context in
            let customer = context.insert(ShopCustomer(email: "ada@example.org"))
            customer.tags = ["new", "kind"]
            let order = ShopOrder(number: 7)
            order.items.append(ShopItem(code: UUID()))
            customer.orders.append(order)
        }
        try store.read { context in
            let customer = try #require(try context.first(ShopCustomer.self))
            #expect((customer.points, customer.isMember, customer.tags) == (0, false, ["new", "kind"]))
            let order = try #require(customer.orders.first)
            #expect((order.number, order.customer === customer) == (7, true))
            let item = try #require(order.items.first)
            #expect((item.cost, item.weight, item.page) == (0, 0, nil))
            #expect(item.opened == Date(timeIntervalSince1970: 0))
        }
    }

    @Test func runsFetchRequests() throws {
        let store = try RequestsSchema.storeInMemory(transformers: TransformerRegistry {})
        try store.write { context in
            for (title, length) in [("A", 1.0), ("b", 5.0), ("Ä", 9.0), ("C", 7.0)] {
                let track = context.insert(Track(title: title))
                track.length = length
                track.lists.append(Playlist(name: title))
            }
        }
        try store.read { context in
            let long = try Track.longTracks(in: context, length: 3, titles: ["A", "b", "Ä"])
            #expect(long.map(\.title) == ["b", "Ä"])
            #expect(long.map(\.folded) == ["b", "a"])
            #expect(long.map(\.listCount) == [1, 1])
            #expect(try Track.allTracks(in: context).count == 4)
        }
    }
}
