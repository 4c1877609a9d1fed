internal import CPNGShims
internal import Foundation
internal import TransformableImages

/// A chunk to write.
struct PNGNewChunk {
    let type: PNGChunkType
    let data: Data

    /// The bytes of the whole chunk: length, type, data, and checksum.
    var bytes: Data {
        var result = Data()
        result.appendBigEndian(UInt32(clamping: data.count))
        let body = Data(type.letters) + data
        result.append(body)
        let crc = unsafe body.withUnsafeBytes { bytes in
            unsafe bytes.baseAddress.map { unsafe tfp_crc($0, bytes.count) }
        }
        result.appendBigEndian(crc ?? 0)
        return result
    }
}

extension PNGChunks {
    /// Returns a file with an end.
    ///
    /// If it is truncated within its compressed pixels, the part that is there becomes a chunk of its own. libpng would
    /// not read it otherwise.
    static func completed(_ bytes: Data) -> Data {
        let reader = ByteReader(bytes)
        var end = PNGSignature.bytes.count
        for chunk in PNGChunks(reader) {
            end = chunk.end
            if chunk.type == "IEND" { return bytes }
        }
        var result = Data(bytes.prefix(end))
        if reader.slice(end + 4, 4) == Data("IDAT".utf8), let rest = reader.slice(end + 8, reader.count - end - 8) {
            result.append(PNGNewChunk(type: "IDAT", data: rest).bytes)
        }
        result.append(PNGNewChunk(type: "IEND", data: Data()).bytes)
        return result
    }
}
