internal import ArgumentParser

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
