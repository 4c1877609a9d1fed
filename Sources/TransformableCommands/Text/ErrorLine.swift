/// What is written to a person about a failure: one line, fit for any terminal.
struct ErrorLine: CustomStringConvertible {
    private static let limit = 1000
    let description: String

    init(_ message: String) {
        let line = message.split(whereSeparator: \.isNewline).joined(separator: " ").prefix(Self.limit)
        description = "error: \(String(line).onOneLine)\(line.count == Self.limit ? "…" : "")"
    }
}
