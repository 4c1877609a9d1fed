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
    ///   - isTolerant: Whether a damaged file is accepted. It stands for its image whatever the arguments:
    ///     writing it again would lose what another program may still read.
    /// - Returns: The whole file; nil if the image has to be encoded.
    /// - Throws: `TransformerError` if the file is damaged, where it is not accepted so, and either a person
    ///   gave it or it was read with tolerance.
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

    /// Decodes the pixels, and returns whether all of them are there.
    private func checkDamage(isTolerant: Bool) throws(TransformerError) -> Bool {
        let rows = try intactRows
        guard rows < height else { return true }
        guard isTolerant else {
            throw .damaged(.jpeg, "the picture is intact up to row \(rows) of \(height)", isRecoverable: true)
        }
        return false
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

    /// The same file with other metadata; its pixels stay packed as they are.
    func replacing(with metadata: ImageMetadata, isStripping: Bool) throws(TransformerError) -> Data {
        switch header.details {
        case .png: try PNGMetadataEditor(file: self, isStripping: isStripping).replacing(with: metadata)
        case .jpeg(let header):
            try JPEGMetadataEditor(file: self, header: header, isStripping: isStripping).replacing(with: metadata)
        }
    }
}
