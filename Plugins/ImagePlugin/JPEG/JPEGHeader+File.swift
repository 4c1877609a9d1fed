internal import Foundation
internal import Transformable
internal import TransformableImages

extension JPEGHeader: ImageFileHeader {
    var format: ImageFileFormat { .jpeg }

    var facts: [Inspection.Fact] {
        let sampling = components.map { "\($0.horizontalSampling)×\($0.verticalSampling)" }
        return [
            Inspection.Fact("type", colorTitle),
            Inspection.Fact("coding", coding.rawValue),
            Inspection.Fact("sampling", sampling.joined(separator: " ")),
        ]
    }

    private var colorTitle: String {
        switch (components.count, adobeTransform) {
        case (1, _): "gray"
        case (3, 0): "RGB"
        case (3, _): "YCbCr"
        case (_, 2): "YCCK"
        default: "CMYK"
        }
    }

    func decodePixels(_ file: EncodedImage) throws(TransformerError) -> DecodedPixels {
        try decodePixels(file, eighths: 8)
    }

    func readMetadata(_ file: EncodedImage) -> ReadMetadata {
        JPEGMetadataReader(file).read()
    }

    func checkStructure(_ file: EncodedImage) throws(TransformerError) {
        guard !file.options.isTolerant else { return }
        let parts = JPEGParts(ByteReader(file.bytes))
        guard parts.isWhole else {
            throw .damaged(.jpeg, "its segments do not lead to its end", offset: parts.end, isRecoverable: true)
        }
    }

    func replacing(
        _ file: EncodedImage,
        with metadata: ImageMetadata,
        isStripping: Bool
    ) throws(TransformerError) -> Data {
        try JPEGMetadataEditor(file: file, header: self, isStripping: isStripping).replacing(with: metadata)
    }
}
