internal import CSodium
internal import Transformable

/// XChaCha20-Poly1305 in its IETF variant, with 32-byte keys and 24-byte nonces.
enum XChaCha20Poly1305 {
    static let tagCount = 16

    /// Encrypts a buffer in place.
    ///
    /// Its last 16 bytes are reserved for the tag.
    static func seal(
        _ buffer: UnsafeMutableRawBufferPointer,
        authenticating data: UnsafeRawBufferPointer,
        nonce: UnsafeRawBufferPointer,
        key: SecureBytes
    ) throws {
        try unsafe key.withUnsafeBytes { key in
            guard let text = unsafe buffer.octets, let nonce = unsafe nonce.octets, let key = unsafe key.octets else {
                throw TransformerError.cryptographyUnavailable
            }
            let code = unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
                text,
                nil,
                text,
                UInt64(buffer.count - tagCount),
                data.octets,
                UInt64(data.count),
                nil,
                nonce,
                key
            )
            try Sodium.check(code)
        }
    }

    /// Decrypts a ciphertext.
    ///
    /// - Parameters:
    ///   - sealed: The ciphertext and its tag.
    ///   - data: The additional authenticated data.
    ///   - nonce: The nonce.
    ///   - key: The key.
    ///   - output: The buffer for the plaintext, which is 16 bytes shorter than `sealed`. It contains zeros if the tag
    ///     is wrong.
    /// - Returns: Whether the tag is correct.
    /// - Throws: `TransformerError` with the code `cryptography-unavailable` if libsodium is not available.
    static func open(
        _ sealed: UnsafeRawBufferPointer,
        authenticating data: UnsafeRawBufferPointer,
        nonce: UnsafeRawBufferPointer,
        key: SecureBytes,
        into output: UnsafeMutableRawBufferPointer
    ) throws -> Bool {
        try unsafe key.withUnsafeBytes { key in
            guard let text = unsafe sealed.octets, let nonce = unsafe nonce.octets, let key = unsafe key.octets else {
                throw TransformerError.cryptographyUnavailable
            }
            let code = unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
                output.octets,
                nil,
                nil,
                text,
                UInt64(sealed.count),
                data.octets,
                UInt64(data.count),
                nonce,
                key
            )
            return code == 0
        }
    }
}
