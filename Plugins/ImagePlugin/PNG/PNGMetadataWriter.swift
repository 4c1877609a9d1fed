internal import CPNGShims
internal import Foundation
internal import Transformable
internal import TransformableImages

/// Converts metadata to the chunks that precede the palette of a PNG file.
struct PNGMetadataWriter {
    private(set) var chunks: [PNGNewChunk] = []

    init(_ metadata: ImageMetadata) throws(TransformerError) {
        try metadata.checkExif()
        try add(metadata.colorProfile)
        if let density = metadata.density { add(density) }
        if let exif = metadata.exif { chunks.append(PNGNewChunk(type: "eXIf", data: exif)) }
        for text in metadata.texts { try add(text) }
    }

    private mutating func add(_ profile: ColorProfile) throws(TransformerError) {
        if let points = profile.codePoints {
            let bytes = [points.primaries, points.transfer, points.matrix, points.isFullRange ? 1 : 0]
            chunks.append(PNGNewChunk(type: "cICP", data: Data(bytes)))
        }
        if let icc = profile.icc {
            guard let packed = Zlib.deflate(icc) else { throw .outOfMemory }
            let name = try keyword(profile.iccName ?? Self.unnamed)
            chunks.append(PNGNewChunk(type: "iCCP", data: name + [0, 0] + packed))
        }
        if let intent = profile.renderingIntent {
            chunks.append(PNGNewChunk(type: "sRGB", data: Data([UInt8(intent.rawValue)])))
        }
        if let gamma = profile.gamma {
            chunks.append(PNGNewChunk(type: "gAMA", data: numbers([gamma])))
        }
        if let points = profile.chromaticities {
            let all = [points.white, points.red, points.green, points.blue].flatMap { [$0.x, $0.y] }
            chunks.append(PNGNewChunk(type: "cHRM", data: numbers(all)))
        }
    }

    private mutating func add(_ density: PixelDensity) {
        let numbersOfUnit = density.perMeter ?? (density.horizontal, density.vertical)
        let unit: UInt8 = density.perMeter == nil ? 0 : 1
        let data = numbers([numbersOfUnit.horizontal, numbersOfUnit.vertical]) + [unit]
        chunks.append(PNGNewChunk(type: "pHYs", data: data))
    }

    /// Adds a text entry in Latin-1 if possible, or else in UTF-8.
    ///
    /// Long text is compressed.
    private mutating func add(_ text: ImageText) throws(TransformerError) {
        let name = try keyword(text.keyword)
        let isPlain = text.language.isEmpty && text.translatedKeyword.isEmpty && text.keyword != ImageText.xmpKeyword
        if isPlain, let latin1 = text.text.latin1 {
            guard !latin1.contains(0) else { throw .invalidText(text.keyword) }
            if latin1.count > Self.longText, let packed = Zlib.deflate(latin1) {
                chunks.append(PNGNewChunk(type: "zTXt", data: name + [0, 0] + packed))
            } else {
                chunks.append(PNGNewChunk(type: "tEXt", data: name + [0] + latin1))
            }
            return
        }
        try addInternational(text, name: name)
    }

    private mutating func addInternational(_ text: ImageText, name: Data) throws(TransformerError) {
        let body = Data(text.text.utf8)
        guard let language = text.language.latin1, !language.contains(0), !body.contains(0),
            !text.translatedKeyword.utf8.contains(0)
        else { throw .invalidText(text.keyword) }
        // XMP is not compressed, because some programs search files for it.
        let packed = body.count > Self.longText && text.keyword != ImageText.xmpKeyword ? Zlib.deflate(body) : nil
        var data = name + [0, packed == nil ? 0 : 1, 0] + language + [0]
        data += Data(text.translatedKeyword.utf8) + [0] + (packed ?? body)
        chunks.append(PNGNewChunk(type: "iTXt", data: data))
    }

    private static let longText = 1024

    /// The name of an ICC profile without a name, which PNG requires.
    static let unnamed = "ICC profile"

    /// Returns whether bytes are a keyword: 1 to 79 printable Latin-1 characters (PNG, section 11.3.3.2).
    static func isKeyword(_ bytes: Data) -> Bool {
        (1...79).contains(bytes.count) && bytes.allSatisfy { (0x20...0x7E).contains($0) || $0 >= 0xA1 }
    }

    private func keyword(_ text: String) throws(TransformerError) -> Data {
        guard let bytes = text.latin1, Self.isKeyword(bytes) else { throw .invalidKeyword(text) }
        return bytes
    }

    private func numbers(_ numbers: [Int]) -> Data {
        numbers.reduce(into: Data()) { $0.appendBigEndian(UInt32(clamping: $1)) }
    }
}

extension TransformerError {
    fileprivate static func invalidKeyword(_ keyword: String) -> Self {
        .invalidValue(
            "the keyword “\(keyword)” is not valid; a PNG keyword must have 1 to 79 printable Latin-1 characters"
        )
    }

    fileprivate static func invalidText(_ keyword: String) -> Self {
        .invalidValue(
            "a PNG cannot contain the text “\(keyword)”, because it contains a NUL or its language is not Latin-1; change it, or "
                + "remove all text with “image(strip: true)”"
        )
    }
}

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

/// A chunk to write.
struct PNGNewChunk {
    let type: PNGChunkType
    let data: Data

    /// The bytes of the whole chunk: length, type, data, and checksum.
    var bytes: Data {
        var result = Data()
        result.appendBigEndian(UInt32(clamping: data.count))
        let body = Data(type.letters) + data
        result.append(body)
        let crc = unsafe body.withUnsafeBytes { bytes in
            unsafe bytes.baseAddress.map { unsafe tfp_crc($0, bytes.count) }
        }
        result.appendBigEndian(crc ?? 0)
        return result
    }
}

extension PNGChunks {
    /// Returns a file with an end.
    ///
    /// If it is truncated within its compressed pixels, the part that is there becomes a chunk of its own. libpng would
    /// not read it otherwise.
    static func completed(_ bytes: Data) -> Data {
        let reader = ByteReader(bytes)
        var end = PNGSignature.bytes.count
        for chunk in PNGChunks(reader) {
            end = chunk.end
            if chunk.type == "IEND" { return bytes }
        }
        var result = Data(bytes.prefix(end))
        if reader.slice(end + 4, 4) == Data("IDAT".utf8), let rest = reader.slice(end + 8, reader.count - end - 8) {
            result.append(PNGNewChunk(type: "IDAT", data: rest).bytes)
        }
        result.append(PNGNewChunk(type: "IEND", data: Data()).bytes)
        return result
    }
}
