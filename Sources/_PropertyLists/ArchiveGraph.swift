package import Foundation
internal import Synchronization
package import Transformable

/// The structure of a keyed archive, which has been validated: its objects, their classes, and the references between
/// them, which can be cyclic.
package final class ArchiveGraph: Sendable {
    package let table: PropertyListTable
    package let form: PropertyListForm
    /// The node of `$objects`, which is an array.
    package let objects: PropertyListNode
    /// The node of `$top`, which is a dictionary.
    package let top: PropertyListNode
    /// The classes of the objects, without duplicates.
    package let classes: [ArchiveClass]
    /// The index in ``classes`` for each node of a class object.
    package let classIndexes: [Int: Int]
    /// The index of the class for nodes of instances with many fields, in which a search would take too long.
    package let wideInstances: [Int: Int]

    /// The texts of long strings that were already read, because many objects can refer to the same string.
    private let longTexts = Mutex<[Int: String]>([:])

    package static let manyFields = 32
    private static let longText = 64

    /// The suffix of the archiver's name.
    ///
    /// Some archivers have their own class, such as NRKeyedArchiver on the iPhone of an Apple Watch.
    private static let archiver = "KeyedArchiver"
    private static let version = 100_000

    /// Opens an archive in either form.
    package init(_ data: Data, limits: PropertyListLimits) throws(TransformerError) {
        var (table, form) = try PropertyListReader.read(data, limits: limits)
        self.form = form
        let root = try Self.checkHeader(of: table)
        objects = try table.field(.objects, in: root, kind: .array, of: "the archive")
        top = try table.field(.top, in: root, kind: .dictionary, of: "the archive")
        guard objects.count > 0 else { throw .invalidData("the archive has no objects, not even the null object") }
        (classes, classIndexes, wideInstances) = try Self.findClasses(in: &table, objects: objects)
        self.table = table
        try checkReferences()
    }

    private static func checkHeader(of table: PropertyListTable) throws(TransformerError) -> PropertyListNode {
        let root = table.nodes[table.root]
        guard root.kind == .dictionary, table.value(.archiver, in: root) != nil else {
            throw .invalidData("the property list is not a keyed archive, because it has no “$archiver”")
        }
        let archiver = try table.string(.archiver, in: root, of: "the archive")
        guard archiver.hasSuffix(Self.archiver) else {
            let message = "the archiver “\(archiver)” is unknown; expected NSKeyedArchiver or a subclass of it"
            throw TransformerError(.unsupported, message)
        }
        let version = try table.field(.version, in: root, kind: .integer, of: "the archive")
        guard version.number == Self.version else {
            throw TransformerError(.unsupported, "the archive's version is not 100000")
        }
        return root
    }

    /// Finds the class of each object, and reads each class once.
    ///
    /// Instances of known classes are marked with the symbol of the class. Each node is examined once, even if it
    /// stands for several objects.
    private static func findClasses(
        in table: inout PropertyListTable,
        objects: PropertyListNode
    ) throws(TransformerError) -> ([ArchiveClass], [Int: Int], [Int: Int]) {
        var classes: [ArchiveClass] = []
        var indexes: [Int: Int] = [:]
        var names = ArchiveClassNames()
        var wideInstances: [Int: Int] = [:]
        var isSeen = [Bool](repeating: false, count: table.nodes.count)
        for position in objects.start..<objects.start + Int(objects.count) {
            let index = Int(table.references[position])
            guard !isSeen[index] else { continue }
            isSeen[index] = true
            guard let number = try classNumber(of: index, in: table, objects: objects) else { continue }
            let classNode = Int(table.references[objects.start + number])
            if indexes[classNode] == nil {
                indexes[classNode] = classes.count
                classes.append(try ArchiveClass(table, classNode, sharing: &names))
            }
            table.nodes[index].symbol = indexes[classNode].flatMap { classes[$0].symbol }
            if table.nodes[index].count > manyFields { wideInstances[index] = indexes[classNode] }
        }
        return (classes, indexes, wideInstances)
    }

    /// Returns the number of an instance's class, or nil for a value or a class.
    private static func classNumber(
        of index: Int,
        in table: PropertyListTable,
        objects: PropertyListNode
    ) throws(TransformerError) -> Int? {
        let node = table.nodes[index]
        switch node.kind {
        case .uid, .array, .orderedSet, .set, .null:
            break
        case .dictionary:
            guard let isa = table.value(.isa, in: node) else {
                if table.value(.className, in: node) != nil { return nil }
                break
            }
            let reference = table.nodes[isa]
            guard reference.kind == .uid, reference.payload < UInt64(objects.count) else {
                throw .invalidData("the class of an object is not in the archive", offset: table.offset(of: index))
            }
            return reference.start
        default:
            return nil
        }
        throw .invalidData(
            "an object of the archive is \(node.kindName) without a class",
            offset: table.offset(of: index)
        )
    }

    /// Verifies that every reference refers to an object.
    private func checkReferences() throws(TransformerError) {
        for (index, node) in table.nodes.enumerated() where node.kind == .uid && node.payload >= UInt64(objects.count) {
            let message = "a reference refers to object \(node.payload), but the archive has only \(objects.count)"
            throw .invalidData(message, offset: table.offset(of: index))
        }
    }

    /// Returns the class of an instance, or nil for any other node.
    package func archiveClass(at index: Int) -> ArchiveClass? {
        classIndex(at: index).map { classes[$0] }
    }

    /// Returns the index of an instance's class in ``classes``, or nil for any other node.
    package func classIndex(at index: Int) -> Int? {
        let node = table.nodes[index]
        guard node.kind == .dictionary else { return nil }
        if node.count > Self.manyFields { return wideInstances[index] }
        guard let isa = table.value(.isa, in: node) else { return nil }
        return classIndexes[self.node(ofObject: table.nodes[isa].start)]
    }

    /// Returns the node of an object by its number.
    package func node(ofObject number: Int) -> Int {
        Int(table.references[objects.start + number])
    }

    /// Returns the text of a string, or nil if it contains an unpaired surrogate.
    package func text(of index: Int) -> String? {
        let node = table.nodes[index]
        guard node.count > Self.longText else { return table.text(node) }
        if let known = longTexts.withLock({ $0[index] }) { return known }
        let text = table.text(node)
        longTexts.withLock { $0[index] = text }
        return text
    }

    /// Returns whether an object is `$null`, which represents nil.
    package func isNull(_ number: Int) -> Bool {
        number == 0 && table.nodes[node(ofObject: 0)].symbol == .null
    }

    /// Returns the node that a reference refers to, or the node itself, or nil for `$null`.
    package func resolve(_ index: Int) -> Int? {
        let node = table.nodes[index]
        guard node.kind == .uid else { return index }
        let number = node.start
        return isNull(number) ? nil : self.node(ofObject: number)
    }
}

extension PropertyListTable {
    /// Returns a field that must exist and be of a particular kind.
    func field(
        _ symbol: ArchiveSymbol,
        in node: PropertyListNode,
        kind: PropertyListNode.Kind,
        of owner: String
    ) throws(TransformerError) -> PropertyListNode {
        guard let index = value(symbol, in: node) else {
            throw .invalidData("\(owner) has no “\(symbol.rawValue)”")
        }
        guard nodes[index].kind == kind else {
            let message = "“\(symbol.rawValue)” of \(owner) is \(nodes[index].kindName)"
            throw .invalidData(message, offset: offset(of: index))
        }
        return nodes[index]
    }

    func string(
        _ symbol: ArchiveSymbol,
        in node: PropertyListNode,
        of owner: String
    ) throws(TransformerError) -> String {
        guard let index = value(symbol, in: node), let text = text(nodes[index]) else {
            throw .invalidData("“\(symbol.rawValue)” of \(owner) is not a string", offset: offset(of: root))
        }
        return text
    }
}
