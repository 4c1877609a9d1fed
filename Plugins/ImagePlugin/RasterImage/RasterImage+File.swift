public import Foundation
public import Transformable
public import TransformableImages

extension RasterImage {
    /// Creates an image from a PNG or JPEG file.
    ///
    /// Only the header is read. A file of a different format, such as GIF, is an error, unless
    /// `ImageReadingOptions.keepsUnknownFormats` is set.
    ///
    /// - Parameters:
    ///   - encoded: The whole file.
    ///   - options: The limits and the tolerance.
    /// - Throws: `TransformerError` with the code `invalid-data`, `truncated-data`, `unsupported`, or `limit-exceeded`
    ///   if the header is invalid. Other damage is detected when the pixels are decoded.
    public init(encoded: Data, options: ImageReadingOptions = ImageReadingOptions()) throws(TransformerError) {
        let header = try Self.header(of: encoded, options: options)
        var options = options
        // A file of another format is kept as it is, because its pixels cannot be examined for damage.
        if header is UnreadableFileHeader { (options.isTolerant, options.yieldsToArguments) = (false, false) }
        self.init(EncodedImage(encoded, options: options, header: header))
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

extension ImageReadingOptions {
    /// Rejects an image that has too many pixels to be read again, before it is encoded.
    func checkSize(of image: RasterImage) throws(TransformerError) {
        guard image.width <= limits.maxPixels / image.height else {
            throw .tooManyPixels(image.width, image.height, limit: limits.maxPixels)
        }
    }

    /// Returns a file that was written or kept, if it can be read again with these options.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - image: The image in the file.
    /// - Returns: The same file.
    /// - Throws: `TransformerError` with the code `limit-exceeded` if the file exceeds a limit for reading.
    func checked(_ bytes: Data, of image: RasterImage) throws(TransformerError) -> Data {
        let isKept = image.encoded?.bytes == bytes
        if isKept, image.encoded?.options.limits == limits { return bytes }
        // A new PNG file without metadata has nothing that is limited but its pixels.
        let isNewPNG = image.encoded == nil && bytes.starts(with: PNGSignature.bytes)
        if isNewPNG, image.metadata == ImageMetadata() { return bytes }
        let written = try RasterImage(encoded: bytes, options: self)
        // Metadata that are too large are left out with a warning. An original file may have caused other warnings.
        guard written.warnings.count <= image.warnings.count else {
            throw .tooMuchMetadata(limits.maxMetadataBytes)
        }
        if written.encoded?.header is JPEGHeader { try checkScans(of: bytes) }
        return bytes
    }

    private func checkScans(of bytes: Data) throws(TransformerError) {
        var scans = 0
        for case .scan in JPEGParts(ByteReader(bytes)).parts { scans += 1 }
        guard scans <= limits.maxScans else {
            throw .limitExceeded(
                "the JPEG file has \(scans.counted("scan")), more than \(limits.maxScans); raise the limit with “maxScans”"
            )
        }
    }
}
