import Foundation
import ImagePlugin
import Testing
import Transformable

/// What is left of a JPEG file when its metadata is removed, and what is done with a file that is unchanged.
@Suite struct JPEGPrivacyTests {
    /// A segment with a marker and data.
    private static func segment(_ marker: UInt8, _ data: Data) -> Data {
        Data([0xFF, marker, UInt8((data.count + 2) >> 8), UInt8((data.count + 2) & 255)]) + data
    }

    /// Returns a file with segments after its start marker.
    private static func file(_ fixture: JPEGFixture, adding segments: Data) -> Data {
        fixture.bytes.prefix(2) + segments + fixture.bytes.dropFirst(2)
    }

    private static func stripped(_ file: Data, by expression: String) throws -> Data {
        let registry = try TransformerRegistry { ImagePlugin() }
        let transformer = try registry.transformer(expression, for: RasterImage.self)
        return try transformer.encode(RasterImage(encoded: file))
    }

    @Test(
        arguments: ["image(strip: true)", "jpeg(strip: true)"],
        [0xE0, 0xE3, 0xED, 0xEE, 0xEF, 0xF0, 0xFE] as [UInt8]
    )
    func strippingRemovesEverySegmentThatThePictureDoesNotNeed(expression: String, marker: UInt8) throws {
        let file = Self.file(.baseline, adding: Self.segment(marker, Data("secret place".utf8)))
        let stripped = try Self.stripped(file, by: expression)
        #expect(stripped.range(of: Data("secret".utf8)) == nil)
        #expect(try crc32(RasterImage(encoded: stripped).pixels) == JPEGFixture.baseline.checksum)
        #expect(stripped.count == JPEGFixture.baseline.bytes.count)
    }

    @Test(arguments: [JPEGFixture.rgb, .cmyk, .ycck])
    func adobesMarkerKeepsOnlyTheTransform(_ fixture: JPEGFixture) throws {
        let adobe = try #require(fixture.bytes.range(of: Data([0xFF, 0xEE, 0, 14]) + Data("Adobe".utf8)))
        let transform = fixture.bytes[adobe.lowerBound + 15]
        let long = Self.segment(0xEE, Data("Adobe".utf8) + [0, 101, 1, 2, 3, 4, transform] + Data("secret".utf8))
        var file = fixture.bytes
        file.replaceSubrange(adobe.lowerBound..<adobe.lowerBound + 16, with: long)
        let stripped = try Self.stripped(file, by: "jpeg(strip: true)")
        let short = Self.segment(0xEE, Data("Adobe".utf8) + [0, 100, 0, 0, 0, 0, transform])
        #expect(stripped.range(of: short) != nil)
        #expect(stripped.range(of: Data("secret".utf8)) == nil)
        #expect(try crc32(RasterImage(encoded: stripped).pixels) == fixture.checksum)
    }

    /// Returns a file with a density that only EXIF states, and with Adobe's marker if there is a transform.
    private static func withoutJFIF(_ fixture: JPEGFixture, adobeTransform: UInt8? = nil) -> Data {
        // The start marker, and the JFIF segment of 18 bytes.
        let rest = fixture.bytes.dropFirst(fixture.bytes[3] == 0xE0 ? 20 : 2)
        let exif = segment(0xE1, Data("Exif\0\0".utf8) + ImageMetadataTests.density)
        let adobe = adobeTransform.map { segment(0xEE, Data("Adobe".utf8) + [0, 100, 0, 0, 0, 0, $0]) }
        return fixture.bytes.prefix(2) + exif + (adobe ?? Data()) + rest
    }

    static let strippingExpressions = [
        "image(strip: true)", "jpeg(strip: true)", "strip | jpeg", "jpeg(strip: true, lossless: optimize)",
    ]

    @Test(arguments: JPEGFixture.all, strippingExpressions)
    func strippingKeepsTheDensityOfExif(_ fixture: JPEGFixture, expression: String) throws {
        let stripped = try RasterImage(encoded: Self.stripped(Self.withoutJFIF(fixture), by: expression))
        let density = PixelDensity(horizontal: 300, vertical: 150, unit: .inch)
        #expect(stripped.metadata == ImageMetadata(density: density))
        #expect(try crc32(stripped.pixels) == fixture.checksum)
    }

    /// With the transform 1, Adobe's marker says YCbCr, as a JFIF segment does.
    @Test(arguments: [JPEGFixture.baseline, .gray], strippingExpressions)
    func strippingKeepsTheDensityBesideAdobesMarker(_ fixture: JPEGFixture, expression: String) throws {
        let file = try Self.stripped(Self.withoutJFIF(fixture, adobeTransform: 1), by: expression)
        // Two densities of 16 bits per inch.
        #expect(file.range(of: Data("JFIF\0".utf8) + [1, 1, 1, 1, 44, 0, 150]) != nil)
        #expect(try crc32(RasterImage(encoded: file).pixels) == fixture.checksum)
    }

