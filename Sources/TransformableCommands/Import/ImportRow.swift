internal import ArgumentParser

/// A row to insert into a store.
struct ImportRow: Sendable {
    /// The line that the row starts on, counted from 1.
    let line: Int
    /// The text of each field and the position of its attribute.
    ///
    /// A nil text means no value.
    let fields: [(column: Int, text: String?)]
}

/// Reads rows one at a time.
protocol RowReader {
    /// Returns the next row, or nil at the end.
    mutating func next() throws(CommandError) -> ImportRow?
}

/// The maximum size of a row: 64 MiB.
let rowLimit = 1 << 26

extension CommandError {
    /// Returns the error for a malformed row.
    static func badRow(_ line: Int, _ message: String) -> Self {
        Self(.badInput, "line \(line): \(message)")
    }
}

/// An error in a row.
struct RowFailure: Error {
    let line: Int
    let underlying: any Error
}

/// The format of the rows to import.
enum ImportFormat: String, ExpressibleByArgument, CaseIterable {
    case csv
    case json

    /// Returns the format that corresponds to the file's extension.
    init(of source: InputSource) throws(CommandError) {
        guard case .file(let path) = source else {
            throw CommandError(.usage, "the format of standard input is unknown; specify --format csv or --format json")
        }
        switch FilePath(path).fileExtension {
        case "csv": self = .csv
        case "json", "jsonl", "ndjson": self = .json
        default: throw CommandError(.usage, "the format of “\(path)” is unknown; specify --format csv or --format json")
        }
    }
}
