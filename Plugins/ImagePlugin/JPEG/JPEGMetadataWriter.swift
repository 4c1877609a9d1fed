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
