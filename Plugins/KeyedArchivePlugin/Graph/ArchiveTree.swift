/// A value to be archived, as a flat tree whose containers can be filled in any order.
///
/// The children of a container form a linked list. Strings and data are stored in a single buffer.
package struct ArchiveTree {
    package enum Kind: UInt8 {
        /// An empty node.
        case absent
        /// The null reference.
        case none
        case null
        case boolean
        case integer
        /// A wide integer. `payload` is its index.
        case wideInteger
        case real
        case date
        /// A string. `payload` is the number of a string.
        case string
        /// Data. `payload` is the offset of its `count` bytes.
        case data
        /// A UUID. `payload` is the offset of its 16 bytes.
        case uuid
        case array
        /// A dictionary, whose children have keys.
        case dictionary
        /// A set, whose children are in canonical order.
        case set
        case orderedSet
        /// An instance, whose children have the names of fields as keys.
        case instance
        /// A list of references in a field.
        case list
        /// Another reference to the node at `payload`.
        case reference

        var isContainer: Bool { rawValue >= Kind.array.rawValue && self != .reference }
    }

    struct Node {
        var kind: Kind
        /// Whether the value is stored in its field, instead of being an object.
        var isInline = false
        /// Whether there are references to the node.
        var isShared = false
        /// Whether the key is a node instead of a string.
        var isKeyNode = false
        /// The number of children or bytes.
        var count: UInt32 = 0
        /// The value.
        ///
        /// For a container, the lower half is the index of the first child, and the upper half is that of the last one.
        var payload: UInt64 = 0
        /// The number of a string, or the index of a node.
        var key: UInt32 = 0
        /// The next child of the same container, or 0 after the last one.
        var next: UInt32 = 0

        var first: Int { Int(payload & 0xFFFF_FFFF) }
    }

    /// The nodes.
    ///
    /// Node 0 is not used, so that 0 can end a list.
    private(set) var nodes = [Node(kind: .absent)]
    private(set) var texts = UniqueTexts()
    private(set) var wideIntegers: [Int128] = []
    private var indexesOfWideIntegers: [Int128: Int] = [:]
    /// The classes of instances, by node.
    private(set) var classes: [Int: ArchivedClass] = [:]

    package init() {}

    /// Adds a node without a container.
    package mutating func add(_ kind: Kind = .absent) -> Int {
        nodes.append(Node(kind: kind))
        return nodes.count - 1
    }

    /// Adds an empty node at the end of a container.
    package mutating func add(to container: Int) -> Int {
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

    /// Adds an empty node with a key at the end of a container.
    package mutating func add(to container: Int, key: String) -> Int {
        add(to: container, key: intern(key))
    }

    /// Adds an empty node at the end of a container, with the number of its key.
    mutating func add(to container: Int, key: UInt32) -> Int {
        let index = add(to: container)
        nodes[index].key = key
        return index
    }

    /// Returns the number of a string.
    mutating func intern(_ text: String) -> UInt32 {
        texts.intern(text)
    }

    /// Adds an empty node at the end of a dictionary, with a key that is a node.
    mutating func add(to container: Int, keyNode: Int) -> Int {
        let index = add(to: container)
        nodes[index].key = UInt32(keyNode)
        nodes[index].isKeyNode = true
        return index
    }

    package mutating func set(_ index: Int, _ kind: Kind, payload: UInt64 = 0) {
        nodes[index].kind = kind
        nodes[index].payload = payload
    }

    package mutating func set(_ index: Int, to text: String) {
        set(index, .string, payload: UInt64(texts.intern(text)))
    }

    package mutating func set(_ index: Int, to number: Int128) {
        if let small = Int64(exactly: number) {
            set(index, .integer, payload: UInt64(bitPattern: small))
        } else {
            let known = indexesOfWideIntegers[number]
            set(index, .wideInteger, payload: UInt64(known ?? wideIntegers.count))
            guard known == nil else { return }
            indexesOfWideIntegers[number] = wideIntegers.count
            wideIntegers.append(number)
        }
    }

    package mutating func set(_ index: Int, to bytes: some Sequence<UInt8>, as kind: Kind) {
        let start = texts.appendBytes(bytes)
        set(index, kind, payload: UInt64(start))
        nodes[index].count = UInt32(texts.bytes.count - start)
    }

    package mutating func set(_ index: Int, to archivedClass: ArchivedClass) {
        set(index, .instance)
        classes[index] = archivedClass
    }

    /// Returns the nodes in a container, in order.
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

    /// Replaces the nodes in a container.
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

    /// Changes the key of a node in a container.
    mutating func setKey(of index: Int, to key: String) {
        nodes[index].key = texts.intern(key)
    }

    /// Makes a node refer to another one, which is not a scalar and can contain the node.
    package mutating func refer(_ index: Int, to target: Int) {
        set(index, .reference, payload: UInt64(target))
        nodes[target].isShared = true
    }

    /// Returns the bytes of strings and data.
    ///
    /// No more can be added afterward.
    mutating func takeBytes() -> [UInt8] {
        texts.takeBytes()
    }

    package mutating func makeInline(_ index: Int) {
        nodes[index].isInline = true
    }
}
