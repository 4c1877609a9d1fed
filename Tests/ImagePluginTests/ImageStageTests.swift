import Foundation
import ImagePlugin
import Testing
import Transformable
import TransformableTesting

@Suite struct ImageStageTests {
    private let registry: TransformerRegistry

    init() throws {
        registry = try TransformerRegistry { ImagePlugin() }
    }

    static let operations: [ImageStage.Operation] = [
        .oriented, .fit(width: 20, height: nil), .fit(width: nil, height: 7), .fit(width: 11, height: 8),
        .cover(width: 10, height: 10), .cover(width: 100, height: 3), .crop(width: 9, height: 100),
        .crop(width: 5, height: 4, at: .topLeft), .convert(to: .gray8), .convert(to: .rgba16), .flatten(), .firstFrame,
        .strip,
    ]

    /// An image of 40 × 30 pixels that is viewed as 30 × 40.
    private static func turned() throws -> RasterImage {
        var image = try RasterImage.gradient(40, 30)
        image.metadata = ImageMetadata(
            colorProfile: ColorProfile(icc: TestProfiles.wide),
            texts: [ImageText("Title", "x")],
            exif: ImageMetadataTests.exif
        )
        return image
    }

    @Test(arguments: operations)
    func twiceIsTheSameAsOnce(operation: ImageStage.Operation) throws {
        let stage = ImageStage(operation)
        let once = try stage.encode(Self.turned())
        #expect(try stage.encode(once) == once)
        #expect(try stage.decode(once, in: .none) == once)
    }

    @Test(
        arguments: [
            (.oriented, 30, 40), (.fit(width: 15, height: nil), 15, 20), (.fit(width: nil, height: 8), 6, 8),
            (.fit(width: 20, height: 20), 15, 20), (.fit(width: 30, height: 40), 30, 40),
            (.cover(width: 12, height: 10), 12, 10), (.cover(width: 90, height: 10), 90, 10),
            (.crop(width: 8, height: 5), 8, 5), (.crop(width: 99, height: 5), 30, 5),
        ] as [(ImageStage.Operation, Int, Int)]
    )
    func sizesAreThoseOfTheViewedImage(operation: ImageStage.Operation, width: Int, height: Int) throws {
        let result = try ImageStage(operation).encode(Self.turned())
        let isTurned = result.metadata.orientation.swapsSides
        #expect(isTurned == (operation == .fit(width: 30, height: 40)))
        #expect((isTurned ? result.height : result.width) == width)
        #expect((isTurned ? result.width : result.height) == height)
    }

    @Test(
        arguments: [
            (.center, [5, 6, 9, 10]), (.top, [1, 2, 5, 6]), (.bottom, [9, 10, 13, 14]), (.left, [4, 5, 8, 9]),
            (.right, [6, 7, 10, 11]), (.topLeft, [0, 1, 4, 5]), (.topRight, [2, 3, 6, 7]),
            (.bottomLeft, [8, 9, 12, 13]), (.bottomRight, [10, 11, 14, 15]),
        ] as [(ImageAnchor, [UInt8])]
    )
    func cropsKeepAPart(anchor: ImageAnchor, expected: [UInt8]) throws {
        let image = try RasterImage(width: 4, height: 4, format: .gray8, pixels: Data(0..<16))
        #expect(try Array(image.cropped(width: 2, height: 2, at: anchor).pixels) == expected)
    }

    @Test func coveringKeepsTheMiddle() throws {
        // Three stripes: only the middle one is left.
        let row = Data((0..<30).map { UInt8($0 / 10 * 100) })
        let image = try RasterImage(width: 30, height: 10, format: .gray8, pixels: Data((0..<10).flatMap { _ in row }))
        #expect(try image.covering(width: 2, height: 2).pixels.allSatisfy { abs(Int($0) - 100) <= 8 })
        #expect(try image.covering(width: 40, height: 40).pixels.dropFirst(15).prefix(10).allSatisfy { $0 > 90 })
    }

    @Test func aNarrowImageCoversASquare() throws {
        let image = try RasterImage(width: 1, height: 5000, format: .gray8, pixels: Data(repeating: 9, count: 5000))
        let square = try image.covering(width: 300, height: 300)
        #expect(try square.pixels == Data(repeating: 9, count: 90_000))
    }

    @Test func flatteningShowsTheBackground() throws {
        let image = try RasterImage(
            width: 2,
            height: 1,
            format: .grayAlpha8,
            pixels: Data([10, 0, 10, 255]),
            metadata: ImageMetadata(texts: [ImageText("Title", "x")])
        )
        #expect(try Array(image.flattened(background: .white).pixels) == [255, 10])
        let red = try image.flattened(background: JPEGOptions.Background(red: 255, green: 0, blue: 0))
        #expect(try Array(red.pixels) == [255, 0, 0, 10, 10, 10])
        #expect(red.metadata == image.metadata)
    }

