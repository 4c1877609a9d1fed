import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite

@testable import TransformableStore  // The connection that writes is internal.

@Suite struct StoreFileTests {
    static let sample = Date(timeIntervalSinceReferenceDate: 0.1)

    static func kinds() throws -> Model {
        try Model(entities: [
            EntityDescription(
                "Kinds",
                attributes: [
                    .int16("i16"), .int32("i32"), .int64("i64"), .float("f"), .double("d"), .decimal("dec"),
                    .boolean("b"), .string("s"), .date("date"), .data("data"), .uuid("uuid"), .url("url"),
                    .transformed("box", "box", as: Box.self), .transient("note", as: [Int].self),
                ]
            )
        ])
    }

    private func fill(_ object: ManagedObject) throws {
        try object.setValue(Int16.min, for: "i16")
        try object.setValue(Int32.max, for: "i32")
        try object.setValue(Int64.min, for: "i64")
        try object.setValue(Float(0.1), for: "f")
        try object.setValue(-0.0, for: "d")
        try object.setValue(try #require(Decimal(string: "12345678901234567890.123")), for: "dec")
        try object.setValue(true, for: "b")
        try object.setValue("a\0b\u{10FFFF}", for: "s")
        try object.setValue(Self.sample, for: "date")
        try object.setValue(Data([0, 255]), for: "data")
        try object.setValue(try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")), for: "uuid")
        try object.setValue(try #require(URL(string: "https://example.org/a?b=c#d")), for: "url")
        try object.setValue(Box(width: 3, height: 4), for: "box")
    }

    @Test func fileIsLegibleInAnyShell() throws {
        let folder = try Folder()
        let store = try Store(at: folder.file(), model: Self.kinds(), transformers: Transformers().registry())
        try store.write { context in try fill(context.insert("Kinds")) }
        try store.close()
        let row = try shell(folder.file()) { database in
            try #require(try Row.fetchOne(database, sql: "SELECT * FROM Kinds"))
        }
        let stored: [String: DatabaseValue] = [
            "_id": 1.databaseValue, "_version": 1.databaseValue, "i16": (-32768).databaseValue,
            "i32": 2_147_483_647.databaseValue, "i64": Int64.min.databaseValue,
            "f": 0.10000000149011612.databaseValue, "d": (-0.0).databaseValue,
            "dec": "12345678901234567890.123".databaseValue, "b": 1.databaseValue, "date": 0.1.databaseValue,
            "data": Data([0, 255]).databaseValue, "uuid": "00112233-4455-6677-8899-AABBCCDDEEFF".databaseValue,
            "url": "https://example.org/a?b=c#d".databaseValue, "box": Data("3x4".utf8).databaseValue,
        ]
        for (name, value) in stored {
            #expect(row[name] as DatabaseValue == value, "\(name)")
        }
        #expect(row.columnNames.contains("note") == false)
        let bytes = try shell(folder.file()) { try String.fetchOne($0, sql: "SELECT hex(s) FROM Kinds") }
        #expect(bytes == "610062F48FBFBF")
    }

    @Test func everyTypeRoundTrips() throws {
        let folder = try Folder()
        let registry = try Transformers().registry()
        let store = try Store(at: folder.file(), model: Self.kinds(), transformers: registry)
        try store.write { context in try fill(context.insert("Kinds")) }
        try store.close()
        // The second program has no model of its own.
        let reopened = try Store(at: folder.file(), transformers: registry, options: .mustExist)
        try reopened.read { context in
            let object = try context.object(ObjectID(entity: "Kinds", number: 1))
            #expect(try object.value("i16", as: Int16.self) == Int16.min)
            #expect(try object.value("i16", as: Int.self) == -32768)
            #expect(try object.value("i64", as: Int64.self) == Int64.min)
            #expect(try object.value("f", as: Float.self) == 0.1)
            // SQLite stores whole numbers in a REAL column as integers, which have a single zero.
            #expect(try object.value("d", as: Double.self) == 0)
            #expect(try object.value("dec", as: Decimal.self).description == "12345678901234567890.123")
            #expect(try object.value("b", as: Bool.self))
            #expect(try object.value("s", as: String.self).utf8.elementsEqual("a\0b\u{10FFFF}".utf8))
            #expect(try object.value("date", as: Date.self) == Self.sample)
            #expect(try object.value("data", as: Data.self) == Data([0, 255]))
            #expect(try object.value("box", as: Box.self) == Box(width: 3, height: 4))
            #expect(try object.anyValue("url") as? URL == URL(string: "https://example.org/a?b=c#d"))
        }
    }

    @Test func marksItsFile() throws {
        let folder = try Folder()
        let store = try Store.people(in: folder)
        let uuid = store.uuid
        try store.close()
        let header = try shell(folder.file()) { database in
            (
                try Int.fetchOne(database, sql: "PRAGMA application_id"),
                try Int.fetchOne(database, sql: "PRAGMA user_version"),
                try String.fetchOne(database, sql: "SELECT uuid FROM _transformable_store"),
                try String.fetchAll(
                    database,
                    sql: "SELECT signature FROM _transformable_attribute WHERE signature IS NOT NULL ORDER BY id"
                )
            )
        }
        #expect(header.0 == 0x5466_6D53)
        #expect(header.1 == 1)
        #expect(header.2 == uuid.uuidString)
        #expect(header.3 == ["box/1 | text/1(encoding: utf-8)", "text/1(encoding: utf-8) | bound/1(key: 42)"])
        #expect(try Store(at: folder.file(), transformers: Transformers().registry()).uuid == uuid)
    }

    /// SQLite's number for NORMAL is 1, and for FULL it is 2.
    @Test(arguments: [(Store.Options(), Int64(1)), (Store.Options(synchronous: .full), Int64(2))])
    func commitsWaitForTheDiskIfTheOptionSaysSo(options: Store.Options, level: Int64) throws {
        let folder = try Folder()
        let registry = try Transformers().registry()
        let store = try Store(at: folder.file(), model: Self.kinds(), transformers: registry, options: options)
        let found = try store.engine.write { try $0.integer("PRAGMA synchronous") }
        #expect(found == level)
    }

    @Test func neverReusesANumber() throws {
        let folder = try Folder()
        let store = try Store.people(in: folder)
        let first = try store.addPerson("a")
        try store.write { context in try context.delete(context.object(first)) }
        try store.close()
        let second = try Store.people(in: folder).addPerson("b")
        #expect(second.number == 2)
    }

    // SQLite stores a REAL without a fraction as an integer, but a transformer preserves the bits.
    @Test func negativeZeroLosesItsSignOnlyInAPlainNumber() throws {
        let registry = try TransformerRegistry { Registration("bits", Bits()) }
        let model = try Model(entities: [
            EntityDescription("A", attributes: [.double("d"), .transformed("t", "bits", as: Double.self)])
        ])
        let folder = try Folder()
        let store = try Store(at: folder.file(), model: model, transformers: registry)
        try store.write { context in
            let object = try context.insert("A")
            try object.setValue(-0.0, for: "d")
            try object.setValue(-0.0, for: "t")
        }
        let signs = try store.read { context in
            let object = try #require(try context.first("A"))
            return try ["d", "t"].map { try object.value($0, as: Double.self).sign }
        }
        #expect(signs == [.plus, .minus])
    }

    private struct Bits: Transformer {
        var traits: TransformerTraits { .plain }

        func encode(_ value: Double, in context: TransformContext) -> Data {
            withUnsafeBytes(of: value.bitPattern.bigEndian) { Data($0) }
        }

        func decode(_ encoded: Data, in context: TransformContext) throws -> Double {
            guard encoded.count == 8 else { throw TransformerError.invalidData("a number has 8 bytes") }
            return Double(bitPattern: encoded.reduce(0) { $0 << 8 | UInt64($1) })
        }
    }

    @Test func rejectsNaNInAPlainNumber() throws {
        let store = try Store.inMemory(model: Self.kinds(), transformers: Transformers().registry())
        let error = #expect(throws: StoreError.self) {
            try store.write { context in
                let object = try context.insert("Kinds")
                try fill(object)
                try object.setValue(Double.nan, for: "d")
            }
        }
        #expect(error?.code == .invalidValue)
        #expect(error?.attribute == "d")
        #expect(try store.read { try $0.count("Kinds") } == 0)
    }

    @Test func invalidTextStaysUnchanged() throws {
        let folder = try Folder()
        try Store.people(in: folder).close()
        try shell(folder.file()) { database in
            try database.execute(sql: "INSERT INTO Person (name, age) VALUES (CAST(x'61FF00FE' AS TEXT), 1)")
        }
        let store = try Store.people(in: folder)
        let id = ObjectID(entity: "Person", number: 1)
        try store.write { context in
            let person = try context.object(id)
            #expect(throws: StoreError(code: .undecodable)) { try person.value("name", as: String.self) }
            #expect(try person.encodedBytes("name") == Data([0x61, 0xFF, 0x00, 0xFE]))
            try person.setValue(2, for: "age")
        }
        try store.close()
        let bytes = try shell(folder.file()) {
            try String.fetchOne($0, sql: "SELECT hex(name) || typeof(name) || age FROM Person")
        }
        #expect(bytes == "61FF00FEtext2")
    }
}
