internal import GRDBSQLite
internal import TransformableStore

/// The bytes of a row that its tag covers, made from the arguments of a function.
@unsafe
struct RowMessage {
    private static let label: StaticString = "transformable row 1"
    private static let numberCount = MemoryLayout<UInt32>.size

    /// The row's number, its version, and its cells.
    private let values: UnsafeBufferPointer<OpaquePointer?>
    private let columns: [RowSeal.Column]

    init(_ values: UnsafeBufferPointer<OpaquePointer?>, _ columns: [RowSeal.Column]) {
        unsafe self.values = unsafe values
        unsafe self.columns = columns
    }

    /// Calls a closure with the bytes.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        let fixed = unsafe Self.label.utf8CodeUnitCount + (1 + columns.count) * Self.numberCount
        let count = unsafe values.reduce(fixed) { unsafe $0 + Self.count(of: $1) }
        return try unsafe withUnsafeTemporaryAllocation(byteCount: count, alignment: 8) { buffer in
            unsafe write(to: buffer)
            return try unsafe body(UnsafeRawBufferPointer(buffer))
        }
    }

    private func write(to buffer: UnsafeMutableRawBufferPointer) {
        unsafe buffer.copyMemory(
            from: UnsafeRawBufferPointer(start: Self.label.utf8Start, count: Self.label.utf8CodeUnitCount)
        )
        var end = unsafe Self.label.utf8CodeUnitCount
        for index in 0..<2 { unsafe Self.append(values[index], to: buffer, &end) }
        unsafe Self.append(UInt32(columns.count), to: buffer, &end)
        for index in unsafe columns.indices {
            unsafe Self.append(columns[index].number, to: buffer, &end)
            unsafe Self.append(values[index + 2], to: buffer, &end)
        }
    }

    /// Returns the size of a value: its kind, followed by the 8 bytes of a number, or by a byte count and the bytes.
    private static func count(of value: OpaquePointer?) -> Int {
        switch unsafe sqlite3_value_type(value) {
        case SQLITE_INTEGER, SQLITE_FLOAT: 9
        case SQLITE_TEXT, SQLITE_BLOB: unsafe 9 + bytes(of: value).count
        default: 1
        }
    }

    private static func bytes(of value: OpaquePointer?) -> UnsafeRawBufferPointer {
        // Get the pointer first, because this determines the encoding that the length refers to.
        let start = unsafe sqlite3_value_blob(value)
        return unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }

    private static func append(_ value: OpaquePointer?, to buffer: UnsafeMutableRawBufferPointer, _ end: inout Int) {
        let kind = unsafe sqlite3_value_type(value)
        unsafe buffer[end] = UInt8(truncatingIfNeeded: kind)
        end += 1
        switch kind {
        case SQLITE_INTEGER: unsafe append(sqlite3_value_int64(value), to: buffer, &end)
        case SQLITE_FLOAT:
            // SQLite stores -0 as 0.
            let number = unsafe sqlite3_value_double(value)
            unsafe append(number == 0 ? 0 : number.bitPattern, to: buffer, &end)
        case SQLITE_TEXT, SQLITE_BLOB:
            let bytes = unsafe bytes(of: value)
            unsafe append(Int64(bytes.count), to: buffer, &end)
            unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[end..<end + bytes.count]).copyMemory(from: bytes)
            end += bytes.count
        default: break
        }
    }

    private static func append(
        _ number: some FixedWidthInteger,
        to buffer: UnsafeMutableRawBufferPointer,
        _ end: inout Int
    ) {
        unsafe buffer.storeBytes(of: number.littleEndian, toByteOffset: end, as: type(of: number))
        end += number.bitWidth / 8
    }
}
