import Foundation
import ImagePlugin
import Testing
import Transformable

@Suite struct ImageTransformerTests {
    /// The profile of a display contains its serial number, and a screenshot contains the profile.
    @Test(arguments: ["png(strip: true)", "image(strip: true)", "jpeg(quality: 100, strip: true)", "strip | png"])
    func strippingRemovesTheDisplayFromTheProfile(expression: String) throws {
        var image = try RasterImage(width: 1, height: 1, format: .rgb8, pixels: Data([200, 100, 50]))
        image.metadata.colorProfile = ColorProfile(icc: TestProfiles.display, iccName: "Display of Ada")
        let transformer = try TransformerRegistry { ImagePlugin() }.transformer(expression, for: RasterImage.self)
        for source in [image, try RasterImage(encoded: PNGTransformer().encode(image))] {
            let file = try transformer.encode(source)
            let stripped = try transformer.decode(file)
            let icc = try #require(stripped.metadata.colorProfile.icc)
            #expect(icc.prefix(4).reduce(0) { $0 << 8 | Int($1) } == icc.count)
            for secret in ["SERIAL42", "mmod", "vcgt", "Display", "wide"] {
                #expect(icc.range(of: Data(secret.utf8)) == nil)
                #expect(file.range(of: Data(secret.utf8)) == nil)
            }
            // The colors are those of the original profile, according to Little CMS.
            let color = try Array(stripped.convertedToSRGB().pixels)
            #expect(zip(color, [224, 113, 49]).allSatisfy { abs(Int($0) - $1) <= 2 })
            #expect(try transformer.encode(stripped) == file)
        }
    }

