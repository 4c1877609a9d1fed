import Foundation
import Testing
import Transformable
import TransformableModel
import TransformablePostgres
import TransformableSQLite
import TransformableStore
import _PostgresServer

/// Stores, files, and databases that cannot be copied as they are.
@Suite(.needsPostgres) struct RefusedCopyTests {
    private let place: ClinicCopy
    private var clinic: ClinicStore { place.clinic }

    init() throws {
        place = try ClinicCopy()
    }

    @Test func textWithANULIsAnErrorBeforeAnythingIsCreated() throws {
        defer { clinic.remove() }
        try clinic.fill()
        try clinic.shell("UPDATE Visit SET note = 'a' || char(0) || 'b' WHERE _id = 2")
        let error = try #require(throws: StoreError.self) { try place.copy() }
        #expect(error.code == .invalidValue)
        #expect(error.entity == "Visit")
        #expect(error.attribute == "note")
        #expect(error.object == ObjectID(entity: "Visit", number: 2))
        #expect(error.message.contains("U+0000"))
        #expect(try place.text("SELECT nspname::text FROM pg_namespace WHERE nspname = '\(place.schema)'") == [])
    }

    @Test(arguments: ["day = 'yesterday'", "note = x'00'", "note = CAST(x'FF' AS TEXT)", "_version = 1.5"])
    func aCellThatDoesNotFitItsColumnIsAnError(change: String) throws {
        defer { clinic.remove() }
        try clinic.fill()
        try clinic.shell("UPDATE Visit SET \(change) WHERE _id = 1")
        let error = try #require(throws: StoreError.self) { try place.copy() }
        #expect(error.code == .invalidValue)
        #expect(error.object == ObjectID(entity: "Visit", number: 1))
    }

    @Test func aDanglingReferenceIsAnError() throws {
        defer { clinic.remove() }
        try clinic.fill()
        try clinic.shell("UPDATE Visit SET patient = 99 WHERE _id = 1")
        let error = try #require(throws: StoreError.self) { try place.copy() }
        #expect(error.code == .danglingReference)
        #expect(error.object == ObjectID(entity: "Visit", number: 1))
    }

    @Test func anIndexThatCannotHoldALongValueIsLeftOut() throws {
        defer { clinic.remove() }
        let long = try fillWithLongName()
        let report = try place.copy()
        #expect(report.omittedIndexes.contains("_index.Patient.name"))
        #expect(try place.text("SELECT \"name\" FROM @.\"Patient\" WHERE length(\"name\") > 100") == [long])
        let url = clinic.file()
        try place.back(to: url)
        #expect(try ClinicStore.dump(url) == ClinicStore.dump(clinic.url))
    }

