internal import Foundation
internal import Synchronization
package import Transformable
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
    /// The texts and data of large nodes that were already read.
    private let large = Mutex<(texts: [Int: String], repaired: [Int: String], data: [Int: Data])>(([:], [:], [:]))

    /// The maximum length of texts and data that are created again each time, which costs less than remembering them.
    private static let smallLeaf = 64

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

/// Reads text and data only once if they are large, because many objects and fields can refer to the same bytes.
extension ArchiveStorage {
    /// Returns the text of a string or of data, or calls a closure to read it.
    func text(
        _ index: Int,
        read: (PropertyListNode) throws(TransformerError) -> String
    ) throws(TransformerError) -> String {
        let node = table.nodes[index]
        guard node.count > Self.smallLeaf else { return try read(node) }
        if let known = large.withLock({ $0.texts[index] }) { return known }
        let text = try read(node)
        large.withLock { $0.texts[index] = text }
        return text
    }

    /// Returns the bytes of data.
    func bytes(_ index: Int) -> Data {
        let node = table.nodes[index]
        guard node.count > Self.smallLeaf else { return table.data(node) }
        if let known = large.withLock({ $0.data[index] }) { return known }
        let data = table.data(node)
        large.withLock { $0.data[index] = data }
        return data
    }

    /// Returns the text of a string for display, in which invalid parts are replaced.
    package func repairedText(_ index: Int) -> String {
        if let known = large.withLock({ $0.repaired[index] }) { return known }
        if let text = try? string(index) { return text }
        let text = table.repairedText(table.nodes[index])
        if table.nodes[index].count > Self.smallLeaf { large.withLock { $0.repaired[index] = text } }
        return text
    }
}

/// Finds the contents of collections, in all formats that archivers have used.
extension ArchiveStorage {
    /// Returns the nodes of the members of an array or a set.
    ///
    /// They are stored in `NS.objects`, or individually in `NS.object.0`, `NS.object.1`, and so on.
    package func members(of index: Int) throws(TransformerError) -> ArraySlice<UInt32> {
        if let list = try list(.objectsField, of: index) { return table.references[list] }
        return numberedFields("NS.object.", of: table.nodes[index])[...]
    }

    /// Returns the nodes of a dictionary's keys and values.
    package func pairs(of index: Int) throws(TransformerError) -> (keys: ArraySlice<UInt32>, values: ArraySlice<UInt32>)
    {
        if let (keys, values) = try pairLists(of: index) { return (table.references[keys], table.references[values]) }
        let keys = numberedFields("NS.key.", of: table.nodes[index])
        let values = numberedFields("NS.object.", of: table.nodes[index])
        try checkPairs(keys.count, values.count, of: index)
        return (keys[...], values[...])
    }

    /// Returns the positions of a dictionary's keys and values among the references, or nil if each has its own field.
    func pairLists(of index: Int) throws(TransformerError) -> (keys: Range<Int>, values: Range<Int>)? {
        guard let keys = try list(.keysField, of: index), let values = try list(.objectsField, of: index) else {
            return nil
        }
        try checkPairs(keys.count, values.count, of: index)
        return (keys, values)
    }

    private func checkPairs(_ keys: Int, _ values: Int, of index: Int) throws(TransformerError) {
        guard keys == values else {
            throw .invalidData("a dictionary has different numbers of keys and values", offset: table.offset(of: index))
        }
    }

    /// Returns the position of the list in a field among the references, or nil if there is no such field.
    func list(_ field: ArchiveSymbol, of index: Int) throws(TransformerError) -> Range<Int>? {
        guard let list = table.value(field, in: table.nodes[index]) else { return nil }
        let node = table.nodes[list]
        guard node.kind == .array else {
            throw .invalidData("the contents of a collection are not a list", offset: table.offset(of: index))
        }
        return node.start..<node.start + Int(node.count)
    }

    /// Returns the values of fields that are numbered from 0 without gaps.
    private func numberedFields(_ prefix: String, of node: PropertyListNode) -> [UInt32] {
        var values: [Int: UInt32] = [:]
        for (key, value) in zip(table.keys(of: node), table.values(of: node)) {
            guard let name = table.text(table.nodes[Int(key)]), name.hasPrefix(prefix),
                let number = Int(name.dropFirst(prefix.count))
            else { continue }
            values[number] = value
        }
        var result: [UInt32] = []
        while let value = values[result.count] {
            result.append(value)
        }
        return result
    }
}
