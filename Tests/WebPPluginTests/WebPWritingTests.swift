import Foundation
import ImagePlugin
import Testing
import Transformable
import WebPPlugin

@Suite struct WebPWritingTests {
    /// The picture that cwebp made the fixtures from.
    static func picture(_ format: PixelFormat) throws -> RasterImage {
        var pixels = Data()
        for y in 0..<13 {
            for x in 0..<21 {
                pixels += [UInt8(x * 12 % 256), UInt8(y * 19 % 256), UInt8((x + y) * 7 % 256)]
                if format == .rgba8 { pixels.append(UInt8(255 - x * y * 3 % 200)) }
            }
        }
        return try RasterImage(width: 21, height: 13, format: format, pixels: pixels)
    }

    @Test(arguments: [
        (WebPFixture.lossy, WebPOptions()), (.alpha, WebPOptions()),
        (.opaque, WebPOptions(isLossless: true)), (.lossless, WebPOptions(isLossless: true)),
    ])
    func filesAreThoseOfCwebp(fixture: WebPFixture, options: WebPOptions) throws {
        let picture = try Self.picture(fixture.hasAlpha ? .rgba8 : .rgb8)
        #expect(try WebPTransformer(options: options).encode(picture) == fixture.bytes)
    }

    @Test(arguments: [PixelFormat.gray8, .grayAlpha8, .rgb8, .rgba8])
    func losslessFilesKeepEveryPixel(format: PixelFormat) throws {
        let count = 7 * 5 * format.bytesPerPixel
        let pixels = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + $0 / 11) })
        var image = try RasterImage(width: 7, height: 5, format: format, pixels: pixels)
        image.metadata.density = PixelDensity(horizontal: 3779, vertical: 3780, unit: .meter)
        let transformer = WebPTransformer(options: WebPOptions(isLossless: true))
        #expect(try transformer.decode(transformer.encode(image)) == image)
    }

    @Test func theColorsOfTransparentPixelsAreKeptWithoutLoss() throws {
        let pixels = Data([200, 100, 50, 0, 1, 2, 3, 255])
        let image = try RasterImage(width: 2, height: 1, format: .rgba8, pixels: pixels)
        let transformer = WebPTransformer(options: WebPOptions(isLossless: true))
        #expect(try transformer.decode(transformer.encode(image)).pixels == pixels)
    }

    @Test func losslessFilesRefuseSixteenBits() throws {
        let image = try RasterImage(width: 1, height: 1, format: .gray16, pixels: Data([1, 0]))
        let error = #expect(throws: TransformerError.self) {
            try WebPTransformer(options: WebPOptions(isLossless: true)).encode(image)
        }
        #expect(error?.code == .invalidValue)
        // The lossy encoder rounds.
        _ = try WebPTransformer().encode(image)
        // 0x0101 is 1 of 255.
        let exact = try RasterImage(width: 1, height: 1, format: .gray16, pixels: Data([1, 1]))
        _ = try WebPTransformer(options: WebPOptions(isLossless: true)).encode(exact)
    }

    @Test(arguments: [false, true])
    func metadataAreWritten(lossless: Bool) throws {
        var image = try Self.picture(.rgba8)
        image.metadata = try WebPTransformer().decode(WebPFixture.described.bytes).metadata
        let file = try WebPTransformer(options: WebPOptions(isLossless: lossless)).encode(image)
        // Alpha, a profile, EXIF, and XMP, as flags.
        #expect(file[20] == 0x3C)
        #expect(try WebPTransformer().decode(file).metadata == image.metadata)
    }

    @Test func aChangeOfMetadataKeepsTheCompressedPixels() throws {
        var image = try WebPTransformer().decode(WebPFixture.alpha.bytes)
        image.metadata.orientation = .left
        let file = try WebPTransformer().encode(image)
        let changed = try WebPTransformer().decode(file)
        #expect(changed.metadata.orientation == .left)
        #expect(crc32(try changed.pixels) == WebPFixture.alpha.checksum)
        #expect(file.range(of: WebPFixture.alpha.bytes.dropFirst(30)) != nil)
    }

    @Test func strippingLeavesOrientationAndColors() throws {
        let transformer = WebPTransformer(isStripping: true)
        // A chunk of an unknown type, and bytes after the end.
        let chunk = Data("note".utf8) + [6, 0, 0, 0] + Data("Camera".utf8)
        let body = WebPFixture.described.bytes + chunk
        let file = body.with(UInt32(body.count - 8), at: 4) + Data("Camera".utf8)
        let stripped = try transformer.encode(transformer.decode(file))
        #expect(stripped.range(of: Data("Camera".utf8)) == nil)
        let image = try WebPTransformer().decode(stripped)
        #expect(image.metadata.orientation == .right)
        #expect(image.metadata.colorProfile.icc?.count == 42)
        #expect(image.metadata.texts == [])
        #expect(crc32(try image.pixels) == WebPFixture.described.checksum)
        // Without stripping, both are kept.
        var turned = try WebPTransformer().decode(file)
        turned.metadata.orientation = .down
        let changed = try WebPTransformer().encode(turned)
        #expect(changed.range(of: chunk) != nil)
        #expect(changed.suffix(6) == Data("Camera".utf8))
    }

    // A main directory with a directory for the photo at 26, which has one for interoperability at 44.
    private static let adobeRGB = Data([
        0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 1, 0, 0x69, 0x87, 4, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0,
        1, 0, 0x05, 0xA0, 4, 0, 1, 0, 0, 0, 44, 0, 0, 0, 0, 0, 0, 0,
        // The rule is `R03`.
        1, 0, 1, 0, 2, 0, 4, 0, 0, 0, 0x52, 0x30, 0x33, 0, 0, 0, 0, 0,
    ])

    /// A PNG can say sRGB for itself, and still have the EXIF of a camera.
    @Test func anImageInSRGBDoesNotSayAdobeRGB() throws {
        var image = try RasterImage(width: 1, height: 1, format: .rgb8, pixels: Data([150, 120, 90]))
        image.metadata = ImageMetadata(colorProfile: .sRGB, exif: Self.adobeRGB)
        let transformer = WebPTransformer(options: WebPOptions(isLossless: true))
        let back = try transformer.decode(transformer.encode(image))
        #expect(try back.convertedToSRGB().pixels == Data([150, 120, 90]))
    }

    /// The color is that of the test of ImagePlugin in which EXIF says Adobe RGB.
    @Test func strippingKeepsAdobeRGBThatEXIFStates() throws {
        var image = try RasterImage(width: 1, height: 1, format: .rgb8, pixels: Data([150, 120, 90]))
        image.metadata.exif = Self.adobeRGB
        let transformer = WebPTransformer(options: WebPOptions(isLossless: true), isStripping: true)
        let stripped = try transformer.decode(transformer.encode(image))
        let color = try stripped.convertedToSRGB().pixels
        #expect(zip(color, [162, 121, 88]).allSatisfy { abs(Int($0) - $1) <= 1 })
    }

    @Test func metadataThatAreSetAfterStrippingAreWritten() throws {
        var image = try WebPTransformer().decode(WebPFixture.described.bytes).stripped()
        image.metadata.texts = [ImageText(ImageText.xmpKeyword, "<x/>")]
        let back = try WebPTransformer().decode(WebPTransformer().encode(image))
        #expect(back.metadata == image.metadata)
        #expect(crc32(try back.pixels) == WebPFixture.described.checksum)
    }

    @Test func unchangedFilesAreKeptOrEncodedAgain() throws {
        let image = try WebPTransformer().decode(WebPFixture.opaque.bytes)
        func size(_ unchanged: UnchangedFile, _ options: WebPOptions) throws -> Int {
            try WebPTransformer(options: options, unchanged: unchanged).encode(image).count
        }
        let large = WebPOptions(quality: 100)
        #expect(try size(.keep, large) == 62)
        #expect(try size(.smaller, large) == 62)
        #expect(try size(.never, large) > 62)
    }

    @Test(arguments: ["Title", "Comment"])
    func textIsRefusedWithARemedy(keyword: String) throws {
        var image = try Self.picture(.rgb8)
        image.metadata.texts = [ImageText(keyword, "text")]
        let error = #expect(throws: TransformerError.self) { try WebPTransformer().encode(image) }
        #expect(error?.code == .invalidValue)
        #expect(error?.message.contains("strip: true") == true)
        #expect(try WebPTransformer(isStripping: true).encode(image) == WebPFixture.lossy.bytes)
    }

    @Test func colorsThatCannotBeDescribedAreRefused() throws {
        var image = try Self.picture(.rgb8)
        image.metadata.colorProfile.gamma = 100_000
        #expect(throws: TransformerError.invalidValue("")) { try WebPTransformer().encode(image) }
        image.metadata.colorProfile.gamma = 45_455
        #expect(try WebPTransformer().encode(image) == WebPFixture.lossy.bytes)
        image.metadata.colorProfile.icc = Data([1])
        image.metadata.colorProfile.codePoints = ColorCodePoints(primaries: 9, transfer: 16)
        #expect(throws: TransformerError.invalidValue("")) { try WebPTransformer().encode(image) }
    }

    /// Code points 1/13/0 with the full range are sRGB (PNG, third edition, section 11.3.2.6).
    @Test(arguments: [(0, true, true), (0, false, false), (1, true, false)] as [(UInt8, Bool, Bool)])
    func onlyTheFullRangeOfRGBIsThatOfSRGB(matrix: UInt8, isFullRange: Bool, isAccepted: Bool) throws {
        var image = try Self.picture(.rgb8)
        image.metadata.colorProfile.codePoints = ColorCodePoints(
            primaries: 1,
            transfer: 13,
            matrix: matrix,
            isFullRange: isFullRange
        )
        if isAccepted {
            #expect(try WebPTransformer().encode(image) == WebPFixture.lossy.bytes)
        } else {
            #expect(throws: TransformerError.invalidValue("")) { try WebPTransformer().encode(image) }
        }
    }

    /// The color space of a profile is at byte 16 (ICC.1:2022, section 7.2.6).
    @Test(arguments: [PixelFormat.gray8, .grayAlpha8, .gray16])
    func aGrayProfileIsRefused(format: PixelFormat) throws {
        let pixels = Data(repeating: 255, count: format.bytesPerPixel)
        var image = try RasterImage(width: 1, height: 1, format: format, pixels: pixels)
        var profile = Data(count: 128)
        profile.replaceSubrange(16..<20, with: Data("GRAY".utf8))
        image.metadata.colorProfile.icc = profile
        let error = #expect(throws: TransformerError.self) { try WebPTransformer().encode(image) }
        #expect(error?.code == .invalidValue)
        #expect(error?.message.contains("convert its colors to sRGB") == true)
        let converted = try WebPTransformer().decode(WebPTransformer().encode(image.convertedToSRGB()))
        #expect(converted.metadata.colorProfile.isEmpty)
        profile.replaceSubrange(16..<20, with: Data("RGB ".utf8))
        image.metadata.colorProfile.icc = profile
        #expect(try WebPTransformer().decode(WebPTransformer().encode(image)).metadata.colorProfile.icc == profile)
    }

    @Test func imagesThatCannotBeWrittenAreErrors() throws {
        let wide = try RasterImage(width: 16_384, height: 1, format: .gray8, pixels: Data(count: 16_384))
        let ink = try RasterImage(width: 1, height: 1, format: .cmyk8, pixels: Data(count: 4))
        #expect(throws: TransformerError.invalidValue("")) { try WebPTransformer().encode(wide) }
        #expect(throws: TransformerError(.unsupported, "")) { try WebPTransformer().encode(ink) }
        let large = try Self.picture(.rgb8)
        let limits = ImageLimits(maxPixels: 100)
        for image in [large, try WebPTransformer().decode(WebPFixture.lossy.bytes)] {
            let error = #expect(throws: TransformerError.self) { try WebPTransformer(limits: limits).encode(image) }
            #expect(error?.code == .limitExceeded)
        }
        let animation = try WebPTransformer(animation: .first).decode(WebPFixture.animation.bytes)
        #expect(throws: TransformerError(.unsupported, "")) { try WebPTransformer().encode(animation) }
        #expect(throws: TransformerError(.unsupported, "")) { try WebPTransformer(unchanged: .never).encode(animation) }
    }
}
