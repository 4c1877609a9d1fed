internal import Foundation
internal import Transformable
internal import TransformableImages

/// The contents of a JPEG file up to its first scan.
struct JPEGHeader: Sendable {
    /// The coding of the coefficients, as indicated by the frame's marker.
    enum Coding: String, Sendable {
        case baseline
        case extended
        case progressive
        case arithmetic
        case progressiveArithmetic = "progressive, arithmetic"
    }

    /// A component of the frame.
    struct Component: Sendable, Hashable {
        let identifier: Int
        let horizontalSampling: Int
        let verticalSampling: Int
    }

    let width: Int
    let height: Int
    private let coding: Coding
    let components: [Component]
    /// Whether there is a JFIF segment.
    let hasJFIF: Bool
    /// The transform flag of Adobe's marker: 0 for none, 1 for YCbCr, and 2 for YCCK.
    ///
    /// Nil if there is no marker.
    let adobeTransform: Int?
    /// The offset of Adobe's marker.
    let adobeOffset: Int?

    var pixelFormat: PixelFormat {
        switch components.count {
        case 1: .gray8
        case 3: .rgb8
        default: .cmyk8
        }
    }

    /// Reads a file up to its first scan.
    init(_ bytes: Data, options: ImageReadingOptions) throws(TransformerError) {
        let reader = ByteReader(bytes)
        var frame: JPEGSegment?
        var adobe: (transform: Int, offset: Int)?
        var hasJFIF = false
        var hasScan = false
        var segments = JPEGSegments(reader)
        while let segment = segments.next() {
            switch segment.marker {
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                guard frame == nil else { throw .damaged(.jpeg, "it has more than one frame", offset: segment.offset) }
                frame = segment
            case JPEGMarker.app0:
                // libjpeg ignores a shorter segment.
                if segment.length >= 14, reader.slice(segment.dataOffset, 5) == JPEGTag.jfif { hasJFIF = true }
            case JPEGMarker.app14:
                if segment.length >= 12, reader.slice(segment.dataOffset, 5) == JPEGTag.adobe,
                    let transform = reader.uint8(segment.dataOffset + 11)
                {
                    adobe = (transform, segment.offset)
                }
            case JPEGMarker.startOfScan: hasScan = true
            default: break
            }
        }
        guard let frame, hasScan else {
            let lack = "it has no \(frame == nil ? "frame" : "scan")"
            guard segments.isTruncated else { throw .damaged(.jpeg, lack) }
            throw .truncated(.jpeg, offset: reader.count, lack)
        }
        coding = try Self.coding(of: frame)
        (width, height) = try Self.size(of: frame, reader, limits: options.limits)
        components = try Self.components(of: frame, reader)
        self.hasJFIF = hasJFIF
        adobeTransform = adobe?.transform
        adobeOffset = adobe?.offset
        try checkIsWhole(reader, options: options)
    }

    private static func coding(of frame: JPEGSegment) throws(TransformerError) -> Coding {
        switch frame.marker {
        case 0xC0: .baseline
        case 0xC1: .extended
        case 0xC2: .progressive
        case 0xC9: .arithmetic
        case 0xCA: .progressiveArithmetic
        case 0xC3, 0xCB: throw Self.unsupported("lossless coding", frame)
        default: throw Self.unsupported("hierarchical coding", frame)
        }
    }

    private static func size(
        of frame: JPEGSegment,
        _ reader: ByteReader,
        limits: ImageLimits
    ) throws(TransformerError) -> (Int, Int) {
        guard let precision = reader.uint8(frame.dataOffset), frame.length >= 6,
            let height = reader.uint16(frame.dataOffset + 1), let width = reader.uint16(frame.dataOffset + 3)
        else { throw .damaged(.jpeg, "its frame header is too short", offset: frame.offset) }
        guard precision == 8 else { throw unsupported("\(precision) bits per sample", frame) }
        guard width > 0 else { throw .damaged(.jpeg, "it has no columns", offset: frame.offset) }
        guard height > 0 else { throw unsupported("a height that is defined after the first scan", frame) }
        guard width <= limits.maxPixels / height else {
            throw .tooManyPixels(width, height, limit: limits.maxPixels)
        }
        return (width, height)
    }

    private static func components(
        of frame: JPEGSegment,
        _ reader: ByteReader
    ) throws(TransformerError) -> [Component] {
        let count = reader.uint8(frame.dataOffset + 5) ?? 0
        guard frame.length == 6 + 3 * count else {
            throw .damaged(.jpeg, "its frame header has the wrong length", offset: frame.offset)
        }
        guard [1, 3, 4].contains(count) else { throw unsupported("\(count) components", frame) }
        return try (0..<count)
            .map { index throws(TransformerError) in
                let start = frame.dataOffset + 6 + index * 3
                let sampling = reader.uint8(start + 1) ?? 0
                guard (1...4).contains(sampling >> 4), (1...4).contains(sampling & 15) else {
                    throw .damaged(.jpeg, "its sampling factors are not between 1 and 4", offset: start + 1)
                }
                return Component(
                    identifier: reader.uint8(start) ?? 0,
                    horizontalSampling: sampling >> 4,
                    verticalSampling: sampling & 15
                )
            }
    }

    private static func unsupported(_ what: String, _ frame: JPEGSegment) -> TransformerError {
        TransformerError(.unsupported, "a JPEG file with \(what) is not supported", offset: frame.offset)
    }
}

extension JPEGHeader {
    /// Whether the file can have a JFIF segment, which says that three components are YCbCr (ITU-T T.871).
    ///
    /// It would change the colors of a file in RGB, and is not defined for four components.
    var canHaveJFIF: Bool {
        switch (components.count, adobeTransform) {
        case (1, _), (3, 1): true
        case (3, _) where hasJFIF: true
        case (3, nil): components.map(\.identifier) == [1, 2, 3]
        default: false
        }
    }

    /// Rejects a file that is too short for its pixels or lacks its end, before memory is allocated.
    private func checkIsWhole(_ reader: ByteReader, options: ImageReadingOptions) throws(TransformerError) {
        // Huffman codes have at least one bit, and every block of 8 × 8 samples has at least one code.
        let needed = coding == .arithmetic || coding == .progressiveArithmetic ? 0 : width * height / 512
        guard reader.count >= needed else {
            throw .truncated(
                .jpeg,
                offset: reader.count,
                "\(width) × \(height) pixels require at least \(needed) bytes"
            )
        }
        guard !options.isTolerant, !reader.bytes.suffix(2).elementsEqual([0xFF, 0xD9]) else { return }
        guard hasEnd(reader) else {
            throw .truncated(.jpeg, offset: reader.count, "its end marker is missing", isRecoverable: true)
        }
    }

    /// Searches for the end marker after the first scan.
    ///
    /// Other bytes may follow it.
    private func hasEnd(_ reader: ByteReader) -> Bool {
        guard let scan = JPEGSegments(reader).first(where: { $0.marker == JPEGMarker.startOfScan }) else {
            return false
        }
        return reader.bytes.dropFirst(scan.end).range(of: Data([0xFF, 0xD9])) != nil
    }
}

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
            throw .damaged(.jpeg, "its segments end without an end marker", offset: parts.end, isRecoverable: true)
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
