package import Foundation

extension ExifStructure {
    private static let thumbnailOffsetTag = 0x0201
    private static let thumbnailLengthTag = 0x0202

    /// Returns EXIF without the small image in its second directory (CIPA DC-008, section 4.6.8).
    ///
    /// Its bytes are removed if they are at the end, and otherwise set to zero.
    package static func removingThumbnail(from exif: Data) -> Data {
        guard let structure = Self(exif), let pointer = structure.offsetOfNextDirectory,
            let directory = structure.reader.uint32(pointer), directory != 0
        else { return exif }
        let entries = structure.entries(at: directory)
        func number(_ tag: Int) -> Int? { entries.first { $0.tag == tag }.flatMap { structure.unsigned($0) } }
        var result = Data(exif)
        var cleared = [pointer..<pointer + 4, directory..<directory + 2 + entries.count * 12]
        if let start = number(thumbnailOffsetTag), let count = number(thumbnailLengthTag) {
            cleared.append(start..<start + count)
        }
        for range in cleared.map({ $0.clamped(to: 8..<result.count) }) {
            result.replaceSubrange(range, with: Data(count: range.count))
        }
        if let last = cleared.last, last.upperBound >= result.count { result = result.prefix(max(8, last.lowerBound)) }
        return result
    }

    /// The offset of the pointer that follows the main directory.
    private var offsetOfNextDirectory: Int? {
        mainEntries.last.map { $0.offset + 12 }
    }
}
