internal import CSodium
internal import Foundation
internal import Transformable

/// The parameters for deriving a key from a passphrase: Argon2id 1.3 with one lane, as implemented by libsodium.
struct PassphraseParameters: Sendable {
    static let saltCount = 16

    let cost: PassphraseCost
    let salt: [UInt8]

    init(cost: PassphraseCost, salt: [UInt8]) {
        self.cost = cost
        self.salt = salt
    }

    /// Creates parameters with a new salt.
    init(cost: PassphraseCost) {
        var generator = SystemRandomNumberGenerator()
        self.init(cost: cost, salt: (0..<Self.saltCount).map { _ in generator.next() })
    }

    /// Derives the key from a passphrase.
    func key(of passphrase: SecureBytes) throws -> SecureBytes {
        guard passphrase.count > 0 else {
            throw TransformerError(.invalidArgument, "the passphrase is empty")
        }
        guard cost.isAcceptable, salt.count == Self.saltCount else {
            throw TransformerError.limitExceeded(
                "the cost of the passphrase exceeds 64 operations or 4 GiB of memory"
            )
        }
        return try unsafe SecureBytes(count: KeyRing.keyCount) { output in
            try unsafe passphrase.withUnsafeBytes { passphrase in
                guard let target = unsafe output.octets, let source = passphrase.baseAddress else { return }
                let code = unsafe crypto_pwhash(
                    target,
                    UInt64(output.count),
                    source.assumingMemoryBound(to: CChar.self),
                    UInt64(passphrase.count),
                    salt,
                    UInt64(cost.operations),
                    cost.memory,
                    crypto_pwhash_ALG_ARGON2ID13
                )
                try Sodium.check(code)
            }
        }
    }
}
