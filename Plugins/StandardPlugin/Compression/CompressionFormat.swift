/// The format of compressed bytes.
public enum CompressionFormat: Sendable {
    /// Raw DEFLATE data (RFC 1951), without a checksum.
    case deflate
    /// A short header and an Adler-32 checksum (RFC 1950).
    case zlib
    /// A file header, a CRC-32 checksum, and the size (RFC 1952).
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
