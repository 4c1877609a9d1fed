internal import Foundation
internal import Transformable
internal import TransformableImages

/// A segment to write.
struct JPEGNewSegment {
    let marker: Int
    let data: Data
}

/// Converts metadata to the segments that follow the start of a JPEG file.
struct JPEGMetadataWriter {
    /// The maximum size of a segment, excluding its length field.
    private static let longest = 65_533

    private(set) var segments: [JPEGNewSegment] = []

    /// Converts metadata, with the density in EXIF unless the file has a JFIF segment that can state it.
    init(_ metadata: ImageMetadata, hasJFIF: Bool) throws(TransformerError) {
        try metadata.checkExif()
        var metadata = metadata
        // EXIF must not contradict the statement of sRGB, for which JPEG has no place.
        let colors = metadata.colorProfile
        if colors.icc == nil, !colors.isEmpty { metadata.exif = ExifStructure.settingSRGB(in: metadata.exif) }
        let isInJFIF = hasJFIF && metadata.density?.jfif != nil
        if let exif = isInJFIF ? metadata.exif : metadata.exifWithDensity {
            try add(JPEGMarker.app1, JPEGTag.exif + exif, "the EXIF metadata")
        }
        if let icc = metadata.colorProfile.icc { try add(profile: icc) }
        for text in metadata.texts { try add(text) }
    }

    private mutating func add(_ marker: Int, _ data: Data, _ what: String) throws(TransformerError) {
        guard data.count <= Self.longest else {
            throw .invalidValue(
                "\(what) has \(data.count) bytes, but a JPEG can contain at most \(Self.longest); shorten it"
            )
        }
        segments.append(JPEGNewSegment(marker: marker, data: data))
    }

    /// Splits the profile into parts, each with its number, starting at 1, and the number of parts (ICC.1, annex B.4).
    private mutating func add(profile: Data) throws(TransformerError) {
        let size = Self.longest - JPEGTag.profile.count - 2
        let count = (profile.count + size - 1) / size
        guard count <= 255 else {
            throw .invalidValue(
                "the ICC profile has \(profile.count) bytes, but a JPEG can contain at most \(255 * size)"
            )
        }
        for part in 0..<count {
            let bytes = profile.dropFirst(part * size).prefix(size)
            let head = JPEGTag.profile + [UInt8(part + 1), UInt8(count)]
            segments.append(JPEGNewSegment(marker: JPEGMarker.app2, data: head + bytes))
        }
    }

    /// Adds a comment.
    ///
    /// Comments have no keyword, so any keyword other than “Comment” precedes the text.
    private mutating func add(_ text: ImageText) throws(TransformerError) {
        switch text.keyword {
        case ImageText.xmpKeyword:
            try add(JPEGMarker.app1, JPEGTag.xmp + Data(text.text.utf8), "the XMP metadata")
        case ImageText.commentKeyword:
            try add(JPEGMarker.comment, Data(text.text.utf8), "the comment")
        default:
            try add(JPEGMarker.comment, Data("\(text.keyword): \(text.text)".utf8), "the text “\(text.keyword)”")
        }
    }
}

/// Rewrites a JPEG file with different metadata.
///
/// The compressed pixels stay the same.
struct JPEGMetadataEditor {
    let file: EncodedImage
    let header: JPEGHeader
    /// Whether to remove trailing bytes, and application segments that are neither metadata nor part of the image.
    let isStripping: Bool

    func replacing(with metadata: ImageMetadata) throws(TransformerError) -> Data {
        guard !metadata.colorProfile.isLostInJPEG(header.pixelFormat) else {
            throw .invalidValue(
                "a JPEG file cannot contain the gamma, the chromaticities, or the code points of the image's colors; set an"
                    + " ICC profile, store the image as jpeg or png, or convert its colors to sRGB"
            )
        }
        try file.checkStructure()
        let reader = ByteReader(file.bytes)
        let parts = JPEGParts(reader)
        var result = Data([0xFF, 0xD8])
        result.reserveCapacity(file.bytes.count)
        append(densityOf: metadata, to: &result)
        for segment in try JPEGMetadataWriter(metadata, hasJFIF: header.canHaveJFIF).segments {
            result.append(contentsOf: [0xFF, UInt8(truncatingIfNeeded: segment.marker)])
            result.appendBigEndian(UInt16(clamping: segment.data.count + 2))
            result.append(segment.data)
        }
        // The segments that can have a list of images, and their new offsets.
        var lists: [(segment: JPEGSegment, offset: Int)] = []
        for part in parts.parts {
            switch part {
            case .segment(let segment) where isStripping && segment.marker == JPEGMarker.app14:
                append(transformOf: segment, to: &result)
            case .segment(let segment) where !keeps(segment, reader): break
            case .segment(let segment):
                if segment.marker == JPEGMarker.app2 { lists.append((segment, result.count)) }
                result.append(reader.slice(segment.offset, segment.end - segment.offset) ?? Data())
            case .scan(let range):
                result.append(reader.slice(range.lowerBound, range.count) ?? Data())
            }
        }
        if isStripping {
            // Trailing bytes are removed, and a file that was read with tolerance gets the end marker that it lacks.
            result.append(contentsOf: [0xFF, UInt8(JPEGMarker.endOfImage)])
        } else {
            for list in lists { move(list, by: result.count - parts.end, reader, in: &result) }
            result.append(file.bytes.dropFirst(parts.end))
        }
        return result
    }

    /// Corrects the places of the images that follow the first one.
    private func move(
        _ list: (segment: JPEGSegment, offset: Int),
        by growth: Int,
        _ reader: ByteReader,
        in result: inout Data
    ) {
        let segment = list.segment
        guard let data = reader.slice(segment.dataOffset, segment.length), data.starts(with: JPEGTag.multiPicture)
        else { return }
        let shift = growth - (list.offset - segment.offset)
        let start = list.offset + segment.dataOffset - segment.offset
        let moved = JPEGMultiPicture.moved(data, growth: growth, shift: shift)
        result.replaceSubrange(start..<start + segment.length, with: moved)
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
    private func append(transformOf segment: JPEGSegment, to result: inout Data) {
        guard let transform = header.adobeTransform, segment.offset == header.adobeOffset else { return }
        result.append(contentsOf: [0xFF, UInt8(JPEGMarker.app14), 0, 14])
        result.append(JPEGTag.adobe)
        // Version 100, and two flags that describe how the file was encoded.
        result.append(contentsOf: [0, 100, 0, 0, 0, 0, UInt8(truncatingIfNeeded: transform)])
    }

    /// Writes the JFIF segment if the file has one, or needs one for its density.
    private func append(densityOf metadata: ImageMetadata, to result: inout Data) {
        guard header.canHaveJFIF, header.hasJFIF || metadata.density?.jfif != nil else { return }
        let numbers = metadata.density?.jfif ?? (unit: 0, horizontal: 1, vertical: 1)
        result.append(contentsOf: [0xFF, 0xE0, 0, 16])
        result.append(JPEGTag.jfif)
        result.append(contentsOf: [1, 1, UInt8(truncatingIfNeeded: numbers.unit)])
        result.appendBigEndian(UInt16(truncatingIfNeeded: numbers.horizontal))
        result.appendBigEndian(UInt16(truncatingIfNeeded: numbers.vertical))
        result.append(contentsOf: [0, 0])
    }
}
