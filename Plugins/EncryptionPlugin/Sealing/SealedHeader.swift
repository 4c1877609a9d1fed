public import Foundation
internal import Transformable

/// The first 72 bytes of a sealed value, which are not encrypted.
struct SealedHeader: Sendable, Equatable {
    /// The way in which the value is encrypted.
    enum Suite: UInt8, Sendable {
        /// As a whole.
        case whole = 1
        /// In chunks.
        case chunked = 2
        /// As a whole, to a public key.
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
    static let magic: [UInt8] = [0x8F, 0x54, 0x46, 0x53]
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
        guard unsafe sealed.starts(with: Self.magic) else {
            throw .invalidData("the bytes are not a sealed value, which would begin with 8f 54 46 53", offset: 0)
        }
        guard sealed.count >= Self.count + XChaCha20Poly1305.tagCount else { throw Self.cutShort(sealed.count) }
        let (version, suite) = unsafe (sealed[4], sealed[5])
        guard version == Self.version else { throw Self.unsupported("version \(version)", at: 4) }
        guard let suite = Suite(rawValue: suite) else { throw Self.unsupported("suite \(suite)", at: 5) }
        self.suite = suite
        guard sealed.count >= suite.bodyOffset + XChaCha20Poly1305.tagCount else { throw Self.cutShort(sealed.count) }
        flags = Flags(rawValue: unsafe sealed[6])
        parts = SealedBinding.Parts(rawValue: unsafe sealed[7])
        guard flags.isSubset(of: .all) else { throw Self.unsupported("flags \(flags.rawValue)", at: 6) }
        guard parts.isSubset(of: .all) else { throw Self.unsupported("binding \(parts.rawValue)", at: 7) }
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
        TransformerError(.unsupported, "the sealed value has an unknown \(what)", offset: offset)
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
