package import Foundation

/// A prepared statement of an engine.
package protocol EngineStatement: AnyObject {
    /// Whether the statement does not change the database, as far as the engine can tell.
    var isReadOnly: Bool { get }
    /// The number of values to be bound.
    var parameterCount: Int { get }
    /// The names of the columns of its rows.
    var columnNames: [String] { get }

    /// Steps once, and returns whether there is a row.
    ///
    /// - Throws: `StoreError`, or `CancellationError` in an awaited read or write after its task is canceled.
    func step() throws -> Bool

    /// Ends the statement, so that it can run again.
    func reset()

    /// Binds a value to a parameter.
    ///
    /// Parameters are counted from 1.
    func bind(_ value: ColumnValue, at index: Int) throws
    func bind(_ number: Int64, at index: Int) throws
    func bind(_ text: String, at index: Int) throws

    /// Returns a number in the current row.
    func integer(_ index: Int) -> Int64

    /// Packs the cells of the current row from an index on.
    func packedRow(from first: Int, count: Int) -> PackedRow
}

extension EngineStatement {
    /// Runs a statement that returns no rows.
    package func run() throws {
        defer { reset() }
        while try step() {}
    }

    /// Runs a statement that returns no rows, with the given values.
    package func run(_ values: [ColumnValue]) throws {
        try bind(values)
        try run()
    }

    package func bind(_ values: [ColumnValue]) throws {
        for (index, value) in values.enumerated() {
            try bind(value, at: index + 1)
        }
    }
}

/// The bytes of a large cell.
package protocol EngineCell: AnyObject {
    /// The number of bytes.
    var count: Int { get }

    /// Returns the next bytes, and an empty value at the end.
    func read(upTo wanted: Int) throws(StoreError) -> Data
}

/// The number of rows and bytes in a batch, and of the rows that each of its statements asks for.
///
/// A server sends all rows of a statement, even if the batch is full before. The average of the first rows says how many of
/// the others fit.
struct BatchLimit {
    /// The number of rows that a batch begins with.
    private static let first = 4

    let rows: Int
    /// The number of bytes, which the last row may exceed.
    let bytes: Int

    /// Returns the number of rows to ask for next, or 0 if the batch is full.
    ///
    /// - Parameters:
    ///   - count: The number of rows in the batch so far.
    ///   - size: The number of bytes in them.
    /// - Returns: The number.
    func next(after count: Int, _ size: Int) -> Int {
        guard count < rows, size < bytes else { return 0 }
        guard count > 0 else { return min(Self.first, rows) }
        let average = max(size / count, 1)
        return min(rows - count, max((bytes - size) / average, 1))
    }
}
