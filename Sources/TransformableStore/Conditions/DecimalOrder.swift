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
    private static func key(_ text: String) -> String? {
        plain(text) ?? (try? DecimalText.decimal(text)).flatMap { plain($0.description) }
    }

    /// Returns the key of a number without an exponent.
    private static func plain(_ text: String) -> String? {
        var text = text
        return text.withUTF8 { unsafe plain($0) }
    }

    private static func plain(_ text: UnsafeBufferPointer<UInt8>) -> String? {
        guard text.count <= longest else { return nil }
        let isNegative = unsafe text.first == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        let point = unsafe text.firstIndex(of: UInt8(ascii: "."))
        let isNumber = (start..<text.count).allSatisfy { unsafe $0 == point || (48...57).contains(text[$0]) }
        guard isNumber, text.count - start > (point == nil ? 0 : 1) else { return nil }
        let isSignificant = { (index: Int) in unsafe index != point && text[index] != 48 }
        guard let first = (start..<text.count).first(where: isSignificant),
            let last = (start..<text.count).last(where: isSignificant)
        else { return "1" }
        // Zeros before the first digit count, but not the point among them.
        let zeros = first - start - (point.map { $0 < first } == true ? 1 : 0)
        let exponent = (point ?? text.count) - start - zeros + bias
        return unsafe String(unsafeUninitializedCapacity: last - first + 8) { key in
            var count = 0
            func add(_ byte: UInt8) {
                unsafe key[count] = byte
                count += 1
            }
            func add(digit: UInt8) { add(isNegative ? 105 - digit : digit) }
            add(UInt8(ascii: isNegative ? "0" : "2"))
            for digit in "\(exponent)".utf8 { add(digit: digit) }
            for index in first...last where index != point { unsafe add(digit: text[index]) }
            if isNegative { add(UInt8(ascii: ":")) }
            return count
        }
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
