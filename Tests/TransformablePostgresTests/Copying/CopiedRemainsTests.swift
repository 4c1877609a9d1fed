import Foundation
import GRDB
import Testing
import Transformable
import TransformableModel
import TransformablePostgres
import TransformableSQLite
import TransformableStore
import _PostgresServer

/// Copies of what migrations and interrupted re-encodings leave in a store.
@Suite(.needsPostgres) struct CopiedRemainsTests {
    private let clinic: ClinicStore
    private let schema = "remains-\(UUID().uuidString.prefix(8))"

    init() throws {
        clinic = try ClinicStore()
    }

    private func address() throws -> PostgresAddress { try PostgresServer.boundAddress.get() }

    private func count(_ table: String) throws -> Int {
        try PostgresServer.connect().execute(PostgresStatement("SELECT FROM \"\(schema)\".\"\(table)\""))
    }

    private func back(to url: URL) throws {
        try Store.copy(from: address(), schema: schema, to: url, transformers: clinic.registry)
    }

    // MARK: - Migrations

    private static let bytes = Data(repeating: 7, count: 5000)

    /// The second version has neither the photos, nor the tags of patients, nor scans, whose rows are authenticated.
    private static func model(version: Int, _ hasTenants: Bool) throws -> Model {
        var patient = EntityDescription("Patient", attributes: [.string("name")])
        var tag = EntityDescription("Tag", attributes: [.string("name")])
        guard version == 1 else { return try Model(version: 2, hasTenants: hasTenants, entities: [patient, tag]) }
        patient.attributes.append(.data("photo", .optional, .externalStorage(over: 1000)))
        patient.relationships = [.toMany("tags", "Tag", ordered: true, inverse: "patients")]
        tag.relationships = [.toMany("patients", "Patient", ordered: true, inverse: "tags")]
        let scan = EntityDescription(
            "Scan",
            attributes: [.data("bytes", .externalStorage(over: 1000)), .data("note", .optional)],
            authenticatesRows: true
        )
        return try Model(version: 1, hasTenants: hasTenants, entities: [patient, tag, scan])
    }

    /// Runs a closure for each tenant, or once.
    private func write(_ store: Store, _ body: (StoreContext) throws -> Void) throws {
        guard store.model.hasTenants else { return try store.write(body) }
        for tenant in [1, 2] as [Int64] { try store.write(tenant: tenant, body) }
    }

    private func fill(_ store: Store) throws {
        try write(store) { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            try patient.setValue(Self.bytes, for: "photo")
            let tag = try context.insert("Tag")
            try tag.setValue("urgent", for: "name")
            try patient.setObjects([tag], for: "tags")
            let scan = try context.insert("Scan")
            try scan.setValue(Self.bytes, for: "bytes")
            // By itself, it looks like the name of an external value.
            try scan.setValue(Data("blob:\(UUID())".utf8), for: "note")
        }
        try store.close()
    }

    private func onServer(version: Int, _ hasTenants: Bool) throws -> Store {
        try Store(
            postgres: address().description,
            schema: schema,
            model: Self.model(version: version, hasTenants),
            transformers: clinic.registry
        )
    }

    private func inFile(version: Int, _ hasTenants: Bool) throws -> Store {
        try Store(
            at: clinic.url,
            model: Self.model(version: version, hasTenants),
            transformers: clinic.registry
        )
    }

    /// The kinds of the cells of columns in a file, as an independent reader sees them.
    private static func kinds(_ columns: [String], _ table: String, _ url: URL) throws -> [String] {
        let queue = try DatabaseQueue(path: url.path)
        defer { try? queue.close() }
        let kinds = columns.map { "typeof(\"\($0)\")" }.joined(separator: " || ' ' || ")
        return try queue.read { try String.fetchAll($0, sql: "SELECT DISTINCT \(kinds) FROM \"\(table)\"") }
    }

    @Test(arguments: [false, true]) func whatAFileHasSetAsideComesBack(hasTenants: Bool) throws {
        defer { clinic.remove() }
        try fill(inFile(version: 1, hasTenants))
        let store = try inFile(version: 2, hasTenants)
        try store.copy(to: address(), schema: schema)
        try store.close()
        let url = clinic.file()
        try back(to: url)
        #expect(try ClinicStore.dump(url) == ClinicStore.dump(clinic.url))
    }

