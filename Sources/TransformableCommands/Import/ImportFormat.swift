internal import ArgumentParser

/// How the rows of an import are written.
enum ImportFormat: String, ExpressibleByArgument, CaseIterable {
    case csv
    case json

    /// The format that a file's extension names.
    init(of source: InputSource) throws(CommandError) {
        guard case .file(let path) = source else {
            throw CommandError(.usage, "say with --format what standard input holds: csv or json")
        }
        switch FilePath(path).fileExtension {
        case "csv": self = .csv
        case "json", "jsonl", "ndjson": self = .json
        default: throw CommandError(.usage, "say with --format what “\(path)” holds: csv or json")
        }
    }
}
