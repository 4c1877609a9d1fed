package import Foundation

extension ExifStructure {
    private static let photoTag = 0x8769
    private static let colorSpaceTag = 0xA001
    private static let interoperabilityTag = 0xA005

    /// Whether the colors are those of the optional color space of DCF, which is Adobe RGB (CIPA DC-009, section 3.3).
    package var isAdobeRGB: Bool {
        interoperabilityEntry.flatMap { data($0) } == Data("R03\0".utf8)
    }

    /// The entry with the name of the interoperability rule: `R98` for sRGB, or `R03` for Adobe RGB.
    private var interoperabilityEntry: Entry? {
        entries(under: Self.photoTag).first { $0.tag == Self.interoperabilityTag }
            .flatMap { unsigned($0) }
            .flatMap { directory in entries(at: directory).first { $0.tag == 1 && $0.type == 2 && $0.count == 4 } }
    }

    /// EXIF that says nothing but that the colors are in Adobe RGB.
    static let adobeRGB = Data([
        // The main directory, with the place of the directory for the photo.
        0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0,
        // A color space other than sRGB, and the place of the directory for interoperability.
        0, 2, 0xA0, 0x01, 0, 3, 0, 0, 0, 1, 0xFF, 0xFF, 0, 0, 0xA0, 0x05, 0, 4, 0, 0, 0, 1, 0, 0, 0, 56, 0, 0, 0, 0,
        // The rule `R03`.
        0, 1, 0, 1, 0, 2, 0, 0, 0, 4, 0x52, 0x30, 0x33, 0, 0, 0, 0, 0,
    ])

    /// Returns EXIF that says sRGB wherever it says anything about colors.
    package static func settingSRGB(in exif: Data?) -> Data? {
        guard let exif, let structure = Self(exif) else { return exif }
        var result = exif
        let space = structure.entries(under: photoTag).first { $0.tag == colorSpaceTag && $0.type == 3 }
        if let space { result.replace(at: space.offset + 8, with: structure.number16(1)) }
        if let rule = structure.interoperabilityEntry { result.replace(at: rule.offset + 8, with: Data("R98\0".utf8)) }
        return result
    }
}

extension Data {
    /// Replaces as many bytes at an offset.
    fileprivate mutating func replace(at offset: Int, with bytes: Data) {
        let start = startIndex + offset
        replaceSubrange(start..<start + bytes.count, with: bytes)
    }
}
