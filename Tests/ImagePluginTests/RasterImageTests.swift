import Foundation
import ImagePlugin
import Testing
import Transformable

@Suite struct RasterImageTests {
    @Test func aCopyDoesNotSeeChanges() throws {
        let image = try RasterImage.noise(4, 4, .gray8)
        let before = try image.pixels
        var copy = image
        try copy.withMutablePixels { $0[5] = $0[5] &+ 1 }
        #expect(try image.pixels == before)
        #expect(copy != image)
    }

    @Test func aChangedImageIsEncodedAgain() throws {
        let file = PNGBuilder.onePixel()
        var image = try RasterImage(encoded: file)
        try image.withMutablePixels { $0[0] = 8 }
        #expect(image.encoded == nil)
        let encoded = try PNGTransformer().encode(image)
        #expect(encoded != file)
        #expect(try RasterImage(encoded: encoded).pixels == Data([8]))
    }

    /// The thumbnail may show what was made unrecognizable.
    @Test func aChangedImageLosesItsThumbnail() throws {
        var exif = ExifBuilder()
        exif.main = [.text(0x010F, "Camera"), .short(0x0112, 6)]
        exif.thumbnail = Data("secret".utf8)
        let chunk = PNGBuilder.chunk("eXIf", exif.bytes)
        var image = try RasterImage(encoded: PNGBuilder.onePixel(chunks: chunk))
        #expect(image.metadata.exif == exif.bytes)
        try image.withMutablePixels { $0[0] = 8 }
        let file = try PNGTransformer().encode(image)
        #expect(file.range(of: Data("secret".utf8)) == nil)
        #expect(file.range(of: Data("Camera".utf8)) != nil)
        #expect(image.metadata.orientation == .right)
    }

    @Test func aFailedChangeLeavesTheImage() throws {
        struct Refusal: Error {}
        var image = try RasterImage.noise(4, 4, .gray8)
        let before = image
        #expect(throws: Refusal.self) { try image.withMutablePixels { _ in throw Refusal() } }
        #expect(image == before)
    }

    @Test func imagesOfDifferentFilesAreEqualByPixels() throws {
        let image = try RasterImage.gradient(20, 20)
        let small = try PNGTransformer(options: PNGOptions(compression: 9)).encode(image)
        let large = try PNGTransformer(options: PNGOptions(compression: 0)).encode(image)
        #expect(small != large)
        #expect(try RasterImage(encoded: small) == RasterImage(encoded: large))
    }

    @Test(arguments: [
        (PixelFormat.gray8, PixelFormat.rgb8), (.gray8, .rgba16), (.rgb8, .rgb16), (.grayAlpha8, .rgba8),
    ])
    func wideningKeepsThePicture(narrow: PixelFormat, wide: PixelFormat) throws {
        let image = try RasterImage.noise(5, 5, narrow)
        let widened = try image.converted(to: wide)
        #expect(widened.format == wide)
        #expect(widened == image)
        #expect(try widened.converted(to: narrow, background: .init(red: 0, green: 0, blue: 0)).pixels == image.pixels)
    }

    @Test func differencesShow() throws {
        let image = try RasterImage.noise(5, 5, .rgb8)
        var other = image
        other.metadata.orientation = .right
        #expect(other != image)
        #expect(try RasterImage.noise(5, 5, .rgb8, seed: 2) != image)
        #expect(try RasterImage.noise(5, 4, .rgb8) != image)
    }

    @Test(arguments: [(0, 1, 10, nil), (1, -1, 10, nil), (2, 2, 11, nil), (2, 2, 100, 5), (.max, .max, 10, nil)])
    func numbersMustFitEachOther(width: Int, height: Int, bytes: Int, stride: Int?) {
        let error = #expect(throws: TransformerError.self) {
            try RasterImage(width: width, height: height, format: .rgb8, rowStride: stride, pixels: Data(count: bytes))
        }
        #expect(error?.code == .invalidValue)
    }

    @Test func manyThreadsDecodeOnce() async throws {
        let image = try RasterImage(encoded: PNGTransformer().encode(RasterImage.noise(64, 64, .rgba16)))
        let results = await withTaskGroup(of: Data?.self) { group in
            for _ in 0..<16 { group.addTask { try? image.pixels } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let expected = try RasterImage.noise(64, 64, .rgba16).pixels
        #expect(results.count == 16)
        #expect(results.allSatisfy { $0 == expected })
    }

    @Test func itsDescriptionSaysWhatItIs() throws {
        #expect("\(try RasterImage.noise(3, 2, .gray8))" == "3 × 2 pixels, gray8")
        let image = try RasterImage(encoded: JPEGFixture.gray.bytes)
        #expect("\(image)" == "21 × 13 pixels, gray8, a JPEG of 397 bytes")
    }

    @Test func aDetachedImageIsEqualAndHasNoFile() throws {
        let image = try RasterImage(encoded: JPEGFixture.baseline.bytes)
        let detached = try image.detached()
        #expect(detached.encoded == nil)
        #expect(detached == image)
        #expect(try JPEGTransformer().encode(detached) != JPEGFixture.baseline.bytes)
    }
}
