internal import Foundation
internal import Transformable

/// Reads Apple's binary property lists, version 0x, with every offset and count checked.
struct BinaryPropertyListReader {
    static let magic = Array("bplist0".utf8)
    private static let trailerSize = 32

    private let bytes: [UInt8]
    private let objectCount: Int
    private let topObject: Int
    private let offsetSize: Int
    private let referenceSize: Int
    private let table: Int
    /// What has been read, with the number of values that it unfolds to; nil while it is being read.
    private var objects: [Int: (value: PropertyListValue, size: Int)?] = [:]

    init(_ bytes: [UInt8]) throws(TransformerError) {
        self.bytes = bytes
        let trailer = bytes.count - Self.trailerSize
        guard trailer > 8 else { throw .invalidData("the property list has no trailer", offset: bytes.count) }
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        let numbers = [8, 16, 24].map { Self.number(in: bytes[(trailer + $0)..<(trailer + $0 + 8)]) }
        guard [1, 2, 3, 4, 8].contains(offsetSize), [1, 2, 3, 4, 8].contains(referenceSize),
            let count = Int(exactly: numbers[0]), let top = Int(exactly: numbers[1]), top < count,
            let table = Int(exactly: numbers[2]), (9...trailer).contains(table),
            count <= (trailer - table) / offsetSize
        else {
            throw .invalidData("the trailer does not describe these bytes", offset: trailer)
        }
        (objectCount, topObject, self.table) = (count, top, table)
    }

    mutating func readDocument() throws(TransformerError) -> PropertyListValue {
        try readObject(topObject, depth: 0, at: table).value
    }

    private typealias Sized = (value: PropertyListValue, size: Int)

    private mutating func readObject(_ index: Int, depth: Int, at place: Int) throws(TransformerError) -> Sized {
        if let known = objects[index] {
            guard let known else { throw .invalidData("an object of the property list contains itself", offset: place) }
            return known
        }
        guard depth <= StructureLimit.depth else {
            throw .limitExceeded("a property list nests at most \(StructureLimit.depth) deep", offset: place)
        }
        guard index < objectCount else { throw .invalidData("there is no object \(index)", offset: place) }
        let entry = table + index * offsetSize
        guard let start = Int(exactly: Self.number(in: bytes[entry..<(entry + offsetSize)])),
            (8..<table).contains(start)
        else {
            throw .invalidData("an object lies outside of the property list", offset: entry)
        }
        objects[index] = .some(nil)
        let object = try readObject(at: start, depth: depth)
        objects[index] = object
        return object
    }

    private mutating func readObject(at start: Int, depth: Int) throws(TransformerError) -> Sized {
        let marker = bytes[start]
        switch marker >> 4 {
        case 0xA:
            let (count, first) = try count(at: start)
            return try readArray(try references(count, from: first), depth: depth, at: start)
        case 0xD:
            let (count, first) = try count(at: start)
            guard count <= bytes.count else { throw .invalidData("the dictionary exceeds the list", offset: start) }
            return try readDictionary(try references(count * 2, from: first), depth: depth, at: start)
        default: return (try readScalar(marker, at: start), 1)
        }
    }

    private mutating func readArray(_ references: [Int], depth: Int, at start: Int) throws(TransformerError) -> Sized {
        var values: [PropertyListValue] = []
        var size = 1
        for reference in references {
            let element = try readObject(reference, depth: depth + 1, at: start)
            values.append(element.value)
            size = try Self.sum(size, element.size, at: start)
        }
        return (.array(values), size)
    }

    private mutating func readDictionary(
        _ references: [Int],
        depth: Int,
        at start: Int
    ) throws(TransformerError) -> Sized {
        let count = references.count / 2
        var members: [String: PropertyListValue] = [:]
        var size = 1
        for (key, value) in zip(references.prefix(count), references.suffix(count)) {
            guard case .string(let name) = try readObject(key, depth: depth + 1, at: start).value else {
                throw .invalidData("a key of a dictionary is a string", offset: start)
            }
            let member = try readObject(value, depth: depth + 1, at: start)
            guard members.updateValue(member.value, forKey: name) == nil else {
                throw .invalidData("a dictionary has a key twice", offset: start)
            }
            size = try Self.sum(size, member.size, at: start)
        }
        return (.dictionary(members), size)
    }

    private static func sum(_ left: Int, _ right: Int, at start: Int) throws(TransformerError) -> Int {
        guard left + right <= StructureLimit.values else {
            throw .limitExceeded(
                "the property list unfolds to more than \(StructureLimit.values) values",
                offset: start
            )
        }
        return left + right
    }

