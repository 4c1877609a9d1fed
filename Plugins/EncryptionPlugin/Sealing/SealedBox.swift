internal import Foundation

/// Seals and opens values with a subkey, in suites 1 and 3 of version 1 of the sealed format: header, ciphertext, and
/// tag.
///
/// It cannot be copied, because closures would copy it for each value.
struct SealedBox: ~Copyable {
    /// The source of the nonce of a new value.
    enum Nonce {
        /// 24 random bytes.
        case random
        /// A nonce that is derived from everything that is sealed, with a subkey for this purpose.
        case derived(Subkey)
        /// A fixed nonce, for test vectors.
        case fixed([UInt8])
    }

    let subkey: Subkey
    let binding: SealedBinding

    /// The number of bytes of the header and the binding, which are authenticated with the ciphertext.
    private var associatedCount: Int { SealedHeader.count + binding.count }

    /// Seals a plaintext.
    ///
    /// - Parameters:
    ///   - plaintext: The plaintext.
    ///   - header: The header, which must match the padding.
    ///   - padding: The padding.
    ///   - sender: The sender's public key, for suites that have one.
    ///   - nonce: The source of the nonce.
    /// - Returns: The sealed value.
    /// - Throws: `TransformerError` with the code `cryptography-unavailable` if libsodium is not available.
    func seal(
        _ plaintext: UnsafeRawBufferPointer,
        _ header: SealedHeader,
        padding: SealedPadding,
        sender: [UInt8] = [],
        nonce: Nonce
    ) throws -> Data {
        let padded = padding.paddedCount(of: plaintext.count)
        let offset = header.suite.bodyOffset
        return try unsafe .uninitialized(count: offset + padded + XChaCha20Poly1305.tagCount) { sealed in
            unsafe UnsafeMutableRawBufferPointer(rebasing: sealed[SealedHeader.count..<offset]).copyBytes(from: sender)
            let body = unsafe UnsafeMutableRawBufferPointer(rebasing: sealed[offset...])
            let text = unsafe UnsafeMutableRawBufferPointer(rebasing: body[..<padded])
            unsafe SealedPadding.pad(plaintext, to: text)
            try unsafe withAssociatedData { associated in
                unsafe header.write(to: associated)
                try unsafe write(nonce, of: .init(text), in: associated)
                unsafe sealed.copyMemory(from: .init(rebasing: associated[..<SealedHeader.count]))
                try unsafe XChaCha20Poly1305.seal(
                    body,
                    authenticating: .init(associated),
                    nonce: .init(rebasing: associated[SealedHeader.nonceRange]),
                    key: subkey.bytes
                )
            }
            return sealed.count
        }
    }

    /// Returns the size of the padded plaintext, which is the memory required to open a value.
    static func paddedCount(of sealed: UnsafeRawBufferPointer, _ header: SealedHeader) -> Int {
        sealed.count - header.suite.bodyOffset - XChaCha20Poly1305.tagCount
    }

    /// Opens a sealed value.
    ///
    /// Both checks are always performed, so that the time does not reveal which of them failed.
    ///
    /// - Parameters:
    ///   - sealed: The sealed value.
    ///   - header: The header of the sealed value.
    ///   - text: The buffer for the padded plaintext.
    /// - Returns: The length of the plaintext, or nil if the value cannot be opened.
    /// - Throws: `TransformerError` with the code `cryptography-unavailable` if libsodium is not available.
    func open(
        _ sealed: UnsafeRawBufferPointer,
        _ header: SealedHeader,
        into text: UnsafeMutableRawBufferPointer
    ) throws -> Int? {
        let isOpen = try unsafe open(sealed, from: header.suite.bodyOffset, into: text)
        let count = unsafe header.flags.contains(.padded) ? SealedPadding.count(of: .init(text)) : text.count
        return isOpen ? count : nil
    }

    private func open(
        _ sealed: UnsafeRawBufferPointer,
        from offset: Int,
        into text: UnsafeMutableRawBufferPointer
    ) throws -> Bool {
        try unsafe withAssociatedData { associated in
            let isCommitted = unsafe Sodium.areEqual(
                .init(rebasing: associated[SealedHeader.commitmentRange]),
                .init(rebasing: sealed[SealedHeader.commitmentRange])
            )
            unsafe associated.copyMemory(from: .init(rebasing: sealed[..<SealedHeader.count]))
            let isAuthentic = try unsafe XChaCha20Poly1305.open(
                .init(rebasing: sealed[offset...]),
                authenticating: .init(associated),
                nonce: .init(rebasing: sealed[SealedHeader.nonceRange]),
                key: subkey.bytes,
                into: text
            )
            return isAuthentic && isCommitted
        }
    }

    /// Returns the header and the binding as they are authenticated, with zeros for the nonce.
    static func associatedData(_ header: SealedHeader, _ subkey: Subkey, _ binding: SealedBinding) -> Data {
        unsafe SealedBox(subkey: subkey, binding: binding)
            .withAssociatedData { associated in
                unsafe header.write(to: associated)
                return unsafe Data(associated)
            }
    }

    /// Calls a closure with memory for the header and the binding.
    ///
    /// The commitment and the binding are already written, and all other bytes are zero.
    @inline(__always)
    private func withAssociatedData<Result>(
        _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try unsafe withUnsafeTemporaryAllocation(byteCount: associatedCount, alignment: 8) { associated in
            unsafe associated.initializeMemory(as: UInt8.self, repeating: 0)
            unsafe UnsafeMutableRawBufferPointer(rebasing: associated[SealedHeader.commitmentRange])
                .copyBytes(from: subkey.commitment)
            unsafe binding.write(to: .init(rebasing: associated[SealedHeader.count...]))
            return try unsafe body(associated)
        }
    }

    /// Writes the nonce to the authenticated data, which contains zeros in its place until then.
    ///
    /// A derived nonce is the BLAKE2b-192 digest of all inputs to the encryption: the header, the binding, and the
    /// *padded* plaintext. Inputs that differ in any of these, even if only in the padding, get different nonces. With
    /// the same nonce, they would reveal the difference of their plaintexts.
    private func write(
        _ nonce: Nonce,
        of text: UnsafeRawBufferPointer,
        in associated: UnsafeMutableRawBufferPointer
    ) throws {
        let field = unsafe UnsafeMutableRawBufferPointer(rebasing: associated[SealedHeader.nonceRange])
        switch nonce {
        case .random: unsafe Sodium.fillRandomly(field)
        case .fixed(let bytes): unsafe field.copyBytes(from: bytes)
        case .derived(let key):
            try unsafe withUnsafeTemporaryAllocation(byteCount: field.count, alignment: 8) { digest in
                try unsafe BLAKE2b.hash(.init(associated), text, key: key.bytes, into: digest)
                unsafe field.copyMemory(from: .init(digest))
            }
        }
    }
}
