internal import CSodium
internal import Transformable

/// XChaCha20-Poly1305 in its IETF form, with keys of 32 bytes and nonces of 24.
enum XChaCha20Poly1305 {
    static let tagCount = 16

    /// Encrypts a buffer in place; its last 16 bytes are for the tag.
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

    /// Decrypts.
    ///
    /// - Parameters:
    ///   - sealed: The ciphertext and its tag.
    ///   - data: What is authenticated with it.
    ///   - nonce: The nonce.
    ///   - key: The key.
    ///   - output: Where the plaintext goes: 16 bytes less than `sealed`. Zeros if the tag was wrong.
    /// - Returns: Whether the tag was right.
    /// - Throws: `TransformerError` with `cryptography-unavailable`.
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
