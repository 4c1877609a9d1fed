public import Foundation
public import Transformable

/// A transformer that encrypts bytes and binds them to their location.
///
/// Values are encrypted with XChaCha20-Poly1305, under a key that is derived for the tenant, store, entity, and
/// attribute of the context. The tenant, store, entity, attribute, and object are authenticated together with the
/// ciphertext. Therefore, a value that is copied to a different row, attribute, entity, store, or tenant cannot be opened
/// there, and neither can a value that was sealed without a context. <doc:SealedFormat> describes the format byte by byte.
///
/// With *deterministic* encryption, the same plaintext in the same attribute under the same key always has the same
/// bytes, so that columns can be compared and indexed. The bytes also depend on the padding: after you change it, or
/// rotate the key, reseal the old values before you compare columns. Anyone who can read the file then sees which rows
/// are equal, and how often each value occurs. Because such a value is not bound to its row, anyone who can write to the
/// file can copy it to another row of the same attribute without being detected. For conditions on equality, a
/// ``BlindIndexTransformer`` reveals less.
///
/// A value that is sealed *to a public key* can be opened only with the secret key. A program that has only
/// ``KeyRing/publicPart()`` can write values, but cannot read them. Such a value does not prove who sealed it, because
/// anyone who has the public key can do so.
public struct SealedTransformer: SpanTransformer {
    /// How values are sealed.
    ///
    /// A transformer opens only values of its own kind.
    enum Kind: Sendable {
        case ordinary
        case deterministic
        case recipient
    }

    /// The name of the key for new values, or nil for the ring's default key.
    public let key: String?
    /// The padding of new values, which determines how much they reveal about their lengths.
    public private(set) var padding: SealedPadding

    let kind: Kind
    private let sealing: SealingKeys

    /// Creates a transformer.
    ///
    /// - Parameters:
    ///   - keys: The key ring. A value is opened with the key that sealed it, regardless of its name.
    ///   - key: The name of the key for new values, or nil for the ring's default key.
    ///   - padding: The padding of new values, which determines how much they reveal about their lengths.
    ///   - deterministic: Whether equal plaintexts have equal bytes. A transformer opens only values of one kind.
    public init(
        keys: KeyRing,
        key: String? = nil,
        padding: SealedPadding = .block,
        deterministic: Bool = false
    ) {
        self.init(keys, key, padding, deterministic ? .deterministic : .ordinary)
    }

    /// Creates a transformer that seals values to a public key.
    ///
    /// - Parameters:
    ///   - keys: The key ring. The public key is sufficient for sealing.
    ///   - recipient: The name of the key pair for new values.
    ///   - padding: The padding of new values, which determines how much they reveal about their lengths.
    public init(keys: KeyRing, to recipient: String, padding: SealedPadding = .block) {
        self.init(keys, recipient, padding, .recipient)
    }

    private init(_ keys: KeyRing, _ key: String?, _ padding: SealedPadding, _ kind: Kind) {
        self.key = key
        self.padding = padding
        self.kind = kind
        sealing = SealingKeys(keys, key, kind == .recipient ? .pair : .secret)
    }

    var keys: KeyRing { sealing.keys }
    /// The identifier of the generation that seals new values.
    var primaryID: Result<KeyID, TransformerError> { sealing.primaryID }

    /// Whether equal plaintexts have equal bytes.
    public var isDeterministic: Bool { kind == .deterministic }

    /// The traits of the transformer: contextual, authenticated, and confidential, and also deterministic and canonical
    /// if encryption is deterministic.
    public var traits: TransformerTraits {
        let always: TransformerTraits = [.contextual, .authenticated, .confidential]
        return isDeterministic ? always.union(.plain) : always
    }

    /// Seals a value with the primary generation of the key.
    ///
    /// - Parameters:
    ///   - value: The plaintext.
    ///   - context: The location to bind the value to.
    /// - Returns: The sealed value, which is 88 bytes longer than the padded plaintext, or 120 bytes longer if it is
    ///   sealed to a public key.
    /// - Throws: `TransformerError` with the code `missing-key` if the ring does not contain the key.
    public func encode(_ value: Data, in context: TransformContext) throws -> Data {
        let binding = binding(context)
        guard kind == .recipient else { return try seal(value, under: primaryID.get(), binding) }
        let sender = try SecureBytes(randomCount: KeyExchange.keyCount)
        return try seal(value, to: sealing.primary.get(), binding, sender: sender)
    }

    /// Returns the sealed value under all generations that are in use, with every padding, if encryption is
    /// deterministic.
    ///
    /// Otherwise, returns a sealed value that does not equal any stored one.
    public func candidates(for value: Data, in context: TransformContext) throws -> [Data] {
        guard isDeterministic else { return [try encode(value, in: context)] }
        // The padding may have changed since a value was stored.
        let transformers = SealedPadding.allCases.map { padded(by: $0) }
        let all = try keys.usable(named: key)
            .flatMap { entry in
                try transformers.map { try $0.seal(value, under: entry.generation.id, binding(context)) }
            }
        // Two paddings can result in the same length.
        var known: Set<Data> = []
        return all.filter { known.insert($0).inserted }
    }

