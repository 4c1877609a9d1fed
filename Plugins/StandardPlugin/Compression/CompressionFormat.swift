/// What surrounds the compressed bytes.
public enum CompressionFormat: Sendable {
    /// Nothing (RFC 1951): no checksum either.
    case deflate
    /// A short header and Adler-32 (RFC 1950).
    case zlib
    /// A file's header, CRC-32 and the size (RFC 1952).
    case gzip

    /// How zlib names the format: the window's bits, negative for none, 16 more for gzip.
    var windowBits: Int32 {
        switch self {
        case .deflate: -15
        case .zlib: 15
        case .gzip: 15 + 16
        }
    }
}
