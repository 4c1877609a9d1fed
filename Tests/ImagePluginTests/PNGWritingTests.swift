import Foundation
import ImagePlugin
import Testing
import Transformable
import _HostileInputs

@Suite struct PNGWritingTests {
    static let formats = PixelFormat.allCases.filter { $0 != .cmyk8 }

    @Test(arguments: formats, [false, true])
    func everyBitComesBack(format: PixelFormat, interlaced: Bool) throws {
        let image = try RasterImage.noise(19, 11, format)
        let png = PNGTransformer(options: PNGOptions(isInterlaced: interlaced, palette: .never))
        let back = try png.decode(png.encode(image))
        #expect(back.format == format)
        #expect(try back.pixels == image.pixels)
        #expect(back == image)
    }

    @Test(arguments: PNGOptions.Filter.allCases, [0, 1, 9])
    func filtersAndLevelsDoNotChangeThePicture(filter: PNGOptions.Filter, compression: Int) throws {
        let image = try RasterImage.gradient(40, 30)
        let png = PNGTransformer(options: PNGOptions(compression: compression, filter: filter))
        #expect(try png.decode(png.encode(image)) == image)
    }

    @Test(arguments: formats)
    func theSmallestTypeHoldsTheSamePicture(format: PixelFormat) throws {
        let png = PNGTransformer(options: PNGOptions(palette: .automatic))
        let image = try RasterImage.noise(9, 7, format, seed: 3)
        #expect(try png.decode(png.encode(image)) == image)
    }

