public import Foundation
internal import _PropertyLists

/// An archived `NSIndexSet`: ascending ranges that do not touch or overlap.
public struct ArchivedIndexSet: Sendable, Hashable {
    /// The ranges, none of which are empty.
    public let ranges: [Range<Int>]

    /// Creates a set from ranges, or returns nil if they are empty, negative, touching, or out of order.
    ///
    /// - Parameter ranges: The ranges.
    public init?(ranges: [Range<Int>]) {
        guard ranges.allSatisfy({ !$0.isEmpty && $0.lowerBound >= 0 }),
            zip(ranges, ranges.dropFirst()).allSatisfy({ $0.upperBound < $1.lowerBound })
        else { return nil }
        self.ranges = ranges
    }

    /// Creates an archived set from an index set.
    ///
    /// - Parameter indexes: The indexes, none of which are negative.
    public init(_ indexes: IndexSet) {
        ranges = Array(indexes.rangeView)
    }

    /// The Foundation index set.
    public var indexSet: IndexSet {
        ranges.reduce(into: IndexSet()) { $0.insert(integersIn: $1) }
    }
}

extension ArchivedIndexSet: ArchivedCompound {
    static let tag = "$indexSet"

    /// Creates a set from an object, which contains one range in two fields, or several in data.
    init?(_ instance: ArchivedInstance) {
        guard instance.hasOnly(["NSRangeCount", "NSLocation", "NSLength", "NSRangeData"]),
            let count = instance.integer("NSRangeCount")
        else { return nil }
        var numbers: [Int]?
        if count == 1, let location = instance.integer("NSLocation"), let length = instance.integer("NSLength") {
            numbers = [location, length]
        } else if let data = instance["NSRangeData"]?.data {
            numbers = PackedIntegers.decode(data)
        } else if count == 0 {
            numbers = []
        }
        guard let numbers, numbers.count.isMultiple(of: 2), numbers.count / 2 == count else { return nil }
        self.init(numbers: numbers)
    }

    private init?(numbers: [Int]) {
        var ranges: [Range<Int>] = []
        for index in stride(from: 0, to: numbers.count, by: 2) {
            let (end, overflows) = numbers[index].addingReportingOverflow(numbers[index + 1])
            guard numbers[index] >= 0, numbers[index + 1] > 0, !overflows else { return nil }
            ranges.append(numbers[index]..<end)
        }
        self.init(ranges: ranges)
    }

    func instance() -> ArchivedInstance {
        var fields: [(name: String, value: ArchivedInstance.FieldValue)] = [("NSRangeCount", .integer(ranges.count))]
        if ranges.count == 1 {
            fields += [("NSLocation", .integer(ranges[0].lowerBound)), ("NSLength", .integer(ranges[0].count))]
        } else if !ranges.isEmpty {
            let data = PackedIntegers.encode(ranges.flatMap { [$0.lowerBound, $0.count] })
            fields.append(("NSRangeData", .object(.data(data))))
        }
        return ArchivedInstance(.known(.indexSet), fields: fields)
    }

    /// Pairs of a location and a length.
    var plain: ArchivedValue {
        let pairs = ranges.map { ArchivedValue.array([.integer(Int128($0.lowerBound)), .integer(Int128($0.count))]) }
        return .array(ArchivedArray(pairs))
    }

    init?(plain: ArchivedValue) {
        guard let pairs = plain.array else { return nil }
        let numbers = pairs.flatMap { $0.array?.compactMap(\.int) ?? [] }
        guard numbers.count == 2 * pairs.count, pairs.allSatisfy({ $0.array?.count == 2 }) else { return nil }
        self.init(numbers: numbers)
    }
}

/// Integers of seven bits per byte, least significant bits first.
///
/// All bytes except the last have their high bit set.
enum PackedIntegers {
    static func encode(_ numbers: [Int]) -> Data {
        var bytes = Data()
        for number in numbers {
            var rest = UInt(bitPattern: number)
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(rest))
        }
        return bytes
    }

    /// Returns nil if the last integer is incomplete, or if an integer does not fit in 64 bits.
    static func decode(_ bytes: Data) -> [Int]? {
        var numbers: [Int] = []
        var number: UInt = 0
        var shift = 0
        for byte in bytes {
            let bits = UInt(byte & 0x7F)
            guard shift < 64, (bits << shift) >> shift == bits else { return nil }
            number |= bits << shift
            shift += 7
            if byte < 0x80 {
                numbers.append(Int(bitPattern: number))
                (number, shift) = (0, 0)
            }
        }
        return shift == 0 ? numbers : nil
    }
}

/// An archived `NSIndexPath`.
public struct ArchivedIndexPath: Sendable, Hashable {
    /// The indexes, from the outermost to the innermost.
    public let indexes: [Int]

    /// Creates a path from its indexes.
    public init(_ indexes: [Int]) {
        self.indexes = indexes
    }

    /// Creates an archived path from an index path.
    public init(_ path: IndexPath) {
        indexes = Array(path)
    }

    /// The Foundation index path.
    public var indexPath: IndexPath { IndexPath(indexes: indexes) }
}

extension ArchivedIndexPath: ArchivedCompound {
    static let tag = "$indexPath"

    /// Creates a path from an object, which contains no index, one in a field, or several in data.
    init?(_ instance: ArchivedInstance) {
        guard instance.hasOnly(["NSIndexPathLength", "NSIndexPathValue", "NSIndexPathData"]),
            let count = instance.integer("NSIndexPathLength")
        else { return nil }
        let indexes =
            instance.integer("NSIndexPathValue").map { [$0] }
            ?? instance["NSIndexPathData"]?.data.flatMap(PackedIntegers.decode) ?? []
        guard indexes.count == count else { return nil }
        self.indexes = indexes
    }

    func instance() -> ArchivedInstance {
        var fields: [(name: String, value: ArchivedInstance.FieldValue)] = [
            ("NSIndexPathLength", .integer(indexes.count))
        ]
        switch indexes.count {
        case 0: break
        case 1: fields.append(("NSIndexPathValue", .integer(indexes[0])))
        default: fields.append(("NSIndexPathData", .object(.data(PackedIntegers.encode(indexes)))))
        }
        return ArchivedInstance(.known(.indexPath), fields: fields)
    }

    var plain: ArchivedValue {
        .array(ArchivedArray(indexes.map { .integer(Int128($0)) }))
    }

    init?(plain: ArchivedValue) {
        guard let values = plain.array, case let indexes = values.compactMap(\.int), indexes.count == values.count
        else { return nil }
        self.indexes = indexes
    }
}
