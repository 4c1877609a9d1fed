public import Foundation
public import Transformable

/// A transformer that converts UUIDs to 36 characters (RFC 9562, section 4).
///
/// It accepts uppercase and lowercase digits.
public struct UUIDTextTransformer: Transformer {
    /// Whether digits above 9 are written in lowercase.
    public let lowercase: Bool

    /// Creates a transformer.
    ///
    /// - Parameter lowercase: Whether digits above 9 are written in lowercase. Foundation writes them in uppercase.
    public init(lowercase: Bool = false) {
        self.lowercase = lowercase
    }

    /// The traits of the transformer.
    ///
    /// It is ordered, because digits compare like bytes.
    public var traits: TransformerTraits { [.deterministic, .canonical, .ordered] }

    /// Returns the text of a UUID.
    public func encode(_ value: UUID, in context: TransformContext) -> String {
        lowercase ? value.uuidString.lowercased() : value.uuidString
    }

    /// Parses a UUID.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> UUID {
        for (offset, byte) in encoded.utf8.enumerated() {
            let isDash = [8, 13, 18, 23].contains(offset)
            let isRight = isDash ? byte == UInt8(ascii: "-") : Character(Unicode.Scalar(byte)).isHexDigit
            guard offset < 36, isRight else {
                throw .invalidData("a UUID must have hexadecimal digits in the form 8-4-4-4-12", offset: offset)
            }
        }
        guard encoded.utf8.count == 36, let value = UUID(uuidString: encoded) else {
            throw .invalidData("a UUID must have 36 characters", offset: encoded.utf8.count)
        }
        return value
    }
}

/// A transformer that converts UUIDs to 16 bytes, in the order of their text (RFC 9562, section 4).
public struct UUIDBytesTransformer: Transformer {
    /// Creates the transformer.
    public init() {}

    /// The traits of the transformer.
    public var traits: TransformerTraits { [.deterministic, .canonical, .ordered] }

    /// Returns the 16 bytes of a UUID.
    public func encode(_ value: UUID, in context: TransformContext) -> Data {
        let b = value.uuid
        return Data([
            b.0, b.1, b.2, b.3, b.4, b.5, b.6, b.7, b.8, b.9, b.10, b.11, b.12, b.13, b.14, b.15,
        ])
    }

    /// Returns the UUID for 16 bytes.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> UUID {
        let b = [UInt8](encoded)
        guard b.count == 16 else {
            throw .invalidData("a UUID must have 16 bytes, not \(b.count)", offset: min(b.count, 16))
        }
        return UUID(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]
            )
        )
    }
}