    struct Reduction: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let format: PixelFormat
        let pixels: [UInt8]
        /// What IHDR says.
        let depth: UInt8
        let colorType: UInt8
    }

    /// Worked out by hand from the types that PNG has.
    static let reductions = [
        Reduction(
            testDescription: "black and white in RGB",
            format: .rgb8,
            pixels: [0, 0, 0, 255, 255, 255],
            depth: 1,
            colorType: 0
        ),
        Reduction(
            testDescription: "grays of two bits",
            format: .gray8,
            pixels: [0, 85, 170, 255],
            depth: 2,
            colorType: 0
        ),
        Reduction(
            testDescription: "two colors",
            format: .rgb16,
            pixels: [1, 1, 2, 2, 3, 3, 9, 9, 8, 8, 7, 7],
            depth: 1,
            colorType: 3
        ),
        Reduction(
            testDescription: "16 bits that 8 cannot hold",
            format: .gray16,
            pixels: [1, 2, 3, 4],
            depth: 16,
            colorType: 0
        ),
        Reduction(
            testDescription: "three colors, one half transparent",
            format: .rgba8,
            pixels: [1, 2, 3, 255, 4, 5, 6, 255, 7, 8, 9, 128],
            depth: 2,
            colorType: 3
        ),
        Reduction(
            testDescription: "opaque 16 bits",
            format: .grayAlpha16,
            pixels: [1, 2, 255, 255, 3, 4, 255, 255],
            depth: 16,
            colorType: 0
        ),
    ]

    @Test(arguments: reductions)
    func theSmallestTypeIsFound(_ example: Reduction) throws {
        let image = try Self.scattered(example.pixels, example.format, side: 40)
        let file = try PNGTransformer().encode(image)
        #expect(file[24] == example.depth)
        #expect(file[25] == example.colorType)
        #expect(try RasterImage(encoded: file) == image)
    }

    /// A palette of four bytes and its checksum are more than the single pixel that they describe.
    @Test func aPaletteIsNotUsedIfItMakesTheFileLarger() throws {
        let image = try RasterImage(width: 2, height: 1, format: .rgb8, pixels: Data([1, 2, 3, 4, 5, 6]))
        let file = try PNGTransformer().encode(image)
        #expect(file[25] == 2)
        #expect(try file.count == PNGTransformer(options: PNGOptions(palette: .never)).encode(image).count)
    }

    @Test(arguments: [2, 5, 16, 40, 200])
    func aPaletteNeverMakesTheFileLarger(side: Int) throws {
        for count in [2, 3, 17, 200] {
            let colors = (0..<UInt8(count)).flatMap { [$0, $0 / 2, 9, $0 % 5 == 0 ? 100 : 255] as [UInt8] }
            let image = try Self.scattered(colors, .rgba8, side: side)
            let sizes = try [PNGOptions.Palette.automatic, .never]
                .map { try PNGTransformer(options: PNGOptions(palette: $0)).encode(image).count }
            #expect(sizes[0] <= sizes[1])
        }
    }

    /// A palette has at most 256 entries (PNG, section 11.2.2).
    @Test(arguments: [(256, 3 as UInt8), (257, 2)])
    func aPaletteHasAtMost256Colors(count: Int, colorType: UInt8) throws {
        let colors = (0..<count).flatMap { (index) -> [UInt8] in [UInt8(index / 3), UInt8(index % 3), 77] }
        let image = try Self.scattered(colors, .rgb8, side: 100)
        let file = try PNGTransformer().encode(image)
        #expect(file[25] == colorType)
        #expect(try RasterImage(encoded: file) == image)
    }

    /// The type of a picture of more than 64 KB is chosen on a sample of the rows.
    ///
    /// In random order, an index of 2 bits is much shorter than a pixel of 24.
    @Test(arguments: [PNGOptions.Filter.automatic, .none, .paeth], [false, true])
    func aLargePictureWithFewColorsHasAPalette(filter: PNGOptions.Filter, isInterlaced: Bool) throws {
        let image = try Self.scattered([255, 255, 255, 30, 60, 90, 1, 2, 3], .rgb8, side: 300)
        let options = PNGOptions(filter: filter, isInterlaced: isInterlaced)
        let file = try PNGTransformer(options: options).encode(image)
        #expect(file[24] == 2)
        #expect(file[25] == 3)
        #expect(try RasterImage(encoded: file) == image)
    }

    /// The passes have fewer rows than the distance to the first group of rows in the sample.
    @Test(arguments: [1, 2, 9, 17])
    func aWideInterlacedPictureComesBack(height: Int) throws {
        let image = try RasterImage.gradient(40_000, height)
        let file = try PNGTransformer(options: PNGOptions(isInterlaced: true)).encode(image)
        #expect(try RasterImage(encoded: file) == image)
    }

    @Test func automaticFiltersAreAsGoodAsTheBestOfASmallPicture() throws {
        for image in try [
            RasterImage.gradient(80, 60), Self.scattered([0, 0, 0, 9, 8, 7, 200, 1, 2], .rgb8, side: 60),
        ] {
            let sizes = try [PNGOptions.Filter.automatic, .none]
                .map { try PNGTransformer(options: PNGOptions(filter: $0, palette: .never)).encode(image).count }
            #expect(sizes[0] <= sizes[1])
        }
    }

    // Made once, which takes a while without optimization.
    private static let screen = Result {
        try scattered([255, 255, 255, 255, 255, 255, 255, 255, 255, 30, 60, 90], .rgb8, side: 700)
    }

    /// Rows of more than a megabyte are compressed in blocks, which are joined to a single stream.
    @Test(arguments: [0, 1, 6, 9], PNGOptions.Filter.allCases)
    func blocksAreJoined(compression: Int, filter: PNGOptions.Filter) throws {
        let screen = try Self.screen.get()
        let options = PNGOptions(compression: compression, filter: filter, palette: .never)
        let file = try PNGTransformer(options: options).encode(screen)
        #expect(try RasterImage(encoded: file).pixels == screen.pixels)
    }

    @Test(arguments: 1...9, [2, 4, 16, 200])
    func passesOfNarrowPicturesComeBack(side: Int, colors: Int) throws {
        let greys = (0..<colors).map { UInt8($0 * 255 / (colors - 1)) }
        let image = try Self.scattered(greys, .gray8, side: side)
        let options = PNGOptions(filter: .paeth, isInterlaced: true)
        #expect(try RasterImage(encoded: PNGTransformer(options: options).encode(image)) == image)
    }

    /// A square picture of the given pixels in an order that a small generator chooses.
    static func scattered(_ pixels: [UInt8], _ format: PixelFormat, side: Int) throws -> RasterImage {
        var random = SeededGenerator(seed: 7)
        let size = format.bytesPerPixel
        let count = pixels.count / size
        let bytes = (0..<side * side)
            .flatMap { _ in
                let start = Int.random(in: 0..<count, using: &random) * size
                return pixels[start..<start + size]
            }
        return try RasterImage(width: side, height: side, format: format, pixels: Data(bytes))
    }

    @Test func manyColorsWithOneTransparentNeedNoAlphaChannel() throws {
        var pixels: [UInt8] = [1, 2, 3, 0]
        for index in 0..<200 { pixels += [UInt8(index), UInt8(index), UInt8(255 - index), 255] }
        for index in 0..<39 { pixels += [UInt8(index), 77, 200, 255] }
        let image = try RasterImage(width: 240, height: 1, format: .rgba8, pixels: Data(pixels))
        let file = try PNGTransformer(options: PNGOptions(palette: .automatic)).encode(image)
        #expect(try RasterImage(encoded: file) == image)
    }

    @Test func rowsMayHaveGapsBetweenThem() throws {
        let packed = try RasterImage.noise(3, 4, .rgb8)
        var spread = Data()
        for row in 0..<4 { spread += try packed.pixels.dropFirst(row * 9).prefix(9) + [0xAA, 0xBB] }
        let image = try RasterImage(width: 3, height: 4, format: .rgb8, rowStride: 11, pixels: spread)
        #expect(image == packed)
        #expect(try RasterImage(encoded: PNGTransformer().encode(image)) == packed)
    }

    @Test func cmykIsAnErrorThatNamesARemedy() throws {
        let error = #expect(throws: TransformerError.self) {
            try PNGTransformer().encode(RasterImage.noise(2, 2, .cmyk8))
        }
        #expect(error?.code == .invalidValue)
        #expect(error?.message.contains("rgb8") == true)
    }
}
