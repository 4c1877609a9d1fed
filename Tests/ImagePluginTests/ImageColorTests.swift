import Foundation
import ImagePlugin
import Testing
import Transformable

/// Expected values come from Peer/vectors.py: the formulas of the standards, and Pillow's ImageCms.
@Suite struct ImageColorTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let profile: ColorProfile
        let samples: [UInt8]
        let expected: [UInt8]
    }

    @Test(arguments: [
        Case(
            testDescription: "a gamma of 1",
            profile: ColorProfile(gamma: 100_000),
            samples: [0, 55, 128, 255, 255, 255],
            expected: [0, 128, 188, 255, 255, 255]
        ),
        Case(
            testDescription: "Display P3 as code points, which precede a profile",
            profile: ColorProfile(codePoints: ColorCodePoints(primaries: 12, transfer: 13), icc: TestProfiles.wide),
            samples: [200, 100, 50],
            expected: [215, 93, 31]
        ),
        Case(
            testDescription: "BT.2100 with PQ, whose highlights are compressed",
            profile: ColorProfile(codePoints: ColorCodePoints(primaries: 9, transfer: 16)),
            samples: [100, 90, 80, 148, 148, 148, 170, 170, 170, 255, 255, 255],
            expected: [119, 84, 65, 229, 229, 229, 252, 252, 252, 255, 255, 255]
        ),
        Case(
            testDescription: "BT.2100 with HLG, whose highlights are compressed",
            profile: ColorProfile(codePoints: ColorCodePoints(primaries: 9, transfer: 18)),
            samples: [120, 110, 100, 191, 191, 191, 255, 255, 255],
            expected: [136, 115, 103, 229, 229, 229, 255, 255, 255]
        ),
        Case(
            testDescription: "an ICC profile, which precedes sRGB",
            profile: ColorProfile(icc: TestProfiles.wide, renderingIntent: .perceptual),
            samples: [200, 100, 50, 90, 160, 120, 255, 255, 255],
            expected: [224, 113, 49, 85, 178, 136, 255, 255, 255]
        ),
        Case(
            testDescription: "sRGB, which precedes a gamma",
            profile: ColorProfile(renderingIntent: .perceptual, gamma: 100_000),
            samples: [1, 128, 200],
            expected: [1, 128, 200]
        ),
        Case(
            testDescription: "a profile for other samples, which is ignored",
            profile: ColorProfile(icc: TestProfiles.press),
            samples: [1, 128, 200],
            expected: [1, 128, 200]
        ),
        Case(
            testDescription: "bytes that are not a profile",
            profile: ColorProfile(icc: TestProfiles.wide.prefix(200)),
            samples: [1, 128, 200],
            expected: [1, 128, 200]
        ),
    ])
    func colorsAreConvertedToSRGB(_ example: Case) throws {
        let image = try RasterImage(
            width: example.samples.count / 3,
            height: 1,
            format: .rgb8,
            pixels: Data(example.samples),
            metadata: ImageMetadata(colorProfile: example.profile, texts: [ImageText("Title", "x")])
        )
        let converted = try image.convertedToSRGB()
        #expect(try isClose(converted.pixels, example.expected))
        #expect(converted.metadata == ImageMetadata(texts: [ImageText("Title", "x")]))
        #expect(try converted.convertedToSRGB() == converted)
    }

    @Test func grayStaysGrayAndKeepsItsAlpha() throws {
        let image = try RasterImage(
            width: 2,
            height: 1,
            format: .grayAlpha8,
            pixels: Data([55, 200, 128, 0]),
            metadata: ImageMetadata(colorProfile: ColorProfile(icc: TestProfiles.gray))
        )
        #expect(try isClose(image.convertedToSRGB().pixels, [128, 200, 188, 0]))
    }

    @Test func sixteenBitsStaySixteenBits() throws {
        let samples: [UInt16] = [14_135, 14_135, 14_135, 1234]
        let image = try RasterImage(
            width: 1,
            height: 1,
            format: .rgba16,
            pixels: samples.withUnsafeBytes { Data($0) },
            metadata: ImageMetadata(colorProfile: ColorProfile(gamma: 100_000))
        )
        let bytes = try Array(image.convertedToSRGB().pixels)
        let converted = stride(from: 0, to: 8, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
        // 65,535 × (1.055 × 0.215686^(1 / 2.4) − 0.055)
        #expect(converted.dropLast().allSatisfy { abs($0 - 32_880) <= 16 })
        #expect(converted.last == 1234)
    }

    /// The curve of sRGB is steepest in shadows: 255 × (1.055 × (2 / 255)^(1 / 2.4) − 0.055) is 21.7.
    @Test(
        arguments: [
            (.gray8, [2, 12, 55], [22, 61, 128]),
            (.grayAlpha8, [2, 99, 12, 0], [22, 99, 61, 0]),
        ] as [(PixelFormat, [UInt8], [UInt8])]
    )
    func shadowsOfGrayAreExact(format: PixelFormat, samples: [UInt8], expected: [UInt8]) throws {
        let image = try RasterImage(
            width: samples.count / format.channelCount,
            height: 1,
            format: format,
            pixels: Data(samples),
            metadata: ImageMetadata(colorProfile: ColorProfile(gamma: 100_000))
        )
        #expect(try Array(image.convertedToSRGB().pixels) == expected)
    }

    /// The primaries are those of Adobe RGB.
    ///
    /// Of gray, 65,535 × (1.055 × (701 / 65,535)^(1 / 2.4) − 0.055) is 6832.6. The light of the color is multiplied by the
    /// matrices of both primaries, adapted to D50 by Bradford's method.
    @Test(
        arguments: [
            (.gray16, 100_000, [701], [6833]), (.rgb16, 45_455, [51_400, 64_250, 15_420], [45_413, 64_291, 1807]),
        ] as [(PixelFormat, Int, [UInt16], [Int])]
    )
    func shadowsOfSixteenBitsAreExact(format: PixelFormat, gamma: Int, samples: [UInt16], expected: [Int]) throws {
        let primaries = ColorProfile.Chromaticities(
            white: ColorProfile.Chromaticity(x: 31_270, y: 32_900),
            red: ColorProfile.Chromaticity(x: 64_000, y: 33_000),
            green: ColorProfile.Chromaticity(x: 21_000, y: 71_000),
            blue: ColorProfile.Chromaticity(x: 15_000, y: 6_000)
        )
        let image = try RasterImage(
            width: 1,
            height: 1,
            format: format,
            pixels: samples.withUnsafeBytes { Data($0) },
            metadata: ImageMetadata(colorProfile: ColorProfile(gamma: gamma, chromaticities: primaries))
        )
        let bytes = try Array(image.convertedToSRGB().pixels)
        let converted = stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
        #expect(converted.count == expected.count)
        #expect(zip(converted, expected).allSatisfy { abs($0 - $1) <= 8 })
    }

    @Test func inksBecomeRGBByTheirProfile() throws {
        let pixels = Data([0, 0, 0, 0, 200, 100, 50, 25, 255, 0, 0, 0, 0, 0, 0, 255])
        let profile = ImageMetadata(colorProfile: ColorProfile(icc: TestProfiles.press))
        let image = try RasterImage(width: 4, height: 1, format: .cmyk8, pixels: pixels, metadata: profile)
        let expected: [UInt8] = [255, 255, 255, 84, 123, 165, 0, 169, 234]
        for converted in [try image.convertedToSRGB(), try image.converted(to: .rgb8)] {
            #expect(try isClose(converted.pixels.prefix(9), expected, by: 2))
            // The black ink has an L* of 14, which is 36 in sRGB, and darker because the darkest ink becomes black.
            #expect(try converted.pixels.suffix(3).allSatisfy { (20...36).contains($0) })
            #expect(converted.metadata == ImageMetadata())
        }
    }

    @Test func inksWithoutAProfileAreIdeal() throws {
        let image = try RasterImage(width: 1, height: 1, format: .cmyk8, pixels: Data([255, 0, 0, 128]))
        #expect(try Array(image.convertedToSRGB().pixels) == [0, 127, 127])
    }

    @Test(arguments: ["png", "jpeg(quality: 100)"])
    func aThumbnailOfInksIsAPictureInSRGB(ending: String) throws {
        let pixels = Data((0..<32 * 32).flatMap { _ -> [UInt8] in [200, 100, 50, 25] })
        let profile = ImageMetadata(colorProfile: ColorProfile(icc: TestProfiles.press))
        let image = try RasterImage(width: 32, height: 32, format: .cmyk8, pixels: pixels, metadata: profile)
        let file = try RasterImage(encoded: JPEGTransformer(options: JPEGOptions(quality: 100)).encode(image))
        let registry = try TransformerRegistry { ImagePlugin() }
        let projection = try registry.projection("thumbnail(fit: 8) | \(ending)", for: RasterImage.self, to: Data.self)
        let small = try RasterImage(encoded: projection.encode(file))
        #expect(small.format == .rgb8)
        #expect(small.metadata.colorProfile.isEmpty)
        #expect(try isClose(small.pixels.prefix(3), [84, 123, 165], by: 3))
    }

    @Test(arguments: [true, false])
    func exifCanSayAdobeRGB(isLittleEndian: Bool) throws {
        var exif = ExifBuilder(isLittleEndian: isLittleEndian)
        exif.photo = [.short(0xA001, 65_535)]
        exif.interoperability = [.text(1, "R03")]
        let image = try RasterImage(
            width: 1,
            height: 1,
            format: .rgb8,
            pixels: Data([150, 120, 90]),
            metadata: ImageMetadata(exif: exif.bytes)
        )
        let converted = try image.convertedToSRGB()
        #expect(try isClose(converted.pixels, [162, 121, 88]))
        exif.photo = [.short(0xA001, 1)]
        exif.interoperability = [.text(1, "R98")]
        #expect(converted.metadata.exif == exif.bytes)
    }

    /// Adobe RGB does not apply to samples that are stated to be sRGB, to gray, or to inks.
    @Test(
        arguments: [(.rgb8, .sRGB), (.gray8, ColorProfile()), (.cmyk8, ColorProfile())] as [(PixelFormat, ColorProfile)]
    )
    func anImageInSRGBDoesNotSayAdobeRGB(format: PixelFormat, profile: ColorProfile) throws {
        var exif = ExifBuilder()
        exif.interoperability = [.text(1, "R03")]
        let image = try RasterImage(
            width: 1,
            height: 1,
            format: format,
            pixels: Data(repeating: 150, count: format.bytesPerPixel),
            metadata: ImageMetadata(colorProfile: profile, exif: exif.bytes)
        )
        let converted = try image.convertedToSRGB().converted(to: .rgb8)
        exif.interoperability = [.text(1, "R98")]
        #expect(converted.metadata == ImageMetadata(exif: exif.bytes))
        #expect(try converted.convertedToSRGB() == converted)
    }

    /// A PNG can say sRGB for itself, and still have the EXIF of a camera.
    @Test func theJPEGOfAPNGInSRGBDoesNotSayAdobeRGB() throws {
        var exif = ExifBuilder()
        exif.interoperability = [.text(1, "R03")]
        let image = try RasterImage(
            width: 1,
            height: 1,
            format: .rgb8,
            pixels: Data([150, 120, 90]),
            metadata: ImageMetadata(colorProfile: .sRGB, exif: exif.bytes)
        )
        exif.interoperability = [.text(1, "R98")]
        #expect(try RasterImage(encoded: JPEGTransformer().encode(image)).metadata.exif == exif.bytes)
    }

    /// The colors are those of ``exifCanSayAdobeRGB(isLittleEndian:)``.
    @Test(
        arguments: [
            "png(strip: true)", "image(strip: true)", "strip | png", "strip | image",
            "jpeg(quality: 100, strip: true)", "strip | jpeg(quality: 100)",
            "jpeg(quality: 100, strip: true, lossless: optimize)",
            "jpeg(quality: 100, strip: true, lossless: oriented)",
        ],
        [ImageFileFormat.png, .jpeg]
    )
    func strippingKeepsAdobeRGB(expression: String, source: ImageFileFormat) throws {
        var exif = ExifBuilder()
        exif.main = [.text(0x010F, "Camera"), .short(0x0112, 6)]
        exif.photo = [.short(0xA001, 65_535), .text(0x9003, "2024:05:01 12:34:56")]
        exif.interoperability = [.text(1, "R03")]
        let image = try RasterImage(
            width: 16,
            height: 16,
            format: .rgb8,
            pixels: Data((0..<256).flatMap { _ in [150, 120, 90] as [UInt8] }),
            metadata: ImageMetadata(exif: exif.bytes)
        )
        let jpeg = JPEGTransformer(options: JPEGOptions(quality: 100))
        let bytes = try source == .png ? PNGTransformer().encode(image) : jpeg.encode(image)
        let transformer = try TransformerRegistry { ImagePlugin() }.transformer(expression, for: RasterImage.self)
        let file = try transformer.encode(RasterImage(encoded: bytes))
        #expect(file.range(of: Data("Camera".utf8)) == nil)
        #expect(file.range(of: Data("2024".utf8)) == nil)
        let stripped = try transformer.decode(file)
        #expect(try isClose(stripped.convertedToSRGB().pixels.prefix(3), [162, 121, 88], by: 2))
        let isTurned = expression.contains("oriented") && source == .jpeg
        #expect(stripped.metadata.orientation == (isTurned ? .up : .right))
        #expect(stripped.metadata.stripped == stripped.metadata)
    }

    @Test(arguments: [ColorProfile.sRGB, ColorProfile(icc: TestProfiles.wide)])
    func strippingRemovesAdobeRGBThatDoesNotApply(profile: ColorProfile) {
        var exif = ExifBuilder()
        exif.interoperability = [.text(1, "R03")]
        #expect(ImageMetadata(colorProfile: profile, exif: exif.bytes).stripped == ImageMetadata(colorProfile: profile))
    }

    private func isClose(_ pixels: Data, _ expected: [UInt8], by tolerance: Int = 1) -> Bool {
        pixels.count == expected.count && zip(pixels, expected).allSatisfy { abs(Int($0) - Int($1)) <= tolerance }
    }
}
