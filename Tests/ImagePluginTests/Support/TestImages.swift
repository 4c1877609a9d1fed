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
