import Foundation
import ImagePlugin
import Testing
import Transformable

@Suite struct JPEGTransformerTests {
    @Test(arguments: JPEGFixture.all)
    func readsWhatDjpegReads(_ fixture: JPEGFixture) throws {
        let image = try JPEGTransformer().decode(fixture.bytes)
        #expect(image.width == 21)
        #expect(image.height == 13)
        #expect(try crc32(image.pixels) == fixture.checksum)
        #expect(image.warnings.isEmpty)
    }

    @Test(arguments: JPEGFixture.all)
    func anUnchangedImageIsTheVeryFile(_ fixture: JPEGFixture) throws {
        let jpeg = JPEGTransformer(options: JPEGOptions(quality: 10))
        let image = try jpeg.decode(fixture.bytes)
        #expect(try jpeg.encode(image) == fixture.bytes)
        #expect(try jpeg.isUnchanged(image, since: fixture.bytes, in: .none))
    }

    @Test(arguments: JPEGFixture.all)
    func refusesEveryTruncation(_ fixture: JPEGFixture) {
        for length in 0..<fixture.bytes.count - 1 {
            let error = #expect(throws: TransformerError.self, "\(length) bytes") {
                try JPEGTransformer().decode(fixture.bytes.prefix(length)).pixels
            }
            if length > 3 { #expect(error?.code == .truncatedData) }
        }
    }

    @Test func toleranceGivesWhatCanBeRead() throws {
        let whole = try RasterImage.gradient(96, 96)
        let file = try JPEGTransformer(options: JPEGOptions(quality: 95)).encode(whole)
        let most = file.prefix(file.count * 3 / 4)
        #expect(throws: TransformerError(.truncatedData, "")) { try JPEGTransformer().decode(most) }
        let image = try JPEGTransformer(isTolerant: true).decode(most)
        let rows = try image.intactRows
        #expect((16..<96).contains(rows))
        #expect(image.warnings.last == "the image is intact up to row \(rows) of 96")
        #expect(HumanForm.image.remarks(image) == image.warnings)
        let expected = try RasterImage(encoded: file).pixels
        let intact = max(0, rows - 16) * image.rowStride
        #expect(try image.pixels.prefix(intact) == expected.prefix(intact))
    }

    @Test(arguments: JPEGOptions.Subsampling.allCases, [false, true])
    func aPhotographStaysCloseToItself(subsampling: JPEGOptions.Subsampling, progressive: Bool) throws {
        let image = try RasterImage.gradient(120, 90)
        let options = JPEGOptions(quality: 90, subsampling: subsampling, isProgressive: progressive, isOptimized: true)
        let jpeg = JPEGTransformer(options: options)
        let back = try jpeg.decode(jpeg.encode(image))
        #expect(try signalToNoise(image.pixels, back.pixels) > 38)
    }

    @Test func cmykKeepsItsInkValues() throws {
        let pixels = Data((0..<16 * 16).flatMap { _ -> [UInt8] in [200, 100, 50, 25] })
        let image = try RasterImage(width: 16, height: 16, format: .cmyk8, pixels: pixels)
        let back = try JPEGTransformer(options: JPEGOptions(quality: 100)).encode(image)
        #expect(try signalToNoise(image.pixels, RasterImage(encoded: back).pixels) > 40)
    }

    @Test func alphaIsAnErrorThatNamesTheRemedy() throws {
        let image = try RasterImage.noise(4, 4, .rgba8)
        let error = #expect(throws: TransformerError.self) { try JPEGTransformer().encode(image) }
        #expect(error?.code == .alphaNotSupported)
        #expect(error?.message.contains("background") == true)
    }

    @Test func aBackgroundShowsThrough() throws {
        let image = try RasterImage(width: 8, height: 8, format: .rgba8, pixels: Data(repeating: 0, count: 256))
        let background = JPEGOptions.Background(red: 255, green: 0, blue: 0)
        let options = JPEGOptions(quality: 100, subsampling: .none, background: background)
        let back = try RasterImage(encoded: JPEGTransformer(options: options).encode(image))
        #expect(try back.pixels[0] > 250)
        #expect(try back.pixels[1] < 5)
    }

    /// The numbers of the background would be the color (224, 113, 49) in the profile of the image.
    @Test(arguments: [PixelFormat.rgba8, .rgba16])
    func aBackgroundIsAColorOfSRGB(format: PixelFormat) throws {
        let pixels = Data(count: 64 * format.bytesPerPixel)
        let profile = ImageMetadata(colorProfile: ColorProfile(icc: TestProfiles.wide))
        let image = try RasterImage(width: 8, height: 8, format: format, pixels: pixels, metadata: profile)
        let background = JPEGOptions.Background(red: 200, green: 100, blue: 50)
        let options = JPEGOptions(quality: 100, subsampling: .none, background: background)
        let back = try RasterImage(encoded: JPEGTransformer(options: options).encode(image)).convertedToSRGB()
        #expect(try zip(back.pixels, [200, 100, 50]).allSatisfy { abs(Int($0) - $1) <= 2 })
    }

    @Test func aHugePictureInAFewBytesCostsNothing() {
        // A frame of 50,000 × 50,000 and the start of a scan.
        let file = Data([
            0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0xC3, 0x50, 0xC3, 0x50, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63,
            0,
            0x55, 0xFF, 0xD9,
        ])
        let error = #expect(throws: TransformerError.self) { try JPEGTransformer().decode(file) }
        #expect(error?.code == .limitExceeded)
        let wide = JPEGTransformer(limits: ImageLimits(maxPixels: 1 << 40))
        let short = #expect(throws: TransformerError.self) { try wide.decode(file) }
        #expect(short?.code == .truncatedData)
    }

    @Test func tooManyScansAreRefused() throws {
        let limited = JPEGTransformer(limits: ImageLimits(maxScans: 2))
        let image = try limited.decode(JPEGFixture.progressive.bytes)
        let error = #expect(throws: TransformerError.self) { try image.pixels }
        #expect(error?.code == .limitExceeded)
    }

    @Test(arguments: [(0xC3, "lossless"), (0xC5, "hierarchical")] as [(UInt8, String)])
    func unsupportedCodingIsNamed(marker: UInt8, name: String) {
        var file = JPEGFixture.baseline.bytes
        if let frame = file.range(of: Data([0xFF, 0xC0])) { file[frame.lowerBound + 1] = marker }
        let error = #expect(throws: TransformerError.self) { try JPEGTransformer().decode(file) }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains(name) == true)
    }

    /// Peak signal to noise in decibels.
    private func signalToNoise(_ left: Data, _ right: Data) -> Double {
        let sum = zip(left, right)
            .reduce(0.0) { sum, pair in
                let difference = Double(pair.0) - Double(pair.1)
                return sum + difference * difference
            }
        return sum == 0 ? .infinity : 10 * log10(255 * 255 * Double(left.count) / sum)
    }
}