    private func padded(by padding: SealedPadding) -> Self {
        var result = self
        result.padding = padding
        return result
    }

    /// Opens a sealed value.
    ///
    /// - Parameters:
    ///   - encoded: The sealed value.
    ///   - context: The complete location that the value was sealed for.
    /// - Returns: The plaintext.
    /// - Throws: `TransformerError` with the code `authentication-failed` if the value was altered, moved, or sealed in
    ///   a different way or with a different key of the same id, `missing-key` or `retired-key` if the key is missing
    ///   or retired, or `invalid-data` or `unsupported` if the bytes are not a sealed value of a known version.
    public func decode(_ encoded: Span<UInt8>, in context: TransformContext) throws -> Data {
        let binding = binding(context)
        return try unsafe encoded.withUnsafeBytes { sealed in
            let header = try unsafe SealedHeader(sealed)
            if header.suite == .chunked, kind == .ordinary { return try unsafe decodeChunks(sealed, binding) }
            let subkey = try unsafe subkey(of: sealed, header, binding)
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

    /// Opens the stored value and compares plaintexts, in a time that depends only on their lengths.
    ///
    /// A value that is stored under a former key or with different padding is considered unchanged. If the ring can
    /// write but not read values, they are considered changed.
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
    /// Returns the key that encrypts a sealed value.
    private func subkey(
        of sealed: UnsafeRawBufferPointer,
        _ header: SealedHeader,
        _ binding: SealedBinding
    ) throws -> Subkey {
        if kind != .recipient, header.suite == suite {
            return try sealing.subkeys.subkey(of: header.key, for: .sealing, in: binding)
        }
        let entry = try keys.entry(header.key)
        guard header.suite == suite, case .pair(let publicKey, let secret) = entry.material else {
            throw TransformerError.doesNotOpen
        }
        guard let secret else { throw TransformerError.missingSecret(header.key) }
        let sender = unsafe Array(sealed[SealedHeader.count..<suite.bodyOffset])
        guard let shared = try KeyExchange.sharedKey(recipient: (publicKey, secret), sender: sender) else {
            throw TransformerError.doesNotOpen
        }
        return try Subkey(of: shared, for: .init(header.key, .recipient, binding))
    }

    private func seal(_ value: Data, under key: KeyID, _ binding: SealedBinding) throws -> Data {
        guard isDeterministic else { return try seal(value, under: key, binding, nonce: .random) }
        let nonceKey = try sealing.nonceSubkeys.subkey(of: key, for: .deterministicNonce, in: binding)
        return try seal(value, under: key, binding, nonce: .derived(nonceKey))
    }

    /// Seals a value with a given source of nonces.
    func seal(
        _ value: Data,
        under key: KeyID,
        _ binding: SealedBinding,
        nonce: SealedBox.Nonce
    ) throws -> Data {
        let subkey = try sealing.subkeys.subkey(of: key, for: .sealing, in: binding)
        let box = SealedBox(subkey: subkey, binding: binding)
        return try unsafe value.withUnsafeBytes {
            try unsafe box.seal($0, header(key, binding), padding: padding, nonce: nonce)
        }
    }

    /// Seals a value to a public key, with a sender's secret that is used only for this value.
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
        else { throw TransformerError.invalidKeyFile("the public key of \(entry.generation.id) is invalid") }
        let subkey = try Subkey(of: shared, for: .init(entry.generation.id, .recipient, binding))
        return try unsafe value.withUnsafeBytes {
            try unsafe SealedBox(subkey: subkey, binding: binding)
                .seal($0, header(entry.generation.id, binding), padding: padding, sender: publicKey, nonce: nonce)
        }
    }

    private func header(_ key: KeyID, _ binding: SealedBinding) -> SealedHeader {
        var flags: SealedHeader.Flags = padding == .none ? [] : .padded
        if isDeterministic { flags.insert(.deterministic) }
        return SealedHeader(suite: suite, flags: flags, parts: binding.parts, key: key)
    }
}

/// The keys of a transformer.
///
/// It is a class because generic code copies a transformer for each value, which retains each of its members.
private final class SealingKeys: Sendable {
    let keys: KeyRing
    let subkeys: RecentSubkey
    let nonceSubkeys: RecentSubkey
    /// What seals new values.
    ///
    /// The ring does not change, and finding a key by its name takes time.
    let primary: Result<KeyRing.Entry, TransformerError>
    /// The identifier alone, because copying the entry for each value takes time, too.
    let primaryID: Result<KeyID, TransformerError>

    init(_ keys: KeyRing, _ name: String?, _ kind: KeyRing.Kind) {
        self.keys = keys
        subkeys = RecentSubkey(keys)
        nonceSubkeys = RecentSubkey(keys)
        primary = Result { () throws(TransformerError) in try keys.primary(kind, named: name) }
        primaryID = primary.map(\.generation.id)
    }
}
