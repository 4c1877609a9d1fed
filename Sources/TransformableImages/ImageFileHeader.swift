public import Foundation
public import Transformable

/// The contents of an image file before its pixels, and the reader of the rest of the file.
///
/// A plugin for a file format reads the header with the limits of ``ImageReadingOptions``, and makes an image from it
/// with ``RasterImage/init(_:)-(EncodedImage)``. The image calls the methods below on first use, from any thread, with
/// the file that the header belongs to. They check limits before they allocate memory, and throw an error for damaged
/// bytes.
public protocol ImageFileHeader: Sendable {
    /// The format of the file.
    var format: ImageFileFormat { get }
    /// The width in pixels, which is at least 1.
    var width: Int { get }
    /// The height in pixels, which is at least 1.
    var height: Int { get }
    /// The layout that the pixels are decoded to.
    var pixelFormat: PixelFormat { get }
    /// The number of frames, which is 1 unless the file is animated.
    var frameCount: Int { get }
    /// Facts about how the file is encoded, for display.
    var facts: [Inspection.Fact] { get }

    /// Returns the pixels, in rows without gaps.
    func decodePixels(_ file: EncodedImage) throws(TransformerError) -> DecodedPixels

    /// Returns the metadata.
    ///
    /// Damaged metadata is left out with a warning, because the image is complete without it.
    func readMetadata(_ file: EncodedImage) -> ReadMetadata

    /// Follows the structure to the end of the file, without examining the contents.
    func checkStructure(_ file: EncodedImage) throws(TransformerError)

    /// Returns the same file with different metadata and the same compressed pixels.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - metadata: The metadata to write.
    ///   - isStripping: Whether to remove everything that is neither metadata nor part of the image.
    /// - Returns: The whole file.
    /// - Throws: `TransformerError` if the file is damaged or its format cannot contain the metadata.
    func replacing(
        _ file: EncodedImage,
        with metadata: ImageMetadata,
        isStripping: Bool
    ) throws(TransformerError) -> Data
}

extension ImageFileHeader {
    /// A single frame.
    public var frameCount: Int { 1 }
}

/// The result of decoding a file.
public struct DecodedPixels: Sendable {
    /// The rows of pixels, without gaps.
    public var pixels: Data
    /// Warnings about the file, for display.
    public var warnings: [String]
    /// The number of intact rows, if not all of them are.
    public var intactRows: Int?

    /// Creates a result.
    public init(pixels: Data, warnings: [String] = [], intactRows: Int? = nil) {
        self.pixels = pixels
        self.warnings = warnings
        self.intactRows = intactRows
    }
}

/// The result of reading the metadata of a file.
public struct ReadMetadata: Sendable {
    /// The metadata.
    public var metadata: ImageMetadata
    /// Warnings about the file, for display.
    public var warnings: [String]

    /// Creates a result.
    public init(metadata: ImageMetadata = ImageMetadata(), warnings: [String] = []) {
        self.metadata = metadata
        self.warnings = warnings
    }
}

/// An image file format.
///
/// Which formats can be read and written depends on the plugins.
public enum ImageFileFormat: String, CaseIterable, Sendable {
    /// Portable Network Graphics (ISO/IEC 15948).
    case png
    /// The JPEG File Interchange Format and related formats (ITU-T T.81 and T.871).
    case jpeg
    /// WebP (RFC 9649).
    case webp
    /// The Graphics Interchange Format.
    case gif
    /// The Tag Image File Format, also for most raw files of cameras.
    case tiff
    /// The High Efficiency Image File Format with HEVC (ISO/IEC 23008-12).
    case heic
    /// The AV1 Image File Format.
    case avif

    /// The name of the format for display.
    public var title: String {
        switch self {
        case .png: "PNG"
        case .jpeg: "JPEG"
        case .webp: "WebP"
        case .gif: "GIF"
        case .tiff: "TIFF"
        case .heic: "HEIC"
        case .avif: "AVIF"
        }
    }

    /// Detects a format by its first bytes.
    package init?(detecting bytes: Data) {
        let found: Self? =
            switch Array(bytes.prefix(4)) {
            case [0x89, 0x50, 0x4E, 0x47]:
                bytes.dropFirst(4).starts(with: [0x0D, 0x0A, 0x1A, 0x0A]) ? .png : nil
            case let start where start.starts(with: [0xFF, 0xD8, 0xFF]): .jpeg
            case Array("RIFF".utf8): bytes.dropFirst(8).starts(with: Data("WEBP".utf8)) ? .webp : nil
            case Array("GIF8".utf8): .gif
            case [0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A], [0x49, 0x49, 0x2B, 0], [0x4D, 0x4D, 0, 0x2B]: .tiff
            default: Self(brandsOf: ByteReader(bytes))
            }
        guard let found else { return nil }
        self = found
    }

    /// Detects a format by the brands at the beginning of an ISO base media file (ISO/IEC 14496-12, section 4.3).
    private init?(brandsOf reader: ByteReader) {
        guard let size = reader.uint32(0), reader.slice(4, 4) == Data("ftyp".utf8) else { return nil }
        // The brand, its version, and compatible brands. Real files have a handful.
        let offsets = [8] + Array(stride(from: 16, to: min(size, 256), by: 4))
        let brands = Set(offsets.compactMap { reader.slice($0, 4).map { String(latin1: $0) } })
        if !brands.isDisjoint(with: ["avif", "avis"]) {
            self = .avif
        } else if !brands.isDisjoint(with: ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]) {
            self = .heic
        } else {
            return nil
        }
    }
}
