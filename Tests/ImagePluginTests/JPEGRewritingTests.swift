import Foundation
import ImagePlugin
import Testing
import Transformable

@Suite struct JPEGRewritingTests {
    private static func oriented(_ file: Data, _ orientation: ImageOrientation) throws -> RasterImage {
        var image = try RasterImage(encoded: file)
        image.metadata.orientation = orientation
        return image
    }

    @Test(arguments: [JPEGTurnFixture.quarter, .halfAcross], ImageOrientation.allCases)
    func uprightFilesAreThoseOfJpegtran(fixture: JPEGTurnFixture, orientation: ImageOrientation) throws {
        let image = try Self.oriented(fixture.bytes, orientation)
        for progressive in [false, true] {
            let transformer = JPEGTransformer(
                options: JPEGOptions(isProgressive: progressive),
                rewriting: .oriented,
                isStripping: true
            )
            let expected = progressive ? fixture.progressive : fixture.optimized
            let file = try transformer.encode(image)
            #expect(crc32(file) == expected[orientation.rawValue - 1])
            let size = orientation.swapsSides ? (32, 48) : (48, 32)
            let upright = try RasterImage(encoded: file)
            #expect((upright.width, upright.height) == size)
            #expect(upright.metadata.orientation == .up)
        }
    }

    @Test func optimizationKeepsMetadataPixelsAndOtherSegments() throws {
        let other = Data([0xFF, 0xE5, 0, 7]) + Data("other".utf8)
        let bytes = JPEGTurnFixture.quarter.bytes
        var image = try RasterImage(encoded: bytes.prefix(2) + other + bytes.dropFirst(2))
        image.metadata.exif = ImageMetadataTests.exif
        image.metadata.texts = [ImageText("Comment", "text")]
        let file = try JPEGTransformer(rewriting: .optimize).encode(image)
        let better = try RasterImage(encoded: file)
        #expect(better.metadata == image.metadata)
        #expect(try better.pixels == image.pixels)
        #expect(file.range(of: other) != nil)
        #expect(file.count < bytes.count)
        // It cannot be made smaller again.
        #expect(try JPEGTransformer(rewriting: .optimize).encode(better) == file)
    }

    @Test func turningKeepsMetadataExceptTheOrientation() throws {
        var image = try RasterImage(encoded: JPEGTurnFixture.quarter.bytes)
        image.metadata = ImageMetadata(texts: [ImageText("Comment", "text")], exif: ImageMetadataTests.exif)
        #expect(image.metadata.orientation == .right)
        let upright = try RasterImage(encoded: JPEGTransformer(rewriting: .oriented).encode(image))
        var expected = image.metadata
        expected.orientation = .up
        #expect(upright.metadata == expected)
        // Both decode the same coefficients, and differ only in how they round.
        let turned = try image.oriented()
        let difference = try zip(upright.pixels, turned.pixels).map { abs(Int($0) - Int($1)) }.max()
        #expect(difference ?? 255 <= 4)
    }

    @Test(arguments: [false, true])
    func turningTurnsTheDensity(strips: Bool) throws {
        var image = try RasterImage(encoded: JPEGTurnFixture.quarter.bytes)
        image.metadata = ImageMetadata(
            density: PixelDensity(horizontal: 300, vertical: 150, unit: .inch),
            exif: ImageMetadataTests.density
        )
        image.metadata.orientation = .right
        let transformer = JPEGTransformer(rewriting: .oriented, isStripping: strips)
        let upright = try RasterImage(encoded: transformer.encode(image)).metadata
        let expected = PixelDensity(horizontal: 150, vertical: 300, unit: .inch)
        #expect(upright.density == expected)
        #expect((upright.exif == nil) == strips)
        let described = ImageMetadata(exif: upright.exif)
        #expect(described == ImageMetadata(density: strips ? nil : expected, exif: upright.exif))
    }

    @Test(arguments: JPEGFixture.all)
    func incompleteBlocksStayAtTheEdge(fixture: JPEGFixture) throws {
        // 21 × 13 pixels: only a transposition is possible.
        for orientation in [ImageOrientation.upMirrored, .down, .right, .left] {
            let image = try Self.oriented(fixture.bytes, orientation)
            let kept = try RasterImage(encoded: JPEGTransformer(rewriting: .oriented).encode(image))
            #expect((kept.width, kept.metadata.orientation) == (21, orientation))
            #expect(try crc32(kept.pixels) == fixture.checksum)
        }
        let image = try Self.oriented(fixture.bytes, .leftMirrored)
        let turned = try RasterImage(encoded: JPEGTransformer(rewriting: .oriented).encode(image))
        #expect((turned.width, turned.height, turned.metadata.orientation) == (13, 21, .up))
        #expect(turned.format == image.format)
    }

    @Test func damagedFilesAreKept() throws {
        let file = JPEGTurnFixture.quarter.bytes.dropLast(60)
        let image = try RasterImage(encoded: Data(file), options: ImageReadingOptions(isTolerant: true))
        #expect(try JPEGTransformer(rewriting: .optimize, isTolerant: true).encode(image) == file)
    }

