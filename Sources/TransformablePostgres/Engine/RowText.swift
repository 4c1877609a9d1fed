internal import Foundation
internal import TransformableStore

/// What the text of a statement says about the rows whose tags are to be checked.
///
/// The server's description of the statement says this too, but the tags exist to protect against the server.
struct RowText: Sendable {
    /// The columns that contain such rows.
    ///
    /// A program's own statement may have several.
    let rows: [Int]
    /// The columns that contain rows of related objects, or nothing.
    let related: Set<Int>
    /// The numbers of the entities that the rows may belong to, which are negative for rows with pending changes, and
    /// less than that for related rows.
    let entities: Set<Int64>
    /// What the statement can have in place of a row.
    let hasExemptions: Bool
    private let items: [SelectItem]

    /// - Parameter sql: The statement in PostgreSQL's SQL.
    init(_ sql: String) {
        let parts = sql.components(separatedBy: RowSeal.rowStart)
        entities = Set(parts.dropFirst().compactMap { Int64($0.prefix { $0 == "-" || $0.isNumber }) })
        hasExemptions = sql.contains(RowSeal.exemption)
        // The positions after a star depend on the columns of the table. The store's own statements have none.
        let items = parts.count > 1 ? Array(SelectItem.all(of: sql).prefix { !$0.isStar }) : []
        self.items = items
        rows = items.indices.filter { items[$0].isRow }
        related = Set(items.indices.filter { items[$0].isRelated })
    }

    /// Returns the columns of the statement before one of them, by their names.
    ///
    /// The columns after it may have the same names, and be computed from related objects.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - described: The names that the server reports, for columns that the text does not name.
    /// - Returns: The positions of the columns.
    func columns(before column: Int, _ described: [String]) -> [String: Int] {
        let text = items.prefix(column).enumerated()
        let named = text.compactMap { index, item in item.name.map { (name: $0, index: index, isPlain: item.isPlain) } }
        // If the statement gives the name to something else, it does not name the column.
        let order = named.filter(\.isPlain) + named.filter { !$0.isPlain }
        let known = Dictionary(order.map { ($0.name, $0.index) }) { first, _ in first }
        return known.merging(zip(described.prefix(column), 0...)) { first, _ in first }
    }
}

/// An item of the list of a statement's first `SELECT`.
private struct SelectItem {
    /// The quoted name at its end, if it has one.
    let name: String?
    /// Whether it is a column, which may follow the name of a table.
    let isPlain: Bool
    /// Whether it is all columns of a table.
    let isStar: Bool
    /// Whether it is a row, or a placeholder for a row in a statement that has rows elsewhere.
    let isRow: Bool
    /// Whether it is the row of a related object.
    var isRelated: Bool { name?.hasPrefix(RowSeal.relatedPrefix) == true }

    private init(_ text: String) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
        let name = text.last == "\"" && parts.count >= 3 ? String(parts[parts.count - 2]) : nil
        // Between the names of a table and its column, there is a period.
        let between = parts.indices.filter { $0.isMultiple(of: 2) }.map { parts[$0] }
        let isPlain = name != nil && between.allSatisfy { $0.isEmpty || $0 == "." }
        isStar = text.last == "*"
        isRow = text.hasPrefix(RowSeal.rowStart) || text == RowSeal.exemption || isPlain && name == RowSeal.column.name
        (self.name, self.isPlain) = (name, isPlain)
    }

    static func all(of sql: String) -> [Self] {
        var scan = ListScan(sql)
        scan.run()
        return scan.items.map(Self.init)
    }
}

/// Finds the items of a statement's first `SELECT` outside parentheses.
///
/// The `SELECT` of a common table expression is in parentheses.
private struct ListScan {
    private static let ends: Set = ["FROM", "WHERE", "UNION", "ORDER", "LIMIT", "GROUP"]

    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0
    // Where the current item begins.
    private var start: Int?
    private var isOver = false
    private(set) var items: [String] = []

    init(_ sql: String) {
        bytes = Array(sql.utf8)
    }

    mutating func run() {
        while index < bytes.count, !isOver {
            switch bytes[index] {
            case UInt8(ascii: "'"), UInt8(ascii: "\""): skipQuotes()
            case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ",") where depth == 0: endItem()
            case let byte where depth == 0 && Self.isLetter(byte): word()
            default: break
            }
            index += 1
        }
        if !isOver { endItem() }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    /// Goes on to the end of quotes.
    ///
    /// A doubled quotation mark ends one quotation and begins another.
    private mutating func skipQuotes() {
        index = bytes[(index + 1)...].firstIndex(of: bytes[index]) ?? bytes.count - 1
    }

    private mutating func endItem() {
        guard let start else { return }
        items.append(String(decoding: bytes[start..<min(index, bytes.count)], as: UTF8.self))
        self.start = index + 1
    }

    private mutating func word() {
        let end = bytes[index...].firstIndex { !Self.isLetter($0) } ?? bytes.count
        let word = String(decoding: bytes[index..<end], as: UTF8.self).uppercased()
        if start == nil {
            if word == "SELECT" { start = end }
        } else if Self.ends.contains(word) {
            endItem()
            isOver = true
        }
        index = end - 1
    }
}
