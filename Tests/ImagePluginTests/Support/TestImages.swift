import Foundation
import ImagePlugin
import Transformable
import _HostileInputs

extension RasterImage {
    /// An image of pixels that a small generator computes.
    static func noise(_ width: Int, _ height: Int, _ format: PixelFormat, seed: UInt64 = 1) throws -> RasterImage {
        var random = SeededGenerator(seed: seed)
        let count = width * height * format.bytesPerPixel
        let pixels = Data((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next() >> 24) })
        return try RasterImage(width: width, height: height, format: format, pixels: pixels)
    }

    /// A smooth picture, as photographs are.
    static func gradient(_ width: Int, _ height: Int) throws -> RasterImage {
        var pixels = Data()
        for y in 0..<height {
            for x in 0..<width {
                let wave = 127 + 100 * sin(Double(x) / 17) * cos(Double(y) / 11)
                pixels += [UInt8(wave), UInt8(x * 255 / width), UInt8(y * 255 / height)]
            }
        }
        return try RasterImage(width: width, height: height, format: .rgb8, pixels: pixels)
    }
}

/// The checksum of PNG and zip (ISO 3309), bit by bit, so that it depends on no library under test.
func crc32(_ bytes: Data) -> UInt32 {
    var crc: UInt32 = .max
    for byte in bytes {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
}

/// The checksum of zlib streams (RFC 1950, section 8.2).
func adler32(_ bytes: Data) -> UInt32 {
    var low: UInt32 = 1
    var high: UInt32 = 0
    for byte in bytes {
        low = (low + UInt32(byte)) % 65_521
        high = (high + low) % 65_521
    }
    return high << 16 | low
}

func bigEndian(_ number: UInt32) -> Data {
    Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) })
}
