public import Foundation
internal import Transformable

/// The first 72 bytes of a sealed value, which are not encrypted.
struct SealedHeader: Sendable, Equatable {
    /// The way in which the value is encrypted.
    enum Suite: UInt8, Sendable {
        /// The value is sealed as a whole.
        case whole = 1
        /// The value is sealed in chunks.
        case chunked = 2
        /// The value is sealed as a whole, to a public key.
        case recipient = 3

        /// The offset of the ciphertext, which the public key of a sender may precede.
        var bodyOffset: Int {
            switch self {
            case .whole, .chunked: SealedHeader.count
            case .recipient: SealedHeader.count + KeyExchange.keyCount
            }
        }
    }

    /// The options that a reader must know.
    struct Flags: OptionSet, Sendable {
        let rawValue: UInt8

        static let padded = Self(rawValue: 1 << 0)
        static let deterministic = Self(rawValue: 1 << 1)
        static let all: Self = [.padded, .deterministic]
    }

    static let count = 72
    private static let magicBytes: (UInt8, UInt8, UInt8, UInt8) = (0x8F, 0x54, 0x46, 0x53)
    static let magic = [magicBytes.0, magicBytes.1, magicBytes.2, magicBytes.3]
    static let version: UInt8 = 1
    static let nonceRange = 16..<40
    static let commitmentRange = 40..<72

    var suite = Suite.whole
    var flags: Flags
    var parts: SealedBinding.Parts
    var key: KeyID
}

