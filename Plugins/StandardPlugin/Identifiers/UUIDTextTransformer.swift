public import Foundation
public import Transformable

/// A UUID as 36 characters (RFC 9562, section 4); reads either case.
public struct UUIDTextTransformer: Transformer {
    /// Whether digits above 9 are written in lower case.
    public let lowercase: Bool

    /// Makes a transformer of UUIDs.
    ///
    /// - Parameter lowercase: Whether digits above 9 are written in lower case; Foundation writes upper case.
    public init(lowercase: Bool = false) {
        self.lowercase = lowercase
    }

    /// Ordered as well: digits compare as the bytes do.
    public var traits: TransformerTraits { [.deterministic, .canonical, .ordered] }

    /// The UUID's text.
    public func encode(_ value: UUID, in context: TransformContext) -> String {
        lowercase ? value.uuidString.lowercased() : value.uuidString
    }

    /// The text's UUID.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> UUID {
        for (offset, byte) in encoded.utf8.enumerated() {
            let isDash = [8, 13, 18, 23].contains(offset)
            let isRight = isDash ? byte == UInt8(ascii: "-") : Character(Unicode.Scalar(byte)).isHexDigit
            guard offset < 36, isRight else {
                throw .invalidData("a UUID is written 8-4-4-4-12 in hexadecimal digits", offset: offset)
            }
        }
        guard encoded.utf8.count == 36, let value = UUID(uuidString: encoded) else {
            throw .invalidData("a UUID has 36 characters", offset: encoded.utf8.count)
        }
        return value
    }
}
