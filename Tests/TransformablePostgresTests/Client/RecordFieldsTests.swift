import Foundation
import Testing
import TransformableModel

@testable import TransformablePostgres  // Rows in results are internal.

/// Rows in PostgreSQL's binary format: the number of fields, and the type, length, and bytes of each.
///
/// Each is the only element of an array, after the array's number of dimensions, flags, element type, count, and lower bound,
/// and the element's length.
@Suite struct RecordFieldsTests {
    // ARRAY[record_send(ROW(3::int4, 'Ä'::text, NULL::bytea, true))]
    private static let row: [UInt8] = [
        0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 17, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 43,
        0, 0, 0, 4, 0, 0, 0, 23, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 25, 0, 0, 0, 2, 0xC3, 0x84, 0, 0, 0, 17, 255, 255,
        255,
        255, 0, 0, 0, 16, 0, 0, 0, 1, 1,
    ]

    private func cells(_ bytes: [UInt8]) throws -> [ColumnValue] {
        try bytes.withUnsafeBytes { try RecordFields.cells(of: $0) }
    }

    @Test func readsFieldsAsCells() throws {
        #expect(try cells(Self.row) == [.integer(3), .text("Ä"), .null, .integer(1)])
        #expect(Self.row.withUnsafeBytes { RecordFields($0).first } == 3)
    }

    // ARRAY[record_send(ROW('-Infinity'::numeric))]
    @Test func keepsTheBytesOfAnInfiniteNumber() throws {
        let row: [UInt8] = [
            0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 17, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 20,
            0, 0, 0, 1, 0, 0, 6, 0xA4, 0, 0, 0, 8, 0, 0, 0, 0, 0xF0, 0, 0, 0x20,
        ]
        #expect(try cells(row) == [.blob(Data([0, 0, 0, 0, 0xF0, 0, 0, 0x20]))])
    }

    @Test(arguments: 0..<67) func rejectsTruncatedRecords(count: Int) {
        #expect(throws: StoreError(.corruptFile, "")) { try cells(Array(Self.row.prefix(count))) }
    }

    @Test(arguments: [0, 7, 11, 15, 19, 23, 24, 27, 28, 31, 32, 35, 40, 44, 58, 63])
    func rejectsDamagedRecords(position: Int) {
        var bytes = Self.row
        bytes[position] ^= 0x81
        #expect(throws: StoreError(.corruptFile, "")) { try cells(bytes) }
    }

    @Test func rejectsMoreBytes() {
        #expect(throws: StoreError(.corruptFile, "")) { try cells(Self.row + [0]) }
    }
}
