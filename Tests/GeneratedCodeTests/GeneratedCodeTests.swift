import Foundation
import KeyedArchivePlugin
import Testing
import Transformable
import TransformableCoreData
import TransformableEntities
import TransformableModel

/// The classes of this target's models, which the build plugin generates, say the same as the models.
@Suite struct GeneratedCodeTests {
    struct Case: CustomTestStringConvertible {
        let name: String
        let model: @Sendable () throws -> Model

        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "Bounds", model: BoundsSchema.model), Case(name: "Family", model: FamilySchema.model),
        Case(name: "History", model: HistorySchema.model), Case(name: "Kinds", model: KindsSchema.model),
        Case(name: "Library", model: LibrarySchema.model), Case(name: "Mapped", model: MappedSchema.model),
        Case(name: "Requests", model: RequestsSchema.model),
        Case(name: "Rules", model: RulesSchema.model), Case(name: "Sizes", model: SizesSchema.model),
        Case(name: "Transformed", model: TransformedSchema.model), Case(name: "Words", model: WordsSchema.model),
    ]

    @Test(arguments: cases)
    func declaresTheModel(_ item: Case) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Models")
        let json = try Data(contentsOf: folder.appending(path: "\(item.name).transformable.json"))
        let expected = try PlainModel(Model(json: json))
        let found = try PlainModel(item.model())
        #expect(found.lines.difference(from: expected.lines).map(\.self) == [])
    }

    @Test func declaresTheCoreDataModel() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Models")
        let source = try CoreDataModel(contentsOf: folder.appending(path: "Shop.xcdatamodeld").path)
        #expect(source.name == "Shop 2")
        let expected = try PlainModel(source.converted().model)
        let found = try PlainModel(ShopSchema.model())
        #expect(found.lines.difference(from: expected.lines).map(\.self) == [])
    }

    @Test func storesWhatTheClassesSay() throws {
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
