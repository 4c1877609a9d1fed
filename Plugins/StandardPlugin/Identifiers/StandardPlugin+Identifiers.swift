public import Foundation
public import Transformable

extension StandardPlugin {
    @RegistrationBuilder static var identifiers: [Registration] {
        Registration(
            "url",
            summary: "a URL as text",
            form: .text(URLTransformer(allowsRelative: true)),
            .reading("relative", "whether a URL without a scheme is allowed", default: false)
        ) { relative in URLTransformer(allowsRelative: relative) }
        Registration.family(
            "uuid",
            default: UUID.self,
            summary: "a UUID as text or as 16 bytes",
            form: .text(UUIDTextTransformer()),
            .reading("form", "text or bytes", default: UUIDForm.text),
            .writing("lowercase", "whether the digits a to f are lowercase", default: false)
        ) { _, form, lowercase in
            switch form {
            case .text: UUIDTextTransformer(lowercase: lowercase)
            case .bytes: UUIDBytesTransformer()
            }
        }
        Registration.family(
            "map",
            default: String.Type?.none,
            summary: "a value looked up in a table",
            .reading("pairs", "values and their encoded forms: [[1, \"low\"], [2, \"high\"]]"),
            .reading("defaultValue", "the value for any other encoded form", default: MappingTerm?.none),
            .writing("defaultEncoded", "the encoded form of any other value", default: MappingTerm?.none)
        ) { request, pairs, defaultValue, defaultEncoded in
            try MappingTable(pairs: pairs, defaultValue: defaultValue, defaultEncoded: defaultEncoded)
                .transformer(for: request.valueType)
        }
    }
}

/// The stored form of a UUID.
private enum UUIDForm: String, CaseIterable, Sendable, ArgumentConvertible {
    case text
    case bytes
}

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

    /// Returns the UUID that the 16 bytes represent.
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

/// A transformer that converts URLs to text.
///
/// Text that is not a URL is an error, and no percent-encoding is added.
///
/// By default, a URL must have a scheme. A URL that is relative to a base is an error, because its base would be lost:
/// encode its `absoluteURL` instead.
public struct URLTransformer: Transformer {
    /// Whether a URL without a scheme is allowed.
    public let allowsRelative: Bool

    /// Creates a transformer.
    ///
    /// - Parameter allowsRelative: Whether a URL without a scheme is allowed.
    public init(allowsRelative: Bool = false) {
        self.allowsRelative = allowsRelative
    }

    /// The traits of the transformer.
    public var traits: TransformerTraits { .plain }

    /// Returns the text of a URL.
    public func encode(_ value: URL, in context: TransformContext) throws(TransformerError) -> String {
        guard value.baseURL == nil else {
            throw .invalidValue("the URL is relative to a base, which its text does not include; use its absoluteURL")
        }
        guard allowsRelative || value.scheme != nil else {
            throw .invalidValue("the URL has no scheme; allow such URLs with “relative: true”")
        }
        return value.absoluteString
    }

    /// Parses a URL.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> URL {
        guard let url = URL(string: encoded, encodingInvalidCharacters: false), url.absoluteString == encoded else {
            throw .invalidData("the text is not a valid URL", offset: Self.offsetOfFault(in: encoded))
        }
        guard allowsRelative || url.scheme != nil else {
            throw .invalidData("the URL has no scheme; allow such URLs with “relative: true”", offset: 0)
        }
        return url
    }

    /// Returns the offset of the first character that URLs cannot contain, if that is the problem (RFC 3986, section
    /// 2).
    private static func offsetOfFault(in text: String) -> Int? {
        let others = "\"<>\\^`{|}".utf8
        return Array(text.utf8).firstIndex { !(0x21...0x7E).contains($0) || others.contains($0) }
    }
}
