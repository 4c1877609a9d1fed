internal import Foundation
internal import Transformable
internal import _PropertyLists

/// Makes values of an archive's objects.
///
/// A container is made once, however often it is referred to: time is linear in the archive, and shared
/// containers share memory. Nothing here recurses; the depth is that of a stack of its own.
struct ArchivedValueReader {
    private enum Shape {
        case array
        case dictionary
        case set
        case orderedSet
        case instance
        /// A list in a field of an instance.
        case list
    }

    /// What a made value is to the field that holds it.
    private enum Role {
        case inline
        case object
        case none
        /// The value is the index of a list.
        case list
    }

    /// What is known of a made value.
    private struct Note {
        let role: Role
        /// How many values it stands for, with everything in it.
        let size: Int
    }

    private struct Frame {
        let shape: Shape
        /// The container's node.
        let node: Int
        /// Its children among those that wait.
        let children: Range<Int>
        var next: Int
        /// Where its made children begin.
        let start: Int
    }

    private static let unused: UInt32 = 0
    private static let usedOnce: UInt32 = 1
    private static let shared: UInt32 = 2
    private static let openOnce: UInt32 = 3
    private static let openShared: UInt32 = 4
    private static let firstMade: UInt32 = 5
    /// Strings up to this many bytes live inside a Swift string, and are made anew each time.
    private static let smallString = 15

    private let storage: ArchiveStorage
    private let table: PropertyListTable
    private let budget: Int
    /// For each node of an object how it is used, or where its value is among those that are kept.
    ///
    /// By node, since a property list may have one node for several equal objects. Only shared values are
    /// kept. One that was used once after all, in a list that is itself shared, is read twice, then kept.
    private var states: [UInt32]
    private var kept: [(value: ArchivedValue, size: Int)] = []
    private var frames: [Frame] = []
    private var waiting: [UInt32] = []
    private var made: [ArchivedValue] = []
    private var notes: [Note] = []
    private var lists: [[ArchivedValue?]] = []

    /// Gives the value of a node.
    static func read(_ index: Int, in storage: ArchiveStorage) throws(TransformerError) -> ArchivedValue {
        var reader = Self(storage)
        try reader.begin(index)
        while let top = reader.frames.indices.last {
            let frame = reader.frames[top]
            if frame.next < frame.children.upperBound {
                reader.frames[top].next += 1
                try reader.begin(Int(reader.waiting[frame.next]))
            } else {
                reader.frames.removeLast()
                try reader.close(frame)
            }
        }
        return reader.made[0]
    }

    private init(_ storage: ArchiveStorage) {
        self.storage = storage
        table = storage.table
        budget = storage.limits.expansion(ofBytes: storage.table.bytes.count)
        states = Array(repeating: Self.unused, count: storage.table.nodes.count)
        for reference in table.references {
            let node = table.nodes[Int(reference)]
            guard node.kind == .uid else { continue }
            let object = storage.node(ofObject: node.start)
            states[object] = min(Self.shared, states[object] + 1)
        }
    }

    /// Makes a leaf, or opens a frame.
    private mutating func begin(_ index: Int) throws(TransformerError) {
        let node = table.nodes[index]
        guard node.kind == .uid else { return try make(index, isObject: false) }
        let number = Int(node.payload)
        let object = storage.node(ofObject: number)
        switch states[object] {
        case ...Self.shared where storage.isNull(number):
            append(.null, .none, size: 1)
        case ...Self.shared:
            try make(object, isObject: true)
        case Self.openOnce, Self.openShared:
            throw .cyclicReference(number, offset: table.offset(of: object))
        case let state:
            let (value, size) = kept[Int(state - Self.firstMade)]
            append(value, .object, size: size)
        }
    }

    private mutating func append(_ value: ArchivedValue, _ role: Role, size: Int) {
        made.append(value)
        notes.append(Note(role: role, size: size))
    }

