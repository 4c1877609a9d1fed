internal import Transformable

/// The bytes of one generation of a key.
enum KeyMaterial: Sendable {
    case secret(SecureBytes)
    case pair(public: [UInt8], secret: SecureBytes?)

    /// Makes a key at random.
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

    /// The same without what opens; a key that is no pair has no public part, and stays.
    var publicPart: Self {
        switch self {
        case .secret: self
        case .pair(let key, _): .pair(public: key, secret: nil)
        }
    }

    /// Whether a pair's keys belong together.
    var isConsistent: Bool {
        get throws {
            guard case .pair(let key, let secret?) = self else { return true }
            return try KeyExchange.publicKey(of: secret) == key
        }
    }
}
