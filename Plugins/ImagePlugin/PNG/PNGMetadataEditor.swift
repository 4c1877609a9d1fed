internal import Foundation
internal import Transformable
internal import TransformableImages

/// Rewrites a PNG file with different metadata.
///
/// The compressed pixels stay the same.
struct PNGMetadataEditor {
    /// The chunks that `ImageMetadata` represents.
    private static let replaced: Set<PNGChunkType> = [
        "gAMA", "cHRM", "sRGB", "cICP", "iCCP", "pHYs", "eXIf", "tEXt", "zTXt", "iTXt",
    ]

    /// Ancillary chunks that affect the appearance of the image, and do not identify its author.
    private static let ofPicture: Set<PNGChunkType> = [
        "tRNS", "sBIT", "bKGD", "hIST", "acTL", "fcTL", "fdAT", "mDCV", "cLLI",
    ]

    let file: EncodedImage
    /// Whether to remove trailing bytes, and chunks that are neither metadata nor part of the image.
    let isStripping: Bool

    func replacing(with metadata: ImageMetadata) throws(TransformerError) -> Data {
        let bytes = isStripping && file.options.isTolerant ? PNGChunks.completed(file.bytes) : file.bytes
        let reader = ByteReader(bytes)
        var result = Data(PNGSignature.bytes)
        result.reserveCapacity(file.bytes.count)
        try file.checkStructure()
        var end = 0
        for chunk in PNGChunks(reader) {
            end = chunk.end
            if keeps(chunk.type), let bytes = reader.slice(chunk.offset, chunk.end - chunk.offset) {
                result.append(bytes)
            }
            if chunk.type == "IHDR" {
                for new in try PNGMetadataWriter(metadata).chunks { result.append(new.bytes) }
            }
        }
        if !isStripping { result.append(bytes.dropFirst(end)) }
        return result
    }

    private func keeps(_ type: PNGChunkType) -> Bool {
        if Self.replaced.contains(type) { return false }
        return !isStripping || type.isCritical || Self.ofPicture.contains(type)
    }
}
