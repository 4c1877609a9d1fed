import Foundation
import ImagePlugin
import Testing
import Transformable
import WebPPlugin

@Suite struct WebPReadingTests {
    @Test(arguments: WebPFixture.all)
    func pixelsAreThoseOfDwebp(fixture: WebPFixture) throws {
        let image = try WebPTransformer().decode(fixture.bytes)
        #expect(image.width == 21)
        #expect(image.height == 13)
        #expect(image.format == (fixture.hasAlpha ? .rgba8 : .rgb8))
        #expect(crc32(try image.pixels) == fixture.checksum)
        #expect(image.warnings == [])
        #expect(try WebPTransformer().encode(image) == fixture.bytes)
    }

    @Test func metadataAreRead() throws {
        let metadata = try WebPTransformer().decode(WebPFixture.described.bytes).metadata
        #expect(metadata.colorProfile.icc == Data("not a real profile, but 41 bytes of a file".utf8))
        #expect(metadata.orientation == .right)
        #expect(metadata.exif?.range(of: Data("Camera".utf8)) != nil)
        let xmp = #"<x:xmpmeta xmlns:x="adobe:ns:meta/"/>"#
        #expect(metadata.texts == [ImageText(ImageText.xmpKeyword, xmp)])
    }

    @Test func largeMetadataAreIgnoredWithAWarning() throws {
        let limits = ImageLimits(maxMetadataBytes: 45)
        let image = try WebPTransformer(limits: limits).decode(WebPFixture.described.bytes)
        #expect(image.metadata.colorProfile.icc != nil)
        #expect(image.metadata.exif == nil)
        #expect(image.warnings.count == 2)
        #expect(image.warnings.first?.contains("maxMetadata") == true)
    }

    @Test func animationsAreRefused() throws {
        let error = #expect(throws: TransformerError.self) {
            try WebPTransformer().decode(WebPFixture.animation.bytes)
        }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("2 frames") == true)
        #expect(error?.message.contains("animated: first") == true)
    }

    @Test func theFirstFrameIsPlacedOnTheCanvas() throws {
        let transformer = WebPTransformer(animation: .first)
        let image = try transformer.decode(WebPFixture.animation.bytes)
        #expect((image.width, image.height, image.format) == (40, 30, .rgba8))
        #expect(image.encoded?.header.frameCount == 2)
        let pixels = try Array(image.pixels)
        var colors: [UInt8] = []
        for y in 6..<19 {
            for x in 4..<25 {
                let start = (y * 40 + x) * 4
                colors += pixels[start..<start + 3]
            }
        }
        #expect(crc32(colors) == WebPFixture.animation.checksum)
        #expect(pixels[3] == 0)
        #expect(pixels[(6 * 40 + 4) * 4 + 3] == 255)
        // The other frames are not lost as long as the image is unchanged, and a warning says that they are there.
        #expect(image.warnings.first?.contains("2 frames") == true)
        #expect(try transformer.encode(image) == WebPFixture.animation.bytes)
    }

    /// A caller that asks for the first frame can change it, but a file in another format would silently lose the
    /// others.
    @Test func theFirstFrameCanBeChanged() throws {
        let transformer = WebPTransformer(options: WebPOptions(isLossless: true), animation: .first)
        let animation = try transformer.decode(WebPFixture.animation.bytes)
        var changed = animation
        try changed.withMutablePixels { $0[0] = 9 }
        let file = try transformer.encode(changed)
        #expect(file.range(of: Data("ANIM".utf8)) == nil)
        #expect(try transformer.decode(file).pixels == Data([9]) + animation.pixels.dropFirst())
        #expect(try animation.cropped(width: 20, height: 10).height == 10)
        #expect(try animation.converted(to: .rgba16).format == .rgba16)
        let error = #expect(throws: TransformerError.self) { try PNGTransformer().encode(animation) }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("“firstFrame()”") == true)
        #expect(error?.message.contains("“image”") == false)
    }

    @Test(arguments: 0..<122)
    func truncatedFilesAreErrors(count: Int) {
        let error = #expect(throws: TransformerError.self) {
            try WebPTransformer().decode(WebPFixture.lossy.bytes.prefix(count))
        }
        #expect(error?.code == (count < 12 ? .invalidData : .truncatedData))
    }

    @Test func aPictureThatEndsTooEarlyIsAnError() throws {
        // The sizes of the file and of its chunk are adjusted, so that only the decoder can tell.
        let file = WebPFixture.lossless.bytes.prefix(80).with(72, at: 4).with(60, at: 16)
        let image = try WebPTransformer().decode(Data(file))
        let error = #expect(throws: TransformerError.self) { try image.pixels }
        #expect(error?.code == .invalidData)
    }

    /// Encoding leaves out what follows the file, so such a picture would be lost if it could be decoded.
    @Test func bytesAfterTheFileAreNotPartOfThePicture() throws {
        let file = WebPFixture.lossy.bytes.with(0x52, at: 4).with(0x46, at: 16)
        let image = try WebPTransformer(isStripping: true).decode(Data(file))
        let error = #expect(throws: TransformerError.self) { try image.pixels }
        #expect(error?.code == .truncatedData)
    }

    @Test func limitsAreCheckedBeforeThePixels() throws {
        let limits = ImageLimits(maxPixels: 21 * 13 - 1)
        let error = #expect(throws: TransformerError.self) {
            try WebPTransformer(limits: limits).decode(WebPFixture.lossy.bytes)
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test(arguments: [
        ("GIF89a", "GIF"), ("\u{89}PNG", "not a WebP"), ("RIFF....WAVEfmt ", "not a WebP"), ("", "not a WebP"),
    ])
    func otherFormatsAreErrors(start: String, mention: String) {
        let bytes = Data(start.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
        let error = #expect(throws: TransformerError.self) { try WebPTransformer().decode(bytes) }
        #expect(error?.code == .invalidData)
        #expect(error?.message.contains(mention) == true)
    }

    @Test func inspectionShowsTheCoding() throws {
        let inspection = try #require(try WebPPlugin().inspectors[0].inspect(WebPFixture.described.bytes))
        #expect(inspection.kind == "WebP image")
        #expect(inspection.facts.contains(Inspection.Fact("coding", "lossless")))
        #expect(inspection.facts.contains(Inspection.Fact("width", "21")))
        #expect(inspection.facts.contains(Inspection.Fact("make", "Camera")))
    }
}
