import Foundation
import ImagePlugin
import Testing
import Transformable

/// What a format cannot hold is converted or refused, and never silently lost.
@Suite struct SilentLossTests {
    /// An animation of 20 frames that is played forever, according to its acTL chunk.
    private static let animation = PNGBuilder.onePixel(
        chunks: PNGBuilder.chunk("acTL", Data([0, 0, 0, 20, 0, 0, 0, 0])) + frameControl(0)
    )

    /// The fcTL chunk of a frame with one row (PNG, section 11.3.6.2).
    private static func frameControl(_ number: UInt8, width: UInt8 = 1) -> Data {
        let size: [UInt8] = [0, 0, 0, width, 0, 0, 0, 1]
        return PNGBuilder.chunk("fcTL", Data([0, 0, 0, number] + size + Array(repeating: 0, count: 14)))
    }

    /// The picture of an animation of one frame, and another picture before it, which Pillow counts as a frame, too.
    @Test(arguments: [(false, 2), (true, 1)])
    func aPictureBeforeTheAnimationCountsAsAFrame(isPartOfAnimation: Bool, frames: Int) throws {
        let control = PNGBuilder.chunk("acTL", Data([0, 0, 0, 1, 0, 0, 0, 0]))
        let file = PNGBuilder.onePixel(chunks: isPartOfAnimation ? control + Self.frameControl(0) : control)
        let image = try RasterImage(encoded: file)
        #expect(ImageFrameCountTransformer().encode(image, in: .none) == Int64(frames))
        let again = try TransformerRegistry { ImagePlugin() }.resolve("png(compression: 9)")
        let given = try #require(try again.form?.parse(file) as? RasterImage)
        if frames == 2 {
            let error = #expect(throws: TransformerError.self) { try again.encode(any: given, in: .none) }
            #expect(error?.code == .unsupported)
        } else {
            #expect(throws: Never.self) { try again.encode(any: given, in: .none) }
        }
        #expect(try image.firstFrame().pixels == image.pixels)
        #expect(try image.firstFrame().encoded == nil || frames == 1)
    }

    @Test(arguments: [
        "png", "image", "png(strip: true)", "image(strip: true)", "png(compression: 9)",
        "fit(width: 2, height: 2) | png",
    ])
    func anAnimationKeepsItsFrames(expression: String) throws {
        let transformer = try TransformerRegistry { ImagePlugin() }.transformer(expression, for: RasterImage.self)
        #expect(try transformer.encode(RasterImage(encoded: Self.animation)) == Self.animation)
    }

    @Test(arguments: ["png(compression: 9)", "jpeg", "cover(width: 2, height: 2) | png"])
    func anAnimationIsNotEncodedAgain(expression: String) throws {
        let resolved = try TransformerRegistry { ImagePlugin() }.resolve(expression)
        let image = try #require(try resolved.form?.parse(Self.animation) as? RasterImage)
        let error = #expect(throws: TransformerError.self) { try resolved.encode(any: image, in: .none) }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("20 frames") == true)
        let first = try image.detached()
        #expect(throws: Never.self) { try resolved.encode(any: first, in: .none) }
    }

    @Test(arguments: ["first-frame | png", "first-frame | jpeg", "first-frame | image", "strip | first-frame | png"])
    func aStageTakesTheFirstFrame(expression: String) throws {
        let transformer = try TransformerRegistry { ImagePlugin() }.transformer(expression, for: RasterImage.self)
        let file = try transformer.encode(RasterImage(encoded: Self.animation))
        #expect(file.range(of: Data("acTL".utf8)) == nil)
        #expect(try transformer.encode(transformer.decode(file)) == file)
        #expect(try transformer.decode(file).width == 1)
    }

    @Test func aStillImageKeepsItsFileAsTheFirstFrame() throws {
        let image = try RasterImage(encoded: JPEGFixture.baseline.bytes)
        #expect(try image.firstFrame().encoded?.bytes == image.encoded?.bytes)
    }

    @Test func inspectionCountsFrames() throws {
        let registry = try TransformerRegistry { ImagePlugin() }
        let facts = try registry.inspectors.compactMap { try $0.inspect(Self.animation) }.flatMap(\.facts)
        #expect(facts.contains(Inspection.Fact("frames", "20")))
    }

