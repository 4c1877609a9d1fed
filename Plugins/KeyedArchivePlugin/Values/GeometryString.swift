internal import Foundation
internal import _PropertyLists

/// The strings that represent points, sizes, and rectangles in an `NSValue`.
package enum GeometryString {
    /// Returns the numbers of `{1, 2}` or `{{1, 2}, {3, 4}}`, or nil for any other text.
    static func numbers(_ text: String) -> [Double]? {
        let bytes = Array(text.utf8.filter { !" \t\n\u{B}\u{C}\r".utf8.contains($0) })
        let isNested = bytes.starts(with: Array("{{".utf8))
        let inner = bytes.dropFirst(isNested ? 2 : 1).dropLast(isNested ? 2 : 1)
        let pieces = isNested ? split(inner, at: Array("},{".utf8)) : [inner]
        guard let pieces, bytes.first == UInt8(ascii: "{"), bytes.suffix(isNested ? 2 : 1).allSatisfy(isClosing) else {
            return nil
        }
        let fields = pieces.flatMap { $0.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) }
        let numbers = fields.compactMap { Double(String(decoding: $0, as: UTF8.self)) }
        return numbers.count == fields.count && fields.count == 2 * pieces.count ? numbers : nil
    }

    private static func isClosing(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "}")
    }

    private static func split(_ bytes: ArraySlice<UInt8>, at separator: [UInt8]) -> [ArraySlice<UInt8>]? {
        let starts = bytes.indices.filter { bytes[$0...].starts(with: separator) }
        guard starts.count == 1 else { return nil }
        return [bytes[..<starts[0]], bytes[(starts[0] + separator.count)...]]
    }

    package static func pair(_ first: Double, _ second: Double) -> String {
        "{\(text(first)), \(text(second))}"
    }

    /// Formats a number with C's `%.17g`, like Apple's frameworks in an `NSValue`.
    private static func text(_ number: Double) -> String {
        String(format: "%.17g", number)
    }
}
