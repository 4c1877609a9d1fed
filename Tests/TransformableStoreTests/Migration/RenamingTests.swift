import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Names that are dropped, reused, and swapped, with files that skip versions of the model.
@Suite(.eachEngine) struct RenamingTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    @discardableResult
    private func open(_ model: Model) throws -> Store {
        try Store.trial(at: folder.file(), model: model, transformers: Transformers().registry())
    }

    private static func model(_ version: Int, _ attributes: AttributeDescription...) throws -> Model {
        try Model(version: version, entities: [EntityDescription("Person", attributes: attributes)])
    }

    /// Inserts an object with text in each attribute.
    private func fill(_ model: Model, _ values: [String: String]) throws {
        let store = try open(model)
        try store.write { context in
            let person = try context.insert("Person")
            for (name, value) in values { try person.setValue(value, for: name) }
        }
        try store.close()
    }

    private func values(_ store: Store, _ names: [String]) throws -> [String?] {
        try store.read { context in
            let person = try #require(try context.first("Person"))
            return try names.map { try person.value($0, as: String?.self) }
        }
    }

    // MARK: - Skipping a version

    @Test(arguments: [nil, 2], [[1, 2, 3], [1, 3]]) func aFormerNameCanBeReused(
        stated: Int?,
        path: [Int]
    ) throws {
        let models = [
            1: try Self.model(1, .string("full")),
            2: try Self.model(2, .string("name", .renamed(from: "full", in: stated))),
            3: try Self.model(3, .string("name", .renamed(from: "full", in: stated)), .string("full", .optional)),
        ]
        try fill(try #require(models[1]), ["full": "Ada"])
        for version in path.dropFirst() { try open(#require(models[version])).close() }
        let store = try Store.trial(at: folder.file(), transformers: Transformers().registry())
        #expect(store.model.version == 3)
        #expect(try values(store, ["name", "full"]) == ["Ada", nil])
        try store.write { try #require(try $0.first("Person")).setValue("Ada Lovelace", for: "full") }
        #expect(try store.verify().isSound)
        #expect(try store.namesSetAside() == [])
    }

    @Test(arguments: [nil, 2], [[1, 2, 3], [1, 3]]) func aFormerEntityNameCanBeReused(stated: Int?, path: [Int]) throws
    {
        func model(_ version: Int) throws -> Model {
            var client = EntityDescription("Client", attributes: [.string("name")])
            client.renamedFrom = FormerNames([.init("Person", in: stated)])
            let person = EntityDescription("Person", attributes: [.string("name")])
            let entities = [1: [person], 2: [client], 3: [person, client]]
            return try Model(version: version, entities: #require(entities[version]))
        }
        try fill(model(1), ["name": "Ada"])
        for version in path.dropFirst() { try open(model(version)).close() }
        let store = try open(model(3))
        #expect(try store.read { try $0.fetch("Client").map { try $0.value("name", as: String.self) } } == ["Ada"])
        #expect(try store.read { try $0.count("Person") } == 0)
        #expect(try store.write { try $0.insert("Person").setValue("Bea", for: "name") } == ())
        #expect(try store.verify().isSound)
    }

    @Test(arguments: [[1, 2, 3, 4], [1, 4], [2, 4], [1, 2, 4], [1, 3, 4], [3, 4]])
    func everyPathGivesTheSameResult(path: [Int]) throws {
        let models = [
            1: try Self.model(1, .string("a", .optional)),
            2: try Self.model(2, .string("b", .optional, .renamed(from: "a", in: 2))),
            // The first “a” is now “c”, and there is a new “a”.
            3: try Self.model(
                3,
                .string("c", .optional, .renamed(from: "a", in: 2), .renamed(from: "b", in: 3)),
                .string("a", .optional, .added(in: 3))
            ),
            4: try Self.model(
                4,
                .string("c", .optional, .renamed(from: "a", in: 2), .renamed(from: "b", in: 3)),
                .string("b", .optional, .added(in: 3), .renamed(from: "a", in: 4)),
                .string("a", .optional, .added(in: 4))
            ),
        ]
        let first = path[0]
        let name = [1: "a", 2: "b", 3: "c"][first] ?? ""
        try fill(try #require(models[first]), [name: "value"])
        for version in path.dropFirst() { try open(#require(models[version])).close() }
        let store = try Store.trial(at: folder.file(), transformers: Transformers().registry())
        #expect(try values(store, ["a", "b", "c"]) == [nil, nil, "value"])
    }

    @Test func anAttributeThatIsAddedAgainHasNoOldValues() throws {
        try fill(Self.model(1, .string("a", .optional)), ["a": "old"])
        let store = try open(Self.model(3, .int64("a", .optional, .added(in: 3))))
        #expect(try store.read { try #require(try $0.first("Person")).value("a", as: Int64?.self) } == nil)
        #expect(try store.namesSetAside() == ["Person.a"])
    }

    // MARK: - Exchanging names

    @Test func attributesSwapTheirNames() throws {
        try fill(Self.model(1, .string("a", .unique), .string("b", .indexed)), ["a": "was a", "b": "was b"])
        let swapped = try Self.model(
            2,
            .string("a", .indexed, .renamed(from: "b")),
            .string("b", .unique, .renamed(from: "a"))
        )
        try open(swapped).close()
        // A renaming that a later version repeats has already been done.
        let again = try Self.model(
            3,
            .string("a", .indexed, .renamed(from: "b")),
            .string("b", .unique, .renamed(from: "a")),
            .string("c", .optional)
        )
        let store = try open(again)
        #expect(try values(store, ["a", "b"]) == ["was b", "was a"])
        #expect(try store.namesSetAside() == [])
    }

    @Test func aNameCanReplaceAnExistingOne() throws {
        try fill(Self.model(1, .string("a"), .string("b")), ["a": "was a", "b": "was b"])
        let model = try Self.model(2, .string("b", .renamed(from: "a")))
        let plan = try Store.trialPlan(at: folder.file(), model: model, transformers: Transformers().registry())
        #expect(
            plan.changes.map(\.description) == [
                "Person: kept, 1 object", "Person.b: renamed from “a”", "Person.b: set aside",
            ]
        )
        let store = try open(model)
        #expect(try values(store, ["b"]) == ["was a"])
        #expect(try store.namesSetAside() == ["Person.b"])
    }

    @Test func entitiesSwapTheirNames() throws {
        let first = try Model(entities: [
            EntityDescription("A", attributes: [.transformed("x", "text | bound", as: String.self)]),
            EntityDescription("B", attributes: [.string("y", .indexed)]),
        ])
        let store = try open(first)
        try store.write { context in
            try context.insert("A").setValue("in A", for: "x")
            for text in ["in B", "in B too"] { try context.insert("B").setValue(text, for: "y") }
        }
        try store.close()
        var (a, b) = (first.entities[1], first.entities[0])
        (a.name, a.renamedFrom) = ("A", "B")
        (b.name, b.renamedFrom) = ("B", "A")
        let swapped = try open(Model(version: 2, entities: [a, b]))
        let texts = try swapped.read { context in
            try context.fetch("A").map { try $0.value("y", as: String.self) }
                + context.fetch("B").map { try $0.value("x", as: String.self) }
        }
        #expect(texts == ["in B", "in B too", "in A"])
        let number = try swapped.write { context in
            let object = try context.insert("B")
            try object.setValue("in B now", for: "x")
            return object.id.number
        }
        // In PostgreSQL, the store of the first version had reserved more numbers.
        #expect(number == 2 || EachEngine.current == .postgres && number > 2)
        #expect(try swapped.verify().isSound)
        #expect(try swapped.namesSetAside() == [])
    }

    /// The entity that gets the name of another one is migrated before or after that one.
    @Test(arguments: [false, true])
    func anEntityWithTheNameOfAnotherOneKeepsItsTypes(isReversed: Bool) throws {
        func amount(_ name: String, _ amount: AttributeDescription) -> EntityDescription {
            EntityDescription(name, attributes: [amount])
        }
        let store = try open(Model(entities: [amount("A", .decimal("amount")), amount("B", .int64("amount"))]))
        let price = try #require(Decimal(string: "1.5"))
        try store.write { context in
            try context.insert("A").setValue(price, for: "amount")
            try context.insert("B").setValue(7, for: "amount")
        }
        try store.close()
        var entities = [amount("B", .decimal("amount")), amount("A", .int64("amount"))]
        entities[0].renamedFrom = "A"
        entities[1].renamedFrom = "B"
        if isReversed { entities.reverse() }
        let swapped = try open(Model(version: 2, entities: entities))
        let (prices, counts) = try swapped.read { context in
            (
                try context.fetch("B").map { try $0.value("amount", as: Decimal.self) },
                try context.fetch("A").map { try $0.value("amount", as: Int64.self) }
            )
        }
        #expect(prices == [price])
        #expect(counts == [7])
    }

    @Test func twoAttributesRenamedFromTheSameNameAreRejected() throws {
        try fill(Self.model(1, .string("a")), ["a": "Ada"])
        let model = try Self.model(2, .string("b", .renamed(from: "a")), .string("c", .renamed(from: "a")))
        let plan = try Store.trialPlan(at: folder.file(), model: model, transformers: Transformers().registry())
        #expect(plan.refusals.map(\.name) == ["b", "c"])
        let error = #expect(throws: StoreError(code: .unsupported)) { try open(model) }
        #expect(error?.description.contains("“b” and “c” are both renamed from “a”") == true)
        #expect(try Store.trial(at: folder.file(), transformers: Transformers().registry()).model.version == 1)
    }

    @Test func reportsAFormerNameThatTheFileLacks() throws {
        try fill(Self.model(1, .string("a")), ["a": "Ada"])
        let model = try Self.model(2, .string("a"), .string("b", .optional, .renamed(from: "typo")))
        let plan = try Store.trialPlan(at: folder.file(), model: model, transformers: Transformers().registry())
        let told = plan.changes.first { $0.name == "b" }?.description
        #expect(told == "Person.b: added, “typo”, which it was renamed from, is not in the file")
    }

    // MARK: - JSON

    @Test func jsonIsEquivalentToCode() throws {
        var entity = EntityDescription(
            "Person",
            attributes: [
                .string("one", .renamed(from: "was")), .string("two", .renamed(from: "a"), .renamed(from: "b")),
                .string("three", .renamed(from: "c", in: 3), .renamed(from: "d", in: 4), .added(in: 2)),
            ],
            relationships: [.toOne("friend", "Person")]
        )
        entity.renamedFrom = [.init("Human", in: 2)]
        entity.relationships[0].addedIn = 4
        let model = try Model(version: 4, entities: [entity])
        let read = try Model(json: model.json).entities[0]
        #expect(read.renamedFrom == entity.renamedFrom)
        #expect(read.attributes.map(\.renamedFrom) == entity.attributes.map(\.renamedFrom))
        #expect(read.attributes.map(\.addedIn) == [nil, nil, 2] && read.relationships[0].addedIn == 4)
        let text = String(decoding: model.json, as: UTF8.self)
        #expect(text.contains("\"renamedFrom\" : \"was\""))
        #expect(text.contains("\"addedIn\" : 4"))
    }

    @Test(arguments: [
        (#""renamedFrom": [{"name": "a", "in": 2}, "b"]"#, "only some of which state a version"),
        (#""renamedFrom": [{"name": "a", "in": 3}, {"name": "b", "in": 2}]"#, "not in ascending order"),
        (#""renamedFrom": [{"name": "a", "in": 9}]"#, "not between 1 and the model's, 3"),
        (#""addedIn": 3, "renamedFrom": [{"name": "a", "in": 2}]"#, "not in ascending order"),
        (#""renamedFrom": [7]"#, "is not an object"),
        (#""renamedFrom": {"name": "a"}"#, "is not a string"),
    ])
    func contradictoryJSONIsRejected(member: String, reason: String) throws {
        let json = """
            { "transformableModel": 1, "version": 3, "entities": [ { "name": "Person", "attributes": [
                { "name": "x", "type": "string", \(member) } ] } ] }
            """
        let error = #expect(throws: StoreError(code: .invalidModel)) { try Model(json: Data(json.utf8)) }
        #expect(error?.faults.contains { $0.contains(reason) } == true, "\(error?.faults ?? [])")
    }
}
