public import Foundation
public import Transformable

/// A transformer that converts bytes to hexadecimal digits (RFC 4648, section 8).
///
/// It accepts uppercase and lowercase digits.
public struct Base16Transformer: Transformer {
    /// Whether digits above 9 are written in lowercase.
    public let lowercase: Bool

    /// Creates a transformer.
    ///
    /// - Parameter lowercase: Whether digits above 9 are written in lowercase.
    public init(lowercase: Bool = false) {
        self.lowercase = lowercase
    }

    /// The traits of the transformer.
    ///
    /// It is ordered, because digits compare like bytes.
    public var traits: TransformerTraits { [.deterministic, .canonical, .ordered] }

    /// Encodes bytes as two digits each.
    public func encode(_ value: Data, in context: TransformContext) -> String {
        let digits = lowercase ? Self.lower : Self.upper
        var text = [UInt8](repeating: 0, count: value.count * 2)
        var index = 0
        for byte in [UInt8](value) {
            text[index] = digits.characters[Int(byte >> 4)]
            text[index + 1] = digits.characters[Int(byte & 15)]
            index += 2
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes pairs of digits.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Data {
        let text = Array(encoded.utf8)
        guard text.count.isMultiple(of: 2) else {
            throw .invalidData("base 16 must have an even number of digits", offset: text.count)
        }
        var bytes = [UInt8](repeating: 0, count: text.count / 2)
        for index in bytes.indices {
            let high = Self.values[Int(text[2 * index])]
            let low = Self.values[Int(text[2 * index + 1])]
            guard high < 16, low < 16 else {
                throw .illegalCharacter(in: "base 16", offset: 2 * index + (high < 16 ? 1 : 0))
            }
            bytes[index] = high << 4 | low
        }
        return Data(bytes)
    }

    private static let upper = BaseNAlphabet("0123456789ABCDEF")
    private static let lower = BaseNAlphabet("0123456789abcdef")
    /// The values of both uppercase and lowercase digits.
    ///
    /// A character without a value is 255 in both tables.
    private static let values = zip(upper.values, lower.values).map(min)
}
