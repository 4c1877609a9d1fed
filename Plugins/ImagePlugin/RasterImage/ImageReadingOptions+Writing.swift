internal import Foundation
internal import Transformable
internal import TransformableImages

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