    @Test func filesWithFurtherBytesAreKept() throws {
        let file = JPEGTurnFixture.quarter.bytes + Data("another image".utf8)
        let image = try RasterImage(encoded: file)
        #expect(try JPEGTransformer(rewriting: .oriented).encode(image) == file)
        let stripped = try JPEGTransformer(rewriting: .optimize, isStripping: true).encode(image)
        #expect(crc32(stripped) == JPEGTurnFixture.quarter.optimized[0])
    }

    /// A list of two images as phones write it, of which the second one is a gain map (CIPA DC-007, section 5.2).
    private static func pictureList(sizes: (Int, Int), place: Int, isLittleEndian: Bool) -> Data {
        func number(_ value: Int, _ size: Int) -> Data {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            return Data(isLittleEndian ? bytes : bytes.reversed())
        }
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Data) -> Data {
            number(tag, 2) + number(type, 2) + number(count, 4) + value
        }
        let directory =
            number(3, 2) + entry(0xB000, 7, 4, Data("0100".utf8)) + entry(0xB001, 4, 1, number(2, 4))
            + entry(0xB002, 7, 32, number(50, 4)) + number(0, 4)
        let first = number(0x2003_0000, 4) + number(sizes.0, 4) + number(0, 4) + number(0, 4)
        let second = number(0, 4) + number(sizes.1, 4) + number(place, 4) + number(0, 4)
        return Data((isLittleEndian ? "II" : "MM").utf8) + number(42, 2) + number(8, 4) + directory + first + second
    }

    @Test(arguments: [true, false])
    func changedMetadataLeaveTheOtherImagesWhereTheListSays(isLittleEndian: Bool) throws {
        let whole = JPEGTurnFixture.quarter.bytes
        let second = Data([0xFF, 0xD8]) + Data("gain map".utf8) + [0xFF, 0xD9]
        func list(_ firstSize: Int, from start: Int) -> Data {
            let sizes = (firstSize, second.count)
            return Self.pictureList(sizes: sizes, place: firstSize - start, isLittleEndian: isLittleEndian)
        }
        func segment(_ marker: UInt8, _ data: Data) -> Data { Data([0xFF, marker, 0, UInt8(data.count + 2)]) + data }
        let comment = segment(0xFE, Data("a comment after the list".utf8))
        let count = list(0, from: 0).count
        // The list follows the start marker, its own marker and length, and a tag.
        let size = whole.count + 4 + 4 + count + comment.count
        let start = Data("MPF\0".utf8) + list(size, from: 2 + 4 + 4)
        let bytes = whole.prefix(2) + segment(0xE2, start) + comment + whole.dropFirst(2) + second
        #expect(bytes.count == size + second.count)
        var image = try RasterImage(encoded: bytes)
        image.metadata.texts = []
        image.metadata.orientation = .right
        let file = try ImageTransformer().encode(image)
        let place = try #require(file.range(of: Data("MPF\0".utf8))).upperBound
        #expect(file.dropFirst(place).starts(with: list(file.count - second.count, from: place)))
        #expect(file.suffix(second.count) == second)
        #expect(try RasterImage(encoded: file).metadata.orientation == .right)
    }

    @Test func aStrippedImageIsOptimizedWithoutOtherSegments() throws {
        let other = Data([0xFF, 0xE5, 0, 8]) + Data("secret".utf8)
        let bytes = JPEGTurnFixture.quarter.bytes
        let image = try RasterImage(encoded: bytes.prefix(2) + other + bytes.dropFirst(2)).stripped()
        let file = try JPEGTransformer(rewriting: .optimize).encode(image)
        #expect(crc32(file) == JPEGTurnFixture.quarter.optimized[0])
    }

    @Test func limitsHoldForTheCoefficients() throws {
        let limited = ImageReadingOptions(limits: ImageLimits(maxScans: 2))
        let image = try RasterImage(encoded: JPEGFixture.progressive.bytes, options: limited)
        let error = #expect(throws: TransformerError.self) { try JPEGTransformer(rewriting: .optimize).encode(image) }
        #expect(error?.code == .limitExceeded)
    }

    @Test func theThumbnailInEXIFIsRemovedFromANewPicture() throws {
        // A main directory with an orientation, and a second one with a thumbnail of 6 bytes at offset 56.
        let exif =
            Data([0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 26])
            + Data([0, 2, 2, 1, 0, 4, 0, 0, 0, 1, 0, 0, 0, 56, 2, 2, 0, 4, 0, 0, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0])
            + Data("secret".utf8)
        var image = try RasterImage.gradient(16, 16)
        image.metadata.exif = exif
        let file = try JPEGTransformer().encode(image)
        #expect(file.range(of: Data("secret".utf8)) == nil)
        #expect(try RasterImage(encoded: file).metadata.orientation == .right)
        // A file that is kept is not changed.
        var kept = try RasterImage(encoded: JPEGTurnFixture.quarter.bytes)
        kept.metadata.exif = exif
        #expect(try JPEGTransformer().encode(kept).range(of: Data("secret".utf8)) != nil)
    }
}
