internal import CSodium
internal import Foundation
internal import Transformable

/// The cost of trying a passphrase: the number of operations and the memory of Argon2id (RFC 9106).
///
/// The cost is stored in the file, so you can raise it for new files at any time.
public struct PassphraseCost: Sendable, Hashable {
    /// The number of passes over the memory, which is at least 1.
    public let operations: Int
    /// The amount of memory in bytes.
    ///
    /// It is rounded down to kibibytes.
    public let memory: Int

    /// Creates a cost.
    ///
    /// - Parameters:
    ///   - operations: The number of passes over the memory.
    ///   - memory: The amount of memory in bytes.
    public init(operations: Int, memory: Int) {
        self.operations = operations
        self.memory = memory
    }

    /// 64 MiB of memory, and about a tenth of a second.
    public static let interactive = Self(operations: 2, memory: 64 << 20)
    /// 256 MiB of memory, and about half a second.
    public static let moderate = Self(operations: 3, memory: 256 << 20)
    /// 1 GiB of memory, and a few seconds.
    public static let sensitive = Self(operations: 4, memory: 1 << 30)

    /// Whether the cost is accepted from a file.
    ///
    /// A higher cost could keep a program busy for hours.
    fileprivate var isAcceptable: Bool {
        (1...64).contains(operations) && ((8 << 10)...(4 << 30)).contains(memory)
    }
}

/// The parameters for deriving a key from a passphrase: Argon2id 1.3 with one lane, as implemented by libsodium.
struct PassphraseParameters: Sendable {
    static let saltCount = 16

    let cost: PassphraseCost
    let salt: [UInt8]

    /// Creates parameters with a salt, which must have ``saltCount`` bytes because libsodium reads that many.
    init(cost: PassphraseCost, salt: [UInt8]) {
        precondition(salt.count == Self.saltCount)
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
        guard cost.isAcceptable else {
            throw TransformerError.limitExceeded(
                "the cost of a passphrase must be 1 to 64 operations and 8 KiB to 4 GiB of memory"
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
