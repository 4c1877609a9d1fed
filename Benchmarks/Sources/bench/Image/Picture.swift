import Foundation
import ImagePlugin
import Transformable
import _HostileInputs

/// A picture of 8-bit red, green and blue, the same in each run.
struct Picture {
    let width: Int
    let height: Int
    let pixels: Data

    /// One of 12 megapixels.
    static let large = Picture(width: 4_000, height: 3_000)

    /// Lines of letters and flat areas, as a screenshot has.
    static let screen = Picture(width: 2_000, height: 1_500, pixels: screenshot(width: 2_000, height: 1_500))

    private init(width: Int, height: Int, pixels: Data) {
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// Makes slopes with noise, as a photograph has.
    init(width: Int = 2_000, height: Int = 1_500) {
        self.width = width
        self.height = height
        var generator = SeededGenerator(seed: 3)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 3)
        for row in 0..<height {
            for column in 0..<width {
                let noise = generator.next()
                pixels.append(UInt8(truncatingIfNeeded: column / 8 + Int(noise & 3)))
                pixels.append(UInt8(truncatingIfNeeded: row / 6 + Int(noise >> 2 & 3)))
                pixels.append(UInt8(truncatingIfNeeded: (row + column) / 16 + Int(noise >> 4 & 3)))
            }
        }
        self.pixels = Data(pixels)
    }

    /// The picture without a file that it came from.
    func image() throws -> RasterImage {
        try RasterImage(width: width, height: height, format: .rgb8, pixels: pixels)
    }

    private static func screenshot(width: Int, height: Int) -> Data {
        var generator = SeededGenerator(seed: 5)
        // Letters of 8 × 16 pixels, with four levels of black.
        let letters = (0..<40).map { _ in (0..<128).map { _ in UInt8(generator.next() >> 62) } }
        let texts = (0..<height / 24).map { _ in (0..<width / 8).map { _ in Int(generator.next() >> 33) % 48 } }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 3)
        for row in 0..<height {
            let line = row % 24
            for column in 0..<width {
                let letter = row / 24 < texts.count ? texts[row / 24][column / 8] : 47
                let isInk = line < 16 && letter < letters.count && row > 100 && column > 300
                let ink = isInk ? letters[letter][line * 8 + column % 8] : 0
                let paper: [UInt8] = row <= 100 ? [30, 60, 90] : column <= 300 ? [240, 240, 245] : [255, 255, 255]
                pixels += ink == 0 ? paper : Array(repeating: 200 - ink * 60, count: 3)
            }
        }
        return Data(pixels)
    }
}
