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
    /// Damaged metadata are left out with a warning, because the image is complete without them.
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
