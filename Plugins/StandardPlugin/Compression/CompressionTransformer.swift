public import Foundation
public import Transformable

/// Bytes compressed by DEFLATE, bare or in the format of zlib or gzip.
///
/// Reading stops at a limit on the inflated size and never allocates ahead of what was inflated. A
/// truncated input, bytes after the end and a wrong checksum each have their own error. A gzip file
/// may have several members, whose contents are joined, as RFC 1952 says. Written files have no name
/// and no time, so that equal bytes give equal files.
public struct CompressionTransformer: Transformer {
    /// What surrounds the compressed bytes.
    public let format: CompressionFormat
    /// From 0, stored as they are, to 9, smallest.
    public let level: Int
    /// The largest inflated size that is read, in bytes.
    public let limit: Int

    /// zlib's own default.
    public static let defaultLevel = 6
    /// 256 MiB.
    public static let defaultLimit = 256 << 20

    /// Makes a transformer of compressed bytes.
    ///
    /// - Parameters:
    ///   - format: What surrounds the compressed bytes.
    ///   - level: From 0, stored as they are, to 9, smallest.
    ///   - limit: The largest inflated size that is read, in bytes.
    public init(_ format: CompressionFormat, level: Int = defaultLevel, limit: Int = defaultLimit) {
        self.format = format
        self.level = min(max(level, 0), 9)
        self.limit = limit
    }

    /// Equal bytes give equal files, whose length depends on the content unless the level is 0.
    public var traits: TransformerTraits { level == 0 ? .plain : [.plain, .compressing] }

    /// Compresses the bytes.
    public func encode(_ value: Data, in context: TransformContext) throws(TransformerError) -> Data {
        let deflater = try Deflater(format, level: level)
        return deflater.deflate(value)
    }

    /// Inflates the bytes.
    public func decode(_ encoded: Data, in context: TransformContext) throws(TransformerError) -> Data {
        let inflater = try Inflater(format, limit: limit)
        return try inflater.inflate(encoded)
    }
}
