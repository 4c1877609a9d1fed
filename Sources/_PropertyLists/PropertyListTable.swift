internal import Foundation
internal import Transformable

/// A property list as flat tables: nodes, the references of containers to nodes, and bytes.
///
/// Reading one allocates three arrays, whatever is in it, and taking it apart recurses nowhere.
package struct PropertyListTable: Sendable {
    /// What strings and data lie in: the input itself where possible.
    package var bytes: [UInt8]
    package var nodes: [PropertyListNode] = []
    /// Indices of nodes.
    package var references: [UInt32] = []
    package var root: Int = 0
    /// Where a binary property list says at which byte each object begins.
    package var offsets: PropertyListOffsets?

    package init(bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    /// The nodes of an array or a set.
    @inlinable
    package func elements(of node: PropertyListNode) -> ArraySlice<UInt32> {
        let start = node.start
        return references[start..<start + Int(node.count)]
    }

    /// The nodes of a dictionary's keys.
    @inlinable
    package func keys(of node: PropertyListNode) -> ArraySlice<UInt32> {
        elements(of: node)
    }

    /// The nodes of a dictionary's values, in the order of its keys.
    @inlinable
    package func values(of node: PropertyListNode) -> ArraySlice<UInt32> {
        let start = node.start + Int(node.count)
        return references[start..<start + Int(node.count)]
    }

    /// Finds a dictionary's value by one of the known names.
    @inlinable
    package func value(_ symbol: ArchiveSymbol, in node: PropertyListNode) -> Int? {
        let start = node.start
        let count = Int(node.count)
        for index in start..<start + count where nodes[Int(references[index])].symbol == symbol {
            return Int(references[index + count])
        }
        return nil
    }

    /// Finds a dictionary's value by name.
    package func value(named name: String, in node: PropertyListNode) -> Int? {
        let start = node.start
        let count = Int(node.count)
        for index in start..<start + count where string(nodes[Int(references[index])], equals: name) {
            return Int(references[index + count])
        }
        return nil
    }

    /// At which byte of the input a node begins, where that is known.
    package func offset(of node: Int) -> Int? {
        offsets?.offset(of: node, in: bytes)
    }
}

/// The table of offsets in a binary property list.
package struct PropertyListOffsets: Sendable {
    package let start: Int
    package let width: Int

    package func offset(of index: Int, in bytes: [UInt8]) -> Int {
        let position = start + index * width
        var offset = 0
        for byte in bytes[position..<position + width] {
            offset = offset << 8 | Int(byte)
        }
        return offset
    }
}
