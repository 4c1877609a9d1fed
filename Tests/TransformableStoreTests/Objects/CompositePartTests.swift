import Foundation
import GRDB
import StandardPlugin
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Composites whose parts are transformed or all optional.
@Suite struct CompositePartTests {
    /// An address whose parts are all optional.
    private struct Address: Equatable, CompositeValue {
        var city: String?
        var lines: [String]?

        static var parts: [CompositePart<Address>] {
            [
                CompositePart(optional: "city") { $0.city },
                CompositePart(optionalTransformed: "lines", "json") { $0.lines },
            ]
        }

        init(_ city: String?, _ lines: [String]?) {
            (self.city, self.lines) = (city, lines)
        }

        init(parts: CompositeParts) throws {
            self.init(try parts(optional: "city"), try parts(optionalTransformed: "lines"))
        }
    }

    /// A value with a required part.
    private struct Tagged: Equatable, CompositeValue {
        var tags: [String]

        static var parts: [CompositePart<Tagged>] { [CompositePart(transformed: "tags", "json") { $0.tags }] }

        init(_ tags: [String]) { self.tags = tags }

        init(parts: CompositeParts) throws { self.init(try parts(transformed: "tags")) }
    }

    private let folder: Folder
    private let store: Store

    private static func model() throws -> Model {
        let place = EntityDescription(
            "Place",
            composites: [
                CompositeDescription("home", as: Address.self),
                CompositeDescription("work", as: Address.self, optional: true),
                CompositeDescription("label", as: Tagged.self, optional: true),
            ]
        )
        return try Model(entities: [place])
    }

    init() throws {
        folder = try Folder()
        store = try Store(
            at: folder.file(),
            model: Self.model(),
            transformers: TransformerRegistry { StandardPlugin() }
        )
    }

    private func add(home: Address, work: Address?, label: Tagged? = nil) throws -> ObjectID {
        try store.write { context in
            let place = try context.insert("Place")
            try place.setValue(home, for: "home")
            try place.setValue(work, for: "work")
            try place.setValue(label, for: "label")
            return place.id
        }
    }

    @Test func partsAreStoredByTheirTransformer() throws {
        let id = try add(home: Address("Rome", ["a", "b"]), work: nil, label: Tagged(["x"]))
        let cell = try shell(folder.file()) { database in
            try Data.fetchOne(database, sql: "SELECT home_lines FROM Place")
        }
        #expect(cell == Data("[\"a\",\"b\"]".utf8))
        try store.read { context in
            let place = try context.object(id)
            #expect(try place.value("home", as: Address.self) == Address("Rome", ["a", "b"]))
            #expect(try place.value("home_lines", as: [String]?.self) == ["a", "b"])
            #expect(try place.value("work", as: Address?.self) == nil)
            #expect(try place.value("label", as: Tagged?.self) == Tagged(["x"]))
        }
    }

    @Test func aRequiredCompositeOfEmptyPartsIsAValue() throws {
        let id = try add(home: Address(nil, nil), work: Address(nil, nil))
        try store.read { context in
            let place = try context.object(id)
            #expect(try place.value("home", as: Address.self) == Address(nil, nil))
            // An empty value cannot be distinguished from no value.
            #expect(try place.value("work", as: Address?.self) == nil)
        }
    }

    @Test func conditionsFindParts() throws {
        _ = try add(home: Address("Rome", ["a"]), work: nil)
        _ = try add(home: Address(nil, nil), work: Address("Rome", nil))
        func count(_ condition: Condition) throws -> Int { try store.read { try $0.count("Place", where: condition) } }
        #expect(try count(Field("home") == nil) == 0)
        #expect(try count(Field("work") == nil) == 1)
        #expect(try count(Condition("home.city is null")) == 1)
        #expect(try count(Field("home") == Address("Rome", ["a"])) == 1)
        #expect(try count(Field("home") == Address("Rome", ["b"])) == 0)
        #expect(try count(Field("home") == Address(nil, nil)) == 1)
    }

    @Test func theFileStatesTheTransformersOfParts() throws {
        _ = try add(home: Address("Rome", ["a"]), work: nil)
        try store.close()
        let opened = try Store(at: folder.file(), transformers: TransformerRegistry { StandardPlugin() })
        let home = try #require(opened.model.entity("Place")?.composites.first)
        #expect(home.parts.map(\.transformer) == [nil, "json"])
        #expect(try opened.verify().faults.isEmpty)
    }
}
