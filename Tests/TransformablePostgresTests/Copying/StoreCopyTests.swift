import Foundation
import Synchronization
import Testing
import Transformable
import TransformableModel
import TransformablePostgres
import TransformableSQLite
import TransformableStore
import _PostgresServer

@Suite(.needsPostgres) struct StoreCopyTests {
    private let place: ClinicCopy
    private var clinic: ClinicStore { place.clinic }

    init() throws {
        place = try ClinicCopy()
    }

    // MARK: - There and back

    @Test func everyCellComesBackAsItWas() throws {
        defer { clinic.remove() }
        try clinic.fill()
        let report = try place.copy()
        #expect(report.objectCount == 7)
        #expect(report.blobCount == 2)
        #expect(report.faults == [])
        #expect(!report.isContinuation)
        let url = clinic.file()
        #expect(try place.back(to: url).objectCount == 7)
        #expect(try ClinicStore.dump(url) == ClinicStore.dump(clinic.url))
    }

    @Test func sealedValuesAndTheSealOpenOnTheWayBack() throws {
        defer { clinic.remove() }
        try clinic.fill()
        try place.copy()
        let url = clinic.file()
        try place.back(to: url)
        let store = try clinic.open(url)
        #expect(store.isAuthenticated)
        #expect(try store.verify().isSound)
        let original = try Store(at: clinic.url, transformers: clinic.registry, options: .readOnly)
        #expect(store.uuid == original.uuid)
        let (ssn, scan, photo) = try store.read { context in
            let patient = try #require(try context.fetch("Patient", where: Condition("ssn == \"078-05-1120\"")).first)
            return try (
                patient.value("ssn", as: String.self), patient.value("scan", as: Data.self),
                patient.value("photo", as: Data.self)
            )
        }
        #expect(ssn == "078-05-1120")
        #expect(scan == ClinicStore.large)
        #expect(photo == ClinicStore.large)
        // The number of a deleted object is never used again.
        let dog = try store.write { try $0.insert("Dog").id }
        #expect(dog.number > 1)
        try store.close()
        try original.close()
    }

    @Test func anEmptyStoreComesBack() throws {
        defer { clinic.remove() }
        try clinic.open().close()
        #expect(try place.copy().objectCount == 0)
        let url = clinic.file()
        try place.back(to: url)
        #expect(try ClinicStore.dump(url) == ClinicStore.dump(clinic.url))
    }

    /// A role that may create tables in a schema need not be able to create schemas.
    @Test func anEmptySchemaIsUsed() throws {
        defer { clinic.remove() }
        try clinic.fill()
        let role = "role-\(UUID().uuidString)"
        try place.run("CREATE ROLE \"\(role)\" LOGIN; CREATE SCHEMA @ AUTHORIZATION \"\(role)\"")
        let folder = try PostgresServer.shared.get().folder.path
        let address = try PostgresAddress("postgres:host=\(folder) dbname=postgres user=\(role)")
        let store = try Store(at: clinic.url, transformers: clinic.registry, options: .readOnly)
        #expect(try store.copy(to: address, schema: place.schema).objectCount == 7)
        #expect(throws: StoreError(.accessDenied, "")) { try store.copy(to: address, schema: "other-\(place.schema)") }
        try store.close()
    }

    // MARK: - Columns

