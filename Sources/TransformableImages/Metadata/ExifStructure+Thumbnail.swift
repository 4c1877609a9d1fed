package import Foundation

extension ExifStructure {
    private static let thumbnailOffsetTag = 0x0201
    private static let thumbnailLengthTag = 0x0202
    // A thumbnail that is not compressed is in strips.
    private static let stripOffsetsTag = 0x0111
    private static let stripLengthsTag = 0x0117
    /// The tags of the entries that point to directories for the photo, the place, and interoperability.
    private static let directoryTags = [0x8769, 0x8825, 0xA005]

    /// Returns EXIF without the small image in its second directory (CIPA DC-008, section 4.6.8).
    ///
    /// Its bytes are removed if they are at the end, and otherwise set to zero. If it claims bytes of the main image, which
    /// is not valid, they are kept.
    package static func removingThumbnail(from exif: Data) -> Data {
        guard let structure = Self(exif), let pointer = structure.offsetOfNextDirectory,
            let directory = structure.reader.uint32(pointer), directory != 0
        else { return exif }
        let main = RangeSet(structure.places(ofDirectoryAt: structure.reader.uint32(4) ?? 0))
        let removed = structure.placesOfThumbnail(directory).subtracting(main)
        var result = Data(exif)
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

    /// Returns the ranges of a directory, of the values of its entries, and of the directories that it points to.
    private func places(ofDirectoryAt offset: Int, depth: Int = 0) -> [Range<Int>] {
        let entries = entries(at: offset)
        var result = [place(ofDirectoryAt: offset, entries)] + entries.compactMap { place(of: $0) }
        // The directory for interoperability is below the one for the photo.
        guard depth < 2 else { return result }
        for tag in Self.directoryTags {
            guard let directory = entries.first(where: { $0.tag == tag }).flatMap({ unsigned($0) }) else { continue }
            result += places(ofDirectoryAt: directory, depth: depth + 1)
        }
        return result
    }

    /// Returns the range of a directory, including its pointer to the next one.
    private func place(ofDirectoryAt offset: Int, _ entries: [Entry]) -> Range<Int> {
        offset..<offset + 2 + entries.count * 12 + 4
    }
}
