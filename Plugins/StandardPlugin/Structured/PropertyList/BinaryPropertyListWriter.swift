internal import Foundation
internal import Transformable

/// Writes Apple's binary property lists, version 00, big-endian throughout.
///
/// The objects stand in the order in which they are met, each distinct scalar once.
struct BinaryPropertyListWriter {
    private enum Object {
        case bytes([UInt8])
        case array([Int])
        case dictionary(keys: [Int], values: [Int])
    }

    private var objects: [Object] = []
    private var indexes: [[UInt8]: Int] = [:]

    mutating func write(_ value: PropertyListValue) throws(TransformerError) -> Data {
        objects = []
        indexes = [:]
        _ = try add(value, depth: 0)
        let referenceSize = Self.byteCount(of: UInt64(objects.count))
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt64] = []
        for object in objects {
            offsets.append(UInt64(bytes.count))
            append(object, referenceSize, to: &bytes)
        }
        let table = UInt64(bytes.count)
        let offsetSize = Self.byteCount(of: table)
        for offset in offsets {
            bytes += Self.bigEndian(offset, offsetSize)
        }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        bytes += Self.bigEndian(UInt64(objects.count), 8) + Self.bigEndian(0, 8) + Self.bigEndian(table, 8)
        return Data(bytes)
    }

    private mutating func add(_ value: PropertyListValue, depth: Int) throws(TransformerError) -> Int {
        guard depth <= StructureLimit.depth else {
            throw .limitExceeded("a property list nests at most \(StructureLimit.depth) deep")
        }
        switch value {
        case .array(let values):
            let index = reserve()
            var references: [Int] = []
            for value in values {
                references.append(try add(value, depth: depth + 1))
            }
            objects[index] = .array(references)
            return index
        case .dictionary(let members):
            let index = reserve()
            let sorted = sortedByUTF8(members)
            var keys: [Int] = []
            for member in sorted {
                keys.append(addScalar(.string(member.key)))
            }
            var references: [Int] = []
            for member in sorted {
                references.append(try add(member.value, depth: depth + 1))
            }
            objects[index] = .dictionary(keys: keys, values: references)
            return index
        default: return addScalar(value)
        }
    }

    private mutating func reserve() -> Int {
        objects.append(.array([]))
        return objects.count - 1
    }

    private mutating func addScalar(_ value: PropertyListValue) -> Int {
        let bytes = Self.scalar(value)
        if let index = indexes[bytes] { return index }
        objects.append(.bytes(bytes))
        indexes[bytes] = objects.count - 1
        return objects.count - 1
    }

    private func append(_ object: Object, _ size: Int, to bytes: inout [UInt8]) {
        switch object {
        case .bytes(let scalar): bytes += scalar
        case .array(let references):
            bytes += Self.marker(0xA0, count: references.count)
            bytes += references.flatMap { Self.bigEndian(UInt64($0), size) }
        case .dictionary(let keys, let values):
            bytes += Self.marker(0xD0, count: keys.count)
            bytes += (keys + values).flatMap { Self.bigEndian(UInt64($0), size) }
        }
    }

    private static func scalar(_ value: PropertyListValue) -> [UInt8] {
        switch value {
        case .bool(let flag): [flag ? 0x09 : 0x08]
        case .integer(let number): integer(number)
        case .unsignedInteger(let number): Int64(exactly: number).map(integer) ?? wideInteger(number)
        case .real(let number): [0x23] + bigEndian(number.bitPattern, 8)
        case .date(let date): [0x33] + bigEndian(date.timeIntervalSinceReferenceDate.bitPattern, 8)
        case .data(let data): marker(0x40, count: data.count) + data
        case .string(let text): string(text)
        case .uid(let number): uid(UInt64(number))
        case .array, .dictionary: []
        }
    }

    /// Numbers of 1, 2 and 4 bytes have no sign, those of 8 have one.
    private static func integer(_ number: Int64) -> [UInt8] {
        let bits = UInt64(bitPattern: number)
        let size = number < 0 ? 8 : byteCount(of: bits)
        return [0x10 | UInt8(size.trailingZeroBitCount)] + bigEndian(bits, size)
    }

    private static func wideInteger(_ number: UInt64) -> [UInt8] {
        [0x14] + bigEndian(0, 8) + bigEndian(number, 8)
    }

    private static func uid(_ number: UInt64) -> [UInt8] {
        let size = byteCount(of: number)
        return [0x80 | UInt8(size - 1)] + bigEndian(number, size)
    }

    /// ASCII as it is, all else as UTF-16.
    private static func string(_ text: String) -> [UInt8] {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return marker(0x50, count: text.utf8.count) + text.utf8 }
        let units = Array(text.utf16)
        return marker(0x60, count: units.count) + units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    }

    private static func marker(_ kind: UInt8, count: Int) -> [UInt8] {
        count < 15 ? [kind | UInt8(count)] : [kind | 15] + integer(Int64(count))
    }

    /// 1, 2, 4 or 8.
    private static func byteCount(of number: UInt64) -> Int {
        switch number {
        case 0...0xFF: 1
        case 0...0xFFFF: 2
        case 0...0xFFFF_FFFF: 4
        default: 8
        }
    }

    private static func bigEndian(_ number: UInt64, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * (size - 1 - $0))) }
    }
}
