import Foundation
import ImagePlugin
import Testing
import Transformable

/// Damaged PNG files, of which viewers show a part.
@Suite struct TolerantPNGTests {
    private static let reading = ImageReadingOptions(isTolerant: true)

    private static func whole(interlaced: Bool = false) throws -> Data {
        let options = PNGOptions(filter: .sub, isInterlaced: interlaced)
        return try PNGTransformer(options: options).encode(RasterImage.noise(40, 40, .rgb8))
    }

    @Test(arguments: ["png(tolerant: true)", "png(compression: 9, tolerant: true)", "image(tolerant: true)"])
    func storesATruncatedFileFromTheCommandLineUnchanged(expression: String) throws {
        let file = try Self.whole().prefix(2500)
        let resolved = try TransformerRegistry { ImagePlugin() }.resolve(expression)
        let image = try #require(try resolved.form?.parse(file) as? RasterImage)
        #expect(try resolved.encode(any: image, in: .none) as? Data == file)
        let back = try #require(try resolved.decode(any: file, in: .none) as? RasterImage)
        let rows = try back.intactRows
        #expect((15..<40).contains(rows))
        let intact = try RasterImage.noise(40, 40, .rgb8).pixels.prefix(rows * 120)
        #expect(try back.pixels == intact + Data(count: (40 - rows) * 120))
        #expect(back.warnings.count == 2)
    }

    // As by transformable decode 'png(tolerant: true)' --in damaged.png --out readable.png.
    @Test func whatWasReadWithToleranceIsPrinted() throws {
        let file = try Self.whole().prefix(2500)
        let form = try #require(try TransformerRegistry { ImagePlugin() }.resolve("png(tolerant: true)").form)
        let image = try RasterImage(encoded: file, options: Self.reading)
        #expect(try form.print(image, "png") == file)
        #expect(throws: TransformerError(.truncatedData, "")) { try form.print(RasterImage(encoded: file), "png") }
    }

    @Test(arguments: ["png", "image"])
    func othersRefuseItAndNameTheArgument(expression: String) throws {
        let resolved = try TransformerRegistry { ImagePlugin() }.resolve(expression)
        let file = try Self.whole().prefix(2500)
        let error = #expect(throws: TransformerError.self) { try resolved.decode(any: file, in: .none) }
        #expect(error?.code == .truncatedData)
        #expect(error?.message.contains("“png(tolerant: true)”") == true)
        let tolerant = try RasterImage(encoded: file, options: Self.reading)
        #expect(throws: TransformerError.invalidData("")) { try resolved.encode(any: tolerant, in: .none) }
    }

    @Test func everyTruncationIsAPartOrATypedError() throws {
        let file = try Self.whole()
        var rows = 0
        for length in stride(from: 8, to: file.count, by: 37) {
            guard let image = try? RasterImage(encoded: file.prefix(length), options: Self.reading),
                let intact = try? image.intactRows
            else {
                #expect(length < 300)
                continue
            }
            #expect(intact >= rows)
            rows = intact
        }
        #expect(rows >= 38)
    }

    /// The first passes of Adam7 have the whole picture in blocks.
    @Test func aTruncatedInterlacedFileHasTheWholePictureInBlocks() throws {
        let file = try Self.whole(interlaced: true).prefix(1100)
        let image = try RasterImage(encoded: file, options: Self.reading)
        #expect(try image.intactRows == 0)
        let pixels = try image.pixels
        let original = try RasterImage.noise(40, 40, .rgb8).pixels
        #expect(pixels.prefix(3) == original.prefix(3))
        #expect(pixels[0..<3] == pixels[3..<6])
        #expect(!pixels.suffix(120).allSatisfy { $0 == 0 })
    }

    @Test func damageInTheMiddleLeavesTheRowsAboveIt() throws {
        var file = try Self.whole()
        file[file.count / 2] ^= 0x55
        #expect(throws: TransformerError.invalidData("")) { try RasterImage(encoded: file).pixels }
        let image = try RasterImage(encoded: file, options: Self.reading)
        let pixels = try image.pixels
        #expect(try pixels.prefix(15 * 120) == RasterImage.noise(40, 40, .rgb8).pixels.prefix(15 * 120))
    }

    @Test func strippingEndsATruncatedFile() throws {
        var image = try RasterImage.noise(40, 40, .rgb8)
        image.metadata.texts = [ImageText("Title", "secret")]
        let file = try PNGTransformer().encode(image).prefix(3000)
        let source = try RasterImage(encoded: file, options: Self.reading)
        let stripped = try PNGTransformer(isStripping: true, isTolerant: true).encode(source)
        #expect(stripped.suffix(12) == PNGBuilder.chunk("IEND"))
        #expect(stripped.range(of: Data("secret".utf8)) == nil)
        let back = try RasterImage(encoded: stripped, options: Self.reading)
        #expect(try back.intactRows == source.intactRows)
        #expect(try back.pixels == source.pixels)
    }

    @Test func aFileThatIsTooShortForItsPictureTakesNoMemory() {
        let file =
            PNGBuilder.signature + PNGBuilder.header(10_000, 10_000, depth: 8, colorType: 6)
            + PNGBuilder.chunk("IDAT", PNGBuilder.zlib(Data(count: 100)))
        let error = #expect(throws: TransformerError.self) { try RasterImage(encoded: file, options: Self.reading) }
        #expect(error?.code == .truncatedData)
    }
}