    /// 1.055 × (128 / 255) ^ (1 / 2.4) − 0.055 is 187.8 / 255 (IEC 61966-2-1).
    @Test func linearGrayBecomesSRGBInAJPEG() throws {
        var image = try RasterImage(width: 8, height: 8, format: .gray8, pixels: Data(repeating: 128, count: 64))
        image.metadata.colorProfile.gamma = 100_000
        let jpeg = try RasterImage(encoded: JPEGTransformer().encode(image))
        #expect(try jpeg.pixels.allSatisfy { (187...189).contains($0) })
        #expect(jpeg.metadata.colorProfile.isEmpty)
    }

    /// Display P3 (120, 160, 140), converted by hand with the matrices of its primaries (SMPTE EG 432-1) and of BT.709.
    ///
    /// Code points precede a profile (PNG, third edition, section 4.3).
    @Test(arguments: [nil, TestProfiles.wide])
    func codePointsBecomeSRGBInAJPEG(profile: Data?) throws {
        let pixels = Data((0..<64).flatMap { _ in [120, 160, 140] as [UInt8] })
        var image = try RasterImage(width: 8, height: 8, format: .rgb8, pixels: pixels)
        image.metadata.colorProfile.codePoints = ColorCodePoints(primaries: 12, transfer: 13)
        image.metadata.colorProfile.icc = profile
        let options = JPEGOptions(quality: 100, subsampling: .none)
        let jpeg = try RasterImage(encoded: JPEGTransformer(options: options).encode(image))
        let back = try jpeg.pixels.prefix(3)
        #expect(zip(back, [108, 161, 139]).allSatisfy { abs(Int($0) - $1) <= 2 }, "\(Array(back))")
        #expect(jpeg.metadata.colorProfile.isEmpty)
    }

    private static let displayP3 = ColorCodePoints(primaries: 12, transfer: 13)

    /// The colors of `codePointsBecomeSRGBInAJPEG` and of `linearGrayBecomesSRGBInAJPEG`.
    @Test(
        arguments: [
            (ColorProfile(codePoints: displayP3), [120, 160, 140], [108, 161, 139]),
            (ColorProfile(codePoints: displayP3, icc: TestProfiles.wide), [120, 160, 140], [108, 161, 139]),
            (ColorProfile(gamma: 100_000), [128, 128, 128], [188, 188, 188]),
        ] as [(ColorProfile, [UInt8], [UInt8])]
    )
    func colorsThatAreSetOnAJPEGAreConverted(profile: ColorProfile, pixel: [UInt8], expected: [UInt8]) throws {
        let options = JPEGOptions(quality: 100, subsampling: .none)
        let jpeg = JPEGTransformer(options: options)
        let pixels = Data((0..<64).flatMap { _ in pixel })
        let plain = try RasterImage(width: 8, height: 8, format: .rgb8, pixels: pixels)
        var image = try RasterImage(encoded: jpeg.encode(plain))
        image.metadata.colorProfile = profile
        let stored = try RasterImage(encoded: jpeg.encode(image))
        let back = try stored.pixels.prefix(3)
        #expect(zip(back, expected).allSatisfy { abs(Int($0) - Int($1)) <= 2 }, "\(Array(back))")
        #expect(stored.metadata.colorProfile.isEmpty)
        // This transformer does not encode pixels again.
        let error = #expect(throws: TransformerError.self) { try ImageTransformer().encode(image) }
        #expect(error?.code == .invalidValue)
    }

    /// PNG states this gamma for sRGB (PNG, third edition, section 11.3.2.5).
    @Test(arguments: ["jpeg", "image"]) func theGammaOfSRGBDoesNotChangeAJPEG(expression: String) throws {
        var image = try RasterImage(encoded: JPEGFixture.baseline.bytes)
        image.metadata.colorProfile.gamma = 45_455
        let transformer = try TransformerRegistry { ImagePlugin() }.transformer(expression, for: RasterImage.self)
        let stored = try RasterImage(encoded: transformer.encode(image))
        #expect(try stored.pixels == image.pixels)
    }

    @Test(arguments: ["jpeg", "image", "jpeg(lossless: optimize)", "jpeg(unchanged: never)"])
    func sRGBThatIsSetOnAJPEGPrecedesAdobeRGBInItsExif(expression: String) throws {
        var exif = ExifBuilder()
        exif.interoperability = [.text(1, "R03")]
        var image = try RasterImage.gradient(16, 16)
        image.metadata.exif = exif.bytes
        image = try RasterImage(encoded: JPEGTransformer().encode(image))
        image.metadata.colorProfile = .sRGB
        let transformer = try TransformerRegistry { ImagePlugin() }.transformer(expression, for: RasterImage.self)
        let stored = try transformer.decode(transformer.encode(image))
        exif.interoperability = [.text(1, "R98")]
        #expect(stored.metadata.exif == exif.bytes)
    }

