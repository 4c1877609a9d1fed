internal import Foundation
internal import Transformable

/// The sealed format, version 1, suites 1 and 3, given the subkey: header, ciphertext, tag.
struct SealedBox {
    /// Where the nonce of a new value comes from.
    enum Nonce {
        /// 24 random bytes.
        case random
        /// From everything that is sealed, under a key for that alone.
        case derived(Subkey)
        /// Stated, for test vectors.
        case fixed([UInt8])
    }

    /// Header and binding: what is authenticated with the ciphertext.
    private static let associatedCount = SealedHeader.count + SealedBinding.count

    let subkey: Subkey
    let binding: SealedBinding

    /// Seals a plaintext.
    ///
    /// - Parameters:
    ///   - plaintext: The plaintext.
    ///   - header: The header, which must say of the padding what is so.
    ///   - padding: The padding.
    ///   - sender: The sender's public key, for a suite that has one.
    ///   - nonce: Where the nonce comes from.
    /// - Returns: The sealed value.
    /// - Throws: `TransformerError` with `cryptography-unavailable`.
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

    /// How much memory opening a value takes: its plaintext with its padding.
    static func paddedCount(of sealed: UnsafeRawBufferPointer, _ header: SealedHeader) -> Int {
        sealed.count - header.suite.bodyOffset - XChaCha20Poly1305.tagCount
    }

    /// Opens a sealed value.
    ///
    /// Both checks are made whatever the first one says: which of them failed does not show in the time.
    ///
    /// - Parameters:
    ///   - sealed: The sealed value.
    ///   - header: Its header.
    ///   - text: Where the padded plaintext goes.
    /// - Returns: The length of the plaintext; nil if the value does not open.
    /// - Throws: `TransformerError` with `cryptography-unavailable`.
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

    /// Header and binding as they are authenticated, with zeros for a nonce.
    static func associatedData(_ header: SealedHeader, _ subkey: Subkey, _ binding: SealedBinding) -> Data {
        unsafe SealedBox(subkey: subkey, binding: binding)
            .withAssociatedData { associated in
                unsafe header.write(to: associated)
                return unsafe Data(associated)
            }
    }

    /// Lends memory for header and binding, in which commitment and binding are written already and the
    /// rest is zero.
    @inline(__always)
    private func withAssociatedData<Result>(
        _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try unsafe withUnsafeTemporaryAllocation(byteCount: Self.associatedCount, alignment: 8) { associated in
            unsafe associated.initializeMemory(as: UInt8.self, repeating: 0)
            unsafe UnsafeMutableRawBufferPointer(rebasing: associated[SealedHeader.commitmentRange])
                .copyBytes(from: subkey.commitment)
            unsafe binding.write(to: .init(rebasing: associated[SealedHeader.count...]))
            return try unsafe body(associated)
        }
    }

    /// Writes the nonce into what is authenticated, where zeros stand until then.
    ///
    /// A derived nonce is BLAKE2b-192 over all that goes into the encryption: header, binding and the
    /// *padded* plaintext. Two inputs that differ in any of these, be it in padding alone, get nonces of
    /// their own; under one nonce they would give away the difference of their plaintexts.
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
