internal import Foundation
internal import TransformableStore

/// The fields of a row in PostgreSQL's binary format, whose memory serves one row after the other.
struct RowFields {
    private(set) var bytes: [UInt8] = []
    /// Where each field ends, or `nil` for NULL.
    private var ends: [Int?] = []

    private var count: Int { ends.count }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    mutating func appendNull() { ends.append(nil) }

    mutating func append(fieldIfPresent number: Int64?) {
        if let number { append(field: number) } else { appendNull() }
    }

    /// Ends a field, which consists of the bytes since the field before it.
    mutating func endField() { ends.append(bytes.count) }

    mutating func append(field number: some FixedWidthInteger) {
        append(number)
        endField()
    }

    mutating func append(field uuid: UUID) {
        unsafe withUnsafeBytes(of: uuid.uuid) { unsafe bytes.append(contentsOf: $0) }
        endField()
    }

    /// Appends the bytes of a string or blob.
    mutating func append(_ row: PackedRow, _ cell: Int) {
        row.lend(cell) { content in
            unsafe content.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        }
    }

    /// Appends a number, its highest byte first.
    mutating func append(_ number: some FixedWidthInteger) {
        unsafe withUnsafeBytes(of: number.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    /// Appends a value of one of the client's types.
    mutating func append(value: some PostgresCodable) throws {
        var buffer = WireBuffer(capacity: 64)
        try value.write(to: &buffer)
        unsafe bytes.append(contentsOf: buffer.bytes)
        endField()
    }

    /// Calls a closure with the bytes of each field, or with `nil` for NULL, and its position.
    private func forEach(_ body: (Int, UnsafeRawBufferPointer?) throws -> Void) rethrows {
        try unsafe bytes.withUnsafeBytes { buffer in
            var start = 0
            for (index, end) in ends.enumerated() {
                guard let end else {
                    try body(index, nil)
                    continue
                }
                try unsafe body(index, UnsafeRawBufferPointer(rebasing: buffer[start..<end]))
                start = end
            }
        }
    }

    /// Returns whether a row of the server has the same fields.
    ///
    /// SQLite does not keep the sign of zero in a column of real numbers, so both zeros are equal there.
    func isEqual(to row: borrowing PostgresRow, _ types: [ColumnType]) -> Bool {
        guard row.count == count, types.count == count else { return false }
        var isEqual = true
        unsafe forEach { index, field in
            guard let field = unsafe field else {
                isEqual = isEqual && row.isNull(index)
                return
            }
            let isSame = unsafe row.withBytes(index) { other in
                guard other.count == field.count else { return false }
                return unsafe other.elementsEqual(field)
                    || types[index] == .double && Self.isZero(other) && Self.isZero(field)
            }
            isEqual = isEqual && isSame == true
        }
        return isEqual
    }

    /// Returns whether the bytes of a real number are those of zero, whatever its sign.
    @unsafe private static func isZero(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe bytes.count == 8 && UInt64(bigEndianBytes: bytes) << 1 == 0
    }

    /// Writes the fields as a row of a COPY.
    func write(to writer: inout PostgresCopyWriter) throws {
        try writer.beginRow()
        try unsafe forEach { _, field in
            guard let field = unsafe field else { return writer.writeNull() }
            try unsafe writer.write(bytes: field)
        }
    }
}
