internal import CPostgres
internal import Foundation
package import TransformableModel

/// Writes the rows of a COPY.
package struct PostgresCopyWriter: ~Copyable {
    private let connection: PostgresConnection
    private let columnCount: Int
    private var buffer = WireBuffer(capacity: 2 * Self.chunkSize)
    private var missingCells = 0

    /// The size of what is passed to libpq at a time, in bytes.
    static let chunkSize = 65_536

    fileprivate init(_ connection: PostgresConnection, columnCount: Int) {
        self.connection = connection
        self.columnCount = columnCount
        for byte in CopyFormat.signature { buffer.append(byte) }
        // Flags, and the length of an extension of the header.
        buffer.append(Int32(0))
        buffer.append(Int32(0))
    }

    /// Begins a row, which must then be filled with a value for each column.
    package mutating func beginRow() throws(StoreError) {
        try prepareRow()
        buffer.append(Int16(columnCount))
        missingCells = columnCount
    }

    /// Writes a row that a closure appends to the buffer, beginning with the number of its columns.
    mutating func writeRow(_ append: (inout WireBuffer) throws -> Void) throws {
        try prepareRow()
        try append(&buffer)
    }

    /// Writes complete rows, whose bytes are sent as they are.
    @unsafe mutating func writeRows(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        try checkRow()
        if buffer.count > 0 { try send() }
        try unsafe connection.sendCopy(bytes)
    }

    /// Writes the value of the next column, or NULL.
    package mutating func write<Value: PostgresCodable>(_ value: Value?) throws(StoreError) {
        missingCells -= 1
        try buffer.appendCell(value)
    }

    /// Writes NULL into the next column.
    package mutating func writeNull() {
        missingCells -= 1
        buffer.append(Int32(-1))
    }

    /// Writes the value of the next column from bytes: those of a `bytea`, or the UTF-8 of a `text`.
    package mutating func write(bytes: UnsafeRawBufferPointer) throws(StoreError) {
        try buffer.requireRoom(for: bytes.count)
        missingCells -= 1
        buffer.append(Int32(bytes.count))
        unsafe buffer.append(bytes)
    }

    private mutating func prepareRow() throws(StoreError) {
        try checkRow()
        if buffer.count >= Self.chunkSize { try send() }
    }

    private func checkRow() throws(StoreError) {
        guard missingCells == 0 else {
            throw StoreError(.misuse, "a row of a COPY has \(columnCount - missingCells) of \(columnCount) values")
        }
    }

    private mutating func send() throws(StoreError) {
        try unsafe connection.sendCopy(buffer.bytes)
        buffer.removeAll()
    }

    fileprivate mutating func finish() throws(StoreError) {
        try checkRow()
        buffer.append(Int16(-1))
        try send()
    }
}

extension PostgresConnection {
    /// Copies rows into a table.
    ///
    /// Outside of a transaction, either all rows are inserted or none. libpq reports a row that the server rejects after
    /// the last one only, so copy many rows in batches.
    ///
    /// - Parameters:
    ///   - sql: A statement such as `COPY table (columns) FROM STDIN (FORMAT binary)`. The types of the values that are
    ///     written must be exactly those of the columns.
    ///   - body: What writes the rows.
    /// - Returns: The number of rows.
    /// - Throws: What the closure throws, or `StoreError`.
    @discardableResult
    package func copyIn(_ sql: String, _ body: (inout PostgresCopyWriter) throws -> Void) throws -> Int {
        try leavingPipeline {
            if !isInTransaction { loss = .connectionLost }
            var writer = PostgresCopyWriter(self, columnCount: try beginCopy(sql, PGRES_COPY_IN))
            do {
                try body(&writer)
                try writer.finish()
            } catch {
                throw cancelCopy(after: error)
            }
            if !isInTransaction { loss = .outcomeUnknown }
            guard unsafe PQputCopyEnd(handle, nil) == 1 else { throw lost() }
            try flush()
            roundTrips += 1
            return try finishStatement()
        }
    }

    /// Begins a COPY, and returns the number of columns.
    func beginCopy(_ sql: String, _ direction: ExecStatusType) throws -> Int {
        guard unsafe PQsendQuery(handle, sql) == 1 else { throw lost() }
        try flush()
        roundTrips += 1
        guard let result = try nextResult() else { throw lost() }
        guard result.status == direction else {
            let isError = result.status == PGRES_FATAL_ERROR
            let failure = isError ? error(for: result) : StoreError(.misuse, "the statement is not such a COPY")
            _ = try? finishStatement()
            throw failure
        }
        guard result.isBinary, result.columnCount > 0 else {
            throw cancelCopy(after: StoreError(.misuse, "the format of a COPY must be binary"))
        }
        return result.columnCount
    }

    /// Sends bytes of a COPY.
    fileprivate func sendCopy(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        guard let base = unsafe bytes.assumingMemoryBound(to: CChar.self).baseAddress else { return }
        guard unsafe PQputCopyData(handle, base, Int32(bytes.count)) == 1 else { throw lost() }
        try flush()
    }

    /// Ends a COPY that was not expected, or is no longer wanted.
    func skipCopy(_ direction: ExecStatusType) throws(StoreError) {
        guard direction == PGRES_COPY_IN else {
            while try nextCopyMessage() != nil {}
            return
        }
        guard unsafe PQputCopyEnd(handle, "canceled") == 1 else { throw lost() }
        try flush()
    }

    /// Ends a COPY without an effect, and returns the error that caused it: the server's, if it has one.
    private func cancelCopy(after failure: any Error) -> any Error {
        // If the server has ended the COPY, its error is the reason why the next bytes were not accepted.
        let isOver = unsafe PQputCopyEnd(handle, "canceled") != 1
        do {
            if !isOver { try flush() }
            try finishStatement()
        } catch {
            let isReason = isOver || (error as? StoreError)?.postgresError?.sqlState != "57014"
            return isReason ? error : failure
        }
        return failure
    }
}

/// The constants of the binary COPY format.
enum CopyFormat {
    static let signature = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00]
    /// The signature, the flags, and the length of the header's extension.
    static let headerSize = 19
}
