import Foundation
import ImagePlugin
import Testing
import Transformable

/// Files of formats that the plugin recognizes, but does not read.
@Suite struct OtherFormatsTests {
    /// The start of a file of 40 × 30 pixels, by hand from the specification of its format.
    struct Sample: Sendable, CustomTestStringConvertible {
        let format: ImageFileFormat
        let bytes: Data

        var testDescription: String { format.rawValue }
    }

    static let samples = [
        Sample(format: .gif, bytes: Data("GIF89a".utf8) + [40, 0, 30, 0, 0, 0, 0]),
        // A lossless picture: 14 bits each of the width and height, minus one.
        Sample(
            format: .webp,
            bytes: Data("RIFF".utf8) + [17, 0, 0, 0] + Data("WEBPVP8L".utf8) + [5, 0, 0, 0, 0x2F, 39, 0x40, 7, 0, 0]
        ),
        // A directory with a width and a height of 16 bits.
        Sample(
            format: .tiff,
            bytes: Data([0x49, 0x49, 42, 0, 8, 0, 0, 0, 2, 0])
                + [0, 1, 3, 0, 1, 0, 0, 0, 40, 0, 0, 0, 1, 1, 3, 0, 1, 0, 0, 0, 30, 0, 0, 0, 0, 0, 0, 0]
        ),
        Sample(format: .tiff, bytes: bigTIFF(isLittleEndian: true)),
        Sample(format: .tiff, bytes: bigTIFF(isLittleEndian: false)),
        Sample(format: .heic, bytes: container(brand: "heic")),
        Sample(format: .avif, bytes: container(brand: "avif")),
    ]

    /// A directory with a width of 16 bits and a height of 64 bits, as libtiff's document “BigTIFF Design” describes it.
    private static func bigTIFF(isLittleEndian: Bool) -> Data {
        func number(_ value: UInt64, size: Int) -> Data {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
            return Data(isLittleEndian ? bytes : bytes.reversed())
        }
        func entry(_ tag: UInt64, type: UInt64, _ value: UInt64, size: Int) -> Data {
            let start = number(tag, size: 2) + number(type, size: 2) + number(1, size: 8)
            return start + number(value, size: size) + Data(count: 8 - size)
        }
        let version = number(43, size: 2) + number(8, size: 2) + number(0, size: 2)
        let header = Data((isLittleEndian ? "II" : "MM").utf8) + version + number(16, size: 8)
        let directory = entry(256, type: 3, 40, size: 2) + entry(257, type: 16, 30, size: 8)
        return header + number(2, size: 8) + directory + number(0, size: 8)
    }

    /// An ISO base media file with a tile of 16 × 16 and an image of 40 × 30 pixels.
    ///
    /// - Parameters:
    ///   - brand: The brand of the format.
    ///   - rest: The bytes behind the last box of the properties, which are too few for another one.
    ///   - mediaSize: The size that the last box states, or nil for its actual size.
    /// - Returns: The file.
    private static func container(brand: String, rest: Data = Data(), mediaSize: UInt32? = nil) -> Data {
        func box(_ type: String, _ content: Data) -> Data {
            bigEndian(UInt32(content.count + 8)) + Data(type.utf8) + content
        }
        func size(_ width: UInt32, _ height: UInt32) -> Data {
            box("ispe", bigEndian(0) + bigEndian(width) + bigEndian(height))
        }
        let properties = box("iprp", box("ipco", size(16, 16) + size(40, 30) + rest))
        let media = bigEndian(mediaSize ?? 11) + Data("mdat".utf8) + Data([1, 2, 3])
        return box("ftyp", Data(brand.utf8) + bigEndian(0) + Data("mif1".utf8))
            + box("meta", bigEndian(0) + box("hdlr", Data(count: 24)) + properties) + media
    }

