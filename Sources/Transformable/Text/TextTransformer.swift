public import Foundation

/// A transformer that converts text to bytes in a given encoding, which is UTF-8 by default.
///
/// Both directions are strict: characters that the encoding does not support and bytes that are not valid in it cause
/// an error, and are never replaced. The conversion to UTF-8 is the only one that expressions perform automatically,
/// where text is passed to a stage that takes bytes.
public struct TextTransformer: SpanTransformer {
    /// The encoding of the bytes.
    public let encoding: TextEncoding

    /// Creates a text transformer.
    ///
    /// - Parameter encoding: The encoding of the bytes.
    public init(encoding: TextEncoding = .utf8) {
        self.encoding = encoding
    }

    /// The transformer is deterministic, but neither canonical nor ordered.
    ///
    /// Swift considers strings that differ in normalization equal, and compares them as if they were normalized,
    /// but this transformer preserves their bytes. Put `nfc` before it if equal strings must have equal bytes.
    public var traits: TransformerTraits { [.deterministic] }

    /// Encodes text.
    public func encode(_ value: String, in context: TransformContext) throws(TransformerError) -> Data {
        switch encoding {
        case .utf8: Self.utf8(value)
        case .utf16: Data([0xFE, 0xFF]) + Self.utf16(value, bigEndian: true)
        case .utf16BigEndian: Self.utf16(value, bigEndian: true)
        case .utf16LittleEndian: Self.utf16(value, bigEndian: false)
        case .latin1: try Self.latin1(value)
        }
    }

    /// Decodes text.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> String {
        try decode(encoded.span, in: context)
    }

    /// Decodes text.
    public func decode(_ encoded: Span<UInt8>, in context: TransformContext) throws(TransformerError) -> String {
        switch encoding {
        case .utf8: try Self.text(fromUTF8: encoded)
        case .utf16: try Self.text(fromMarkedUTF16: encoded)
        case .utf16BigEndian: try Self.text(fromUTF16: encoded, bigEndian: true)
        case .utf16LittleEndian: try Self.text(fromUTF16: encoded, bigEndian: false)
        case .latin1: String(String.UnicodeScalarView(encoded.indices.map { Unicode.Scalar(encoded[$0]) }))
        }
    }

    // Uses a buffer, because Data inspects the type of any other sequence at run time.
    private static func utf8(_ text: String) -> Data {
        var text = text
        return text.withUTF8 { Data($0) }
    }

    private static func utf16(_ text: String, bigEndian: Bool) -> Data {
        var bytes = Data(capacity: text.utf16.count * 2)
        for unit in text.utf16 {
            let high = UInt8(unit >> 8)
            let low = UInt8(truncatingIfNeeded: unit)
            bytes.append(bigEndian ? high : low)
            bytes.append(bigEndian ? low : high)
        }
        return bytes
    }

    private static func latin1(_ text: String) throws(TransformerError) -> Data {
        var bytes = Data(capacity: text.unicodeScalars.count)
        for scalar in text.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else {
                throw .invalidValue(
                    "Latin-1 does not have the character U+\(String(scalar.value, radix: 16, uppercase: true))"
                )
            }
            bytes.append(byte)
        }
        return bytes
    }

    private static func text(fromUTF8 bytes: Span<UInt8>) throws(TransformerError) -> String {
        guard let text = try? UTF8Span(validating: bytes) else {
            throw .invalidData("the bytes are not valid UTF-8", offset: offsetOfDamage(inUTF8: bytes))
        }
        return String(copying: text)
    }

    private static func offsetOfDamage(inUTF8 bytes: Span<UInt8>) -> Int {
        var decoder = UTF8()
        var iterator = bytes.indices.map { bytes[$0] }.makeIterator()
        var offset = 0
        while case .scalarValue(let scalar) = decoder.decode(&iterator) {
            offset += UTF8.width(scalar)
        }
        return offset
    }

    /// Decodes UTF-16 with an optional byte order mark.
    ///
    /// Without it, the bytes are big-endian (RFC 2781, section 4.3).
    private static func text(fromMarkedUTF16 bytes: Span<UInt8>) throws(TransformerError) -> String {
        let mark = bytes.count < 2 ? nil : UInt16(bytes[0]) << 8 | UInt16(bytes[1])
        let isMarked = mark == 0xFEFF || mark == 0xFFFE
        return try text(fromUTF16: bytes.extracting(droppingFirst: isMarked ? 2 : 0), bigEndian: mark != 0xFFFE)
    }

    private static func text(fromUTF16 bytes: Span<UInt8>, bigEndian: Bool) throws(TransformerError) -> String {
        guard bytes.count.isMultiple(of: 2) else {
            throw .invalidData("UTF-16 must have an even number of bytes", offset: bytes.count)
        }
        let units = stride(from: 0, to: bytes.count, by: 2)
            .map { index in
                let first = UInt16(bytes[index])
                let second = UInt16(bytes[index + 1])
                return bigEndian ? first << 8 | second : second << 8 | first
            }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw .invalidData("the bytes are not valid UTF-16: a surrogate is unpaired")
        }
        return text
    }
}

extension Registration {
    /// The registration of `text`, which expressions use implicitly where text meets bytes, and which plugins can
    /// register.
    public static let text = Registration(
        "text",
        summary: "text as bytes",
        .reading("encoding", "the encoding of the bytes", default: TextEncoding.utf8)
    ) { encoding in TextTransformer(encoding: encoding) }
}

/// A text encoding.
public enum TextEncoding: String, CaseIterable, Sendable, ArgumentConvertible {
    /// UTF-8 without a byte order mark.
    case utf8 = "utf-8"
    /// UTF-16 with a byte order mark (RFC 2781). It is written in big-endian order, and read in either order.
    case utf16 = "utf-16"
    /// UTF-16, most significant byte first, without a byte order mark.
    case utf16BigEndian = "utf-16be"
    /// UTF-16, least significant byte first, without a byte order mark.
    case utf16LittleEndian = "utf-16le"
    /// ISO 8859-1, which has one byte for each of the first 256 code points.
    case latin1 = "latin-1"
}
