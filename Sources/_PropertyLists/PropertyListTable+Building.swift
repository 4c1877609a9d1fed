internal import Foundation
internal import Transformable

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
}
