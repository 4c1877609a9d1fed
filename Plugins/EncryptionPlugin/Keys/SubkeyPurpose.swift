/// What a subkey is for: the first byte of what it is derived from, so that no two uses share one.
enum SubkeyPurpose: UInt8, Sendable {
    /// Encrypts, and makes the commitment.
    case sealing = 1
    /// Makes the nonces of deterministic values.
    case deterministicNonce = 2
    /// Makes blind indexes.
    case blindIndex = 3
    /// HMAC with SHA-256.
    case hmacSHA256 = 4
    /// HMAC with SHA-512.
    case hmacSHA512 = 5
    /// Seals the content of a protected key ring file.
    case keyRing = 6
    /// Encrypts one value to a public key.
    case recipient = 7
    /// Encrypts values in chunks.
    case chunks = 8
    /// Makes slow blind indexes.
    case slowBlindIndex = 9
    /// Seals what a store's file says about itself.
    case storeSeal = 10
}
