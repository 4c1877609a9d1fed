public import Foundation
public import Transformable

/// Bytes encrypted and bound to the place where they live.
///
/// XChaCha20-Poly1305 under a key that is derived for the store, entity and attribute of the context;
/// store, entity, attribute and object are authenticated with the ciphertext, so that a value that is
/// copied to another row, attribute, entity or store does not open there. A value that was sealed
/// without a context opens in no cell. <doc:SealedFormat> describes each byte.
///
/// A *deterministic* value is the same bytes whenever the same plaintext is sealed in the same
/// attribute under the same key, so that columns can be compared and indexed. That tells who reads the
/// file which rows agree, and how often each value occurs; and since such a value is not bound to its
/// row, who can write to the file can copy it to another row of the same attribute unnoticed. For
/// conditions on equality a ``BlindIndexTransformer`` gives away less.
///
/// A value that is sealed *to a public key* is opened by the secret one alone: a program whose ring
/// has only ``KeyRing/publicPart()`` can write and not read. Such a value does not say who sealed it;
/// everybody who has the public key can.
public struct SealedTransformer: SpanTransformer {
    /// How values are sealed; a transformer opens those of its own kind only.
    enum Kind: Sendable {
        case ordinary
        case deterministic
        case recipient
    }

    /// The name of the key for new values; nil means the ring's default.
    public let key: String?
    /// How much new values tell of their lengths.
    public let padding: SealedPadding

    let kind: Kind
    let keys: KeyRing
    private let subkeys: RecentSubkey
    private let nonceSubkeys: RecentSubkey

    /// Makes a transformer.
    ///
    /// - Parameters:
    ///   - keys: The keys; whichever of them sealed a value opens it.
    ///   - key: The name of the key for new values; nil means the ring's default.
    ///   - padding: How much new values tell of their lengths.
    ///   - deterministic: Whether equal plaintexts give equal bytes; a transformer opens one kind only.
    public init(
        keys: KeyRing,
        key: String? = nil,
        padding: SealedPadding = .block,
        deterministic: Bool = false
    ) {
        self.init(keys, key, padding, deterministic ? .deterministic : .ordinary)
    }

    /// Makes a transformer that seals to a public key.
    ///
    /// - Parameters:
    ///   - keys: The keys; to seal, the public one is enough.
    ///   - recipient: The name of the pair for new values.
    ///   - padding: How much new values tell of their lengths.
    public init(keys: KeyRing, to recipient: String, padding: SealedPadding = .block) {
        self.init(keys, recipient, padding, .recipient)
    }

    private init(_ keys: KeyRing, _ key: String?, _ padding: SealedPadding, _ kind: Kind) {
        self.keys = keys
        self.key = key
        self.padding = padding
        self.kind = kind
        subkeys = RecentSubkey(keys)
        nonceSubkeys = RecentSubkey(keys)
    }

    /// Whether equal plaintexts give equal bytes.
    public var isDeterministic: Bool { kind == .deterministic }

    /// Contextual, authenticated and confidential; deterministic and canonical where asked.
    public var traits: TransformerTraits {
        let always: TransformerTraits = [.contextual, .authenticated, .confidential]
        return isDeterministic ? always.union(.plain) : always
    }

    /// Seals a value under the primary generation of the key.
    ///
    /// - Parameters:
    ///   - value: The plaintext.
    ///   - context: The place to bind it to.
    /// - Returns: The sealed value: 88 bytes more than the padded plaintext, to a public key 120.
    /// - Throws: `TransformerError` with `missing-key`.
    public func encode(_ value: Data, in context: TransformContext) throws -> Data {
        let entry = try keys.primary(kind == .recipient ? .pair : .secret, named: key)
        return try seal(value, under: entry, binding(context))
    }

    /// The sealed value under every generation that is in use, if this is deterministic; else one that
    /// equals nothing that is stored.
    public func candidates(for value: Data, in context: TransformContext) throws -> [Data] {
        guard isDeterministic else { return [try encode(value, in: context)] }
        return try keys.usable(named: key).map { try seal(value, under: $0, binding(context)) }
    }

    /// Opens a sealed value.
    ///
    /// - Parameters:
    ///   - encoded: The sealed value.
    ///   - context: The place it was sealed for, all of it.
    /// - Returns: The plaintext.
    /// - Throws: `TransformerError`: `authentication-failed` if it was altered, moved, or sealed in another
    ///   way or under another key of the same id; `missing-key`, `retired-key`; `invalid-data` or
    ///   `unsupported` for what is not a sealed value of a known version.
    public func decode(_ encoded: Span<UInt8>, in context: TransformContext) throws -> Data {
        let binding = binding(context)
        return try unsafe encoded.withUnsafeBytes { sealed in
            let header = try unsafe SealedHeader(sealed)
            let entry = try keys.entry(header.key)
            if header.suite == .chunked, kind == .ordinary { return try unsafe decodeChunks(sealed, binding) }
            guard header.suite == suite, let subkey = try unsafe subkey(of: sealed, under: entry, binding) else {
                throw TransformerError.doesNotOpen
            }
            let box = SealedBox(subkey: subkey, binding: binding)
            let isAsked = header.parts == binding.parts && header.flags.contains(.deterministic) == isDeterministic
            return try unsafe Data.uninitialized(count: SealedBox.paddedCount(of: sealed, header)) { text in
                guard let count = try unsafe box.open(sealed, header, into: text), isAsked else {
                    unsafe Sodium.wipe(text)
                    throw TransformerError.doesNotOpen
                }
                return count
            }
        }
    }

