/// The part of a connection that inserts rows that other threads have turned into the bytes to send.
package protocol RowCopier {
    /// Returns what makes empty packages for rows of a table, or `nil` if the rows can be inserted only as cells.
    func packaging(for table: RowTable) throws -> (@Sendable () -> any RowPackage)?

    /// Inserts the rows of packages, after the changes that were made before.
    ///
    /// - Parameters:
    ///   - table: The table, for which the packages were made.
    ///   - next: A closure that returns the next package, or `nil` at the end. It must not use the connection. Its error
    ///     ends the insertion, and the rows before it remain.
    /// - Throws: `StoreError`, and errors thrown by the closure.
    func insert(into table: RowTable, packages next: () throws -> (any RowPackage)?) throws
}

/// Rows that were turned into the bytes that an engine sends, which one thread uses at a time.
package protocol RowPackage: AnyObject {
    /// The number of bytes.
    var byteCount: Int { get }

    /// Adds a row, which has a cell for each column of the table.
    ///
    /// - Throws: `StoreError` if a column cannot hold its cell.
    func append(_ row: [ColumnValue]) throws

    /// Passes the bytes to a closure in pieces, each of which is valid during the call.
    @unsafe func forEachPiece(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows
}
