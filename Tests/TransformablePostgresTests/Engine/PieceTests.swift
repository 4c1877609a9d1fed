import Foundation
import StandardPlugin
import Testing
import Transformable
import TransformableModel
import TransformablePostgres
import TransformableSQLite
import TransformableStore
import _PostgresServer

/// The table with the pieces of external values.
@Suite(.needsPostgres) struct PieceTests {
    private static let value = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) })

    private let schema = "pieces-\(UUID().uuidString)"
    private let store: Store
    private let id: ObjectID

    init() throws {
        store = try Self.open(schema, Self.model())
        id = try Self.insert(into: store)
    }

    private static func model() throws -> Model {
        try Model(entities: [
            EntityDescription("Scan", attributes: [.data("bytes", .optional, .externalStorage(over: 1000))])
        ])
    }

    private static func insert(into store: Store) throws -> ObjectID {
        try store.write { context in
            let scan = try context.insert("Scan")
            try scan.setValue(value, for: "bytes")
            return scan.id
        }
    }

    private static func open(
        _ schema: String,
        _ model: Model? = nil,
        at address: String? = nil,
        options: Store.Options = .createIfMissing
    ) throws -> Store {
        let registry = try TransformerRegistry { StandardPlugin() }
        let address = try address ?? PostgresServer.shared.get().address.description
        return try Store(postgres: address, schema: schema, model: model, transformers: registry, options: options)
    }

    private func run(_ sql: String) throws {
        try PostgresServer.connect().run(script: "SET search_path TO \"\(schema)\"; \(sql)")
    }

    private func texts(_ sql: String) throws -> [String] {
        let connection = try PostgresServer.connect()
        try connection.run(script: "SET search_path TO \"\(schema)\"")
        return try connection.rows(PostgresStatement(sql)) { try $0.value(0, as: String.self) }
    }

    @Test func anySQLClientReadsTheValue() throws {
        defer { try? store.close() }
        let sql = """
            SELECT encode(sha256(string_agg("bytes", '' ORDER BY "index")), 'hex') FROM _transformable_chunk
            WHERE "blob" = (SELECT substr(encode("bytes", 'escape'), 6)::uuid FROM "Scan" WHERE "_id" = 1)
            """
        let python = "import hashlib;print(hashlib.sha256(bytes((i*31^i>>7)&255 for i in range(300000))).hexdigest())"
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-c", python]
        process.standardOutput = pipe
        try process.run()
        let expected = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).dropLast()
        #expect(try texts(sql) == [String(expected)])
        #expect(
            try texts("SELECT length(\"bytes\")::text FROM _transformable_chunk ORDER BY \"index\"") == [
                "262144", "37856",
            ]
        )
    }

    @Test(arguments: [
        "DELETE FROM \"Scan\"", "UPDATE \"Scan\" SET \"bytes\" = NULL", "UPDATE \"Scan\" SET \"bytes\" = '\\x01'",
    ])
    func changesBySQLDeletePieces(_ statement: String) throws {
        defer { try? store.close() }
        var opened: ValueStream?
        try store.read { opened = try $0.object(id).stream("bytes") }
        let stream = try #require(opened)
        try run("UPDATE \"Scan\" SET \"_version\" = 5")
        #expect(try texts("SELECT count(*)::text FROM _transformable_chunk") == ["2"])
        try run(statement)
        #expect(try texts("SELECT count(*)::text FROM _transformable_chunk") == ["0"])
        #expect(try texts("SELECT count(*)::text FROM _transformable_blob") == ["0"])
        var bytes = Data()
        while let piece = try stream.next() { bytes += piece }
        #expect(bytes == Self.value)
    }

    @Test func changesDeletePiecesWhateverTheSearchPath() throws {
        defer { try? store.close() }
        let hostile = "CREATE FUNCTION octet_length(bytea) RETURNS int LANGUAGE sql AS 'SELECT 0'"
        try run("\(hostile); SET search_path TO \"\(schema)\", pg_catalog; DELETE FROM \"Scan\"")
        #expect(try texts("SELECT count(*)::text FROM _transformable_blob") == ["0"])
    }

    @Test(arguments: ["pieces $blob$", "pieces 'a\"%I"]) func changesDeletePiecesWhateverTheSchemaIsNamed(
        schema: String
    ) throws {
        defer { try? store.close() }
        let other = try Self.open(schema, Self.model())
        defer { try? other.close() }
        let id = try Self.insert(into: other)
        try other.write { try $0.object(id).setValue(Data(Self.value.reversed()), for: "bytes") }
        let found = try other.verify()
        #expect(found.isSound && found.blobCount == 1)
    }

    @Test func aRenamedSchemaAndTheOneThatReplacesItAreApart() throws {
        try store.close()
        let clinic = try ClinicStore()
        defer { clinic.remove() }
        let file = clinic.file()
        let address = try PostgresServer.shared.get().address
        let registry = try TransformerRegistry { StandardPlugin() }
        try Store.copy(from: address, schema: schema, to: file, transformers: registry)
        try run("ALTER SCHEMA \"\(schema)\" RENAME TO \"\(schema)-old\"")
        let local = try Store(at: file, transformers: registry)
        try local.copy(to: address, schema: schema)
        try local.close()
        let old = try Self.open("\(schema)-old")
        defer { try? old.close() }
        _ = try old.write { try $0.delete("Scan", where: .all) }
        #expect(try old.verify().blobCount == 0)
        let new = try Self.open(schema)
        defer { try? new.close() }
        #expect(try new.read { try $0.object(id).value("bytes", as: Data.self) } == Self.value)
    }

    @Test func functionsOfEarlierVersionsAreReplaced() throws {
        try store.close()
        let function = """
            SELECT concat("prosrc", "proconfig") FROM pg_proc
            WHERE "proname" = '_blob.Scan.bytes' AND "pronamespace" = to_regnamespace(quote_ident(current_schema()))
            """
        let expected = try texts(function)
        #expect(expected.count == 1)
        try run(
            """
            CREATE OR REPLACE FUNCTION "_blob.Scan.bytes"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            DELETE FROM "\(schema)"."_transformable_blob" WHERE "object" = OLD."_id"; RETURN NULL; END $$
            """
        )
        let earlier = try texts(function)
        try Self.open(schema, options: .readOnly).close()
        #expect(try texts(function) == earlier)
        try Self.open(schema).close()
        #expect(try texts(function) == expected)
    }

    /// What somebody can do to the pieces, and the errors of reading the value.
    @Test(arguments: [
        ("DELETE FROM _transformable_chunk", "missing-blob"),
        ("DELETE FROM _transformable_chunk WHERE \"index\" = 0", "damaged-blob"),
        ("DELETE FROM _transformable_chunk WHERE \"index\" = 1", "damaged-blob"),
        ("UPDATE _transformable_chunk SET \"bytes\" = \"bytes\" || '\\x00'", "damaged-blob"),
        ("UPDATE _transformable_chunk SET \"bytes\" = set_byte(\"bytes\", 9, 255)", "damaged-blob"),
        ("DELETE FROM _transformable_blob", "missing-blob"),
        ("UPDATE _transformable_blob SET \"object\" = 9", "missing-blob"),
        ("UPDATE _transformable_blob SET \"length\" = 9223372036854775807", "damaged-blob"),
    ])
    func damageIsReported(_ statement: String, _ code: String) throws {
        defer { try? store.close() }
        try run(statement)
        let error = #expect(throws: StoreError.self) {
            _ = try store.read { try $0.object(id).value("bytes", as: Data.self) }
        }
        #expect(error?.code.rawValue == code)
        #expect(error?.object == id && error?.attribute == "bytes")
        // The pieces are read from a temporary file, which has nothing to do with it.
        #expect(error.map { "\($0)".contains("/proc/") } == false, "\(error as Any)")
        #expect(try !store.verify().isSound)
    }

    @Test func copiesOfFilesAreOpened() throws {
        try store.close()
        let clinic = try ClinicStore()
        defer { clinic.remove() }
        let file = clinic.file()
        let address = try PostgresServer.shared.get().address
        let registry = try TransformerRegistry { StandardPlugin() }
        try Store.copy(from: address, schema: schema, to: file, transformers: registry)
        let local = try Store(at: file, transformers: registry)
        #expect(try local.read { try $0.object(id).value("bytes", as: Data.self) } == Self.value)
        let other = "\(schema)-copy"
        try local.copy(to: address, schema: other)
        try local.close()
        let copy = try Self.open(other)
        defer { try? copy.close() }
        #expect(try copy.read { try $0.object(id).value("bytes", as: Data.self) } == Self.value)
        try copy.write { try $0.object(id).setValue(Data(Self.value.reversed()), for: "bytes") }
        let found = try copy.verify()
        #expect(found.isSound && found.blobCount == 1)
    }

    /// Nobody can create files in `/sys`.
    @Test func missingTemporaryFilesAreNoFaultOfTheValues() async throws {
        defer { try? store.close() }
        let address = try PostgresServer.shared.get().address.description
        await #expect(processExitsWith: .success) { [address = address as String, schema = schema as String] in
            let export = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            let store = try Self.open(schema, at: address)
            setenv("TMPDIR", "/sys", 1)
            do {
                _ = try store.verify()
                exit(3)
            } catch let error as StoreError {
                guard error.code == .cannotCreate, error.message.contains("“/sys/transformable-") else { exit(4) }
            }
            do {
                try store.export(to: export)
                exit(5)
            } catch let error as StoreError {
                guard error.code == .cannotCreate, error.message.contains("“/sys/transformable-") else { exit(6) }
            }
        }
    }

    /// The greatest amount of memory that the process has used, in KB.
    private static func peak() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        return try #require(status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.output.1) })
    }

    /// Writes 100 MB in pieces, reads them, and returns how much memory that took, in KB.
    private static func growth(_ address: String, _ schema: String) throws -> Int {
        let registry = try TransformerRegistry { StandardPlugin() }
        let store = try Store(postgres: address, schema: schema, transformers: registry)
        _ = try store.read { try $0.fetch("Scan").map { try $0.value("bytes", as: Data.self) } }
        let before = try peak()
        let piece = Data(repeating: 7, count: 1 << 20)
        var count = 0
        let id = try store.write { context in
            let scan = try context.insert("Scan")
            try scan.setStream(for: "bytes") {
                count += 1
                return count > 100 ? nil : piece
            }
            return scan.id
        }
        var length = 0
        try store.read { context in
            let stream = try context.object(id).stream("bytes")
            while let piece = try stream?.next() { length += piece.count }
        }
        try store.close()
        try #require(length == 100 << 20)
        return try peak() - before
    }

    @Test func aLargeValueTakesLittleMemory() async throws {
        defer { try? store.close() }
        let address = try PostgresServer.shared.get().address.description
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            [address = address as String, schema = schema as String] in
            print("grew by \(try Self.growth(address, schema)).")
        }
        let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        let growth = try #require(output.firstMatch(of: /grew by (\d+)\./).flatMap { Int($0.output.1) })
        #expect(growth < 30_000, "\(growth) KB")
    }
}
