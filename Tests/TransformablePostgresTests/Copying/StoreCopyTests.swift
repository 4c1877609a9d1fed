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
    private let clinic: ClinicStore
    private let schema = "clinic-\(UUID().uuidString)"

    init() throws {
        clinic = try ClinicStore()
    }

    private func address() throws -> PostgresAddress { try PostgresServer.shared.get().address }

    /// Copies the store to PostgreSQL.
    @discardableResult
    private func copy(progress: @escaping (Int) -> Void = { _ in }) throws -> PostgresCopyReport {
        let store = try Store(at: clinic.url, transformers: clinic.registry, options: .readOnly)
        defer { try? store.close() }
        var options = PostgresOptions()
        options.applicationName = schema
        return try store.copy(to: address(), schema: schema, options: options, progress: progress)
    }

    /// Copies the store back.
    @discardableResult
    private func back(to url: URL) throws -> PostgresCopyReport {
        try Store.copy(from: address(), schema: schema, to: url, transformers: clinic.registry)
    }

    private func text(_ sql: String) throws -> [String?] {
        let connection = try PostgresServer.connect()
        return try connection.rows(PostgresStatement(sql.replacing("@", with: "\"\(schema)\""))) { row in
            try row.valueIfPresent(0, as: String.self)
        }
    }

    private func run(_ sql: String) throws {
        try PostgresServer.connect().run(script: sql.replacing("@", with: "\"\(schema)\""))
    }

    private var remains: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: clinic.folder.path)
                .filter { !$0.hasPrefix("clinic.sqlite") }
        }
    }

    // MARK: - There and back

    @Test func everyCellComesBackAsItWas() throws {
        defer { clinic.remove() }
        try clinic.fill()
        let report = try copy()
        #expect(report.objectCount == 7)
        #expect(report.blobCount == 2)
        #expect(report.faults == [])
        #expect(!report.isContinuation)
        let url = clinic.file()
        #expect(try back(to: url).objectCount == 7)
        #expect(try ClinicStore.dump(url) == ClinicStore.dump(clinic.url))
    }

    @Test func sealedValuesAndTheSealOpenOnTheWayBack() throws {
        defer { clinic.remove() }
        try clinic.fill()
        try copy()
        let url = clinic.file()
        try back(to: url)
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
        #expect(try copy().objectCount == 0)
        let url = clinic.file()
        try back(to: url)
        #expect(try ClinicStore.dump(url) == ClinicStore.dump(clinic.url))
    }

    /// A role that may create tables in a schema need not be able to create schemas.
    @Test func anEmptySchemaIsUsed() throws {
        defer { clinic.remove() }
        try clinic.fill()
        let role = "role-\(UUID().uuidString)"
        try run("CREATE ROLE \"\(role)\" LOGIN; CREATE SCHEMA @ AUTHORIZATION \"\(role)\"")
        let folder = try PostgresServer.shared.get().folder.path
        let address = try PostgresAddress("postgres:host=\(folder) dbname=postgres user=\(role)")
        let store = try Store(at: clinic.url, transformers: clinic.registry, options: .readOnly)
        #expect(try store.copy(to: address, schema: schema).objectCount == 7)
        #expect(throws: StoreError(.accessDenied, "")) { try store.copy(to: address, schema: "other-\(schema)") }
        try store.close()
    }

    // MARK: - Columns

    @Test func columnsHaveTheTypesOfTheirAttributes() throws {
        defer { clinic.remove() }
        try clinic.fill()
        try copy()
        let types = try text(
            """
            SELECT column_name || ' ' || data_type || coalesce(' ' || collation_name, '') || ' ' || is_nullable
            FROM information_schema.columns WHERE table_schema = '\(schema)' AND table_name = 'Patient'
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
        try copy()
        let row = try text(
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
        let born = try text(
            "SELECT (timestamp '2001-01-01' + \"born\" * interval '1 second')::text FROM @.\"Patient\" LIMIT 1"
        )
        #expect(born == ["2001-01-01 00:00:00.1"])
        let pieces = try text(
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
        try copy()
        #expect(throws: StoreError(.danglingReference, "")) { try run("DELETE FROM @.\"Cat\"") }
        #expect(throws: StoreError(.notUnique, "")) {
            try run("UPDATE @.\"Patient\" SET \"card\" = (SELECT \"card\" FROM @.\"Patient\" LIMIT 1)")
        }
        #expect(throws: StoreError(.invalidValue, "")) {
            try run("UPDATE @.\"Patient\" SET \"pet.Dog\" = 1, \"pet.Cat\" = 1")
        }
        // A new row gets a number that no object has had.
        try run("INSERT INTO @.\"Dog\" (\"_version\") VALUES (1)")
        #expect(try text("SELECT min(\"_id\")::text FROM @.\"Dog\"") != ["1"])
    }

    // MARK: - What cannot be copied

    @Test func textWithANULIsAnErrorBeforeAnythingIsCreated() throws {
        defer { clinic.remove() }
        try clinic.fill()
        try clinic.shell("UPDATE Visit SET note = 'a' || char(0) || 'b' WHERE _id = 2")
        let error = try #require(throws: StoreError.self) { try copy() }
        #expect(error.code == .invalidValue)
        #expect(error.entity == "Visit")
        #expect(error.attribute == "note")
        #expect(error.object == ObjectID(entity: "Visit", number: 2))
        #expect(error.message.contains("U+0000"))
        #expect(try text("SELECT nspname::text FROM pg_namespace WHERE nspname = '\(schema)'") == [])
    }

    @Test(arguments: ["day = 'yesterday'", "note = x'00'", "note = CAST(x'FF' AS TEXT)", "_version = 1.5"])
    func aCellThatDoesNotFitItsColumnIsAnError(change: String) throws {
        defer { clinic.remove() }
        try clinic.fill()
        try clinic.shell("UPDATE Visit SET \(change) WHERE _id = 1")
        let error = try #require(throws: StoreError.self) { try copy() }
        #expect(error.code == .invalidValue)
        #expect(error.object == ObjectID(entity: "Visit", number: 1))
    }

    @Test func aDanglingReferenceIsAnError() throws {
        defer { clinic.remove() }
        try clinic.fill()
        try clinic.shell("UPDATE Visit SET patient = 99 WHERE _id = 1")
        let error = try #require(throws: StoreError.self) { try copy() }
        #expect(error.code == .danglingReference)
        #expect(error.object == ObjectID(entity: "Visit", number: 1))
    }

    @Test func anIndexThatCannotHoldALongValueIsLeftOut() throws {
        defer { clinic.remove() }
        let long = try fillWithLongName()
        let report = try copy()
        #expect(report.omittedIndexes.contains("_index.Patient.name"))
        #expect(try text("SELECT \"name\" FROM @.\"Patient\" WHERE length(\"name\") > 100") == [long])
        let url = clinic.file()
        try back(to: url)
        #expect(try ClinicStore.dump(url) == ClinicStore.dump(clinic.url))
    }

    /// Fills the store with a value that is too long for an index, and returns it.
    private func fillWithLongName() throws -> String {
        try clinic.fill()
        // Random characters, which PostgreSQL cannot compress.
        let long = String(
            (0..<9000).compactMap { _ in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".randomElement() }
        )
        let store = try clinic.open()
        try store.write { try $0.fetch("Patient").first?.setValue(long, for: "name") }
        try store.close()
        return long
    }

    /// The first run has created the other indexes before it fails.
    @Test func aContinuedCopyReportsTheIndexesThatWereLeftOutBefore() throws {
        defer { clinic.remove() }
        _ = try fillWithLongName()
        let version = "UPDATE @.\"Patient\" SET \"_version\" = \"_version\""
        #expect(throws: StoreError(.storeChanged, "")) {
            try copy { _ in try? run("\(version) + 1000 WHERE \"_version\" < 1000") }
        }
        try run("\(version) - 1000")
        let report = try copy()
        #expect(report.isContinuation)
        #expect(report.omittedIndexes.contains("_index.Patient.name"))
        #expect(!report.omittedIndexes.contains { $0.hasPrefix("_index.Visit") })
    }

    @Test func noIndexIsLeftOutBecauseOfALongName() throws {
        defer { clinic.remove() }
        try clinic.fill()
        let store = try Store(at: clinic.url, transformers: clinic.registry, options: .readOnly)
        defer { try? store.close() }
        // PostgreSQL keeps 63 bytes of a name.
        let name = "\(schema)-\(String(repeating: "x", count: 40))"
        #expect(try store.copy(to: address(), schema: name).omittedIndexes == [])
    }

    @Test func missingAndDamagedBlobsAreReported() throws {
        defer { clinic.remove() }
        try clinic.fill()
        let blobs = clinic.folder.appending(path: "clinic.sqlite-blobs")
        let names = try FileManager.default.contentsOfDirectory(atPath: blobs.path).filter { $0 != "unfinished" }
        try FileManager.default.removeItem(at: blobs.appending(path: names[0]))
        try Data([1, 2, 3]).write(to: blobs.appending(path: names[1]))
        let report = try copy()
        #expect(Set(report.faults.map(\.code)) == [.missingBlob, .damagedBlob])
        #expect(Set(report.faults.map(\.attribute)) == ["photo", "scan"])
        #expect(report.faults.allSatisfy { $0.object == ObjectID(entity: "Patient", number: 1) })
        let url = clinic.file()
        #expect(try Set(back(to: url).faults.map(\.code)) == [.missingBlob, .damagedBlob])
        #expect(try ClinicStore.dump(url) == ClinicStore.dump(clinic.url))
    }

    /// The other tables have no policies.
    @Test func rowsThatAPolicyHidesAreNotLeftOut() throws {
        defer { clinic.remove() }
        try clinic.fill()
        try copy()
        let role = "reader-\(schema)"
        try run(
            """
            CREATE ROLE "\(role)" LOGIN; GRANT USAGE ON SCHEMA @ TO "\(role)";
            GRANT SELECT ON ALL TABLES IN SCHEMA @ TO "\(role)"; GRANT SELECT ON ALL SEQUENCES IN SCHEMA @ TO "\(role)"
            """
        )
        let reader = try PostgresServer.shared.get().address(of: role)
        let read = { (url: URL) in
            try Store.copy(from: reader, schema: schema, to: url, transformers: clinic.registry)
        }
        #expect(try read(clinic.file()).objectCount == 7)
        try run("ALTER TABLE @.\"Visit\" ENABLE ROW LEVEL SECURITY")
        try run("CREATE POLICY one ON @.\"Visit\" USING (\"_id\" = 1)")
        let error = try #require(throws: StoreError.self) { try read(clinic.file()) }
        #expect(error.code == .accessDenied)
        #expect(error.entity == "Visit")
    }

    @Test func numbersThatTheRoleCannotReadAreNotLeftOut() throws {
        defer { clinic.remove() }
        try clinic.fill()
        try copy()
        let role = "reader-\(schema)"
        try run("CREATE ROLE \"\(role)\" LOGIN; GRANT USAGE ON SCHEMA @ TO \"\(role)\"")
        try run("GRANT SELECT ON ALL TABLES IN SCHEMA @ TO \"\(role)\"")
        let reader = try PostgresServer.shared.get().address(of: role)
        let error = try #require(throws: StoreError.self) {
            try Store.copy(from: reader, schema: schema, to: clinic.file(), transformers: clinic.registry)
        }
        #expect(error.code == .accessDenied)
        #expect(error.message.contains("grant it SELECT on all sequences"), "\(error)")
        #expect(try remains == [])
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
                #expect(throws: StoreError(.busy, "")) { try back(to: clinic.file()) }
            }
        }
        #expect(attempts > 5 && attempts < 40)
        let url = clinic.file()
        try back(to: url)
        #expect(try ClinicStore.dump(url) == ClinicStore.dump(clinic.url))
    }

    /// Copies one part, after which the server ends the connection, unless there are no more parts.
    @discardableResult
    private func copyUntilInterrupted() throws -> PostgresCopyReport {
        let parts = Mutex(0)
        return try copy { _ in
            let part = parts.withLock { parts in
                parts += 1
                return parts
            }
            if part == 1 { try? endOtherConnections() }
        }
    }

    /// Ends the connections that copy to the schema.
    private func endOtherConnections() throws {
        try run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '\(schema)'")
    }

    @Test func aChangeBetweenTwoPartsIsAnError() throws {
        defer { clinic.remove() }
        try clinic.fill()
        let error = #expect(throws: StoreError.self) { try copyUntilInterrupted() }
        #expect([.connectionLost, .outcomeUnknown].contains(error?.code))
        try clinic.shell("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'Visit'")
        #expect(throws: StoreError(.storeChanged, "")) { try copy() }
    }

    @Test func nothingIsReplaced() throws {
        defer { clinic.remove() }
        try clinic.fill()
        try copy()
        #expect(throws: StoreError(.fileExists, "")) { try copy() }
        #expect(throws: StoreError(.fileExists, "")) { try back(to: clinic.url) }
        try run("DROP SCHEMA @ CASCADE; CREATE SCHEMA @; CREATE TABLE @.other (id int)")
        #expect(throws: StoreError(.fileExists, "")) { try copy() }
        #expect(throws: StoreError(.notAStore, "")) { try back(to: clinic.file()) }
        try run("DROP TABLE @.other")
        #expect(throws: StoreError(.noSuchFile, "")) { try back(to: clinic.file()) }
        #expect(try remains == [])
    }

    // MARK: - Hostile databases

    /// A query with infinitely many rows.
    private static let endless =
        "SELECT(1) FROM (WITH RECURSIVE n AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT 1 FROM n)"
    private static let change = "UPDATE @._transformable_schema SET sql = "

    @Test(arguments: [
        "UPDATE @._transformable_schema SET sql = 'CREATE TABLE \"Visit\" AS SELECT 1' WHERE name = 'Visit'",
        "\(change) replace('CREATE TABLE Visit~AS~\(endless)', '~', chr(9)) WHERE name = 'Visit'",
        "\(change) 'CREATE TABLE Visit/**/AS/**/\(endless)' WHERE name = 'Visit'",
        "UPDATE @._transformable_schema SET sql = 'CREATE VIEW \"Visit\" AS SELECT 1' WHERE name = 'Visit'",
        "UPDATE @._transformable_schema SET sql = sql || '; DROP TABLE \"Visit\"' WHERE name = 'Visit'",
        "UPDATE @._transformable_schema SET name = 'sqlite_master' WHERE name = 'Visit'",
        "UPDATE @._transformable_schema SET sql = '' WHERE type = 'trigger'",
        "DELETE FROM @._transformable_schema WHERE name = 'Visit'", "DELETE FROM @._transformable_schema",
        "UPDATE @.\"Patient\" SET height = 'NaN'", "UPDATE @.\"Patient\" SET fee = 'NaN'",
        "UPDATE @.\"Patient\" SET fee = 'Infinity'", "ALTER TABLE @.\"Visit\" DROP COLUMN note",
        "ALTER TABLE @.\"Visit\" ALTER COLUMN day TYPE text", "DROP TABLE @.\"Visit\"",
        "DELETE FROM @._transformable_chunk WHERE index = 1", "DELETE FROM @._transformable_model",
        "UPDATE @._transformable_model SET json = '{'", "UPDATE @._transformable_entity SET id = -id",
        "DELETE FROM @._transformable_store", "DROP TABLE @._transformable_chunk",
    ])
    func whatTheDatabaseContainsIsNotBelieved(change: String) throws {
        defer { clinic.remove() }
        try clinic.fill()
        try copy()
        try run(change)
        #expect(throws: StoreError.self) { try back(to: clinic.file()) }
        #expect(try remains == [])
    }

    @Test(arguments: ["NaN", "Infinity", "-Infinity"]) func aNumberThatAFileCannotHoldIsNamed(number: String) throws {
        defer { clinic.remove() }
        try clinic.fill()
        try copy()
        try run("UPDATE @.\"Patient\" SET fee = '\(number)' WHERE \"_id\" = 1")
        let error = try #require(throws: StoreError.self) { try back(to: clinic.file()) }
        #expect(error.code == .invalidValue)
        #expect(error.object == ObjectID(entity: "Patient", number: 1))
        #expect(error.attribute == "fee")
    }

    @Test func aColumnOfAnotherTypeIsNamed() throws {
        defer { clinic.remove() }
        try clinic.fill()
        try copy()
        try run("ALTER TABLE @.\"Patient\" ALTER COLUMN a TYPE bigint")
        let error = try #require(throws: StoreError.self) { try back(to: clinic.file()) }
        #expect(error.code == .corruptFile)
        #expect(error.object == ObjectID(entity: "Patient", number: 1))
        #expect(error.attribute == "a")
    }

    @Test(arguments: ["", "pg_clinic", "information_schema", "$user", "a\0b"])
    func reservedNamesAreRefused(name: String) throws {
        defer { clinic.remove() }
        #expect(throws: StoreError(.invalidValue, "")) {
            try Store.copy(from: address(), schema: name, to: clinic.file(), transformers: clinic.registry)
        }
    }
}
