import Foundation
import ImagePlugin
import Testing
import Transformable

@Suite struct ImageGeometryTests {
    /// What CIPA DC-008 specifies for a picture whose stored rows are `12` and `34` and `56`.
    @Test(
        arguments: [
            (ImageOrientation.up, [[1, 2], [3, 4], [5, 6]]),
            (.upMirrored, [[2, 1], [4, 3], [6, 5]]),
            (.down, [[6, 5], [4, 3], [2, 1]]),
            (.downMirrored, [[5, 6], [3, 4], [1, 2]]),
            (.leftMirrored, [[1, 3, 5], [2, 4, 6]]),
            (.right, [[5, 3, 1], [6, 4, 2]]),
            (.rightMirrored, [[6, 4, 2], [5, 3, 1]]),
            (.left, [[2, 4, 6], [1, 3, 5]]),
        ] as [(ImageOrientation, [[UInt8]])]
    )
    func picturesAreTurnedUpright(orientation: ImageOrientation, rows: [[UInt8]]) throws {
        var image = try RasterImage(width: 2, height: 3, format: .gray8, pixels: Data([1, 2, 3, 4, 5, 6]))
        image.metadata.orientation = orientation
        let upright = try image.oriented()
        #expect(upright.height == rows.count)
        #expect(try Array(upright.pixels) == rows.flatMap { $0 })
        #expect(upright.metadata.orientation == .up)
    }

    /// Pixels that are twice as high as wide are twice as wide as high after a quarter turn.
    @Test(arguments: ImageOrientation.allCases)
    func theDensityIsTurnedToo(orientation: ImageOrientation) throws {
        var image = try RasterImage(width: 2, height: 3, format: .gray8, pixels: Data([1, 2, 3, 4, 5, 6]))
        image.metadata.density = PixelDensity(horizontal: 300, vertical: 150, unit: .inch)
        image.metadata.exif = ImageMetadataTests.density
        image.metadata.orientation = orientation
        let turned = PixelDensity(horizontal: 150, vertical: 300, unit: .inch)
        let expected = orientation.swapsSides ? turned : image.metadata.density
        var upright = try image.oriented().metadata
        #expect(upright.density == expected)
        // Without a density of its own, the one in EXIF counts.
        upright.density = nil
        image.metadata.density = nil
        #expect(upright == ImageMetadata(density: expected, exif: upright.exif))
        #expect(try image.oriented().metadata == upright)
    }

    @Test(arguments: PixelFormat.allCases)
    func aPlainColorStaysItself(format: PixelFormat) throws {
        let pixel = (0..<format.bytesPerPixel).map { UInt8(40 + 20 * $0) }
        let pixels = Data((0..<30 * 20).flatMap { _ in pixel })
        let image = try RasterImage(width: 30, height: 20, format: format, pixels: pixels)
        for (width, height) in [(7, 5), (30, 7), (61, 33), (1, 1)] {
            let resized = try image.resized(width: width, height: height)
            let expected = try RasterImage(
                width: width,
                height: height,
                format: format,
                pixels: Data((0..<width * height).flatMap { _ in pixel })
            )
            #expect(try isClose(resized.pixels, expected.pixels, format))
        }
    }

    @Test func transparentColorsDoNotBleed() throws {
        // Left half opaque black, right half transparent white.
        let row: [UInt8] = (0..<8).flatMap { x -> [UInt8] in x < 4 ? [0, 0, 0, 255] : [255, 255, 255, 0] }
        let image = try RasterImage(width: 8, height: 1, format: .rgba8, pixels: Data(row))
        let half = try Array(image.resized(width: 4, height: 1).pixels)
        for pixel in stride(from: 0, to: half.count, by: 4) where half[pixel + 3] > 0 {
            #expect(half[pixel] == 0)
        }
    }

    /// Pillow 13, `Image.resize((4, 1), Image.LANCZOS)` of these eight grays.
    @Test func shrinksAsPillowDoes() throws {
        let image = try RasterImage(
            width: 8,
            height: 1,
            format: .gray8,
            pixels: Data([0, 10, 40, 90, 160, 200, 230, 255])
        )
        #expect(try Array(image.resized(width: 4, height: 1).pixels) == [2, 63, 182, 244])
    }

    /// Pillow 13, `Image.thumbnail((7, 7), Image.LANCZOS)`, which averages blocks of 5 × 5 pixels first.
    ///
    /// Pillow rounds the averages to whole numbers, so that its result can differ by 1.
    @Test func aThumbnailIsMadeOfAveragesAsInPillow() throws {
        let pixels = (0..<50)
            .flatMap { y in
                (0..<70).map { x -> UInt8 in UInt8(truncatingIfNeeded: x * x + 3 * y * y + 5 * x * y) }
            }
        let image = try RasterImage(width: 70, height: 50, format: .gray8, pixels: Data(pixels))
        let expected: [Int] = [
            109, 124, 119, 127, 127, 126, 127,
            130, 130, 125, 123, 130, 120, 132,
            119, 132, 134, 135, 126, 130, 122,
            129, 127, 120, 128, 124, 124, 132,
            127, 124, 122, 134, 128, 132, 135,
        ]
        let small = try image.thumbnail(fit: 7).pixels
        #expect(small.count == expected.count)
        #expect(zip(small, expected).allSatisfy { abs(Int($0) - $1) <= 1 }, "\(Array(small))")
    }

