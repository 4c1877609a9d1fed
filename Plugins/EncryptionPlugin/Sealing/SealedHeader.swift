internal import Foundation
internal import Transformable

/// The first 72 bytes of a sealed value, which anybody can read.
struct SealedHeader: Sendable, Equatable {
    /// How the rest is encrypted.
    enum Suite: UInt8, Sendable {
        /// In one piece.
        case whole = 1
    }

    /// What else a reader must know.
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
    /// - Throws: `TransformerError`: `invalid-data` for what is no sealed value, `unsupported` for one of a
    ///   later version.
    init(_ sealed: Data) throws(TransformerError) {
        guard sealed.starts(with: Self.magic) else {
            throw .invalidData("the bytes are not a sealed value, which begins with 8f 54 46 53", offset: 0)
        }
        guard sealed.count >= Self.count + XChaCha20Poly1305.tagCount else {
            throw .invalidData("the sealed value is cut short within its first bytes", offset: sealed.count)
        }
        let start = sealed.startIndex
        guard sealed[start + 4] == Self.version else {
            throw Self.unsupported("version \(sealed[start + 4])", at: 4)
        }
        guard let suite = Suite(rawValue: sealed[start + 5]) else {
            throw Self.unsupported("suite \(sealed[start + 5])", at: 5)
        }
        self.suite = suite
        flags = Flags(rawValue: sealed[start + 6])
        parts = SealedBinding.Parts(rawValue: sealed[start + 7])
        guard flags.isSubset(of: .all) else { throw Self.unsupported("flags \(flags.rawValue)", at: 6) }
        guard parts.isSubset(of: .all) else { throw Self.unsupported("binding \(parts.rawValue)", at: 7) }
        key = KeyID(number: sealed[(start + 8)..<(start + 16)].reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Writes what lies before the nonce.
    func write(to output: UnsafeMutableRawBufferPointer) {
        unsafe output.copyBytes(from: Self.magic)
        unsafe output.storeBytes(of: Self.version, toByteOffset: 4, as: UInt8.self)
        unsafe output.storeBytes(of: suite.rawValue, toByteOffset: 5, as: UInt8.self)
        unsafe output.storeBytes(of: flags.rawValue, toByteOffset: 6, as: UInt8.self)
        unsafe output.storeBytes(of: parts.rawValue, toByteOffset: 7, as: UInt8.self)
        unsafe output.storeBytes(of: key.number.bigEndian, toByteOffset: 8, as: UInt64.self)
    }

    private static func unsupported(_ what: String, at offset: Int) -> TransformerError {
        TransformerError(.unsupported, "the sealed value has the unknown \(what)", offset: offset)
    }
}
