public import Foundation
public import Transformable

/// A transformer that compresses bytes with DEFLATE, in raw form or in the format of zlib or gzip.
///
/// Decompression stops at a size limit, and never writes to more memory than its output needs. Truncated input, trailing
/// bytes, and a wrong checksum are different errors. As RFC 1952 requires, a gzip file can have several members, whose
/// contents are concatenated. Compressed files contain neither a name nor a time, so that equal bytes produce equal
/// files.
///
/// Large values in memory are compressed by libdeflate, which is faster; short ones and streams by zlib. Their compressed
/// bytes differ, and each reads those of the other.
public struct CompressionTransformer: Transformer {
    /// The format of the compressed bytes.
    public let format: CompressionFormat
    /// The compression level, from 0 (no compression) to 9 (smallest).
    public let level: Int
    /// The maximum decompressed size, in bytes.
    public let limit: Int

    /// The default compression level, which is the same as zlib's.
    public static let defaultLevel = 6
    /// The default limit: 256 MiB.
    public static let defaultLimit = 256 << 20

    /// Creates a transformer.
    ///
    /// - Parameters:
    ///   - format: The format of the compressed bytes.
    ///   - level: The compression level, from 0 (no compression) to 9 (smallest).
    ///   - limit: The maximum decompressed size, in bytes.
    public init(_ format: CompressionFormat, level: Int = defaultLevel, limit: Int = defaultLimit) {
        self.format = format
        self.level = min(max(level, 0), 9)
        self.limit = limit
    }

    /// The traits of the transformer.
    ///
    /// Unless the level is 0, the compressed size depends on the content.
    public var traits: TransformerTraits { level == 0 ? .plain : [.plain, .compressing] }

    /// Compresses bytes.
    ///
    /// - Throws: `TransformerError` with the code `limit-exceeded` if there are more bytes than ``limit``, because they
    ///   could not be decompressed.
    public func encode(_ value: Data, in context: TransformContext) throws(TransformerError) -> Data {
        guard value.count <= limit else { throw .tooLargeToDecompress(limit) }
        guard value.count >= WholeDeflater.smallestInput else {
            return try Deflater(format, level: level).deflate(value)
        }
        return try WholeDeflater.deflate(value, format, level: level)
    }

    /// Decompresses bytes.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> Data {
        if let value = WholeInflater.inflate(encoded, format, limit: limit) { return value }
        return try Inflater(format, limit: limit).inflate(encoded)
    }
}

extension TransformerError {
    /// Returns the error for bytes that could be compressed, but not decompressed again.
    fileprivate static func tooLargeToDecompress(_ limit: Int) -> Self {
        .limitExceeded("the data is larger than \(limit) bytes, and could not be decompressed; raise “limit”")
    }
}

/// The format of compressed bytes.
public enum CompressionFormat: Sendable {
    /// Raw DEFLATE data (RFC 1951), without a checksum.
    case deflate
    /// DEFLATE data with a short header and an Adler-32 checksum (RFC 1950).
    case zlib
    /// DEFLATE data with a file header, a CRC-32 checksum, and the size (RFC 1952).
    case gzip

    /// The value of zlib's `windowBits` for the format: negative for raw data, and increased by 16 for gzip.
    var windowBits: Int32 {
        switch self {
        case .deflate: -15
        case .zlib: 15
        case .gzip: 15 + 16
        }
    }
}

extension CompressionTransformer: StreamTransformer {
    /// Returns a stream that compresses.
    ///
    /// The limit applies to its whole input, because the output could not be decompressed otherwise.
    public func encodingStream(in context: TransformContext) throws -> any ByteStream {
        DeflatingStream(try Deflater(format, level: level), limit: limit)
    }

    /// Returns a stream that decompresses.
    ///
    /// The limit applies to its whole output.
    public func decodingStream(in context: TransformContext) throws -> any ByteStream {
        InflatingStream(try Inflater(format, limit: limit))
    }
}

private final class DeflatingStream: ByteStream {
    private let deflater: Deflater
    private let limit: Int
    private var count = 0

    init(_ deflater: Deflater, limit: Int) {
        self.deflater = deflater
        self.limit = limit
    }

    func push(_ bytes: Data, into output: (Data) throws -> Void) throws {
        count += bytes.count
        guard count <= limit else { throw TransformerError.tooLargeToDecompress(limit) }
        try deflater.add(bytes, into: output)
    }

    func finish(into output: (Data) throws -> Void) throws {
        try deflater.finish(into: output)
    }
}

private final class InflatingStream: ByteStream {
    private let inflater: Inflater

    init(_ inflater: Inflater) {
        self.inflater = inflater
    }

    func push(_ bytes: Data, into output: (Data) throws -> Void) throws {
        var rest = bytes
        while let piece = try inflater.next(&rest) { try output(piece) }
    }

    func finish(into output: (Data) throws -> Void) throws {
        try inflater.finish()
    }
}

extension StandardPlugin {
    @RegistrationBuilder static var compression: [Registration] {
        registration("deflate", .deflate, "bytes compressed with DEFLATE, without a header")
        registration("zlib", .zlib, "bytes compressed in the zlib format")
        registration("gzip", .gzip, "bytes compressed as a gzip file")
    }

    private static func registration(
        _ name: TransformerName,
        _ format: CompressionFormat,
        _ summary: String
    ) -> Registration {
        Registration(
            name,
            summary: summary,
            .writing("level", "from 0 (none) to 9 (smallest)", default: CompressionTransformer.defaultLevel, in: 0...9),
            .writing(
                "limit",
                "the maximum decompressed size in bytes",
                default: CompressionTransformer.defaultLimit,
                in: 0...Int.max
            )
        ) { level, limit in CompressionTransformer(format, level: level, limit: limit) }
    }
}
