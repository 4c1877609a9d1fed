import Foundation
import Testing
import TransformableModel
import TransformablePostgres
import _PostgresServer

@Suite(.needsPostgres) struct PostgresCopyTests {
    private static let copyIn = "COPY t (id, name, bytes, number) FROM STDIN (FORMAT binary)"
    private static let copyOut = "COPY (SELECT id, name, bytes, number FROM t ORDER BY id) TO STDOUT (FORMAT binary)"

    private func connect() throws -> PostgresConnection {
        let connection = try PostgresServer.connect()
        try connection.run(
            script:
                "CREATE TEMP TABLE t (id int8 PRIMARY KEY, name text, bytes bytea, number float8, CHECK (name <> 'bad'))"
        )
        return connection
    }

    /// The bytes of the second value are never touched, so they take no memory.
    @Test func refusesARowOfMoreThanAGigabyte() throws {
        let connection = try connect()
        let error = try #require(throws: StoreError.self) {
            try connection.copyIn(Self.copyIn) { writer in
                try writer.beginRow()
                try writer.write(1 as Int64)
                try writer.write(String(repeating: "x", count: 2_000_000))
                try writer.write(Data(count: 1_073_000_000))
                writer.writeNull()
            }
        }
        #expect(error.code == .limitExceeded)
        #expect(try connection.copyIn(Self.copyIn) { _ in } == 0)
    }

    @Test func copiesRowsInAndOut() throws {
        let connection = try connect()
        let count = try connection.copyIn(Self.copyIn) { writer in
            for id in 0..<5000 as Range<Int64> {
                try writer.beginRow()
                try writer.write(id)
                if id % 7 == 0 { writer.writeNull() } else { try writer.write("name \(id)") }
                try writer.write(Data(repeating: UInt8(id % 256), count: Int(id % 100)))
                try writer.write(Optional(Double(id) / 8))
            }
        }
        #expect(count == 5000)
        // The table, the beginning of the COPY, and its end.
        #expect(connection.roundTrips == 3)
        var next: Int64 = 0
        let copied = try connection.copyOut(Self.copyOut) { row in
            let (id, name) = (try row.value(0, as: Int64.self), try row.valueIfPresent(1, as: String.self))
            let (bytes, number) = (try row.value(2, as: Data.self), try row.value(3, as: Double.self))
            #expect(id == next)
            #expect(name == (id % 7 == 0 ? nil : "name \(id)"))
            #expect(bytes == Data(repeating: UInt8(id % 256), count: Int(id % 100)))
            #expect(number == Double(id) / 8)
            next += 1
        }
        #expect(copied == 5000)
        #expect(next == 5000)
        #expect(connection.isUsable)
    }

    @Test func copiesAValueOfSeveralMegabytes() throws {
        let connection = try connect()
        let part = Data((0..<4999).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let bytes = (0..<1000).reduce(into: Data()) { bytes, _ in bytes += part }
        try connection.copyIn(Self.copyIn) { writer in
            try writer.beginRow()
            try writer.write(Int64(1))
            try writer.write("")
            try unsafe bytes.withUnsafeBytes { try unsafe writer.write(bytes: $0) }
            writer.writeNull()
        }
        var copies: [Data] = []
        try connection.copyOut(Self.copyOut) { row in copies.append(try row.value(2)) }
        #expect(copies == [bytes])
    }

    @Test func copiesNoRows() throws {
        let connection = try connect()
        #expect(try connection.copyIn(Self.copyIn) { _ in } == 0)
        #expect(try connection.copyOut(Self.copyOut) { _ in Issue.record("a row") } == 0)
    }

    @Test func insertsNothingIfTheWriterFails() throws {
        struct Stop: Error {}
        let connection = try connect()
        #expect(throws: Stop.self) {
            try connection.copyIn(Self.copyIn) { writer in
                try write(1, to: &writer)
                throw Stop()
            }
        }
        #expect(connection.isUsable)
        #expect(try connection.copyOut(Self.copyOut) { _ in } == 0)
    }

    @Test func reportsARowThatTheServerRejects() throws {
        let connection = try connect()
        let error = try #require(throws: StoreError.self) {
            try connection.copyIn(Self.copyIn) { writer in
                for id in [1, 2, 1] as [Int64] { try write(id, to: &writer) }
            }
        }
        #expect(error.code == .notUnique)
        #expect(connection.isUsable)
    }

    @Test func reportsARowThatBreaksAConstraintBeforeMegabytesOfOthers() throws {
        let connection = try connect()
        let good = String(repeating: "good", count: 100)
        let error = try #require(throws: StoreError.self) {
            try connection.copyIn(Self.copyIn) { writer in
                for id in 0..<20_000 as Range<Int64> { try write(id, to: &writer, name: id == 0 ? "bad" : good) }
            }
        }
        #expect(error.code == .invalidValue)
        #expect(error.postgresError?.constraint != nil)
        #expect(connection.isUsable)
    }

    @Test func refusesARowWithMissingValues() throws {
        let connection = try connect()
        let error = try #require(throws: StoreError.self) {
            try connection.copyIn(Self.copyIn) { writer in
                try writer.beginRow()
                try writer.write(Int64(1))
                try writer.beginRow()
            }
        }
        #expect(error.code == .misuse)
        #expect(connection.isUsable)
    }

    @Test(arguments: [
        ("COPY t TO STDOUT", StoreError.Code.misuse), ("SELECT 1", .misuse),
        ("COPY missing TO STDOUT (FORMAT binary)", .corruptFile),
    ])
    func refusesStatementsThatAreNoBinaryCopy(sql: String, code: StoreError.Code) throws {
        let connection = try connect()
        #expect(throws: StoreError(code, "")) { try connection.copyOut(sql) { _ in } }
        #expect(throws: StoreError(code, "")) { try connection.copyIn(sql) { _ in } }
        #expect(try connection.execute(PostgresStatement("SELECT 1")) == 1)
    }

    @Test func staysUsableAfterAReaderThrows() throws {
        struct Stop: Error {}
        let connection = try connect()
        try connection.copyIn(Self.copyIn) { writer in
            for id in 0..<10_000 as Range<Int64> { try write(id, to: &writer) }
        }
        #expect(throws: Stop.self) { try connection.copyOut(Self.copyOut) { _ in throw Stop() } }
        #expect(connection.isUsable)
    }

    private func write(_ id: Int64, to writer: inout PostgresCopyWriter, name: String = "name") throws {
        try writer.beginRow()
        try writer.write(id)
        try writer.write(name)
        writer.writeNull()
        writer.writeNull()
    }

    @Test func missingColumnsAreReported() throws {
        let connection = try PostgresServer.connect()
        let error = #expect(throws: StoreError.self) {
            try connection.copyOut("COPY (SELECT 1::int8) TO STDOUT (FORMAT binary)") { row in
                _ = try row.value(1, as: Int64.self)
            }
        }
        #expect(error?.code == .corruptFile)
        #expect(connection.isUsable)
    }
}
