internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import TransformableStore

/// A prepared statement that is bound and read through SQLite's C interface.
///
/// GRDB's text binding ends at a NUL, and its rows need an allocation for each column. Here, all text and blobs are
/// passed with their length.
@safe
final class SQLiteStatement: EngineStatement {
    private let pointer: OpaquePointer
    // Owns the object that `pointer` points to.
    private let owner: Statement
    private let connection: SQLiteConnection
    // Whether it has returned a row, and may return more.
    private var isRunning = false
    // The awaited access that the statement belongs to, if any. It ends when its task is canceled.
    private let access = Interruption.access

    /// Uses a statement from the connection's cache, or prepares it.
    ///
    /// A cached statement serves one caller at a time. Code that steps through many rows while other statements run
    /// needs a statement of its own.
    init(_ sql: String, on connection: SQLiteConnection, cached: Bool) throws {
        let database = connection.database
        self.connection = connection
        owner = try Failure.translate(at: database.path) {
            try cached ? database.cachedStatement(sql: sql) : database.makeStatement(sql: sql)
        }
        unsafe pointer = owner.sqliteStatement
        reset()
    }

    func reset() {
        isRunning = false
        unsafe sqlite3_reset(pointer)
    }

    /// Steps once, and returns whether there is a row.
    ///
    /// - Throws: `StoreError`, or `CancellationError` in an awaited read or write after its task is canceled. After an
    ///   error that has ended the transaction, the same error.
    func step() throws -> Bool {
        if let access, access.isOpen, Task.isCancelled {
            reset()
            throw CancellationError()
        }
        if !isRunning { try connection.requireTransaction() }
        let code = unsafe sqlite3_step(pointer)
        isRunning = code == SQLITE_ROW
        if isRunning { return true }
        if code == SQLITE_DONE { return false }
        let error = failure()
        connection.noteFailure(error)
        throw error
    }

    /// Whether the statement does not change a file, as far as SQLite can tell.
    var isReadOnly: Bool { unsafe sqlite3_stmt_readonly(pointer) != 0 }

    /// The number of values to be bound.
    var parameterCount: Int { unsafe Int(sqlite3_bind_parameter_count(pointer)) }

    /// The names of the columns of its rows.
    var columnNames: [String] { owner.columnNames }

    private func failure() -> any Error {
        let connection = unsafe sqlite3_db_handle(pointer)
        let path = unsafe sqlite3_db_filename(connection, "main").map { unsafe String(cString: $0) }
        let error = unsafe Interruption.error(
            sqlite: sqlite3_extended_errcode(connection),
            message: String(cString: sqlite3_errmsg(connection)),
            path: path
        )
        reset()
        return error
    }
}

// MARK: - Binding

extension SQLiteStatement {
    // SQLite copies the bytes before the call returns.
    private static var transient: sqlite3_destructor_type? {
        unsafe unsafeBitCast(-1, to: sqlite3_destructor_type?.self)
    }

    /// Binds a value to a parameter.
    ///
    /// Parameters are counted from 1.
    func bind(_ value: ColumnValue, at index: Int) throws {
        switch value {
        case .null: try check(unsafe sqlite3_bind_null(pointer, Int32(index)))
        case .integer(let number): try bind(number, at: index)
        case .real(let number): try check(unsafe sqlite3_bind_double(pointer, Int32(index), number))
        case .text(let text): try bind(text, at: index)
        case .brokenText(let bytes): try bind(bytes, at: index, asText: true)
        case .blob(let bytes): try bind(bytes, at: index, asText: false)
        }
    }

    func bind(_ number: Int64, at index: Int) throws {
        try check(unsafe sqlite3_bind_int64(pointer, Int32(index), number))
    }

    func bind(_ text: String, at index: Int) throws {
        var text = text
        let code = text.withUTF8 { utf8 in
            // An empty buffer may have no address, which SQLite would interpret as NULL.
            guard let base = utf8.baseAddress else {
                return unsafe sqlite3_bind_text(pointer, Int32(index), "", 0, Self.transient)
            }
            return unsafe base.withMemoryRebound(to: CChar.self, capacity: utf8.count) { characters in
                unsafe sqlite3_bind_text64(
                    pointer,
                    Int32(index),
                    characters,
                    sqlite3_uint64(utf8.count),
                    Self.transient,
                    UInt8(SQLITE_UTF8)
                )
            }
        }
        try check(code)
    }

