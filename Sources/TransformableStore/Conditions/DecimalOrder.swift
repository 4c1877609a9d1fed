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

    /// Returns the cell that a decimal number is sorted and grouped by.
    ///
    /// Other content of a cell sorts last.
    static func key(_ cell: ColumnValue) -> ColumnValue {
        guard case .text(let text) = cell else { return cell }
        return .text(key(text) ?? "~" + text)
    }

    static func key(_ expression: Expression) -> Expression {
        .swift([expression]) { key(try $0[0]) }
    }
}
