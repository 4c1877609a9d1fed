import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

@Suite(.eachEngine) struct MigrationTests {
    private func open(_ folder: Folder, _ version: Int, _ entities: [EntityDescription]) throws -> Store {
        try Store.trial(
            at: folder.file(),
            model: Model(version: version, entities: entities),
            transformers: Transformers().registry()
        )
    }

    /// The first version, with two objects, one of which was deleted.
    private func first(_ folder: Folder) throws {
        let store = try open(
            folder,
            1,
            [
                EntityDescription(
                    "Client",
                    attributes: [
                        .string("name", .indexed), .int16("age", .optional), .string("note"),
                        .transformed("secret", "text | bound", as: String.self, .optional),
                    ]
                ),
                EntityDescription("Old", attributes: [.string("x")]),
            ]
        )
        try store.write { context in
            for name in ["Ada", "Bea", "Gone"] {
                let client = try context.insert("Client")
                try client.setValue(name, for: "name")
                try client.setValue("note of \(name)", for: "note")
                try client.setValue("secret of \(name)", for: "secret")
                if name == "Gone" {
                    try context.save()
                    try context.delete(client)
                }
            }
            try context.insert("Old").setValue("kept", for: "x")
        }
        try store.close()
    }

    private let second = [
        EntityDescription(
            "Patient",
            attributes: [
                .string("fullName", .unique, .renamed(from: "name")), .int64("age", .default(0)),
                .transformed(
                    "secret",
                    "text | bound",
                    as: String.self,
                    .optional,
                    .projected("text | blind", as: "finder")
                ),
                .string("color", .default("red")),
                .transformed("box", "box", as: Box.self, .default("1x2"), .projected("area", as: "area")),
                .date("born", .optional, .indexed),
            ],
            relationships: [.toMany("visits", "Visit", inverse: "patient"), .toMany("doctors", "Visit")]
        ),
        EntityDescription("Visit", relationships: [.toOne("patient", "Patient")]),
    ]
    .map { entity in
        var entity = entity
        if entity.name == "Patient" { entity.renamedFrom = "Client" }
        return entity
    }

    @Test(.sqliteOnly("SQLite’s shell uses the file.")) func rejectsAFileWithATableThatOnlyAMigrationMakes() throws {
        let folder = try Folder()
        try first(folder)
        try shell(folder.file()) { database in
            for number in 1...2 { try database.execute(sql: "CREATE TABLE \"_old.\(number)\" (x)") }
        }
        #expect(throws: StoreError(code: .corruptFile)) { try open(folder, 2, second) }
    }

