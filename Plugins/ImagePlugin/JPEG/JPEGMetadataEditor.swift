internal import Foundation
internal import Transformable
internal import TransformableImages

/// Rewrites a JPEG file with different metadata.
///
/// The compressed pixels stay the same.
struct JPEGMetadataEditor {
    let file: EncodedImage
    let header: JPEGHeader
    /// Whether to remove trailing bytes, and application segments that are neither metadata nor part of the image.
    let isStripping: Bool

    func replacing(with metadata: ImageMetadata) throws(TransformerError) -> Data {
        try file.checkStructure()
        let reader = ByteReader(file.bytes)
        let parts = JPEGParts(reader)
        var result = Data([0xFF, 0xD8])
        result.reserveCapacity(file.bytes.count)
        append(densityOf: metadata, parts, reader, to: &result)
        for segment in try JPEGMetadataWriter(metadata).segments {
            result.append(contentsOf: [0xFF, UInt8(truncatingIfNeeded: segment.marker)])
            result.appendBigEndian(UInt16(clamping: segment.data.count + 2))
            result.append(segment.data)
        }
        for part in parts.parts {
            switch part {
            case .segment(let segment) where isStripping && segment.marker == JPEGMarker.app14:
                append(transformOf: segment, reader, to: &result)
            case .segment(let segment) where !keeps(segment, reader): break
            case .segment(let segment):
                result.append(reader.slice(segment.offset, segment.end - segment.offset) ?? Data())
            case .scan(let range):
                result.append(reader.slice(range.lowerBound, range.count) ?? Data())
            }
        }
        if isStripping {
            // Trailing bytes are removed, and a file that was read with tolerance gets the end marker that it lacks.
            result.append(contentsOf: [0xFF, UInt8(JPEGMarker.endOfImage)])
        } else {
            result.append(file.bytes.dropFirst(parts.end))
        }
        return result
    }

    private func keeps(_ segment: JPEGSegment, _ reader: ByteReader) -> Bool {
        guard let data = reader.slice(segment.dataOffset, segment.length) else { return false }
        switch segment.marker {
        case JPEGMarker.comment: return false
        case _ where isStripping: return JPEGMarker.ofPicture.contains(segment.marker)
        case JPEGMarker.app0...0xEF:
            return !JPEGTag.ofMetadata.contains { data.starts(with: $0) }
        default: return true
        }
    }

    /// Writes Adobe's segment without anything but the transform of colors, which the picture needs.
    ///
    /// Only the first one counts, and other programs use the marker for other data.
    private func append(transformOf segment: JPEGSegment, _ reader: ByteReader, to result: inout Data) {
        guard let transform = header.adobeTransform, segment.offset == header.adobeOffset else { return }
        result.append(contentsOf: [0xFF, UInt8(JPEGMarker.app14), 0, 14])
        result.append(JPEGTag.adobe)
        // Version 100, and two flags that describe how the file was encoded.
        result.append(contentsOf: [0, 100, 0, 0, 0, 0, UInt8(truncatingIfNeeded: transform)])
    }

    /// Writes the JFIF segment if the file has or can have one.
    ///
    /// It would turn an Adobe RGB file into YCbCr.
    private func append(
        densityOf metadata: ImageMetadata,
        _ parts: JPEGParts,
        _ reader: ByteReader,
        to result: inout Data
    ) {
        let hasSegment = parts.parts.contains { part in
            guard case .segment(let segment) = part, segment.marker == JPEGMarker.app0 else { return false }
            return reader.slice(segment.dataOffset, segment.length)?.starts(with: JPEGTag.jfif) ?? false
        }
        let mayHave = header.components.map(\.identifier) == [1, 2, 3] && header.adobeTransform == nil
        guard hasSegment || mayHave && metadata.density != nil else { return }
        let numbers = metadata.density?.jfif ?? (unit: 0, horizontal: 1, vertical: 1)
        result.append(contentsOf: [0xFF, 0xE0, 0, 16])
        result.append(JPEGTag.jfif)
        result.append(contentsOf: [1, 1, UInt8(truncatingIfNeeded: numbers.unit)])
        result.appendBigEndian(UInt16(truncatingIfNeeded: numbers.horizontal))
        result.appendBigEndian(UInt16(truncatingIfNeeded: numbers.vertical))
        result.append(contentsOf: [0, 0])
    }
}
