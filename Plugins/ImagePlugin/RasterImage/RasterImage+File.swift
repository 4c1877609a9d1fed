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
    /// Follows the chunks or segments, without a look at what they hold, to the file's end.
    ///
    /// The end's own bytes were found when the header was read; this finds a wrong length before it.
    func checkStructure() throws(TransformerError) {
        let reader = ByteReader(bytes)
        switch header.details {
        case .png:
            let last = PNGChunks(reader).reduce(PNGChunk?.none) { $1 }
            guard last?.type == "IEND" else {
                throw .damaged(.png, "its chunks do not lead to its end", offset: last?.end)
            }
        case .jpeg where !options.isTolerant:
            let parts = JPEGParts(reader)
            guard parts.isWhole else {
                throw .damaged(.jpeg, "its segments do not lead to its end", offset: parts.end)
            }
        case .jpeg: break
        }
    }

    /// The same file with other metadata; its pixels stay packed as they are.
    func replacing(with metadata: ImageMetadata, isStripping: Bool) throws(TransformerError) -> Data {
        switch header.details {
        case .png: try PNGMetadataEditor(file: self, isStripping: isStripping).replacing(with: metadata)
        case .jpeg(let header):
            try JPEGMetadataEditor(file: self, header: header, isStripping: isStripping).replacing(with: metadata)
        }
    }
}
