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
        guard entry.count <= 65_536, let place = place(of: entry) else { return nil }
        return reader.slice(place.lowerBound, place.count)
    }

    /// Returns the range of an entry's values, or nil if they are missing.
    func place(of entry: Entry) -> Range<Int>? {
        let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8]
        guard sizes.indices.contains(entry.type), sizes[entry.type] > 0 else { return nil }
        let size = sizes[entry.type] * entry.count
        guard let start = size <= 4 ? entry.offset + 8 : reader.uint32(entry.offset + 8), start + size <= reader.count
        else { return nil }
        return start..<start + size
    }

    /// Returns the first number of an entry that contains integers.
    package func unsigned(_ entry: Entry) -> Int? { unsignedNumbers(entry).first }

    /// Returns the numbers of an entry that contains integers.
    func unsignedNumbers(_ entry: Entry) -> [Int] {
        guard let data = data(entry) else { return [] }
        let values = ByteReader(data, isLittleEndian: reader.isLittleEndian)
        return (0..<entry.count)
            .compactMap { index in
                switch entry.type {
                case 1: values.uint8(index)
                case 3: values.uint16(2 * index)
                case 4: values.uint32(4 * index)
                default: nil
                }
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

    private static let horizontalTag = 0x011A
    private static let verticalTag = 0x011B
    private static let unitTag = 0x0128

    /// The number of pixels per unit, if EXIF contains both numbers and the unit.
    package var density: PixelDensity? {
        guard let horizontal = fraction(Self.horizontalTag), let vertical = fraction(Self.verticalTag) else {
            return nil
        }
        switch mainEntries.first(where: { $0.tag == Self.unitTag }).flatMap({ unsigned($0) }) {
        case 1 where horizontal != vertical: return Self.density(horizontal, vertical, unit: .ratio)
        case 2: return Self.density(horizontal, vertical, unit: .inch)
        case 3:
            // Whole numbers per meter, which is how PNG states them.
            let isPerMeter = [horizontal, vertical].contains { $0.rounded() != $0 }
            return isPerMeter
                ? Self.density(horizontal * 100, vertical * 100, unit: .meter)
                : Self.density(horizontal, vertical, unit: .centimeter)
        default: return nil
        }
    }

    private func fraction(_ tag: Int) -> Double? {
        mainEntries.first { $0.tag == tag }.flatMap { fractions($0).first }
    }

    private static func density(_ horizontal: Double, _ vertical: Double, unit: PixelDensity.Unit) -> PixelDensity? {
        let numbers = [horizontal, vertical].map { $0.rounded() }
        guard numbers.allSatisfy({ (1...1_000_000).contains($0) }) else { return nil }
        return PixelDensity(horizontal: Int(numbers[0]), vertical: Int(numbers[1]), unit: unit)
    }

    /// Returns EXIF in which the horizontal and the vertical density are exchanged.
    static func exchangingDensities(in exif: Data) -> Data {
        guard let structure = Self(exif), structure.fraction(horizontalTag) != structure.fraction(verticalTag),
            let horizontal = structure.mainEntries.first(where: { $0.tag == horizontalTag }),
            let vertical = structure.mainEntries.first(where: { $0.tag == verticalTag })
        else { return exif }
        var result = exif
        for (target, source) in [(horizontal, vertical), (vertical, horizontal)] {
            // Everything but the tag, which is the type, the count, and the offset of the numbers.
            guard let bytes = structure.reader.slice(source.offset + 2, 10) else { return exif }
            let start = result.startIndex + target.offset + 2
            result.replaceSubrange(start..<start + 10, with: bytes)
        }
        return result
    }

    /// Whether there is nothing but a density.
    var hasOnlyDensity: Bool {
        let entries = mainEntries
        guard let last = entries.last, density != nil else { return false }
        return entries.map(\.tag) == [Self.horizontalTag, Self.verticalTag, Self.unitTag]
            && reader.uint32(last.offset + 12) == 0
    }

    /// Returns EXIF with a different density, or EXIF that contains only a density.
    static func setting(_ density: PixelDensity, in exif: Data?) -> Data {
        let structure = exif.flatMap(Self.init) ?? Self(reader: ByteReader(Data([0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8])))
        let start = structure.evenCount
        let denominator = density.unit == .meter ? 100 : 1
        let numbers = [density.horizontal, denominator, density.vertical, denominator]
        let unit =
            switch density.unit {
            case .ratio: 1
            case .inch: 2
            case .centimeter, .meter: 3
            }
        let fraction = { (tag: Int, offset: Int) in
            structure.number16(tag) + structure.number16(5) + structure.number32(1) + structure.number32(offset)
        }
        return structure.setting(
            [
                horizontalTag: fraction(horizontalTag, start),
                verticalTag: fraction(verticalTag, start + 8),
                unitTag: structure.number16(unitTag) + structure.number16(3) + structure.number32(1)
                    + structure.number16(unit) + Data(count: 2),
            ],
            data: numbers.reduce(into: Data()) { $0 += structure.number32($1) }
        )
    }

    /// Returns EXIF with a copy of the main directory at the end, in which entries are added or replaced.
    ///
    /// The data that the other entries point to stay in place.
    ///
    /// - Parameters:
    ///   - changes: The 12 bytes of each new entry, by tag.
    ///   - data: The data of the new entries, which come directly after the first ``evenCount`` bytes.
    /// - Returns: The new bytes.
    private func setting(_ changes: [Int: Data], data: Data = Data()) -> Data {
        let old = mainEntries
        var entries = Dictionary(old.map { ($0.tag, reader.slice($0.offset, 12)) }) { first, _ in first }
            .compactMapValues { $0 }
        entries.merge(changes) { $1 }
        var result = reader.bytes + Data(count: evenCount - reader.count) + data
        let start = number32(result.count)
        result += number16(entries.count)
        for (_, bytes) in entries.sorted(by: { $0.key < $1.key }) { result += bytes }
        result += old.last.flatMap { reader.slice($0.offset + 12, 4) } ?? Data(count: 4)
        let pointer = result.startIndex + 4
        result.replaceSubrange(pointer..<pointer + 4, with: start)
        return result
    }

    /// The number of bytes, rounded up, because directories start at even offsets (TIFF 6.0, section 2).
    private var evenCount: Int { reader.count + reader.count % 2 }

    private func number32(_ number: Int) -> Data {
        let value = UInt32(truncatingIfNeeded: number)
        var result = Data()
        result.appendBigEndian(reader.isLittleEndian ? value.byteSwapped : value)
        return result
    }
}
