public import Foundation
public import Transformable

/// Bytes as text in the alphabet of RFC 1924, 5 characters for 4 bytes.
///
/// RFC 1924 writes one number of 128 bits. For any number of bytes this does what Python's
/// `base64.b85encode` and git do: each 4 bytes are one big-endian number of 5 digits, and a rest of
/// *n* bytes is filled with zeros and has the first *n* + 1 digits of that. There is no padding and no
/// short form of zeros.
///
/// Strict: a group beyond 32 bits, a single character left over, and digits that another rest would
/// not have are errors.
public struct Base85Transformer: Transformer {
    /// Makes a transformer of base 85.
    public init() {}

    /// What holds of this transformer.
    public var traits: TransformerTraits { .plain }

    /// The digits of each group of 4 bytes.
    public func encode(_ value: Data, in context: TransformContext) -> String {
        let bytes = [UInt8](value)
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / 4 * 5 + 5)
        for start in stride(from: 0, to: bytes.count, by: 4) {
            let count = min(4, bytes.count - start)
            var number: UInt32 = 0
            for index in start..<start + 4 {
                number = number << 8 | (index < bytes.count ? UInt32(bytes[index]) : 0)
            }
            Self.append(number, digits: count + 1, to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of each group of 5 digits.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Data {
        let text = Array(encoded.utf8)
        guard text.count % 5 != 1 else {
            throw .invalidData("base 85 does not have this many characters", offset: text.count - 1)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 5 * 4 + 4)
        for start in stride(from: 0, to: text.count, by: 5) {
            let count = min(5, text.count - start)
            let number = try Self.number(of: text, from: start, count: count)
            for index in 0..<count - 1 {
                bytes.append(UInt8(truncatingIfNeeded: number >> (24 - 8 * index)))
            }
            guard count == 5 || Self.isExact(number, text[start..<start + count]) else {
                throw .invalidData("the last characters have more than fits their bytes", offset: text.count - 1)
            }
        }
        return Data(bytes)
    }

    private static func append(_ number: UInt32, digits: Int, to text: inout [UInt8]) {
        var divisor: UInt32 = 85 * 85 * 85 * 85
        var rest = number
        for _ in 0..<digits {
            text.append(alphabet.characters[Int(rest / divisor)])
            rest %= divisor
            divisor /= 85
        }
    }

    /// The number of up to 5 digits; missing ones count as the highest, so that the bytes before them are right.
    private static func number(of text: [UInt8], from start: Int, count: Int) throws(TransformerError) -> UInt32 {
        var number: UInt64 = 0
        for offset in start..<start + 5 {
            var value: UInt8 = 84
            if offset < start + count {
                value = alphabet.values[Int(text[offset])]
                guard value != BaseNAlphabet.invalid else { throw .illegalCharacter(in: "base 85", offset: offset) }
            }
            number = number * 85 + UInt64(value)
        }
        guard let number = UInt32(exactly: number) else {
            throw .invalidData("the five characters exceed 32 bits", offset: start)
        }
        return number
    }

    /// Whether the digits of a rest are those that encoding its bytes gives.
    private static func isExact(_ number: UInt32, _ digits: ArraySlice<UInt8>) -> Bool {
        let byteCount = digits.count - 1
        let mask = UInt32.max << (32 - 8 * byteCount)
        var text: [UInt8] = []
        append(number & mask, digits: digits.count, to: &text)
        return text.elementsEqual(digits)
    }

    private static let alphabet = BaseNAlphabet(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"
    )
}
