/// A row on its way into a store.
struct ImportRow: Sendable {
    /// Where it begins in its file, counted from 1.
    let line: Int
    /// Texts for attributes, each with the attribute's place among those of the file; nil is no value.
    let fields: [(column: Int, text: String?)]
}

/// Reads rows one by one.
protocol RowReader {
    /// The next row; nil at the end.
    mutating func next() throws(CommandError) -> ImportRow?
}

/// What a row may have at most: 64 MiB.
let rowLimit = 1 << 26

extension CommandError {
    /// A row that is not what its format says.
    static func badRow(_ line: Int, _ message: String) -> Self {
        Self(.badInput, "line \(line): \(message)")
    }
}

/// What went wrong with a row.
struct RowFailure: Error {
    let line: Int
    let underlying: any Error
}
