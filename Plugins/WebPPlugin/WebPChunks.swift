internal import Foundation
internal import TransformableImages

/// The four letters that identify a type of chunk.
enum WebPChunkType: String {
    /// Flags and the size of the canvas.
    case extended = "VP8X"
    /// An ICC profile.
    case profile = "ICCP"
    /// The alpha of a lossy picture.
    case alpha = "ALPH"
    /// A lossy picture.
    case lossy = "VP8 "
    /// A lossless picture.
    case lossless = "VP8L"
    /// The background and the loop count of an animation.
    case animation = "ANIM"
    /// A frame of an animation.
    case frame = "ANMF"
    /// EXIF data.
    case exif = "EXIF"
    /// XMP.
    case xmp = "XMP "
}

/// A chunk in a file.
struct WebPChunk: Sendable {
    /// Nil for a chunk of an unknown type.
    let type: WebPChunkType?
    /// The offset of its letters.
    let offset: Int
    /// The number of data bytes.
    let length: Int

    var dataOffset: Int { offset + 8 }
    /// The offset of the next chunk, which is even.
    var end: Int { dataOffset + length + length % 2 }
}

/// The complete chunks of a range of bytes in order, without examining their data (RFC 9649, section 2.3).
struct WebPChunks: Sequence, IteratorProtocol {
    private let reader: ByteReader
    private let limit: Int
    /// The offset of the next chunk.
    private(set) var offset: Int

    /// Starts with the chunk at an offset.
    ///
    /// - Parameters:
    ///   - reader: The bytes, with numbers in little-endian order.
    ///   - range: The range of the chunks.
    init(_ reader: ByteReader, in range: Range<Int>) {
        self.reader = reader
        offset = range.lowerBound
        limit = Swift.min(range.upperBound, reader.count)
    }

    mutating func next() -> WebPChunk? {
        guard offset + 8 <= limit, let letters = reader.slice(offset, 4), let length = reader.uint32(offset + 4) else {
            return nil
        }
        let chunk = WebPChunk(
            type: WebPChunkType(rawValue: String(latin1: letters)),
            offset: offset,
            length: length
        )
        // Some programs omit the padding of the last chunk.
        guard chunk.dataOffset + length <= limit else { return nil }
        offset = Swift.min(chunk.end, limit)
        return chunk
    }
}

/// A chunk to write.
struct WebPNewChunk {
    let type: WebPChunkType
    let data: Data

    /// The bytes of the whole chunk, including padding.
    var bytes: Data {
        var result = Data(type.rawValue.utf8)
        result.appendLittleEndian(UInt32(clamping: data.count))
        result.append(data)
        if data.count % 2 == 1 { result.append(0) }
        return result
    }
}

extension Data {
    fileprivate mutating func appendLittleEndian(_ number: UInt32) {
        appendBigEndian(number.byteSwapped)
    }

    /// Returns a file of complete chunks.
    static func webP(chunks: Data) -> Data {
        var result = Data("RIFF".utf8)
        result.appendLittleEndian(UInt32(clamping: chunks.count + 4))
        result.append(contentsOf: Data("WEBP".utf8))
        result.append(chunks)
        return result
    }
}

/// The size and the kind of a single picture, from the first bytes of its chunks.
struct WebPBitstream: Sendable {
    let width: Int
    let height: Int
    let isLossless: Bool
    let hasAlpha: Bool
    /// The range of the picture in the file, including the chunk of its alpha, but not the padding at its end.
    let range: Range<Int>

    /// Returns the chunks of the picture, with padding.
    func chunks(in reader: ByteReader) -> Data {
        let chunks = reader.slice(range.lowerBound, range.count) ?? Data()
        return chunks.count % 2 == 1 ? chunks + [0] : chunks
    }

    /// Reads the first picture of a sequence of chunks, or returns nil if there is none.
    init?(_ chunks: some Sequence<WebPChunk>, _ reader: ByteReader) {
        var alpha: WebPChunk?
        for chunk in chunks {
            switch chunk.type {
            case .alpha where alpha == nil: alpha = chunk
            case .lossy:
                self.init(lossy: chunk, alpha: alpha, reader)
                return
            case .lossless:
                self.init(lossless: chunk, reader)
                return
            default: break
            }
        }
        return nil
    }

    /// Reads the frame header of a key frame (RFC 6386, section 9.1).
    private init?(lossy chunk: WebPChunk, alpha: WebPChunk?, _ reader: ByteReader) {
        let start = chunk.dataOffset
        guard chunk.length >= 10, let tag = reader.uint8(start), tag & 1 == 0,
            reader.slice(start + 3, 3) == Data([0x9D, 0x01, 0x2A]),
            let width = reader.uint16(start + 6), let height = reader.uint16(start + 8)
        else { return nil }
        // The two upper bits are a scale for viewing, which other programs ignore, too.
        self.width = width & 0x3FFF
        self.height = height & 0x3FFF
        isLossless = false
        hasAlpha = alpha != nil
        range = (alpha?.offset ?? chunk.offset)..<chunk.dataOffset + chunk.length
        guard self.width > 0, self.height > 0 else { return nil }
    }

    /// Reads the header of a lossless picture (RFC 9649, section 3.4).
    private init?(lossless chunk: WebPChunk, _ reader: ByteReader) {
        guard chunk.length >= 5, reader.uint8(chunk.dataOffset) == 0x2F, let bits = reader.uint32(chunk.dataOffset + 1),
            bits >> 29 == 0
        else { return nil }
        width = bits & 0x3FFF + 1
        height = bits >> 14 & 0x3FFF + 1
        isLossless = true
        hasAlpha = bits >> 28 & 1 == 1
        range = chunk.offset..<chunk.dataOffset + chunk.length
    }
}
