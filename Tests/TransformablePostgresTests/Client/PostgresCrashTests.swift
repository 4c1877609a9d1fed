import Foundation
import Synchronization
import Testing
import TransformableModel
import TransformablePostgres
import _PostgresServer

/// After a server crashed under load, everything is there that was reported as committed, and nothing else.
@Suite(.needsPostgres) struct PostgresCrashTests {
    private static let crashes =
        ProcessInfo.processInfo.environment["TRANSFORMABLE_CRASH_RUNS"].flatMap { Int($0) } ?? 3

    /// What transactions reported.
    private struct Ledger {
        var committed: Set<Int64> = []
        var unknown: Set<Int64> = []
        var unexpected: [String] = []
        var isOver = false
    }

    @Test func keepsWhatWasReportedAsCommitted() throws {
        let server = try PostgresServer()
        let pool = PostgresPool(try server.address)
        try pool.withConnection { try $0.run(script: "CREATE TABLE t (id int8 PRIMARY KEY, half int8)") }
        let ledger = Mutex(Ledger())
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            guard thread == 0 else { return Self.write(from: Int64(thread) * 1_000_000_000, pool, ledger) }
            do {
                for _ in 0..<Self.crashes {
                    Thread.sleep(forTimeInterval: .random(in: 0.1...0.5))
                    try server.crash()
                }
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
            ledger.withLock { $0.isOver = true }
        }
        #expect(failures.withLock { $0 } == [])
        let (halves, numbers) = try Self.contents(of: server)
        ledger.withLock { ledger in
            #expect(ledger.unexpected == [])
            #expect(!ledger.committed.isEmpty)
            #expect(ledger.committed.subtracting(numbers) == [])
            #expect(numbers.subtracting(ledger.committed).subtracting(ledger.unknown) == [])
            #expect(halves == 2 * numbers.count)
        }
    }

    /// Inserts pairs of rows until the ledger says that it is over.
    private static func write(from first: Int64, _ pool: PostgresPool, _ ledger: borrowing Mutex<Ledger>) {
        let insert = PostgresStatement("INSERT INTO public.t VALUES ($1, $2)", .int8, .int8)
        var number = first
        while !ledger.withLock({ $0.isOver }) {
            number += 2
            do {
                try pool.transaction { connection in
                    _ = try connection.pipeline { pipeline in
                        try pipeline.add(insert, [.int8(number), .int8(0)])
                        try pipeline.add(insert, [.int8(number + 1), .int8(1)])
                    }
                }
                ledger.withLock { _ = $0.committed.insert(number) }
            } catch {
                ledger.withLock { record(error, for: number, in: &$0) }
            }
        }
    }

    private static func record(_ error: any Error, for number: Int64, in ledger: inout Ledger) {
        switch (error as? StoreError)?.code {
        case .outcomeUnknown: ledger.unknown.insert(number)
        case .connectionLost, .connectionFailed, .busy: break
        default: ledger.unexpected.append("\(error)")
        }
    }

    /// Returns the number of rows, and the numbers of the pairs.
    private static func contents(of server: PostgresServer) throws -> (halves: Int, numbers: Set<Int64>) {
        let connection = try PostgresConnection(server.address)
        let count = try connection.execute(PostgresStatement("SELECT 1 FROM t"))
        let numbers = try connection.rows(PostgresStatement("SELECT id FROM t WHERE half = 0")) {
            try $0.value(0, as: Int64.self)
        }
        return (count, Set(numbers))
    }
}
