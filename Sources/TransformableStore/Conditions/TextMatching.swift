/// Finds bytes in bytes.
enum ByteSearch {
    static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        guard let first = part.first else { return true }
        guard bytes.count >= part.count else { return false }
        return (0...bytes.count - part.count)
            .contains { start in
                bytes[start] == first && bytes[start..<start + part.count].elementsEqual(part)
            }
    }
}

/// A pattern as SQL's LIKE has it: `%` is any text, `_` any one character (a Unicode scalar).
struct LikePattern {
    private let pattern: [Unicode.Scalar]

    init(_ pattern: String) {
        self.pattern = Array(pattern.unicodeScalars)
    }

    /// Compares in time proportional to the product of both lengths at worst.
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