    /// Pillow 13, `Image.thumbnail((10, 10), Image.LANCZOS)`, which averages 100 pixels first.
    ///
    /// Without averages, a narrow picture of 200 megapixels would need more than a billion weights.
    @Test(arguments: [(2000, 1), (1, 2000)])
    func anAxisThatIsReducedMuchMoreHasBlocksOfItsOwn(width: Int, height: Int) throws {
        let pixels = Data((0..<2000).map { (860..<940).contains($0) || (1300..<1330).contains($0) ? 255 : 10 })
        let small = try RasterImage(width: width, height: height, format: .gray8, pixels: pixels).thumbnail(fit: 10)
        let expected = [10, 10, 8, 17, 99, 12, 41, 20, 8, 10]
        let samples = try Array(small.pixels)
        #expect(zip(samples, expected).allSatisfy { abs(Int($0) - $1) <= 1 }, "\(samples)")
        #expect(samples.count == 10)
    }

    /// Blocks of many pixels are exact enough, too.
    @Test(arguments: [(200_000, 1), (1, 200_000), (200_000, 3), (3, 200_000)])
    func aThumbnailOfANarrowPictureIsPlain(width: Int, height: Int) throws {
        let pixels = Data(repeating: 255, count: width * height)
        let image = try RasterImage(width: width, height: height, format: .gray8, pixels: pixels)
        #expect(try image.thumbnail(fit: 1).pixels == Data([255]))
    }

    /// The blocks on the right and at the bottom are not whole, and a plain color remains as it is.
    @Test(arguments: PixelFormat.allCases.filter { $0 != .cmyk8 })
    func aThumbnailOfAPlainColorIsPlain(format: PixelFormat) throws {
        let pixel = (0..<format.bytesPerPixel).map { UInt8(40 + 20 * $0) }
        let pixels = Data((0..<103 * 58).flatMap { _ in pixel })
        let image = try RasterImage(width: 103, height: 58, format: format, pixels: pixels)
        let small = try image.thumbnail(fit: 10)
        let expected = Data((0..<small.width * small.height).flatMap { _ in pixel })
        #expect(small.width == 10)
        #expect(try isClose(small.pixels, expected, format))
    }

    @Test(arguments: [(300, 200, 64, 64, 43), (200, 300, 64, 43, 64), (20, 10, 64, 20, 10), (2000, 1, 10, 10, 1)])
    func thumbnailsFitASquare(width: Int, height: Int, side: Int, newWidth: Int, newHeight: Int) throws {
        let image = try RasterImage.gradient(width, height)
        let jpeg = try RasterImage(encoded: JPEGTransformer().encode(image))
        for source in [image, jpeg] {
            let small = try source.thumbnail(fit: side)
            #expect(small.width == newWidth)
            #expect(small.height == newHeight)
        }
    }

    /// libjpeg rounds a scaled size up: 41 pixels become 6 at one eighth, of which the last shows only one pixel.
    @Test func aScaledJPEGIsNotStretched() throws {
        let row = Data((0..<41).map { UInt8($0 * 6) })
        let image = try RasterImage(width: 41, height: 41, format: .gray8, pixels: Data((0..<41).flatMap { _ in row }))
        let jpeg = try RasterImage(encoded: JPEGTransformer(options: JPEGOptions(quality: 100)).encode(image))
        let small = try Array(jpeg.thumbnail(fit: 3).pixels)
        let expected = try Array(image.thumbnail(fit: 3).pixels)
        #expect(zip(small, expected).allSatisfy { abs(Int($0) - Int($1)) <= 6 })
    }

    @Test func aThumbnailIsUprightAndHasNoMetadata() throws {
        var image = try RasterImage.gradient(90, 60)
        image.metadata = ImageMetadata(
            colorProfile: .sRGB,
            texts: [ImageText("Comment", "x")],
            exif: ImageMetadataTests.exif
        )
        let small = try image.thumbnail(fit: 30)
        #expect(small.width == 20)
        #expect(small.height == 30)
        #expect(small.metadata == ImageMetadata())
    }

    @Test func aThumbnailIsAStage() throws {
        let registry = try TransformerRegistry { ImagePlugin() }
        let projection = try registry.projection(
            "thumbnail(fit: 16) | jpeg(quality: 70)",
            for: RasterImage.self,
            to: Data.self
        )
        let small = try RasterImage(encoded: projection.encode(RasterImage(encoded: JPEGFixture.baseline.bytes)))
        #expect(small.width == 16)
        #expect(small.height == 10)
    }

    @Test func picturesThatLookAlikeHaveHashesAlike() throws {
        let image = try RasterImage.gradient(200, 120)
        let hash = try ImageHashTransformer().encode(image)
        let small = try ImageHashTransformer().encode(image.resized(width: 90, height: 55))
        let coarse = try ImageHashTransformer()
            .encode(
                RasterImage(encoded: JPEGTransformer(options: JPEGOptions(quality: 30)).encode(image))
            )
        let other = try ImageHashTransformer().encode(RasterImage.noise(200, 120, .rgb8))
        #expect((hash ^ small).nonzeroBitCount <= 4)
        #expect((hash ^ coarse).nonzeroBitCount <= 4)
        #expect((hash ^ other).nonzeroBitCount > 12)
    }

    @Test(arguments: [(0, 5), (5, -1), (.max, .max)])
    func impossibleSizesAreErrors(width: Int, height: Int) throws {
        let image = try RasterImage.gradient(4, 4)
        let error = #expect(throws: TransformerError.self) { try image.resized(width: width, height: height) }
        #expect(error?.code == .invalidValue)
    }

    private func isClose(_ left: Data, _ right: Data, _ format: PixelFormat) throws -> Bool {
        // Of 16 bits, the low byte may differ by rounding.
        left.count == right.count
            && zip(left, right).enumerated()
                .allSatisfy { index, pair in
                    format.bitsPerSample == 16 && index % 2 == 0 || abs(Int(pair.0) - Int(pair.1)) <= 1
                }
    }
}
