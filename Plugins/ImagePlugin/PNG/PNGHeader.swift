internal import Foundation
internal import Transformable
internal import TransformableImages

/// The contents of a PNG file up to its pixels.
struct PNGHeader: Sendable {
    /// The color type in IHDR.
    enum ColorType: Int, Sendable {
        case gray = 0
        case rgb = 2
        case palette = 3
        case grayAlpha = 4
        case rgba = 6

        var depths: [Int] {
            switch self {
            case .gray: [1, 2, 4, 8, 16]
            case .palette: [1, 2, 4, 8]
            case .rgb, .grayAlpha, .rgba: [8, 16]
            }
        }

        var samples: Int {
            switch self {
            case .gray, .palette: 1
            case .grayAlpha: 2
            case .rgb: 3
            case .rgba: 4
            }
        }
    }

    let width: Int
    let height: Int
    private let colorType: ColorType
    private let bitDepth: Int
    let isInterlaced: Bool
    /// The number of colors in the palette, or 0 if there is none.
    private let paletteCount: Int
    /// Whether a valid tRNS chunk makes pixels transparent.
    private let hasTransparency: Bool
    /// The number of frames according to the acTL chunk, or 1 if there is none.
    ///
    /// An image before the animation that is not part of it counts as its first frame.
    let frameCount: Int

    var pixelFormat: PixelFormat {
        PixelFormat(
            hasColor: colorType == .rgb || colorType == .rgba || colorType == .palette,
            hasAlpha: colorType == .grayAlpha || colorType == .rgba || hasTransparency,
            bits: bitDepth
        )
    }

    /// Reads a file up to its first IDAT chunk.
    init(_ bytes: Data, options: ImageReadingOptions) throws(TransformerError) {
        let reader = ByteReader(bytes)
        guard reader.count >= 33 else { throw .truncated(.png, offset: reader.count) }
        guard reader.uint32(8) == 13, reader.slice(12, 4) == Data("IHDR".utf8) else {
            throw .damaged(.png, "it does not begin with a 13-byte header", offset: 8)
        }
        guard reader.intactData(of: PNGChunk(type: "IHDR", offset: 8, length: 13)) != nil else {
            throw .damaged(.png, "the header's checksum is wrong", offset: 8)
        }
        guard let width = reader.uint32(16), (1...0x7FFF_FFFF).contains(width), let height = reader.uint32(20),
            (1...0x7FFF_FFFF).contains(height)
        else { throw .damaged(.png, "its width and height must be between 1 and 2,147,483,647", offset: 16) }
        guard let type = reader.uint8(25).flatMap(ColorType.init), let depth = reader.uint8(24),
            type.depths.contains(depth)
        else { throw .damaged(.png, "its color type or bit depth is invalid", offset: 24) }
        guard reader.uint8(26) == 0, reader.uint8(27) == 0, let interlace = reader.uint8(28), interlace <= 1 else {
            throw .damaged(.png, "its compression, filter, or interlace method is invalid", offset: 26)
        }
        guard width <= options.limits.maxPixels / height else {
            throw .tooManyPixels(width, height, limit: options.limits.maxPixels)
        }
        self.width = width
        self.height = height
        colorType = type
        bitDepth = depth
        isInterlaced = interlace == 1
        let preamble = try Self.readPreamble(reader, colorType: type, bitDepth: depth, isTolerant: options.isTolerant)
        paletteCount = preamble.paletteCount
        hasTransparency = preamble.hasTransparency
        frameCount = preamble.frameCount
        try checkIsWhole(reader, isTolerant: options.isTolerant)
    }

