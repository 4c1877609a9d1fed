internal import CPNGShims
internal import Foundation

/// What a PNG file begins with.
enum PNGSignature {
    static let bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
}

/// The four letters that say what a chunk is.
struct PNGChunkType: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    let rawValue: String

    init(rawValue: String) {
        self.rawValue = rawValue
    }

    init(stringLiteral value: String) {
        rawValue = value
    }
}

/// A chunk's place in a file.
struct PNGChunk: Sendable {
    let type: PNGChunkType
    /// Where its length field begins.
    let offset: Int
    /// How many bytes of data it has.
    let length: Int

    var dataOffset: Int { offset + 8 }
    /// Where the next chunk begins.
    var end: Int { offset + 12 + length }
}

/// The chunks of a PNG file, one after another, without a look at their data.
struct PNGChunks: Sequence, IteratorProtocol {
    private let reader: ByteReader
    private var offset: Int

    /// Starts with the chunk at an offset.
    init(_ reader: ByteReader, from offset: Int = PNGSignature.bytes.count) {
        self.reader = reader
        self.offset = offset
    }

    /// The next chunk that is there whole; nil at the end of the bytes and after IEND.
    mutating func next() -> PNGChunk? {
        guard let length = reader.uint32(offset), let name = reader.slice(offset + 4, 4) else { return nil }
        let chunk = PNGChunk(type: PNGChunkType(rawValue: String(latin1: name)), offset: offset, length: length)
        guard chunk.end <= reader.count else { return nil }
        offset = chunk.type == "IEND" ? reader.count : chunk.end
        return chunk
    }
}

extension ByteReader {
    /// A chunk's data, if its checksum agrees.
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
