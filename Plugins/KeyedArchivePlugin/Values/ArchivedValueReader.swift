internal import Foundation
internal import Transformable

/// Makes values of an archive's objects.
///
/// Each object is made once, however often it is referred to: time is linear in the archive, and
/// shared objects share memory. Nothing here recurses; the depth is that of a stack of its own.
struct ArchivedValueReader {
    private enum Shape {
        case array
        case dictionary
        case set
        case orderedSet
        /// An object of another class, with the nodes of its fields' names.
        case instance(ArchivedClass, names: [UInt32])
        /// A list in a field of such an object.
        case list
    }

    /// What a child became.
    private struct Made {
        var value: ArchivedInstance.FieldValue
        /// How many values it stands for, with everything in it.
        var size: Int
    }

    private struct Frame {
        let shape: Shape
        let object: Int?
        let children: [UInt32]
        /// Where its made children begin.
        let start: Int
        var next = 0
    }

    private enum State {
        case untouched
        case open
        case made(ArchivedValue, size: Int)
    }

    private let storage: ArchiveStorage
    private let budget: Int
    private var states: [State]
    private var frames: [Frame] = []
    private var made: [Made] = []

    private var table: PropertyListTable { storage.table }

    /// Gives the value of a node.
    static func read(_ index: Int, in storage: ArchiveStorage) throws(TransformerError) -> ArchivedValue {
        var reader = Self(storage)
        return try reader.read(index)
    }

    private init(_ storage: ArchiveStorage) {
        self.storage = storage
        budget = storage.limits.expansion(ofBytes: storage.table.bytes.count)
        states = Array(repeating: .untouched, count: storage.count)
    }

    private mutating func read(_ index: Int) throws(TransformerError) -> ArchivedValue {
        try begin(index)
        while let frame = frames.last {
            if frame.next < frame.children.count {
                frames[frames.count - 1].next += 1
                try begin(Int(frame.children[frame.next]))
            } else {
                try close()
            }
        }
        return made[0].value.value
    }

    /// Makes a leaf, or opens a frame.
    private mutating func begin(_ index: Int) throws(TransformerError) {
        let node = table.nodes[index]
        guard node.kind == .uid else {
            try make(index, object: nil)
            return
        }
        let number = node.start
        switch states[number] {
        case .made(let value, let size):
            try append(.object(value), size: size)
        case .open:
            throw .cyclicReference(number, offset: table.offset(of: storage.node(ofObject: number)))
        case .untouched where storage.isNull(number):
            try append(.object(nil), size: 1)
        case .untouched:
            try make(storage.node(ofObject: number), object: number)
        }
    }

    private mutating func make(_ index: Int, object: Int?) throws(TransformerError) {
        let node = table.nodes[index]
        let leaf: ArchivedValue
        switch node.kind {
        case .boolean: leaf = .boolean(node.payload == 1)
        case .integer: leaf = .integer(Int128(node.number))
        case .wideInteger: leaf = .integer(table.integer(node) ?? 0)
        case .real: leaf = .real(node.double)
        case .date: leaf = .date(try storage.date(index))
        case .data: leaf = .data(table.data(node))
        case .asciiString, .utf8String, .utf16String: leaf = .string(try storage.string(index))
        case .dictionary:
            try makeInstance(index, object: object)
            return
        case .array where object == nil:
            try open(.list, Array(table.elements(of: node)), object: nil, at: index)
            return
        case .null, .uid, .array, .orderedSet, .set:
            throw .invalidData("\(node.kindName) stands where a value is expected", offset: table.offset(of: index))
        }
        try finish(leaf, size: 1, object: object)
    }