    @Test func convertingRefusesToLoseAlpha() throws {
        let convert = try registry.resolve("convert(to: rgb8) | png", for: RasterImage.self)
        let error = #expect(throws: TransformerError.self) {
            try convert.encode(any: RasterImage.noise(2, 2, .rgba8), in: .none)
        }
        #expect(error?.code == .alphaNotSupported)
        #expect(error?.message.contains("flatten") == true)
        let flat = try registry.resolve("flatten | convert(to: rgb8) | png", for: RasterImage.self)
        #expect(try flat.encode(any: RasterImage.noise(2, 2, .rgba8), in: .none) is Data)
    }

    @Test(arguments: ["jpeg", "image"])
    func strippingKeepsTheCompressedPixels(ending: String) throws {
        var exif = ExifBuilder()
        exif.main = [.text(0x010F, "Maker of cameras")]
        exif.place = [.long(2, 7)]
        var image = try RasterImage.gradient(30, 20)
        image.metadata = ImageMetadata(texts: [ImageText("Comment", "secret")], exif: exif.bytes)
        var bytes = try JPEGTransformer().encode(image)
        // A segment that is not known, and bytes after the end.
        bytes.insert(contentsOf: [0xFF, 0xED, 0, 8] + Data("Secret".utf8), at: 2)
        let file = try RasterImage(encoded: bytes + Data("after".utf8))
        let strip = try registry.transformer("strip | \(ending)", for: RasterImage.self)
        let result = try strip.encode(file)
        for secret in ["Maker", "secret", "Secret", "after"] {
            #expect(result.range(of: Data(secret.utf8)) == nil)
        }
        let stripped = try RasterImage(encoded: result)
        #expect(try stripped.pixels == file.pixels)
        #expect(stripped.metadata == ImageMetadata())
        #expect(try strip.encode(strip.decode(result)) == result)
        #expect(try strip.isUnchanged(stripped, since: result, in: .none))
    }

    @Test func aCropClearsTheThumbnailOfTheWhole() throws {
        var exif = ExifBuilder()
        exif.main = [.text(0x010F, "Maker of cameras")]
        exif.thumbnail = Data("the whole picture".utf8)
        var image = try RasterImage.gradient(30, 20)
        image.metadata.exif = exif.bytes
        let cropped = try image.cropped(width: 10, height: 10)
        let kept = try #require(cropped.metadata.exif)
        #expect(kept.range(of: Data("the whole".utf8)) == nil)
        #expect(kept.range(of: Data("Maker".utf8)) != nil)
    }

    /// The notes of many cameras contain a preview, a JPEG file with a thumbnail of its own.
    @Test(arguments: ["crop(width: 10, height: 10) | png", "fit(width: 10) | jpeg", "oriented | png"])
    func aChangedImageLosesThePreviewInTheNotesOfTheCamera(expression: String) throws {
        let thumbnail = Data([0xFF, 0xD8, 0xFF, 0xDB]) + Data("secret".utf8) + [0xFF, 0xD9]
        let preview = Data([0xFF, 0xD8, 0xFF, 0xE1]) + thumbnail + Data("secret".utf8) + [0xFF, 0xD9]
        var exif = ExifBuilder()
        exif.main = [.text(0x010F, "Maker of cameras"), .short(0x0112, 6)]
        exif.photo = [.text(0x9003, "2024:05:01 12:34:56"), .bytes(0x927C, Data("Lens".utf8) + preview + [0xFF, 7])]
        var image = try RasterImage.gradient(30, 20)
        image.metadata.exif = exif.bytes
        let transformer = try registry.transformer(expression, for: RasterImage.self)
        let kept = try #require(transformer.decode(transformer.encode(image)).metadata.exif)
        var expected = exif.bytes
        let place = try #require(expected.range(of: preview))
        expected.resetBytes(in: place)
        // The orientation is a number of 16 bits at the end of the second entry.
        expected[8 + 2 + 12 + 8] = 1
        #expect(kept == expected)
    }

    @Test func aFileThatFitsIsKept() throws {
        let file = JPEGFixture.baseline.bytes
        let fit = try registry.transformer("fit(width: 100, height: 100) | jpeg", for: RasterImage.self)
        #expect(try fit.encode(RasterImage(encoded: file)) == file)
        let small = try registry.transformer("fit(width: 10) | oriented | jpeg", for: RasterImage.self)
        let stored = try small.encode(RasterImage(encoded: file))
        #expect(try small.decode(stored).width == 10)
        #expect(try small.isUnchanged(small.decode(stored), since: stored, in: .none))
    }

    @Test(arguments: [
        ("fit", TransformerError.Code.invalidArgument), ("fit(width: 0)", .invalidArgument),
        ("cover(width: 10)", .missingArgument), ("crop(width: 1, height: 1, at: north)", .invalidArgument),
        ("convert(to: cmyk)", .invalidArgument), ("flatten(background: \"red\")", .invalidArgument),
    ])
    func wrongArgumentsAreErrors(stage: String, code: TransformerError.Code) {
        let error = #expect(throws: TransformerError.self) { try registry.resolve("\(stage) | png") }
        #expect(error?.code == code)
    }

    @Test func typedStagesAreExpressions() throws {
        let typed = TypedExpression<RasterImage>
            .stages(
                .oriented,
                .fit(width: 1024, height: nil),
                .crop(width: 5, height: 6, at: .topLeft),
                .convert(to: .grayAlpha8),
                .flatten(background: JPEGOptions.Background(red: 1, green: 2, blue: 3)),
                .strip,
                then: .jpeg(quality: 80)
            )
        let resolved = try registry.resolve(typed.text, for: RasterImage.self)
        #expect(
            resolved.expression.description == "oriented | fit(width: 1024) | crop(width: 5, height: 6, at: top-left)"
                + " | convert(to: gray-alpha8) | flatten(background: \"#010203\") | strip | jpeg(quality: 80)"
        )
        #expect(resolved.isReversible)
    }

    @Test(arguments: operations)
    func stagesFollowTheLaws(operation: ImageStage.Operation) throws {
        var options = LawOptions()
        options.damagesPerValue = 8
        let values = try [
            Self.turned(), RasterImage.noise(5, 3, .gray16), RasterImage(encoded: JPEGFixture.baseline.bytes),
        ]
        assertTransformerLaws(of: ImageStage(operation), values: values, options: options)
    }
}
