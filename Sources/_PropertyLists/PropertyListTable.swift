package import Foundation

/// A property list as flat tables: nodes, the references of containers to nodes, and bytes.
///
/// Reading a property list allocates three arrays, regardless of its contents, and freeing them is not recursive.
package struct PropertyListTable: Sendable {
    /// The bytes of strings and data.
    package var bytes: [UInt8] = []
    package var nodes: [PropertyListNode] = []
    /// The indexes of nodes.
    package var references: [UInt32] = []
    package var root: Int = 0
    /// The position of the table of offsets in a binary property list.
    package var offsets: PropertyListOffsets?
    /// The size of the property list that was read.
    package let sourceCount: Int

    package init(sourceCount: Int = 0) {
        self.sourceCount = sourceCount
    }

    /// Returns the nodes of an array or a set.
    @inlinable
    package func elements(of node: PropertyListNode) -> ArraySlice<UInt32> {
        let start = node.start
        return references[start..<start + Int(node.count)]
    }

    /// Returns the nodes of a dictionary's keys.
    @inlinable
    package func keys(of node: PropertyListNode) -> ArraySlice<UInt32> {
        elements(of: node)
    }

    /// Returns the nodes of a dictionary's values, in the order of its keys.
    @inlinable
    package func values(of node: PropertyListNode) -> ArraySlice<UInt32> {
        let start = node.start + Int(node.count)
        return references[start..<start + Int(node.count)]
    }

    /// Returns the value of a dictionary's key, which is one of the known names.
    @inlinable @inline(__always)
    package func value(_ symbol: ArchiveSymbol, in node: PropertyListNode) -> Int? {
        let start = node.start
        let count = Int(node.count)
        for index in start..<start + count where nodes[Int(references[index])].symbol == symbol {
            return Int(references[index + count])
        }
        return nil
    }

    /// Returns the value of a dictionary's key.
    package func value(named name: String, in node: PropertyListNode) -> Int? {
        let start = node.start
        let count = Int(node.count)
        for index in start..<start + count where string(nodes[Int(references[index])], equals: name) {
            return Int(references[index + count])
        }
        return nil
    }

    /// Returns the offset of a node in the input, if it is known.
    package func offset(of node: Int) -> Int? {
        offsets?.offset(of: node)
    }
}

/// The table of offsets in a binary property list, which is only used for messages.
package struct PropertyListOffsets: Sendable {
    let start: Int
    let width: Int
    private let source: Data

    init(_ source: Data, start: Int, width: Int) {
        self.source = source
        self.start = start
        self.width = width
    }

    func offset(of index: Int) -> Int {
        source.dropFirst(start + index * width).prefix(width).reduce(0) { $0 << 8 | Int($1) }
    }
}

extension PropertyListTable {
    /// Adds a node, and returns its index.
    @inlinable
    package mutating func append(_ node: PropertyListNode) -> UInt32 {
        nodes.append(node)
        return UInt32(truncatingIfNeeded: nodes.count - 1)
    }

    /// Creates a node for a string, which is added to the bytes in UTF-8.
    package mutating func append(_ text: String) -> UInt32 {
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        return append(stringNode(from: start, count: bytes.count - start))
    }

    /// Creates a node for UTF-8 that is already among the bytes.
    package func stringNode(from start: Int, count: Int) -> PropertyListNode {
        var all: UInt8 = 0
        for byte in bytes[start..<start + count] {
            all |= byte
        }
        let kind: PropertyListNode.Kind = all < 0x80 ? .asciiString : .utf8String
        let symbol = ArchiveSymbol.find(bytes, from: start, count: count)
        return PropertyListNode(kind, count: count, payload: UInt64(start), symbol: symbol)
    }

    /// Creates a node for an integer.
    ///
    /// An integer of more than 64 bits takes sixteen bytes of the table.
    package mutating func integerNode(_ number: Int128) -> PropertyListNode {
        if let small = Int64(exactly: number) {
            return PropertyListNode(.integer, payload: UInt64(bitPattern: small))
        }
        let start = bytes.count
        for shift in stride(from: 120, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> Int128(shift)))
        }
        return PropertyListNode(.wideInteger, payload: UInt64(start))
    }

    /// Creates a node for data, which is added to the bytes.
    @inlinable
    package mutating func dataNode(_ data: some Sequence<UInt8>) -> PropertyListNode {
        let start = bytes.count
        bytes.append(contentsOf: data)
        return PropertyListNode(.data, count: bytes.count - start, payload: UInt64(start))
    }

    /// Creates a node for an array of nodes.
    @inlinable
    package mutating func arrayNode(_ elements: some Collection<UInt32>) -> PropertyListNode {
        let start = references.count
        references.append(contentsOf: elements)
        return PropertyListNode(.array, count: elements.count, payload: UInt64(start))
    }

    /// Creates a node for a dictionary.
    @inlinable
    package mutating func dictionaryNode(
        keys: some Collection<UInt32>,
        values: some Collection<UInt32>
    ) -> PropertyListNode {
        let start = references.count
        references.append(contentsOf: keys)
        references.append(contentsOf: values)
        return PropertyListNode(.dictionary, count: keys.count, payload: UInt64(start))
    }

    /// Returns the text of a string, or nil if it contains an unpaired surrogate, which a Swift string cannot contain.
    package func text(_ node: PropertyListNode) -> String? {
        let start = node.start
        let count = Int(node.count)
        switch node.kind {
        case .asciiString, .utf8String:
            return String(decoding: bytes[start..<start + count], as: UTF8.self)
        case .utf16String:
            return String(validating: units(node), as: UTF16.self)
        default:
            return nil
        }
    }

    /// Returns the text of a string for display, in which invalid parts are replaced.
    package func repairedText(_ node: PropertyListNode) -> String {
        text(node) ?? String(decoding: units(node), as: UTF16.self)
    }

    /// Returns the code units of a string that is stored in UTF-16.
    private func units(_ node: PropertyListNode) -> [UInt16] {
        guard node.kind == .utf16String else { return [] }
        let start = node.start
        return (0..<Int(node.count))
            .map { index in
                UInt16(bytes[start + 2 * index]) << 8 | UInt16(bytes[start + 2 * index + 1])
            }
    }

    /// Returns whether a string has the same bytes as another.
    ///
    /// Unicode's canonical equivalence is ignored.
    package func string(_ node: PropertyListNode, equals text: String) -> Bool {
        switch node.kind {
        case .asciiString, .utf8String:
            guard Int(node.count) == text.utf8.count else { return false }
            let start = node.start
            return text.utf8.elementsEqual(bytes[start..<start + Int(node.count)])
        case .utf16String:
            return self.text(node).map { $0.utf8.elementsEqual(text.utf8) } ?? false
        default:
            return false
        }
    }

    /// Returns the bytes of data.
    package func data(_ node: PropertyListNode) -> Data {
        let start = node.start
        return Data(bytes[start..<start + Int(node.count)])
    }

    /// Returns the value of an integer of any width.
    package func integer(_ node: PropertyListNode) -> Int128? {
        switch node.kind {
        case .integer:
            return Int128(node.number)
        case .wideInteger:
            let start = node.start
            let bits = bytes[start..<start + 16].reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
            return Int128(truncatingIfNeeded: bits)
        default:
            return nil
        }
    }

    /// Returns the value of a number as a double.
    package func double(_ node: PropertyListNode) -> Double? {
        node.kind == .real ? node.double : integer(node).map { Double($0) }
    }
}