    @Test(arguments: [nil, TestProfiles.wide])
    func colorsThatCannotBeConvertedAreRefused(profile: Data?) throws {
        var image = try RasterImage.gradient(8, 8)
        image.metadata.colorProfile.icc = profile
        image.metadata.colorProfile.codePoints = ColorCodePoints(primaries: 2, transfer: 2)
        let error = #expect(throws: TransformerError.self) { try JPEGTransformer().encode(image) }
        #expect(error?.code == .unsupported)
    }

    /// An image that was read with a raised limit is printed, although its metadata exceed the standard one of 16 MiB.
    @Test(arguments: ["png", "jpg"])
    func raisedLimitsApplyToPrinting(format: String) throws {
        let limits = ImageLimits(maxMetadataBytes: 32 << 20)
        var image = try RasterImage.noise(1, 1, .gray8)
        image.metadata.colorProfile.icc = Data(count: 16_700_000)
        image.metadata.texts = (0..<3).map { ImageText("Comment", String(repeating: "\($0)", count: 60_000)) }
        let file = try PNGTransformer(limits: limits).encode(image)
        let form = try #require(try TransformerRegistry { ImagePlugin() }.resolve("png(maxMetadata: \(32 << 20))").form)
        let printed = try form.print(form.parse(file), format)
        let back = try RasterImage(encoded: printed, options: ImageReadingOptions(limits: limits))
        #expect(back.metadata == image.metadata)
        // A new image has no file.
        let new = try form.print(image, format)
        #expect(new == printed)
    }

    /// An animation with alpha, which is not upright, and whose colors are not those of sRGB.
    private static let turnedAnimation: Data = {
        let chunks = [
            PNGBuilder.chunk("gAMA", bigEndian(100_000)), PNGBuilder.chunk("eXIf", ImageMetadataTests.exif),
            PNGBuilder.chunk("acTL", Data([0, 0, 0, 20, 0, 0, 0, 0])),
        ]
        return PNGBuilder.file(2, depth: 8, colorType: 4, chunks: chunks.reduce(Data(), +), rows: [[9, 255, 9, 0]])
    }()

    /// A method that changes pixels.
    struct Change: CustomTestStringConvertible {
        let testDescription: String
        let apply: @Sendable (RasterImage) throws -> RasterImage

        init(_ name: String, _ apply: @escaping @Sendable (RasterImage) throws -> RasterImage) {
            testDescription = name
            self.apply = apply
        }
    }

    @Test(arguments: [
        Change("oriented") { try $0.oriented() },
        Change("resized") { try $0.resized(width: 1, height: 1) },
        Change("fitted") { try $0.fitted(width: nil, height: 1) },
        Change("enlarged") { try $0.covering(width: 4, height: 1) },
        Change("covering") { try $0.covering(width: 1, height: 1) },
        Change("cropped") { try $0.cropped(width: 1, height: 1) },
        Change("convertedToSRGB") { try $0.convertedToSRGB() },
        Change("converted") { try $0.converted(to: .grayAlpha16) },
        Change("flattened") { try $0.flattened(background: .white) },
        Change("withMutablePixels") { try $0.withFirstSampleCleared() },
    ])
    func anAnimationIsNotChanged(change: Change) throws {
        let animation = try RasterImage(encoded: Self.turnedAnimation)
        let error = #expect(throws: TransformerError.self) { try change.apply(animation) }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("the changed image would have only one") == true)
        let first = try animation.firstFrame()
        #expect(throws: Never.self) { try change.apply(first) }
    }

    /// What needs no change keeps its file, with all frames.
    @Test func anAnimationThatNeedsNoChangeIsKept() throws {
        let animation = try RasterImage(encoded: Self.animation)
        let same = try animation.oriented().resized(width: 1, height: 1).fitted(width: 5, height: 5)
            .covering(width: 1, height: 1).cropped(width: 9, height: 9).convertedToSRGB().converted(to: .gray8)
            .flattened(background: .black)
        #expect(same.encoded?.bytes == Self.animation)
    }

