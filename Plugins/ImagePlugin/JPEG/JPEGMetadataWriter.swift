internal import Foundation
internal import Transformable

/// A segment to be written.
struct JPEGNewSegment {
    let marker: Int
    let data: Data
}

/// Writes metadata as the segments that follow a JPEG's start.
struct JPEGMetadataWriter {
    /// What a segment holds beside its length field.
    static let longest = 65_533

    private(set) var segments: [JPEGNewSegment] = []

    init(_ metadata: ImageMetadata) throws(TransformerError) {
        if let exif = metadata.exif {
            try add(JPEGMarker.app1, JPEGTag.exif + exif, "the EXIF metadata")
        }
        if let icc = metadata.colorProfile.icc { try add(profile: icc) }
        for text in metadata.texts { try add(text) }
    }

    private mutating func add(_ marker: Int, _ data: Data, _ what: String) throws(TransformerError) {
        guard data.count <= Self.longest else {
            throw .invalidValue(
                "\(what) takes \(data.count) bytes, and a JPEG holds at most \(Self.longest); shorten it"
            )
        }
        segments.append(JPEGNewSegment(marker: marker, data: data))
    }

    /// In parts, each with its number, from 1, and how many there are (ICC.1, annex B.4).
    private mutating func add(profile: Data) throws(TransformerError) {
        let size = Self.longest - JPEGTag.profile.count - 2
        let count = (profile.count + size - 1) / size
        guard count <= 255 else {
            throw .invalidValue("the ICC profile takes \(profile.count) bytes, and a JPEG holds at most \(255 * size)")
        }
        for part in 0..<count {
            let bytes = profile.dropFirst(part * size).prefix(size)
            let head = JPEGTag.profile + [UInt8(part + 1), UInt8(count)]
            segments.append(JPEGNewSegment(marker: JPEGMarker.app2, data: head + bytes))
        }
    }

    /// A comment has no keyword of its own; any but “Comment” is written before the text.
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
