import Foundation
import Synchronization
import Testing
import Transformable
import TransformableModel
import TransformablePostgres
import TransformableSQLite
import TransformableStore
import _PostgresServer

/// Copies of stores that are not as the store itself would leave them.
@Suite(.needsPostgres) struct CopyStateTests {
    private let clinic: ClinicStore
    private let schema = "clinic-\(UUID().uuidString)"

    init() throws {
        clinic = try ClinicStore()
        try clinic.fill()
    }

    private func copy() throws {
        let store = try Store(at: clinic.url, transformers: clinic.registry, options: .readOnly)
        defer { try? store.close() }
        var options = PostgresOptions()
        options.applicationName = schema
        try store.copy(to: PostgresServer.shared.get().address, schema: schema, options: options)
    }

    private func back(to url: URL) throws -> PostgresCopyReport {
        let address = try PostgresServer.shared.get().address
        var options = PostgresOptions()
        options.applicationName = schema
        return try Store.copy(
            from: address,
            schema: schema,
            to: url,
            transformers: clinic.registry,
            options: options
        )
    }

    /// Returns the result of a copy that waits for the transaction of another program, which commits meanwhile.
    private func result<Value: Sendable>(
        waitingFor other: PostgresConnection,
        _ copying: @escaping @Sendable () throws -> Value
    ) throws -> Result<Value, any Error>? {
        // Not a task, because other tests may keep all threads of tasks busy.
        let found = Mutex<Result<Value, any Error>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        DispatchQueue.global()
            .async {
                let result = Result { try copying() }
                found.withLock { $0 = result }
                isDone.signal()
            }
        let waiting = PostgresStatement(
            "SELECT FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'",
            .text
        )
        let observer = try PostgresServer.connect()
        while try observer.execute(waiting, [.text(schema)]) == 0, found.withLock({ $0 }) == nil { usleep(5000) }
        try other.run(script: "COMMIT")
        isDone.wait()
        return found.withLock { $0 }
    }

    private func named(_ sql: String) -> String { sql.replacing("@", with: "\"\(schema)\"") }

    /// The tables are rewritten, and show no rows to a snapshot from before that.
    @Test func aCopyWaitsForAChangeOfTheTables() throws {
        defer { clinic.remove() }
        try copy()
        let other = try PostgresServer.connect()
        let rewriting = "ALTER TABLE @.\"Visit\" ALTER COLUMN \"note\" TYPE text COLLATE \"C\" USING \"note\" || ''"
        let lock = "LOCK TABLE @._transformable_store IN ACCESS EXCLUSIVE MODE"
        try other.run(script: named("BEGIN; \(lock); \(rewriting)"))
        let count = try result(waitingFor: other) { try back(to: clinic.file()).objectCount }
        #expect(try count?.get() == 7)
    }

    /// PostgreSQL would say that its own catalog already has such a name.
    @Test func aCopyWaitsForAnotherOneAndIsRefused() throws {
        defer { clinic.remove() }
        let other = try PostgresServer.connect()
        let lock = "SELECT pg_advisory_xact_lock(hashtextextended('transformable:\(schema)', 0))"
        try other.run(script: named("BEGIN; \(lock); CREATE SCHEMA @; CREATE TABLE @.\"_transformable_copy\" ()"))
        let copied = try result(waitingFor: other) { try copy() }
        let error = #expect(throws: StoreError(.busy, "")) { try copied?.get() }
        #expect(error?.message.contains("“\(schema)”") == true, "\(error as Any)")
    }

    /// The rows have the numbers 1 to 3.
    @Test(arguments: ["DELETE FROM sqlite_sequence", "UPDATE sqlite_sequence SET seq = 1"])
    func numbersContinueAfterThoseOfRows(change: String) throws {
        defer { clinic.remove() }
        try clinic.shell(change)
        try copy()
        let store = try Store(
            postgres: PostgresServer.shared.get().address.description,
            schema: schema,
            model: ClinicStore.model(),
            transformers: clinic.registry,
            options: .mustExist
        )
        let number = try store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Eve", for: "name")
            return patient.id.number
        }
        #expect(number == 4)
        try store.close()
    }

    @Test func aNegativeZeroIsCopiedAsZero() throws {
        defer { clinic.remove() }
        try copy()
        let connection = try PostgresServer.connect()
        try connection.run(script: named("UPDATE @.\"Visit\" SET \"day\" = '-0'"))
        let url = clinic.file()
        #expect(try back(to: url).objectCount == 7)
        let store = try clinic.open(url)
        let days = try store.read { context in
            try context.fetch("Visit").map { try $0.value("day", as: Date.self).timeIntervalSinceReferenceDate }
        }
        #expect(days == [0, 0])
        try store.close()
    }
}