    /// A JFIF segment has 16 bits for each number.
    @Test(arguments: JPEGFixture.all, [200, 70_000])
    func aDensityThatIsSetIsWritten(_ fixture: JPEGFixture, number: Int) throws {
        var image = try RasterImage(encoded: fixture.bytes)
        image.metadata.density = PixelDensity(horizontal: number, vertical: number, unit: .inch)
        let kept = try RasterImage(encoded: JPEGTransformer().encode(image))
        #expect(kept.metadata == image.metadata)
        #expect(try crc32(kept.pixels) == fixture.checksum)
        let new = try RasterImage(encoded: JPEGTransformer().encode(image.detached()))
        #expect(new.metadata == image.metadata)
    }

    @Test func aFileThatIsEncodedAgainIsStrippedToo() throws {
        var image = try RasterImage(encoded: JPEGFixture.baseline.bytes)
        image.metadata.exif = ImageMetadataTests.exif
        image.metadata.texts = [ImageText("Comment", "secret")]
        let again = try JPEGTransformer(unchanged: .never, isStripping: true).encode(image.detached())
        let back = try RasterImage(encoded: again)
        #expect(back.metadata.texts.isEmpty)
        #expect(back.metadata.orientation == image.metadata.orientation)
        #expect(again.range(of: Data("ABC".utf8)) == nil)
    }

    @Test func aStrippedImageIsAStageBeforePNG() throws {
        let registry = try TransformerRegistry { ImagePlugin() }
        let transformer = try registry.transformer("image(strip: true) | png", for: RasterImage.self)
        var image = try RasterImage(encoded: JPEGFixture.baseline.bytes)
        image.metadata.texts = [ImageText("Comment", "secret")]
        let file = try transformer.encode(image)
        #expect(file.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(file.range(of: Data("secret".utf8)) == nil)
        #expect(try crc32(transformer.decode(file).pixels) == JPEGFixture.baseline.checksum)
    }

    @Test func aStrippedImageIsAStageBeforeJPEG() throws {
        let registry = try TransformerRegistry { ImagePlugin() }
        let transformer = try registry.transformer("image(strip: true) | jpeg", for: RasterImage.self)
        var image = try RasterImage(encoded: JPEGFixture.baseline.bytes)
        image.metadata.texts = [ImageText("Comment", "secret")]
        let file = try transformer.encode(image)
        #expect(file.range(of: Data("secret".utf8)) == nil)
        #expect(try crc32(transformer.decode(file).pixels) == JPEGFixture.baseline.checksum)
        // A PNG is converted.
        let png = try transformer.encode(RasterImage.gradient(20, 10))
        #expect(png.starts(with: [0xFF, 0xD8, 0xFF]))
        #expect(try transformer.decode(png).width == 20)
    }

    /// Removing metadata depends on the structure of the file, so that an image could be read but not written again.
    @Test(arguments: ["image(strip: true)", "jpeg(strip: true)", "strip | image", "strip | jpeg"])
    func aFileWhoseStructureIsDamagedIsNotDecoded(expression: String) throws {
        // A comment whose length goes beyond the end of the file.
        let file = JPEGFixture.baseline.bytes.dropLast(2) + [0xFF, 0xFE, 0xFF, 0xFF, 0xFF, 0xD9]
        let registry = try TransformerRegistry { ImagePlugin() }
        let transformer = try registry.transformer(expression, for: RasterImage.self)
        #expect(throws: TransformerError.invalidData("")) { try transformer.decode(file) }
    }

    @Test(arguments: [84, 85, 86])
    func theStandardQualityIsNoSpecialCase(quality: Int) throws {
        let large = try JPEGTransformer(options: JPEGOptions(quality: 98)).encode(RasterImage.gradient(64, 64))
        let small = try JPEGTransformer(options: JPEGOptions(quality: 20)).encode(RasterImage.gradient(64, 64))
        let registry = try TransformerRegistry { ImagePlugin() }
        // Given on the command line as well as in code.
        func encode(_ file: Data, _ unchanged: String) throws -> Data {
            let resolved = try registry.resolve("jpeg(quality: \(quality), unchanged: \(unchanged))")
            let given = try #require(try resolved.form?.parse(file))
            let result = try #require(try resolved.encode(any: given, in: .none) as? Data)
            #expect(try resolved.encode(any: RasterImage(encoded: file), in: .none) as? Data == result)
            return result
        }
        #expect(try encode(large, "keep") == large)
        #expect(try encode(large, "smaller").count < large.count)
        #expect(try encode(small, "smaller") == small)
        #expect(try encode(small, "never").count > small.count)
    }

    @Test func aRemarkSaysThatTheQualityIsNotApplied() throws {
        let registry = try TransformerRegistry { ImagePlugin() }
        let form = try #require(try registry.resolve("jpeg(quality: 30)").form)
        let remarks = form.remarks(try form.parse(JPEGFixture.baseline.bytes))
        #expect(remarks.contains { $0.contains("unchanged: smaller") })
        // Values that are read from a store have been kept for a reason.
        #expect(form.remarks(try RasterImage(encoded: JPEGFixture.baseline.bytes)).isEmpty)
        // This argument has an effect.
        let optimizing = try #require(try registry.resolve("jpeg(progressive: true, lossless: optimize)").form)
        #expect(try optimizing.remarks(optimizing.parse(JPEGFixture.baseline.bytes)).isEmpty)
    }
}