    private func bind(_ bytes: Data, at index: Int, asText: Bool) throws {
        let code = unsafe bytes.withUnsafeBytes { buffer in
            let count = sqlite3_uint64(buffer.count)
            guard let base = buffer.baseAddress, count > 0 else {
                return asText
                    ? unsafe sqlite3_bind_text(pointer, Int32(index), "", 0, Self.transient)
                    : unsafe sqlite3_bind_zeroblob(pointer, Int32(index), 0)
            }
            guard asText else {
                return unsafe sqlite3_bind_blob64(pointer, Int32(index), base, count, Self.transient)
            }
            let characters = unsafe base.assumingMemoryBound(to: CChar.self)
            return unsafe sqlite3_bind_text64(
                pointer,
                Int32(index),
                characters,
                count,
                Self.transient,
                UInt8(SQLITE_UTF8)
            )
        }
        try check(code)
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw failure() }
    }
}

// MARK: - Reading

extension SQLiteStatement {
    func integer(_ index: Int) -> Int64 {
        unsafe sqlite3_column_int64(pointer, Int32(index))
    }

    /// A cell of the current row.
    ///
    /// Its bytes are owned by SQLite and are valid until the next step.
    @unsafe
    private struct Cell {
        var kind = PackedRow.Kind.null
        var number: UInt64 = 0
        var bytes = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    }

    private func cell(_ column: Int32) -> Cell {
        // One call per column that checks the statement. SQLite calls this value unprotected, because another thread
        // could change it, but the connection serves one thread at a time.
        let value = unsafe sqlite3_column_value(pointer, column)
        let kind = unsafe PackedRow.Kind(rawValue: UInt8(sqlite3_value_type(value))) ?? .null
        switch kind {
        case .integer:
            return unsafe Cell(kind: kind, number: UInt64(bitPattern: sqlite3_value_int64(value)))
        case .real: return unsafe Cell(kind: kind, number: sqlite3_value_double(value).bitPattern)
        case .text, .blob:
            // Get the blob's pointer first, because this determines the encoding that the length refers to.
            let base = unsafe sqlite3_value_blob(value)
            let count = unsafe Int(sqlite3_value_bytes(value))
            return unsafe Cell(kind: kind, bytes: UnsafeRawBufferPointer(start: base, count: base == nil ? 0 : count))
        case .null: return unsafe Cell()
        }
    }

    /// Packs the cells of the current row from an index on.
    func packedRow(from first: Int, count: Int) -> PackedRow {
        unsafe withUnsafeTemporaryAllocation(of: Cell.self, capacity: count) { cells in
            var size = count * PackedRow.headerSize
            for index in 0..<count {
                let cell = unsafe cell(Int32(first + index))
                unsafe size += cell.bytes.count
                unsafe cells.initializeElement(at: index, to: cell)
            }
            return unsafe PackedRow(count: count, size: size) { unsafe Self.pack(cells, into: $0) }
        }
    }

    /// Fills a buffer of exactly the right size.
    ///
    /// Every byte of it is written.
    private static func pack(_ cells: UnsafeMutableBufferPointer<Cell>, into buffer: UnsafeMutableRawBufferPointer) {
        var end = cells.count * PackedRow.headerSize
        for index in cells.indices {
            let cell = unsafe cells[index]
            let length = unsafe cell.bytes.count
            let hasBytes = unsafe cell.kind == .text || cell.kind == .blob
            let offset = index * PackedRow.headerSize
            unsafe buffer.storeBytes(
                of: PackedRow.header(cell.kind, length: length),
                toByteOffset: offset,
                as: UInt64.self
            )
            let payload = unsafe hasBytes ? UInt64(end) : cell.number
            unsafe buffer.storeBytes(of: payload, toByteOffset: offset + 8, as: UInt64.self)
            guard length > 0 else { continue }
            unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[end..<end + length]).copyMemory(from: cell.bytes)
            end += length
        }
    }
}