    private mutating func makeInstance(_ index: Int, object: Int?) throws(TransformerError) {
        let node = table.nodes[index]
        guard let archivedClass = storage.archivedClass(of: node) else {
            throw .invalidData("a class stands where a value is expected", offset: table.offset(of: index))
        }
        let leaf: ArchivedValue
        switch archivedClass.symbol {
        case .array, .mutableArray:
            return try open(.array, storage.members(of: index), object: object, at: index)
        case .set, .mutableSet:
            return try open(.set, storage.members(of: index), object: object, at: index)
        case .orderedSet, .mutableOrderedSet:
            return try open(.orderedSet, storage.members(of: index), object: object, at: index)
        case .dictionary, .mutableDictionary:
            return try open(.dictionary, storage.keysAndValues(of: index), object: object, at: index)
        case .string, .mutableString: leaf = .string(try storage.string(index))
        case .data, .mutableData: leaf = .data(try storage.data(index))
        case .date: leaf = .date(try storage.date(index))
        case .uuid: leaf = .uuid(try storage.uuid(index))
        case .url: leaf = .url(try storage.url(index))
        case .nothing: leaf = .null
        case .decimalNumber, .decimalPlaceholder: leaf = .decimal(try storage.decimal(index))
        case .value:
            guard let geometry = try storage.geometry(index) else {
                return try openInstance(archivedClass, node, object: object, at: index)
            }
            leaf = geometry
        default:
            return try openInstance(archivedClass, node, object: object, at: index)
        }
        try finish(leaf, size: 1, object: object)
    }

    private mutating func openInstance(
        _ archivedClass: ArchivedClass,
        _ node: PropertyListNode,
        object: Int?,
        at index: Int
    ) throws(TransformerError) {
        let fields = zip(table.keys(of: node), table.values(of: node))
            .filter { table.nodes[Int($0.0)].symbol != .isa }
        try open(.instance(archivedClass, names: fields.map(\.0)), fields.map(\.1), object: object, at: index)
    }

    private mutating func open(
        _ shape: Shape,
        _ children: [UInt32],
        object: Int?,
        at index: Int
    ) throws(TransformerError) {
        guard frames.count < storage.limits.depth else {
            throw .tooDeep(storage.limits.depth, offset: table.offset(of: index))
        }
        if let object { states[object] = .open }
        frames.append(Frame(shape: shape, object: object, children: children, start: made.count))
    }

    private mutating func append(_ value: ArchivedInstance.FieldValue, size: Int) throws(TransformerError) {
        guard size <= budget else { throw .tooMuchSharing(budget) }
        made.append(Made(value: value, size: size))
    }

    private mutating func finish(_ value: ArchivedValue, size: Int, object: Int?) throws(TransformerError) {
        guard let object else { return try append(.inline(value), size: size) }
        states[object] = .made(value, size: size)
        try append(.object(value), size: size)
    }

    /// Makes a container's value of the values that were made for its children.
    private mutating func close() throws(TransformerError) {
        let frame = frames.removeLast()
        let children = made[frame.start...]
        var size = 1
        for child in children {
            size += child.size
            guard size <= budget else { throw .tooMuchSharing(budget) }
        }
        if case .list = frame.shape {
            let list = children.map(\.value.object)
            made.removeSubrange(frame.start...)
            return try append(.objects(list), size: size)
        }
        let value = try value(of: frame, Array(children.map(\.value)))
        made.removeSubrange(frame.start...)
        try finish(value, size: size, object: frame.object)
    }

    private func value(
        of frame: Frame,
        _ children: [ArchivedInstance.FieldValue]
    ) throws(TransformerError) -> ArchivedValue {
        switch frame.shape {
        case .array, .list: return .array(children.map(\.value))
        case .set: return .set(ArchivedSet(children.map(\.value)))
        case .orderedSet: return .orderedSet(children.map(\.value))
        case .dictionary:
            let count = children.count / 2
            let pairs = (0..<count)
                .map { ArchivedDictionary.Pair(children[$0].value, children[count + $0].value) }
            guard let dictionary = ArchivedDictionary(uniquePairs: pairs) else {
                throw .invalidData("a dictionary holds a key twice", offset: offset(of: frame))
            }
            return .dictionary(dictionary)
        case .instance(let archivedClass, let names):
            var fields: [(name: String, value: ArchivedInstance.FieldValue)] = []
            for (name, child) in zip(names, children) {
                fields.append((try storage.string(Int(name)), child))
            }
            return .object(ArchivedInstance(archivedClass, fields: fields))
        }
    }

    private func offset(of frame: Frame) -> Int? {
        frame.object.flatMap { table.offset(of: storage.node(ofObject: $0)) }
    }
}

extension ArchivedInstance.FieldValue {
    /// The value where nil cannot be told from null.
    fileprivate var value: ArchivedValue {
        switch self {
        case .object(let value): value ?? .null
        case .inline(let value): value
        case .objects(let values): .array(values.map { $0 ?? .null })
        }
    }

    fileprivate var object: ArchivedValue? {
        switch self {
        case .object(let value): value
        case .inline, .objects: value
        }
    }
}
