import Foundation
import Testing
import Transformable
import TransformableModel
import TransformablePostgres
import TransformableSQLite
import TransformableStore
import _PostgresServer

/// Indexes for which a server lacks memory, in a database of their own.
///
/// The server may have the memory for them the next time, so they are not left out.
@Suite(.needsPostgres) struct IndexMemoryTests {
    private let address: PostgresAddress
    private let registry: TransformerRegistry

    init() throws {
        let name = "indexes\(UInt32.random(in: 0...UInt32.max))"
        try PostgresServer.connect().run(script: "CREATE DATABASE \(name) TEMPLATE template0")
        let folder = try PostgresServer.shared.get().folder.path
        address = try PostgresAddress("postgres:host=\(folder) port=5432 user=tester dbname=\(name)")
        registry = try TransformerRegistry {}
        try run(
            """
            CREATE FUNCTION public.refuse() RETURNS event_trigger LANGUAGE plpgsql
            AS $$ BEGIN RAISE EXCEPTION 'memory' USING ERRCODE = '53200'; END $$
            """
        )
    }

    private func run(_ script: String) throws {
        try PostgresConnection(address).run(script: script)
    }

    /// Runs a closure while the server creates no index.
    private func withoutMemory(_ body: () throws -> Void) throws {
        let event = "ddl_command_start WHEN TAG IN ('CREATE INDEX')"
        try run("CREATE EVENT TRIGGER refuse ON \(event) EXECUTE FUNCTION public.refuse()")
        try body()
        try run("DROP EVENT TRIGGER refuse")
    }

    private func model(version: Int, isIndexed: Bool) throws -> Model {
        var text = AttributeDescription.string("text", .optional)
        text.isIndexed = isIndexed
        return try Model(version: version, entities: [EntityDescription("Note", attributes: [text])])
    }

    private func open(version: Int, isIndexed: Bool) throws -> Store {
        try Store(
            postgres: address.description,
            schema: "notes",
            model: model(version: version, isIndexed: isIndexed),
            transformers: registry
        )
    }

    private func indexCount() throws -> Int {
        let sql = "SELECT FROM pg_indexes WHERE schemaname = 'notes' AND indexname = '_index.Note.text'"
        return try PostgresConnection(address).execute(PostgresStatement(sql))
    }

    @Test func aCopyIsNotCompletedWithoutThem() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "notes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try Store(
            at: folder.appending(path: "notes.sqlite"),
            model: model(version: 1, isIndexed: true),
            transformers: registry
        )
        defer { try? store.close() }
        try withoutMemory {
            let error = #expect(throws: StoreError.self) { try store.copy(to: address, schema: "notes") }
            #expect(error?.code == .limitExceeded)
        }
        let report = try store.copy(to: address, schema: "notes")
        #expect(report.isContinuation)
        #expect(report.omittedIndexes == [])
        #expect(try indexCount() == 1)
    }

    @Test func aMigrationIsNotCommittedWithoutThem() throws {
        try open(version: 1, isIndexed: false).close()
        try withoutMemory {
            let error = #expect(throws: StoreError.self) { try open(version: 2, isIndexed: true) }
            #expect(error?.code == .limitExceeded)
        }
        try open(version: 2, isIndexed: true).close()
        #expect(try indexCount() == 1)
    }
}
