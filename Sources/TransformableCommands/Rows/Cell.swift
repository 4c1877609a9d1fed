internal import Transformable

/// What a listing shows of one attribute of one object.
enum Cell: Equatable, Sendable {
    /// No value.
    case null
    /// Text that may hold anything.
    case text(String)
    /// A number, a truth value or JSON: the same in every notation.
    case literal(String)
    /// Any number of texts and literals.
    case list([Cell])
    /// Bytes that are no text: what they are, and how many.
    case bytes(kind: String, count: Int)
    /// Bytes that give no value here: why, and how many there are.
    case failure(CellFailure, count: Int)
}

/// Why stored bytes give no value.
enum CellFailure: String, Sendable {
    /// The key that sealed them is not at hand.
    case sealed
    /// A stage of the expression is not registered here.
    case unknown = "no transformer"
    /// Another transformer wrote them than the one that the model names now.
    case disagrees = "another transformer"
    /// They are not what the transformer wrote; they stay as they are.
    case damaged
    /// They lie in a file of their own, which is not there.
    case missing = "missing file"
    /// They lie in a file of their own, which has not what was written.
    case damagedFile = "damaged file"

    /// Whether there are bytes that can be had as they are.
    var keepsBytes: Bool { self != .missing && self != .damagedFile }
}

extension Cell {
    /// The cell on one line, for a person; what is longer than a table shows is cut off.
    var tableText: String {
        switch self {
        case .null: "NULL"
        case .text(let text), .literal(let text): Self.shortened(String(text.prefix(Self.limit + 1)).onOneLine)
        case .list(let cells): Self.shortened(cells.prefix(Self.limit).map(\.tableText).joined(separator: ", "))
        case .bytes(let kind, let count): "‹\(kind), \(count.counted("byte"))›"
        case .failure(let failure, let count):
            failure.keepsBytes ? "‹\(failure.rawValue), \(count.counted("byte"))›" : "‹\(failure.rawValue)›"
        }
    }

    /// The cell as comma-separated values have it (RFC 4180): empty is no value, and `""` is empty text.
    var csv: String {
        switch self {
        case .null: ""
        case .literal(let text): needsQuotes(text) ? quoted(text) : text
        case .text(let text): text.isEmpty || needsQuotes(text) ? quoted(text) : text
        case .list(let cells): Cell.listed(cells).csv
        case .bytes, .failure: quoted(tableText)
        }
    }

    /// The cell as JSON.
    var json: String {
        switch self {
        case .null: "null"
        case .text(let text): JSONText.string(text)
        case .literal(let text): text
        case .list(let cells): "[\(cells.map(\.json).joined(separator: ", "))]"
        case .bytes(let kind, let count): "{\"bytes\": \(count), \"kind\": \(JSONText.string(kind))}"
        case .failure(let failure, let count):
            "{\"bytes\": \(count), \"unreadable\": \(JSONText.string(failure.rawValue))}"
        }
    }

    /// A list in one field: `1,2`; an empty one is no value.
    private static func listed(_ cells: [Cell]) -> Cell {
        cells.isEmpty ? .null : .literal(cells.map(\.csv).joined(separator: ","))
    }

    /// By bytes, since a carriage return and a line feed are one character to Swift.
    private func needsQuotes(_ text: String) -> Bool {
        text.utf8.contains { [0x0A, 0x0D, 0x22, 0x2C].contains($0) }
    }

    private static let limit = 60

    private static func shortened(_ text: String) -> String {
        text.count > limit ? "\(text.prefix(limit - 1))…" : text
    }

    private func quoted(_ text: String) -> String {
        "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
