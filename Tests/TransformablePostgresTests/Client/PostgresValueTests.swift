import Foundation
import Testing
import TransformableModel
import TransformablePostgres
import _PostgresServer

@Suite(.needsPostgres) struct PostgresValueTests {
    /// A value and what the server writes for it.
    struct Sample: CustomTestStringConvertible, Sendable {
        let value: PostgresValue
        let text: String

        init(_ value: PostgresValue, _ text: String) {
            self.value = value
            self.text = text
        }

        var testDescription: String { "\(value.type.map { "\($0)" } ?? "null") \(text.prefix(30))" }
    }

    private static let samples: [Sample] = [
        Sample(.bool(true), "true"),
        Sample(.bool(false), "false"),
        Sample(.int2(-32_768), "-32768"),
        Sample(.int4(2_147_483_647), "2147483647"),
        Sample(.int8(-9_223_372_036_854_775_808), "-9223372036854775808"),
        Sample(.float8(0.1), "0.1"),
        Sample(.float8(-0.0), "-0"),
        Sample(.float8(.infinity), "Infinity"),
        Sample(.float8(.leastNonzeroMagnitude), "5e-324"),
        Sample(.text(""), ""),
        Sample(.text("Zoë 👩‍⚕️"), "Zoë 👩‍⚕️"),
        Sample(.bytea(Data()), "\\x"),
        Sample(.bytea(Data([0, 0xFF, 0x80])), "\\x00ff80"),
        Sample(
            .uuid(UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))),
            "00010203-0405-0607-0809-0a0b0c0d0e0f"
        ),
        Sample(.int8Array([]), "{}"),
        Sample(.int8Array([1, -2, 9_000_000_000]), "{1,-2,9000000000}"),
    ]

    @Test(arguments: samples)
    func sendsAndReceives(sample: Sample) throws {
        let connection = try PostgresServer.connect()
        let type = try #require(sample.value.type)
        let statement = PostgresStatement("SELECT $1, $1::text", type)
        let rows = try connection.rows(statement, [sample.value]) { row in
            (try row.value(0, of: type), try row.value(1, as: String.self))
        }
        #expect(rows.count == 1)
        #expect(rows.first?.0 == sample.value)
        #expect(rows.first?.1 == sample.text)
    }

    @Test(arguments: [PostgresType.bool, .bytea, .int8, .text, .float8, .numeric, .uuid, .int8Array])
    func sendsAndReceivesNULL(type: PostgresType) throws {
        let connection = try PostgresServer.connect()
        let rows = try connection.rows(PostgresStatement("SELECT $1", type), [.null]) { row in
            (row.isNull(0), try row.value(0, of: type))
        }
        #expect(rows.first?.0 == true)
        #expect(rows.first?.1 == .null)
    }

    @Test func keepsEveryBitOfADouble() throws {
        let connection = try PostgresServer.connect()
        let signaling = Double(bitPattern: 0x7FF8_0000_0000_1234)
        let bits = try connection.rows(PostgresStatement("SELECT $1", .float8), [.float8(signaling)]) { row in
            try row.value(0, as: Double.self).bitPattern
        }
        #expect(bits == [0x7FF8_0000_0000_1234])
    }

    @Test(arguments: [
        "0", "1", "-1", "0.5", "1.50", "10000", "9999", "10000.0001", "0.00001",
        "-123456789012345678901234567890.123456789",
        "99990000", "0.0000", "100000000000000000000", "NaN", "12345678.000000000000000000001", "0.00000000123400",
        "-1000000000000000000000000000000000000000", "1234567.0000000", "0.1234",
    ])
    func writesNumbersAsTheServerDoes(text: String) throws {
        let connection = try PostgresServer.connect()
        let statement = PostgresStatement("SELECT $1::text, $2::numeric, $1 = $2::numeric", .numeric, .text)
        let rows = try connection.rows(statement, [.numeric(PostgresNumeric(text)), .text(text)]) { row in
            (
                try row.value(0, as: String.self), try row.value(1, as: PostgresNumeric.self),
                try row.value(2, as: Bool.self)
            )
        }
        #expect(rows.first?.0 == text)
        #expect(rows.first?.1.text == text)
        #expect(rows.first?.2 == true)
    }

    @Test(arguments: ["", "-", "1.", ".5", "1e5", "1,5", "--1", " 1", "Infinity", "१"])
    func refusesTextThatIsNoNumber(text: String) throws {
        let error = try #require(throws: StoreError.self) { try PostgresNumeric(text) }
        #expect(error.code == .invalidValue)
    }

    @Test func refusesTextWithNULBeforeItIsSent() throws {
        let connection = try PostgresServer.connect()
        let error = try #require(throws: StoreError.self) {
            try connection.execute(PostgresStatement("SELECT $1", .text), [.text("a\0b")])
        }
        #expect(error.code == .invalidValue)
        #expect(connection.roundTrips == 0)
        #expect(connection.isUsable)
    }

    @Test func refusesToReadAnotherType() throws {
        let connection = try PostgresServer.connect()
        let error = try #require(throws: StoreError.self) {
            try connection.query(PostgresStatement("SELECT 1.5::float8")) { _ = try $0.value(0, as: Int64.self) }
        }
        #expect(error.code == .wrongType)
        #expect(connection.isUsable)
    }

    @Test func refusesParametersOfAnotherType() throws {
        let connection = try PostgresServer.connect()
        for values: [PostgresValue] in [[.int4(1)], [], [.int8(1), .int8(2)]] {
            let error = try #require(throws: StoreError.self) {
                try connection.execute(PostgresStatement("SELECT $1", .int8), values)
            }
            #expect(error.code == .misuse)
        }
    }
}

extension PostgresRow {
    /// Returns the value of a column of a type.
    fileprivate func value(_ column: Int, of type: PostgresType) throws -> PostgresValue {
        switch type {
        case .bool: try valueIfPresent(column).map(PostgresValue.bool) ?? .null
        case .bytea: try valueIfPresent(column).map(PostgresValue.bytea) ?? .null
        case .int8: try valueIfPresent(column).map(PostgresValue.int8) ?? .null
        case .int2: try valueIfPresent(column).map(PostgresValue.int2) ?? .null
        case .int4: try valueIfPresent(column).map(PostgresValue.int4) ?? .null
        case .text: try valueIfPresent(column).map(PostgresValue.text) ?? .null
        case .float8: try valueIfPresent(column).map(PostgresValue.float8) ?? .null
        case .int8Array: try valueIfPresent(column).map(PostgresValue.int8Array) ?? .null
        case .numeric: try valueIfPresent(column).map(PostgresValue.numeric) ?? .null
        case .uuid: try valueIfPresent(column).map(PostgresValue.uuid) ?? .null
        case .byteaArray: throw StoreError(.wrongType, "a parameter cannot be an array of bytes")
        }
    }
}
