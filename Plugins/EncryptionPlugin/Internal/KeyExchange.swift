internal import CSodium
internal import Transformable

/// Key exchange between a sender and a recipient with libsodium's `crypto_kx` (X25519 and BLAKE2b).
enum KeyExchange {
    /// The length of each key (public, secret, and shared) in bytes.
    static let keyCount = 32

    /// Returns the public key of a secret key.
    static func publicKey(of secret: SecureBytes) throws -> [UInt8] {
        var key = [UInt8](repeating: 0, count: keyCount)
        try unsafe secret.withUnsafeBytes { secret in
            guard let secret = unsafe secret.octets else { return }
            try Sodium.check(unsafe crypto_scalarmult_base(&key, secret))
        }
        return key
    }

    /// Returns the key that a sender shares with a recipient: the key that `crypto_kx` returns to a client for sending.
    ///
    /// - Returns: The key, or nil if the recipient's public key is one of the few that do not lead to a secret.
    static func sharedKey(
        sender: (public: [UInt8], secret: SecureBytes),
        recipient: [UInt8]
    ) throws -> SecureBytes? {
        try unsafe key { output, other in
            unsafe sender.secret.withUnsafeBytes { secret in
                guard let secret = unsafe secret.octets else { return -1 }
                return unsafe crypto_kx_client_session_keys(other, output, sender.public, secret, recipient)
            }
        }
    }

    /// Returns the key that a recipient shares with a sender: the key that `crypto_kx` returns to a server for
    /// receiving.
    ///
    /// - Returns: The key, or nil if the sender's public key is one of the few that do not lead to a secret.
    static func sharedKey(
        recipient: (public: [UInt8], secret: SecureBytes),
        sender: [UInt8]
    ) throws -> SecureBytes? {
        try unsafe key { output, other in
            unsafe recipient.secret.withUnsafeBytes { secret in
                guard let secret = unsafe secret.octets else { return -1 }
                return unsafe crypto_kx_server_session_keys(output, other, recipient.public, secret, sender)
            }
        }
    }

    /// Keeps one of the two keys that `crypto_kx` computes, and wipes the one for the other direction.
    private static func key(
        _ body: (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>) -> Int32
    ) throws -> SecureBytes? {
        var isShared = false
        let key = try unsafe SecureBytes(count: keyCount) { output in
            unsafe withUnsafeTemporaryAllocation(byteCount: keyCount, alignment: 8) { other in
                guard let output = unsafe output.octets, let unused = unsafe other.octets else { return }
                isShared = unsafe body(output, unused) == 0
                unsafe Sodium.wipe(other)
            }
        }
        return isShared ? key : nil
    }
}
