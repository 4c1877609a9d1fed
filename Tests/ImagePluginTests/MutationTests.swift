import Foundation
import ImagePlugin
import Testing
import Transformable
import _HostileInputs

/// Damages files at random, always in the same way, and expects an image or a typed error of each.
@Suite struct MutationTests {
    static let limits = ImageLimits(maxPixels: 1_000_000, maxMetadataBytes: 1 << 16, maxScans: 20, maxSeconds: 5)

    static func seeds() throws -> [Data] {
        var image = try RasterImage.noise(9, 5, .rgba16)
        image.metadata = ImageMetadataTests.full
        image.metadata.colorProfile.icc = Data(repeating: 3, count: 200)
        let png = try PNGTransformer().encode(image)
        let interlaced = try PNGTransformer(options: PNGOptions(isInterlaced: true, palette: .automatic))
            .encode(RasterImage.gradient(8, 8).converted(to: .gray8))
        return [png, interlaced] + JPEGFixture.all.map(\.bytes)
    }

    @Test(arguments: 0..<11)
    func damagedFilesAreImagesOrTypedErrors(seed: Int) throws {
        let file = try Self.seeds()[seed]
        var random = SeededGenerator(seed: UInt64(seed))
        for round in 0..<600 {
            let damaged = Self.damage(file, using: &random)
            do {
                let options = ImageReadingOptions(limits: Self.limits, isTolerant: round % 2 == 0)
                let image = try RasterImage(encoded: damaged, options: options)
                _ = image.metadata.orientation
                _ = try image.pixels
                _ = try PNGTransformer().encode(image.format == .cmyk8 ? image.converted(to: .rgb8) : image)
            } catch is TransformerError {
                continue
            }
        }
    }

    private static func damage(_ file: Data, using random: inout SeededGenerator) -> Data {
        var result = file
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0..<result.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: result[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: result[place] = UInt8.random(in: 0...255, using: &random)
            case 2: result.insert(UInt8.random(in: 0...255, using: &random), at: place)
            default: result.remove(at: place)
            }
        }
        return result
    }
}
