public import Foundation
public import Transformable
public import TransformableImages

extension RasterImage {
    /// Creates an image from a PNG or JPEG file.
    ///
    /// Only the header is read. A file of another format, such as GIF, is an error, unless
    /// `ImageReadingOptions.keepsUnknownFormats` is set.
    ///
    /// - Parameters:
    ///   - encoded: The whole file.
    ///   - options: The limits and the tolerance.
    /// - Throws: `TransformerError` with the code `invalid-data`, `truncated-data`, `unsupported`, or `limit-exceeded`
    ///   if the header is invalid. Other damage is detected when the pixels are decoded.
    public init(encoded: Data, options: ImageReadingOptions = ImageReadingOptions()) throws(TransformerError) {
        self.init(EncodedImage(encoded, options: options, header: try Self.header(of: encoded, options: options)))
    }

    /// Creates an image from a file that must have a particular format.
    init(_ bytes: Data, as format: ImageFileFormat, options: ImageReadingOptions) throws(TransformerError) {
        if let actual = ImageFileFormat(detecting: bytes), actual != format {
            throw .invalidData("expected a \(format.title) file, but found a \(actual.title) file", offset: 0)
        }
        try self.init(encoded: bytes, options: options)
    }

    private static func header(
        of bytes: Data,
        options: ImageReadingOptions
    ) throws(TransformerError) -> any ImageFileHeader {
        switch ImageFileFormat(detecting: bytes) {
        case .png: return try PNGHeader(bytes, options: options)
        case .jpeg: return try JPEGHeader(bytes, options: options)
        case nil: throw .notAnImage(bytes)
        case let other?:
            guard options.keepsUnknownFormats else { throw .unreadable(other) }
            return try UnreadableFileHeader(bytes, format: other, limits: options.limits)
        }
    }
}