    /// A box of size 0 extends to the end of the file (ISO/IEC 14496-12, section 4.2).
    ///
    /// It can follow a container, and the last bytes of a container can be zeros.
    @Test(arguments: [
        container(brand: "heic", mediaSize: 0), container(brand: "avif", mediaSize: 0),
        container(brand: "heic", rest: Data(count: 4)), container(brand: "heic", rest: Data(count: 7), mediaSize: 0),
    ])
    func aSizeOfZeroBelongsToTheBoxThatStatesIt(bytes: Data) throws {
        let image = try ImageTransformer(unknown: .keep).decode(bytes)
        #expect((image.width, image.height) == (40, 30))
    }

    @Test(arguments: samples)
    func filesAreRecognizedAndRefusedWithARemedy(sample: Sample) throws {
        let error = #expect(throws: TransformerError.self) { try ImageTransformer().decode(sample.bytes) }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains(sample.format.title) == true)
        #expect(error?.message.contains("unknown: keep") == true)
    }

    @Test(arguments: samples)
    func filesAreKeptOnRequest(sample: Sample) throws {
        let keeping = ImageTransformer(unknown: .keep)
        let image = try keeping.decode(sample.bytes)
        #expect((image.width, image.height) == (40, 30))
        #expect(image.encoded?.format == sample.format)
        #expect(try keeping.encode(image) == sample.bytes)
        #expect(try keeping.isUnchanged(image, since: sample.bytes, in: .none))
        #expect(throws: TransformerError(.unsupported, "")) { try image.pixels }
        #expect(throws: TransformerError(.unsupported, "")) { try ImageTransformer().encode(image) }
        #expect(throws: TransformerError(.unsupported, "")) { try PNGTransformer().encode(image) }
        // Nothing that could identify a person is passed on as if it had been removed.
        let stripping = ImageTransformer(isStripping: true, unknown: .keep)
        #expect(throws: TransformerError(.unsupported, "")) { try stripping.encode(image) }
        let limited = ImageTransformer(limits: ImageLimits(maxPixels: 1199), unknown: .keep)
        #expect(throws: TransformerError.limitExceeded("")) { try limited.decode(sample.bytes) }
    }

    @Test(arguments: samples, ["image(unknown: keep)", "image(unknown: keep, tolerant: true)"])
    func filesAreKeptOnTheCommandLine(sample: Sample, expression: String) throws {
        let resolved = try TransformerRegistry { ImagePlugin() }.resolve(expression)
        let image = try #require(try resolved.form?.parse(sample.bytes) as? RasterImage)
        #expect(try resolved.encode(any: image, in: .none) as? Data == sample.bytes)
        #expect(try ImageTransformer(unknown: .keep).encode(image) == sample.bytes)
    }

    @Test(arguments: samples)
    func filesAreInspected(sample: Sample) throws {
        let inspections = try ImagePlugin().inspectors.compactMap { try $0.inspect(sample.bytes) }
        #expect(inspections.map(\.kind) == ["\(sample.format.title) image"])
        #expect(inspections[0].facts.contains(Inspection.Fact("width", "40")))
        #expect(inspections[0].facts.contains(Inspection.Fact("height", "30")))
    }

    @Test(arguments: samples)
    func truncatedFilesAreImagesOrTypedErrors(sample: Sample) throws {
        for count in 0..<sample.bytes.count {
            do {
                _ = try ImageTransformer(unknown: .keep).decode(sample.bytes.prefix(count))
            } catch let error as TransformerError {
                #expect(!error.message.isEmpty)
            }
        }
    }

    @Test func keptFilesArePrintedAsTheyAre() throws {
        let resolved = try TransformerRegistry { ImagePlugin() }.resolve("image(unknown: keep)")
        let form = try #require(resolved.form)
        let gif = Self.samples[0].bytes
        #expect(try form.print(form.parse(gif), "gif") == gif)
        #expect(throws: TransformerError(.unsupported, "")) { try form.print(form.parse(gif), "png") }
    }
}
