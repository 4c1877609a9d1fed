import Foundation
import ImagePlugin
import Testing
import Transformable
import TransformableTesting

@Suite struct ImageLawTests {
    private static let limits = ImageLimits(maxPixels: 100_000, maxMetadataBytes: 1 << 16, maxScans: 20, maxSeconds: 5)

    private static var options: LawOptions {
        var options = LawOptions()
        options.damagesPerValue = 48
        return options
    }

    /// Images of every format, with and without a file, and one with all metadata.
    private static func images() throws -> [RasterImage] {
        var images = try PixelFormat.allCases.filter { $0 != .cmyk8 }.map { try RasterImage.noise(5, 3, $0) }
        var described = try RasterImage.gradient(4, 4)
        described.metadata = ImageMetadataTests.full
        images.append(described)
        images.append(try RasterImage(encoded: JPEGFixture.baseline.bytes))
        images.append(try RasterImage(encoded: PNGBuilder.onePixel()))
        images.append(try RasterImage(width: 1, height: 1, format: .gray8, pixels: Data([0])))
        return images
    }

    private static let strangers = [
        Data(), Data([0x89]), PNGBuilder.signature, Data([0xFF, 0xD8, 0xFF]), Data("GIF89a".utf8),
        JPEGFixture.gray.bytes,
    ]

    @Test(arguments: [PNGOptions.Palette.never, .automatic])
    func pngObeysTheLaws(palette: PNGOptions.Palette) throws {
        assertTransformerLaws(
            of: PNGTransformer(options: PNGOptions(palette: palette), limits: Self.limits),
            values: try Self.images(),
            refusing: [try RasterImage.noise(2, 2, .cmyk8)],
            rejecting: Self.strangers,
            options: Self.options
        )
    }

    @Test(arguments: [false, true])
    func jpegObeysTheLaws(tolerant: Bool) throws {
        assertTransformerLaws(
            of: JPEGTransformer(
                options: JPEGOptions(background: .init(red: 0, green: 0, blue: 0)),
                limits: Self.limits,
                isTolerant: tolerant
            ),
            values: try Self.images() + [RasterImage.noise(5, 3, .cmyk8)],
            rejecting: Self.strangers.dropLast() + [PNGBuilder.onePixel()],
            options: Self.options
        )
    }

    @Test(arguments: [false, true])
    func imageObeysTheLaws(strip: Bool) throws {
        assertTransformerLaws(
            of: ImageTransformer(isStripping: strip, limits: Self.limits),
            values: try Self.images(),
            rejecting: Self.strangers.dropLast(),
            options: Self.options
        )
    }

    /// Images that are as large as the limits allow, and larger.
    private static func limited() throws -> [RasterImage] {
        var titled = try RasterImage.noise(4, 4, .rgb8)
        titled.metadata.texts = [ImageText("Comment", String(repeating: "a long text ", count: 20))]
        var profiled = titled
        profiled.metadata = ImageMetadata(colorProfile: ColorProfile(icc: Data(count: 120)))
        let file = try RasterImage(encoded: PNGTransformer().encode(titled))
        let large = try RasterImage(encoded: JPEGTransformer().encode(RasterImage.gradient(11, 10)))
        let scans = JPEGTransformer(options: JPEGOptions(isProgressive: true))
        let progressive = try RasterImage(encoded: scans.encode(RasterImage.gradient(9, 9)))
        return [
            try .noise(10, 10, .gray8), try .noise(101, 1, .rgb8), large, titled, profiled, file, progressive,
        ]
    }

    @Test(arguments: [false, true])
    func whatIsBeyondTheLimitsIsNotEncoded(strip: Bool) throws {
        let limits = ImageLimits(maxPixels: 100, maxMetadataBytes: 150, maxScans: 3)
        let values = [try RasterImage.noise(3, 3, .rgb8)]
        let limited = try Self.limited()
        assertTransformerLaws(of: PNGTransformer(limits: limits, isStripping: strip), values: values, limiting: limited)
        assertTransformerLaws(
            of: ImageTransformer(isStripping: strip, limits: limits),
            values: values,
            limiting: limited
        )
        let progressive = JPEGOptions(isProgressive: strip)
        assertTransformerLaws(
            of: JPEGTransformer(options: progressive, limits: ImageLimits(maxPixels: 100, maxScans: 6)),
            values: [try RasterImage.noise(3, 3, .gray8)],
            refusing: [limited[1], limited[2]],
            limiting: limited
        )
    }

    @Test func limitsOfMetadataAreKeptWhenAFileIsWritten() throws {
        let titled = try Self.limited()[3]
        let error = #expect(throws: TransformerError.self) {
            try PNGTransformer(limits: ImageLimits(maxMetadataBytes: 100)).encode(titled)
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.contains("“maxMetadata”") == true)
    }

    @Test func projectionsObeyTheLaws() throws {
        let images = try Self.images()
        assertTransformerLaws(of: ImageWidthTransformer(), values: images, options: Self.options)
        assertTransformerLaws(of: ImageHeightTransformer(), values: images, options: Self.options)
        assertTransformerLaws(of: ImageFormatTransformer(), values: images, options: Self.options)
        assertTransformerLaws(of: ImageOrientationTransformer(), values: images, options: Self.options)
        assertTransformerLaws(of: ImageHashTransformer(), values: images, options: Self.options)
        assertTransformerLaws(of: ThumbnailTransformer(fit: 4), values: images, options: Self.options)
    }
}
