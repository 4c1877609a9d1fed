/// A hash function of the SHA-2 family (FIPS 180-4).
public enum DigestAlgorithm: Sendable, CaseIterable {
    /// SHA-256, whose digests have 32 bytes.
    case sha256
    /// SHA-512, whose digests have 64 bytes.
    case sha512

    /// The length of a digest, in bytes.
    public var count: Int {
        switch self {
        case .sha256: 32
        case .sha512: 64
        }
    }
}
