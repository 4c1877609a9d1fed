internal import Foundation
internal import TransformableImages

/// The list of images in a JPEG file that contains more than one, such as the gain map of a photo (CIPA DC-007).
///
/// The other images follow the end marker of the first one. Their places are relative to the list.
enum JPEGMultiPicture {
    /// The tag of the list, which has 16 bytes for each image (section 5.2.3.3).
    private static let listTag = 0xB002
    private static let entrySize = 16

    /// Returns the data of the segment with the list, for a file whose first image has another size.
    ///
    /// - Parameters:
    ///   - data: The data, which begin with ``JPEGTag/multiPicture``. A malformed list is left as it is.
    ///   - growth: The number of bytes that the first image gains.
    ///   - shift: The number of bytes by which the distance from the segment to the other images grows.
    /// - Returns: The same number of bytes.
    static func moved(_ data: Data, growth: Int, shift: Int) -> Data {
        let start = JPEGTag.multiPicture.count
        guard let structure = ExifStructure(data.dropFirst(start)),
            let list = structure.mainEntries.first(where: { $0.tag == listTag && $0.type == 7 }),
            structure.data(list) != nil, let first = structure.reader.uint32(list.offset + 8)
        else { return data }
        var result = data
        func replace(_ number: Int, at offset: Int) {
            let value = UInt32(clamping: number)
            var bytes = Data()
            bytes.appendBigEndian(structure.reader.isLittleEndian ? value.byteSwapped : value)
            let place = result.startIndex + start + offset
            result.replaceSubrange(place..<place + 4, with: bytes)
        }
        for index in 0..<list.count / entrySize {
            let entry = first + index * entrySize
            guard let size = structure.reader.uint32(entry + 4), let place = structure.reader.uint32(entry + 8) else {
                return data
            }
            // The place of the first image is zero.
            if place == 0 { replace(size + growth, at: entry + 4) } else { replace(place + shift, at: entry + 8) }
        }
        return result
    }
}