extension SealedHeader {
    /// Reads the header of a sealed value.
    ///
    /// - Throws: `TransformerError` with the code `invalid-data` if the bytes are not a sealed value, or `unsupported`
    ///   if its version is too new.
    init(_ sealed: UnsafeRawBufferPointer) throws(TransformerError) {
        guard sealed.count >= 4, unsafe (sealed[0], sealed[1], sealed[2], sealed[3]) == Self.magicBytes else {
            throw .invalidData("the bytes are not a sealed value, which would begin with 8f 54 46 53", offset: 0)
        }
        guard sealed.count >= Self.count + XChaCha20Poly1305.tagCount else { throw Self.cutShort(sealed.count) }
        let (version, suite) = unsafe (sealed[4], sealed[5])
        guard version == Self.version else { throw Self.unsupported("an unknown version: \(version)", at: 4) }
        guard let suite = Suite(rawValue: suite) else { throw Self.unsupported("an unknown suite: \(suite)", at: 5) }
        self.suite = suite
        guard sealed.count >= suite.bodyOffset + XChaCha20Poly1305.tagCount else { throw Self.cutShort(sealed.count) }
        flags = Flags(rawValue: unsafe sealed[6])
        parts = SealedBinding.Parts(rawValue: unsafe sealed[7])
        guard flags.isSubset(of: .all) else { throw Self.unsupported("unknown flags: \(flags.rawValue)", at: 6) }
        guard parts.isSubset(of: .all) else { throw Self.unsupported("an unknown binding: \(parts.rawValue)", at: 7) }
        key = KeyID(number: UInt64(bigEndian: unsafe sealed.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    /// Writes the fields before the nonce.
    func write(to output: UnsafeMutableRawBufferPointer) {
        unsafe output.copyBytes(from: Self.magic)
        unsafe output[4] = Self.version
        unsafe output[5] = suite.rawValue
        unsafe output[6] = flags.rawValue
        unsafe output[7] = parts.rawValue
        unsafe output.storeBytes(of: key.number.bigEndian, toByteOffset: 8, as: UInt64.self)
    }

    private static func cutShort(_ count: Int) -> TransformerError {
        .invalidData("the sealed value is truncated within its header", offset: count)
    }

    private static func unsupported(_ what: String, at offset: Int) -> TransformerError {
        let causes = "it is damaged, or was sealed by a newer version of the library"
        return TransformerError(.unsupported, "the sealed value has \(what); \(causes)", offset: offset)
    }
}

extension KeyID {
    /// The number of bytes at the beginning of a sealed value that include the identifier of its key.
    public static let headerCount = 16

    /// Reads the identifier of the key that sealed a value, without opening the value.
    ///
    /// - Parameter header: At least the first ``headerCount`` bytes of a stored value.
    public init?(sealed header: Data) {
        guard header.count >= Self.headerCount, header.starts(with: SealedHeader.magic) else { return nil }
        self.init(number: header.dropFirst(8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
}

/// The location that a sealed value is bound to.
struct SealedBinding: Sendable, Hashable {
    /// The parts of the location that a sealed value is bound to, as stored in its header.
    struct Parts: OptionSet, Sendable, Hashable {
        let rawValue: UInt8

        static let store = Self(rawValue: 1 << 0)
        static let entity = Self(rawValue: 1 << 1)
        static let attribute = Self(rawValue: 1 << 2)
        static let object = Self(rawValue: 1 << 3)
        static let tenant = Self(rawValue: 1 << 4)
        static let all: Self = [.store, .entity, .attribute, .object, .tenant]
    }

    private static let tenantOffset = 32
    private static let longestCount = tenantOffset + MemoryLayout<Int64>.size
    /// A binding to no location.
    static let none = Self(.none, includingObject: false)

    let parts: Parts
    let store: UUID
    let entity: UInt32
    let attribute: UInt32
    private let object: Int64
    /// The tenant, or nil if the value belongs to no tenant.
    ///
    /// Unlike the other parts, a missing tenant is left out of everything that is authenticated or derived, because
    /// values were sealed before there were tenants.
    let tenant: Int64?

    /// Creates a binding from a context.
    ///
    /// Missing parts are not bound, and are zero, except for the tenant.
    init(_ context: TransformContext, includingObject: Bool) {
        let object = includingObject ? context.object : nil
        var parts: Parts = []
        if context.store != nil { parts.insert(.store) }
        if context.entity != nil { parts.insert(.entity) }
        if context.attribute != nil { parts.insert(.attribute) }
        if object != nil { parts.insert(.object) }
        if context.tenant != nil { parts.insert(.tenant) }
        self.parts = parts
        store = context.store ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        entity = context.entity ?? 0
        attribute = context.attribute ?? 0
        self.object = object ?? 0
        tenant = context.tenant
    }

    /// Creates a binding to a tenant alone, or to no location if there is no tenant.
    init(tenant: Int64?) {
        self.init(TransformContext(tenant: tenant), includingObject: false)
    }

    /// The number of bytes for the store, entity, attribute, and object, and for the tenant if there is one.
    var count: Int { tenant == nil ? Self.tenantOffset : Self.longestCount }

    /// Writes the bytes that are authenticated after the header, in little-endian order.
    func write(to output: UnsafeMutableRawBufferPointer) {
        unsafe output.storeBytes(of: store.uuid, as: uuid_t.self)
        unsafe output.storeBytes(of: entity.littleEndian, toByteOffset: 16, as: UInt32.self)
        unsafe output.storeBytes(of: attribute.littleEndian, toByteOffset: 20, as: UInt32.self)
        unsafe output.storeBytes(of: object.littleEndian, toByteOffset: 24, as: Int64.self)
        if let tenant {
            unsafe output.storeBytes(of: tenant.littleEndian, toByteOffset: Self.tenantOffset, as: Int64.self)
        }
    }
}

extension Inspector {
    /// Shows the header of a sealed value, without any key.
    static let sealedValue = Inspector("sealed value") { bytes in
        guard bytes.starts(with: SealedHeader.magic) else { return nil }
        let header = try unsafe bytes.withUnsafeBytes { try unsafe SealedHeader($0) }
        let sealed = bytes.count - header.suite.bodyOffset - header.suite.overhead(of: bytes.count)
        guard sealed >= 0 else {
            let message = "the sealed value is truncated within its first chunk"
            throw TransformerError.invalidData(message, offset: bytes.count)
        }
        let isPadded = header.flags.contains(.padded)
        return Inspection(
            "sealed value",
            facts: [
                .init("version", "\(SealedHeader.version)"),
                .init("suite", header.suite.summary),
                .init("key id", "\(header.key)"),
                .init(
                    "deterministic",
                    header.flags.contains(.deterministic) ? "yes: equal values have equal bytes" : "no"
                ),
                .init("bound to", header.parts.summary),
                .init(isPadded ? "padded length" : "length", sealed.counted("byte")),
            ]
        )
    }
}

extension SealedHeader.Suite {
    /// Returns the number of bytes in the body that are not ciphertext: a single tag, or the overhead of each chunk.
    fileprivate func overhead(of count: Int) -> Int {
        guard self == .chunked else { return XChaCha20Poly1305.tagCount }
        let chunk = SealingStream.chunkCount + SecretStream.overhead
        return (count - bodyOffset + chunk - 1) / chunk * SecretStream.overhead
    }

    fileprivate var summary: String {
        switch self {
        case .whole: "1, as a whole (XChaCha20-Poly1305)"
        case .chunked: "2, in chunks of 64 KiB (libsodium's secretstream)"
        case .recipient: "3, to a public key (X25519, XChaCha20-Poly1305)"
        }
    }
}

extension SealedBinding.Parts {
    fileprivate var summary: String {
        let names: [(part: Self, name: String)] = [
            (.store, "store"), (.entity, "entity"), (.attribute, "attribute"), (.object, "object"),
            (.tenant, "tenant"),
        ]
        let bound = names.filter { contains($0.part) }.map(\.name)
        return bound.isEmpty ? "nothing: it cannot be opened in a store" : bound.joined(separator: ", ")
    }
}
