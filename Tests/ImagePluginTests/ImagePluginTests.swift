import Foundation
import ImagePlugin
import Testing
import Transformable

@Suite struct ImagePluginTests {
    private let registry: TransformerRegistry

    init() throws {
        registry = try TransformerRegistry { ImagePlugin() }
    }

    @Test(arguments: [
        ("png", "png"),
        (
            "png(compression: 9, filter: paeth, interlaced: true, palette: never, maxPixels: 1000)",
            "png(compression: 9, filter: paeth, interlaced: true, palette: never, maxPixels: 1000)"
        ),
        ("png(palette: auto, filter: auto, strip: true)", "png(strip: true)"),
        ("jpeg(optimized: true)", "jpeg"),
        ("jpeg(progressive: true, quality: 85)", "jpeg(progressive: true)"),
        (
            "jpeg(subsampling: \"4:4:4\", background: \"#FFffFF\")",
            "jpeg(subsampling: \"4:4:4\", background: \"#ffffff\")"
        ),
    ])
    func expressionsAreResolved(expression: String, canonical: String) throws {
        let resolved = try registry.resolve(expression, for: RasterImage.self)
        #expect(resolved.expression.description == canonical)
        #expect(resolved.isReversible)
        #expect(resolved.signature.description == canonical.prefix { $0 != "(" } + "/1")
    }

    @Test(arguments: [
        "png(compression: 10)", "png(filter: best)", "jpeg(quality: 101)", "jpeg(subsampling: \"4:3:2\")",
        "jpeg(background: \"white\")", "png(maxPixels: 0)", "jpeg(background: \"#12345\")",
    ])
    func argumentsOutOfRangeAreErrors(expression: String) {
        let error = #expect(throws: TransformerError.self) { try registry.resolve(expression) }
        #expect(error?.code == .invalidArgument)
    }

    @Test func projectionsComeFromTheHeader() throws {
        let image = try RasterImage(encoded: JPEGFixture.progressive.bytes)
        #expect(try registry.projection("image-width", for: RasterImage.self, to: Int64.self).encode(image) == 21)
        #expect(try registry.projection("image-height", for: RasterImage.self, to: Int64.self).encode(image) == 13)
        #expect(try registry.projection("image-format", for: RasterImage.self, to: String.self).encode(image) == "jpeg")
        let orientation = try registry.projection("image-orientation", for: RasterImage.self, to: Int64.self)
        #expect(try orientation.encode(image) == 1)
    }

    @Test func aJPEGGivenByAPersonBecomesAPNG() throws {
        let png = try registry.resolve("png")
        let form = try #require(png.form)
        let value = try form.parse(JPEGFixture.baseline.bytes)
        let file = try #require(try png.encode(any: value, in: .none) as? Data)
        #expect(try crc32(RasterImage(encoded: file).pixels) == JPEGFixture.baseline.checksum)
        #expect(!form.isText)
    }

    @Test func argumentsRewriteAFileFromTheCommandLine() throws {
        let image = try #require(try registry.resolve("png").form?.parse(PNGBuilder.onePixel()))
        let kept = try registry.resolve("png").encode(any: image, in: .none) as? Data
        #expect(kept == PNGBuilder.onePixel())
        let interlaced = try registry.resolve("png(interlaced: true)").encode(any: image, in: .none) as? Data
        #expect(interlaced?[28] == 1)
    }

    @Test func rejectsADamagedFileFromTheCommandLine() throws {
        var file = PNGBuilder.onePixel()
        file[45] ^= 0xFF
        let png = try registry.resolve("png")
        let image = try #require(try png.form?.parse(file))
        #expect(throws: TransformerError.invalidData("")) { try png.encode(any: image, in: .none) }
    }

    @Test(arguments: ["pam", "ppm", "png", nil])
    func whatIsPrintedIsReadAgain(format: String?) throws {
        let form = HumanForm<RasterImage>.image
        let image = try RasterImage.noise(5, 3, .rgb16)
        #expect(try form.parse(form.print(image, format)) == image)
    }

    @Test func aPAMIsAsNetpbmWritesIt() throws {
        let image = try RasterImage(width: 1, height: 1, format: .grayAlpha16, pixels: Data([1, 2, 3, 4]))
        let expected = Data("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 65535\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n".utf8)
        #expect(try HumanForm<RasterImage>.image.print(image, nil) == expected + [2, 1, 4, 3])
    }

    @Test(
        arguments: [
            ("P5 2 1 255\n\u{1}\u{2}", [1, 2]), ("P5\n# a comment\n2 1\n3\n\u{1}\u{3}", [85, 255]),
            ("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 1\nTUPLTYPE BLACKANDWHITE\nENDHDR\n\u{1}", [255]),
        ] as [(String, [UInt8])]
    )
    func netpbmFilesAreRead(text: String, pixels: [UInt8]) throws {
        let image = try HumanForm<RasterImage>.image.parse(Data(text.utf8))
        #expect(try Array(image.pixels) == pixels)
    }

    @Test(arguments: ["png", "jpeg", "image"]) func textIsNotAnImage(name: String) {
        #expect(throws: TransformerError(.unsupportedType, "")) { try registry.transformer(name, for: String.self) }
    }

    @Test(arguments: [
        "P5", "P5 1", "P5 0 1 255\n", "P7\nENDHDR\n", "P7\nDEPTH 9\n", "P5 1 1 1\n\u{2}", "P7\nWIDTH x\n",
        "P5 99999999999999999999 1 1\n", "",
        "P7\nWIDTH +1\nHEIGHT 1\nDEPTH 1\nMAXVAL 1\nTUPLTYPE BLACKANDWHITE\nENDHDR\n\u{1}",
    ])
    func otherFilesAreErrors(text: String) {
        #expect(throws: TransformerError.invalidData("")) { try HumanForm<RasterImage>.image.parse(Data(text.utf8)) }
    }

    @Test(
        arguments: [
            ("P5 1 1 255", .truncatedData), ("P6 99999 99999 255\n", .limitExceeded), ("GIF89a", .unsupported),
            // Four samples of 16 bits.
            ("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 65535\nTUPLTYPE CMYK\nENDHDR\n12345678", .unsupported),
        ] as [(String, TransformerError.Code)]
    )
    func errorsTellWhyAFileCannotBeRead(text: String, code: TransformerError.Code) {
        #expect(throws: TransformerError(code, "")) { try HumanForm<RasterImage>.image.parse(Data(text.utf8)) }
    }

    @Test func unknownFormatsAreErrors() throws {
        let image = try RasterImage.noise(1, 1, .rgb8)
        let error = #expect(throws: TransformerError.self) { try HumanForm<RasterImage>.image.print(image, "gif") }
        #expect(error?.code == .unsupported)
    }

    @Test func inspectorsSayWhatIsInAFile() throws {
        let file = PNGBuilder.onePixel(chunks: PNGBuilder.chunk("tEXt", Data("Title\0A dot".utf8)))
        let inspections = try registry.inspectors.compactMap { try $0.inspect(file) }
        #expect(inspections.map(\.kind) == ["PNG image"])
        let facts = inspections.flatMap(\.facts)
        #expect(facts.contains(Inspection.Fact("width", "1")))
        #expect(facts.contains(Inspection.Fact("text “Title”", "A dot")))
    }
}
