import Foundation
import Testing
import TransformableModel
import _PostgresServer

@testable import TransformablePostgres  // Statements that are sent without waiting are internal.

@Suite(.needsPostgres) struct PostgresTransactionTests {
    private static let total = PostgresStatement("SELECT coalesce(sum(value), 0)::int8 FROM pg_temp.t")

    @Test func beginsWithTheFirstStatement() throws {
        let connection = try PostgresServer.connect()
        try connection.run(script: "CREATE TEMP TABLE t (value int8)")
        let before = connection.roundTrips
        let insert = PostgresStatement("INSERT INTO t VALUES ($1)", .int8)
        try connection.transaction {
            _ = try connection.pipeline { pipeline in
                for value in 1...1000 as ClosedRange<Int64> { try pipeline.add(insert, [.int8(value)]) }
            }
        }
        #expect(connection.roundTrips - before == 2)
        #expect(try connection.rows(Self.total) { try $0.value(0, as: Int64.self) } == [500_500])
    }

    @Test func rollsBackAfterAnError() throws {
        struct Stop: Error {}
        let connection = try PostgresServer.connect()
        try connection.run(script: "CREATE TEMP TABLE t (value int8)")
        #expect(throws: Stop.self) {
            try connection.transaction {
                try connection.execute(PostgresStatement("INSERT INTO t VALUES (1)"))
                throw Stop()
            }
        }
        #expect(connection.isUsable)
        #expect(try connection.rows(Self.total) { try $0.value(0, as: Int64.self) } == [0])
    }

    @Test func doesNotCommitAfterAFailureThatWasIgnored() throws {
        let connection = try PostgresServer.connect()
        try connection.run(script: "CREATE TEMP TABLE t (value int8)")
        let error = try #require(throws: StoreError.self) {
            try connection.transaction {
                try connection.execute(PostgresStatement("INSERT INTO t VALUES (1)"))
                _ = try? connection.execute(PostgresStatement("SELECT 1/0"))
            }
        }
        #expect(error.code == .statementFailed)
        #expect(try connection.rows(Self.total) { try $0.value(0, as: Int64.self) } == [0])
    }

    @Test(.timeLimit(.minutes(1))) func doesNotWaitForLocksWithoutEnd() throws {
        let (connection, other) = (try PostgresServer.connect(), try PostgresServer.connect())
        let lock = PostgresStatement("SELECT pg_advisory_xact_lock(471147114711)")
        try other.transaction {
            try other.execute(lock)
            let error = #expect(throws: StoreError.self) {
                try connection.transaction {
                    try connection.limitWaits(to: .milliseconds(20))
                    try connection.execute(lock)
                }
            }
            #expect(error?.code == .busy)
        }
        #expect(connection.isUsable)
    }

    /// What follows a conflict fails with an error that does not say why.
    @Test(arguments: [nil, "SELECT 1", "SAVEPOINT a", "ROLLBACK TO a"])
    func aConflictThatWasIgnoredCanStillBeRetried(next: String?) throws {
        let connection = try PostgresServer.connect()
        let error = try #require(throws: StoreError.self) {
            try connection.transaction {
                _ = try? connection.execute(PostgresStatement(Self.conflict))
                _ = try? connection.execute(PostgresStatement("SELECT 2"))
                if let next, !next.hasPrefix("ROLLBACK") { try connection.execute(PostgresStatement(next)) }
                if let next { _ = try? connection.execute(PostgresStatement(next)) }
            }
        }
        #expect(error.isRetryable)
        #expect(connection.isUsable)
    }

    private static let conflict = "DO $$ BEGIN RAISE 'x' USING ERRCODE = '40001'; END $$"

    @Test(arguments: [nil, "SELECT 1"]) func whatFollowsAFailureThatWasIgnoredSaysWhy(next: String?) throws {
        let connection = try PostgresServer.connect()
        let error = try #require(throws: StoreError.self) {
            try connection.transaction {
                try connection.execute(PostgresStatement("SAVEPOINT a"))
                _ = try? connection.execute(PostgresStatement("SELECT * FROM missing"))
                try connection.execute(PostgresStatement("ROLLBACK TO a"))
                _ = try? connection.execute(PostgresStatement("SELECT 1/0"))
                _ = try? connection.execute(PostgresStatement("SELECT * FROM missing"))
                if let next { try connection.execute(PostgresStatement(next)) }
            }
        }
        #expect(error.code == .statementFailed)
        #expect(error.postgresError?.sqlState == "22012")
    }

    @Test(arguments: [true, false]) func aConflictEndsAtItsSavepoint(isScript: Bool) throws {
        let connection = try PostgresServer.connect()
        let error = try #require(throws: StoreError.self) {
            try connection.transaction {
                try connection.execute(PostgresStatement("SAVEPOINT a"))
                _ = try? connection.execute(PostgresStatement(Self.conflict))
                let way = "ROLLBACK TO a"
                if isScript { try connection.run(script: way) } else { try connection.execute(PostgresStatement(way)) }
                _ = try? connection.execute(PostgresStatement("SELECT 1/0"))
                try connection.execute(PostgresStatement("SELECT 1"))
            }
        }
        #expect(error.code == .statementFailed)
    }

    @Test func mixesScriptsCopiesAndStatements() throws {
        let connection = try PostgresServer.connect()
        try connection.transaction {
            try connection.run(script: "CREATE TEMP TABLE t (value int8)")
            try connection.copyIn("COPY t FROM STDIN (FORMAT binary)") { writer in
                try writer.beginRow()
                try writer.write(Int64(40))
            }
            try connection.execute(PostgresStatement("INSERT INTO t VALUES (2)"))
        }
        #expect(try connection.rows(Self.total) { try $0.value(0, as: Int64.self) } == [42])
    }

    @Test func refusesToWriteInASnapshot() throws {
        let connection = try PostgresServer.connect()
        let error = try #require(throws: StoreError.self) {
            try connection.transaction(.snapshot) { try connection.run(script: "CREATE TABLE never (value int8)") }
        }
        #expect(error.code == .readOnly)
        #expect(connection.isUsable)
    }

    @Test func refusesTransactionsInTransactions() throws {
        let connection = try PostgresServer.connect()
        let error = try #require(throws: StoreError.self) {
            try connection.transaction { try connection.transaction {} }
        }
        #expect(error.code == .misuse)
        #expect(connection.isUsable)
    }

    @Test func saysThatNothingWasWrittenIfTheConnectionIsLostBeforeTheCommit() throws {
        let connection = try PostgresServer.connect()
        let error = try #require(throws: StoreError.self) {
            try connection.transaction {
                try connection.execute(PostgresStatement("SELECT 1"))
                try terminate(connection)
                try connection.execute(PostgresStatement("SELECT 1"))
            }
        }
        #expect(error.code == .connectionLost)
        #expect(!connection.isUsable)
    }

    @Test func saysThatTheOutcomeIsUnknownIfTheConnectionIsLostDuringTheCommit() throws {
        let connection = try PostgresServer.connect()
        let error = try #require(throws: StoreError.self) {
            try connection.transaction {
                try connection.execute(PostgresStatement("SELECT 1"))
                try terminate(connection)
            }
        }
        #expect(error.code == .outcomeUnknown)
    }

    // The server's error has a class of its own; only its severity says that the connection has ended.
    @Test func saysThatNothingWasWrittenIfTheServerEndsAnIdleTransaction() throws {
        let connection = try PostgresServer.connect()
        let error = try #require(throws: StoreError.self) {
            try connection.transaction {
                try connection.execute(PostgresStatement("SET LOCAL idle_in_transaction_session_timeout TO 20"))
                // Other connections see the end of the process.
                let isThere = PostgresStatement("SELECT 1 FROM pg_stat_activity WHERE pid = $1", .int4)
                let other = try PostgresServer.connect()
                while try other.execute(isThere, [.int4(connection.process)]) > 0 {}
                try connection.execute(PostgresStatement("SELECT 1"))
            }
        }
        #expect(error.code == .connectionLost)
        #expect(!connection.isUsable)
    }

    @Test func keepsTheConnectionAfterACommitThatFails() throws {
        let connection = try PostgresServer.connect()
        try connection.run(script: "CREATE TEMP TABLE t (value int8 PRIMARY KEY)")
        let insert = PostgresStatement("INSERT INTO t VALUES (1)")
        let error = try #require(throws: StoreError.self) {
            try connection.transaction {
                try connection.execute(insert)
                try connection.send(insert)
            }
        }
        #expect(error.code == .notUnique)
        #expect(connection.isUsable)
    }

    @Test func reportsABrokenReferenceAtTheCommit() throws {
        let connection = try PostgresServer.connect()
        try connection.run(
            script:
                "CREATE TEMP TABLE t (value int8 PRIMARY KEY, other int8 REFERENCES t DEFERRABLE INITIALLY DEFERRED)"
        )
        let error = try #require(throws: StoreError.self) {
            try connection.transaction { try connection.execute(PostgresStatement("INSERT INTO t VALUES (1, 2)")) }
        }
        #expect(error.code == .danglingReference)
        #expect(connection.isUsable)
    }

    /// Ends a connection from the server's side, and waits until that has happened.
    private func terminate(_ connection: PostgresConnection) throws {
        let other = try PostgresServer.connect()
        try other.execute(
            PostgresStatement("SELECT pg_terminate_backend($1, 10000)", .int4),
            [.int4(connection.process)]
        )
    }
}