    private mutating func make(_ index: Int, isObject: Bool) throws(TransformerError) {
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
        case .dictionary where isObject: return try makeInstance(index)
        case .array where !isObject:
            let elements = table.elements(of: node)
            return try open(.list, at: index) { $0.append(contentsOf: elements.reversed()) }
        case .null, .uid, .array, .orderedSet, .set, .dictionary:
            throw .invalidData("\(node.kindName) stands where a value is expected", offset: table.offset(of: index))
        }
        append(leaf, isObject ? .object : .inline, size: 1)
        if isObject, node.kind == .data || (node.isString && node.count > Self.smallString) {
            keep(index)
        }
    }

    /// Remembers the last made value as that of an object's node, if others will ask for it.
    private mutating func keep(_ index: Int) {
        guard states[index] == Self.shared || states[index] == Self.openShared else {
            states[index] = Self.shared
            return
        }
        guard let value = made.last, let note = notes.last else { return }
        states[index] = UInt32(truncatingIfNeeded: kept.count) + Self.firstMade
        kept.append((value, note.size))
    }

    private mutating func makeInstance(_ index: Int) throws(TransformerError) {
        let leaf: ArchivedValue
        switch storage.classSymbol(of: table.nodes[index]) {
        case .array, .mutableArray:
            return try openCollection(.array, at: index)
        case .set, .mutableSet:
            return try openCollection(.set, at: index)
        case .orderedSet, .mutableOrderedSet:
            return try openCollection(.orderedSet, at: index)
        case .dictionary, .mutableDictionary:
            return try openDictionary(index)
        case .string, .mutableString: leaf = .string(try storage.string(index))
        case .data, .mutableData: leaf = .data(try storage.data(index))
        case .date: leaf = .date(try storage.date(index))
        case .uuid: leaf = .uuid(try storage.uuid(index))
        case .url: leaf = .url(try storage.url(index))
        case .nothing: leaf = .null
        case .decimalNumber, .decimalPlaceholder: leaf = .decimal(try storage.decimal(index))
        case .value:
            guard let geometry = try storage.geometry(index) else { return try openInstance(index) }
            leaf = geometry
        default:
            return try openInstance(index)
        }
        append(leaf, .object, size: 1)
        keep(index)
    }

    private mutating func openInstance(_ index: Int) throws(TransformerError) {
        let node = table.nodes[index]
        guard storage.archivedClass(at: index) != nil else {
            throw .invalidData("a class stands where a value is expected", offset: table.offset(of: index))
        }
        let values = fields(of: node).reversed().map(\.value)
        try open(.instance, at: index) { $0.append(contentsOf: values) }
    }

    private mutating func openCollection(_ shape: Shape, at index: Int) throws(TransformerError) {
        let members = try storage.members(of: index)
        try open(shape, at: index) { $0.append(contentsOf: members.reversed()) }
    }

    private mutating func openDictionary(_ index: Int) throws(TransformerError) {
        let (keys, values) = try storage.pairs(of: index)
        try open(.dictionary, at: index) { waiting in
            for offset in (0..<keys.count).reversed() {
                waiting.append(values[values.startIndex + offset])
                waiting.append(keys[keys.startIndex + offset])
            }
        }
    }

    /// The nodes of an instance's fields, but for the one that names its class.
    private func fields(of node: PropertyListNode) -> [(key: UInt32, value: UInt32)] {
        zip(table.keys(of: node), table.values(of: node))
            .filter { table.nodes[Int($0.0)].symbol != .isa }
            .map { ($0.0, $0.1) }
    }

    /// Opens a container, whose children wait in reverse: so the first one is made last, and taken off first.
    private mutating func open(
        _ shape: Shape,
        at index: Int,
        _ addChildren: (inout [UInt32]) -> Void
    ) throws(TransformerError) {
        guard frames.count < storage.limits.depth else {
            throw .tooDeep(storage.limits.depth, offset: table.offset(of: index))
        }
        if shape != .list {
            states[index] = states[index] == Self.shared ? Self.openShared : Self.openOnce
        }
        let first = waiting.count
        addChildren(&waiting)
        let children = first..<waiting.count
        frames.append(
            Frame(shape: shape, node: index, children: children, next: first, start: made.count)
        )
    }

    /// Makes a container's value of the values that were made for its children.
    private mutating func close(_ frame: Frame) throws(TransformerError) {
        var size = 1
        var hasList = false
        for child in frame.start..<notes.count {
            size += notes[child].size
            hasList = hasList || notes[child].role == .list
            guard size <= budget else { throw .tooMuchSharing(budget) }
        }
        guard !hasList || frame.shape == .instance else {
            let offset = table.offset(of: frame.node)
            throw .invalidData("a collection holds a list that is no object", offset: offset)
        }
        waiting.removeLast(frame.children.count)
        let value = try value(of: frame)
        notes.removeLast(frame.children.count)
        append(value, frame.shape == .list ? .list : .object, size: size)
        if frame.shape != .list { keep(frame.node) }
    }

    /// Takes the children off, first one first.
    private mutating func value(of frame: Frame) throws(TransformerError) -> ArchivedValue {
        switch frame.shape {
        case .array: return .array(ArchivedArray(takeMembers(frame.children.count)))
        case .set: return .set(ArchivedSet(takeMembers(frame.children.count)))
        case .orderedSet: return .orderedSet(ArchivedArray(takeMembers(frame.children.count)))
        case .dictionary: return .dictionary(try takeDictionary(frame))
        case .instance:
            let instance = try takeInstance(frame)
            return ArchivedValue(known: instance) ?? .object(instance)
        case .list:
            let roles = notes[frame.start...].reversed().map(\.role)
            lists.append(zip(takeMembers(frame.children.count), roles).map { $1 == .none ? nil : $0 })
            return .integer(Int128(lists.count - 1))
        }
    }

    private mutating func takeMembers(_ count: Int) -> [ArchivedValue] {
        var members: [ArchivedValue] = []
        members.reserveCapacity(count)
        for _ in 0..<count {
            members.append(made.removeLast())
        }
        return members
    }

    private mutating func takeDictionary(_ frame: Frame) throws(TransformerError) -> ArchivedDictionary {
        guard let dictionary = ArchivedDictionary(alternating: takeMembers(frame.children.count)) else {
            throw .invalidData("a dictionary holds a key twice", offset: table.offset(of: frame.node))
        }
        return dictionary
    }

    private mutating func takeInstance(_ frame: Frame) throws(TransformerError) -> ArchivedInstance {
        let node = table.nodes[frame.node]
        guard let archivedClass = storage.archivedClass(at: frame.node) else {
            throw .invalidData("a class stands where a value is expected", offset: table.offset(of: frame.node))
        }
        var fields: [(name: String, value: ArchivedInstance.FieldValue)] = []
        for (offset, field) in self.fields(of: node).enumerated() {
            let role = notes[notes.count - 1 - offset].role
            fields.append((try storage.string(Int(field.key)), fieldValue(made.removeLast(), role)))
        }
        return ArchivedInstance(archivedClass, fields: fields)
    }

    private func fieldValue(_ value: ArchivedValue, _ role: Role) -> ArchivedInstance.FieldValue {
        switch (role, value) {
        case (.none, _): .object(nil)
        case (.inline, let value): .inline(value)
        case (.list, .integer(let list)): .objects(lists[Int(list)])
        case (_, let value): .object(value)
        }
    }
}
