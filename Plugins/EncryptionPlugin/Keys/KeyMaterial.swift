internal import Transformable

/// The bytes of a generation of a key.
enum KeyMaterial: Sendable {
    case secret(SecureBytes)
    case pair(public: [UInt8], secret: SecureBytes?)

    /// Creates random key material.
    init(random kind: KeyRing.Kind) throws {
        let secret = try SecureBytes(randomCount: KeyRing.keyCount)
        switch kind {
        case .secret: self = .secret(secret)
        case .pair: self = .pair(public: try KeyExchange.publicKey(of: secret), secret: secret)
        }
    }

    var kind: KeyRing.Kind {
        switch self {
        case .secret: .secret
        case .pair: .pair
        }
    }

    var secret: SecureBytes? {
        switch self {
        case .secret(let secret): secret
        case .pair(_, let secret): secret
        }
    }

    var publicKey: [UInt8]? {
        switch self {
        case .secret: nil
        case .pair(let key, _): key
        }
    }

    /// The key material without the secret key of a key pair.
    ///
    /// A symmetric key has no public part and stays the same.
    var publicPart: Self {
        switch self {
        case .secret: self
        case .pair(let key, _): .pair(public: key, secret: nil)
        }
    }

    /// Whether the keys of a key pair match.
    var isConsistent: Bool {
        get throws {
            guard case .pair(let key, let secret?) = self else { return true }
            return try KeyExchange.publicKey(of: secret) == key
        }
    }
}
