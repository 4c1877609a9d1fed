internal import CSodium
internal import Transformable

/// BLAKE2b (RFC 7693), with or without a key.
///
/// The hash depends on the length of the digest.
enum BLAKE2b {
    /// Writes the digest of a message.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - key: The key, or nil for none.
    ///   - output: The buffer for the digest, from 1 to 64 bytes.
    /// - Throws: `TransformerError` with the code `cryptography-unavailable` if libsodium is not available.
    static func hash(
        _ message: UnsafeRawBufferPointer,
        key: SecureBytes?,
        into output: UnsafeMutableRawBufferPointer
    ) throws {
        guard let target = unsafe output.octets else { return }
        let (text, length) = unsafe (message.octets, UInt64(message.count))
        guard let key else {
            return try Sodium.check(unsafe crypto_generichash_blake2b(target, output.count, text, length, nil, 0))
        }
        try unsafe key.withUnsafeBytes { key in
            try Sodium.check(
                unsafe crypto_generichash_blake2b(target, output.count, text, length, key.octets, key.count)
            )
        }
    }

    /// Writes the keyed digest of a message that consists of two parts.
    static func hash(
        _ first: UnsafeRawBufferPointer,
        _ second: UnsafeRawBufferPointer,
        key: SecureBytes,
        into output: UnsafeMutableRawBufferPointer
    ) throws {
        guard let target = unsafe output.octets else { return }
        let count = crypto_generichash_blake2b_statebytes()
        try unsafe withUnsafeTemporaryAllocation(byteCount: count, alignment: 64) { memory in
            guard let start = memory.baseAddress else { return }
            let state = OpaquePointer(start)
            defer { unsafe sodium_memzero(start, count) }
            try unsafe key.withUnsafeBytes { key in
                try Sodium.check(unsafe crypto_generichash_blake2b_init(state, key.octets, key.count, output.count))
            }
            try Sodium.check(unsafe crypto_generichash_blake2b_update(state, first.octets, UInt64(first.count)))
            try Sodium.check(unsafe crypto_generichash_blake2b_update(state, second.octets, UInt64(second.count)))
            try Sodium.check(unsafe crypto_generichash_blake2b_final(state, target, output.count))
        }
    }

    /// Derives a key from another one.
    ///
    /// - Parameters:
    ///   - message: The purpose of the new key.
    ///   - key: The key to derive from.
    ///   - salt: A 16-byte salt.
    ///   - personal: 16 bytes that identify the protocol.
    ///   - output: The buffer for the new key.
    /// - Throws: `TransformerError` with the code `cryptography-unavailable` if libsodium is not available.
    static func derive(
        _ message: [UInt8],
        key: SecureBytes,
        salt: [UInt8],
        personal: [UInt8],
        into output: UnsafeMutableRawBufferPointer
    ) throws {
        precondition(salt.count == 16 && personal.count == 16)
        guard let target = unsafe output.octets else { return }
        try unsafe key.withUnsafeBytes { key in
            try Sodium.check(
                unsafe crypto_generichash_blake2b_salt_personal(
                    target,
                    output.count,
                    message,
                    UInt64(message.count),
                    key.octets,
                    key.count,
                    salt,
                    personal
                )
            )
        }
    }
}
