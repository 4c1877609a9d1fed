internal import Foundation

/// The text forms of plain values, as defaults, conditions and the command line have them.
enum PlainText {
    static func parses(_ text: String, as type: AttributeType) -> Bool {
        column(text, as: type) != nil
    }

    /// Reads a text as a cell of a type; nil if it is none.
    static func column(_ text: String, as type: AttributeType) -> ColumnValue? {
        switch type {
        case .int16: Int16(text).map { $0.column() }
        case .int32: Int32(text).map { $0.column() }
        case .int64: Int64(text).map { $0.column() }
        case .float: Float(text).flatMap { try? $0.column() }
        case .double: Double(text).flatMap { try? $0.column() }
        case .decimal: decimal(text).flatMap { try? $0.column() }
        case .boolean: ["true": 1, "false": 0, "1": 1, "0": 0][text].map(ColumnValue.integer)
        case .string: .text(text)
        case .date: date(text).flatMap { try? $0.column() }
        case .data: nil
        case .uuid: UUID(uuidString: text).map { $0.column() }
        case .url: URL(string: text, encodingInvalidCharacters: false).map { $0.column() }
        case .transformed, .undefined: nil
        }
    }

    /// Reads a decimal number: sign, digits, a point and an exponent, and nothing else.
    static func decimal(_ text: String) -> Decimal? {
        let isNumber = text.utf8.allSatisfy { (48...57).contains($0) || [43, 45, 46, 69, 101].contains($0) }
        guard isNumber, Double(text) != nil else { return nil }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }

    /// Reads an ISO 8601 date: a day alone is its midnight in UTC; a time may have a fraction and an offset.
    static func date(_ text: String) -> Date? {
        let hasTime = text.contains("T") || text.contains(" ")
        guard hasTime else { return try? Date.ISO8601FormatStyle().year().month().day().parse(text) }
        let body = text.replacing(" ", with: "T", maxReplacements: 1)
        let hasZone = body.hasSuffix("Z") || body.dropFirst(11).contains { $0 == "+" || $0 == "-" }
        let zoned = hasZone ? body : body + "Z"
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: zoned.contains("."))
        return try? style.parse(zoned)
    }

    /// Writes a date so that `date(_:)` reads it, to the millisecond where it has a fraction.
    static func text(of date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        let hasFraction = seconds.rounded() != seconds
        return Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction).format(date)
    }
}
