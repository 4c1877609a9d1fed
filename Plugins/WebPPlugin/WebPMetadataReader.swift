internal import Foundation
internal import Transformable
internal import TransformableImages

/// Reads the chunks of a WebP file that contain metadata.
///
/// Chunks that are malformed or too large are skipped with a warning, because the image is complete without them.
struct WebPMetadataReader {
    private let reader: ByteReader
    private let body: Range<Int>
    private var remaining: Int
    private var result = ReadMetadata()

    init(_ file: EncodedImage, body: Range<Int>) {
        reader = ByteReader(file.bytes, isLittleEndian: true)
        self.body = body
        remaining = file.options.limits.maxMetadataBytes
    }

    consuming func read() -> ReadMetadata {
        for chunk in WebPChunks(reader, in: body) {
            switch chunk.type {
            case .profile where result.metadata.colorProfile.icc == nil:
                result.metadata.colorProfile.icc = data(of: chunk)
            case .exif where result.metadata.exif == nil: storeExif(chunk)
            case .xmp where result.metadata.texts.isEmpty:
                guard let data = data(of: chunk) else { continue }
                result.metadata.texts.append(ImageText(ImageText.xmpKeyword, String(lenient: data)))
            default: break
            }
        }
        return result
    }

    private mutating func data(of chunk: WebPChunk) -> Data? {
        guard chunk.length <= remaining else {
            warn(chunk, "exceeds the limit of “maxMetadata”")
            return nil
        }
        remaining -= chunk.length
        return reader.slice(chunk.dataOffset, chunk.length).map { Data($0) }
    }

    private mutating func storeExif(_ chunk: WebPChunk) {
        guard var data = data(of: chunk) else { return }
        // Some programs write the prefix that JPEG requires.
        let prefix = Data("Exif\0\0".utf8)
        if data.starts(with: prefix) { data = Data(data.dropFirst(prefix.count)) }
        guard let structure = ExifStructure(data) else { return warn(chunk, "is malformed") }
        if structure.hasOnlyDensity {
            result.metadata.density = structure.density
        } else {
            result.metadata.exif = data
        }
    }

    private mutating func warn(_ chunk: WebPChunk, _ what: String) {
        guard result.warnings.count < 8 else { return }
        result.warnings.append(
            "the \(chunk.type?.rawValue ?? "unknown") chunk at byte \(chunk.offset) \(what) and is ignored"
        )
    }
}
