internal import Foundation
internal import Transformable
package import _PropertyLists

/// An archive whose structure has been validated.
package final class ArchiveStorage: Sendable {
    package let table: PropertyListTable
    let format: KeyedArchiveFormat
    package let limits: KeyedArchiveLimits
    /// The node of `$objects`, which is an array.
    let objects: PropertyListNode
    /// The node of `$top`, which is a dictionary.
    let top: PropertyListNode
    /// The classes of the objects, without duplicates.
    let classes: [ArchivedClass]
    /// The index in ``classes`` for each node of a class object.
    private let classIndexes: [Int: Int]
    /// The index of the class for nodes of instances with many fields, in which a search would take too long.
    private let wideInstances: [Int: Int]

    init(_ data: Data, limits: KeyedArchiveLimits) throws(TransformerError) {
        let graph = try ArchiveGraph(data, limits: limits.list)
        format = graph.form == .binary ? .binary : .xml
        self.limits = limits
        table = graph.table
        objects = graph.objects
        top = graph.top
        classes = graph.classes.map(ArchivedClass.init)
        classIndexes = graph.classIndexes
        wideInstances = graph.wideInstances
    }

    /// The number of objects, including the null object.
    var count: Int { Int(objects.count) }

    /// Returns the node of an object by its number.
    func node(ofObject number: Int) -> Int {
        Int(table.references[objects.start + number])
    }

    /// Returns the class of an instance, if it is a known class.
    func classSymbol(of node: PropertyListNode) -> ArchiveSymbol? {
        node.kind == .dictionary ? node.symbol : nil
    }

    /// Returns the class of an instance, or nil for any other node.
    package func archivedClass(at index: Int) -> ArchivedClass? {
        let node = table.nodes[index]
        guard node.kind == .dictionary else { return nil }
        if node.count > ArchiveGraph.manyFields { return wideInstances[index].map { classes[$0] } }
        guard let isa = table.value(.isa, in: node) else { return nil }
        return classIndexes[self.node(ofObject: table.nodes[isa].start)].map { classes[$0] }
    }

    /// Returns whether an object is `$null`, which represents nil.
    func isNull(_ number: Int) -> Bool {
        number == 0 && table.nodes[node(ofObject: 0)].symbol == .null
    }
}
