import Foundation
import Synchronization
import Testing
import TransformableModel
import TransformablePostgres
import _PostgresServer

@Suite(.needsPostgres) struct PostgresPoolTests {
    @Test func usesAConnectionAgain() throws {
        let pool = PostgresPool(try PostgresServer.shared.get().address)
        let first = try pool.withConnection { $0.process }
        let second = try pool.withConnection { $0.process }
        #expect(first == second)
    }

    @Test func replacesAConnectionThatTheServerClosed() throws {
        let pool = PostgresPool(try PostgresServer.shared.get().address)
        let first = try pool.withConnection { $0.process }
        let other = try PostgresServer.connect()
        try other.execute(PostgresStatement("SELECT pg_terminate_backend($1, 10000)", .int4), [.int4(first)])
        let second = try pool.withConnection { connection in
            try connection.execute(PostgresStatement("SELECT 1"))
            return connection.process
        }
        #expect(second != first)
    }

    @Test func closesAConnectionThatIsLeftInATransaction() throws {
        let pool = PostgresPool(try PostgresServer.shared.get().address)
        let first = try pool.withConnection { connection in
            try connection.run(script: "BEGIN")
            return connection.process
        }
        #expect(try pool.withConnection { $0.process } != first)
    }

    @Test func closesAConnectionInUseAfterThePoolWasClosed() throws {
        let pool = PostgresPool(try PostgresServer.shared.get().address)
        let first = try pool.withConnection { connection in
            pool.close()
            return connection.process
        }
        #expect(try pool.withConnection { $0.process } != first)
    }

    @Test func closesConnectionsThatWereNotUsedForLong() throws {
        var options = PostgresOptions()
        options.idleTimeout = .zero
        let pool = PostgresPool(try PostgresServer.shared.get().address, options: options)
        let first = try pool.withConnection { $0.process }
        #expect(try pool.withConnection { $0.process } != first)
    }

    @Test(.timeLimit(.minutes(1))) func closesConnectionsThatNobodyAsksForAgain() async throws {
        var options = PostgresOptions()
        options.idleTimeout = .milliseconds(50)
        let pool = PostgresPool(try PostgresServer.shared.get().address, options: options)
        let process = try pool.withConnection { $0.process }
        let other = try PostgresServer.connect()
        let isThere = PostgresStatement("SELECT FROM pg_stat_activity WHERE pid = $1", .int4)
        while try other.execute(isThere, [.int4(process)]) > 0 { try await Task.sleep(for: .milliseconds(5)) }
        // The pool goes on.
        #expect(try pool.withConnection { $0.process } != process)
    }

    @Test func failsIfNoConnectionBecomesFree() throws {
        var options = PostgresOptions()
        options.maximumConnections = 1
        options.waitTimeout = .milliseconds(20)
        let pool = PostgresPool(try PostgresServer.shared.get().address, options: options)
        let error = try #require(throws: StoreError.self) {
            try pool.withConnection { _ in try pool.withConnection { _ in } }
        }
        #expect(error.code == .busy)
        #expect(error.message == "the only connection is in use; try again, or allow more connections")
    }

    @Test func losesNoIncrementOfConcurrentTransactions() throws {
        let pool = PostgresPool(try PostgresServer.shared.get().address)
        let table = "public." + "counters_\(UUID().uuidString.prefix(8))".quotedIdentifier
        try pool.withConnection {
            try $0.run(script: "CREATE TABLE \(table) (value int8); INSERT INTO \(table) VALUES (0)")
        }
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            do {
                for _ in 0..<10 { try increment(table, pool) }
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
        let values = try pool.withConnection { connection in
            try connection.rows(PostgresStatement("SELECT value FROM \(table)")) { try $0.value(0, as: Int64.self) }
        }
        #expect(values == [80])
    }

    /// Reads a number and writes the next one, which fails if another transaction did so in between.
    private func increment(_ table: String, _ pool: PostgresPool) throws {
        try pool.transaction(attempts: 1000) { connection in
            let select = PostgresStatement("SELECT value FROM \(table)")
            let value = try connection.rows(select) { try $0.value(0, as: Int64.self) }[0]
            try connection.execute(PostgresStatement("UPDATE \(table) SET value = $1", .int8), [.int8(value + 1)])
        }
    }
}
