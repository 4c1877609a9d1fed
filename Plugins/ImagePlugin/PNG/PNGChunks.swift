internal import CPNGShims
internal import Foundation
internal import TransformableImages

/// The first bytes of a PNG file.
enum PNGSignature {
    static let bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
}

/// The four letters that identify a type of chunk.
struct PNGChunkType: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The bytes of the letters, the first one most significant.
    let rawValue: UInt32

    init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    init(stringLiteral value: StaticString) {
        rawValue = value.withUTF8Buffer { letters in unsafe letters.reduce(0) { $0 << 8 | UInt32($1) } }
    }

    /// The bytes of the letters, in the order of the file.
    var letters: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> $0) } }

    /// Whether a reader must support the chunk: bit 5 of the first letter (PNG, section 5.4).
    var isCritical: Bool { rawValue & 0x2000_0000 == 0 }
}

extension PNGChunkType: CustomStringConvertible {
    var description: String { String(latin1: Data(letters)) }
}

/// A chunk in a file.
struct PNGChunk: Sendable {
    let type: PNGChunkType
    /// The offset of its length field.
    let offset: Int
    /// The number of data bytes.
    let length: Int

    var dataOffset: Int { offset + 8 }
    /// The offset of the next chunk.
    var end: Int { offset + 12 + length }
}

/// The chunks of a PNG file in order, without examining their data.
struct PNGChunks: Sequence, IteratorProtocol {
    private let reader: ByteReader
    private var offset: Int

    /// Starts with the chunk at an offset.
    init(_ reader: ByteReader, from offset: Int = PNGSignature.bytes.count) {
        self.reader = reader
        self.offset = offset
    }

    /// Returns the next complete chunk, or nil at the end of the bytes and after IEND.
    mutating func next() -> PNGChunk? {
        guard let length = reader.uint32(offset), let letters = reader.uint32(offset + 4) else { return nil }
        let type = PNGChunkType(rawValue: UInt32(truncatingIfNeeded: letters))
        let chunk = PNGChunk(type: type, offset: offset, length: length)
        guard chunk.end <= reader.count else { return nil }
        offset = chunk.type == "IEND" ? reader.count : chunk.end
        return chunk
    }
}

extension ByteReader {
    /// Returns the data of a chunk if its checksum is correct.
    func intactData(of chunk: PNGChunk) -> Data? {
        guard let checked = slice(chunk.offset + 4, chunk.length + 4), let crc = uint32(chunk.end - 4) else {
            return nil
        }
        let actual = unsafe checked.withUnsafeBytes { bytes in
            unsafe bytes.baseAddress.map { unsafe tfp_crc($0, bytes.count) }
        }
        return actual.map(Int.init) == crc ? checked.dropFirst(4) : nil
    }
}