    /// A picture, and an animation that begins with it and continues with a frame of another color.
    private static func pictures(isTurned: Bool) -> (still: Data, animation: Data) {
        let (width, samples): (UInt8, [UInt8]) = isTurned ? (2, [9, 255, 9, 0]) : (1, [7])
        let start =
            isTurned
            ? PNGBuilder.chunk("gAMA", bigEndian(100_000)) + PNGBuilder.chunk("eXIf", ImageMetadataTests.exif) : Data()
        let control = PNGBuilder.chunk("acTL", Data([0, 0, 0, 2, 0, 0, 0, 0])) + frameControl(0, width: width)
        let pixels = PNGBuilder.zlib(Data([0] + samples.map { _ in 200 }))
        let second = frameControl(1, width: width) + PNGBuilder.chunk("fdAT", Data([0, 0, 0, 2]) + pixels)
        func file(_ chunks: Data, after: Data = Data()) -> Data {
            let colorType: UInt8 = isTurned ? 4 : 0
            return PNGBuilder.file(
                Int(width),
                depth: 8,
                colorType: colorType,
                chunks: chunks,
                rows: [samples],
                after: after
            )
        }
        return (file(start), file(start + control, after: second))
    }

    /// A small animation, which is not scaled, is no exception.
    @Test(arguments: [false, true], ["png", "jpeg(background: \"#ffffff\")"])
    func aThumbnailShowsTheFirstFrame(isTurned: Bool, ending: String) throws {
        let registry = try TransformerRegistry { ImagePlugin() }
        let thumbnail = try registry.projection("thumbnail | \(ending)", for: RasterImage.self, to: Data.self)
        let (still, animation) = Self.pictures(isTurned: isTurned)
        #expect(try RasterImage(encoded: animation).encoded?.header.frameCount == 2)
        let small = try thumbnail.encode(RasterImage(encoded: animation))
        let expected = try RasterImage(encoded: thumbnail.encode(RasterImage(encoded: still)))
        #expect(try RasterImage(encoded: small) == expected)
        #expect(small.range(of: Data("acTL".utf8)) == nil)
        guard !isTurned else { return }
        let sample = try #require(RasterImage(encoded: small).pixels.first)
        #expect((5...9).contains(sample))
    }

    /// 1.055 × (128 / 255) ^ (1 / 2.4) − 0.055 is 187.8 / 255 (IEC 61966-2-1), and 0x8080 of 65,535 is the same.
    @Test(arguments: [PixelFormat.gray8, .gray16], ["pam", "pgm"])
    func linearGrayBecomesSRGBInAPAM(pixelFormat: PixelFormat, format: String) throws {
        let pixels = Data(repeating: 128, count: pixelFormat.bytesPerPixel)
        var image = try RasterImage(width: 1, height: 1, format: pixelFormat, pixels: pixels)
        image.metadata.colorProfile.icc = TestProfiles.gray
        let form = HumanForm<RasterImage>.image
        let back = try form.parse(form.print(image, format))
        #expect(back.format == pixelFormat)
        let most = try #require(try back.pixels.last)
        #expect((187...189).contains(most))
        // Without a profile, nothing changes.
        image.metadata.colorProfile = ColorProfile()
        #expect(try form.parse(form.print(image, format)).pixels == pixels)
    }

    /// The color of `codePointsBecomeSRGBInAJPEG`.
    @Test(arguments: ["pam", "ppm"])
    func codePointsBecomeSRGBInAPAM(format: String) throws {
        var image = try RasterImage(width: 1, height: 1, format: .rgb8, pixels: Data([120, 160, 140]))
        image.metadata.colorProfile.codePoints = ColorCodePoints(primaries: 12, transfer: 13)
        let form = HumanForm<RasterImage>.image
        let back = try Array(form.parse(form.print(image, format)).pixels)
        #expect(zip(back, [108, 161, 139]).allSatisfy { abs(Int($0) - $1) <= 1 }, "\(back)")
        image.metadata.colorProfile.codePoints = ColorCodePoints(primaries: 2, transfer: 2)
        let error = #expect(throws: TransformerError.self) { try form.print(image, format) }
        #expect(error?.code == .unsupported)
    }

    @Test func aPAMIsUpright() throws {
        var image = try RasterImage(width: 2, height: 1, format: .gray8, pixels: Data([1, 2]))
        image.metadata.orientation = .right
        let file = try HumanForm<RasterImage>.image.print(image, "pam")
        let back = try HumanForm<RasterImage>.image.parse(file)
        #expect(back.height == 2)
        #expect(try back.pixels == Data([1, 2]))
    }
}

extension RasterImage {
    fileprivate func withFirstSampleCleared() throws -> Self {
        var result = self
        try result.withMutablePixels { $0[0] = 0 }
        return result
    }
}
