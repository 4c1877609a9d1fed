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
            let stream = try connection.stream(Self.numbers(1000), []) { numbers.append(try $0.value(0)) }
            #expect(try stream.receive())
            #expect(numbers == [1])
            while try stream.receive() {}
            #expect(try !stream.receive())
        }
        #expect(numbers == Array(1...1000))
        #expect(connection.isUsable)
    }

    @Test func anotherStatementReceivesTheRestFirst() throws {
        let connection = try PostgresServer.connect()
        var numbers: [Int64] = []
        try connection.transaction(.snapshot) {
            let stream = try connection.stream(Self.numbers(1000), []) { numbers.append(try $0.value(0)) }
            #expect(try stream.receive())
            #expect(try connection.rows(PostgresStatement("SELECT 7::int8")) { try $0.value(0, as: Int64.self) } == [7])
            #expect(numbers.count == 1000)
            #expect(try !stream.receive())
        }
    }

    @Test func ignoresTheRestOfRowsThatAreNotWanted() throws {
        let connection = try PostgresServer.connect()
        var count = 0
        try connection.transaction(.snapshot) {
            let stream = try connection.stream(Self.numbers(100_000), []) { _ in count += 1 }
            #expect(try stream.receive())
            stream.discard()
        }
        #expect(count == 1)
        #expect(connection.isUsable)
    }

    @Test func reportsAnErrorAfterTheRowsBeforeIt() throws {
        let connection = try PostgresServer.connect()
        var numbers: [Int64] = []
        let quotients = PostgresStatement("SELECT (6 / (3 - g))::int8 FROM generate_series(1, 9) AS g")
        let error = try #require(throws: StoreError.self) {
            try connection.transaction {
                let stream = try connection.stream(quotients, []) { numbers.append(try $0.value(0)) }
                while try stream.receive() {}
            }
        }
        #expect(error.code == .invalidValue)
        #expect(numbers == [3, 6])
        #expect(connection.isUsable)
    }

    @Test func anErrorInTheRestIsThrownByTheNextStatement() throws {
        let connection = try PostgresServer.connect()
        let quotients = PostgresStatement("SELECT (6 / (3 - g))::int8 FROM generate_series(1, 9) AS g")
        #expect(throws: StoreError.self) {
            try connection.transaction {
                let stream = try connection.stream(quotients, []) { _ in }
                #expect(try stream.receive())
                try connection.execute(PostgresStatement("SELECT 1"))
            }
        }
        #expect(connection.isUsable)
        // Nothing is committed after an error that nobody has asked for.
        #expect(throws: StoreError.self) {
            try connection.transaction { try connection.stream(quotients, []) { _ in }.discard() }
        }
        #expect(connection.isUsable)
    }

    @Test func aMalformedValueEndsTheRows() throws {
        let connection = try PostgresServer.connect()
        let error = try #require(throws: StoreError.self) {
            try connection.transaction(.snapshot) {
                let stream = try connection.stream(Self.numbers(10), []) { _ = try $0.value(0, as: String.self) }
                while try stream.receive() {}
            }
        }
        #expect(error.code == .wrongType)
        #expect(connection.isUsable)
    }

    @Test func needsATransaction() throws {
        let connection = try PostgresServer.connect()
        let error = try #require(throws: StoreError.self) { _ = try connection.stream(Self.numbers(1), []) { _ in } }
        #expect(error.code == .misuse)
    }
}
