internal import Foundation
internal import Transformable

/// Sort keys for decimal numbers: strings whose byte order is the order of the numbers.
///
/// A number is written as ±0.d…d × 10ⁿ without zeros at either end. Its key consists of `0`, `1`, or `2` for the sign,
/// n + 5,000 in four digits, and the digits. For a negative number, each digit is subtracted from nine, and the key
/// ends with a colon, which sorts after all digits, so that a number with more digits sorts first.
enum DecimalOrder {
    // The longest decimal number has 38 digits and 127 zeros. Text that is much longer is not parsed.
    private static let longest = 300
    private static let bias = 5_000

    /// Returns the key of a number, or `nil` if the text is not a number.
    static func key(_ text: String) -> String? {
        plain(text) ?? (try? DecimalText.decimal(text)).flatMap { plain($0.description) }
    }

    /// Returns a number without an exponent.
    private static func plain(_ text: String) -> String? {
        var bytes = Array(text.utf8.prefix(longest + 1))[...]
        guard bytes.count <= longest else { return nil }
        let isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative { bytes.removeFirst() }
        let point = bytes.firstIndex(of: UInt8(ascii: "."))
        let digits = bytes[..<(point ?? bytes.endIndex)] + bytes[((point ?? bytes.endIndex - 1) + 1)...]
        guard !digits.isEmpty, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        let whole = (point ?? bytes.endIndex) - bytes.startIndex
        let significant = digits.drop { $0 == 48 }
        guard let last = significant.lastIndex(where: { $0 != 48 }) else { return "1" }
        let exponent = whole - (digits.count - significant.count) + bias
        let number = Array("\(exponent)".utf8) + significant[...last]
        guard isNegative else { return "2" + String(decoding: number, as: UTF8.self) }
        return "0" + String(decoding: number.map { 105 - $0 }, as: UTF8.self) + ":"
    }

    /// Returns the number that a key stands for, without an exponent, or `nil` if the text is not a key.
    static func text(_ key: String) -> String? {
        guard key != "1" else { return "0" }
        let isNegative = key.utf8.first == UInt8(ascii: "0")
        let number = key.utf8.dropFirst().dropLast(isNegative ? 1 : 0).map { isNegative ? 105 - $0 : $0 }
        guard number.count > 4, let exponent = Int(String(decoding: number.prefix(4), as: UTF8.self)) else {
            return nil
        }
        let digits = String(decoding: number.dropFirst(4), as: UTF8.self)
        return (isNegative ? "-" : "") + write(digits, exponent - bias)
    }

    private static func write(_ digits: String, _ point: Int) -> String {
        if point <= 0 { return "0." + String(repeating: "0", count: -point) + digits }
        guard point < digits.utf8.count else {
            return digits + String(repeating: "0", count: point - digits.utf8.count)
        }
        return "\(digits.prefix(point)).\(digits.dropFirst(point))"
    }
}

// MARK: - In SQL

extension DecimalOrder {
    /// Returns the SQL for the key by which a decimal number is sorted and grouped.
    ///
    /// Other content sorts last.
    static func key(_ sql: SQLFragment) -> SQLFragment {
        SQLFunction { cells in
            guard case .text(let text) = cells[0] else { return cells[0] }
            return .text(key(text) ?? "~" + text)
        }
        .call(sql)
    }

    /// Returns the SQL for the text of the number that a key stands for.
    static func text(_ sql: SQLFragment) -> SQLFragment {
        SQLFunction { cells in
            guard case .text(let key) = cells[0] else { return cells[0] }
            return .text(key.hasPrefix("~") ? String(key.dropFirst()) : text(key) ?? key)
        }
        .call(sql)
    }
}
