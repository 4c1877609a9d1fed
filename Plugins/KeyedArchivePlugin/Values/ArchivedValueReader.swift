internal import Foundation
internal import Transformable
internal import _PropertyLists

/// Creates values from the objects of an archive.
///
/// A container is created once, however often it is referred to: the time is linear in the size of the archive, and
/// shared containers share memory. A separate stack is used instead of recursion.
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

    /// The role of a value in the field that contains it.
    private enum Role {
        case inline
        case object
        case none
        /// The value is the index of a list.
        case list
    }

    /// A container whose values are being created.
    ///
    /// It is small, because there can be a million of them.
    private struct Frame {
        let shape: Shape
        /// The node of the container.
        let node: UInt32
        /// The position of the children, of a dictionary's keys, or of the names of fields among the references.
        let first: UInt32
        /// The position of the values of keys or fields.
        let values: UInt32
        /// The number of children, which for a dictionary includes keys and values.
        let count: UInt32
        var next: UInt32 = 0
        /// The number of values that the container contains, including itself and packed integers.
        var size: UInt32 = 1
        var members: [ArchivedValue] = []

        init(_ shape: Shape, node: Int = 0, first: Int = 0, values: Int = 0, count: Int = 0) {
            self.shape = shape
            self.node = UInt32(node)
            self.first = UInt32(first)
            self.values = UInt32(values)
            self.count = UInt32(count)
            members.reserveCapacity(count)
        }

        /// Whether the role of each member matters.
        var hasRoles: Bool { shape == .instance || shape == .list }

        mutating func takeMembers() -> [ArchivedValue] {
            let taken = members
            members = []
            return taken
        }
    }

    private static let unused: UInt32 = 0
    private static let usedOnce: UInt32 = 1
    private static let shared: UInt32 = 2
    private static let openOnce: UInt32 = 3
    private static let openShared: UInt32 = 4
    private static let firstMade: UInt32 = 5
    /// The maximum length in bytes of strings that are stored inline in a Swift string, and created again each time.
    private static let smallString = 15

    private let storage: ArchiveStorage
    private let table: PropertyListTable
    private let budget: Int
    /// The position of the archive's objects among the references.
    private let objects: Int
    /// Whether the first object is the null reference.
    private let hasNull: Bool
    /// For each node of an object, how it is used, or the index of its value among those that are kept.
    ///
    /// The key is a node, because a property list can have a single node for several equal objects. Only shared values
    /// are kept. A value in a list that is itself shared may turn out to be used only once; it is then read twice, and
    /// kept.
    private var states: [UInt32]
    private var kept: [(value: ArchivedValue, size: Int)] = []
    /// The references of the table, and of collections with a field for each member.
    private var references: [UInt32]
    /// The innermost container.
    private var frame = Frame(.array)
    private var frames: [Frame] = []
    /// The number of children of all open containers.
    private var expected = 0
    /// The role of each member in the open instance or list that contains it.
    private var roles: [Role] = []
    /// The lists in fields of open instances.
    private var lists: [[ArchivedValue?]] = []

    /// Returns the value of a node.
    static func read(_ index: Int, in storage: ArchiveStorage) throws(TransformerError) -> ArchivedValue {
        var reader = Self(storage)
        try reader.begin(index)
        while !reader.frames.isEmpty {
            if reader.frame.next < reader.frame.count {
                try reader.beginNext()
            } else {
                try reader.close()
            }
        }
        return reader.frame.members[0]
    }

    private init(_ storage: ArchiveStorage) {
        self.storage = storage
        table = storage.table
        references = storage.table.references
        budget = storage.limits.expansion(ofBytes: storage.table.sourceCount)
        states = Array(repeating: Self.unused, count: storage.table.nodes.count)
        objects = storage.objects.start
        hasNull = storage.isNull(0)
        for reference in references {
            let node = table.nodes[Int(reference)]
            guard node.kind == .uid else { continue }
            let object = Int(references[objects + node.start])
            states[object] = min(Self.shared, states[object] + 1)
        }
    }

    /// Starts reading the next child of the innermost container.
    private mutating func beginNext() throws(TransformerError) {
        let position = frame.next
        frame.next += 1
        switch frame.shape {
        case .dictionary:
            // Each key is followed by its value.
            let start = position.isMultiple(of: 2) ? frame.first : frame.values
            try begin(Int(references[Int(start + position / 2)]))
        case .instance:
            guard !namesClass(Int(frame.first + position)) else { return }
            try begin(Int(references[Int(frame.values + position)]))
        case .array, .set, .orderedSet, .list:
            try begin(Int(references[Int(frame.first + position)]))
        }
    }

    /// Returns whether a field contains the class of an object.
    private func namesClass(_ position: Int) -> Bool {
        table.nodes[Int(references[position])].symbol == .isa
    }

    /// Reads a leaf, or opens a container.
    private mutating func begin(_ index: Int) throws(TransformerError) {
        let node = table.nodes[index]
        guard node.kind == .uid else { return try make(index, isObject: false) }
        let number = node.start
        let object = Int(references[objects + number])
        switch states[object] {
        case ...Self.shared where number == 0 && hasNull:
            try append(.null, .none, size: 1)
        case ...Self.shared:
            try make(object, isObject: true)
        case Self.openOnce, Self.openShared:
            throw .cyclicReference(number, offset: table.offset(of: object))
        case let state:
            let (value, size) = kept[Int(state - Self.firstMade)]
            try append(value, .object, size: size)
        }
    }

    /// Adds a value to the innermost container.
    private mutating func append(_ value: ArchivedValue, _ role: Role, size: Int) throws(TransformerError) {
        // Neither exceeds the budget, which is at most half of what the property can represent.
        frame.size += UInt32(size)
        guard Int(frame.size) <= budget else { throw .tooMuchSharing(budget) }
        frame.members.append(value)
        if frame.hasRoles { roles.append(role) }
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
        case .data: leaf = .data(storage.bytes(index))
        case .asciiString, .utf8String, .utf16String: leaf = .string(try storage.string(index))
        case .dictionary where isObject: return try makeInstance(index)
        case .array where !isObject:
            guard frame.shape == .instance else {
                let message = "expected a value, but found a list that is not an object"
                throw .invalidData(message, offset: table.offset(of: index))
            }
            return try open(.list, at: index, first: node.start, count: Int(node.count))
        case .null, .uid, .array, .orderedSet, .set, .dictionary:
            throw .invalidData("expected a value, but found \(node.kindName)", offset: table.offset(of: index))
        }
        try append(leaf, isObject ? .object : .inline, size: 1)
        if isObject, node.kind == .data || (node.isString && node.count > Self.smallString) {
            keep(leaf, of: index, size: 1)
        }
    }

    /// Keeps the value of an object if it is referred to again.
    private mutating func keep(_ value: ArchivedValue, of index: Int, size: Int) {
        guard states[index] == Self.shared || states[index] == Self.openShared else {
            states[index] = Self.shared
            return
        }
        states[index] = UInt32(truncatingIfNeeded: kept.count) + Self.firstMade
        kept.append((value, size))
    }

    private mutating func makeInstance(_ index: Int) throws(TransformerError) {
        let leaf: ArchivedValue
        var size = 1
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
        case .url:
            guard storage.isPlainURL(index) else { return try openInstance(index) }
            let url = try storage.url(index)
            leaf = .url(url)
            size += url.bases.count
        case .nothing: leaf = .null
        case .decimalNumber, .decimalPlaceholder: leaf = .decimal(try storage.decimal(index))
        case .value:
            guard let geometry = try storage.geometry(index) else { return try openInstance(index) }
            leaf = geometry
        default:
            return try openInstance(index)
        }
        try append(leaf, .object, size: size)
        keep(leaf, of: index, size: size)
    }

    private mutating func openInstance(_ index: Int) throws(TransformerError) {
        let node = table.nodes[index]
        guard storage.archivedClass(at: index) != nil else {
            throw .invalidData("expected a value, but found a class", offset: table.offset(of: index))
        }
        let count = Int(node.count)
        try open(.instance, at: index, first: node.start, values: node.start + count, count: count)
    }

    private mutating func openCollection(_ shape: Shape, at index: Int) throws(TransformerError) {
        if let list = try storage.list(.objectsField, of: index) {
            return try open(shape, at: index, first: list.lowerBound, count: list.count)
        }
        let (first, count) = add(try storage.members(of: index))
        try open(shape, at: index, first: first, count: count)
    }

    private mutating func openDictionary(_ index: Int) throws(TransformerError) {
        if let (keys, values) = try storage.pairLists(of: index) {
            let (first, count) = (keys.lowerBound, 2 * keys.count)
            return try open(.dictionary, at: index, first: first, values: values.lowerBound, count: count)
        }
        let (keys, values) = try storage.pairs(of: index)
        let (first, count) = add(keys)
        try open(.dictionary, at: index, first: first, values: add(values).first, count: 2 * count)
    }

    /// Adds references that are not in the table.
    private mutating func add(_ members: ArraySlice<UInt32>) -> (first: Int, count: Int) {
        references.append(contentsOf: members)
        return (references.count - members.count, members.count)
    }

    /// Opens a container.
    private mutating func open(
        _ shape: Shape,
        at index: Int,
        first: Int,
        values: Int = 0,
        count: Int
    ) throws(TransformerError) {
        guard frames.count < storage.limits.depth else {
            throw .tooDeep(storage.limits.depth, offset: table.offset(of: index))
        }
        // Open containers become values, so their memory can be allocated now.
        expected += count
        guard expected <= budget else { throw .tooMuchSharing(budget) }
        if shape != .list {
            states[index] = states[index] == Self.shared ? Self.openShared : Self.openOnce
        }
        frames.append(frame)
        frame = Frame(shape, node: index, first: first, values: values, count: count)
    }

    /// Creates the value of the innermost container from the values of its children.
    private mutating func close() throws(TransformerError) {
        guard var closed = frames.popLast() else { return }
        swap(&closed, &frame)
        expected -= Int(closed.count)
        guard closed.shape != .list else {
            let members = closed.takeMembers()
            lists.append(zip(members, takeRoles(members.count)).map { $1 == .none ? nil : $0 })
            return try append(.integer(Int128(lists.count - 1)), .list, size: Int(closed.size))
        }
        let value = try value(of: &closed)
        try append(value, .object, size: Int(closed.size))
        keep(value, of: Int(closed.node), size: Int(closed.size))
    }

    private mutating func takeRoles(_ count: Int) -> [Role] {
        defer { roles.removeLast(count) }
        return Array(roles.suffix(count))
    }

    private mutating func value(of closed: inout Frame) throws(TransformerError) -> ArchivedValue {
        switch closed.shape {
        case .array, .list: return .array(ArchivedArray(closed.takeMembers()))
        case .set: return .set(ArchivedSet(closed.takeMembers()))
        case .orderedSet: return .orderedSet(ArchivedArray(closed.takeMembers()))
        case .dictionary:
            guard let dictionary = ArchivedDictionary(alternating: closed.takeMembers()) else {
                throw .invalidData("a dictionary contains a key twice", offset: table.offset(of: Int(closed.node)))
            }
            return .dictionary(dictionary)
        case .instance:
            let instance = try instance(of: closed)
            let size = Int(closed.size) + instance.packedCount
            guard size <= budget else { throw .tooMuchSharing(budget) }
            closed.size = UInt32(size)
            return ArchivedValue(known: instance) ?? .object(instance)
        }
    }

    private mutating func instance(of closed: Frame) throws(TransformerError) -> ArchivedInstance {
        let node = Int(closed.node)
        guard let archivedClass = storage.archivedClass(at: node) else {
            throw .invalidData("expected a value, but found a class", offset: table.offset(of: node))
        }
        let roles = takeRoles(closed.members.count)
        var fields: [(name: String, value: ArchivedInstance.FieldValue)] = []
        fields.reserveCapacity(closed.members.count)
        for position in Int(closed.first)..<Int(closed.first + closed.count) where !namesClass(position) {
            let value = fieldValue(closed.members[fields.count], roles[fields.count])
            fields.append((try storage.string(Int(references[position])), value))
        }
        lists.removeLast(roles.count { $0 == .list })
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
