internal import Foundation
internal import Transformable

extension RasterImage {
    /// Creates an image from a file that must have a particular format.
    init(_ bytes: Data, as format: ImageFileFormat, options: ImageReadingOptions) throws(TransformerError) {
        if let actual = ImageFileFormat(detecting: bytes), actual != format {
            throw .invalidData("expected a \(format.title) file, but found a \(actual.title) file", offset: 0)
        }
        self.init(try EncodedImage(bytes, options: options))
    }

    /// Returns the bytes of the original file if they represent the image, including any changes to the metadata.
    ///
    /// - Parameters:
    ///   - format: The required format.
    ///   - isStandard: Whether all arguments of the encoder have their default values.
    ///   - isTolerant: Whether to accept a damaged file. It is kept regardless of the arguments, because writing it
    ///     again would lose what another program may still be able to read.
    /// - Returns: The whole file, or nil if the image has to be encoded.
    /// - Throws: `TransformerError` if the file is damaged and not accepted, and it was either given on the command
    ///   line or read with tolerance.
    func keptBytes(
        _ format: ImageFileFormat,
        isStandard: Bool,
        isTolerant: Bool = false
    ) throws(TransformerError) -> Data? {
        guard let file = encoded, file.format == format else { return nil }
        if file.options.yieldsToArguments || file.options.isTolerant && !isTolerant {
            let isIntact = try checkDamage(isTolerant: isTolerant)
            if file.options.yieldsToArguments, !isStandard, isIntact { return nil }
        }
        return hasMetadataOfFile ? file.bytes : try file.replacing(with: metadata, isStripping: false)
    }

    /// Decodes the pixels, and returns whether all of them are intact.
    private func checkDamage(isTolerant: Bool) throws(TransformerError) -> Bool {
        let rows = try intactRows
        guard rows < height else { return true }
        guard isTolerant else {
            throw .damaged(.jpeg, "the image is intact up to row \(rows) of \(height)", isRecoverable: true)
        }
        return false
    }

    /// Returns whether the image is the unchanged file with the given bytes.
    func isUnchanged(since bytes: Data) -> Bool {
        hasMetadataOfFile && encoded?.bytes == bytes
    }
}

extension EncodedImage {
    /// Follows the chunks or segments to the end of the file, without examining their contents.
    ///
    /// The end itself was found when the header was read. This method detects a wrong length before it.
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
                throw .damaged(
                    .jpeg,
                    "its segments do not lead to its end",
                    offset: parts.end,
                    isRecoverable: true
                )
            }
        case .jpeg: break
        }
    }

    /// Returns the same file with different metadata.
    ///
    /// The compressed pixels stay the same.
    func replacing(with metadata: ImageMetadata, isStripping: Bool) throws(TransformerError) -> Data {
        switch header.details {
        case .png: try PNGMetadataEditor(file: self, isStripping: isStripping).replacing(with: metadata)
        case .jpeg(let header):
            try JPEGMetadataEditor(file: self, header: header, isStripping: isStripping).replacing(with: metadata)
        }
    }
}
