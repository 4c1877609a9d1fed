import Foundation
import ImagePlugin
import Testing
import Transformable

/// Damaged pictures that viewers show, by every way that leads to an attribute of images.
@Suite struct TolerantReadingTests {
    static let tolerant = ["jpeg(tolerant: true)", "jpeg(quality: 50, tolerant: true)", "image(tolerant: true)"]
    static let strict = ["jpeg", "image", "image(strip: true)", "png"]

    private let registry: TransformerRegistry

    init() throws {
        registry = try TransformerRegistry { ImagePlugin() }
    }

    /// A picture that is cut off, and one whose coded pixels end too early.
    static func damaged() throws -> [Data] {
        let whole = try JPEGTransformer(options: JPEGOptions(quality: 95)).encode(RasterImage.gradient(96, 96))
        var early = whole
        let place = whole.count * 3 / 4
        early.replaceSubrange(place..<place + 2, with: [0xFF, 0xD9])
        return [whole.prefix(whole.count * 3 / 4), early]
    }

    @Test(arguments: tolerant, try damaged())
    func storesADamagedFileFromTheCommandLineUnchanged(expression: String, file: Data) throws {
        let resolved = try registry.resolve(expression)
        let image = try #require(try resolved.form?.parse(file) as? RasterImage)
        #expect(try resolved.encode(any: image, in: .none) as? Data == file)
        let back = try #require(try resolved.decode(any: file, in: .none) as? RasterImage)
        #expect(try (16..<96).contains(back.intactRows))
        #expect(try back.pixels.count == 96 * 96 * 3)
        #expect(!back.warnings.isEmpty)
    }

    @Test(arguments: try damaged()) func storesADamagedFileFromTheCommandLineAfterAStage(file: Data) throws {
        let resolved = try registry.resolve("oriented | jpeg(tolerant: true)")
        let image = try #require(try resolved.form?.parse(file) as? RasterImage)
        #expect(try resolved.encode(any: image, in: .none) as? Data == file)
    }

    @Test(arguments: strict, try damaged())
    func othersRefuseItAndNameTheArgument(expression: String, file: Data) throws {
        let resolved = try registry.resolve(expression)
        let error = #expect(throws: TransformerError.self) {
            try resolved.encode(any: try #require(try resolved.form?.parse(file)), in: .none)
        }
        #expect(error?.message.contains("“image(tolerant: true)”") == true, "\(error?.message ?? "")")
    }

    @Test(arguments: ["jpeg", "image"], try damaged())
    func anImageReadWithToleranceIsRefusedWithoutIt(expression: String, file: Data) throws {
        let image = try RasterImage(encoded: file, options: ImageReadingOptions(isTolerant: true))
        let error = #expect(throws: TransformerError.self) {
            try registry.resolve(expression).encode(any: image, in: .none)
        }
        #expect(error?.message.contains("“jpeg(tolerant: true)”") == true)
    }

    @Test func strippingEndsADamagedFile() throws {
        let strip = try registry.resolve("image(strip: true, tolerant: true)")
        for file in try Self.damaged() {
            let image = try #require(try strip.form?.parse(file))
            let stripped = try #require(try strip.encode(any: image, in: .none) as? Data)
            #expect(stripped.suffix(2) == Data([0xFF, 0xD9]))
            let rows = try #require(image as? RasterImage).intactRows
            #expect(try RasterImage(encoded: stripped, options: .init(isTolerant: true)).intactRows == rows)
        }
    }

    @Test func whatCannotBeReadAtAllIsRefusedNevertheless() throws {
        let file = try #require(Self.damaged().first)
        let transformer = JPEGTransformer(isTolerant: true)
        for bytes in [file.prefix(100), Data([0xFF, 0xD8, 0xFF])] {
            #expect(throws: TransformerError(.truncatedData, "")) { try transformer.decode(Data(bytes)).pixels }
        }
        #expect(throws: TransformerError.invalidData("")) { try transformer.decode(Data(file.dropFirst(2))).pixels }
    }

    @Test func aFailureAfterTheFirstRowsLeavesThem() throws {
        // A Huffman table without a length in the middle of the coded pixels, which libjpeg cannot pass.
        var file = try JPEGTransformer(options: JPEGOptions(quality: 95)).encode(RasterImage.gradient(96, 96))
        let middle = file.count * 3 / 4
        file.replaceSubrange(middle..<middle + 4, with: [0xFF, 0xC4, 0, 0])
        #expect(throws: TransformerError.invalidData("")) { try JPEGTransformer().decode(file).pixels }
        let image = try JPEGTransformer(isTolerant: true).decode(file)
        #expect(try (16..<96).contains(image.intactRows))
        #expect(try image.pixels == JPEGTransformer(isTolerant: true).decode(file).pixels)
    }

    @Test func limitsOfTheExpressionApplyToFilesFromTheCommandLine() throws {
        let file = JPEGFixture.baseline.bytes
        for name in ["png", "jpeg", "image"] {
            let form = try #require(try registry.resolve("\(name)(maxPixels: 272)").form)
            let error = #expect(throws: TransformerError.self) { try form.parse(file) }
            #expect(error?.code == .limitExceeded)
            #expect(throws: Never.self) { try registry.resolve("\(name)(maxPixels: 273)").form?.parse(file) }
        }
    }

    @Test func inspectionTellsOfDamage() throws {
        let file = try #require(Self.damaged().first)
        let facts = try registry.inspectors.compactMap { try $0.inspect(file) }.flatMap(\.facts)
        #expect(facts.contains(Inspection.Fact("width", "96")))
        #expect(facts.contains { $0.label == "warning" && $0.value.contains("truncated") })
    }
}
