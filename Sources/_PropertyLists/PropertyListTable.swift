internal import Foundation
internal import Transformable

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