    private func readScalar(_ marker: UInt8, at start: Int) throws(TransformerError) -> PropertyListValue {
        let low = Int(marker & 15)
        switch (marker >> 4, low) {
        case (0, 8): return .bool(false)
        case (0, 9): return .bool(true)
        case (1, 0...4): return try integer(slice(start + 1, 1 << low, start), at: start)
        case (2, 2):
            return .real(Double(Float(bitPattern: UInt32(Self.number(in: try slice(start + 1, 4, start))))))
        case (2, 3): return .real(Double(bitPattern: Self.number(in: try slice(start + 1, 8, start))))
        case (3, 3):
            let time = Double(bitPattern: Self.number(in: try slice(start + 1, 8, start)))
            guard !time.isNaN else { throw .invalidData("NaN is no time", offset: start + 1) }
            return .date(Date(timeIntervalSinceReferenceDate: time))
        case (4, _):
            let (count, first) = try count(at: start)
            return .data(Data(try slice(first, count, start)))
        case (5, _), (6, _), (7, _): return .string(try string(kind: marker >> 4, at: start))
        case (8, _):
            guard low < 8, let number = UInt32(exactly: Self.number(in: try slice(start + 1, low + 1, start))) else {
                throw .invalidData("a reference exceeds 32 bits", offset: start)
            }
            return .uid(number)
        default: throw .invalidData("there is no type \(String(marker, radix: 16))", offset: start)
        }
    }

    private func integer(_ bytes: ArraySlice<UInt8>, at start: Int) throws(TransformerError) -> PropertyListValue {
        let number = Self.number(in: bytes.suffix(8))
        guard bytes.count == 16 else {
            return .integer(bytes.count == 8 ? Int64(bitPattern: number) : Int64(number))
        }
        let high = Self.number(in: bytes.prefix(8))
        switch (high, Int64(exactly: number)) {
        case (0, .some(let number)): return .integer(number)
        case (0, .none): return .unsignedInteger(number)
        case (.max, _) where Int64(bitPattern: number) < 0: return .integer(Int64(bitPattern: number))
        default: throw TransformerError(.unsupported, "the integer exceeds 64 bits", offset: start)
        }
    }

    /// ASCII, UTF-16 or, in lists of version 01, UTF-8.
    private func string(kind: UInt8, at start: Int) throws(TransformerError) -> String {
        let (count, first) = try count(at: start)
        let text: String?
        if kind == 6 {
            guard count <= bytes.count else { throw .invalidData("the string exceeds the list", offset: start) }
            let units = try slice(first, count * 2, start)
            let starts = stride(from: units.startIndex, to: units.endIndex, by: 2)
            text = String(validating: starts.map { UInt16(units[$0]) << 8 | UInt16(units[$0 + 1]) }, as: UTF16.self)
        } else {
            let units = try slice(first, count, start)
            text =
                kind == 7 ? String(validating: units, as: UTF8.self) : String(validating: units, as: Unicode.ASCII.self)
        }
        guard let text else { throw .invalidData("the string is not Unicode", offset: first) }
        return text
    }

    /// The count in a marker, or in the integer after it, and where the content begins.
    private func count(at start: Int) throws(TransformerError) -> (count: Int, first: Int) {
        let low = Int(bytes[start] & 15)
        guard low == 15 else { return (low, start + 1) }
        let marker = try slice(start + 1, 1, start)[start + 1]
        guard marker >> 4 == 1, marker & 15 <= 3 else { throw .invalidData("expected a count", offset: start + 1) }
        let size = 1 << Int(marker & 15)
        guard let count = Int(exactly: Self.number(in: try slice(start + 2, size, start))) else {
            throw .invalidData("the count exceeds the property list", offset: start + 1)
        }
        return (count, start + 2 + size)
    }

    private func references(_ count: Int, from first: Int) throws(TransformerError) -> [Int] {
        guard count <= bytes.count else { throw .invalidData("the collection exceeds the list", offset: first) }
        let all = try slice(first, count * referenceSize, first)
        var references: [Int] = []
        references.reserveCapacity(count)
        for start in stride(from: all.startIndex, to: all.endIndex, by: referenceSize) {
            references.append(Int(exactly: Self.number(in: all[start..<(start + referenceSize)])) ?? .max)
        }
        return references
    }

    /// Bytes of the objects' area.
    private func slice(_ first: Int, _ count: Int, _ start: Int) throws(TransformerError) -> ArraySlice<UInt8> {
        guard first <= table, count <= table - first else {
            throw .invalidData("the object exceeds the property list", offset: start)
        }
        return bytes[first..<(first + count)]
    }

    private static func number(in bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
