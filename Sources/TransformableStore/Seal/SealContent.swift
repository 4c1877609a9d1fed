internal import Foundation
internal import Transformable

/// The values in a seal's message, for describing how two messages differ.
struct SealContent {
    typealias Row = [ColumnValue]

    private(set) var sections: [String: [Row]] = [:]

    /// Returns the UUID of a message's store, or `nil` if the message has a different form, without reading the rest.
    static func store(of message: Data) -> UUID? {
        guard message.starts(with: SealMessage.label) else { return nil }
        var reader = SealReader(message.dropFirst(SealMessage.label.count))
        // The counter, the name of the first section, the number of its rows, and the first row's number come first.
        for _ in 0..<4 { guard reader.value() != nil else { return nil } }
        guard case .text(let text)? = reader.value() else { return nil }
        return UUID(uuidString: text)
    }

    /// Reads a message, or returns `nil` if it has a different form.
    init?(_ message: Data) {
        guard message.starts(with: SealMessage.label) else { return nil }
        var reader = SealReader(message.dropFirst(SealMessage.label.count))
        guard case .integer? = reader.value() else { return nil }
        for section in SealMessage.sections {
            guard reader.value() == .text(section.name), case .integer(let count)? = reader.value(), count >= 0 else {
                return nil
            }
            var rows: [Row] = []
            for _ in 0..<count {
                var row: Row = []
                for _ in section.columns {
                    guard let value = reader.value() else { return nil }
                    row.append(value)
                }
                rows.append(row)
            }
            sections[section.name] = rows
        }
        guard reader.isAtEnd else { return nil }
    }

    /// Returns short descriptions of what has changed since another message was made.
    func differences(from old: Self) -> [String] {
        SealMessage.sections.flatMap { section in
            let before = Self.rows(old.sections[section.name] ?? [], by: section)
            let after = Self.rows(sections[section.name] ?? [], by: section)
            return Set(before.keys).union(after.keys).sorted()
                .compactMap { key in Self.difference(section, from: before[key], to: after[key]) }
        }
    }

    /// Returns short descriptions of how the numbers of rows have changed since the message was made, without reading the
    /// rows.
    ///
    /// - Parameter tables: The current tables.
    /// - Returns: A description of each table whose number of rows is different.
    func countDifferences(to tables: SealedTables) -> [String] {
        SealMessage.sections.compactMap { section in
            let (old, new) = (sections[section.name]?.count ?? 0, tables[section.name].count)
            guard old != new else { return nil }
            let subject = section.name == "schema" ? "the schema" : "the table “_transformable_\(section.name)”"
            return "\(subject) had \(old.counted("row")) and now has \(new.counted("row"))"
        }
    }

    private static func rows(_ rows: [Row], by section: SealMessage.Section) -> [String: Row] {
        let named = rows.map { row in (row.prefix(section.keyCount).map(text).joined(separator: " "), row) }
        return Dictionary(named) { first, _ in first }
    }

    private static func difference(_ section: SealMessage.Section, from old: Row?, to new: Row?) -> String? {
        guard old != new, let row = new ?? old else { return nil }
        let subject = subject(section, row)
        guard let old else { return "\(subject) was added" }
        guard let new else { return "\(subject) was removed" }
        let changes = section.columns.indices.filter { old[$0] != new[$0] }
            .map { index in
                let name = section.columns[index]
                guard !["json", "sql", "detail"].contains(name) else { return "its \(name) is different" }
                return "its \(name) was \(text(old[index])) and is now \(text(new[index]))"
            }
        return "\(subject): \(changes.joined(separator: ", "))"
    }

    private static func subject(_ section: SealMessage.Section, _ row: Row) -> String {
        switch section.name {
        case "store": "the store"
        case "model": "the model of version \(text(row[0]))"
        case "entity": "entity \(text(row[0])), \(text(row[1]))"
        case "attribute", "projection": "\(section.name) \(text(row[0])), \(text(row[2]))"
        case "schema": "the \(plain(row[0])) \(text(row[1]))"
        default: "\(section.name) \(text(row[0]))"
        }
    }

    private static func plain(_ value: ColumnValue) -> String {
        if case .text(let text) = value { text } else { text(value) }
    }

    /// Returns a value in a message as text, truncated if it is long.
    private static func text(_ value: ColumnValue) -> String {
        switch value {
        case .null: "nothing"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): "“\(text.count > 80 ? text.prefix(80) + "…" : text)”"
        case .brokenText, .blob: "bytes"
        }
    }
}

/// Reads the values of a message in order.
private struct SealReader {
    private var rest: Data

    init(_ bytes: Data) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Returns the next value, or `nil` if there is none or if it has a different form.
    mutating func value() -> ColumnValue? {
        guard let kind = rest.popFirst().flatMap(PackedRow.Kind.init(rawValue:)) else { return nil }
        switch kind {
        case .null: return .null
        case .integer: return number().map { .integer(Int64(bitPattern: $0)) }
        case .real: return number().map { .real(Double(bitPattern: $0)) }
        case .text: return bytes().map(Self.text)
        case .blob: return bytes().map(ColumnValue.blob)
        }
    }

    private static func text(_ bytes: Data) -> ColumnValue {
        String(validating: bytes, as: UTF8.self).map(ColumnValue.text) ?? .brokenText(bytes)
    }

    private mutating func number() -> UInt64? {
        guard rest.count >= 8 else { return nil }
        let number = rest.prefix(8).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(8)
        return number
    }

    private mutating func bytes() -> Data? {
        guard let count = number(), count <= UInt64(rest.count) else { return nil }
        let bytes = Data(rest.prefix(Int(count)))
        rest = rest.dropFirst(Int(count))
        return bytes
    }
}
