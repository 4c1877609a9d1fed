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

    /// The bytes of the file that the image came from, if they may stand for it: with the image's metadata,
    /// should these have been changed.
    ///
    /// - Parameters:
    ///   - format: The format that is asked for.
    ///   - isStandard: Whether the encoder's arguments all have their defaults.
    /// - Returns: The whole file; nil if the image has to be encoded.
    /// - Throws: `TransformerError` if a person gave the file and its pixels are damaged.
    func keptBytes(_ format: ImageFileFormat, isStandard: Bool) throws(TransformerError) -> Data? {
        guard let file = encoded, file.format == format else { return nil }
        if file.options.yieldsToArguments {
            guard isStandard else { return nil }
            _ = try pixels
        }
        return hasMetadataOfFile ? file.bytes : try file.replacing(with: metadata, isStripping: false)
    }

    /// Whether the image is a file as it lies in bytes.
    func isUnchanged(since bytes: Data) -> Bool {
        hasMetadataOfFile && encoded?.bytes == bytes
    }
}

extension EncodedImage {
    /// The same file with other metadata; its pixels stay packed as they are.
    func replacing(with metadata: ImageMetadata, isStripping: Bool) throws(TransformerError) -> Data {
        switch header.details {
        case .png: try PNGMetadataEditor(file: self, isStripping: isStripping).replacing(with: metadata)
        case .jpeg(let header):
            try JPEGMetadataEditor(file: self, header: header, isStripping: isStripping).replacing(with: metadata)
        }
    }
}
