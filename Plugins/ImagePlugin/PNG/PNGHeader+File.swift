internal import Foundation
internal import Transformable
internal import TransformableImages

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
            throw .damaged(.png, "its chunks do not lead to its end", offset: last?.end)
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
