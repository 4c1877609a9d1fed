internal import Foundation
internal import KeyedArchivePlugin
internal import Transformable

extension FoundationClass {
    /// Index sets and index paths.
    static var indexes: [Self] {
        [
            Self(NSIndexSet.self, "NSIndexSet") { NSIndexSet(indexSet: try $0.indexSet()) },
            Self(NSMutableIndexSet.self, "NSMutableIndexSet", "NSIndexSet") {
                NSMutableIndexSet(indexSet: try $0.indexSet())
            },
            Self(NSIndexPath.self, "NSIndexPath") { unarchiver in
                let indexes = try unarchiver.indexPath()
                return NSIndexPath(indexes: indexes, length: indexes.count)
            },
        ]
    }
}

extension ObjectUnarchiver {
    /// Decodes an index set.
    ///
    /// Its ranges are in ascending order and do not touch, so that adding them takes linear time.
    fileprivate func indexSet() throws -> IndexSet {
        var set = IndexSet()
        var end = 0
        let count: Int = try integer(.key("NSRangeCount")) ?? 0
        var numbers: [Int] = []
        if count == 1, let location: Int = try integer(.key("NSLocation")) {
            numbers = [location, try integer(.key("NSLength")) ?? 1]
        } else if let data = try bytes(.key("NSRangeData")) {
            numbers = try packedIntegers(data)
        }
        guard count >= 0, numbers.count / 2 == count, numbers.count.isMultiple(of: 2) else {
            throw broken(NSIndexSet.self)
        }
        for position in stride(from: 0, to: numbers.count, by: 2) {
            let (location, length) = (numbers[position], numbers[position + 1])
            let (next, isTooFar) = location.addingReportingOverflow(length)
            guard location >= end, length > 0, !isTooFar, next < Int.max else { throw broken(NSIndexSet.self) }
            set.insert(integersIn: location..<next)
            end = next
        }
        return set
    }

    fileprivate func indexPath() throws -> [Int] {
        let count: Int = try integer(.key("NSIndexPathLength")) ?? 0
        if count == 1, let index: Int = try integer(.key("NSIndexPathValue")) { return [index] }
        let indexes = try bytes(.key("NSIndexPathData")).map { try packedIntegers($0) } ?? []
        guard indexes.count == count else { throw broken(NSIndexPath.self) }
        return indexes
    }

    /// Decodes integers of seven bits per byte, least significant bits first.
    ///
    /// The high bit indicates that more bytes follow.
    func packedIntegers(_ data: Data) throws -> [Int] {
        var numbers: [Int] = []
        var number: UInt64 = 0
        var shift = 0
        for byte in data {
            guard shift < 63 else { throw TransformerError.unreadable(try frame().path, "a number is too long") }
            number |= UInt64(byte & 0x7F) << shift
            shift += 7
            guard byte & 0x80 == 0 else { continue }
            numbers.append(Int(number))
            number = 0
            shift = 0
        }
        guard shift == 0 else { throw TransformerError.unreadable(try frame().path, "a number is truncated") }
        return numbers
    }
}
