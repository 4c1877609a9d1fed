internal import Foundation
internal import Transformable
internal import _PropertyLists

/// Creates values from a table, each shared node only once, so that its copies share memory.
///
/// The nesting of the table, and thus the recursion, is limited.
struct PropertyListValueReader {
    typealias Sized = (value: PropertyListValue, size: Int)

    private let table: PropertyListTable
    /// The maximum number of values that shared objects can expand to.
    ///
    /// Values of a `Codable` type share no memory. Unless containers are shared, each value takes at least one byte.
    private let limit: Int
    /// Whether the table refers to a node more than once, so that its value is remembered.
    private let isShared: [Bool]
    /// The values of shared containers, text, and data, with the number of values that each expands to.
    private var made: [Int: Sized] = [:]
    /// The shared keys.
    private var keys: [Int: String] = [:]

    init(_ table: PropertyListTable) {
        self.table = table
        limit = min(StructureLimit.values, 100_000 + 16 * table.sourceCount)
        var isSeen = [Bool](repeating: false, count: table.nodes.count)
        var isShared = isSeen
        for reference in table.references {
            isShared[Int(reference)] = isSeen[Int(reference)]
            isSeen[Int(reference)] = true
        }
        self.isShared = isShared
    }

    mutating func value(at index: Int) throws(TransformerError) -> Sized {
        let node = table.nodes[index]
        guard isShared[index], node.isContainer || isAllocated(node) else { return try make(node, at: index) }
        if let known = made[index] { return known }
        let sized = try make(node, at: index)
        made[index] = sized
        return sized
    }

    private mutating func make(_ node: PropertyListNode, at index: Int) throws(TransformerError) -> Sized {
        switch node.kind {
        case .dictionary: try dictionary(node, at: index)
        case _ where node.isContainer: try array(node, at: index)
        default: (try scalar(node, at: index), 1)
        }
    }

    /// Whether text or data needs memory of its own, unlike up to 15 bytes of UTF-8 and 14 bytes of data.
    private func isAllocated(_ node: PropertyListNode) -> Bool {
        (node.isString || node.kind == .data) && node.count > (node.kind == .utf16String ? 5 : 14)
    }

    private mutating func key(at index: Int) throws(TransformerError) -> String {
        guard isShared[index], isAllocated(table.nodes[index]) else { return try text(index) }
        if let known = keys[index] { return known }
        let key = try text(index)
        keys[index] = key
        return key
    }

    private mutating func array(_ node: PropertyListNode, at index: Int) throws(TransformerError) -> Sized {
        var values: [PropertyListValue] = []
        var size = 1
        for element in table.elements(of: node) {
            let sized = try value(at: Int(element))
            values.append(sized.value)
            size = try sum(size, sized.size, at: index)
        }
        return (.array(values), size)
    }

    private mutating func dictionary(_ node: PropertyListNode, at index: Int) throws(TransformerError) -> Sized {
        var members: [String: PropertyListValue] = [:]
        var size = 1
        for (key, member) in zip(table.keys(of: node), table.values(of: node)) {
            let sized = try value(at: Int(member))
            guard members.updateValue(sized.value, forKey: try self.key(at: Int(key))) == nil else {
                throw .invalidData("a dictionary contains a key twice", offset: table.offset(of: index))
            }
            size = try sum(size, sized.size, at: index)
        }
        return (.dictionary(members), size)
    }

    private func sum(_ left: Int, _ right: Int, at index: Int) throws(TransformerError) -> Int {
        guard left + right <= limit else {
            let message = "the property list expands to more than \(limit) values"
            throw .limitExceeded(message, offset: table.offset(of: index))
        }
        return left + right
    }

    private func text(_ index: Int) throws(TransformerError) -> String {
        guard let text = table.text(table.nodes[index]) else {
            throw .invalidData("the string is not valid Unicode", offset: table.offset(of: index))
        }
        return text
    }

    private func scalar(_ node: PropertyListNode, at index: Int) throws(TransformerError) -> PropertyListValue {
        switch node.kind {
        case .boolean: return .bool(node.payload == 1)
        case .real: return .real(node.double)
        case .data: return .data(table.data(node))
        case .uid: return .uid(UInt32(truncatingIfNeeded: node.payload))
        case .asciiString, .utf8String, .utf16String: return .string(try text(index))
        case .integer, .wideInteger:
            let number = table.integer(node) ?? 0
            if let number = Int64(exactly: number) { return .integer(number) }
            if let number = UInt64(exactly: number) { return .unsignedInteger(number) }
            throw .invalidData("the integer does not fit in 64 bits", offset: table.offset(of: index))
        case .date:
            guard !node.double.isNaN else {
                throw .invalidData("NaN is not a valid time", offset: table.offset(of: index))
            }
            return .date(Date(timeIntervalSinceReferenceDate: node.double))
        case .null, .array, .orderedSet, .set, .dictionary:
            throw .invalidData("\(node.kindName) is not a property list value", offset: table.offset(of: index))
        }
    }
}
