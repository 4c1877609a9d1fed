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
    mutating func appendLittleEndian(_ number: UInt32) {
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
