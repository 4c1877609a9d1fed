import Foundation
import Testing
import Transformable
import TransformableStore

/// The expected rows are those of “INSERT … ON CONFLICT DO UPDATE”, and the object itself is kept.
@Suite(.eachEngine) struct UpsertTests {
    private func store(_ hooks: EntityHooks? = nil) throws -> Store {
        let attributes: [AttributeDescription] = [
            .string("code", .unique), .integer("floor", .optional), .integer("wing", .optional),
            .string("name", .optional), .date("opened", .optional, .unique),
        ]
        let model = try Model(entities: [
            EntityDescription("Ward", attributes: attributes, unique: [["floor", "wing"]]),
            EntityDescription(
                "Note",
                attributes: [.string("text")],
                relationships: [.toOne("ward", "Ward"), .toMany("wards", "Ward")]
            ),
        ])
        return try Store.trial(
            model: model,
            transformers: Transformers().registry(),
            hooks: hooks.map { ["Ward": $0] } ?? [:]
        )
    }

    @Test(arguments: [false, true])
    func updatesTheConflictingObject(isEditing: Bool) throws {
        let store = try store()
        let body = { (context: StoreContext) in
            let (first, isNew) = try context.upsert("Ward", ["code": "A", "floor": 1, "wing": 2, "name": "old"])
            #expect(isNew)
            let (second, isNewToo) = try context.upsert("Ward", ["code": "A", "name": "new"])
            #expect(second === first && !isNewToo)
            #expect(try first.value("name", as: String.self) == "new")
            #expect(try first.value("floor", as: Int.self) == 1)
            // Found by the group, so its code changes.
            #expect(try context.upsert("Ward", ["code": "B", "floor": 1, "wing": 2]).object === first)
            #expect(try context.upsert("Ward", ["code": "A"]).isNew)
        }
        if isEditing {
            let context = store.makeContext()
            try body(context)
            try context.save()
        } else {
            try store.write { try body($0) }
        }
        let codes = try store.read { try $0.values("Ward", of: ["code"]).map { try $0.value("code", as: String.self) } }
        #expect(codes == ["B", "A"])
    }

    @Test func supportsTypesOtherThanText() throws {
        let store = try store()
        let day = Date(timeIntervalSinceReferenceDate: 0.1)
        try store.write { context in
            let (ward, _) = try context.upsert("Ward", ["code": "A", "opened": day])
            #expect(try context.upsert("Ward", ["code": "C", "opened": day]).object === ward)
            let other = day.addingTimeInterval(1e-9)
            #expect(try context.upsert("Ward", ["code": "D", "opened": other]).isNew)
        }
    }