    @Test(.sqliteOnly("SQLite’s shell uses the file.")) func addsRenamesAndDrops() throws {
        let folder = try Folder()
        try first(folder)
        let store = try open(folder, 2, second)
        try store.write { context in
            let found = try context.fetch("Patient", where: Condition("secret == 'secret of Bea' and area == 2"))
            let bea = try #require(found.first)
            #expect(found.count == 1)
            #expect(bea.id.number == 2)
            #expect(try bea.value("fullName", as: String.self) == "Bea")
            #expect(try bea.value("age", as: Int64.self) == 0)
            #expect(try bea.value("color", as: String.self) == "red")
            #expect(try bea.value("box", as: Box.self) == Box(width: 1, height: 2))
            #expect(try bea.value("born", as: Date?.self) == nil)
            let visit = try context.insert("Visit")
            try bea.add(visit, to: "visits")
            let next = try context.insert("Patient")
            #expect(next.id.number == 4)
            try next.setValue("Cid", for: "fullName")
        }
        #expect(throws: StoreError(code: .notUnique)) {
            try store.write { try $0.insert("Patient").setValue("Ada", for: "fullName") }
        }
        try store.close()
        let aside = try shell(folder.file()) { database in
            (
                try String.fetchAll(
                    database,
                    sql: "SELECT \"_dropped.note.3\" FROM Patient WHERE _id < 3 ORDER BY _id"
                ),
                try String.fetchAll(database, sql: "SELECT x FROM \"_dropped.Old.1\""),
                try String.fetchOne(database, sql: "PRAGMA integrity_check")
            )
        }
        #expect(aside.0 == ["note of Ada", "note of Bea"])
        #expect(aside.1 == ["kept"])
        #expect(aside.2 == "ok")
        #expect(throws: StoreError(code: .newerModel)) {
            try open(folder, 1, [EntityDescription("Client", attributes: [.string("name")])])
        }
        let reopened = try Store.trial(at: folder.file(), transformers: Transformers().registry())
        #expect(reopened.model.version == 2)
        #expect(try reopened.read { try $0.count("Patient") } == 3)
    }

    @Test(.sqliteOnly("SQLite’s shell uses the file.")) func migratesAgain() throws {
        let folder = try Folder()
        try first(folder)
        try open(folder, 2, second).close()
        var third = second
        third[0].renamedFrom = nil
        third[0].attributes.removeAll { $0.name == "color" }
        let store = try open(folder, 3, third)
        #expect(try store.read { try $0.count("Patient", where: Condition("area == 2")) } == 2)
        try store.close()
        let notes = try shell(folder.file()) { database in
            try String.fetchAll(
                database,
                sql: "SELECT \"_dropped.note.3\" FROM Patient WHERE \"_dropped.color.6\" = 'red' OR 1"
            )
        }
        #expect(notes == ["note of Ada", "note of Bea"])
    }

    @Test func encodesContextualDefaultsForEachObject() throws {
        let folder = try Folder()
        try first(folder)
        try Trial.run("UPDATE \"Client\" SET \"secret\" = NULL WHERE \"name\" = 'Ada'", in: folder.file())
        let client = EntityDescription(
            "Client",
            attributes: [
                .string("name"), .integer("age", .default(7)),
                .transformed("secret", "text | bound", as: String.self, .default("none")),
                .transformed("code", "text | bound", as: String.self, .default("new"), .projected("text | blind")),
                .uuid("key", .unique, .default(.newUUID)),
            ]
        )
        let store = try open(folder, 2, [client])
        try store.read { context in
            let found = try context.fetch("Client")
            #expect(try found.map { try $0.value("secret", as: String.self) } == ["none", "secret of Bea"])
            #expect(try found.map { try $0.value("code", as: String.self) } == ["new", "new"])
            #expect(try found.map { try $0.value("age", as: Int64.self) } == [7, 7])
            #expect(try Set(found.map { try $0.value("key", as: UUID.self) }).count == 2)
            #expect(try context.count("Client", where: Condition("code == 'new'")) == 2)
            #expect(try found[0].encodedBytes("code") != found[1].encodedBytes("code"))
        }
    }

    @Test(arguments: [
        ([AttributeDescription.string("name"), .string("more")], StoreError.Code.missingValue),
        ([.integer("name")], .unsupported),
        ([.string("name"), .integer("age")], .missingValue),
        ([.string("name"), .string("more", .unique, .default("same"))], .missingValue),
        ([.string("name"), .transformed("more", "text | bound", as: String.self)], .missingValue),
    ])
    func changesNothingIfItFails(attributes: [AttributeDescription], code: StoreError.Code) throws {
        let folder = try Folder()
        try first(folder)
        #expect(throws: StoreError(code: code)) {
            try open(folder, 2, [EntityDescription("Client", attributes: attributes)])
        }
        let store = try Store.trial(at: folder.file(), transformers: Transformers().registry())
        #expect(store.model.version == 1)
        #expect(try store.read { try $0.count("Client", where: Condition("secret startsWith 'secret'")) } == 2)
        #expect(try store.read { try $0.count("Old") } == 1)
    }

    @Test func rejectsConstantDefaultsForUniqueValues() throws {
        let folder = try Folder()
        try first(folder)
        let client = EntityDescription("Client", attributes: [.string("code", .unique, .default("x"))])
        let model = try Model(version: 2, entities: [client])
        let error = #expect(throws: StoreError.self) { try open(folder, 2, [client]) }
        #expect(error?.code == .missingValue)
        #expect(error?.message.contains("all objects would get the same default") == true)
        #expect(error?.message.contains("a new UUID") == true)
        let plan = try Store.trialPlan(at: folder.file(), model: model, transformers: Transformers().registry())
        #expect(
            plan.refusals.map(\.description).first?.contains("all objects would get the same default") == true
        )
    }
}
