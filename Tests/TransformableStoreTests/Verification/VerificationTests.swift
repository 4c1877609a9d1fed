import Foundation
import GRDB
import StandardPlugin
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

@Suite struct VerificationTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    @Test func verifyFindsEachFault() throws {
        let store = try Store.people(in: folder)
        let ids = try (0..<4).map { try store.addPerson("\($0)", box: Box(width: $0, height: 2), secret: "s") }
        try store.close()
        try shell(folder.file()) { database in
            try database.execute(sql: "UPDATE Person SET box = x'00' WHERE _id = 2")
            try database.execute(sql: "UPDATE Person SET area = 99 WHERE _id = 3")
            try database.execute(sql: "UPDATE Person SET secret = x'01' WHERE _id = 4")
        }
        let found = try Store.people(in: folder).verify()
        #expect(found.objectCount == 4)
        #expect(found.faults.map(\.code) == [.undecodable, .wrongProjection, .undecodable])
        #expect(found.faults.map(\.attribute) == ["box", "box", "secret"])
        #expect(found.faults.map(\.object) == Array(ids[1...]))
        #expect(found.unreadable.isEmpty)
    }

    /// After a re-encoding, only triggers demand a value.
    @Test func aMissingValueIsAFault() throws {
        let registry = try TransformerRegistry { StandardPlugin() }
        let note = EntityDescription("Note", attributes: [.string("text"), .string("title", .optional)])
        let store = try Store(at: folder.file(), model: Model(entities: [note]), transformers: registry)
        try store.write { try $0.insert("Note").setValue("a", for: "text") }
        try store.reencode(Reencoding("text", of: "Note", to: .transformer("text | zlib")))
        try store.close()
        try shell(folder.file()) { database in
            let triggers = try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'")
            #expect(triggers.count == 2)
            for name in triggers { try database.execute(sql: "DROP TRIGGER \"\(name)\"") }
            try database.execute(sql: "INSERT INTO Note DEFAULT VALUES")
        }
        let found = try Store(at: folder.file(), transformers: registry).verify()
        #expect(found.faults.map(\.code) == [.missingValue])
        #expect(found.faults.map(\.attribute) == ["text"])
        #expect(found.faults.map(\.object) == [ObjectID(entity: "Note", number: 2)])
    }

    @Test func missingTransformersAndKeysAreNotFaults() throws {
        let store = try Store.people(in: folder)
        try store.addPerson("a", box: Box(width: 1, height: 2))
        try store.addPerson("b", box: Box(width: 1, height: 2))
        try store.close()
        let lenient = try Store(
            at: folder.file(),
            transformers: Transformers(hasBox: false).registry(),
            options: Store.Options(opening: .readOnly, unresolved: .keepBytes)
        )
        let found = try lenient.verify()
        #expect(found.isSound)
        #expect(found.unreadable.map(\.attribute) == ["box"])
        #expect(found.unreadable.map(\.count) == [2])
    }

    private struct NumberTransformer: OneWayTransformer {
        var traits: TransformerTraits { .plain }

        func encode(_ value: String, in context: TransformContext) throws -> Int64 {
            guard let number = Int64(value) else { throw TransformerError.invalidData("the text is not a number") }
            return number
        }
    }

    @Test func verifyFindsAValueThatCannotBeProjected() throws {
        let registry = try TransformerRegistry { Registration("number", NumberTransformer()) }
        let page = EntityDescription("Page", attributes: [.string("label", .projected("number", as: "place"))])
        let store = try Store(at: folder.file(), model: Model(entities: [page]), transformers: registry)
        let ids = try store.write { context in
            try ["1", "2", "3"]
                .map { label in
                    let page = try context.insert("Page")
                    try page.setValue(label, for: "label")
                    return page.id
                }
        }
        try shell(folder.file()) { database in
            try database.execute(sql: "UPDATE Page SET label = 'abc' WHERE _id = 1")
            try database.execute(sql: "UPDATE Page SET place = 9 WHERE _id = 3")
        }
        let found = try store.verify()
        #expect(found.objectCount == 3)
        #expect(found.faults.map(\.code) == [.wrongProjection, .wrongProjection])
        #expect(found.faults.map(\.object) == [ids[0], ids[2]])
    }

    @Test func verifyFindsADanglingReference() throws {
        try Store.documents(in: folder).close()
        try shell(folder.file()) { database in
            try database.execute(sql: "PRAGMA foreign_keys = OFF")
            try database.execute(sql: "INSERT INTO Document (name, shelf) VALUES ('a', 7)")
        }
        #expect(try Store.documents(in: folder).verify().faults.map(\.code) == [.danglingReference])
    }

    @Test func verifyListsATableThatReferencesCannotLeadToAndContinues() throws {
        try Store.documents(in: folder).close()
        try shell(folder.file()) { database in
            for sql in [
                "PRAGMA foreign_keys = OFF", "INSERT INTO Document (name, sealed) VALUES ('a', x'00')",
                "CREATE TABLE Forged AS SELECT * FROM Shelf", "DROP TABLE Shelf", "ALTER TABLE Forged RENAME TO Shelf",
            ] {
                try database.execute(sql: sql)
            }
        }
        let found = try Store.documents(in: folder, options: .readOnly).verify()
        #expect(found.faults.map(\.code) == [.corruptFile, .undecodable])
        #expect(found.objectCount == 1)
    }

    // A page of zeros is what a disk may return for a sector that it has lost.
    @Test(arguments: ["Shelf", "Document", "_transformable_blob"])
    func verifyChecksWhatIsNotDamaged(table: String) throws {
        let store = try Store.documents(in: folder)
        try store.insert(many: 0..<300, into: "Shelf") { try $0.setValue("shelf \($1)", for: "label") }
        try store.insert(many: 0..<300, into: "Document") { document, index in
            try document.setValue("document \(index)", for: "name")
            try document.setValue(Data(repeating: 7, count: index < 200 ? 5000 : 5), for: "data")
        }
        try store.close()
        try shell(folder.file()) { database in
            try database.execute(sql: "UPDATE Document SET sealed = x'00' WHERE _id = 1")
            try database.execute(sql: "UPDATE Shelf SET label = x'00' WHERE _id = 1")
        }
        try zeroLastLeaf(of: table)
        let damagedStore = try Store.documents(in: folder, options: .readOnly)
        let found = try damagedStore.verify()
        let damaged = found.faults.filter { $0.code == .corruptFile }
        #expect(!damaged.isEmpty)
        let others = found.faults.filter { $0.code == .undecodable }.compactMap(\.entity)
        #expect(others == ["Document", "Shelf"])
        let entities = Set(damaged.compactMap(\.entity))
        #expect(entities == [table == "Shelf" ? "Shelf" : "Document"])
        #expect(found.blobCount == 200)
        let first = ObjectID(entity: "Document", number: 1)
        #expect(try damagedStore.read { try $0.object(first).value("name", as: String.self) } == "document 0")
    }

    /// Overwrites the last page with rows of a table.
    private func zeroLastLeaf(of table: String) throws {
        var bytes = try Data(contentsOf: folder.file())
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        let root = try shell(folder.file()) { database in
            try Int.fetchOne(database, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [table])
        }
        var start = (try #require(root) - 1) * size
        // An inner page has the type 5, and the number of its last child at byte 8 (SQLite file format, 1.6).
        while bytes[start] == 5 {
            let child = bytes[start + 8..<start + 12].reduce(0) { $0 << 8 | Int($1) }
            start = (child - 1) * size
        }
        #expect(bytes[start] == 13)
        bytes.replaceSubrange(start..<start + size, with: Data(count: size))
        try bytes.write(to: folder.file())
    }
}
