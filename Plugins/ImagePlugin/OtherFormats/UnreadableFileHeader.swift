internal import Foundation
internal import Transformable
internal import TransformableImages

/// The header of a file whose pixels and metadata the plugin cannot read.
struct UnreadableFileHeader: ImageFileHeader {
    let format: ImageFileFormat
    let width: Int
    let height: Int

    /// The format is unknown, but an image must have one.
    var pixelFormat: PixelFormat { .rgba8 }
    var facts: [Inspection.Fact] { [] }

    init(_ bytes: Data, format: ImageFileFormat, limits: ImageLimits) throws(TransformerError) {
        guard let (width, height) = ImageFileSize.read(bytes, format: format), width > 0, height > 0 else {
            throw .damaged(format, "its width and height cannot be found")
        }
        guard width <= limits.maxPixels / height else {
            throw .tooManyPixels(width, height, limit: limits.maxPixels)
        }
        self.format = format
        self.width = width
        self.height = height
    }

    func decodePixels(_ file: EncodedImage) throws(TransformerError) -> DecodedPixels {
        throw .unreadable(format)
    }

    func readMetadata(_ file: EncodedImage) -> ReadMetadata {
        ReadMetadata(warnings: ["the pixels and metadata of \(format.title) files cannot be read"])
    }

    func checkStructure(_ file: EncodedImage) {}

    func replacing(
        _ file: EncodedImage,
        with metadata: ImageMetadata,
        isStripping: Bool
    ) throws(TransformerError) -> Data {
        throw TransformerError(
            .unsupported,
            "the metadata of \(format.title) files cannot be changed or removed; convert the image to PNG or JPEG"
        )
    }
}

extension TransformerError {
    /// Returns the error for a file of a format that the plugin recognizes but does not read.
    static func unreadable(_ format: ImageFileFormat) -> Self {
        let plugin = format == .webp ? " use the transformer webp of WebPPlugin," : ""
        return Self(
            .unsupported,
            "the pixels of \(format.title) files cannot be read;\(plugin) convert the image to PNG or JPEG, or keep the"
                + " file unchanged with “image(unknown: keep)”"
        )
    }
}

/// Finds the size of images in files that the plugin does not decode.
enum ImageFileSize {
    /// Returns the width and height in pixels, or nil if they cannot be found.
    static func read(_ bytes: Data, format: ImageFileFormat) -> (width: Int, height: Int)? {
        switch format {
        case .gif: gif(ByteReader(bytes, isLittleEndian: true))
        case .webp: webP(ByteReader(bytes, isLittleEndian: true))
        case .tiff: tiff(bytes)
        case .heic, .avif: BoxReader(bytes).largestImage
        case .png, .jpeg: nil
        }
    }

    /// Reads the logical screen descriptor (GIF89a, section 18).
    private static func gif(_ reader: ByteReader) -> (Int, Int)? {
        pair(reader.uint16(6), reader.uint16(8))
    }

    /// Reads the first chunk (RFC 9649, sections 2.5 to 2.7).
    private static func webP(_ reader: ByteReader) -> (Int, Int)? {
        func uint24(_ offset: Int) -> Int? {
            reader.uint32(offset).map { $0 & 0xFF_FFFF }
        }
        switch reader.slice(12, 4).map({ String(latin1: $0) }) {
        case "VP8X": return pair(uint24(24).map { $0 + 1 }, reader.uint32(26).map { $0 >> 8 + 1 })
        case "VP8 ": return pair(reader.uint16(26).map { $0 & 0x3FFF }, reader.uint16(28).map { $0 & 0x3FFF })
        case "VP8L":
            let bits = reader.uint32(21)
            return pair(bits.map { $0 & 0x3FFF + 1 }, bits.map { $0 >> 14 & 0x3FFF + 1 })
        default: return nil
        }
    }

    /// Reads the first directory (TIFF 6.0, section 8), which has the same structure as EXIF.
    private static func tiff(_ bytes: Data) -> (Int, Int)? {
        guard let structure = ExifStructure(bytes) else {
            return bigTIFF(ByteReader(bytes, isLittleEndian: bytes.first == 0x49))
        }
        let entries = structure.mainEntries
        func number(_ tag: Int) -> Int? { entries.first { $0.tag == tag }.flatMap { structure.unsigned($0) } }
        return pair(number(0x0100), number(0x0101))
    }

    /// Reads the first directory of a BigTIFF file, whose counts and offsets have 64 bits (libtiff, “BigTIFF Design”).
    private static func bigTIFF(_ reader: ByteReader) -> (Int, Int)? {
        // The version, the size of an offset, and zero.
        guard reader.uint16(2) == 43, reader.uint16(4) == 8, reader.uint16(6) == 0, let directory = reader.uint64(8),
            let count = reader.uint64(directory)
        else { return nil }
        let start = directory + 8
        // A directory of a TIFF file cannot have more entries, either.
        let entries = (0..<min(count, (reader.count - start) / 20, 65_535)).map { start + $0 * 20 }
        func number(_ tag: Int) -> Int? {
            guard let entry = entries.first(where: { reader.uint16($0) == tag && reader.uint64($0 + 4) == 1 }) else {
                return nil
            }
            switch reader.uint16(entry + 2) {
            case 3: return reader.uint16(entry + 12)
            case 4: return reader.uint32(entry + 12)
            case 16: return reader.uint64(entry + 12).flatMap { UInt32(exactly: $0) }.map { Int($0) }
            default: return nil
            }
        }
        return pair(number(0x0100), number(0x0101))
    }

    private static func pair(_ width: Int?, _ height: Int?) -> (Int, Int)? {
        guard let width, let height else { return nil }
        return (width, height)
    }
}

/// Reads the boxes of an ISO base media file (ISO/IEC 14496-12, section 4.2).
private struct BoxReader {
    private let reader: ByteReader

    init(_ bytes: Data) {
        reader = ByteReader(bytes)
    }

    /// The size of the largest image that the file describes (ISO/IEC 23008-12, section 6.5.3).
    ///
    /// Tiles and thumbnails are smaller than the main image.
    var largestImage: (width: Int, height: Int)? {
        // The meta box begins with its version and flags.
        guard let meta = boxes(in: 0..<reader.count).first(where: { $0.type == "meta" })?.content,
            let properties = boxes(in: meta.dropFirst(4)).first(where: { $0.type == "iprp" })?.content,
            let container = boxes(in: properties).first(where: { $0.type == "ipco" })?.content
        else { return nil }
        return boxes(in: container)
            .compactMap { box -> (Int, Int)? in
                guard box.type == "ispe", let width = reader.uint32(box.content.lowerBound + 4),
                    let height = reader.uint32(box.content.lowerBound + 8)
                else { return nil }
                return (width, height)
            }
            .max { $0.0.multipliedFullWidth(by: $0.1) < $1.0.multipliedFullWidth(by: $1.1) }
    }

    private func boxes(in range: Range<Int>) -> [(type: String, content: Range<Int>)] {
        var result: [(type: String, content: Range<Int>)] = []
        var offset = range.lowerBound
        // Real files have a few dozen boxes per level. What follows the range belongs to a box outside of it.
        while result.count < 1000, range.upperBound - offset >= 8, let size = reader.uint32(offset),
            let letters = reader.slice(offset + 4, 4)
        {
            // 0 means that the box extends to the end. Boxes with a 64-bit size contain media data.
            let end = size == 0 ? range.upperBound : offset + size
            guard size == 0 || size >= 8, end <= range.upperBound else { break }
            result.append((String(latin1: letters), offset + 8..<end))
            offset = end
        }
        return result
    }
}
