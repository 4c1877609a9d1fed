import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Unique text occurs once, regardless of its scalars.
struct EqualTextTests {
    private static let pairs = [
        ("\u{E9}cole", "e\u{301}cole"), ("e\u{301}cole", "\u{E9}cole"), ("K", "\u{212A}"), ("\u{212A}", "K"),
        ("\u{AC01}", "\u{1100}\u{1161}\u{11A8}"), ("a\u{323}\u{302}", "a\u{302}\u{323}"), ("\u{C5}", "\u{212B}"),
    ]

    private static func store() throws -> Store {
        let model = try Model(entities: [
            EntityDescription("Tag", attributes: [.string("name", .unique, .optional), .string("note", .optional)]),
            EntityDescription("Pair", attributes: [.string("x"), .integer("y")], unique: [["x", "y"]]),
            EntityDescription(
                "Seal",
                attributes: [
                    .transformed(
                        "code",
                        "text",
                        as: String.self,
                        .projected("text | blind", as: "index", indexed: false)
                    )
                ],
                unique: [["index"]]
            ),
        ])
        return try Store.inMemory(model: model, transformers: Transformers().registry())
    }

    private static func add(_ name: String, to store: Store) throws {
        try store.write { try $0.insert("Tag").setValue(name, for: "name") }
    }

    @Test(arguments: pairs) func duplicatesAreRejected(_ first: String, _ second: String) throws {
        let store = try Self.store()
        try Self.add(first, to: store)
        let error = #expect(throws: StoreError(code: .notUnique)) { try Self.add(second, to: store) }
        #expect(error?.attribute == "name")
        #expect(error?.object == ObjectID(entity: "Tag", number: 2))
        #expect(throws: StoreError(code: .notUnique)) {
            try store.insert(many: ["x", second, "y"], into: "Tag") { try $0.setValue($1, for: "name") }
        }
        let context = store.makeContext()
        try context.insert("Tag").setValue(second, for: "name")
        #expect(throws: StoreError(code: .notUnique)) { try context.save() }
        #expect(try store.read { try $0.count("Tag") } == 1)
        try Self.add("other", to: store)
        #expect(throws: StoreError(code: .notUnique)) {
            try store.write { try $0.fetch("Tag")[1].setValue(second, for: "name") }
        }
    }

    @Test(arguments: pairs) func upsertsFindEqualText(_ first: String, _ second: String) throws {
        let store = try Self.store()
        try Self.add(first, to: store)
        let isNew = try store.write { try $0.findOrInsert("Tag", ["name": second]).isNew }
        #expect(!isNew)
        // An object can change the scalars of its own text, and pass the text on to another object.
        try store.write { try $0.fetch("Tag")[0].setValue(second, for: "name") }
        try store.write { context in
            let tag = try context.fetch("Tag")[0]
            try context.insert("Tag").setValue(first, for: "name")
            try tag.setValue("free", for: "name")
        }
        #expect(
            try store.read { try $0.fetch("Tag").map { try $0.value("name", as: String.self) } } == ["free", first]
        )
    }

    @Test(arguments: pairs) func duplicatesInAGroupAreRejected(_ first: String, _ second: String) throws {
        let store = try Self.store()
        func add(_ x: String, _ y: Int) throws {
            try store.write { context in
                let pair = try context.insert("Pair")
                try pair.setValue(x, for: "x")
                try pair.setValue(y, for: "y")
            }
        }
        try add(first, 1)
        try add(second, 2)
        let error = #expect(throws: StoreError(code: .notUnique)) { try add(second, 1) }
        #expect(error?.message.contains("x and y") == true)
        try store.write { try $0.insert("Seal").setValue(first, for: "code") }
        #expect(throws: StoreError(code: .notUnique)) {
            try store.write { try $0.insert("Seal").setValue(second, for: "code") }
        }
    }

    @Test func manyNewTextsAreChecked() throws {
        let store = try Self.store()
        let names = (0..<1200).map { "\u{E9}\($0)" }
        try store.insert(many: names, into: "Tag") { try $0.setValue($1, for: "name") }
        let others = (1200..<2400).map { $0 == 2000 ? "e\u{301}7" : "\u{E9}\($0)" }
        let error = #expect(throws: StoreError(code: .notUnique)) {
            try store.insert(many: others, into: "Tag") { try $0.setValue($1, for: "name") }
        }
        #expect(error?.object == ObjectID(entity: "Tag", number: 2001))
    }

    /// Existing duplicates prevent a migration to a model that requires unique text, as the plan reports.
    @Test(arguments: pairs) func existingDuplicatesAreRejected(_ first: String, _ second: String) throws {
        let folder = try Folder()
        func model(_ version: Int, _ option: AttributeOption) throws -> Model {
            let name = AttributeDescription.string("name", .optional, option)
            return try Model(version: version, entities: [EntityDescription("Tag", attributes: [name])])
        }
        let store = try Store(at: folder.file(), model: model(1, .indexed), transformers: Transformers().registry())
        try store.insert(many: [first, "other", second], into: "Tag") { try $0.setValue($1, for: "name") }
        try store.close()
        let unique = try model(2, .unique)
        let plan = try Store.plan(at: folder.file(), model: unique, transformers: Transformers().registry())
        #expect(plan.refusals.count == 1)
        let error = #expect(throws: StoreError(code: .notUnique)) {
            try Store(at: folder.file(), model: unique, transformers: Transformers().registry())
        }
        #expect(error?.attribute == "name")
        let former = try Store(at: folder.file(), model: model(1, .indexed), transformers: Transformers().registry())
        #expect(try former.read { try $0.count("Tag") } == 3)
    }

    @Test(arguments: pairs) func aDuplicateGroupIsRejectedWhereItsOtherColumnChanges(
        _ first: String,
        _ second: String
    ) throws {
        let store = try Self.store()
        try store.write { context in
            for (y, x) in [first, second].enumerated() {
                let pair = try context.insert("Pair")
                try pair.setValue(x, for: "x")
                try pair.setValue(y, for: "y")
            }
        }
        let error = #expect(throws: StoreError(code: .notUnique)) {
            try store.write { try $0.fetch("Pair")[1].setValue(0, for: "y") }
        }
        #expect(error?.object == ObjectID(entity: "Pair", number: 2))
    }
}
