/// Collects the bytes of a text; many small appends cost less here than to a string.
struct TextWriter {
    /// Room for a rect of four doubles with all their digits.
    private static let capacity = 96

    private var bytes: [UInt8] = []

    init() {
        bytes.reserveCapacity(Self.capacity)
    }

    /// What was written; ASCII throughout.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func write(_ byte: UInt8) {
        bytes.append(byte)
    }

    mutating func write(_ text: some StringProtocol) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Writes the first bytes of a text: a slice of one is walked character by character.
    mutating func write(_ text: String, count: Int) {
        let utf8 = text.utf8.span
        for index in 0..<count {
            bytes.append(utf8[index])
        }
    }

    /// Writes a whole number in decimal digits.
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
