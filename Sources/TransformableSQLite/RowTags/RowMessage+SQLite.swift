internal import GRDBSQLite
internal import TransformableStore

extension RowMessage {
    /// Calls a closure with the bytes of a row.
    ///
    /// - Parameters:
    ///   - values: The row's number, its version, and its cells, which are arguments of a function.
    ///   - columns: The columns.
    ///   - body: A closure that receives the bytes.
    /// - Returns: The result of the closure.
    /// - Throws: Errors thrown by the closure.
    static func withBytes<Result>(
        of values: UnsafeBufferPointer<OpaquePointer?>,
        _ columns: [RowSeal.Column],
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        let cells = unsafe values.reduce(0) { unsafe $0 + byteCount(of: $1) }
        let size = byteCount(columns: columns.count, cells: cells)
        return try unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { buffer in
            unsafe write(columns, to: buffer) { unsafe append(values[$0], to: $1, &$2) }
            return try unsafe body(UnsafeRawBufferPointer(buffer))
        }
    }

    private static func byteCount(of value: OpaquePointer?) -> Int {
        let kind = unsafe kind(of: value)
        switch kind {
        case .integer, .real, .null: return byteCount(kind: kind)
        case .text, .blob: return unsafe byteCount(kind: kind, content: bytes(of: value).count)
        }
    }

    private static func kind(of value: OpaquePointer?) -> PackedRow.Kind {
        unsafe PackedRow.Kind(rawValue: UInt8(truncatingIfNeeded: sqlite3_value_type(value))) ?? .null
    }

    private static func bytes(of value: OpaquePointer?) -> UnsafeRawBufferPointer {
        // Get the pointer first, because this determines the encoding that the length refers to.
        let start = unsafe sqlite3_value_blob(value)
        return unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }

    private static func append(_ value: OpaquePointer?, to buffer: UnsafeMutableRawBufferPointer, _ end: inout Int) {
        let kind = unsafe kind(of: value)
        switch kind {
        case .integer: unsafe append(sqlite3_value_int64(value), to: buffer, &end)
        case .real: unsafe append(sqlite3_value_double(value), to: buffer, &end)
        case .text, .blob: unsafe append(kind, bytes(of: value), to: buffer, &end)
        case .null: unsafe appendNull(to: buffer, &end)
        }
    }
}