    @Test func columnsHaveTheTypesOfTheirAttributes() throws {
        defer { clinic.remove() }
        try clinic.fill()
        try place.copy()
        let types = try place.text(
            """
            SELECT column_name || ' ' || data_type || coalesce(' ' || collation_name, '') || ' ' || is_nullable
            FROM information_schema.columns WHERE table_schema = '\(place.schema)' AND table_name = 'Patient'
            ORDER BY ordinal_position
            """
        )
        #expect(
            types == [
                "_id bigint NO", "_version bigint NO", "a smallint YES", "b smallint YES", "c integer YES",
                "d bigint YES", "e smallint YES", "f integer YES", "g bigint YES", "h bigint YES",
                "weight double precision YES", "height double precision YES", "fee numeric YES",
                "isActive boolean YES", "name text C NO", "born double precision YES", "photo bytea YES",
                "card uuid YES", "page text C YES", "xmin~ bytea YES", "ssn bytea YES",
                "scan bytea YES", "pet.Dog bigint YES", "pet.Cat bigint YES",
                "ssn_index bigint YES", "_mac bytea YES",
            ]
        )
    }

    @Test func anySQLClientReadsTheValues() throws {
        defer { clinic.remove() }
        try clinic.fill()
        try place.copy()
        let row = try place.text(
            """
            SELECT concat_ws(' ', "a", "d", "h", "weight", "fee", "isActive", "card", "page", encode("xmin~", 'hex'))
            FROM @."Patient" WHERE "_id" = 1
            """
        )
        #expect(
            row == [
                """
                -128 -9223372036854775808 9223372036854775807 Infinity -12345678901234567890.0123456789 t \
                e621e1f8-c36c-495a-93fc-0c247a3e6e5f https://example.org/0?q=%C3%A4 0001ff
                """
            ]
        )
        let born = try place.text(
            "SELECT (timestamp '2001-01-01' + \"born\" * interval '1 second')::text FROM @.\"Patient\" LIMIT 1"
        )
        #expect(born == ["2001-01-01 00:00:00.1"])
        let pieces = try place.text(
            """
            SELECT sum(length("bytes"))::text FROM @."Patient" JOIN @._transformable_chunk
            ON "blob" = substr(encode("photo", 'escape'), 6)::uuid WHERE "_id" = 1
            """
        )
        #expect(pieces == ["700000"])
    }

    @Test func theServerEnforcesReferencesAndUniqueness() throws {
        defer { clinic.remove() }
        try clinic.fill()
        try place.copy()
        #expect(throws: StoreError(.danglingReference, "")) { try place.run("DELETE FROM @.\"Cat\"") }
        #expect(throws: StoreError(.notUnique, "")) {
            try place.run("UPDATE @.\"Patient\" SET \"card\" = (SELECT \"card\" FROM @.\"Patient\" LIMIT 1)")
        }
        #expect(throws: StoreError(.invalidValue, "")) {
            try place.run("UPDATE @.\"Patient\" SET \"pet.Dog\" = 1, \"pet.Cat\" = 1")
        }
        // A new row gets a number that no object has had.
        try place.run("INSERT INTO @.\"Dog\" (\"_version\") VALUES (1)")
        #expect(try place.text("SELECT min(\"_id\")::text FROM @.\"Dog\"") != ["1"])
    }

    // MARK: - Interruptions

    @Test func aCopyThatIsInterruptedContinues() throws {
        defer { clinic.remove() }
        try clinic.fill(count: 20)
        var attempts = 0
        while attempts < 40 {
            attempts += 1
            do {
                let report = try copyUntilInterrupted()
                #expect(report.isContinuation)
                #expect(report.objectCount == 41)
                break
            } catch let error as StoreError where [.connectionLost, .outcomeUnknown].contains(error.code) {
                #expect(throws: StoreError(.busy, "")) { try place.back(to: clinic.file()) }
            }
        }
        #expect(attempts > 5 && attempts < 40)
        let url = clinic.file()
        try place.back(to: url)
        #expect(try ClinicStore.dump(url) == ClinicStore.dump(clinic.url))
    }

    /// Copies one part, after which the server ends the connection, unless there are no more parts.
    @discardableResult
    private func copyUntilInterrupted() throws -> PostgresCopyReport {
        let parts = Mutex(0)
        return try place.copy { _ in
            let part = parts.withLock { parts in
                parts += 1
                return parts
            }
            if part == 1 { try? endOtherConnections() }
        }
    }

    /// Ends the connections that copy to the schema.
    private func endOtherConnections() throws {
        let sessions = "pg_stat_activity WHERE application_name = '\(place.schema)'"
        try place.run("SELECT pg_terminate_backend(pid) FROM \(sessions)")
    }

    @Test func aChangeBetweenTwoPartsIsAnError() throws {
        defer { clinic.remove() }
        try clinic.fill()
        let error = #expect(throws: StoreError.self) { try copyUntilInterrupted() }
        #expect([.connectionLost, .outcomeUnknown].contains(error?.code))
        try clinic.shell("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'Visit'")
        #expect(throws: StoreError(.storeChanged, "")) { try place.copy() }
    }

    @Test func aCopyThatAnotherOneHasFinishedIsNotDamaged() throws {
        defer { clinic.remove() }
        try clinic.fill()
        var other: PostgresCopyReport?
        let error = #expect(throws: StoreError(.busy, "")) {
            try place.copy { _ in if other == nil { other = try? place.copy() } }
        }
        #expect(error?.message.contains("another program is copying") == true, "\(error as Any)")
        #expect(other?.isContinuation == true)
        let url = clinic.file()
        try place.back(to: url)
        #expect(try ClinicStore.dump(url) == ClinicStore.dump(clinic.url))
    }

    @Test func nothingIsReplaced() throws {
        defer { clinic.remove() }
        try clinic.fill()
        try place.copy()
        #expect(throws: StoreError(.fileExists, "")) { try place.copy() }
        #expect(throws: StoreError(.fileExists, "")) { try place.back(to: clinic.url) }
        try place.run("DROP SCHEMA @ CASCADE; CREATE SCHEMA @; CREATE TABLE @.other (id int)")
        #expect(throws: StoreError(.fileExists, "")) { try place.copy() }
        #expect(throws: StoreError(.notAStore, "")) { try place.back(to: clinic.file()) }
        try place.run("DROP TABLE @.other")
        #expect(throws: StoreError(.noSuchFile, "")) { try place.back(to: clinic.file()) }
        #expect(try place.remains == [])
    }
}
