import Foundation

/// Assembles PNG files by hand: chunks with their checksums, pixels in stored deflate blocks.
struct PNGBuilder {
    static let signature = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

    static func chunk(_ type: String, _ data: Data = Data()) -> Data {
        let body = Data(type.utf8) + data
        return bigEndian(UInt32(data.count)) + body + bigEndian(crc32(body))
    }

    /// A zlib stream of blocks that are stored as they are.
    static func zlib(_ bytes: Data) -> Data {
        var result = Data([0x78, 0x01])
        var rest = bytes
        repeat {
            let part = rest.prefix(65_535)
            rest = rest.dropFirst(part.count)
            let count = UInt16(part.count)
            result += [
                rest.isEmpty ? 1 : 0, UInt8(count & 255), UInt8(count >> 8), ~UInt8(count & 255), ~UInt8(count >> 8),
            ]
            result += part
        } while !rest.isEmpty
        return result + bigEndian(adler32(bytes))
    }

    static func header(
        _ width: Int,
        _ height: Int,
        depth: UInt8,
        colorType: UInt8,
        interlaced: Bool = false
    ) -> Data {
        chunk(
            "IHDR",
            bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [depth, colorType, 0, 0, interlaced ? 1 : 0]
        )
    }

    /// A whole file of rows, each without its filter byte.
    static func file(
        _ width: Int,
        depth: UInt8,
        colorType: UInt8,
        chunks: Data = Data(),
        rows: [[UInt8]],
        after: Data = Data()
    ) -> Data {
        let filtered = rows.reduce(into: Data()) { $0 += [0] + $1 }
        return signature + header(width, rows.count, depth: depth, colorType: colorType) + chunks
            + chunk("IDAT", zlib(filtered)) + after + chunk("IEND")
    }

    /// A gray file of one pixel, with further chunks before its pixels.
    static func onePixel(chunks: Data = Data(), after: Data = Data()) -> Data {
        file(1, depth: 8, colorType: 0, chunks: chunks, rows: [[7]], after: after)
    }
}
