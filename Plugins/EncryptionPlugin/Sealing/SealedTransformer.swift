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
public struct SealedTransformer: Transformer {
    /// The name of the key for new values; nil means the ring's default.
    public let key: String?
    /// How much new values tell of their lengths.
    public let padding: SealedPadding
    /// Whether equal plaintexts give equal bytes.
    public let isDeterministic: Bool

    private let keys: KeyRing

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
        self.keys = keys
        self.key = key
        self.padding = padding
        isDeterministic = deterministic
    }

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
    /// - Returns: The sealed value: 88 bytes more than the padded plaintext.
    /// - Throws: `TransformerError` with `missing-key`.
    public func encode(_ value: Data, in context: TransformContext) throws -> Data {
        try seal(value, under: keys.primary(named: key), in: context)
    }

    /// The sealed value under every generation that is in use, if this is deterministic; else one that
    /// equals nothing that is stored.
    public func candidates(for value: Data, in context: TransformContext) throws -> [Data] {
        guard isDeterministic else { return [try encode(value, in: context)] }
        return try keys.usable(named: key).map { try seal(value, under: $0, in: context) }
    }

    /// Opens a sealed value.
    ///
    /// - Parameters:
    ///   - encoded: The sealed value.
    ///   - context: The place it was sealed for, all of it.
    /// - Returns: The plaintext.
    /// - Throws: `TransformerError`: `authentication-failed` if it was altered, moved, or sealed under
    ///   another key of the same id; `missing-key`, `retired-key`; `invalid-data` or `unsupported` for
    ///   what is not a sealed value of a known version.
    public func decode(_ encoded: Data, in context: TransformContext) throws -> Data {
        let header = try SealedHeader(encoded)
        let entry = try keys.entry(header.key)
        let binding = SealedBinding(context, includingObject: !isDeterministic)
        let box = SealedBox(subkey: try keys.subkey(of: entry, for: .sealing, in: binding), binding: binding)
        guard let text = try box.open(encoded, header), header.parts == binding.parts,
            header.flags.contains(.deterministic) == isDeterministic
        else { throw TransformerError.doesNotOpen }
        return text
    }

    /// Opens what is stored and compares plaintexts, in time that depends on their lengths alone.
    ///
    /// A value that is stored under a former key or with other padding is unchanged.
    public func isUnchanged(_ value: Data, since encoded: Data, in context: TransformContext) throws -> Bool {
        let stored = try decode(encoded, in: context)
        return unsafe stored.withUnsafeBytes { stored in
            unsafe value.withUnsafeBytes { value in unsafe Sodium.areEqual(stored, value) }
        }
    }

    private func seal(_ value: Data, under entry: KeyRing.Entry, in context: TransformContext) throws -> Data {
        let binding = SealedBinding(context, includingObject: !isDeterministic)
        let nonce: SealedBox.Nonce =
            isDeterministic
            ? .derived(try keys.subkey(of: entry, for: .deterministicNonce, in: binding)) : .random
        return try seal(value, under: entry, binding, nonce: nonce)
    }

    /// Seals with a stated source of nonces.
    func seal(
        _ value: Data,
        under entry: KeyRing.Entry,
        _ binding: SealedBinding,
        nonce: SealedBox.Nonce
    ) throws -> Data {
        var flags: SealedHeader.Flags = padding == .none ? [] : .padded
        if isDeterministic { flags.insert(.deterministic) }
        let header = SealedHeader(flags: flags, parts: binding.parts, key: entry.generation.id)
        let box = SealedBox(subkey: try keys.subkey(of: entry, for: .sealing, in: binding), binding: binding)
        return try box.seal(value, header, padding: padding, nonce: nonce)
    }
}
