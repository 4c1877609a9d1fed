import Foundation
import Testing
import Transformable
import TransformableModel
import TransformablePostgres
import TransformableStore
import _PostgresServer

/// Stores do not depend on settings of roles and databases.
@Suite(.needsPostgres) struct ServerSettingTests {
    // MARK: - The search path

    /// A database in which others have created functions and an operator that could take the place of PostgreSQL's.
    ///
    /// Each of them fails, and is found first by the search path that all roles have.
    private static let database = Result { try planted() }

    private static let functions = [
        "hashtextextended(text, integer) RETURNS bigint", "setval(text, integer, boolean) RETURNS bigint",
        "pg_sequence_last_value(oid) RETURNS bigint", "current_setting(text) RETURNS text",
        "pg_backend_pid() RETURNS integer", "to_regclass(text) RETURNS regclass",
        "pg_notify(text, text) RETURNS void", "set_config(text, text, boolean) RETURNS text",
        "num_nonnulls(bigint, bigint) RETURNS integer", "planted(name, text) RETURNS boolean",
    ]

    /// Creates the database, and returns its address.
    private static func planted() throws -> PostgresAddress {
        let name = "planted\(UInt32.random(in: 0...UInt32.max))"
        try PostgresServer.connect().run(script: "CREATE DATABASE \(name) TEMPLATE template0")
        let folder = try PostgresServer.shared.get().folder.path
        let address = try PostgresAddress("postgres:host=\(folder) port=5432 user=tester dbname=\(name)")
        let body = "LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'planted'; END $$"
        let script =
            functions.map { "CREATE FUNCTION public.\($0) \(body)" } + [
                "CREATE OPERATOR public.= (LEFTARG = name, RIGHTARG = text, FUNCTION = public.planted)",
                "ALTER DATABASE \(name) SET search_path TO public, pg_catalog",
            ]
        try PostgresConnection(address).run(script: script.joined(separator: ";\n"))
        return address
    }

    @Test func aStoreIsCreatedAndUsedWithoutTheFunctionsOfOthers() throws {
        var options = PostgresOptions()
        options.detectsTransactionPooling = true
        let place = try EngineStore(at: Self.database.get(), options: options)
        let store = try place.open(options: options)
        try store.insert(many: 0..<100, into: "Item") { item, number in
            try item.setValue("Item \(number)", for: "name")
        }
        #expect(try store.read { try $0.count("Item", where: Field("name") == "Item 7") } == 1)
        #expect(try store.verify().isSound)
    }

    /// The copy to the schema continues one that has failed.
    @Test func aStoreIsCopiedInBothDirectionsWithoutTheFunctionsOfOthers() throws {
        let address = try Self.database.get()
        let schema = "clinic-\(UUID().uuidString)"
        let clinic = try ClinicStore()
        defer { clinic.remove() }
        try clinic.fill()
        let store = try clinic.open()
        defer { try? store.close() }
        let other = try PostgresConnection(address)
        let version = "UPDATE \"\(schema)\".\"Patient\" SET \"_version\" = \"_version\""
        #expect(throws: StoreError(.storeChanged, "")) {
            try store.copy(to: address, schema: schema) { _ in
                try? other.run(script: "\(version) + 1000 WHERE \"_version\" < 1000")
            }
        }
        try other.run(script: "\(version) - 1000")
        #expect(try store.copy(to: address, schema: schema).isContinuation)
        let file = clinic.file()
        let report = try Store.copy(from: address, schema: schema, to: file, transformers: clinic.registry)
        #expect(report.objectCount == 7)
    }

    @Test(.timeLimit(.minutes(1))) func changesAreHeardWithoutTheFunctionsOfOthers() async throws {
        let place = try EngineStore(at: Self.database.get())
        let (store, other) = (try place.open(), try place.open())
        var changes = try store.changes().makeAsyncIterator()
        try await other.write { _ = try $0.insert("Item") }
        #expect(await changes.next() != nil)
    }

    // MARK: - Quoted names

    /// Triggers depend on the column of external values, whose type must not be changed.
    @Test func whatWasSetAsideIsDiscardedIfTheServerQuotesAllNames() throws {
        let address = try PostgresServer.shared.get().address.description + " options='-c quote_all_identifiers=on'"
        let schema = "quoted-\(UUID().uuidString)"
        func open(version: Int, _ attributes: [AttributeDescription]) throws -> Store {
            let model = try Model(version: version, entities: [EntityDescription("Patient", attributes: attributes)])
            return try Store(postgres: address, schema: schema, model: model, transformers: TransformerRegistry {})
        }
        let photo = AttributeDescription.data("photo", .optional, .externalStorage(over: 1000))
        try open(version: 1, [photo, .string("note", .optional)]).close()
        let store = try open(version: 2, [photo])
        defer { try? store.close() }
        #expect(try store.namesSetAside() == ["Patient.note"])
        try store.discardSetAside()
        #expect(try store.namesSetAside() == [])
    }
}
