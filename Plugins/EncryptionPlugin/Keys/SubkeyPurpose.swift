/// The purpose of a subkey.
///
/// It is the first byte that the subkey is derived from, so that no subkey has two purposes.
enum SubkeyPurpose: UInt8, Sendable {
    /// Encryption and key commitment.
    case sealing = 1
    /// Nonces of deterministic values.
    case deterministicNonce = 2
    /// Blind indexes.
    case blindIndex = 3
    /// HMAC with SHA-256.
    case hmacSHA256 = 4
    /// HMAC with SHA-512.
    case hmacSHA512 = 5
    /// The contents of a protected key ring file.
    case keyRing = 6
    /// Encryption of a single value to a public key.
    case recipient = 7
    /// Encryption of values in chunks.
    case chunks = 8
    /// Slow blind indexes.
    case slowBlindIndex = 9
    /// The seal of a store's description of itself.
    case storeSeal = 10
    /// Makes the tags of rows.
    case rows = 11
}
