/// Collects the bytes of a text, which is faster than many small appends to a string.
struct TextWriter {
    /// The capacity, which is sufficient for a rectangle of four doubles with all of their digits.
    private static let capacity = 96

    private var bytes: [UInt8] = []

    init() {
        bytes.reserveCapacity(Self.capacity)
    }

    /// The text that was written, which is ASCII.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func write(_ byte: UInt8) {
        bytes.append(byte)
    }

    mutating func write(_ text: some StringProtocol) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes the first bytes of a text.
    ///
    /// A slice of a string would be traversed character by character.
    mutating func write(_ text: String, count: Int) {
        let utf8 = text.utf8.span
        for index in 0..<count {
            bytes.append(utf8[index])
        }
    }

    /// Writes an integer in decimal digits.
    mutating func write(_ number: Int64) {
        if number < 0 {
            bytes.append(.minus)
        }
        var digits = InlineArray<20, UInt8>(repeating: UInt8(ascii: "0"))
        var start = digits.count
        var rest = number.magnitude
        repeat {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            start -= 1
            digits[start] += UInt8(digit)
            rest = quotient
        } while rest > 0
        for index in start..<digits.count {
            bytes.append(digits[index])
        }
    }
}
