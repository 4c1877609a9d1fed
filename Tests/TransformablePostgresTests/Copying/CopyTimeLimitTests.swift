import Foundation
import Testing
import Transformable
import TransformablePostgres
import TransformableSQLite
import TransformableStore
import _PostgresServer

/// Copies that take longer than the server lets statements and transactions take.
@Suite(.needsPostgres) struct CopyTimeLimitTests {
    private let place: ClinicCopy
    private var clinic: ClinicStore { place.clinic }

    init() throws {
        place = try ClinicCopy()
    }

    /// Returns the server's address for connections with a limit of a second.
    private func address(_ limit: String) throws -> PostgresAddress {
        try PostgresAddress("\(place.address().description) options='-c \(limit)=1000'")
    }

    @Test(arguments: ["statement_timeout", "idle_in_transaction_session_timeout"])
    func aCopyToAFileTakesAsLongAsItNeeds(limit: String) throws {
        defer { clinic.remove() }
        try clinic.fill()
        try place.copy()
        // Each copy of the rows waits.
        try place.run(
            """
            INSERT INTO @."Dog" ("_version") SELECT 1 FROM generate_series(1, 1000); ALTER TABLE @."Dog" RENAME TO dogs;
            CREATE VIEW @."Dog" AS SELECT dogs.* FROM @.dogs, pg_sleep(1.5)
            """
        )
        let report = try Store.copy(
            from: address(limit),
            schema: place.schema,
            to: clinic.file(),
            transformers: clinic.registry
        ) { _ in
            // The server has sent all rows by then, and waits for the next statement.
            usleep(1_500_000)
        }
        #expect(report.objectCount == 1007)
    }

    @Test func aCopyToADatabaseTakesAsLongAsItNeeds() throws {
        defer { clinic.remove() }
        try clinic.fill()
        let store = try Store(at: clinic.url, transformers: clinic.registry, options: .readOnly)
        defer { try? store.close() }
        var hasTrigger = false
        let report = try store.copy(to: address("statement_timeout"), schema: place.schema) { _ in
            guard !hasTrigger else { return }
            hasTrigger = true
            // The rows of visits are copied after the metadata.
            let body = "BEGIN PERFORM pg_sleep(1.5); RETURN NULL; END"
            try? place.run(
                """
                CREATE FUNCTION @.pause() RETURNS trigger LANGUAGE plpgsql AS '\(body)';
                CREATE TRIGGER pause BEFORE INSERT ON @."Visit" EXECUTE FUNCTION @.pause()
                """
            )
        }
        #expect(hasTrigger)
        #expect(report.objectCount == 7)
    }
}
