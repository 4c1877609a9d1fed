internal import CPostgres
internal import Foundation
internal import TransformableModel

extension PostgresConnection {
    /// Copies rows out of a table, and passes them to a closure as they arrive.
    ///
    /// Rows that are copied take about half the time of those that a query returns. The types of their columns are not
    /// checked: the closure must read each column as what it is.
    ///
    /// - Parameters:
    ///   - sql: A statement such as `COPY table (columns) TO STDOUT (FORMAT binary)`.
    ///   - body: What reads a row. If it throws, the rest of the rows are received and ignored.
    /// - Returns: The number of rows.
    /// - Throws: What the closure throws, or `StoreError`.
    @discardableResult
    package func copyOut(_ sql: String, _ body: RowHandler) throws -> Int {
        try leavingPipeline {
            if !isInTransaction { loss = .connectionLost }
            var parser = CopyParser(columnCount: try beginCopy(sql, PGRES_COPY_OUT))
            var failure: (any Error)?
            while let message = try nextCopyMessage() {
                guard failure == nil else { continue }
                do {
                    try unsafe parser.read(message.bytes, body)
                } catch {
                    failure = error
                }
            }
            try finishStatement()
            if let failure { throw failure }
            return try parser.finish()
        }
    }

    /// Waits for the next part of a COPY: `nil` at its end.
    func nextCopyMessage() throws(StoreError) -> CopyMessage? {
        while true {
            var start: UnsafeMutablePointer<CChar>?
            let count = unsafe PQgetCopyData(handle, &start, 1)
            if count > 0, let start = unsafe start { return unsafe CopyMessage(start, Int(count)) }
            // Both the end of the data and an error are followed by a result that says more.
            guard count == 0 else { return nil }
            _ = unsafe Self.wait(for: PQsocket(handle), Int16(POLLIN))
            guard unsafe PQconsumeInput(handle) == 1 else { return nil }
            discardNotifications()
        }
    }
}

/// A part of a COPY, which libpq allocated.
@safe
struct CopyMessage: ~Copyable {
    private let start: UnsafeMutablePointer<CChar>
    private let count: Int

    @unsafe fileprivate init(_ start: UnsafeMutablePointer<CChar>, _ count: Int) {
        unsafe self.start = start
        self.count = count
    }

    deinit {
        unsafe PQfreemem(start)
    }

    @unsafe var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: start, count: count) }
}

/// Reads the binary COPY format.
///
/// Servers send a row in each message, but the protocol does not say so: a row may begin in one message and end in
/// another.
struct CopyParser: ~Copyable {
    private let columnCount: Int
    private var row = PostgresRow()
    private var rest = WireBuffer()
    private var hasHeader = false
    private var isAtEnd = false
    private var count = 0

    init(columnCount: Int) {
        self.columnCount = columnCount
        row.begin(columns: columnCount)
    }

    /// Reads the rows that end in a message.
    @unsafe mutating func read(
        _ message: UnsafeRawBufferPointer,
        _ body: PostgresConnection.RowHandler
    ) throws {
        guard rest.count > 0 else { return unsafe try keep(message, from: consume(message, body)) }
        unsafe rest.append(message)
        let joined = unsafe rest.bytes
        let end = try unsafe consume(joined, body)
        guard end > 0 else { return }
        var remaining = WireBuffer()
        unsafe remaining.append(UnsafeRawBufferPointer(rebasing: joined[end...]))
        rest = remaining
    }

    @unsafe private mutating func keep(_ bytes: UnsafeRawBufferPointer, from start: Int) throws {
        guard start < bytes.count else { return }
        unsafe rest.append(UnsafeRawBufferPointer(rebasing: bytes[start...]))
    }

    /// Reads as many rows as the bytes contain, and returns the number of bytes that it read.
    @unsafe private mutating func consume(
        _ bytes: UnsafeRawBufferPointer,
        _ body: PostgresConnection.RowHandler
    ) throws -> Int {
        var position = 0
        if !hasHeader {
            guard let end = try unsafe Self.headerEnd(bytes) else { return 0 }
            position = end
            hasHeader = true
        }
        while let end = try unsafe rowEnd(bytes, from: position) {
            position = end
            guard !isAtEnd else {
                guard position == bytes.count else { throw StoreError.malformedCopy }
                break
            }
            count += 1
            try body(row)
        }
        return position
    }

    /// Returns the end of the header, or `nil` if it is not complete.
    @unsafe private static func headerEnd(_ bytes: UnsafeRawBufferPointer) throws(StoreError) -> Int? {
        guard bytes.count >= CopyFormat.headerSize else { return nil }
        guard unsafe bytes.starts(with: CopyFormat.signature) else { throw .malformedCopy }
        let flags = unsafe UInt32(bigEndianBytes: .init(rebasing: bytes[11..<15]))
        let length = unsafe Int(Int32(bigEndianBytes: .init(rebasing: bytes[15..<19])))
        // Bits 16 to 31 are those that a reader must know.
        guard flags >> 16 == 0, (0...WireBuffer.largestCell).contains(length) else { throw .malformedCopy }
        let end = CopyFormat.headerSize + length
        return end <= bytes.count ? end : nil
    }

    /// Points the row's columns to the next row, and returns its end, or `nil` if it is not complete.
    @unsafe private mutating func rowEnd(_ bytes: UnsafeRawBufferPointer, from start: Int) throws(StoreError) -> Int? {
        guard start + 2 <= bytes.count else { return nil }
        let columns = unsafe Int(Int16(bigEndianBytes: .init(rebasing: bytes[start..<start + 2])))
        guard !isAtEnd, columns == columnCount || columns == -1 else { throw .malformedCopy }
        isAtEnd = columns == -1
        var position = start + 2
        for column in 0..<max(columns, 0) {
            guard position + 4 <= bytes.count else { return nil }
            let length = unsafe Int(Int32(bigEndianBytes: .init(rebasing: bytes[position..<position + 4])))
            guard (-1...WireBuffer.largestCell).contains(length) else { throw .malformedCopy }
            position += 4
            let end = position + max(length, 0)
            guard end <= bytes.count else { return nil }
            unsafe row.set(column, to: length < 0 ? nil : UnsafeRawBufferPointer(rebasing: bytes[position..<end]))
            position = end
        }
        return position
    }

    /// Checks that nothing is missing, and returns the number of rows.
    func finish() throws(StoreError) -> Int {
        guard isAtEnd, rest.count == 0 else { throw .malformedCopy }
        return count
    }
}

extension StoreError {
    fileprivate static var malformedCopy: Self {
        Self(.corruptFile, "the server sent rows that do not follow PostgreSQL's binary COPY format")
    }
}
