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
