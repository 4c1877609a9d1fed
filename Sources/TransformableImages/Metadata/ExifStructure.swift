package import Foundation

/// The TIFF structure of EXIF: directories of tagged entries (TIFF 6.0, section 2; CIPA DC-008).
///
/// Every offset is checked before it is used, and directories are followed only to a fixed depth.
package struct ExifStructure {
    /// An entry of a directory.
    package struct Entry {
        package let tag: Int
        package let type: Int
        package let count: Int
        /// The offset of the entry.
        package let offset: Int
    }

    package let reader: ByteReader

    package init?(_ bytes: Data) {
        switch Array(bytes.prefix(4)) {
        case [0x49, 0x49, 0x2A, 0]: reader = ByteReader(bytes, isLittleEndian: true)
        case [0x4D, 0x4D, 0, 0x2A]: reader = ByteReader(bytes)
        default: return nil
        }
    }

    /// Returns the entries of the directory at an offset, as far as there are bytes for them.
    package func entries(at offset: Int) -> [Entry] {
        guard offset >= 8, let count = reader.uint16(offset) else { return [] }
        let start = offset + 2
        let available = max(0, (reader.count - start) / 12)
        return (0..<min(count, available))
            .compactMap { index in
                let offset = start + index * 12
                guard let tag = reader.uint16(offset), let type = reader.uint16(offset + 2),
                    let count = reader.uint32(offset + 4)
                else { return nil }
                return Entry(tag: tag, type: type, count: count, offset: offset)
            }
    }

    /// The entries that describe the main image.
    package var mainEntries: [Entry] { entries(at: reader.uint32(4) ?? 0) }

    /// Returns the entries of a directory that an entry of the main directory points to.
    package func entries(under tag: Int) -> [Entry] {
        guard let entry = mainEntries.first(where: { $0.tag == tag }), let offset = unsigned(entry) else { return [] }
        return entries(at: offset)
    }

    /// Returns the bytes of an entry's values, or nil if they are missing or too long.
    package func data(_ entry: Entry) -> Data? {
        let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]
        guard sizes.indices.contains(entry.type), sizes[entry.type] > 0, entry.count <= 65_536 else { return nil }
        let size = sizes[entry.type] * entry.count
        if size <= 4 { return reader.slice(entry.offset + 8, size) }
        return reader.uint32(entry.offset + 8).flatMap { reader.slice($0, size) }
    }

    /// Returns the first number of an entry that contains integers.
    package func unsigned(_ entry: Entry) -> Int? {
        guard entry.count >= 1, let data = data(entry) else { return nil }
        let values = ByteReader(data, isLittleEndian: reader.isLittleEndian)
        switch entry.type {
        case 1: return values.uint8(0)
        case 3: return values.uint16(0)
        case 4: return values.uint32(0)
        default: return nil
        }
    }

    /// Returns the fractions of an entry, signed or not.
    ///
    /// A fraction whose denominator is zero is NaN.
    package func fractions(_ entry: Entry) -> [Double] {
        guard entry.type == 5 || entry.type == 10, let data = data(entry) else { return [] }
        let values = ByteReader(data, isLittleEndian: reader.isLittleEndian)
        return (0..<entry.count)
            .compactMap { index in
                guard let top = values.uint32(index * 8), let bottom = values.uint32(index * 8 + 4) else { return nil }
                if entry.type == 5 { return bottom == 0 ? .nan : Double(top) / Double(bottom) }
                let signed = (Int32(truncatingIfNeeded: top), Int32(truncatingIfNeeded: bottom))
                return signed.1 == 0 ? .nan : Double(signed.0) / Double(signed.1)
            }
    }

    /// Returns the text of an entry, without padding.
    package func text(_ entry: Entry) -> String? {
        guard entry.type == 2, let data = data(entry) else { return nil }
        let text = String(lenient: data.prefix { $0 != 0 })
        return text.trimmingCharacters(in: .whitespaces)
    }
}

extension ExifStructure {
    private static let orientationTag = 0x0112

    package var orientation: ImageOrientation? {
        mainEntries.first { $0.tag == Self.orientationTag }.flatMap { unsigned($0) }.flatMap(ImageOrientation.init)
    }

    /// Returns EXIF with a different orientation, either changed in place or in a new directory at the end.
    package static func setting(_ orientation: ImageOrientation, in exif: Data?) -> Data? {
        guard let exif, let structure = Self(exif) else {
            return orientation == .up ? exif : minimal(orientation)
        }
        let entries = structure.mainEntries
        guard let entry = entries.first(where: { $0.tag == orientationTag }) else {
            return orientation == .up ? exif : structure.setting([orientationTag: structure.entryBytes(orientation)])
        }
        var result = exif
        let start = result.startIndex + entry.offset
        result.replaceSubrange(start..<start + 12, with: structure.entryBytes(orientation))
        return result
    }

    /// Returns EXIF that contains only an orientation.
    private static func minimal(_ orientation: ImageOrientation) -> Data {
        var result = Data([0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1])
        result.append(ExifStructure(reader: ByteReader(Data())).entryBytes(orientation))
        result.append(contentsOf: [0, 0, 0, 0])
        return result
    }

    init(reader: ByteReader) {
        self.reader = reader
    }

    /// Returns an entry that contains a single 16-bit number.
    private func entryBytes(_ orientation: ImageOrientation) -> Data {
        var result = number16(Self.orientationTag) + number16(3)
        result.append(reader.isLittleEndian ? Data([1, 0, 0, 0]) : Data([0, 0, 0, 1]))
        result.append(number16(orientation.rawValue) + Data(count: 2))
        return result
    }

    /// Returns a 16-bit number in the byte order of the structure.
    package func number16(_ number: Int) -> Data {
        let low = UInt8(truncatingIfNeeded: number)
        let high = UInt8(truncatingIfNeeded: number >> 8)
        return reader.isLittleEndian ? Data([low, high]) : Data([high, low])
    }
}