    @Test func strippingRemovesTheSerialNumberThatADesktopAddsToAProfile() throws {
        var image = try RasterImage(width: 1, height: 1, format: .rgb8, pixels: Data([200, 100, 50]))
        image.metadata.colorProfile = ColorProfile(icc: TestProfiles.desktop)
        let stripped = image.stripped()
        let icc = try #require(stripped.metadata.colorProfile.icc)
        let serial = TestProfiles.utf16("SERIAL42")
        #expect(TestProfiles.desktop.range(of: serial) != nil)
        for secret in [serial, Data("meta".utf8), Data("dmdd".utf8)] { #expect(icc.range(of: secret) == nil) }
        // The colors are those of the original profile, according to Little CMS.
        let color = try Array(stripped.convertedToSRGB().pixels)
        #expect(zip(color, [224, 113, 49]).allSatisfy { abs(Int($0) - $1) <= 2 })
    }

    @Test func strippingKeepsAProfileThatNamesNoDevice() throws {
        var image = try RasterImage.noise(2, 2, .rgb8)
        image.metadata.colorProfile = ColorProfile(icc: TestProfiles.wide, iccName: "wide")
        #expect(image.stripped().metadata.colorProfile == image.metadata.colorProfile)
        image.metadata.colorProfile.icc = TestProfiles.display.prefix(300)
        #expect(image.stripped().metadata.colorProfile == image.metadata.colorProfile)
    }

    static let files = [PNGBuilder.onePixel()] + JPEGFixture.all.map(\.bytes)

    @Test(arguments: files)
    func theFormatIsKept(file: Data) throws {
        let image = try ImageTransformer().decode(file)
        #expect(try ImageTransformer().encode(image) == file)
    }

    @Test(arguments: JPEGFixture.all)
    func changedMetadataLeaveTheCodedPixelsAlone(_ fixture: JPEGFixture) throws {
        var image = try RasterImage(encoded: fixture.bytes)
        image.metadata.orientation = .right
        image.metadata.colorProfile.icc = Data(repeating: 1, count: 70_000)
        image.metadata.texts = [ImageText("Comment", "new")]
        let back = try RasterImage(encoded: JPEGTransformer().encode(image))
        #expect(try crc32(back.pixels) == fixture.checksum)
        #expect(back.metadata == image.metadata)
        #expect(back.warnings.isEmpty)
    }

    @Test func changedMetadataLeaveAPNGsPixelsAlone() throws {
        let file = PNGBuilder.onePixel(
            chunks: PNGBuilder.chunk("prVt", Data([1])),
            after: PNGBuilder.chunk("tIME", Data(count: 7))
        )
        var image = try RasterImage(encoded: file)
        image.metadata = ImageMetadataTests.full
        let encoded = try PNGTransformer(options: PNGOptions(compression: 9)).encode(image)
        #expect(try RasterImage(encoded: encoded).metadata == ImageMetadataTests.full)
        for kept in [PNGBuilder.chunk("IDAT", PNGBuilder.zlib(Data([0, 7]))), PNGBuilder.chunk("prVt", Data([1]))] {
            #expect(encoded.range(of: kept) != nil)
        }
    }

    @Test func metadataThatAreSetBackAreUnchanged() throws {
        let file = JPEGFixture.baseline.bytes
        var image = try RasterImage(encoded: file)
        let metadata = image.metadata
        image.metadata.orientation = .down
        image.metadata = metadata
        #expect(try JPEGTransformer().encode(image) == file)
    }

    @Test func strippingDropsWhatIsPersonal() throws {
        var image = try RasterImage.gradient(8, 8)
        image.metadata = ImageMetadata(
            colorProfile: ColorProfile(icc: Data([1, 2, 3])),
            density: PixelDensity(horizontal: 300, vertical: 300, unit: .inch),
            texts: [ImageText("Comment", "secret"), ImageText(ImageText.xmpKeyword, "secret")],
            exif: ImageMetadataTests.exif
        )
        for file in try [JPEGTransformer().encode(image), PNGTransformer().encode(image)] {
            let source = try RasterImage(encoded: file + Data("secret".utf8))
            let stripped = try ImageTransformer(isStripping: true).encode(source)
            let back = try RasterImage(encoded: stripped)
            #expect(back.metadata.orientation == .right)
            #expect(back.metadata.colorProfile.icc == Data([1, 2, 3]))
            #expect(back.metadata.texts.isEmpty)
            #expect(try back.pixels == source.pixels)
            #expect(stripped.range(of: Data("secret".utf8)) == nil)
            #expect(stripped.range(of: Data("ABC".utf8)) == nil)
        }
    }

    @Test(arguments: ["jpeg", "jpeg(unchanged: never)", "jpeg(lossless: oriented)", "image", "png"])
    func metadataThatAreSetAfterStrippingAreWritten(expression: String) throws {
        let (start, rest) = (JPEGTurnFixture.quarter.bytes.prefix(2), JPEGTurnFixture.quarter.bytes.dropFirst(2))
        var image = try RasterImage(encoded: start + [0xFF, 0xED, 0, 8] + Data("Secret".utf8) + rest).stripped()
        image.metadata.texts = [ImageText("Comment", "by Ada")]
        image.metadata.exif = ImageMetadataTests.exif
        let transformer = try TransformerRegistry { ImagePlugin() }.transformer(expression, for: RasterImage.self)
        let file = try transformer.encode(image)
        let back = try RasterImage(encoded: file).metadata
        #expect(back.texts == image.metadata.texts)
        #expect(back.exif?.range(of: Data("ABC".utf8)) != nil)
        #expect(file.range(of: Data("Secret".utf8)) == nil)
    }

    @Test(arguments: ["png(strip: true)", "image(strip: true)"])
    func strippingDropsNamesOfSuggestedPalettes(expression: String) throws {
        let palette = PNGBuilder.chunk("sPLT", Data("secret\0".utf8) + [8, 1, 2, 3, 4, 0, 5])
        let registry = try TransformerRegistry { ImagePlugin() }
        let transformer = try registry.transformer(expression, for: RasterImage.self)
        let image = try RasterImage(encoded: PNGBuilder.onePixel(chunks: palette))
        let stripped = try transformer.encode(image)
        #expect(stripped == PNGBuilder.onePixel())
        let title = PNGBuilder.onePixel(chunks: PNGBuilder.chunk("tEXt", Data("Title\0secret".utf8)))
        #expect(try transformer.encode(RasterImage(encoded: title)) == PNGBuilder.onePixel())
    }

    @Test func strippingAPNGStripsWhatIsEncodedAgain() throws {
        var image = try RasterImage.gradient(8, 8)
        image.metadata = ImageMetadataTests.full
        let jpeg = try RasterImage(encoded: JPEGTransformer().encode(image))
        for source in [image, jpeg] {
            let stripped = try RasterImage(encoded: PNGTransformer(isStripping: true).encode(source))
            #expect(stripped.metadata.texts.isEmpty)
            #expect(stripped.metadata.orientation == .right)
            #expect(stripped.metadata.exif?.count == 26)
            #expect(try stripped.pixels == source.pixels)
        }
    }

    @Test func strippingDropsPrivateChunksAndKeepsTransparency() throws {
        let chunks = PNGBuilder.chunk("tRNS", Data([0, 7])) + PNGBuilder.chunk("prVt", Data("secret".utf8))
        let image = try RasterImage(encoded: PNGBuilder.onePixel(chunks: chunks))
        let stripped = try ImageTransformer(isStripping: true).encode(image)
        #expect(stripped.range(of: Data("secret".utf8)) == nil)
        #expect(try RasterImage(encoded: stripped).pixels == Data([7, 0]))
    }
}
