internal import Foundation
internal import TransformableImages

/// Reads the chunks of a PNG file that contain metadata.
///
/// Chunks that are damaged, malformed, or too large are skipped with a warning, because the image is complete without
/// them.
struct PNGMetadataReader {
    private let reader: ByteReader
    private var remaining: Int
    /// The number of bytes that may still be decompressed, including those of chunks that are skipped.
    private var work: Int
    private var result = ReadMetadata()

    init(_ file: EncodedImage) {
        reader = ByteReader(file.bytes)
        remaining = file.options.limits.maxMetadataBytes
        work = min(remaining, .max / 4) * 4
    }

    consuming func read() -> ReadMetadata {
        for chunk in PNGChunks(reader) {
            read(chunk)
        }
        return result
    }

    private mutating func read(_ chunk: PNGChunk) {
        switch chunk.type {
        case "gAMA", "cHRM", "sRGB", "cICP", "iCCP", "pHYs", "eXIf", "tEXt", "zTXt", "iTXt": break
        default: return
        }
        guard chunk.length <= remaining else { return warn(chunk, "exceeds the limit of “maxMetadata”") }
        guard let data = reader.intactData(of: chunk) else { return warn(chunk, "has a wrong checksum") }
        guard store(ByteReader(data), of: chunk.type) else { return warn(chunk, "is malformed or too large") }
        // Texts take more memory than their bytes, and there may be many of them.
        remaining -= chunk.length + 64
    }

    private mutating func warn(_ chunk: PNGChunk, _ what: String) {
        warn("the \(chunk.type) chunk at byte \(chunk.offset) \(what) and is ignored")
    }

    private mutating func warn(_ text: String) {
        guard result.warnings.count < 8 else { return }
        result.warnings.append(text)
    }

    private mutating func store(_ data: ByteReader, of type: PNGChunkType) -> Bool {
        switch type {
        case "gAMA": return storeGamma(data)
        case "cHRM": return storeChromaticities(data)
        case "sRGB": return storeIntent(data)
        case "cICP": return storeCodePoints(data)
        case "iCCP": return storeProfile(data)
        case "pHYs": return storeDensity(data)
        case "eXIf": return storeExif(data)
        default: return storeText(data, of: type)
        }
    }
}

extension PNGMetadataReader {
    private mutating func storeGamma(_ data: ByteReader) -> Bool {
        guard data.count == 4, let gamma = data.uint32(0), gamma > 0 else { return false }
        result.metadata.colorProfile.gamma = gamma
        return true
    }

    private mutating func storeChromaticities(_ data: ByteReader) -> Bool {
        guard data.count == 32 else { return false }
        let points = (0..<4)
            .compactMap { index -> ColorProfile.Chromaticity? in
                guard let x = data.uint32(index * 8), let y = data.uint32(index * 8 + 4) else { return nil }
                return ColorProfile.Chromaticity(x: x, y: y)
            }
        guard points.count == 4 else { return false }
        result.metadata.colorProfile.chromaticities = ColorProfile.Chromaticities(
            white: points[0],
            red: points[1],
            green: points[2],
            blue: points[3]
        )
        return true
    }

    private mutating func storeIntent(_ data: ByteReader) -> Bool {
        guard data.count == 1, let intent = data.uint8(0).flatMap(ColorProfile.RenderingIntent.init) else {
            return false
        }
        result.metadata.colorProfile.renderingIntent = intent
        return true
    }

    private mutating func storeCodePoints(_ data: ByteReader) -> Bool {
        guard data.count == 4, let isFullRange = data.uint8(3), isFullRange <= 1 else { return false }
        let bytes = Array(data.bytes)
        result.metadata.colorProfile.codePoints = ColorCodePoints(
            primaries: bytes[0],
            transfer: bytes[1],
            matrix: bytes[2],
            isFullRange: isFullRange == 1
        )
        return true
    }

    private mutating func storeProfile(_ data: ByteReader) -> Bool {
        guard let (name, rest) = split(data.bytes), rest.first == 0, let profile = inflate(rest.dropFirst()) else {
            return false
        }
        let isValid = PNGMetadataWriter.isKeyword(name)
        if !isValid { warn("the name of the ICC profile is malformed and is ignored") }
        let text = String(latin1: name)
        result.metadata.colorProfile.icc = profile
        result.metadata.colorProfile.iccName = isValid && text != PNGMetadataWriter.unnamed ? text : nil
        return true
    }

    private mutating func storeDensity(_ data: ByteReader) -> Bool {
        guard data.count == 9, let horizontal = data.uint32(0), let vertical = data.uint32(4),
            let unit = data.uint8(8), unit <= 1
        else { return false }
        guard horizontal > 0, vertical > 0 else { return false }
        // A ratio of 1 to 1 carries no information.
        if unit == 0, horizontal == vertical { return true }
        result.metadata.density = PixelDensity(
            horizontal: horizontal,
            vertical: vertical,
            unit: unit == 1 ? .meter : .ratio
        )
        return true
    }

    private mutating func storeExif(_ data: ByteReader) -> Bool {
        // Some programs write the prefix that JPEG requires.
        let bytes = data.bytes.dropFirst(data.bytes.starts(with: JPEGTag.exif) ? JPEGTag.exif.count : 0)
        guard ExifStructure(bytes) != nil else { return false }
        result.metadata.exif = Data(bytes)
        return true
    }
}

extension PNGMetadataReader {
    private mutating func storeText(_ data: ByteReader, of type: PNGChunkType) -> Bool {
        guard let (keyword, rest) = split(data.bytes), PNGMetadataWriter.isKeyword(keyword),
            var text = text(of: rest, type)
        else { return false }
        let name = String(latin1: keyword)
        // XMP may say where a picture was taken, so it is not ignored as long as it is in the file.
        if name == ImageText.xmpKeyword { text.text.replace("\0", with: "") }
        guard !text.text.utf8.contains(0) else { return false }
        result.metadata.texts.append(
            ImageText(
                name,
                text.text,
                language: text.language,
                translatedKeyword: text.translatedKeyword
            )
        )
        return true
    }

    private mutating func text(
        of rest: Data,
        _ type: PNGChunkType
    ) -> (text: String, language: String, translatedKeyword: String)? {
        switch type {
        case "tEXt":
            return (String(latin1: rest.withoutTrailingNULs), "", "")
        case "zTXt":
            guard rest.first == 0, let text = inflate(rest.dropFirst()) else { return nil }
            return (String(latin1: text.withoutTrailingNULs), "", "")
        default:
            guard let isCompressed = rest.first, isCompressed <= 1, rest.dropFirst().first == 0,
                let (language, afterLanguage) = split(rest.dropFirst(2)),
                let (keyword, packed) = split(afterLanguage),
                let bytes = isCompressed == 1 ? inflate(packed) : packed,
                let text = String(validating: bytes.withoutTrailingNULs, as: UTF8.self)
            else { return nil }
            return (text, String(latin1: language), String(lenient: keyword))
        }
    }

    /// Splits bytes at the first NUL.
    private func split(_ bytes: Data) -> (Data, Data)? {
        guard let end = bytes.firstIndex(of: 0) else { return nil }
        return (bytes[..<end], bytes[(end + 1)...])
    }

    private mutating func inflate(_ bytes: Data) -> Data? {
        guard let result = Zlib.inflate(bytes, limit: min(remaining, work), work: &work) else { return nil }
        remaining -= result.count
        return result
    }
}