    /// Opens what is stored and compares plaintexts, in time that depends on their lengths alone.
    ///
    /// A value that is stored under a former key or with other padding is unchanged. Where the ring can
    /// write and not read, nothing is known to be unchanged.
    public func isUnchanged(_ value: Data, since encoded: Data, in context: TransformContext) throws -> Bool {
        if kind == .recipient {
            let header = try unsafe encoded.withUnsafeBytes { try unsafe SealedHeader($0) }
            if try keys.entry(header.key).material.secret == nil { return false }
        }
        let stored = try decode(encoded, in: context)
        return unsafe stored.withUnsafeBytes { stored in
            unsafe value.withUnsafeBytes { value in unsafe Sodium.areEqual(stored, value) }
        }
    }

    private var suite: SealedHeader.Suite { kind == .recipient ? .recipient : .whole }

    private func binding(_ context: TransformContext) -> SealedBinding {
        SealedBinding(context, includingObject: !isDeterministic)
    }
}

extension SealedTransformer {
    /// The key that a sealed value is encrypted under; nil if it can be none of this transformer's.
    private func subkey(
        of sealed: UnsafeRawBufferPointer,
        under entry: KeyRing.Entry,
        _ binding: SealedBinding
    ) throws -> Subkey? {
        guard kind == .recipient else { return try subkeys.subkey(of: entry, for: .sealing, in: binding) }
        guard case .pair(let publicKey, let secret) = entry.material else { return nil }
        guard let secret else { throw TransformerError.missingSecret(entry.generation.id) }
        let sender = unsafe Array(sealed[SealedHeader.count..<suite.bodyOffset])
        let shared = try KeyExchange.sharedKey(recipient: (publicKey, secret), sender: sender)
        return try shared.map { try Subkey(of: $0, for: .init(entry.generation.id, .recipient, binding)) }
    }

    private func seal(_ value: Data, under entry: KeyRing.Entry, _ binding: SealedBinding) throws -> Data {
        switch kind {
        case .ordinary:
            return try seal(value, under: entry, binding, nonce: .random)
        case .deterministic:
            let key = try nonceSubkeys.subkey(of: entry, for: .deterministicNonce, in: binding)
            return try seal(value, under: entry, binding, nonce: .derived(key))
        case .recipient:
            return try seal(value, to: entry, binding, sender: SecureBytes(randomCount: KeyExchange.keyCount))
        }
    }

    /// Seals with a stated source of nonces.
    func seal(
        _ value: Data,
        under entry: KeyRing.Entry,
        _ binding: SealedBinding,
        nonce: SealedBox.Nonce
    ) throws -> Data {
        let box = SealedBox(subkey: try subkeys.subkey(of: entry, for: .sealing, in: binding), binding: binding)
        return try unsafe value.withUnsafeBytes {
            try unsafe box.seal($0, header(entry, binding), padding: padding, nonce: nonce)
        }
    }

    /// Seals to a public key with a sender's secret, which is for this value alone.
    func seal(
        _ value: Data,
        to entry: KeyRing.Entry,
        _ binding: SealedBinding,
        sender: SecureBytes,
        nonce: SealedBox.Nonce = .random
    ) throws -> Data {
        let publicKey = try KeyExchange.publicKey(of: sender)
        guard let recipient = entry.material.publicKey,
            let shared = try KeyExchange.sharedKey(sender: (publicKey, sender), recipient: recipient)
        else { throw TransformerError.invalidKeyFile("the public key of \(entry.generation.id) is none") }
        let subkey = try Subkey(of: shared, for: .init(entry.generation.id, .recipient, binding))
        return try unsafe value.withUnsafeBytes {
            try unsafe SealedBox(subkey: subkey, binding: binding)
                .seal($0, header(entry, binding), padding: padding, sender: publicKey, nonce: nonce)
        }
    }

    private func header(_ entry: KeyRing.Entry, _ binding: SealedBinding) -> SealedHeader {
        var flags: SealedHeader.Flags = padding == .none ? [] : .padded
        if isDeterministic { flags.insert(.deterministic) }
        return SealedHeader(suite: suite, flags: flags, parts: binding.parts, key: entry.generation.id)
    }
}
