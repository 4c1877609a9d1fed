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
        return try [png, interlaced] + JPEGFixture.all.map(\.bytes) + [
            profiled(.gradient(20, 10), TestProfiles.wide), profiled(.noise(9, 5, .cmyk8), TestProfiles.press),
        ]
    }

    /// A JPEG with EXIF and a profile, which are not compressed, so that damage reaches them.
    private static func profiled(_ image: RasterImage, _ profile: Data) throws -> Data {
        var exif = ExifBuilder()
        exif.main = [.short(0x0112, 6)]
        exif.photo = [.text(0x9003, "2024:05:01 12:34:56")]
        exif.place = [.bytes(2, Data(count: 24))]
        exif.interoperability = [.text(1, "R03")]
        exif.thumbnail = Data(count: 20)
        var image = image
        image.metadata = ImageMetadata(colorProfile: ColorProfile(icc: profile), exif: exif.bytes)
        return try JPEGTransformer().encode(image)
    }

    /// A sample: `make fuzz` reads millions, in a release build.
    @Test(arguments: 0..<13)
    func damagedFilesAreImagesOrTypedErrors(seed: Int) throws {
        let file = try Self.seeds()[seed]
        var random = SeededGenerator(seed: UInt64(seed))
        for round in 0..<80 {
            let damaged = Self.damage(file, using: &random)
            do {
                let options = ImageReadingOptions(limits: Self.limits, isTolerant: round % 2 == 0)
                let image = try RasterImage(encoded: damaged, options: options)
                _ = image.metadata.orientation
                _ = try image.pixels
                if round % 3 == 0 { try Self.use(image, round: round / 3) }
                _ = try PNGTransformer().encode(image.format == .cmyk8 ? image.converted(to: .rgb8) : image)
            } catch is TransformerError {
                continue
            }
        }
    }

    /// Stripping reads the table of a profile.
    @Test(arguments: [TestProfiles.display, TestProfiles.press])
    func damagedProfilesAreStrippedOrKept(profile: Data) throws {
        var random = SeededGenerator(seed: UInt64(profile.count))
        for _ in 0..<1000 {
            let damaged = Self.damage(profile, using: &random).prefix(Int.random(in: 0...900, using: &random))
            let metadata = ImageMetadata(colorProfile: ColorProfile(icc: damaged))
            let stripped = metadata.stripped.colorProfile.icc ?? Data()
            #expect(stripped.count <= damaged.count + 200)
            #expect(ImageMetadata(colorProfile: ColorProfile(icc: stripped)).stripped.colorProfile.icc == stripped)
        }
    }

    /// Runs one of the stages, a thumbnail, and the projections of the metadata.
    private static func use(_ image: RasterImage, round: Int) throws {
        let operations = ImageStageTests.operations
        _ = try ImageStage(operations[round % operations.count]).encode(image)
        _ = try image.thumbnail(fit: 6)
        _ = ImageTimeTransformer().encode(image, in: .none)
        _ = ImageLocationTransformer().encode(image, in: .none)
        _ = ImageFrameCountTransformer().encode(image, in: .none)
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
