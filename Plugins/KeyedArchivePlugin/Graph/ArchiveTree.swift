internal import Foundation
internal import Transformable

/// A value on its way into an archive: a flat tree, whose containers may be filled in any order.
///
/// Children hang on their container as a linked list. Strings and data lie in one buffer of bytes.
struct ArchiveTree {
    enum Kind: UInt8 {
        /// Nothing was put here yet.
        case absent
        /// The null reference.
        case none
        case null
        case boolean
        case integer
        /// `payload` is the index of a wide integer.
        case wideInteger
        case real
        case date
        /// `payload` is the number of a text.
        case string
        /// `count` bytes at `payload`.
        case data
        /// Sixteen bytes at `payload`.
        case uuid
        case array
        /// Each child has a key.
        case dictionary
        /// Its children are in canonical order.
        case set
        case orderedSet
        /// Each child's key is the name of a field.
        case instance
        /// A list of references in a field.
        case list
        /// The node at `payload`, once more.
        case reference

        var isContainer: Bool { rawValue >= Kind.array.rawValue && self != .reference }
    }

    struct Node {
        var kind: Kind
        /// Whether it stands in its field itself, and is no object of its own.
        var isInline = false
        /// Whether references stand for it elsewhere.
        var isShared = false
        /// Whether the key is a node rather than a text.
        var isKeyNode = false
        /// Children, or bytes.
        var count: UInt32 = 0
        /// The value; for a container the first child's index, and the last one's in the upper half.
        var payload: UInt64 = 0
        /// The number of a text, or the index of a node.
        var key: UInt32 = 0
        /// The next child of the same container; 0 behind the last one.
        var next: UInt32 = 0

        var first: Int { Int(payload & 0xFFFF_FFFF) }
    }

    /// Node 0 is no node, so that 0 can end a list.
    private(set) var nodes = [Node(kind: .absent)]
    private(set) var texts = TextTable()
    private(set) var wideIntegers: [Int128] = []
    /// The classes of instances, by node.
    private(set) var classes: [Int: ArchivedClass] = [:]

    /// Adds a node that belongs nowhere yet.
    mutating func add(_ kind: Kind = .absent) -> Int {
        nodes.append(Node(kind: kind))
        return nodes.count - 1
    }

    /// Adds an empty node at the end of a container.
    mutating func add(to container: Int) -> Int {
        let index = nodes.count
        nodes.append(Node(kind: .absent))
        if nodes[container].count == 0 {
            nodes[container].payload = UInt64(index) << 32 | UInt64(index)
        } else {
            nodes[Int(nodes[container].payload >> 32)].next = UInt32(index)
            nodes[container].payload = UInt64(index) << 32 | UInt64(nodes[container].first)
        }
        nodes[container].count += 1
        return index
    }

    /// Adds an empty node under a key at the end of a container.
    mutating func add(to container: Int, key: String) -> Int {
        let index = add(to: container)
        nodes[index].key = texts.intern(key)
        return index
    }

    /// Adds an empty node at the end of a dictionary, under a key that is a node.
    mutating func add(to container: Int, keyNode: Int) -> Int {
        let index = add(to: container)
        nodes[index].key = UInt32(keyNode)
        nodes[index].isKeyNode = true
        return index
    }

    mutating func set(_ index: Int, _ kind: Kind, payload: UInt64 = 0) {
        nodes[index].kind = kind
        nodes[index].payload = payload
    }

    mutating func set(_ index: Int, to text: String) {
        set(index, .string, payload: UInt64(texts.intern(text)))
    }

    mutating func set(_ index: Int, to number: Int128) {
        if let small = Int64(exactly: number) {
            set(index, .integer, payload: UInt64(bitPattern: small))
        } else {
            set(index, .wideInteger, payload: UInt64(wideIntegers.count))
            wideIntegers.append(number)
        }
    }

    mutating func set(_ index: Int, to bytes: some Sequence<UInt8>, as kind: Kind) {
        let start = texts.appendBytes(bytes)
        set(index, kind, payload: UInt64(start))
        nodes[index].count = UInt32(texts.bytes.count - start)
    }

    mutating func set(_ index: Int, to archivedClass: ArchivedClass) {
        set(index, .instance)
        classes[index] = archivedClass
    }

    /// The nodes in a container, in their order.
    func children(of index: Int) -> [Int] {
        var result: [Int] = []
        guard nodes[index].kind.isContainer, nodes[index].count > 0 else { return result }
        result.reserveCapacity(Int(nodes[index].count))
        var child = nodes[index].first
        while child != 0 {
            result.append(child)
            child = Int(nodes[child].next)
        }
        return result
    }

    /// Makes a container hold these nodes in this order.
    mutating func relink(_ index: Int, _ kind: Kind, children: [Int]) {
        nodes[index].kind = kind
        nodes[index].count = UInt32(children.count)
        for (child, next) in zip(children, children.dropFirst()) {
            nodes[child].next = UInt32(next)
        }
        guard let first = children.first, let last = children.last else { return }
        nodes[last].next = 0
        nodes[index].payload = UInt64(last) << 32 | UInt64(first)
    }

    /// Gives a node in a container another key.
    mutating func setKey(of index: Int, to key: String) {
        nodes[index].key = texts.intern(key)
    }

    /// Makes a node stand for another one, which is no scalar and may contain it.
    mutating func refer(_ index: Int, to target: Int) {
        set(index, .reference, payload: UInt64(target))
        nodes[target].isShared = true
    }

    /// Gives the bytes of strings and data away, after which none can be added.
    mutating func takeBytes() -> [UInt8] {
        texts.takeBytes()
    }

    mutating func makeInline(_ index: Int) {
        nodes[index].isInline = true
    }
}
