import Dispatch
import Testing
import TransformableModel
import _PostgresServer

@testable import TransformablePostgres  // Streams are internal.

@Suite(.needsPostgres) struct PostgresRowStreamTests {
    private static func numbers(_ count: Int) -> PostgresStatement {
        PostgresStatement("SELECT g::int8 FROM generate_series(1, \(count)) AS g")
    }

    @Test func receivesRowsWhenTheyAreAskedFor() throws {
        let connection = try PostgresServer.connect()
        var numbers: [Int64] = []
        try connection.transaction(.snapshot) {
            let stream = try connection.stream(Self.numbers(1000), []) { try $0.value(0, as: Int64.self) }
            while let number = try stream.next() { numbers.append(number) }
            #expect(try stream.next() == nil)
        }
        #expect(numbers == Array(1...1000))
        #expect(connection.isUsable)
    }

    // Other threads receive rows from the 512th on.
    @Test(arguments: [0, 1, 511, 512, 513, 700, 5000, 9999, 10_000])
    func anotherStatementReceivesTheRestFirst(after read: Int) throws {
        let connection = try PostgresServer.connect()
        var numbers: [Int64] = []
        try connection.transaction(.snapshot) {
            let stream = try connection.stream(Self.numbers(10_000), []) { try $0.value(0, as: Int64.self) }
            for _ in 0..<read { numbers += [try stream.next()].compactMap(\.self) }
            #expect(try connection.rows(PostgresStatement("SELECT 7::int8")) { try $0.value(0, as: Int64.self) } == [7])
            while let number = try stream.next() { numbers.append(number) }
        }
        #expect(numbers == Array(1...10_000))
        #expect(connection.isUsable)
    }

    @Test(arguments: [1, 512, 2000]) func ignoresTheRestOfRowsThatAreNotWanted(after read: Int) throws {
        let connection = try PostgresServer.connect()
        try connection.transaction(.snapshot) {
            let stream = try connection.stream(Self.numbers(20_000), []) { try $0.value(0, as: Int64.self) }
            for number in 1...read { #expect(try stream.next() == Int64(number)) }
            stream.discard()
        }
        #expect(connection.isUsable)
    }

    @Test(arguments: [2, 511, 512, 513, 20_000]) func reportsAnErrorAfterTheRowsBeforeIt(_ last: Int64) throws {
        let connection = try PostgresServer.connect()
        var numbers: [Int64] = []
        let sql = "SELECT (g + 0 / (\(last + 1) - g))::int8 FROM generate_series(1, 30000) AS g"
        let quotients = PostgresStatement(sql)
        let error = try #require(throws: StoreError.self) {
            try connection.transaction {
                let stream = try connection.stream(quotients, []) { try $0.value(0, as: Int64.self) }
                while let number = try stream.next() { numbers.append(number) }
            }
        }
        #expect(error.code == .arithmeticFailure)
        #expect(numbers == Array(1...last))
        #expect(connection.isUsable)
    }

    @Test func anErrorInTheRestIsThrownByTheNextStatement() throws {
        let connection = try PostgresServer.connect()
        let quotients = PostgresStatement("SELECT (6 / (3 - g))::int8 FROM generate_series(1, 9) AS g")
        #expect(throws: StoreError(.arithmeticFailure, "")) {
            try connection.transaction {
                let stream = try connection.stream(quotients, []) { try $0.value(0, as: Int64.self) }
                #expect(try stream.next() == 3)
                try connection.execute(PostgresStatement("SELECT 1"))
            }
        }
        #expect(connection.isUsable)
        // Nothing is committed after an error that nobody has asked for.
        #expect(throws: StoreError(.arithmeticFailure, "")) {
            try connection.transaction { try connection.stream(quotients, []) { _ in 0 }.discard() }
        }
        #expect(connection.isUsable)
    }

    @Test(arguments: [0, 511, 512, 9000]) func aMalformedValueEndsTheRows(after read: Int64) throws {
        let connection = try PostgresServer.connect()
        var count: Int64 = 0
        let error = try #require(throws: StoreError.self) {
            try connection.transaction(.snapshot) {
                let stream = try connection.stream(Self.numbers(10_000), []) { row in
                    if try row.value(0, as: Int64.self) > read { _ = try row.value(0, as: String.self) }
                    return true
                }
                while try stream.next() != nil { count += 1 }
            }
        }
        #expect(error.code == .wrongType)
        #expect(count == read)
        #expect(connection.isUsable)
    }

    // Another thread receives the row, whose error depends on the row only.
    @Test func aMalformedValueInARowThatIsNotWantedIsIgnored() throws {
        let connection = try PostgresServer.connect()
        let isReached = DispatchSemaphore(value: 0)
        try connection.transaction {
            let stream = try connection.stream(Self.numbers(10_000), []) { row in
                let number = try row.value(0, as: Int64.self)
                guard number <= 512 else {
                    isReached.signal()
                    throw StoreError(.undecodable, "")
                }
                return number
            }
            for number in 1...512 as ClosedRange<Int64> { #expect(try stream.next() == number) }
            #expect(isReached.wait(timeout: .now() + .seconds(10)) == .success)
            stream.discard()
            try connection.execute(PostgresStatement("SELECT 1"))
        }
        #expect(connection.isUsable)
    }

    @Test func aConnectionThatEndsAmongManyRowsEndsThem() throws {
        let connection = try PostgresServer.connect()
        let other = try PostgresServer.connect()
        var count = 0
        let error = try #require(throws: StoreError.self) {
            try connection.transaction(.snapshot) {
                let stream = try connection.stream(Self.numbers(50_000_000), []) { try $0.value(0, as: Int64.self) }
                while try stream.next() != nil {
                    count += 1
                    guard count == 3000 else { continue }
                    let end = PostgresStatement("SELECT pg_terminate_backend($1)", .int4)
                    try other.execute(end, [.int4(connection.process)])
                }
            }
        }
        #expect(error.code == .connectionLost)
        #expect(!connection.isUsable)
    }

    // Another thread passes on rows of this size one by one.
    @Test func largeRowsArrive() throws {
        let connection = try PostgresServer.connect()
        try connection.transaction(.snapshot) {
            let sql = "SELECT repeat('x', 300000) FROM generate_series(1, 600) AS g"
            let stream = try connection.stream(PostgresStatement(sql), []) { row in
                try row.value(0, as: String.self).utf8.count
            }
            var count = 0
            while let size = try stream.next() {
                #expect(size == 300_000)
                count += 1
            }
            #expect(count == 600)
        }
    }

    @Test func needsATransaction() throws {
        let connection = try PostgresServer.connect()
        let error = try #require(throws: StoreError.self) { _ = try connection.stream(Self.numbers(1), []) { _ in 0 } }
        #expect(error.code == .misuse)
    }
}
