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
        case .float: finite(Float(text), text).flatMap { try? $0.column() }
        case .double: finite(Double(text), text).flatMap { try? $0.column() }
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

    /// A number, unless it became infinite by being too large: infinity itself is written in letters.
    private static func finite<Number: BinaryFloatingPoint>(_ number: Number?, _ text: String) -> Number? {
        number?.isInfinite == true && !text.lowercased().contains("inf") ? nil : number
    }

    /// Reads a decimal number: sign, digits, a point and an exponent, and nothing else.
    ///
    /// A decimal holds 38 significant digits and some numbers of 39, and a text with more of them is none.
    static func decimal(_ text: String) -> Decimal? {
        let isNumber = text.utf8.allSatisfy { (48...57).contains($0) || [43, 45, 46, 69, 101].contains($0) }
        let digits = significantDigits(of: text)
        guard isNumber, Double(text) != nil, digits.count <= 39 else { return nil }
        let locale = Locale(identifier: "en_US_POSIX")
        guard let number = Decimal(string: text, locale: locale), !number.isNaN else { return nil }
        // One that does not fit is rounded, to fewer digits or to others.
        return digits.count <= 38 || significantDigits(of: number.description) == digits ? number : nil
    }

    private static func significantDigits(of text: String) -> Substring {
        let digits = text.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber)
        let significant = Substring(digits).drop { $0 == "0" }
        return significant.dropLast(significant.reversed().prefix { $0 == "0" }.count)
    }

    /// Reads an ISO 8601 date: a day alone is its midnight in UTC; a time may have a fraction and an offset.
    static func date(_ text: String) -> Date? {
        guard isDay(text.prefix(10)) else { return nil }
        let hasTime = text.contains("T") || text.contains(" ")
        guard hasTime else { return try? Date.ISO8601FormatStyle().year().month().day().parse(text) }
        var body = text.replacing(" ", with: "T", maxReplacements: 1)
        let fraction = body.firstRange(of: /\.[0-9]+/)
        let digits = fraction.map { String(body[$0]) } ?? ""
        if let fraction { body.removeSubrange(fraction) }
        let hasZone = body.hasSuffix("Z") || body.dropFirst(11).contains { $0 == "+" || $0 == "-" }
        guard let whole = try? Date.ISO8601FormatStyle().parse(hasZone ? body : body + "Z") else { return nil }
        return date(wholeSeconds: whole.timeIntervalSinceReferenceDate, fraction: "0" + digits)
    }

    /// The calendar takes a day that a month has not for one of the next month.
    private static func isDay(_ text: Substring) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else { return false }
        let calendar = Calendar(identifier: .gregorian)
        return DateComponents(calendar: calendar, year: year, month: month, day: day).isValidDate
    }

    /// The double nearest to the sum, which is exact in decimal numbers.
    private static func date(wholeSeconds: Double, fraction: String) -> Date? {
        guard let fraction = Decimal(string: fraction), let time = Double("\(Decimal(wholeSeconds) + fraction)") else {
            return nil
        }
        return Date(timeIntervalSinceReferenceDate: time)
    }

    /// Writes a date so that `date(_:)` reads the same one, with the digits of a second that it takes.
    static func text(of date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        let whole = seconds.rounded(.down)
        let text = Date.ISO8601FormatStyle().format(Date(timeIntervalSinceReferenceDate: whole))
        guard whole != seconds, text.hasSuffix("Z"), let exact = Decimal(string: "\(seconds)") else { return text }
        return text.dropLast() + "\(exact - Decimal(whole))".dropFirst() + "Z"
    }
}