    @Test func setAsideValuesKeepTheirTenants() throws {
        defer { clinic.remove() }
        try fill(inFile(version: 1, true))
        let store = try inFile(version: 2, true)
        try store.copy(to: address(), schema: schema)
        try store.close()
        let sql = "SELECT \"_tenant\"::text FROM \"\(schema)\".\"_transformable_blob\" ORDER BY 1"
        let tenants = try PostgresServer.connect().rows(PostgresStatement(sql)) { try $0.value(0, as: String.self) }
        // Each has a photo and a scan.
        #expect(tenants == ["1", "1", "2", "2"])
    }

    @Test(arguments: [false, true]) func whatAServerHasSetAsideIsCopiedToAFile(hasTenants: Bool) throws {
        defer { clinic.remove() }
        try fill(onServer(version: 1, hasTenants))
        try onServer(version: 2, hasTenants).close()
        try back(to: clinic.url)
        let scans = ["_id", "_version", "bytes", "note", "_mac"] + (hasTenants ? ["_tenant"] : [])
        #expect(
            try Self.kinds(scans, "_dropped.Scan.1", clinic.url)
                == ["integer integer text blob blob" + (hasTenants ? " integer" : "")]
        )
        let pairs = ["first", "second"] + (hasTenants ? ["_tenant"] : [])
        #expect(
            try Self.kinds(pairs, "_dropped._pairs.Patient.tags.1", clinic.url)
                == ["integer integer" + (hasTenants ? " integer" : "")]
        )
        let store = try inFile(version: 2, hasTenants)
        #expect(try store.verify().isSound)
        let again = "\(schema)-again"
        try store.copy(to: address(), schema: again)
        try store.close()
        let url = clinic.file()
        try Store.copy(from: address(), schema: again, to: url, transformers: clinic.registry)
        #expect(try ClinicStore.dump(url) == ClinicStore.dump(clinic.url))
    }

    // Earlier versions kept the types of all columns.
    @Test(arguments: [[], ["first_order", "second_order"]] as [[String]])
    func pairsThatAServerHasSetAsideAreCopiedToAFile(unconverted: [String]) throws {
        defer { clinic.remove() }
        try fill(onServer(version: 1, true))
        let pairs = "_pairs.Patient.tags"
        let cells = ["first", "second", "first_order", "second_order", "_tenant"]
            .map { "coalesce(CAST(\"\($0)\" AS text), '')" }.joined(separator: " || ' ' || ")
        let connection = try PostgresServer.connect()
        let sql = "SELECT \(cells) FROM \"\(schema)\".\"\(pairs)\" ORDER BY 1"
        let rows = try connection.rows(PostgresStatement(sql)) { try $0.value(0, as: String.self) }
        #expect(rows.count == 2)
        try onServer(version: 2, true).close()
        for column in unconverted {
            let number = "('x' || encode(substr(\"\(column)\", 2), 'hex'))::bit(64)::bigint"
            let change = "ALTER COLUMN \"\(column)\" TYPE bigint USING \(number)"
            try connection.run(script: "ALTER TABLE \"\(schema)\".\"_dropped.\(pairs).1\" \(change)")
        }
        try back(to: clinic.url)
        let queue = try DatabaseQueue(path: clinic.url.path)
        defer { try? queue.close() }
        let found = try queue.read { database in
            try String.fetchAll(database, sql: "SELECT \(cells) FROM \"_dropped.\(pairs).1\" ORDER BY 1")
        }
        #expect(found == rows)
    }

    /// Earlier versions gave them those types if another entity had been dropped under the same name.
    @Test func numbersThatAServerHasSetAsideWithOtherTypesAreCopiedToAFile() throws {
        defer { clinic.remove() }
        func open(_ version: Int, _ entities: [EntityDescription]) throws -> Store {
            let model = try Model(version: version, entities: entities)
            let place = try address().description
            return try Store(postgres: place, schema: schema, model: model, transformers: clinic.registry)
        }
        let bill = EntityDescription("Bill", attributes: [.decimal("price"), .int64("count")])
        let other = EntityDescription("Other")
        let store = try open(1, [bill, other])
        let price = try #require(Decimal(string: "2"))
        try store.write { context in
            let object = try context.insert("Bill")
            try object.setValue(price, for: "price")
            try object.setValue(Int64(1), for: "count")
        }
        try store.close()
        try open(2, [other]).close()
        let changes = "ALTER \"price\" TYPE bigint, ALTER \"count\" TYPE boolean USING \"count\" <> 0"
        try PostgresServer.connect().run(script: "ALTER TABLE \"\(schema)\".\"_dropped.Bill.1\" \(changes)")
        try back(to: clinic.url)
        let queue = try DatabaseQueue(path: clinic.url.path)
        defer { try? queue.close() }
        let found = try queue.read { database in
            try String.fetchAll(database, sql: "SELECT \"price\" || ' ' || \"count\" FROM \"_dropped.Bill.1\"")
        }
        #expect(found == ["2 1"])
    }

    @Test func theValuesOfADroppedAttributeEndWithTheirObjects() throws {
        defer { clinic.remove() }
        try fill(onServer(version: 1, false))
        let store = try onServer(version: 2, false)
        defer { try? store.close() }
        #expect(try count("_transformable_chunk") == 2)
        try store.write { _ = try $0.delete("Patient", where: .all) }
        // The scan's value is set aside along with it.
        #expect(try count("_transformable_chunk") == 1)
    }

    // MARK: - Re-encodings

    private struct Interruption: Error {}

    private static func notes() throws -> Model {
        try Model(entities: [
            EntityDescription("Note", attributes: [.transformed("text", "sealed", as: String.self, .optional)])
        ])
    }

    /// SQLite cannot add `NOT NULL` to a column, so triggers take its place in the file.
    @Test func aReencodedAttributeStillNeedsAValue() throws {
        defer { clinic.remove() }
        let note = EntityDescription("Note", attributes: [.string("text"), .string("title", .optional)])
        let file = try Store(at: clinic.url, model: Model(entities: [note]), transformers: clinic.registry)
        try file.write { try $0.insert("Note").setValue("old", for: "text") }
        try file.reencode(Reencoding("text", of: "Note", to: .transformer("text | sealed")))
        try file.close()
        let title = try Store(at: clinic.url, transformers: clinic.registry)
        try title.reencode(Reencoding("title", of: "Note", to: .transformer("text | sealed")))
        try title.close()
        let store = try Store(at: clinic.url, transformers: clinic.registry, options: .readOnly)
        try store.copy(to: address(), schema: schema)
        try store.close()
        let sql = """
            SELECT column_name || ' ' || is_nullable FROM information_schema.columns
            WHERE table_schema = '\(schema)' AND table_name = 'Note' ORDER BY ordinal_position
            """
        // The role that owns the tables sees their columns.
        let owner = try PostgresConnection(address())
        let columns = try owner.rows(PostgresStatement(sql)) { try $0.value(0, as: String.self) }
        #expect(columns.sorted() == ["_id NO", "_version NO", "text NO", "title YES"])
        let url = clinic.file()
        try back(to: url)
        #expect(try ClinicStore.dump(url) == ClinicStore.dump(clinic.url))
    }

    /// Nothing in the copy empties the new cells that were computed before, because triggers of SQLite do that in the file.
    @Test func aReencodingThatACopyFinishesLosesNoWrites() throws {
        defer { clinic.remove() }
        let reencoding = Reencoding("text", of: "Note", to: .plain)
        let file = try Store(at: clinic.url, model: Self.notes(), transformers: clinic.registry)
        try file.write { context in
            for number in 0..<900 { try context.insert("Note").setValue("old \(number)", for: "text") }
        }
        #expect(throws: Interruption.self) { try file.reencode(reencoding) { _ in throw Interruption() } }
        try file.copy(to: address(), schema: schema)
        try file.close()
        let place = try address().description
        let store = try Store(postgres: place, schema: schema, model: Self.notes(), transformers: clinic.registry)
        try store.write { context in
            try context.object(ObjectID(entity: "Note", number: 1)).setValue("new", for: "text")
        }
        try store.reencode(reencoding)
        try store.close()
        let plain = try Store(postgres: place, schema: schema, transformers: clinic.registry)
        defer { try? plain.close() }
        let texts = try plain.read { try $0.fetch("Note").map { try $0.value("text", as: String.self) } }
        #expect(texts == ["new"] + (1..<900).map { "old \($0)" })
    }
}
