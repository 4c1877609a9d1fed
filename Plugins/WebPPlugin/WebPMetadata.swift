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
                result.metadata.texts.append(ImageText(ImageText.xmpKeyword, String(lenient: data.withoutTrailingNULs)))
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
        guard ExifStructure(data) != nil else { return warn(chunk, "is malformed") }
        result.metadata.exifWithDensity = data
    }

    private mutating func warn(_ chunk: WebPChunk, _ what: String) {
        guard result.warnings.count < 8 else { return }
        result.warnings.append(
            "the \(chunk.type?.rawValue ?? "unknown") chunk at byte \(chunk.offset) \(what) and is ignored"
        )
    }
}

/// Converts metadata to the chunks before and after a picture.
struct WebPMetadataWriter {
    private var flags = 0
    private var profile = Data()
    private var rest = Data()

    init(_ metadata: ImageMetadata) throws(TransformerError) {
        try metadata.checkExif()
        try Self.checkColors(metadata.colorProfile)
        if let icc = metadata.colorProfile.icc {
            flags |= WebPFlags.profile
            profile = WebPNewChunk(type: .profile, data: icc).bytes
        }
        // EXIF must not contradict the statement of sRGB, for which WebP has no place.
        let colors = metadata.colorProfile
        let isStated = colors.icc == nil && colors != ColorProfile()
        let exif = isStated ? ExifStructure.settingSRGB(in: metadata.exifWithDensity) : metadata.exifWithDensity
        if let exif {
            flags |= WebPFlags.exif
            rest += WebPNewChunk(type: .exif, data: exif).bytes
        }
        for text in metadata.texts {
            guard text.keyword == ImageText.xmpKeyword, flags & WebPFlags.xmp == 0 else {
                throw .invalidValue(
                    "a WebP file cannot contain the text “\(text.keyword)”; remove it, or use “webp(strip: true)”"
                )
            }
            flags |= WebPFlags.xmp
            rest += WebPNewChunk(type: .xmp, data: Data(text.text.utf8)).bytes
        }
    }

    /// Combines the chunks of a picture with the chunks of the metadata.
    ///
    /// - Parameters:
    ///   - picture: The complete chunks of the picture, each of which has an even size.
    ///   - header: The size of the picture, and whether it has alpha.
    ///   - isAnimated: Whether the picture is an animation.
    /// - Returns: The whole file.
    func file(_ picture: Data, of header: WebPHeader, isAnimated: Bool = false) -> Data {
        // An animation, and a lossy picture with alpha, require the header even without metadata.
        guard flags != 0 || isAnimated || header.picture.hasAlpha && !header.picture.isLossless else {
            return .webP(chunks: picture)
        }
        var flags = flags
        if header.hasAlpha { flags |= WebPFlags.alpha }
        if isAnimated { flags |= WebPFlags.animation }
        let start = Self.extendedHeader(flags: flags, header.width, header.height)
        return .webP(chunks: start + profile + picture + rest)
    }

    /// Returns the chunk with the flags and the size of the canvas (RFC 9649, section 2.7).
    static func extendedHeader(flags: Int, _ width: Int, _ height: Int) -> Data {
        var data = Data([UInt8(truncatingIfNeeded: flags), 0, 0, 0])
        for side in [width - 1, height - 1] {
            data.append(contentsOf: [0, 8, 16].map { UInt8(truncatingIfNeeded: side >> $0) })
        }
        return WebPNewChunk(type: .extended, data: data).bytes
    }

    /// Rejects colors that a WebP file cannot describe: it is sRGB, or has an ICC profile.
    private static func checkColors(_ profile: ColorProfile) throws(TransformerError) {
        // Code points take precedence over an ICC profile (PNG, third edition, section 4.3).
        guard !profile.isStandard, profile.icc == nil || profile.codePoints != nil else { return }
        throw .invalidValue(
            "a WebP file cannot describe the colors of the image, which are neither sRGB nor defined by an ICC profile;"
                + " store it as png, or convert its colors to sRGB"
        )
    }
}
