import Foundation
import ImagePlugin
import Transformable

extension RasterImage {
    /// An image of pixels that a small generator computes.
    static func noise(_ width: Int, _ height: Int, _ format: PixelFormat, seed: UInt64 = 1) throws -> RasterImage {
        var random = SplitMix(state: seed)
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

/// Vigna's SplitMix64: the same numbers in every run.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
