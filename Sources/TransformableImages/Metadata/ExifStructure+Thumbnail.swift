package import Foundation

extension ExifStructure {
    private static let thumbnailOffsetTag = 0x0201
    private static let thumbnailLengthTag = 0x0202
    // A thumbnail that is not compressed is in strips.
    private static let stripOffsetsTag = 0x0111
    private static let stripLengthsTag = 0x0117
    /// The tags of the entries that point to directories for the photo, the place, and interoperability.
    private static let directoryTags = [0x8769, 0x8825, 0xA005]
    /// The tag of the notes of a camera (`MakerNote`), whose format is the manufacturer's.
    private static let notesTag = 0x927C

    /// Returns EXIF without the small image in its second directory (CIPA DC-008, section 4.6.8), and without previews.
    ///
    /// The bytes of the small image are removed if they are at the end, and otherwise set to zero, as those of previews are.
    /// If it claims bytes of the main image, which is not valid, they are kept.
    package static func removingThumbnail(from exif: Data) -> Data {
        guard let structure = Self(exif) else { return exif }
        let start = structure.reader.uint32(4) ?? 0
        let facts = RangeSet(structure.places(ofDirectoryAt: start, hasNotes: false))
        var result = Data(exif)
        for range in structure.placesOfPreviews { result.resetBytes(in: range) }
        // To subtract them from the places would take minutes if a hostile file has millions of previews.
        for range in facts.ranges.map({ $0.clamped(to: 0..<result.count) }) {
            guard let bytes = structure.reader.slice(range.lowerBound, range.count) else { continue }
            result.replaceSubrange(range, with: bytes)
        }
        guard let pointer = structure.offsetOfNextDirectory, let directory = structure.reader.uint32(pointer),
            directory != 0
        else { return result }
        let main = RangeSet(structure.places(ofDirectoryAt: start))
        let removed = structure.placesOfThumbnail(directory).subtracting(main)
        for range in [pointer..<pointer + 4] + removed.ranges { result.resetBytes(in: range) }
        if let last = removed.ranges.last, last.upperBound == result.count { result = result.prefix(last.lowerBound) }
        return result
    }

    /// The offset of the pointer that follows the main directory.
    private var offsetOfNextDirectory: Int? {
        mainEntries.last.map { $0.offset + 12 }
    }

    /// Returns the ranges of the second directory and of the small image that it describes.
    private func placesOfThumbnail(_ directory: Int) -> RangeSet<Int> {
        let entries = entries(at: directory)
        func numbers(_ tag: Int) -> [Int] { entries.first { $0.tag == tag }.map { unsignedNumbers($0) } ?? [] }
        var places = [place(ofDirectoryAt: directory, entries)]
        let tags = [
            (Self.thumbnailOffsetTag, Self.thumbnailLengthTag), (Self.stripOffsetsTag, Self.stripLengthsTag),
        ]
        for (offsets, lengths) in tags {
            places += zip(numbers(offsets), numbers(lengths)).map { $0..<$0 + $1 }
        }
        return RangeSet(places.map { $0.clamped(to: 8..<reader.count) })
    }

    /// The ranges of JPEG files, which cameras add as previews to their notes or to the end.
    private var placesOfPreviews: [Range<Int>] {
        let data = reader.bytes
        let bytes = data.span
        var places: [Range<Int>] = []
        var start = 0
        // A preview can have a thumbnail of its own.
        var depth = 0
        for offset in bytes.indices.dropLast() where bytes[offset] == 0xFF {
            switch bytes[offset + 1] {
            case 0xD8 where offset + 2 < bytes.count && bytes[offset + 2] == 0xFF:
                if depth == 0 { start = offset }
                depth += 1
            case 0xD9 where depth > 0:
                depth -= 1
                if depth == 0 { places.append(start..<offset + 2) }
            default: break
            }
        }
        if depth > 0 { places.append(start..<bytes.count) }
        return places
    }

    /// Returns the ranges of a directory, of the values of its entries, and of the directories that it points to.
    ///
    /// - Parameters:
    ///   - offset: The offset of the directory.
    ///   - hasNotes: Whether the notes of the camera count as a value.
    ///   - depth: How many directories lead to it.
    /// - Returns: The ranges.
    private func places(ofDirectoryAt offset: Int, hasNotes: Bool = true, depth: Int = 0) -> [Range<Int>] {
        let entries = entries(at: offset)
        let values = entries.filter { hasNotes || $0.tag != Self.notesTag }
        var result = [place(ofDirectoryAt: offset, entries)] + values.compactMap { place(of: $0) }
        // The directory for interoperability is below the one for the photo.
        guard depth < 2 else { return result }
        for tag in Self.directoryTags {
            guard let directory = entries.first(where: { $0.tag == tag }).flatMap({ unsigned($0) }) else { continue }
            result += places(ofDirectoryAt: directory, hasNotes: hasNotes, depth: depth + 1)
        }
        return result
    }

    /// Returns the range of a directory, including its pointer to the next one.
    private func place(ofDirectoryAt offset: Int, _ entries: [Entry]) -> Range<Int> {
        offset..<offset + 2 + entries.count * 12 + 4
    }
}
