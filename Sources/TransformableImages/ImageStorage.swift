internal import Foundation
internal import Synchronization
internal import Transformable

/// The pixels of an image, or the file to decode them from.
///
/// All copies of the image share it.
final class ImageStorage: Sendable {
    let file: EncodedImage?
    private let decoded: Mutex<Result<DecodedPixels, TransformerError>?>
    private let read: Mutex<ReadMetadata?>

    init(pixels: Data) {
        file = nil
        decoded = Mutex(.success(DecodedPixels(pixels: pixels)))
        read = Mutex(ReadMetadata())
    }

    init(file: EncodedImage) {
        self.file = file
        decoded = Mutex(nil)
        read = Mutex(nil)
    }

    /// Whether the pixels are in memory.
    var isDecoded: Bool { decoded.withLock { $0 != nil } }

    func pixels() throws(TransformerError) -> Data {
        try content().pixels
    }

    /// Returns the pixels, leaving no other reference to them, so that they can be changed in place.
    func takePixels() throws(TransformerError) -> Data {
        let pixels = try content().pixels
        decoded.withLock { $0 = nil }
        return pixels
    }

    func intactRows(of height: Int) throws(TransformerError) -> Int {
        try content().intactRows ?? height
    }

    var metadata: ImageMetadata { readMetadata().metadata }

    var warnings: [String] {
        let ofPixels: [String] = decoded.withLock { decoded in
            if case .success(let content)? = decoded { content.warnings } else { [] }
        }
        return readMetadata().warnings + ofPixels
    }

    /// Decodes the file while holding the lock, so that concurrent threads wait for the same result.
    private func content() throws(TransformerError) -> DecodedPixels {
        try decoded.withLock { (decoded) -> Result<DecodedPixels, TransformerError> in
            if let decoded { return decoded }
            let result = file.map { $0.decodedPixels() } ?? .success(DecodedPixels(pixels: Data()))
            decoded = result
            return result
        }
        .get()
    }

    private func readMetadata() -> ReadMetadata {
        read.withLock { read in
            if let read { return read }
            let result = file.map { $0.readMetadata() } ?? ReadMetadata()
            read = result
            return result
        }
    }
}

extension EncodedImage {
    fileprivate func decodedPixels() -> Result<DecodedPixels, TransformerError> {
        do throws(TransformerError) {
            return .success(try header.decodePixels(self))
        } catch {
            return .failure(error)
        }
    }

    fileprivate func readMetadata() -> ReadMetadata {
        var result = header.readMetadata(self)
        // Cameras store the density only in EXIF.
        result.metadata.density = result.metadata.knownDensity
        return result
    }
}
