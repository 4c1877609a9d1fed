import Foundation
import ImagePlugin
import Testing
import Transformable

@Suite struct PNGWritingTests {
    static let formats = PixelFormat.allCases.filter { $0 != .cmyk8 }

    @Test(arguments: formats, [false, true])
    func everyBitComesBack(format: PixelFormat, interlaced: Bool) throws {
        let image = try RasterImage.noise(19, 11, format)
        let png = PNGTransformer(options: PNGOptions(isInterlaced: interlaced))
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
            testDescription: "greys of two bits",
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
    func paletteAutoFindsTheSmallestType(_ example: Reduction) throws {
        let pixels = Data(example.pixels)
        let width = pixels.count / example.format.bytesPerPixel
        let image = try RasterImage(width: width, height: 1, format: example.format, pixels: pixels)
        let file = try PNGTransformer(options: PNGOptions(palette: .automatic)).encode(image)
        #expect(file[24] == example.depth)
        #expect(file[25] == example.colorType)
        #expect(try RasterImage(encoded: file) == image)
    }

    @Test func manyColorsWithOneTransparentNeedNoAlphaChannel() throws {
        var pixels: [UInt8] = [1, 2, 3, 0]
        for index in 0..<200 { pixels += [UInt8(index), UInt8(index), UInt8(255 - index), 255] }
        for index in 0..<39 { pixels += [UInt8(index), 77, 200, 255] }
        let image = try RasterImage(width: 240, height: 1, format: .rgba8, pixels: Data(pixels))
        let file = try PNGTransformer(options: PNGOptions(palette: .automatic)).encode(image)
        #expect(try RasterImage(encoded: file) == image)
    }

    @Test func rowsMayLieApart() throws {
        let packed = try RasterImage.noise(3, 4, .rgb8)
        var spread = Data()
        for row in 0..<4 { spread += try packed.pixels.dropFirst(row * 9).prefix(9) + [0xAA, 0xBB] }
        let image = try RasterImage(width: 3, height: 4, format: .rgb8, rowStride: 11, pixels: spread)
        #expect(image == packed)
        #expect(try RasterImage(encoded: PNGTransformer().encode(image)) == packed)
    }

    @Test func cmykIsAnErrorThatNamesAWayOut() throws {
        let error = #expect(throws: TransformerError.self) {
            try PNGTransformer().encode(RasterImage.noise(2, 2, .cmyk8))
        }
        #expect(error?.code == .invalidValue)
        #expect(error?.message.contains("rgb8") == true)
    }
}
