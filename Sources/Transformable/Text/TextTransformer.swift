public import Foundation

/// Text as bytes in a stated encoding, UTF-8 by default.
///
/// Strict both ways: a character that the encoding lacks and bytes that are none of it are errors,
/// never replaced. UTF-8 is the one conversion that an expression makes by itself, where text meets
/// a stage that takes bytes.
public struct TextTransformer: SpanTransformer {
    /// The encoding of the bytes.
    public let encoding: TextEncoding

    /// Makes a transformer of text.
    ///
    /// - Parameter encoding: The encoding of the bytes.
    public init(encoding: TextEncoding = .utf8) {
        self.encoding = encoding
    }

    /// Repeats itself, and is neither canonical nor ordered.
    ///
    /// Swift counts texts as equal that differ in normalization, and compares them as if normalized, while
    /// their bytes are kept apart: put `nfc` before this where equal texts must have equal bytes.
    public var traits: TransformerTraits { [.deterministic] }

    /// The text's bytes.
    public func encode(_ value: String, in context: TransformContext) throws(TransformerError) -> Data {
        switch encoding {
        case .utf8: Self.utf8(value)
        case .utf16: Data([0xFE, 0xFF]) + Self.utf16(value, bigEndian: true)
        case .utf16BigEndian: Self.utf16(value, bigEndian: true)
        case .utf16LittleEndian: Self.utf16(value, bigEndian: false)
        case .latin1: try Self.latin1(value)
        }
    }

    /// The bytes' text.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> String {
        try decode(encoded.span, in: context)
    }

    /// The bytes' text.
    public func decode(_ encoded: Span<UInt8>, in context: TransformContext) throws(TransformerError) -> String {
        switch encoding {
        case .utf8: try Self.text(fromUTF8: encoded)
        case .utf16: try Self.text(fromMarkedUTF16: encoded)
        case .utf16BigEndian: try Self.text(fromUTF16: encoded, bigEndian: true)
        case .utf16LittleEndian: try Self.text(fromUTF16: encoded, bigEndian: false)
        case .latin1: String(String.UnicodeScalarView(encoded.indices.map { Unicode.Scalar(encoded[$0]) }))
        }
    }

    // From a buffer, since Data looks at what kind of sequence another one is.
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
                throw .invalidValue("Latin-1 has no character U+\(String(scalar.value, radix: 16, uppercase: true))")
            }
            bytes.append(byte)
        }
        return bytes
    }

    private static func text(fromUTF8 bytes: Span<UInt8>) throws(TransformerError) -> String {
        guard let text = try? UTF8Span(validating: bytes) else {
            throw .invalidData("the bytes are not UTF-8", offset: offsetOfDamage(inUTF8: bytes))
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

    /// Without a mark the bytes are big-endian (RFC 2781, section 4.3).
    private static func text(fromMarkedUTF16 bytes: Span<UInt8>) throws(TransformerError) -> String {
        let mark = bytes.count < 2 ? nil : UInt16(bytes[0]) << 8 | UInt16(bytes[1])
        let isMarked = mark == 0xFEFF || mark == 0xFFFE
        return try text(fromUTF16: bytes.extracting(droppingFirst: isMarked ? 2 : 0), bigEndian: mark != 0xFFFE)
    }

    private static func text(fromUTF16 bytes: Span<UInt8>, bigEndian: Bool) throws(TransformerError) -> String {
        guard bytes.count.isMultiple(of: 2) else {
            throw .invalidData("UTF-16 has an even number of bytes", offset: bytes.count)
        }
        let units = stride(from: 0, to: bytes.count, by: 2)
            .map { index in
                let first = UInt16(bytes[index])
                let second = UInt16(bytes[index + 1])
                return bigEndian ? first << 8 | second : second << 8 | first
            }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw .invalidData("the bytes are not UTF-16: a surrogate has no partner")
        }
        return text
    }
}

extension Registration {
    /// `text`: what an expression implies where text meets bytes, and what a plugin offers by name.
    public static let text = Registration(
        "text",
        summary: "text as bytes",
        .reading("encoding", "how text becomes bytes", default: TextEncoding.utf8)
    ) { encoding in TextTransformer(encoding: encoding) }
}
