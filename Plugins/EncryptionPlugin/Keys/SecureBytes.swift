internal import CSodium
internal import Transformable

/// Secret bytes, such as a key or a passphrase, in memory that is locked, guarded by inaccessible pages, read-only, and
/// wiped when it is freed.
///
/// This is a class, so that there is a single copy no matter how often it is passed on. Its description does not reveal
/// the bytes, and comparisons take constant time.
@safe
public final class SecureBytes: Sendable {
    /// The number of bytes.
    public let count: Int

    // Allocated by `sodium_malloc` and freed in `deinit`. Written only in `init`, before any other code has access to
    // this object, and read-only from then on (as is the page itself). Reading it is therefore safe from any thread.
    nonisolated(unsafe) private let start: UnsafeMutableRawPointer

    /// Allocates memory and fills it.
    ///
    /// - Parameters:
    ///   - count: The number of bytes.
    ///   - fill: A closure that writes the bytes. The memory is not cleared before.
    /// - Throws: `TransformerError` with the code `cryptography-unavailable` if the memory cannot be allocated, and any
    ///   error thrown by `fill`.
    public init(count: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
        try Sodium.initialize()
        guard let start = unsafe sodium_malloc(count) else { throw TransformerError.cryptographyUnavailable }
        do {
            try unsafe fill(UnsafeMutableRawBufferPointer(start: start, count: count))
        } catch {
            unsafe sodium_free(start)
            throw error
        }
        unsafe sodium_mprotect_readonly(start)
        unsafe self.start = unsafe start
        self.count = count
    }

    /// Creates random bytes.
    ///
    /// - Parameter count: The number of bytes.
    /// - Throws: `TransformerError` with the code `cryptography-unavailable` if the memory cannot be allocated.
    public convenience init(randomCount count: Int) throws {
        try unsafe self.init(count: count) { unsafe Sodium.fillRandomly($0) }
    }

    deinit {
        unsafe sodium_free(start)
    }

    /// Calls a closure with the bytes.
    ///
    /// - Parameter body: A closure that reads the bytes. The pointer is valid only during the call.
    /// - Returns: The result of `body`.
    /// - Throws: Any error thrown by `body`.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        defer { withExtendedLifetime(self) {} }
        return try unsafe body(UnsafeRawBufferPointer(start: start, count: count))
    }
}

extension SecureBytes: Equatable {
    /// Compares the bytes in a time that depends only on their number.
    public static func == (left: SecureBytes, right: SecureBytes) -> Bool {
        unsafe left.withUnsafeBytes { left in
            unsafe right.withUnsafeBytes { right in unsafe Sodium.areEqual(left, right) }
        }
    }
}

extension SecureBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of bytes.
    public var description: String { count.counted("secret byte") }

    /// The number of bytes.
    public var debugDescription: String { description }

    /// An empty mirror, so that a dump does not show the bytes.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

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
