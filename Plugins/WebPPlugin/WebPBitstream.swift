internal import Foundation
internal import TransformableImages

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
