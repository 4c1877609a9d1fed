import Foundation
import Testing
import TransformableModel
import TransformablePostgres
import _PostgresServer

/// What a server sends may be anything: it neither ends the program nor makes it wait forever.
@Suite(.needsPostgres) struct HostileServerTests {
    private static let rounds =
        ProcessInfo.processInfo.environment["TRANSFORMABLE_MUTATIONS"].flatMap { UInt64($0) } ?? 40

    @Test func endsWithAnErrorOfTheStoreOrWithValues() throws {
        let socket = try PostgresServer.shared.get().folder.appending(path: ".s.PGSQL.5432").path
        var failures = 0
        for seed in 1...Self.rounds {
            let proxy = try MutatingProxy(for: socket, seed: seed)
            do {
                try work(through: proxy)
            } catch is StoreError {
                failures += 1
            }
        }
        #expect(failures > Self.rounds / 2)
    }

    private func work(through proxy: MutatingProxy) throws {
        let address = try PostgresAddress(
            "host=127.0.0.1 port=\(proxy.port) user=tester dbname=postgres sslmode=disable"
        )
        let connection = try PostgresConnection(address)
        try connection.run(script: "CREATE TEMP TABLE t (id int8, name text, number numeric, list int8[])")
        let insert = PostgresStatement("INSERT INTO t VALUES ($1, $2, 1234.5678, '{1,2,3}')", .int8, .text)
        try connection.transaction {
            _ = try connection.pipeline { pipeline in
                for id in 0..<50 as Range<Int64> { try pipeline.add(insert, [.int8(id), .text("name \(id)")]) }
            }
        }
        try connection.query(PostgresStatement("SELECT * FROM t"), [], read)
        try connection.copyOut("COPY t TO STDOUT (FORMAT binary)", read)
        try connection.copyIn("COPY t (id) FROM STDIN (FORMAT binary)") { writer in
            try writer.beginRow()
            try writer.write(Int64(1))
        }
        _ = try connection.notifications(until: .now)
    }

    private func read(_ row: borrowing PostgresRow) throws {
        _ = try row.valueIfPresent(0, as: Int64.self)
        _ = try row.valueIfPresent(1, as: String.self)
        _ = try row.valueIfPresent(2, as: PostgresNumeric.self)
        _ = try row.valueIfPresent(3, as: [Int64].self)
    }
}
