internal import Foundation
internal import Transformable

/// A property list as flat tables: nodes, the references of containers to nodes, and bytes.
///
/// Reading one allocates three arrays, whatever is in it, and taking it apart recurses nowhere.
package struct PropertyListTable: Sendable {
    /// What strings and data lie in.
    package var bytes: [UInt8] = []
    package var nodes: [PropertyListNode] = []
    /// Indices of nodes.
    package var references: [UInt32] = []
    package var root: Int = 0
    /// Where a binary property list says at which byte each object begins.
    package var offsets: PropertyListOffsets?
    /// The size of the property list that was read.
    package let sourceCount: Int

    package init(sourceCount: Int = 0) {
        self.sourceCount = sourceCount
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
    @inlinable @inline(__always)
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
        offsets?.offset(of: node)
    }
}

/// The table of offsets in a binary property list, which is looked into for messages alone.
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
