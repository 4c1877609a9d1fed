/// Searches text by characters, as Swift does.
///
/// This file does not import Foundation, because Foundation has a method of the same name that follows other rules.
enum TextSearch {
    /// Returns a Boolean value that indicates whether a string contains another.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - part: The text to find.
    ///   - isPlain: Whether each byte of both strings is a character.
    /// - Returns: Whether the text contains the part.
    static func contains(_ text: String, _ part: String, _ isPlain: Bool) -> Bool {
        isPlain ? contains(Array(text.utf8), Array(part.utf8)) : hasPart(text, part)
    }

    /// Returns a Boolean value that indicates whether a string ends with another.
    static func ends(_ text: String, _ part: String, _ isPlain: Bool) -> Bool {
        isPlain ? text.utf8.suffix(part.utf8.count).elementsEqual(part.utf8) : text.hasSuffix(part)
    }

    private static func hasPart<Whole: Collection, Part: Collection>(_ whole: Whole, _ part: Part) -> Bool
    where Whole.Element == Part.Element, Whole.Element: Equatable {
        whole.contains(part)
    }

    private static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        guard let first = part.first else { return true }
        guard bytes.count >= part.count else { return false }
        return (0...bytes.count - part.count)
            .contains { start in
                bytes[start] == first && bytes[start..<start + part.count].elementsEqual(part)
            }
    }
}

extension String {
    /// Whether each byte is a character in any ASCII text.
    ///
    /// A carriage return followed by a line feed is a single character.
    var isPlain: Bool {
        utf8.allSatisfy { $0 < 128 } && utf8.first != UInt8(ascii: "\n") && utf8.last != UInt8(ascii: "\r")
    }
}

/// A pattern of SQL's LIKE, in which `%` stands for any text and `_` for any single character (a Unicode scalar).
struct LikePattern {
    private let pattern: [Unicode.Scalar]

    init(_ pattern: String) {
        self.pattern = Array(pattern.unicodeScalars)
    }

    /// Matches text, in time proportional to the product of both lengths at worst.
    func matches(_ text: String) -> Bool {
        let text = Array(text.unicodeScalars)
        var position = 0
        var index = 0
        var lastAny: (pattern: Int, text: Int)?
        while index < text.count {
            if position < pattern.count, pattern[position] == "%" {
                lastAny = (position + 1, index)
                position += 1
            } else if position < pattern.count, pattern[position] == "_" || pattern[position] == text[index] {
                position += 1
                index += 1
            } else if let last = lastAny {
                lastAny = (last.pattern, last.text + 1)
                position = last.pattern
                index = last.text + 1
            } else {
                return false
            }
        }
        return pattern[position...].allSatisfy { $0 == "%" }
    }
}