    /// A file holds the row, but a page of PostgreSQL holds 18 bytes for each of some 440 values at most.
    @Test func aRowWithTooManyLongValuesNamesItsEntity() throws {
        defer { clinic.remove() }
        let names = (0..<480).map { "text\($0)" }
        let attributes = names.map { AttributeDescription.string($0, .optional) }
        let model = try Model(entities: [EntityDescription("Wide", attributes: attributes)])
        let store = try EnginePlace(.file).open(model)
        try store.write { context in
            let object = try context.insert("Wide")
            for name in names { try object.setValue("\(UUID()) \(UUID()) \(UUID())", for: name) }
        }
        let error = try #require(throws: StoreError.self) {
            _ = try store.copy(to: PostgresServer.shared.get().address, schema: "wide-\(UUID().uuidString)")
        }
        #expect(error.code == .limitExceeded)
        #expect(error.entity == "Wide")
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
            try place.copy { _ in try? place.run("\(version) + 1000 WHERE \"_version\" < 1000") }
        }
        try place.run("\(version) - 1000")
        let report = try place.copy()
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
        let name = "\(place.schema)-\(String(repeating: "x", count: 40))"
        #expect(try store.copy(to: place.address(), schema: name).omittedIndexes == [])
    }

    /// It has no catalog of SQLite, which is not a fault of the database.
    @Test func aStoreInADatabaseIsNotCopiedDirectly() throws {
        defer { clinic.remove() }
        try clinic.fill()
        try place.copy()
        let store = try Store(
            postgres: place.address().description,
            schema: place.schema,
            transformers: clinic.registry,
            options: .readOnly
        )
        defer { try? store.close() }
        let error = #expect(throws: StoreError(.unsupported, "")) {
            try store.copy(to: place.address(), schema: "other-\(place.schema)")
        }
        #expect(error?.message.contains("copy it to a file first") == true, "\(error as Any)")
    }

    @Test func missingAndDamagedBlobsAreReported() throws {
        defer { clinic.remove() }
        try clinic.fill()
        let blobs = clinic.folder.appending(path: "clinic.sqlite-blobs")
        let names = try FileManager.default.contentsOfDirectory(atPath: blobs.path).filter { $0 != "unfinished" }
        try FileManager.default.removeItem(at: blobs.appending(path: names[0]))
        try Data([1, 2, 3]).write(to: blobs.appending(path: names[1]))
        let report = try place.copy()
        #expect(Set(report.faults.map(\.code)) == [.missingBlob, .damagedBlob])
        #expect(Set(report.faults.map(\.attribute)) == ["photo", "scan"])
        #expect(report.faults.allSatisfy { $0.object == ObjectID(entity: "Patient", number: 1) })
        let url = clinic.file()
        #expect(try Set(place.back(to: url).faults.map(\.code)) == [.missingBlob, .damagedBlob])
        #expect(try ClinicStore.dump(url) == ClinicStore.dump(clinic.url))
    }

    /// The other tables have no policies.
    @Test func rowsThatAPolicyHidesAreNotLeftOut() throws {
        defer { clinic.remove() }
        try clinic.fill()
        try place.copy()
        let role = "reader-\(place.schema)"
        try place.run(
            """
            CREATE ROLE "\(role)" LOGIN; GRANT USAGE ON SCHEMA @ TO "\(role)";
            GRANT SELECT ON ALL TABLES IN SCHEMA @ TO "\(role)"; GRANT SELECT ON ALL SEQUENCES IN SCHEMA @ TO "\(role)"
            """
        )
        let reader = try PostgresServer.shared.get().address(of: role)
        let read = { (url: URL) in
            try Store.copy(from: reader, schema: place.schema, to: url, transformers: clinic.registry)
        }
        #expect(try read(clinic.file()).objectCount == 7)
        try place.run("ALTER TABLE @.\"Visit\" ENABLE ROW LEVEL SECURITY")
        try place.run("CREATE POLICY one ON @.\"Visit\" USING (\"_id\" = 1)")
        let error = try #require(throws: StoreError.self) { try read(clinic.file()) }
        #expect(error.code == .accessDenied)
        #expect(error.entity == "Visit")
    }

    @Test func numbersThatTheRoleCannotReadAreNotLeftOut() throws {
        defer { clinic.remove() }
        try clinic.fill()
        try place.copy()
        let role = "reader-\(place.schema)"
        try place.run("CREATE ROLE \"\(role)\" LOGIN; GRANT USAGE ON SCHEMA @ TO \"\(role)\"")
        try place.run("GRANT SELECT ON ALL TABLES IN SCHEMA @ TO \"\(role)\"")
        let reader = try PostgresServer.shared.get().address(of: role)
        let error = try #require(throws: StoreError.self) {
            try Store.copy(from: reader, schema: place.schema, to: clinic.file(), transformers: clinic.registry)
        }
        #expect(error.code == .accessDenied)
        #expect(error.message.contains("grant it SELECT on all sequences"), "\(error)")
        #expect(try place.remains == [])
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
        try place.copy()
        try place.run(change)
        #expect(throws: StoreError.self) { try place.back(to: clinic.file()) }
        #expect(try place.remains == [])
    }

    @Test(arguments: ["NaN", "Infinity", "-Infinity"]) func aNumberThatAFileCannotHoldIsNamed(number: String) throws {
        defer { clinic.remove() }
        try clinic.fill()
        try place.copy()
        try place.run("UPDATE @.\"Patient\" SET fee = '\(number)' WHERE \"_id\" = 1")
        let error = try #require(throws: StoreError.self) { try place.back(to: clinic.file()) }
        #expect(error.code == .invalidValue)
        #expect(error.object == ObjectID(entity: "Patient", number: 1))
        #expect(error.attribute == "fee")
    }

    @Test func aColumnOfAnotherTypeIsNamed() throws {
        defer { clinic.remove() }
        try clinic.fill()
        try place.copy()
        try place.run("ALTER TABLE @.\"Patient\" ALTER COLUMN a TYPE bigint")
        let error = try #require(throws: StoreError.self) { try place.back(to: clinic.file()) }
        #expect(error.code == .corruptFile)
        #expect(error.object == ObjectID(entity: "Patient", number: 1))
        #expect(error.attribute == "a")
    }

    @Test(arguments: ["", "pg_clinic", "information_schema", "$user", "a\0b"])
    func reservedNamesAreRefused(name: String) throws {
        defer { clinic.remove() }
        #expect(throws: StoreError(.invalidValue, "")) {
            try Store.copy(from: place.address(), schema: name, to: clinic.file(), transformers: clinic.registry)
        }
    }
}
