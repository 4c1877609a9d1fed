import Foundation
import Testing
import TransformableModel
import TransformableStore
import _PostgresServer

@testable import TransformablePostgres  // For the name of the schema in SQL.

@Suite(.needsPostgres) struct StoreCreationTests {
    /// Creates a database in which the server ends every connection that creates an index.
    private static func hostileDatabase() throws -> PostgresAddress {
        let server = try PostgresServer.shared.get()
        let name = "creation_\(UUID().uuidString.replacing("-", with: "").lowercased())"
        try PostgresServer.connect().run(script: "CREATE DATABASE \(name)")
        let address = try PostgresAddress("postgres:host=\(server.folder.path) port=5432 user=tester dbname=\(name)")
        try PostgresConnection(address)
            .run(
                script: """
                    CREATE FUNCTION crash() RETURNS event_trigger LANGUAGE plpgsql AS
                    $$BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); END$$;
                    CREATE EVENT TRIGGER crash ON ddl_command_end WHEN TAG IN ('CREATE INDEX') EXECUTE FUNCTION crash()
                    """
            )
        return address
    }

    @Test func aCrashWhileAStoreIsCreatedLeavesNothing() throws {
        let address = try Self.hostileDatabase()
        let error = try #require(throws: StoreError.self) { _ = try EngineStore(at: address) }
        #expect(error.code == .connectionLost)
        let connection = try PostgresConnection(address)
        let schemas = PostgresStatement("SELECT 1 FROM pg_namespace WHERE nspname LIKE 'engine-%'")
        #expect(try connection.execute(schemas) == 0)
        try connection.run(script: "DROP EVENT TRIGGER crash")
        let store = try EngineStore(at: address).open()
        try store.write { try $0.insert("Tag").setValue("a", for: "label") }
        #expect(try store.read { try $0.count("Tag") } == 1)
    }

    @Test func severalProgramsCreateAStoreOnce() throws {
        let place = try EngineStore(at: PostgresServer.shared.get().address, schema: "engine-\(UUID().uuidString)")
        let address = place.address.description
        DispatchQueue.concurrentPerform(iterations: 3) { _ in
            #expect(throws: Never.self) {
                let store = try Store(
                    postgres: address,
                    schema: place.schema,
                    model: EngineStore.model(),
                    transformers: place.registry
                )
                try store.write { _ = try $0.insert("Item") }
            }
        }
        #expect(try place.open().read { try $0.count("Item") } == 3)
    }
}
