internal import Foundation
internal import Transformable
internal import TransformableStore

/// What a listing shows for one attribute of one object.
enum Cell: Equatable, Sendable {
    /// No value.
    case null
    /// Arbitrary text.
    case text(String)
    /// A number, a Boolean, or JSON, which is written the same in every notation.
    case literal(String)
    /// Any number of strings and literals.
    case list([Cell])
    /// Bytes that are not text: their kind and count.
    case bytes(kind: String, count: Int)
    /// Bytes that cannot be shown as a value: the reason and their count.
    case failure(CellFailure, count: Int)
}

/// The reason why stored bytes cannot be shown as a value.
enum CellFailure: String, CaseIterable, Sendable {
    /// The key that sealed them was not given.
    case sealed
    /// A stage of the expression is not registered.
    case unknown = "no transformer"
    /// The bytes were written by a different transformer than the one in the model.
    case disagrees = "different transformer"
    /// The bytes are damaged. They are kept unchanged.
    case damaged
    /// The bytes are in an external file, which is missing.
    case missing = "missing file"
    /// The bytes are in an external file, which is damaged.
    case damagedFile = "damaged file"

    /// Whether the stored bytes can be read.
    var keepsBytes: Bool { self != .missing && self != .damagedFile }
}

extension Cell {
    /// The cell on one line, truncated to what a table shows.
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

    /// The whole text of the cell, which a table may truncate.
    var text: String {
        switch self {
        case .text(let text), .literal(let text): text
        case .null, .list, .bytes, .failure: tableText
        }
    }

    /// The cell as a CSV field (RFC 4180).
    ///
    /// An empty field means no value, and `""` is empty text.
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

    /// Returns a Boolean value that indicates whether a listing shows a text in place of a value that it cannot read.
    ///
    /// White space in the text does not matter.
    static func isFailure(_ text: String) -> Bool {
        guard text.utf8.count < 100, text.hasPrefix("‹") || (text.hasPrefix("{") && text.contains("\"unreadable\""))
        else {
            return false
        }
        let count = Int(text.filter(\.isWholeNumber)) ?? 0
        let words = text.filter { !$0.isWhitespace }
        return CellFailure.allCases.map { Cell.failure($0, count: count) }.flatMap { [$0.tableText, $0.json] }
            .contains { shown in shown.filter { !$0.isWhitespace } == words }
    }

    /// Returns a Boolean value that indicates whether a text is what a listing shows for bytes that are not text.
    ///
    /// An object that is a value itself is shown without white space.
    static func isSummary(_ text: String) -> Bool {
        if text.hasPrefix("‹"), text.hasSuffix("›"), let comma = text.lastIndex(of: ",") {
            let count = Int(text[comma...].filter(\.isWholeNumber)) ?? 0
            return Cell.bytes(kind: String(text[..<comma].dropFirst()), count: count).tableText == text
        }
        guard text.hasPrefix("{\"bytes\": ") else { return false }
        var members = JSONMembers(ArraySlice(text.utf8))
        guard let first = try? members.next(), let count = first.text.flatMap({ Int($0) }),
            let second = try? members.next(), let kind = second.text
        else { return false }
        return Cell.bytes(kind: kind, count: count).json == text
    }

    /// Returns a list in one field, as in `1,2`.
    ///
    /// An empty list is no value.
    private static func listed(_ cells: [Cell]) -> Cell {
        cells.isEmpty ? .null : .literal(cells.map(\.csv).joined(separator: ","))
    }

    /// Compares bytes, because Swift treats a carriage return and a line feed as one character.
    private func needsQuotes(_ text: String) -> Bool {
        text.utf8.contains { [0x0A, 0x0D, 0x22, 0x2C].contains($0) }
    }

    private static let limit = 60

    private static func shortened(_ text: String) -> String {
        text.count > limit ? "\(text.prefix(limit - 1))…" : text
    }

    /// Doubles quotation marks by scalar, because Swift treats a quotation mark and a combining mark as one character.
    private func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" { result.unicodeScalars.append(scalar) }
            result.unicodeScalars.append(scalar)
        }
        return result + "\""
    }

    /// Creates a cell for a plain value.
    init(plain value: Any) {
        switch value {
        case let text as String: self = .text(text)
        case let bytes as Data: self = .bytes(kind: FileKind(sniffing: bytes).name, count: bytes.count)
        case let date as Date: self = .text(DateText.text(of: date))
        case let number as Decimal: self = .literal(DecimalText.text(of: number))
        case let id as UUID: self = .text(id.uuidString)
        case let url as URL: self = .text(URLText.text(of: url))
        case let number as any BinaryFloatingPoint: self = Self.number(number, isFinite: number.isFinite)
        default: self = .literal("\(value)")
        }
    }

    /// Returns a number as a literal, or as text if it is infinite or not a number, which JSON cannot represent.
    private static func number(_ number: Any, isFinite: Bool) -> Self {
        isFinite ? .literal("\(number)") : .text("\(number)")
    }

    /// Creates a cell for the text form of a value.
    ///
    /// JSON keeps its structure, and numbers are literals unless their transformer writes them differently.
    init(text bytes: Data, of value: Any) {
        let text = String(decoding: bytes, as: UTF8.self)
        switch value {
        case is String: self = .text(text)
        case is any BinaryInteger, is any BinaryFloatingPoint, is Bool:
            // An import reads the form of the transformer, such as 12.50 for 1250 cents.
            self = text == "\(value)" ? Self(plain: value) : .text(text)
        default:
            let isStructured = ["{", "["].contains(text.first)
            self = (isStructured ? JSONText.minified(bytes) : nil).map(Self.literal) ?? .text(text)
        }
    }
}

extension CellFailure {
    /// Creates a cell for an attribute that cannot be read.
    init(_ error: any Error) {
        let error = error as? StoreError
        switch error?.code {
        case .unresolvedTransformer: self = .unknown
        case .signatureMismatch: self = .disagrees
        case .missingBlob: self = .missing
        case .damagedBlob: self = .damagedFile
        default:
            let lacksKey = error?.transformerError.map { Session.current.keyErrors.lackingKey.contains($0.code) }
            self = lacksKey == true ? .sealed : .damaged
        }
    }
}
