internal import CSodium
internal import Transformable

/// Secret bytes, such as a key or a passphrase, in memory that is locked, guarded by inaccessible pages,
/// read-only, and wiped when it is freed.
///
/// A class, so that there is one copy however often it is handed on. It has no description of its
/// content, and compares in constant time.
@safe
public final class SecureBytes: Sendable {
    /// How many bytes there are.
    public let count: Int

    // From `sodium_malloc`, freed in `deinit`. Written in `init` only, before anybody else has this object,
    // and read-only from then on (the page itself is): so reading it is safe from any thread.
    nonisolated(unsafe) private let start: UnsafeMutableRawPointer

    /// Allocates memory and has it filled.
    ///
    /// - Parameters:
    ///   - count: How many bytes.
    ///   - fill: Writes the bytes; the memory is not cleared before.
    /// - Throws: `TransformerError` with `cryptography-unavailable`, and what `fill` throws.
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

    /// Makes random bytes.
    ///
    /// - Parameter count: How many bytes.
    /// - Throws: `TransformerError` with `cryptography-unavailable`.
    public convenience init(randomCount count: Int) throws {
        try unsafe self.init(count: count) { unsafe Sodium.fillRandomly($0) }
    }

    deinit {
        unsafe sodium_free(start)
    }

    /// Lends the bytes.
    ///
    /// - Parameter body: Reads the bytes; the pointer must not leave it.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        defer { withExtendedLifetime(self) {} }
        return try unsafe body(UnsafeRawBufferPointer(start: start, count: count))
    }
}

extension SecureBytes: Equatable {
    /// Compares in time that depends on the length alone.
    public static func == (left: SecureBytes, right: SecureBytes) -> Bool {
        unsafe left.withUnsafeBytes { left in
            unsafe right.withUnsafeBytes { right in unsafe Sodium.areEqual(left, right) }
        }
    }
}

extension SecureBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How many bytes there are and nothing else.
    public var description: String { count.counted("secret byte") }

    /// How many bytes there are and nothing else.
    public var debugDescription: String { description }

    /// Nothing: a dump shows no bytes.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