    @Test func conflictsWithSeveralObjects() throws {
        let error = #expect(throws: StoreError.self) {
            try store()
                .write { context in
                    try context.upsert("Ward", ["code": "A"])
                    try context.upsert("Ward", ["code": "B", "floor": 1, "wing": 1])
                    try context.upsert("Ward", ["code": "A", "floor": 1, "wing": 1])
                }
        }
        #expect(error?.code == .notUnique)
        #expect(error?.description.contains("Ward/1") == true && error?.description.contains("Ward/2") == true)
    }

    /// Accounts, and savings accounts, whose numbers are unique in a table of their own.
    private func accounts() throws -> Store {
        let attributes: [AttributeDescription] = [.integer("number", .unique), .string("owner", .optional)]
        let model = try Model(entities: [
            EntityDescription("Account", attributes: attributes), EntityDescription("Savings", parent: "Account"),
        ])
        let store = try Store.trial(model: model, transformers: TransformerRegistry {})
        try store.write { try $0.insert("Savings").setValue(17, for: "number") }
        return store
    }

    @Test func anObjectOfAChildDoesNotConflict() throws {
        let store = try accounts()
        try store.write { context in
            let (account, isNew) = try context.upsert("Account", ["number": 17, "owner": "Bob"])
            #expect(isNew && account.id.entity == "Account")
            // By now, both have the number.
            let (other, isNewToo) = try context.upsert("Account", ["number": 17, "owner": "Eve"])
            #expect(other === account && !isNewToo)
        }
        let owners = try store.read { context in
            try context.values("Account", of: ["owner"]).map { try $0.value("owner", as: String?.self) }
        }
        #expect(owners == ["Eve", nil])
    }

    @Test func anObjectOfAChildIsNotFound() throws {
        let store = try accounts()
        try store.write { context in
            let (account, isNew) = try context.findOrInsert("Account", ["number": 17])
            #expect(isNew && account.id.entity == "Account")
            let (other, isNewToo) = try context.findOrInsert("Account", ["number": 17])
            #expect(other === account && !isNewToo)
        }
    }

    @Test(arguments: [("Ward", ["name": "x"]), ("Ward", ["floor": "1"]), ("Note", ["text": "x"])])
    func requiresAUniqueAttribute(entity: String, values: [String: String]) throws {
        #expect(throws: StoreError(code: .misuse)) { try store().write { _ = try $0.upsert(entity, values) } }
    }

    @Test func rejectsUnknownNamesAndReadOnlyContexts() throws {
        let store = try store()
        #expect(throws: StoreError(code: .unknownAttribute)) {
            try store.write { _ = try $0.upsert("Ward", ["code": "A", "x": 1]) }
        }
        #expect(throws: StoreError(code: .readOnly)) { try store.read { _ = try $0.upsert("Ward", ["code": "A"]) } }
    }

    @Test(arguments: 0..<8) func aRejectedValueLeavesNoObject(_: Int) throws {
        let store = try store()
        try store.write { context in
            let values: [String: any Sendable] = ["code": "A", "floor": 1, "wing": 1, "name": 5]
            #expect(throws: StoreError(code: .wrongType)) { try context.upsert("Ward", values) }
            try context.upsert("Ward", ["code": "B", "name": "old"])
            let changed: [String: any Sendable] = ["code": "B", "floor": 2, "wing": 2, "name": 5]
            #expect(throws: StoreError(code: .wrongType)) { try context.upsert("Ward", changed) }
        }
        let rows = try store.read { context in
            try context.fetch("Ward")
                .map { ward in
                    "\(try ward.value("name", as: String.self)) \(try ward.value("floor", as: Int?.self) as Any)"
                }
        }
        #expect(rows == ["old nil"])
    }

    /// The attributes are set in the order of their names, and the last one is encoded when it is set.
    @Test(arguments: [false, true]) func aValueThatCannotBeEncodedLeavesTheObjectAsItWas(isEditing: Bool) throws {
        var wing = AttributeDescription.integer("wing", .optional, .range(0...9))
        wing.encoding = .onSet
        let attributes: [AttributeDescription] = [.string("code", .unique), .integer("floor", .optional), wing]
        let model = try Model(entities: [EntityDescription("Ward", attributes: attributes)])
        let store = try Store.trial(model: model, transformers: Transformers().registry())
        let body = { (context: StoreContext) in
            try context.upsert("Ward", ["code": "A", "floor": 1, "wing": 2])
            #expect(throws: StoreError(code: .invalidValue)) {
                try context.upsert("Ward", ["code": "A", "floor": 7, "wing": 10])
            }
            try context.save()
        }
        if isEditing { try body(store.makeContext()) } else { try store.write { try body($0) } }
        let floors = try store.read { try $0.fetch("Ward").map { try $0.value("floor", as: Int?.self) } }
        #expect(floors == [1])
    }

    /// A new object has no row yet, from which the length of a large value could be read.
    @Test func anObjectThatAHookHasInsertedIsUpdated() throws {
        let model = try Model(entities: [
            EntityDescription("Visit", attributes: [.string("note", .optional)]),
            EntityDescription("Tag", attributes: [.string("name", .unique), .data("icon")]),
        ])
        var hooks = EntityHooks()
        hooks.willSave = { visit in
            try visit.context.upsert("Tag", ["name": "new", "icon": Data(visit.value("note", as: String.self).utf8)])
        }
        let store = try Store.trial(model: model, transformers: Transformers().registry(), hooks: ["Visit": hooks])
        try store.write { context in
            for note in ["first", "second"] { try context.insert("Visit").setValue(note, for: "note") }
        }
        let icons = try store.read { try $0.fetch("Tag").map { try $0.value("icon", as: Data.self) } }
        #expect(icons == [Data("second".utf8)])
    }

    /// The hook of a deletion does not run for an object that was never inserted.
    @Test(arguments: [false, true]) func aRejectedValueIsTheErrorThatIsThrown(isEditing: Bool) throws {
        struct Refused: Error {}
        var hooks = EntityHooks()
        hooks.prepareForDeletion = { _ in throw Refused() }
        let store = try store(hooks)
        let body = { (context: StoreContext) in
            #expect(throws: StoreError(code: .wrongType)) { try context.upsert("Ward", ["code": "A", "name": 5]) }
            #expect(!context.hasChanges)
            #expect(try context.count("Ward") == 0)
            try context.save()
        }
        if isEditing { try body(store.makeContext()) } else { try store.write { try body($0) } }
        let count = try store.read { try $0.count("Ward") }
        #expect(count == 0)
    }

    /// The hook of an insertion relates other objects to the one that is rejected.
    @Test func nothingLeadsToARejectedObject() throws {
        var hooks = EntityHooks()
        hooks.awakeFromInsert = { ward in
            let note = try ward.context.insert("Note")
            try note.setValue("new", for: "text")
            try note.setObject(ward, for: "ward")
            try note.add(ward, to: "wards")
        }
        let store = try store(hooks)
        try store.write { context in
            #expect(throws: StoreError(code: .wrongType)) { try context.upsert("Ward", ["code": "A", "name": 5]) }
            let count = try context.count("Ward")
            #expect(count == 0)
        }
        let related = try store.read { context in
            let note = try #require(try context.first("Note"))
            return try (note.object("ward")?.id, note.objects("wards").map(\.id))
        }
        #expect(related == (nil, []))
    }

    /// The fetch of a hook writes the object before its values are rejected.
    @Test func aRejectedObjectThatWasWrittenIsDeleted() throws {
        var hooks = EntityHooks()
        hooks.awakeFromInsert = { ward in
            try ward.setValue("new", for: "code")
            _ = try ward.context.fetch("Ward")
        }
        let store = try store(hooks)
        try store.write { context in
            #expect(throws: StoreError(code: .wrongType)) { try context.upsert("Ward", ["code": "A", "name": 5]) }
            let count = try context.count("Ward")
            #expect(count == 0)
        }
        let count = try store.read { try $0.count("Ward") }
        #expect(count == 0)
    }
}
