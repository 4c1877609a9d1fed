internal import Foundation
internal import Transformable

extension RasterImage {
    /// Makes an image of a file that must have a certain format.
    init(_ bytes: Data, as format: ImageFileFormat, options: ImageReadingOptions) throws(TransformerError) {
        if let actual = ImageFileFormat(detecting: bytes), actual != format {
            throw .invalidData("expected a \(format.title) file, found a \(actual.title) file", offset: 0)
        }
        self.init(try EncodedImage(bytes, options: options))
    }

    /// The bytes of the file that the image came from, if they may stand for it.
    ///
    /// - Parameters:
    ///   - format: The format that is asked for.
    ///   - isStandard: Whether the encoder's arguments all have their defaults.
    /// - Returns: The whole file; nil if the image has to be encoded.
    /// - Throws: `TransformerError` if a person gave the file and its pixels are damaged.
    func keptBytes(_ format: ImageFileFormat, isStandard: Bool) throws(TransformerError) -> Data? {
        guard let file = encoded, file.format == format, hasMetadataOfFile else { return nil }
        if file.options.yieldsToArguments {
            guard isStandard else { return nil }
            _ = try pixels
        }
        return file.bytes
    }

    /// Whether the image is a file as it lies in bytes.
    func isUnchanged(since bytes: Data) -> Bool {
        hasMetadataOfFile && encoded?.bytes == bytes
    }
}
