internal import CSodium
internal import Transformable

/// libsodium's secretstream (XChaCha20-Poly1305 with a chain of nonces), in one direction.
///
/// Only one thread at a time may use it, because each chunk changes its state.
@safe
final class SecretStream {
    /// The tag of a chunk, which indicates its position.
    enum Tag: UInt8 {
        /// More chunks of the same kind follow.
        case message = 0
        /// The plaintext ends within this chunk, and padding follows.
        case push = 1
        /// The last chunk.
        case final = 3
    }

    /// The difference in bytes between a chunk and its plaintext.
    static let overhead = 17

    // Allocated by `sodium_malloc`, wiped and freed in `deinit`, and never exposed.
    private let state: UnsafeMutablePointer<crypto_secretstream_xchacha20poly1305_state>

    private init() throws {
        try Sodium.initialize()
        let count = crypto_secretstream_xchacha20poly1305_statebytes()
        guard let memory = unsafe sodium_malloc(count) else { throw TransformerError.cryptographyUnavailable }
        unsafe state = unsafe memory.assumingMemoryBound(to: crypto_secretstream_xchacha20poly1305_state.self)
    }

    deinit {
        unsafe sodium_free(state)
    }

    /// Starts sealing, and creates a random header.
    convenience init(sealingUnder key: SecureBytes, header: UnsafeMutableRawBufferPointer) throws {
        try self.init()
        try unsafe key.withUnsafeBytes { key in
            guard let header = unsafe header.octets, let key = unsafe key.octets else { return }
            try Sodium.check(unsafe crypto_secretstream_xchacha20poly1305_init_push(state, header, key))
        }
    }

    /// Starts opening.
    convenience init(openingUnder key: SecureBytes, header: UnsafeRawBufferPointer) throws {
        try self.init()
        try unsafe key.withUnsafeBytes { key in
            guard let header = unsafe header.octets, let key = unsafe key.octets else { return }
            try Sodium.check(unsafe crypto_secretstream_xchacha20poly1305_init_pull(state, header, key))
        }
    }

    /// Encrypts a chunk into a buffer that is longer by ``overhead``.
    func seal(
        _ chunk: UnsafeRawBufferPointer,
        _ tag: Tag,
        authenticating data: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws {
        guard let target = unsafe output.octets else { return }
        let code = unsafe crypto_secretstream_xchacha20poly1305_push(
            state,
            target,
            nil,
            chunk.octets,
            UInt64(chunk.count),
            data.octets,
            UInt64(data.count),
            tag.rawValue
        )
        try Sodium.check(code)
    }

    /// Decrypts a chunk, or returns nil if it is not the expected one.
    func open(
        _ chunk: UnsafeRawBufferPointer,
        authenticating data: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) -> Tag? {
        guard let source = unsafe chunk.octets, let target = unsafe output.octets else { return nil }
        var tag: UInt8 = 0
        let code = unsafe crypto_secretstream_xchacha20poly1305_pull(
            state,
            target,
            nil,
            &tag,
            source,
            UInt64(chunk.count),
            data.octets,
            UInt64(data.count)
        )
        return code == 0 ? Tag(rawValue: tag) : nil
    }
}

@available(*, unavailable)
extension SecretStream: Sendable {}
