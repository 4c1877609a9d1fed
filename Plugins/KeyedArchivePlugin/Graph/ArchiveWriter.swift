package import Foundation
package import Transformable
internal import _PropertyLists

/// Writes a tree as a keyed archive, with objects numbered in the same order as by Apple's archiver.
///
/// Equal trees have equal bytes: keys are sorted by their UTF-8 bytes, and equal strings and numbers are written once.
package struct ArchiveWriter {
    /// A container whose children are being written.
    ///
    /// It is small, because there can be a million of them.
    private struct Frame {
        let node: UInt32
        /// The number of the object, or for a list in a field, the node that is reserved for it.
        let object: UInt32
        /// The start of the references of visited children, after the reference to the container itself.
        let start: UInt32
        /// The next child, or its position among the children.
        var next: UInt32
        /// The keys and values of a dictionary, in the order in which they are visited.
        let children: [Child]

        init(_ node: Int, object: Int, start: Int, next: Int = 0, children: [Child] = []) {
            self.node = UInt32(node)
            self.object = UInt32(object)
            self.start = UInt32(start)
            self.next = UInt32(next)
            self.children = children
        }
    }

    private enum Child {
        case node(UInt32)
        case text(UInt32)
    }

    private var tree: ArchiveTree
    private let depth: Int
    private var table = PropertyListTable()
    private var frames: [Frame] = []
    /// The indexes of nodes in the property list: references, or values that are stored in a field.
    private var visited: [UInt32] = []
    /// The node of each object, or 0 if the object is not finished.
    private var objects: [UInt32] = []
    /// The node of the reference to each object.
    private var references: [UInt32] = []
    private var numbersOfTexts: [UInt32]
    /// The numbers of objects by node, for nodes with references to them.
    private var numbersOfShared: [Int: Int] = [:]
    private var numbersOfScalars: [Scalar: Int] = [:]
    private var numbersOfClasses: [ArchivedClass: Int] = [:]
    /// The numbers of known classes.
    ///
    /// There are few, so that a linear search is fastest.
    private var numbersOfKnownClasses: [(symbol: ArchiveSymbol, number: Int)] = []
    private var names: [(symbol: ArchiveSymbol, node: UInt32)] = []
    /// The keys of the last dictionary and their order, because dictionaries of the same type have the same keys.
    private var lastKeys: [UInt32] = []
    private var lastOrder: [Int] = []

    private struct Scalar: Hashable {
        let kind: ArchiveTree.Kind
        let payload: UInt64
    }

    /// Writes an archive.
    ///
    /// - Parameters:
    ///   - tree: The values.
    ///   - root: The node of the top-level object.
    ///   - key: The name of the top-level object.
    ///   - format: The format of the property list.
    ///   - depth: The maximum nesting of values.
    /// - Returns: The archive.
    /// - Throws: `TransformerError` if values are nested too deeply, or cannot be represented in XML.
    package static func write(
        _ tree: consuming ArchiveTree,
        root: Int,
        key: String,
        format: KeyedArchiveFormat,
        depth: Int
    ) throws(TransformerError) -> Data {
        var writer = Self(tree, depth: depth)
        try writer.write(root: root, key: key)
        let table = writer.table
        // What the table was created from takes as much memory as the archive.
        _ = consume writer
        switch format {
        case .binary: return BinaryPropertyListWriter.write(table)
        case .xml: return Data(try XMLPropertyListWriter.write(table))
        }
    }

    private init(_ tree: consuming ArchiveTree, depth: Int) {
        self.depth = depth
        numbersOfTexts = Array(repeating: 0, count: tree.texts.count)
        table.bytes = tree.takeBytes()
        // Memory that is never touched costs nothing, whereas growing would temporarily require twice the memory.
        table.nodes.reserveCapacity(tree.nodes.count * 3 + 32)
        table.references.reserveCapacity(tree.nodes.count * 6 + 32)
        self.tree = tree
    }

    private mutating func write(root: Int, key: String) throws(TransformerError) {
        let top = table.append(PropertyListNode(.dictionary))
        _ = addObject(name(.null))
        visited.append(try visit(root))
        while let frame = frames.last {
            if let child = nextChild(of: frame) {
                switch child {
                case .text(let text): visited.append(reference(to: number(ofText: text)))
                case .node(let node): visited.append(try visit(Int(node)))
                }
            } else {
                close(frames.removeLast())
            }
        }
        let topNode = table.dictionaryNode(keys: [table.append(key)], values: [visited[0]])
        let version = table.append(PropertyListNode(.integer, payload: 100_000))
        let archiver = table.append("NSKeyedArchiver")
        let keys = [name(.version), name(.archiver), name(.top), name(.objects)]
        let list = table.arrayNode(objects)
        let values = [version, archiver, table.append(topNode), table.append(list)]
        table.nodes[Int(top)] = table.dictionaryNode(keys: keys, values: values)
        table.root = Int(top)
    }

    /// Returns the next child of the innermost container, or nil after the last one.
    private mutating func nextChild(of frame: Frame) -> Child? {
        let next = Int(frame.next)
        if tree.nodes[Int(frame.node)].kind == .dictionary {
            guard next < frame.children.count else { return nil }
            frames[frames.count - 1].next += 1
            return frame.children[next]
        }
        guard next != 0 else { return nil }
        frames[frames.count - 1].next = tree.nodes[next].next
        return .node(frame.next)
    }

    /// Returns the node of a name that archives use.
    private mutating func name(_ symbol: ArchiveSymbol) -> UInt32 {
        for name in names where name.symbol == symbol {
            return name.node
        }
        let node = table.append(symbol.rawValue)
        names.append((symbol, node))
        return node
    }

    private mutating func addObject(_ node: UInt32) -> Int {
        objects.append(node)
        references.append(0)
        return objects.count - 1
    }

    /// Returns the node that refers to an object.
    private mutating func reference(to object: Int) -> UInt32 {
        if references[object] == 0 {
            references[object] = table.append(PropertyListNode(.uid, payload: UInt64(object)))
        }
        return references[object]
    }

    private func textNode(_ text: UInt32) -> PropertyListNode {
        let range = tree.texts.range(of: text)
        return table.stringNode(from: range.lowerBound, count: range.count)
    }

    private mutating func number(ofText text: UInt32) -> Int {
        let known = numbersOfTexts[Int(text)]
        if known != 0 { return Int(known) }
        let number = addObject(table.append(textNode(text)))
        numbersOfTexts[Int(text)] = UInt32(number)
        return number
    }

    /// Writes a leaf or opens a container, and returns the node to use in its place.
    private mutating func visit(_ index: Int) throws(TransformerError) -> UInt32 {
        let node = tree.nodes[index]
        if node.kind == .reference { return try visit(node.first) }
        if node.isShared {
            if let number = numbersOfShared[index] { return reference(to: number) }
            numbersOfShared[index] = objects.count
        }
        if node.kind == .list { return try openList(index) }
        if node.isInline { return table.append(scalar(node)) }
        switch node.kind {
        case .none:
            return reference(to: 0)
        case .string:
            return reference(to: number(ofText: UInt32(node.payload)))
        case .boolean, .integer, .wideInteger, .real:
            let key = Scalar(kind: node.kind, payload: node.payload)
            if let number = numbersOfScalars[key] { return reference(to: number) }
            let number = addObject(table.append(scalar(node)))
            numbersOfScalars[key] = number
            return reference(to: number)
        case .data:
            return reference(to: addObject(table.append(scalar(node))))
        case .null:
            let key = Scalar(kind: .null, payload: 0)
            if let number = numbersOfScalars[key] { return reference(to: number) }
            let number = addObject(0)
            numbersOfScalars[key] = number
            finish(number, [], [], .nothing)
            return reference(to: number)
        case .date:
            let number = addObject(0)
            let time = table.append(PropertyListNode(.real, payload: node.payload))
            finish(number, [name(.timeField)], [time], .date)
            return reference(to: number)
        case .uuid:
            let number = addObject(0)
            let bytes = table.append(PropertyListNode(.data, count: 16, payload: node.payload))
            finish(number, [name(.uuidField)], [bytes], .uuid)
            return reference(to: number)
        case .absent, .array, .dictionary, .set, .orderedSet, .instance, .list, .reference:
            return try open(index)
        }
    }

    /// Returns a value that has no class.
    private mutating func scalar(_ node: ArchiveTree.Node) -> PropertyListNode {
        switch node.kind {
        case .boolean: PropertyListNode(.boolean, payload: node.payload)
        case .integer: PropertyListNode(.integer, payload: node.payload)
        case .wideInteger: table.integerNode(tree.wideIntegers[Int(node.payload)])
        case .real: PropertyListNode(.real, payload: node.payload)
        case .date: PropertyListNode(.date, payload: node.payload)
        case .string: textNode(UInt32(node.payload))
        default: PropertyListNode(.data, count: Int(node.count), payload: node.payload)
        }
    }

    private mutating func open(_ index: Int) throws(TransformerError) -> UInt32 {
        guard frames.count < depth else { throw .tooDeep(depth) }
        let number = addObject(0)
        frames.append(frame(index, object: number))
        return reference(to: number)
    }

    /// Opens a list in a field.
    ///
    /// It is not an object, so its node is reserved until its members are known.
    private mutating func openList(_ index: Int) throws(TransformerError) -> UInt32 {
        let node = table.append(PropertyListNode(.array))
        frames.append(frame(index, object: Int(node)))
        return node
    }

    private mutating func frame(_ index: Int, object: Int) -> Frame {
        let start = visited.count + 1
        guard tree.nodes[index].kind != .dictionary else {
            return Frame(index, object: object, start: start, children: pairs(of: index))
        }
        let first = tree.nodes[index].count > 0 ? tree.nodes[index].first : 0
        return Frame(index, object: object, start: start, next: first)
    }

    /// Returns the keys of a dictionary followed by its values, both in the order of the keys.
    private mutating func pairs(of index: Int) -> [Child] {
        let pairs = tree.children(of: index)
        let nodes = tree.nodes
        let keys = pairs.map { nodes[$0].key }
        var children: [Child] = []
        children.reserveCapacity(2 * pairs.count)
        // Keys that are nodes are already in order.
        if pairs.contains(where: { nodes[$0].isKeyNode }) {
            children += keys.map { .node($0) }
            return children + pairs.map { .node(UInt32($0)) }
        }
        if keys != lastKeys {
            lastKeys = keys
            lastOrder = tree.texts.order(of: keys, in: table.bytes)
        }
        for position in lastOrder {
            children.append(.text(keys[position]))
        }
        for position in lastOrder {
            children.append(.node(UInt32(pairs[position])))
        }
        return children
    }

    private mutating func close(_ frame: Frame) {
        let members = Array(visited[Int(frame.start)...])
        let object = Int(frame.object)
        visited.removeSubrange(Int(frame.start)...)
        switch tree.nodes[Int(frame.node)].kind {
        case .list: table.nodes[object] = table.arrayNode(members)
        case .array: finish(object, members, .array)
        case .set: finish(object, members, .set)
        case .orderedSet: finishOrderedSet(object, members)
        case .instance: finishInstance(Int(frame.node), object, members)
        default:
            let half = members.count / 2
            let keys = table.append(table.arrayNode(members[..<half]))
            let values = table.append(table.arrayNode(members[half...]))
            finish(object, [name(.keysField), name(.objectsField)], [keys, values], .dictionary)
        }
    }

    private mutating func finish(_ object: Int, _ members: [UInt32], _ known: ArchiveSymbol) {
        let list = table.append(table.arrayNode(members))
        finish(object, [name(.objectsField)], [list], known)
    }

    private mutating func finish(_ object: Int, _ keys: [UInt32], _ values: [UInt32], _ known: ArchiveSymbol) {
        finish(object, keys, values, classNumber: number(ofKnown: known))
    }

    private mutating func number(ofKnown symbol: ArchiveSymbol) -> Int {
        for known in numbersOfKnownClasses where known.symbol == symbol {
            return known.number
        }
        let number = number(of: .known(symbol))
        numbersOfKnownClasses.append((symbol, number))
        return number
    }

    private mutating func finish(_ object: Int, _ keys: [UInt32], _ values: [UInt32], classNumber: Int) {
        let isa = reference(to: classNumber)
        let node = table.dictionaryNode(keys: keys + [name(.isa)], values: values + [isa])
        objects[object] = table.append(node)
    }

    /// Writes the members of an ordered set to one field each, like Apple's archiver.
    private mutating func finishOrderedSet(_ object: Int, _ members: [UInt32]) {
        var keys: [UInt32] = []
        for index in members.indices {
            keys.append(table.append("NS.object.\(index)"))
        }
        finish(object, keys, members, .orderedSet)
    }

    private mutating func finishInstance(_ node: Int, _ object: Int, _ members: [UInt32]) {
        var keys: [UInt32] = []
        for child in tree.children(of: node) {
            keys.append(table.append(textNode(tree.nodes[child].key)))
        }
        let archivedClass = tree.classes[node] ?? ArchivedClass("NSObject", chain: ["NSObject"])
        finish(object, keys, members, classNumber: number(of: archivedClass))
    }

    private mutating func number(of archivedClass: ArchivedClass) -> Int {
        if let number = numbersOfClasses[archivedClass] { return number }
        var keys = [name(.className)]
        var values = [table.append(archivedClass.name)]
        let lists = [(ArchiveSymbol.classChain, archivedClass.chain), (.classFallbacks, archivedClass.fallbacks)]
        for (field, list) in lists where !list.isEmpty {
            var names: [UInt32] = []
            for name in list {
                names.append(table.append(name))
            }
            keys.append(name(field))
            values.append(table.append(table.arrayNode(names)))
        }
        let number = addObject(table.append(table.dictionaryNode(keys: keys, values: values)))
        numbersOfClasses[archivedClass] = number
        return number
    }
}

extension ArchivedClass {
    /// Returns a known class and its superclasses.
    static func known(_ symbol: ArchiveSymbol) -> Self {
        switch symbol {
        case .decimalNumber: Self(symbol.rawValue, chain: [symbol.rawValue, "NSNumber", "NSValue", "NSObject"])
        case .countedSet: Self(symbol.rawValue, chain: [symbol.rawValue, "NSMutableSet", "NSSet", "NSObject"])
        default: Self(symbol.rawValue)
        }
    }
}
