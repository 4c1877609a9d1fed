import Foundation
import ImagePlugin
import Testing
import Transformable
import _HostileInputs

@Suite struct ImageMetadataTests {
    static let exif = Data([
        // Little-endian; one directory at 8 with Make, Orientation and a GPS pointer is more than is needed: two entries.
        0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 2, 0,
        // Make, ASCII, 4 bytes in place.
        0x0F, 0x01, 2, 0, 4, 0, 0, 0, 0x41, 0x42, 0x43, 0,
        // Orientation, SHORT, 6.
        0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0,
        0, 0, 0, 0,
    ])

    /// Big-endian: X and Y resolution 300/1 and 150/1 at 50 and 58, unit 2, inches.
    static let density =
        Data([0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 3])
        + Data([0x01, 0x1A, 0, 5, 0, 0, 0, 1, 0, 0, 0, 50, 0x01, 0x1B, 0, 5, 0, 0, 0, 1, 0, 0, 0, 58])
        + Data([0x01, 0x28, 0, 3, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0])
        + Data([0, 0, 1, 44, 0, 0, 0, 1, 0, 0, 0, 150, 0, 0, 0, 1])

    static let full = ImageMetadata(
        colorProfile: ColorProfile(
            codePoints: ColorCodePoints(primaries: 12, transfer: 13),
            renderingIntent: .relativeColorimetric,
            gamma: 45_455,
            chromaticities: ColorProfile.Chromaticities(
                white: .init(x: 31_270, y: 32_900),
                red: .init(x: 64_000, y: 33_000),
                green: .init(x: 30_000, y: 60_000),
                blue: .init(x: 15_000, y: 6_000)
            )
        ),
        density: PixelDensity(horizontal: 2835, vertical: 2835, unit: .meter),
        texts: [
            ImageText("Title", "Ein Bild mit Ümlaut"),
            ImageText("Comment", "日本語", language: "ja", translatedKeyword: "コメント"),
            ImageText("Long", String(repeating: "text ", count: 1000)),
            ImageText("Langes", String(repeating: "文", count: 1000), language: "zh"),
        ],
        exif: exif
    )

    @Test func aPNGKeepsEverything() throws {
        var image = try RasterImage.noise(3, 3, .rgb8)
        image.metadata = Self.full
        let back = try RasterImage(encoded: PNGTransformer().encode(image))
        #expect(back.metadata == Self.full)
        #expect(back.warnings.isEmpty)
        #expect(back == image)
    }

