internal import Foundation
internal import TransformableImages

/// Reads the marker segments of a JPEG file that contain metadata.
///
/// Segments that are malformed or too large are skipped with a warning, because the image is complete without them.
struct JPEGMetadataReader {
    private let reader: ByteReader
    private var remaining: Int
    private var profileParts: [Int: Data] = [:]
    private var profilePartCount = 0
    private var result = ReadMetadata()

    init(_ file: EncodedImage) {
        reader = ByteReader(file.bytes)
        remaining = file.options.limits.maxMetadataBytes
    }

    consuming func read() -> ReadMetadata {
        for segment in JPEGSegments(reader) {
            guard let data = reader.slice(segment.dataOffset, segment.length) else { continue }
            read(segment, data)
        }
        joinProfile()
        return result
    }

    private mutating func read(_ segment: JPEGSegment, _ data: Data) {
        switch segment.marker {
        case JPEGMarker.comment:
            storeText(ImageText.commentKeyword, data, segment)
        case JPEGMarker.app0 where data.starts(with: JPEGTag.jfif):
            storeDensity(ByteReader(data.dropFirst(JPEGTag.jfif.count)))
        case JPEGMarker.app1 where data.starts(with: JPEGTag.exif):
            storeExif(data.dropFirst(JPEGTag.exif.count), segment)
        case JPEGMarker.app1 where data.starts(with: JPEGTag.xmp):
            storeText(ImageText.xmpKeyword, data.dropFirst(JPEGTag.xmp.count), segment)
        case JPEGMarker.app2 where data.starts(with: JPEGTag.profile):
            storeProfilePart(data.dropFirst(JPEGTag.profile.count), segment)
        default: break
        }
    }

    private mutating func spend(_ count: Int, _ segment: JPEGSegment) -> Bool {
        guard count <= remaining else {
            warn("the segment at byte \(segment.offset) exceeds the limit of “maxMetadata” and is ignored")
            return false
        }
        remaining -= count
        return true
    }

    private mutating func warn(_ text: String) {
        guard result.warnings.count < 8 else { return }
        result.warnings.append(text)
    }
}

extension JPEGMetadataReader {
    private mutating func storeText(_ keyword: String, _ data: Data, _ segment: JPEGSegment) {
        guard spend(data.count, segment) else { return }
        // Texts take more memory than their bytes, and there may be many of them.
        remaining -= 64
        result.metadata.texts.append(ImageText(keyword, String(lenient: data.withoutTrailingNULs)))
    }

    /// Reads the version, the unit, and the densities, which follow the JFIF tag.
    private mutating func storeDensity(_ data: ByteReader) {
        guard let unit = data.uint8(2), let horizontal = data.uint16(3), let vertical = data.uint16(5),
            horizontal > 0, vertical > 0
        else { return }
        // A ratio of 1 to 1 carries no information.
        guard unit <= 2, unit != 0 || horizontal != vertical else { return }
        let units: [PixelDensity.Unit] = [.ratio, .inch, .centimeter]
        result.metadata.density = PixelDensity(horizontal: horizontal, vertical: vertical, unit: units[unit])
    }

    private mutating func storeExif(_ data: Data, _ segment: JPEGSegment) {
        guard result.metadata.exif == nil, spend(data.count, segment) else { return }
        guard ExifStructure(data) != nil else {
            return warn("the EXIF segment at byte \(segment.offset) is malformed and is ignored")
        }
        result.metadata.exifWithDensity = Data(data)
    }

    /// Reads the number of the part, starting at 1, and the number of parts, which follow the tag (ICC.1, annex B.4).
    private mutating func storeProfilePart(_ data: Data, _ segment: JPEGSegment) {
        let part = ByteReader(data)
        guard let number = part.uint8(0), let count = part.uint8(1), profileParts[number] == nil,
            spend(data.count, segment)
        else { return }
        profilePartCount = count
        profileParts[number] = data.dropFirst(2)
    }

    private mutating func joinProfile() {
        guard !profileParts.isEmpty else { return }
        let parts = (1...max(1, profilePartCount)).compactMap { profileParts[$0] }
        guard parts.count == profilePartCount, parts.count == profileParts.count else {
            return warn("a part of the ICC profile is missing, so the profile is ignored")
        }
        result.metadata.colorProfile.icc = parts.reduce(into: Data()) { $0.append($1) }
    }
}

/// The tags at the beginning of application segments.
enum JPEGTag {
    static let jfif = Data("JFIF\0".utf8)
    static let exif = Data("Exif\0\0".utf8)
    static let xmp = Data("http://ns.adobe.com/xap/1.0/\0".utf8)
    static let profile = Data("ICC_PROFILE\0".utf8)
    static let adobe = Data("Adobe".utf8)
    static let multiPicture = Data("MPF\0".utf8)

    /// The tags of the segments that `ImageMetadata` represents.
    static let ofMetadata = [jfif, exif, xmp, profile]
}
