import Foundation
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Plans for changes of the model, compared with the results of the migrations.
@Suite(.eachEngine) struct MigrationPlanTests {
    /// A newer model, and the expected changes in its plan.
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let entities: [EntityDescription]
        let expected: [String]
        var reencodes = false

        init(
            _ name: String,
            _ expected: [String],
            reencodes: Bool = false,
            client: [AttributeDescription] = MigrationPlanTests.client,
            change: (inout [EntityDescription]) -> Void = { _ in }
        ) {
            testDescription = name
            self.expected = expected
            self.reencodes = reencodes
            var entities = MigrationPlanTests.entities(client)
            change(&entities)
            self.entities = entities
        }
    }

    private static let client: [AttributeDescription] = [
        .string("name"), .int16("age", .optional), .string("note", .indexed),
        .transformed("secret", "text | bound", as: String.self, .optional, .projected("text | blind", as: "finder")),
    ]

    private static func entities(_ client: [AttributeDescription]) -> [EntityDescription] {
        [
            EntityDescription("Client", attributes: client, relationships: [.toMany("friends", "Client")]),
            EntityDescription("Visit", relationships: [.toOne("client", "Client")]),
            EntityDescription("Old", attributes: [.string("x")]),
        ]
    }

    private static let code = AttributeDescription.string("code", .default("x"))
    private static let filled =
        "it must be unique, but 1 value occurs more than once, because objects get the same default"

    /// Two clients, one without an age and both with the same note, and a visit of the first.
    private func fill(_ folder: Folder) throws {
        let model = try Model(entities: Self.entities(Self.client))
        let store = try Store.trial(at: folder.file(), model: model, transformers: Transformers().registry())
        try store.write { context in
            for (name, age) in [("Ada", 36), ("Bea", nil)] as [(String, Int?)] {
                let client = try context.insert("Client")
                try client.setValue(name, for: "name")
                if let age { try client.setValue(Int16(age), for: "age") }
                try client.setValue("note", for: "note")
                try client.setValue("secret of \(name)", for: "secret")
                if name == "Ada" { try context.insert("Visit").setObject(client, for: "client") }
            }
        }
        try store.close()
    }

    static let cases: [Case] = [
        Case(
            "added with a default, optional, renamed and set aside",
            [
                "Client.fullName: renamed from “name”, gets an index",
                "Client.age: kept, widened from int16 to int64",
                "Client.color: added, 2 objects get the default",
                "Client.key: added, 2 objects get a new UUID each",
                "Client.born: added",
                "Client.note: set aside",
            ],
            client: [
                .string("fullName", .indexed, .renamed(from: "name")), .int64("age", .optional),
                Self.client[3], .string("color", .default("red")), .uuid("key", .default(.newUUID)),
                .date("born", .optional),
            ]
        ),
        Case(
            "an entity is renamed, one is new, and one is gone",
            [
                "Patient: renamed from “Client”, 2 objects", "Room: added", "Room.number: added",
                "Old: set aside, 0 objects",
            ]
        ) { entities in
            entities[0].name = "Patient"
            entities[0].renamedFrom = "Client"
            entities[0].relationships = [.toMany("friends", "Patient")]
            entities[1].relationships = [.toOne("client", "Patient")]
            entities[2] = EntityDescription("Room", attributes: [.int64("number")])
        },
        Case(
            "required without a default",
            [
                """
                Client.color: refused: it is new and not optional; make it optional, give it a default that all objects \
                can have, or set it in a migration step
                """
            ],
            client: Self.client + [.string("color")]
        ),
        Case(
            "no longer optional, with and without a default",
            [
                """
                Client.age: refused: it is no longer optional, and 1 object has no value; make it optional, give it a \
                default that all objects can have, or set it in a migration step
                """
            ],
            client: [Self.client[0], .int16("age"), Self.client[2], Self.client[3]]
        ),
        Case(
            "no longer optional, with a default",
            ["Client.age: kept, no longer optional, 1 object gets the default, having no value"],
            client: [Self.client[0], .int16("age", .default(0)), Self.client[2], Self.client[3]]
        ),
        Case(
            "values that occur twice become unique",
            ["Client.note: refused: it must be unique, but 1 value occurs more than once"],
            client: [Self.client[0], Self.client[1], .string("note", .unique), Self.client[3]]
        ),
        Case(
            "names that differ become unique",
            ["Client.name: kept, becomes unique", "Client.note: kept, loses its index"],
            client: [.string("name", .unique), Self.client[1], .string("note"), Self.client[3]]
        ),
        Case(
            "another type",
            [
                """
                Client.note: refused: its type changes from “string” to “int64”; add a new attribute, or convert the \
                values in a step of the migration
                """
            ],
            client: [Self.client[0], Self.client[1], .int64("note"), Self.client[3]]
        ),
        Case(
            "another transformer, which is refused",
            [
                """
                Client.secret: refused: the column was written by “text/1(encoding: utf-8) | bound/1(key: 42)”, which \
                “text | bound(key: 7)” does not read; re-encode it
                """
            ],
            client: Self.client.dropLast() + [
                .transformed(
                    "secret",
                    "text | bound(key: 7)",
                    as: String.self,
                    .optional,
                    .projected("text | blind", as: "finder")
                )
            ]
        ),
        Case(
            "another transformer and another projection",
            [
                "Client.secret: re-encoded from “text | bound” to “text | bound(key: 7)”",
                "Client.found: added",
                "Client.finder: dropped",
            ],
            reencodes: true,
            client: Self.client.dropLast() + [
                .transformed(
                    "secret",
                    "text | bound(key: 7)",
                    as: String.self,
                    .optional,
                    .projected("text | blind", as: "found")
                )
            ]
        ),
        Case(
            "a plain attribute gets a transformer",
            [
                "Client.note: re-encoded from “string” to “text | bound”, loses its index", "Client.secret: set aside",
                "Client.finder: dropped",
            ],
            reencodes: true,
            client: [Self.client[0], Self.client[1], .transformed("note", "text | bound", as: String.self)]
        ),
        Case(
            "a group of values that occur together",
            ["Client.(note, age): added", "Client.(name, note): added"]
        ) { $0[0].uniqueness = [["note", "age"], ["name", "note"]] },
        Case(
            "groups whose values become the same by a default",
            [
                "Client.age: kept, no longer optional, 1 object gets the default, having no value",
                "Client.code: added, 2 objects get the default",
                "Client.(code): refused: \(Self.filled)", "Client.(note, code): refused: \(Self.filled)",
                "Client.(age): refused: \(Self.filled)", "Client.(name, code): added",
            ],
            client: [Self.client[0], .int16("age", .default(36)), Self.client[2], Self.client[3], Self.code]
        ) { $0[0].uniqueness = [["code"], ["note", "code"], ["age"], ["name", "code"]] },
        Case(
            "groups whose values differ in spite of a default",
            [
                "Client.age: kept, no longer optional, 1 object gets the default, having no value",
                "Client.code: added, 2 objects get the default", "Client.key: added, 2 objects get a new UUID each",
                "Client.(age): added", "Client.(name, code): added", "Client.(key, code): added",
            ],
            client: [
                Self.client[0], .int16("age", .default(35)), Self.client[2], Self.client[3], Self.code,
                .uuid("key", .default(.newUUID)),
            ]
        ) { $0[0].uniqueness = [["age"], ["name", "code"], ["key", "code"]] },
        Case(
            "a required reference",
            [
                """
                Visit.nurse: refused: it is new and not optional, and 1 object would have no related object; make it \
                optional
                """
            ]
        ) { $0[1].relationships.append(.toOne("nurse", "Client", optional: false)) },
        Case(
            "a reference to another entity",
            [
                """
                Visit.client: refused: it now refers to “Old”, but the store has 1 reference to “Client”; remove such \
                references first, or read them in a migration step with “oldObjects”
                """
            ]
        ) { $0[1].relationships = [.toOne("client", "Old")] },
    ]

    @Test(arguments: cases) func matchesTheMigration(change: Case) throws {
        let folder = try Folder()
        try fill(folder)
        let before = try Trial.content(of: folder.file())
        let registry = try Transformers().registry()
        let model = try Model(version: 2, entities: change.entities)
        let options = Store.Options(changedTransformers: change.reencodes ? .reencode : .refuse)
        let plan = try Store.trialPlan(at: folder.file(), model: model, transformers: registry, options: options)
        #expect(try Trial.content(of: folder.file()) == before)
        #expect(plan.oldVersion == 1 && plan.newVersion == 2)
        let told = plan.changes.filter { $0.outcome != .kept || $0.subject != .entity && !$0.notes.isEmpty }
        #expect(Set(told.map(\.description)) == Set(change.expected))
        // The migration agrees.
        let opening = Result {
            try Store.trial(at: folder.file(), model: model, transformers: registry, options: options)
        }
        switch opening {
        case .success(let store):
            #expect(plan.refusals.isEmpty)
            try store.close()
        case .failure(let error):
            #expect(!plan.refusals.isEmpty, "\(error)")
        }
    }

    @Test func nothingChangesWithTheSameModel() throws {
        let folder = try Folder()
        try fill(folder)
        let model = try Model(entities: Self.entities(Self.client))
        let plan = try Store.trialPlan(at: folder.file(), model: model, transformers: Transformers().registry())
        #expect(plan.changesNothing)
        #expect(plan.changes.count == 11)
    }

    @Test(arguments: [0, 1]) func aChangedModelRequiresAHigherVersion(version: Int) throws {
        let folder = try Folder()
        let old = try Model(version: version + 1, entities: [EntityDescription("A", attributes: [.string("x")])])
        try Store.trial(at: folder.file(), model: old, transformers: Transformers().registry()).close()
        let model = try Model(version: 1, entities: [EntityDescription("A", attributes: [.int64("y")])])
        let plan = try Store.trialPlan(at: folder.file(), model: model, transformers: Transformers().registry())
        #expect(plan.refusals.contains { $0.subject == .model && $0.description.contains("version") })
    }

    @Test func refusesAModelThatNoStoreCanHave() throws {
        let folder = try Folder()
        try fill(folder)
        var entities = Self.entities(Self.client)
        entities[1].uniqueness = [["client"]]
        entities.append(EntityDescription("Guest", parent: "Client"))
        let model = try Model(version: 2, entities: entities)
        let plan = try Store.trialPlan(at: folder.file(), model: model, transformers: Transformers().registry())
        let error = #expect(throws: StoreError.self) {
            try Store.trial(at: folder.file(), model: model, transformers: Transformers().registry())
        }
        #expect(error?.code == .unsupported)
        #expect(plan.refusals.map(\.outcome) == [.refused(reason: error?.description ?? "")])
    }

    @Test func aStepHandlesAChangedType() throws {
        let folder = try Folder()
        try fill(folder)
        let client = [Self.client[0], Self.client[1], .int64("note", .optional), Self.client[3]]
        let model = try Model(version: 2, entities: Self.entities(client))
        let plan = try Store.trialPlan(
            at: folder.file(),
            model: model,
            transformers: Transformers().registry(),
            migrations: [MigrationStep(from: 1, to: 2) { _ in }]
        )
        #expect(plan.refusals.isEmpty)
        let told = plan.changes.filter { $0.name == "note" }
        #expect(told.map(\.outcome) == [.added, .setAside])
        #expect(told.first?.notes == ["its type was “string”: the old values are left to a migration step"])
    }
}