    private static func readPreamble(
        _ reader: ByteReader,
        colorType: ColorType,
        bitDepth: Int,
        isTolerant: Bool
    ) throws(TransformerError) -> (paletteCount: Int, hasTransparency: Bool, frameCount: Int) {
        var paletteCount = 0
        var hasTransparency = false
        var animated: Int?
        var isPartOfAnimation = false
        // The image in IDAT belongs to the animation if an fcTL chunk precedes it (PNG, section 11.3.6).
        var frameCount: Int { animated.map { $0 + (isPartOfAnimation ? 0 : 1) } ?? 1 }
        var end = 33
        for chunk in PNGChunks(reader, from: 33) {
            switch chunk.type {
            case "PLTE" where paletteCount == 0:
                paletteCount = min(chunk.length / 3, colorType == .palette ? 1 << bitDepth : 256)
            case "tRNS" where !hasTransparency:
                let lengths = transparencyLengths(colorType, paletteCount: paletteCount)
                let isValid = lengths?.contains(chunk.length) ?? false
                hasTransparency = isValid && reader.intactData(of: chunk) != nil
            case "acTL" where chunk.length == 8 && reader.intactData(of: chunk) != nil:
                animated = reader.uint32(chunk.dataOffset).flatMap { $0 == 0 ? nil : $0 }
            case "fcTL":
                isPartOfAnimation = true
            case "IDAT":
                guard colorType != .palette || paletteCount > 0 else {
                    throw .damaged(.png, "it has no palette", offset: chunk.offset)
                }
                return (paletteCount, hasTransparency, frameCount)
            case "IEND":
                throw .damaged(.png, "it has no pixels", offset: chunk.offset)
            default: break
            }
            end = chunk.end
        }
        // An incomplete IDAT chunk is the most common form of truncation.
        let hasPixels =
            reader.slice(end + 4, 4) == Data("IDAT".utf8) && reader.count > end + 8
            && (colorType != .palette || paletteCount > 0)
        if isTolerant, hasPixels { return (paletteCount, hasTransparency, frameCount) }
        throw .truncated(
            .png,
            offset: reader.count,
            "the chunk at byte \(end) is incomplete",
            isRecoverable: hasPixels
        )
    }

    /// Returns the lengths that a tRNS chunk can have, or `nil` if there can be no such chunk.
    private static func transparencyLengths(_ colorType: ColorType, paletteCount: Int) -> ClosedRange<Int>? {
        switch colorType {
        case .gray: 2...2
        case .rgb: 6...6
        case .palette where paletteCount > 0: 1...paletteCount
        default: nil
        }
    }

    /// The size of the filtered rows, which deflate can compress by a factor of at most 1,032.
    private var unpackedSize: Int {
        let row = width.multipliedReportingOverflow(by: colorType.samples * bitDepth)
        guard !row.overflow else { return .max }
        let size = (row.partialValue / 8 + 1).multipliedReportingOverflow(by: height)
        return size.overflow ? .max : size.partialValue
    }

    /// Rejects a file that is too short for its pixels or lacks its end, before memory is allocated.
    private func checkIsWhole(_ reader: ByteReader, isTolerant: Bool) throws(TransformerError) {
        let needed = unpackedSize / 1032
        guard reader.count >= needed else {
            throw .truncated(.png, offset: reader.count, "\(width) × \(height) pixels require at least \(needed) bytes")
        }
        guard !isTolerant else { return }
        let ending: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
        if reader.bytes.suffix(12).elementsEqual(ending) { return }
        // Either other bytes follow the end, or the end is missing.
        var lastEnd = 33
        for chunk in PNGChunks(reader, from: 33) {
            if chunk.type == "IEND" { return }
            lastEnd = chunk.end
        }
        throw .truncated(
            .png,
            offset: reader.count,
            "there is no complete chunk at byte \(lastEnd)",
            isRecoverable: true
        )
    }
}

extension PNGHeader: ImageFileHeader {
    var format: ImageFileFormat { .png }

    var facts: [Inspection.Fact] {
        let colors = colorType == .palette ? " of \(paletteCount.counted("color"))" : ""
        var result = [Inspection.Fact("type", "\(colorType.title)\(colors), \(bitDepth.counted("bit")) per sample")]
        if hasTransparency { result.append(Inspection.Fact("transparency", "yes")) }
        result.append(Inspection.Fact("interlaced", isInterlaced ? "yes" : "no"))
        return result
    }

    func readMetadata(_ file: EncodedImage) -> ReadMetadata {
        PNGMetadataReader(file).read()
    }

    func checkStructure(_ file: EncodedImage) throws(TransformerError) {
        guard !file.options.isTolerant else { return }
        let last = PNGChunks(ByteReader(file.bytes)).reduce(PNGChunk?.none) { $1 }
        guard last?.type == "IEND" else {
            throw .damaged(.png, "its chunks end without IEND", offset: last?.end)
        }
    }

    func replacing(
        _ file: EncodedImage,
        with metadata: ImageMetadata,
        isStripping: Bool
    ) throws(TransformerError) -> Data {
        try PNGMetadataEditor(file: file, isStripping: isStripping).replacing(with: metadata)
    }
}

extension PNGHeader.ColorType {
    fileprivate var title: String {
        switch self {
        case .gray: "gray"
        case .rgb: "RGB"
        case .palette: "palette"
        case .grayAlpha: "gray and alpha"
        case .rgba: "RGB and alpha"
        }
    }
}
