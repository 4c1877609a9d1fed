import Foundation
import ImagePlugin
import Testing
import Transformable

@Suite struct PNGReadingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let file: Data
        let format: PixelFormat
        let pixels: [UInt8]
    }

    /// Samples as the PNG specification scales them: a depth of 1, 2 or 4 bits by 255, 85 or 17.
    static let cases = [
        Case(
            testDescription: "gray, 1 bit",
            file: PNGBuilder.file(3, depth: 1, colorType: 0, rows: [[0b1010_0000], [0b0100_0000]]),
            format: .gray8,
            pixels: [255, 0, 255, 0, 255, 0]
        ),
        Case(
            testDescription: "gray, 2 bits",
            file: PNGBuilder.file(4, depth: 2, colorType: 0, rows: [[0b0001_1011]]),
            format: .gray8,
            pixels: [0, 85, 170, 255]
        ),
        Case(
            testDescription: "gray, 4 bits",
            file: PNGBuilder.file(2, depth: 4, colorType: 0, rows: [[0x1F]]),
            format: .gray8,
            pixels: [17, 255]
        ),
        Case(
            testDescription: "gray, 16 bits",
            file: PNGBuilder.file(2, depth: 16, colorType: 0, rows: [[0x12, 0x34, 0xFF, 0x00]]),
            format: .gray16,
            pixels: [0x34, 0x12, 0x00, 0xFF]
        ),
        Case(
            testDescription: "gray with a transparent gray",
            file: PNGBuilder.file(
                2,
                depth: 8,
                colorType: 0,
                chunks: PNGBuilder.chunk("tRNS", Data([0, 9])),
                rows: [[9, 8]]
            ),
            format: .grayAlpha8,
            pixels: [9, 0, 8, 255]
        ),
        Case(
            testDescription: "gray of 2 bits with a transparent gray",
            file: PNGBuilder.file(
                4,
                depth: 2,
                colorType: 0,
                chunks: PNGBuilder.chunk("tRNS", Data([0, 1])),
                rows: [[0b0001_1011]]
            ),
            format: .grayAlpha8,
            pixels: [0, 255, 85, 0, 170, 255, 255, 255]
        ),
        Case(
            testDescription: "RGB, 8 bits",
            file: PNGBuilder.file(2, depth: 8, colorType: 2, rows: [[1, 2, 3, 4, 5, 6]]),
            format: .rgb8,
            pixels: [1, 2, 3, 4, 5, 6]
        ),
        Case(
            testDescription: "RGB, 16 bits, with a transparent color",
            file: PNGBuilder.file(
                2,
                depth: 16,
                colorType: 2,
                chunks: PNGBuilder.chunk("tRNS", Data([1, 2, 3, 4, 5, 6])),
                rows: [[1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 7]]
            ),
            format: .rgba16,
            pixels: [2, 1, 4, 3, 6, 5, 0, 0, 2, 1, 4, 3, 7, 5, 255, 255]
        ),
        Case(
            testDescription: "palette of 4 bits",
            file: PNGBuilder.file(
                2,
                depth: 4,
                colorType: 3,
                chunks: PNGBuilder.chunk("PLTE", Data([10, 11, 12, 20, 21, 22])),
                rows: [[0x10]]
            ),
            format: .rgb8,
            pixels: [20, 21, 22, 10, 11, 12]
        ),
        Case(
            testDescription: "palette with alpha",
            file: PNGBuilder.file(
                2,
                depth: 8,
                colorType: 3,
                chunks: PNGBuilder.chunk("PLTE", Data([10, 11, 12, 20, 21, 22]))
                    + PNGBuilder.chunk("tRNS", Data([128])),
                rows: [[0, 1]]
            ),
            format: .rgba8,
            pixels: [10, 11, 12, 128, 20, 21, 22, 255]
        ),
        Case(
            testDescription: "gray and alpha",
            file: PNGBuilder.file(1, depth: 8, colorType: 4, rows: [[7, 0]]),
            format: .grayAlpha8,
            pixels: [7, 0]
        ),
        Case(
            testDescription: "RGB and alpha, 16 bits",
            file: PNGBuilder.file(1, depth: 16, colorType: 6, rows: [[1, 2, 3, 4, 5, 6, 0, 0]]),
            format: .rgba16,
            pixels: [2, 1, 4, 3, 6, 5, 0, 0]
        ),
        Case(
            testDescription: "a transparency chunk of the wrong length is no transparency",
            file: PNGBuilder.file(
                1,
                depth: 8,
                colorType: 2,
                chunks: PNGBuilder.chunk("tRNS", Data([1])),
                rows: [[1, 2, 3]]
            ),
            format: .rgb8,
            pixels: [1, 2, 3]
        ),
    ]

    @Test(arguments: cases)
    func readsEveryType(_ example: Case) throws {
        let image = try PNGTransformer().decode(example.file)
        #expect(image.format == example.format)
        #expect(try Array(image.pixels) == example.pixels)
        #expect(try PNGTransformer().encode(image) == example.file)
    }

    @Test func readsInterlacedRows() throws {
        // Adam7 on 3 × 2 pixels: pass 1 has the first pixel, pass 4 none, pass 6 the second, and so on.
        let passes: [[UInt8]] = [[10], [12], [11], [20, 21, 22]]
        let filtered = passes.reduce(into: Data()) { $0 += [0] + $1 }
        let file =
            PNGBuilder.signature + PNGBuilder.header(3, 2, depth: 8, colorType: 0, interlaced: true)
            + PNGBuilder.chunk("IDAT", PNGBuilder.zlib(filtered)) + PNGBuilder.chunk("IEND")
        #expect(try Array(RasterImage(encoded: file).pixels) == [10, 11, 12, 20, 21, 22])
    }

    @Test(arguments: 0..<PNGBuilder.onePixel().count)
    func refusesEveryTruncation(length: Int) {
        let error = #expect(throws: TransformerError.self) {
            try PNGTransformer().decode(PNGBuilder.onePixel().prefix(length))
        }
        #expect(error?.code == (length < 8 ? .invalidData : .truncatedData))
    }

    @Test func readsASliceWhoseIndicesDoNotBeginAtZero() throws {
        let file = PNGBuilder.onePixel()
        let slice = (Data([1, 2, 3]) + file).dropFirst(3)
        #expect(try Array(RasterImage(encoded: slice).pixels) == [7])
    }

    @Test func aHugePictureInAFewBytesCostsNothing() {
        let file =
            PNGBuilder.signature + PNGBuilder.header(50_000, 50_000, depth: 8, colorType: 6)
            + PNGBuilder.chunk("IDAT", Data([0x78]))
        let error = #expect(throws: TransformerError.self) { try PNGTransformer().decode(file) }
        #expect(error?.code == .limitExceeded)
        // Above the limit, the length of the file still refuses it before memory is taken.
        let wide = PNGTransformer(limits: ImageLimits(maxPixels: 1 << 40))
        let ending = PNGBuilder.chunk("IEND")
        let short = #expect(throws: TransformerError.self) { try wide.decode(file + ending) }
        #expect(short?.code == .truncatedData)
    }

    @Test func aPictureThatItsBytesCannotHoldIsRefusedBeforeMemoryIsTaken() {
        let file =
            PNGBuilder.signature + PNGBuilder.header(10_000, 10_000, depth: 8, colorType: 6)
            + PNGBuilder.chunk("IDAT", PNGBuilder.zlib(Data(count: 100))) + PNGBuilder.chunk("IEND")
        let error = #expect(throws: TransformerError.self) { try PNGTransformer().decode(file) }
        #expect(error?.code == .truncatedData)
    }

    @Test func theLimitOfPixelsIsAnArgument() {
        let limited = PNGTransformer(limits: ImageLimits(maxPixels: 5))
        let file = PNGBuilder.file(3, depth: 8, colorType: 0, rows: [[1, 2, 3], [4, 5, 6]])
        let error = #expect(throws: TransformerError.self) { try limited.decode(file) }
        #expect(error?.code == .limitExceeded)
    }

    @Test func damagedPixelsAreAnErrorWithAPlace() throws {
        var file = PNGBuilder.file(2, depth: 8, colorType: 0, rows: [[1, 2], [3, 4]])
        file[file.count - 25] ^= 1
        let image = try PNGTransformer().decode(file)
        let error = #expect(throws: TransformerError.self) { try image.pixels }
        #expect(error?.code == .invalidData)
        #expect(error?.offset != nil)
    }

    @Test func tooFewRowsAreAnError() throws {
        let file =
            PNGBuilder.signature + PNGBuilder.header(2, 2, depth: 8, colorType: 0)
            + PNGBuilder.chunk("IDAT", PNGBuilder.zlib(Data([0, 1, 2]))) + PNGBuilder.chunk("IEND")
        let image = try RasterImage(encoded: file)
        #expect(throws: TransformerError.invalidData("")) { try image.pixels }
    }

    @Test func aJPEGIsNotAPNG() {
        let error = #expect(throws: TransformerError.self) { try PNGTransformer().decode(JPEGFixture.gray.bytes) }
        #expect(error?.message.contains("JPEG") == true)
    }
}