    @Test(arguments: [0, 1, 65_518, 65_519, 65_520, 300_000])
    func profilesOfAnySizeAreKept(size: Int) throws {
        var random = SeededGenerator(seed: 5)
        let profile = Data((0..<max(1, size)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        var image = try RasterImage.gradient(8, 8)
        image.metadata.colorProfile.icc = profile
        #expect(try RasterImage(encoded: PNGTransformer().encode(image)).metadata.colorProfile.icc == profile)
        #expect(try RasterImage(encoded: JPEGTransformer().encode(image)).metadata.colorProfile.icc == profile)
    }

    @Test func aJPEGKeepsExifDensityAndComment() throws {
        var image = try RasterImage.gradient(8, 8)
        image.metadata.exif = Self.exif
        image.metadata.density = PixelDensity(horizontal: 300, vertical: 150, unit: .inch)
        image.metadata.texts = [ImageText("Comment", "naïve"), ImageText(ImageText.xmpKeyword, "<x/>")]
        let back = try RasterImage(encoded: JPEGTransformer().encode(image)).metadata
        #expect(back.exif == Self.exif)
        #expect(back.density == image.metadata.density)
        #expect(back.orientation == .right)
        #expect(Set(back.texts) == Set(image.metadata.texts))
    }

    /// A marker segment of ITU-T T.81, section B.2.4.5: the length counts itself.
    private static func withComment(_ text: Data, _ jpeg: Data) -> Data {
        let length = UInt16(text.count + 2)
        return jpeg.prefix(2) + [0xFF, 0xFE, UInt8(length >> 8), UInt8(length & 0xFF)] + text + jpeg.dropFirst(2)
    }

    @Test(arguments: [
        ("a C string\0", "a C string"), ("plain", "plain"), ("two\0\0", "two"), ("\0", ""), ("", ""), ("a\0b", "a\0b"),
    ])
    func aCommentEndsBeforeTheNULOfC(written: String, text: String) throws {
        let jpeg = try JPEGTransformer().encode(RasterImage.gradient(8, 8))
        let image = try RasterImage(encoded: Self.withComment(Data(written.utf8), jpeg))
        #expect(image.metadata.texts == [ImageText("Comment", text)])
        guard !text.contains("\0") else {
            let error = #expect(throws: TransformerError.self) { try PNGTransformer().encode(image) }
            #expect(error?.message.contains("image(strip: true)") == true)
            return
        }
        #expect(try RasterImage(encoded: PNGTransformer().encode(image)).metadata.texts == image.metadata.texts)
    }

    @Test func densitiesAreTheSameInEveryUnit() {
        // 72 pixels an inch are 2834.6 a meter.
        let inch = PixelDensity(horizontal: 72, vertical: 72, unit: .inch)
        #expect(inch == PixelDensity(horizontal: 2835, vertical: 2835, unit: .meter))
        #expect(inch != PixelDensity(horizontal: 72, vertical: 72, unit: .ratio))
    }

    @Test func aDensityInExifIsRead() throws {
        let image = try RasterImage(encoded: PNGBuilder.onePixel(chunks: PNGBuilder.chunk("eXIf", Self.density)))
        #expect(image.metadata.density == PixelDensity(horizontal: 300, vertical: 150, unit: .inch))
    }

    @Test(arguments: ImageOrientation.allCases)
    func theOrientationCanBeSet(orientation: ImageOrientation) throws {
        var metadata = ImageMetadata()
        metadata.orientation = orientation
        #expect(metadata.orientation == orientation)
        #expect((metadata.exif == nil) == (orientation == .up))
        metadata.exif = Self.exif
        metadata.orientation = orientation
        #expect(metadata.orientation == orientation)
        #expect(metadata.exif?.count == Self.exif.count)
    }

    @Test func anOrientationIsAddedToExifWithoutOne() throws {
        var metadata = ImageMetadata()
        // Make alone, big-endian.
        metadata.exif = Data([
            0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 0x01, 0x0F, 0, 2, 0, 0, 0, 4, 0x41, 0x42, 0x43, 0, 0, 0, 0, 0,
        ])
        metadata.orientation = .left
        #expect(metadata.orientation == .left)
        var image = try RasterImage.gradient(8, 8)
        image.metadata = metadata
        let facts = try inspect(JPEGTransformer().encode(image))
        #expect(facts["make"] == "ABC")
        #expect(facts["orientation"]?.hasPrefix("8") == true)
    }

    @Test(
        arguments: [
            ("eXIf", Data("nonsense".utf8)), ("iCCP", Data("name".utf8)), ("gAMA", Data([1])),
            ("cHRM", Data(count: 31)),
            ("sRGB", Data([9])), ("pHYs", Data([0])), ("zTXt", Data("k\0\0broken".utf8)), ("iTXt", Data("k\0".utf8)),
            ("tEXt", Data("no end".utf8)), ("tEXt", Data("\0no keyword".utf8)), ("tEXt", Data("two\nlines\0x".utf8)),
            ("tEXt", Data("\(String(repeating: "k", count: 85))\0x".utf8)), ("tEXt", Data("Title\0a\0b".utf8)),
            ("iTXt", Data("Title\0\0\0\0\0a\0b".utf8)),
        ] as [(String, Data)]
    )
    func malformedChunksAreLeftOutWithAWarning(type: String, data: Data) throws {
        let image = try RasterImage(encoded: PNGBuilder.onePixel(chunks: PNGBuilder.chunk(type, data)))
        #expect(image.metadata == ImageMetadata())
        #expect(image.warnings.contains { $0.contains(type) })
        #expect(try image.pixels == Data([7]))
    }

    /// A PNG keyword has 1 to 79 printable Latin-1 characters (PNG, section 11.3.3.2).
    @Test(arguments: ["", String(repeating: "x", count: 85), "a\nb", "\u{7F}"])
    func aProfileWithAMalformedNameIsKept(name: String) throws {
        let chunk = PNGBuilder.chunk("iCCP", Data(name.utf8) + [0, 0] + PNGBuilder.zlib(TestProfiles.gray))
        let image = try RasterImage(encoded: PNGBuilder.onePixel(chunks: chunk))
        #expect(image.metadata == ImageMetadata(colorProfile: ColorProfile(icc: TestProfiles.gray)))
        #expect(image.warnings.contains { $0.contains("name of the ICC profile") })
        let back = try RasterImage(encoded: PNGTransformer().encode(image.detached()))
        #expect(back.metadata == image.metadata)
        #expect(back.warnings.isEmpty)
    }

    @Test(
        arguments: [
            ("tEXt", Data("Title\0a C string\0\0".utf8)),
            ("zTXt", Data("Title\0\0".utf8) + PNGBuilder.zlib(Data("a C string\0".utf8))),
            ("iTXt", Data("Title\0\0\0\0\0a C string\0".utf8)),
        ] as [(String, Data)]
    )
    func aTextOfAPNGEndsBeforeTheNULOfC(type: String, data: Data) throws {
        let image = try RasterImage(encoded: PNGBuilder.onePixel(chunks: PNGBuilder.chunk(type, data)))
        #expect(image.metadata.texts == [ImageText("Title", "a C string")])
        let back = try RasterImage(encoded: PNGTransformer().encode(image.detached()))
        #expect(back.metadata.texts == image.metadata.texts)
    }

    @Test func aTextThatUnpacksToTooMuchIsLeftOut() throws {
        var image = try RasterImage.noise(1, 1, .gray8)
        image.metadata.texts = [ImageText("Bomb", String(repeating: "a", count: 1_000_000))]
        let file = try PNGTransformer().encode(image)
        let limited = PNGTransformer(limits: ImageLimits(maxMetadataBytes: 10_000))
        let back = try limited.decode(file)
        #expect(back.metadata.texts.isEmpty)
        #expect(back.warnings.count == 1)
    }

    /// Each comment counts as 64 bytes more than it has.
    @Test func manyEmptyCommentsDoNotTakeMuchMemory() throws {
        let comments = Data((0..<100).flatMap { _ in [0xFF, 0xFE, 0, 2] as [UInt8] })
        let bytes = JPEGFixture.baseline.bytes.prefix(2) + comments + JPEGFixture.baseline.bytes.dropFirst(2)
        let options = ImageReadingOptions(limits: ImageLimits(maxMetadataBytes: 1000))
        let image = try RasterImage(encoded: bytes, options: options)
        #expect(image.metadata.texts.count == 16)
        #expect(image.warnings.first?.contains("“maxMetadata”") == true)
        #expect(try RasterImage(encoded: bytes).metadata.texts.count == 100)
    }

    /// What is decompressed counts even if it is then left out: up to four times the limit.
    @Test(arguments: [(1, ["Title"]), (40, [])] as [(Int, [String])])
    func decompressionIsLimitedAsAWhole(bombs: Int, keywords: [String]) throws {
        var image = try RasterImage.noise(1, 1, .gray8)
        image.metadata.texts = [ImageText("Bomb", String(repeating: "a", count: 100_000))]
        let packed = try PNGTransformer().encode(image)
        let start = try #require(packed.range(of: Data("zTXt".utf8))).lowerBound - 4
        let length = packed[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        let bomb = packed[start..<start + length + 12]
        let title = PNGBuilder.chunk("zTXt", Data("Title\0\0".utf8) + PNGBuilder.zlib(Data("x".utf8)))
        let file = PNGBuilder.onePixel(chunks: Data((0..<bombs).flatMap { _ in bomb }) + title)
        let back = try PNGTransformer(limits: ImageLimits(maxMetadataBytes: 10_000)).decode(file)
        #expect(back.metadata.texts.map(\.keyword) == keywords)
    }

    struct Claim: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Numbers of 32 bits, by their offset.
        let numbers: [Int: UInt8]
        /// The number of bytes that remain.
        let count: Int
    }

    /// The main directory is at 8, and its pointer to the next one at 46.
    ///
    /// The directory of the photo is at 57, its text ends at 95, and the thumbnail at 101, where the second directory
    /// begins. It contains the place of the thumbnail at 111, and its size at 123.
    @Test(arguments: [
        Claim(testDescription: "its directory is the main one", numbers: [46: 8], count: 131),
        Claim(testDescription: "its directory is that of the photo", numbers: [46: 57], count: 131),
        Claim(testDescription: "it is everything", numbers: [111: 8, 123: 123], count: 95),
        Claim(testDescription: "it is the main directory", numbers: [111: 8, 123: 40], count: 101),
    ])
    func aThumbnailCannotRemoveWhatBelongsToTheImage(claim: Claim) throws {
        var builder = ExifBuilder()
        builder.main = [.text(0x010F, "Camera"), .short(0x0112, 6)]
        builder.photo = [.text(0x9003, "2024:05:01 12:34:56")]
        builder.thumbnail = Data("secret".utf8)
        var exif = builder.bytes
        #expect(exif.count == 131)
        #expect(exif[46] == 101)
        for (offset, number) in claim.numbers {
            exif.replaceSubrange(offset..<offset + 4, with: [number, 0, 0, 0])
        }
        var image = try RasterImage.gradient(8, 8)
        image.metadata.exif = exif
        let back = try RasterImage(encoded: JPEGTransformer().encode(image)).metadata.exif
        exif.resetBytes(in: 46..<50)
        #expect(back == exif.prefix(claim.count))
    }

    /// Its strips are at the offsets of one entry and have the lengths of another one (CIPA DC-008, section 4.6.8).
    @Test func aThumbnailThatIsNotCompressedIsRemoved() throws {
        var builder = ExifBuilder()
        builder.main = [.short(0x0112, 6)]
        builder.thumbnail = Data("secret".utf8)
        var exif = builder.bytes
        let directory = try #require(exif.firstRange(of: [0x01, 0x02, 4, 0, 1, 0, 0, 0])).lowerBound
        exif.replaceSubrange(directory..<directory + 2, with: [0x11, 0x01])
        exif.replaceSubrange(directory + 12..<directory + 14, with: [0x17, 0x01])
        var image = try RasterImage.gradient(8, 8)
        image.metadata.exif = exif
        try image.withMutablePixels { $0[0] = 1 }
        let rest = try #require(image.metadata.exif)
        #expect(rest.firstRange(of: Data("secret".utf8)) == nil)
        #expect(image.metadata.orientation == .right)
    }

    /// Each of the 65,535 entries has one of the three million files as its value, so that file is kept.
    @Test(.timeLimit(.minutes(1))) func millionsOfPreviewsAreRemovedInSeconds() throws {
        let (entryCount, gap) = (65_535, 45)
        func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        let start = 8 + 2 + 12 * entryCount + 4
        var exif = Data("MM".utf8) + [0, 42, 0, 0, 0, 8, 0xFF, 0xFF]
        for index in 0..<entryCount {
            exif.append(contentsOf: [0x90, 0, 0, 1] + number(5))
            exif.append(contentsOf: number(start + index * 5 * gap))
        }
        exif.append(Data(count: 4))
        var previews = Data([0xFF, 0xD8, 0xFF, 0xD9, 0])
        while previews.count < 5 * gap * entryCount { previews.append(previews) }
        exif.append(previews.prefix(5 * gap * entryCount))
        var image = try RasterImage.gradient(8, 8)
        image.metadata.exif = exif
        try image.withMutablePixels { $0[0] = 1 }
        let rest = try #require(image.metadata.exif)
        #expect(rest.count == exif.count)
        #expect(rest.prefix(start + 5) == exif.prefix(start + 5))
        #expect(rest.dropFirst(start + 5).prefix(5 * (gap - 1)) == Data(count: 5 * (gap - 1)))
        #expect(rest.dropFirst(start + 5 * gap).prefix(5) == exif.dropFirst(start).prefix(5))
    }

    @Test func anUprightImageHasNoThumbnail() throws {
        var builder = ExifBuilder()
        builder.main = [.text(0x010F, "Camera"), .short(0x0112, 6)]
        builder.thumbnail = Data("secret".utf8)
        var image = try RasterImage.gradient(8, 8)
        image.metadata.exif = builder.bytes
        let upright = try RasterImage(encoded: PNGTransformer().encode(image.oriented())).metadata
        #expect(upright.orientation == .up)
        let exif = try #require(upright.exif)
        #expect(exif.firstRange(of: Data("Camera".utf8)) != nil)
        #expect(exif.firstRange(of: Data("secret".utf8)) == nil)
    }

    @Test func metadataAfterThePixelsAreRead() throws {
        let file = PNGBuilder.onePixel(after: PNGBuilder.chunk("eXIf", Self.exif))
        #expect(try RasterImage(encoded: file).metadata.orientation == .right)
    }

    /// ExifTool reports such files as improper, and reads them.
    @Test func exifInAPNGCanHaveThePrefixOfJPEG() throws {
        let chunk = PNGBuilder.chunk("eXIf", Data("Exif\0\0".utf8) + Self.exif)
        let image = try RasterImage(encoded: PNGBuilder.onePixel(chunks: chunk))
        #expect(image.metadata.exif == Self.exif)
        #expect(image.metadata.orientation == .right)
        #expect(image.warnings.isEmpty)
    }

    @Test(arguments: ["", String(repeating: "k", count: 80), "日本", "a\u{0}b"])
    func impossibleKeywordsAreErrors(keyword: String) throws {
        var image = try RasterImage.noise(1, 1, .gray8)
        image.metadata.texts = [ImageText(keyword, "text")]
        let error = #expect(throws: TransformerError.self) { try PNGTransformer().encode(image) }
        #expect(error?.code == .invalidValue)
    }

    private func inspect(_ bytes: Data) throws -> [String: String] {
        let facts = try ImagePlugin().inspectors.compactMap { try $0.inspect(bytes) }.flatMap(\.facts)
        return Dictionary(facts.map { ($0.label, $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}
