import Foundation
import Testing
import TransformableModel

// No honest server sends what must be refused.
@testable import TransformablePostgres

@Suite struct HostileValueTests {
    private func read<Value: PostgresCodable>(_ bytes: [UInt8], as type: Value.Type) throws -> Value {
        try unsafe bytes.withUnsafeBytes { try unsafe Value(wire: $0) }
    }

    private func requireLength<Value: PostgresCodable>(_ type: Value.Type, _ lengths: Int...) throws {
        for count in 0..<40 {
            let zeros = [UInt8](repeating: 0, count: count)
            guard !lengths.contains(count) else {
                _ = try read(zeros, as: type)
                continue
            }
            #expect(throws: StoreError(.corruptFile, ""), "\(type) of \(count) bytes") { try read(zeros, as: type) }
        }
    }

    @Test func refusesValuesOfTheWrongLength() throws {
        try requireLength(Bool.self, 1)
        try requireLength(Int16.self, 2)
        try requireLength(Int32.self, 4)
        try requireLength(Int64.self, 2, 4, 8)
        try requireLength(Double.self, 8)
        try requireLength(UUID.self, 16)
        try requireLength(PostgresNumeric.self, 8)
        try requireLength([Int64].self, 12)
    }

    @Test func refusesTextThatIsNotUTF8() {
        let error = #expect(throws: StoreError.self) { try read([0x61, 0xC3, 0x28], as: String.self) }
        #expect(error?.code == .corruptFile)
    }

    @Test(
        arguments: [
            // A count of groups that are not there, a group of 10,000, an unknown sign, too many digits after the point.
            [0, 2, 0, 0, 0, 0, 0, 0, 0, 1], [0, 1, 0, 0, 0, 0, 0, 0, 0x27, 0x10], [0, 0, 0, 0, 0x12, 0x34, 0, 0],
            [0, 0, 0, 0, 0, 0, 0x40, 0],
        ] as [[UInt8]]
    )
    func refusesMalformedNumbers(bytes: [UInt8]) {
        #expect(throws: StoreError(.corruptFile, "")) { try read(bytes, as: PostgresNumeric.self) }
    }

    /// The server is right, but no decimal number is infinite.
    @Test(arguments: [0xD0, 0xF0] as [UInt8]) func infinityCannotBeDecoded(sign: UInt8) {
        let bytes: [UInt8] = [0, 0, 0, 0, sign, 0, 0, 0]
        #expect(throws: StoreError(.undecodable, "")) { try read(bytes, as: PostgresNumeric.self) }
    }

    @Test(
        arguments: [
            // Two dimensions, a count that is not there, a NULL, another length.
            [0, 0, 0, 2], [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 20, 0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1],
            [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 20, 0, 0, 0, 1, 0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF],
            [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0],
        ] as [[UInt8]]
    )
    func refusesMalformedArrays(bytes: [UInt8]) {
        #expect(throws: StoreError(.corruptFile, "")) { try read(bytes, as: [Int64].self) }
    }

    /// Each is a count of groups, the weight of the first one, a sign, a scale, and the groups.
    @Test(
        arguments: [
            // Ten to the power of 164 and of 168; 168 digits after the point, and four more.
            ([0, 1, 0, 41, 0, 0, 0, 0, 0, 1], false), ([0, 1, 0, 42, 0, 0, 0, 0, 0, 1], true),
            ([0, 1, 0xFF, 0xD6, 0, 0, 0, 168, 0, 1], false), ([0, 1, 0xFF, 0xD5, 0, 0, 0, 172, 0, 1], true),
            // One with 1,000 and with 1,001 zeros after the point, and a header that ends too early.
            ([0, 1, 0, 0, 0, 0, 3, 0xE8, 0, 1], false), ([0, 1, 0, 0, 0, 0, 3, 0xE9, 0, 1], true),
            ([0, 1, 0x7F, 0xFF], false),
            // Infinity, its negative, and NaN.
            ([0, 0, 0, 0, 0xD0, 0, 0, 0], true), ([0, 0, 0, 0, 0xF0, 0, 0, 0], true),
            ([0, 0, 0, 0, 0xC0, 0, 0, 0], false),
        ] as [([UInt8], Bool)]
    )
    func knowsNumbersThatNoDecimalNumberHolds(bytes: [UInt8], isTooLong: Bool) {
        #expect(unsafe bytes.withUnsafeBytes { unsafe PostgresNumeric.exceedsDecimals(wire: $0) } == isTooLong)
    }

    /// The widest number that a few bytes stand for has 131,072 digits.
    @Test func limitsTheDigitsOfANumber() throws {
        let number = try read([0, 1, 0x7F, 0xFF, 0, 0, 0x3F, 0xFF, 0, 1], as: PostgresNumeric.self)
        #expect(number.text.utf8.count <= 131_072 + 1 + 16_383)
    }
}
