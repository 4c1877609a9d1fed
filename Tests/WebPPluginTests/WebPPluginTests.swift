import Foundation
import ImagePlugin
import Testing
import Transformable
import TransformableTesting
import WebPPlugin
import _HostileInputs

@Suite struct WebPPluginTests {
    private static func registry() throws -> TransformerRegistry {
        try TransformerRegistry {
            WebPPlugin(otherFiles: .image)
            ImagePlugin()
        }
    }

    @Test func typedMembersResolve() throws {
        for expression in [TypedExpression<RasterImage>.webP, .webP(lossless: true), .webP(quality: 30, strip: true)] {
            _ = try Self.registry().transformer(expression.text, for: RasterImage.self)
        }
    }

    @Test(arguments: ["webp(quality: 101)", "webp(effort: 7)", "webp(animated: last)", "webp(unchanged: maybe)"])
    func invalidArgumentsAreErrors(expression: String) throws {
        let registry = try Self.registry()
        #expect(throws: TransformerError(.invalidArgument, "")) {
            try registry.transformer(expression, for: RasterImage.self)
        }
    }

    @Test func filesOfOtherFormatsAreConverted() throws {
        let form = try #require(try Self.registry().resolve("webp").form)
        let png = try PNGTransformer().encode(WebPWritingTests.picture(.rgb8))
        let image = try #require(try form.parse(png) as? RasterImage)
        #expect(try WebPTransformer().encode(image) == WebPFixture.lossy.bytes)
        let printed = try form.print(try form.parse(WebPFixture.opaque.bytes), "png")
        #expect(try RasterImage(encoded: printed).pixels == WebPWritingTests.picture(.rgb8).pixels)
    }

    /// Other libraries include the prefix in what they call EXIF, such as Pillow in `info["exif"]`.
    @Test(arguments: ["webp", "png", "jpeg", "image"])
    func exifWithAPrefixIsRefused(expression: String) throws {
        var image = try WebPWritingTests.picture(.rgb8)
        image.metadata.orientation = .right
        image.metadata.exif = image.metadata.exif.map { Data("Exif\0\0".utf8) + $0 }
        let transformer = try Self.registry().transformer(expression, for: RasterImage.self)
        let error = #expect(throws: TransformerError.self) { try transformer.encode(image) }
        #expect(error?.code == .invalidValue)
        #expect(error?.message.contains("“II”") == true)
    }

    /// The form of ImagePlugin's stages does not know the format.
    @Test(arguments: ["strip | webp", "oriented | fit(width: 100) | webp"])
    func filesAreReadAndPrintedIfStagesPrecede(expression: String) throws {
        let form = try #require(try Self.registry().resolve(expression).form)
        let image = try #require(try form.parse(WebPFixture.opaque.bytes) as? RasterImage)
        #expect(try form.print(image, "webp") == WebPFixture.opaque.bytes)
        let png = try form.print(image, "png")
        #expect(try RasterImage(encoded: png).pixels == WebPWritingTests.picture(.rgb8).pixels)
        #expect(try #require(try form.parse(png) as? RasterImage).pixels == image.pixels)
    }

    /// The standard limit of metadata is 16 MiB.
    @Test(arguments: ["webp", "png"])
    func raisedLimitsApplyToPrinting(format: String) throws {
        let limits = ImageLimits(maxMetadataBytes: 64 << 20)
        var image = try WebPWritingTests.picture(.rgb8)
        image.metadata.colorProfile.icc = Data(count: 20 << 20)
        let file = try WebPTransformer(options: WebPOptions(isLossless: true), limits: limits).encode(image)
        let form = try #require(try Self.registry().resolve("webp(maxMetadata: \(64 << 20))").form)
        let printed = try form.print(form.parse(file), format)
        let options = ImageReadingOptions(limits: limits)
        let back =
            format == "webp"
            ? try RasterImage(webP: printed, options: options) : try RasterImage(encoded: printed, options: options)
        #expect(back.metadata == image.metadata)
    }

    @Test func aStageTakesTheFirstFrame() throws {
        let expression = "first-frame | webp(lossless: true, animated: first)"
        let transformer = try Self.registry().transformer(expression, for: RasterImage.self)
        let animation = try WebPTransformer(animation: .first).decode(WebPFixture.animation.bytes)
        let file = try transformer.encode(animation)
        #expect(file.range(of: Data("ANIM".utf8)) == nil)
        #expect(try WebPTransformer().decode(file).pixels == animation.pixels)
    }

    @Test func theFirstFrameIsPrintedInAnotherFormat() throws {
        let form = try #require(try Self.registry().resolve("webp(animated: first)").form)
        let image = try #require(try form.parse(WebPFixture.animation.bytes) as? RasterImage)
        #expect(try form.print(image, "webp") == WebPFixture.animation.bytes)
        #expect(try RasterImage(encoded: form.print(image, "png")).pixels == image.pixels)
    }

    @Test func thumbnailsAreMade() throws {
        let thumbnail = try Self.registry()
            .projection("thumbnail(fit: 8) | png", for: RasterImage.self, to: Data.self)
        let image = try WebPTransformer().decode(WebPFixture.described.bytes)
        let small = try RasterImage(encoded: thumbnail.encode(image))
        // Upright, as the orientation demands.
        #expect((small.width, small.height) == (5, 8))
    }

    @Test(arguments: [false, true])
    func lawsHold(lossless: Bool) throws {
        var options = LawOptions()
        options.damagesPerValue = 48
        let images =
            try [PixelFormat.rgb8, .rgba8].map { try WebPWritingTests.picture($0) }
            + [WebPTransformer().decode(WebPFixture.described.bytes)]
        assertTransformerLaws(
            of: WebPTransformer(
                options: WebPOptions(isLossless: lossless),
                limits: ImageLimits(maxPixels: 100_000, maxMetadataBytes: 1 << 16, maxSeconds: 5)
            ),
            values: images,
            refusing: [try RasterImage(width: 1, height: 1, format: .cmyk8, pixels: Data(count: 4))],
            rejecting: [Data(), Data("RIFF".utf8), Data("GIF89a".utf8), Data([0xFF, 0xD8, 0xFF])],
            options: options
        )
    }

    @Test(arguments: [false, true])
    func whatIsBeyondTheLimitsIsNotEncoded(lossless: Bool) throws {
        var profiled = try WebPWritingTests.picture(.rgb8)
        profiled.metadata = ImageMetadata(colorProfile: ColorProfile(icc: Data(count: 200)))
        var described = try WebPTransformer().decode(WebPFixture.described.bytes)
        described.metadata.orientation = .left
        var options = LawOptions()
        options.damagesPerValue = 16
        options.oversizedValues = 0
        assertTransformerLaws(
            of: WebPTransformer(
                options: WebPOptions(isLossless: lossless),
                limits: ImageLimits(maxPixels: 273, maxMetadataBytes: 30)
            ),
            values: [try WebPWritingTests.picture(.rgb8)],
            refusing: [try WebPWritingTests.picture(.rgb8).resized(width: 22, height: 13), profiled],
            limiting: [profiled, described, try WebPWritingTests.picture(.rgba8).resized(width: 91, height: 3)],
            options: options
        )
    }

    /// Damages files at random, always in the same way, and expects an image or a typed error of each.
    @Test(arguments: WebPFixture.all + [.described, .animation])
    func damagedFilesAreImagesOrTypedErrors(fixture: WebPFixture) throws {
        var random = SeededGenerator(seed: UInt64(fixture.checksum))
        let transformer = WebPTransformer(
            animation: .first,
            limits: ImageLimits(maxPixels: 1_000_000, maxMetadataBytes: 1 << 16, maxSeconds: 5)
        )
        for _ in 0..<120 {
            var damaged = fixture.bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<damaged.count, using: &random)
                damaged[place] = UInt8.random(in: 0...255, using: &random)
            }
            do {
                var image = try transformer.decode(damaged)
                image.metadata.orientation = .left
                _ = try transformer.encode(image)
                _ = try image.pixels
            } catch is TransformerError {
                continue
            }
        }
    }
}
