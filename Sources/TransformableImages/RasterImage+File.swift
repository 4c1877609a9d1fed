package import Foundation
package import Transformable

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
        return hasMetadataOfFile ? file.bytes : try file.replacing(with: metadata, isStripping: false)
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
