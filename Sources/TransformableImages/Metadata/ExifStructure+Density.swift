package import Foundation

extension ExifStructure {
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

    /// Whether there is nothing but a density.
    package var hasOnlyDensity: Bool {
        let entries = mainEntries
        guard let last = entries.last, density != nil else { return false }
        return entries.map(\.tag) == [Self.horizontalTag, Self.verticalTag, Self.unitTag]
            && reader.uint32(last.offset + 12) == 0
    }

    /// Returns EXIF with a different density, or EXIF that contains only a density.
    package static func setting(_ density: PixelDensity, in exif: Data?) -> Data {
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
}

extension ExifStructure {
    /// Returns EXIF with a copy of the main directory at the end, in which entries are added or replaced.
    ///
    /// The data that the other entries point to stay in place.
    ///
    /// - Parameters:
    ///   - changes: The 12 bytes of each new entry, by tag.
    ///   - data: The data of the new entries, which come directly after the first ``evenCount`` bytes.
    /// - Returns: The new bytes.
    func setting(_ changes: [Int: Data], data: Data = Data()) -> Data {
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
    fileprivate var evenCount: Int { reader.count + reader.count % 2 }

    fileprivate func number32(_ number: Int) -> Data {
        let value = UInt32(truncatingIfNeeded: number)
        var result = Data()
        result.appendBigEndian(reader.isLittleEndian ? value.byteSwapped : value)
        return result
    }
}
