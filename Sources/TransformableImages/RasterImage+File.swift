package import Foundation
public import Transformable

extension RasterImage {
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
    package func keptBytes(
        _ format: ImageFileFormat,
        isStandard: Bool,
        isTolerant: Bool = false
    ) throws(TransformerError) -> Data? {
        guard let file = encoded, file.format == format else { return nil }
        if file.options.yieldsToArguments || file.options.isTolerant && !isTolerant {
            let isIntact = try checkDamage(of: file, isTolerant: isTolerant)
            if file.options.yieldsToArguments, !isStandard, isIntact { return nil }
        }
        return hasMetadataOfFile ? file.bytes : try file.replacing(with: metadata, isStripping: isStripped)
    }

    /// Returns the file of an image, which is the original one or a new one.
    ///
    /// A damaged file that is accepted is always kept, because writing it again would lose what another program may
    /// still be able to read.
    ///
    /// - Parameters:
    ///   - format: The format of the encoder.
    ///   - unchanged: What to do with an original file.
    ///   - isStripping: Whether to remove all metadata that do not affect the appearance, including what was set after
    ///     the image was read.
    ///   - isTolerant: Whether to accept a damaged file.
    ///   - improve: A closure that receives the original file, the metadata to write, and the size of the file that is
    ///     to be kept. It returns a better file without any loss, or nil.
    ///   - write: A closure that encodes an image.
    /// - Returns: The whole file.
    /// - Throws: `TransformerError` if the original file is damaged and has to be decoded, and any error thrown by
    ///   `write`.
    package func file(
        _ format: ImageFileFormat,
        unchanged: UnchangedFile,
        isStripping: Bool,
        isTolerant: Bool,
        improve: (EncodedImage, ImageMetadata, Int) throws(TransformerError) -> Data? = {
            (_, _, _) throws(TransformerError) in nil
        },
        write: (Self) throws(TransformerError) -> Data
    ) throws(TransformerError) -> Data {
        var image = self
        if isStripping { image.metadata = metadata.stripped }
        guard let file = encoded, file.format == format else { return try write(image) }
        let isChecked = file.options.yieldsToArguments || file.options.isTolerant && !isTolerant || unchanged != .keep
        let isIntact = isChecked ? try checkDamage(of: file, isTolerant: isTolerant) : true
        if unchanged == .never, isIntact { return try write(image) }
        let isSame = hasMetadataOfFile && !isStripping
        // What was set after the image was stripped is kept, and only the rest of the file is removed.
        let removesRest = isStripping || isStripped
        var kept = isSame ? file.bytes : try file.replacing(with: image.metadata, isStripping: removesRest)
        if isIntact, let better = try improve(file, image.metadata, kept.count) { kept = better }
        guard unchanged == .smaller, isIntact else { return kept }
        let new = try write(image)
        return new.count < kept.count ? new : kept
    }

    /// Rejects an animation, because changing its pixels would keep only one frame, unless the caller asked for that
    /// frame.
    ///
    /// - Throws: `TransformerError` with the code `unsupported`.
    package func checkIsStill() throws(TransformerError) {
        guard encoded?.options.takesFirstFrame != true else { return }
        try checkIsStill(for: "the changed image")
    }

    /// Rejects an animation, because encoding its pixels again would keep only one frame.
    ///
    /// - Parameter result: What would have only one frame, such as “a new PNG file”.
    /// - Throws: `TransformerError` with the code `unsupported`.
    package func checkIsStill(for result: String) throws(TransformerError) {
        guard let file = encoded, file.header.frameCount > 1 else { return }
        let original = file.format == .png ? "store the original file as “image”, or " : ""
        throw TransformerError(
            .unsupported,
            "the image is an animation of \(file.header.frameCount) frames, and \(result) would have only one; "
                + "\(original)take the first frame with “firstFrame()” or with the stage “first-frame”"
        )
    }

    /// Decodes the pixels, and returns whether all of them are intact.
    private func checkDamage(of file: EncodedImage, isTolerant: Bool) throws(TransformerError) -> Bool {
        let rows = try intactRows
        guard rows < height else { return true }
        guard isTolerant else {
            throw .damaged(file.format, "the image is intact up to row \(rows) of \(height)", isRecoverable: true)
        }
        return false
    }

    /// Returns whether the image is the unchanged file with the given bytes.
    package func isUnchanged(since bytes: Data) -> Bool {
        hasMetadataOfFile && encoded?.bytes == bytes
    }
}

/// What an encoder does with an image that came from a file of its format and has not changed.
public enum UnchangedFile: String, CaseIterable, Sendable, ArgumentConvertible {
    /// The bytes of the file are kept, so that nothing is lost, regardless of the other arguments.
    case keep
    /// The image is encoded again, and the smaller of the two files is kept.
    case smaller
    /// The image is always encoded again.
    case never
}
