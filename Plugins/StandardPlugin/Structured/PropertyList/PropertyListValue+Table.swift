internal import Foundation
internal import Transformable
internal import _PropertyLists

extension PropertyListValue {
    private static let limits = PropertyListLimits(bytes: Int(UInt32.max) / 2, objects: StructureLimit.values)

    /// Reads a property list in either format.
    init(propertyList data: Data) throws(TransformerError) {
        let (table, _) = try PropertyListReader.read(data, limits: Self.limits)
        var reader = PropertyListValueReader(table)
        self = try reader.value(at: table.root).value
    }

    /// Returns the value as XML in which dates have fractions and text has any characters, for display.
    func exactXML() throws(TransformerError) -> Data {
        // The reader takes characters that XML does not allow.
        var builder = PropertyListTableBuilder(isXML: false)
        return Data(try XMLPropertyListWriter.write(builder.build(self), dateText: XMLDate.exactText))
    }

    /// Verifies that the value is not larger as text, which repeats shared text and data, than a number of bytes.
    func checkText(limit: Int, _ remedy: String) throws(TransformerError) {
        guard byteCount <= limit else {
            throw .limitExceeded("as text, the property list is larger than \(limit) bytes; \(remedy)")
        }
    }

    /// The number of bytes of all text and data, including keys.
    private var byteCount: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .data(let data): data.count
        case .array(let values): values.reduce(0) { $0 + $1.byteCount }
        case .dictionary(let members): members.reduce(0) { $0 + $1.key.utf8.count + $1.value.byteCount }
        case .bool, .integer, .unsignedInteger, .real, .date, .uid: 0
        }
    }

    /// Returns the value as a property list.
    func propertyList(_ format: PropertyListFormat) throws(TransformerError) -> Data {
        if format == .xml { try checkText(limit: Self.limits.bytes, "write it with format: binary") }
        var builder = PropertyListTableBuilder(isXML: format == .xml)
        let table = try builder.build(self)
        return format == .binary ? BinaryPropertyListWriter.write(table) : Data(try XMLPropertyListWriter.write(table))
    }
}

extension PropertyListValue {
    fileprivate var isContainer: Bool {
        switch self {
        case .array, .dictionary: true
        default: false
        }
    }
}

/// Adds a value to a table.
///
/// Keys are in the order of their UTF-8 bytes, and in the binary format each scalar is added only once.
private struct PropertyListTableBuilder {
    private enum Scalar: Hashable {
        case node(UInt8, UInt64)
        case bytes(UInt8, [UInt8])
    }

    private let isXML: Bool
    private var table = PropertyListTable()
    private var scalars: [Scalar: UInt32] = [:]
    /// The number of values so far, and in XML, which repeats them, also of keys.
    private var count = 1

    init(isXML: Bool) {
        self.isXML = isXML
    }

    mutating func build(_ value: PropertyListValue) throws(TransformerError) -> PropertyListTable {
        table.root = Int(try add(value, depth: 0))
        try check(table.nodes.count)
        return table
    }

    /// Counts values before they are added.
    private mutating func expect(_ values: Int) throws(TransformerError) {
        count += values
        try check(count)
    }

    /// Verifies that a property list with a number of values or objects can be read again.
    private func check(_ count: Int) throws(TransformerError) {
        guard count <= StructureLimit.values else {
            let message = "a property list with more than \(StructureLimit.values) values could not be read again"
            throw .limitExceeded("\(message); use json")
        }
    }

    /// Adds a value that is in `depth` arrays and dictionaries.
    private mutating func add(_ value: PropertyListValue, depth: Int) throws(TransformerError) -> UInt32 {
        guard depth < StructureLimit.depth || !value.isContainer else {
            throw .limitExceeded("a property list is nested more than \(StructureLimit.depth) levels deep")
        }
        switch value {
        case .array(let values):
            try expect(values.count)
            let index = table.append(PropertyListNode(.array))
            var elements: [UInt32] = []
            for value in values {
                elements.append(try add(value, depth: depth + 1))
            }
            table.nodes[Int(index)] = table.arrayNode(elements)
            return index
        case .dictionary(let members):
            try expect(members.count * (isXML ? 2 : 1))
            let index = table.append(PropertyListNode(.dictionary))
            let sorted = sortedByUTF8(members)
            var keys: [UInt32] = []
            for member in sorted {
                keys.append(try add(member.key))
            }
            var values: [UInt32] = []
            for member in sorted {
                values.append(try add(member.value, depth: depth + 1))
            }
            table.nodes[Int(index)] = table.dictionaryNode(keys: keys, values: values)
            return index
        case .bool(let flag): return add(PropertyListNode(.boolean, payload: flag ? 1 : 0))
        case .integer(let number): return add(table.integerNode(Int128(number)))
        case .unsignedInteger(let number): return addWide(number)
        case .real(let number): return add(PropertyListNode(.real, payload: number.bitPattern))
        case .date(let date):
            let time = date.timeIntervalSinceReferenceDate
            guard !time.isNaN else { throw .invalidValue("a property list cannot represent a date that is not a time") }
            return add(PropertyListNode(.date, payload: time.bitPattern))
        case .uid(let number): return add(PropertyListNode(.uid, payload: UInt64(number)))
        case .data(let data): return add(.bytes(0, [UInt8](data))) { $0.dataNode(data) }
        case .string(let text): return try add(text)
        }
    }

    private mutating func add(_ text: String) throws(TransformerError) -> UInt32 {
        if isXML, let scalar = text.unicodeScalars.first(where: { !$0.isAllowedInXML }) {
            let code = String(scalar.value, radix: 16, uppercase: true)
            throw .invalidValue("XML cannot contain the character U+\(code); use the binary format")
        }
        let bytes = Array(text.utf8)
        return add(.bytes(1, bytes)) { table in
            let start = table.bytes.count
            table.bytes.append(contentsOf: bytes)
            return table.stringNode(from: start, count: bytes.count)
        }
    }

    private mutating func add(_ node: PropertyListNode) -> UInt32 {
        add(.node(node.kind.rawValue, node.payload)) { _ in node }
    }

    private mutating func addWide(_ number: UInt64) -> UInt32 {
        if let small = Int64(exactly: number) { return add(PropertyListNode(.integer, payload: UInt64(small))) }
        return add(.node(PropertyListNode.Kind.wideInteger.rawValue, number)) { $0.integerNode(Int128(number)) }
    }

    private mutating func add(_ scalar: Scalar, _ make: (inout PropertyListTable) -> PropertyListNode) -> UInt32 {
        if let known = scalars[scalar] { return known }
        let index = table.append(make(&table))
        scalars[scalar] = index
        return index
    }
}

extension Unicode.Scalar {
    /// Whether XML 1.0 allows the character (section 2.2).
    fileprivate var isAllowedInXML: Bool {
        switch value {
        case 0x09, 0x0A, 0x0D: true
        case 0..<0x20, 0xFFFE, 0xFFFF: false
        default: true
        }
    }
}
