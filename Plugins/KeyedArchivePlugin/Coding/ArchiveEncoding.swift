internal import Foundation
internal import Transformable

/// The state of an encoding operation: the tree that all containers fill.
final class ArchiveEncoding {
    var tree = ArchiveTree()
    /// The maximum nesting of values.
    private let depth: Int
    private var namedTypes: [ObjectIdentifier: (any KeyedArchiveNamed.Type)?] = [:]
    private var lastType: (id: ObjectIdentifier, collection: Collection)?
    private var nested: [Nested: Int] = [:]

    /// Identifies a nested container by the container around it, its key, and its kind.
    private struct Nested: Hashable {
        let container: Int
        let key: UInt32
        let kind: ArchiveTree.Kind
    }

    /// The type that was encoded as an array.
    ///
    /// Sets and dictionaries have a different order in each process.
    private enum Collection {
        case ordered
        case set
        case dictionary
    }

    init(depth: Int) {
        self.depth = depth
    }

    /// Encodes a value of any type.
    func encode<Value: Encodable>(
        _ value: Value,
        at index: Int,
        depth: Int,
        path: @autoclosure () -> CodingPath
    ) throws {
        guard try !encodeKnown(value, at: index) else { return }
        guard depth < self.depth else { throw TransformerError.tooDeep(self.depth) }
        try value.encode(to: ArchiveEncoder(encoding: self, index: index, depth: depth, path: path()))
        if tree.nodes[index].kind == .absent {
            tree.set(index, .dictionary)
        }
        if tree.nodes[index].kind == .dictionary {
            if let named = named(Value.self) { tree.makeObject(index, of: named) }
        } else if tree.nodes[index].kind == .array {
            switch collection(Value.self) {
            case .set: tree.makeSet(index)
            case .dictionary: tree.sortPairs(index)
            case .ordered: break
            }
        }
    }

    /// Returns the node of a nested container, which is a new one unless it was requested before.
    func nested(_ kind: ArchiveTree.Kind, in container: Int, key: String) -> Int {
        let id = Nested(container: container, key: tree.intern(key), kind: kind)
        if let known = nested[id] { return known }
        let index = tree.add(to: container, key: id.key)
        nested[id] = index
        return index
    }

    /// Encodes a value for which archives have a class.
    private func encodeKnown<Value>(_ value: Value, at index: Int) throws(TransformerError) -> Bool {
        if Value.self == String.self, let text = value as? String {
            tree.set(index, to: text)
        } else if Value.self == Int.self, let number = value as? Int {
            tree.set(index, .integer, payload: UInt64(bitPattern: Int64(number)))
        } else if Value.self == Double.self, let number = value as? Double {
            tree.set(index, .real, payload: number.bitPattern)
        } else if Value.self == Bool.self, let flag = value as? Bool {
            tree.set(index, .boolean, payload: flag ? 1 : 0)
        } else if Value.self == Date.self, let date = value as? Date {
            tree.set(index, .date, payload: date.timeIntervalSinceReferenceDate.bitPattern)
        } else if Value.self == Data.self, let data = value as? Data {
            tree.set(index, to: data, as: .data)
        } else if Value.self == UUID.self, let uuid = value as? UUID {
            tree.set(index, to: uuid.archivedBytes, as: .uuid)
        } else if Value.self == URL.self, let url = value as? URL {
            try tree.set(index, to: ArchivedURL(url))
        } else if Value.self == Decimal.self, let decimal = value as? Decimal {
            try tree.set(index, to: decimal)
        } else {
            return false
        }
        return true
    }

    /// Returns the type if it declares a class name.
    private func named(_ type: Any.Type) -> (any KeyedArchiveNamed.Type)? {
        let id = ObjectIdentifier(type)
        if let known = namedTypes[id] { return known }
        let named = type as? any KeyedArchiveNamed.Type
        namedTypes[id] = .some(named)
        return named
    }

    private func collection(_ type: Any.Type) -> Collection {
        let id = ObjectIdentifier(type)
        if let lastType, lastType.id == id { return lastType.collection }
        let collection: Collection =
            type is any AnySet.Type ? .set : type is any AnyDictionary.Type ? .dictionary : .ordered
        lastType = (id, collection)
        return collection
    }
}

/// Distinguishes a set from an array, because it encodes itself as an array.
private protocol AnySet {}

extension Set: AnySet {}

/// Distinguishes a dictionary, because it encodes itself as an array of keys and values unless its keys are strings or
/// integers.
private protocol AnyDictionary {}

extension Dictionary: AnyDictionary {}

extension ArchiveTree {
    /// Turns an array into a set, with its members in canonical order and without duplicates.
    ///
    /// Different members of a Swift set can be encoded in the same way. Members of different classes are distinct.
    mutating func makeSet(_ index: Int) {
        let members = children(of: index).map { member($0) }.sorted()
        var unique: [SetMember] = []
        for member in members where unique.last != member { unique.append(member) }
        relink(index, .set, children: unique.map(\.index))
    }

    /// Returns a node with its value.
    private func member(_ index: Int) -> SetMember {
        let exact = classes.isEmpty ? ArchivedValue.null : value(at: index, includingClasses: true)
        return SetMember(index: index, value: value(at: index), exact: exact)
    }

    /// A member of a set, or a key or a value of a dictionary, to be archived.
    private struct SetMember: Comparable {
        let index: Int
        let value: ArchivedValue
        /// The value with the classes of instances, or null if there are none.
        let exact: ArchivedValue

        static func == (left: Self, right: Self) -> Bool {
            left.value == right.value && left.exact == right.exact
        }

        static func < (left: Self, right: Self) -> Bool {
            left.value == right.value ? left.exact < right.exact : left.value < right.value
        }
    }

    /// Sorts an array of alternating keys and values by the canonical order of the keys.
    ///
    /// Different keys of a Swift dictionary can be encoded in the same way. Their values are then compared too.
    mutating func sortPairs(_ index: Int) {
        let members = children(of: index)
        guard members.count.isMultiple(of: 2) else { return }
        var pairs = stride(from: 0, to: members.count, by: 2)
            .map { (key: member(members[$0]), value: members[$0 + 1]) }
        pairs.sort { $0.key == $1.key ? member($0.value) < member($1.value) : $0.key < $1.key }
        relink(index, .array, children: pairs.flatMap { [$0.key.index, $0.value] })
    }

    /// Returns the value of a node, for comparisons.
    ///
    /// The canonical order ignores the classes of instances, which are dictionaries in it.
    private func value(at index: Int, includingClasses: Bool = false) -> ArchivedValue {
        let node = nodes[index]
        func members() -> [ArchivedValue] {
            children(of: index).map { value(at: $0, includingClasses: includingClasses) }
        }
        func bytes(_ range: Range<Int>) -> ArraySlice<UInt8> { texts.bytes[range] }
        let data = { Data(bytes(Int(node.payload)..<Int(node.payload) + Int(node.count))) }
        func text(_ number: UInt32) -> String { String(decoding: bytes(texts.range(of: number)), as: UTF8.self) }
        switch node.kind {
        case .absent, .none, .null, .reference: return .null
        case .boolean: return .boolean(node.payload == 1)
        case .integer: return .integer(Int128(Int64(bitPattern: node.payload)))
        case .wideInteger: return .integer(wideIntegers[Int(node.payload)])
        case .real: return .real(Double(bitPattern: node.payload))
        case .date: return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: node.payload)))
        case .string: return .string(text(UInt32(node.payload)))
        case .data: return .data(data())
        case .uuid: return .uuid(UUID(archived: texts.bytes[Int(node.payload)..<Int(node.payload) + 16]))
        case .array, .list, .orderedSet: return .array(ArchivedArray(members()))
        case .set: return .set(ArchivedSet(members()))
        case .dictionary, .instance:
            let fields = zip(children(of: index), members()).map { (name: text(nodes[$0].key), value: $1) }
            if includingClasses, let archivedClass = classes[index] {
                return .object(ArchivedInstance(archivedClass, fields: fields.map { ($0.name, .object($0.value)) }))
            }
            return .dictionary(ArchivedDictionary(fields.map { ArchivedDictionary.Pair(.string($0.name), $0.value) }))
        }
    }

    /// Turns a dictionary with text keys into an object, and its pairs into fields.
    ///
    /// Scalars are stored in their fields, as a class's own `encode(_:forKey:)` stores them.
    mutating func makeObject(_ index: Int, of named: any KeyedArchiveNamed.Type) {
        let members = children(of: index)
        set(index, to: ArchivedClass(named.archiveClassName))
        relink(index, .instance, children: members)
        for member in members {
            escapeKey(of: member)
            switch nodes[member].kind {
            case .boolean, .integer, .wideInteger, .real: makeInline(member)
            case .null: set(member, .none)
            default: break
            }
        }
        removeDuplicateKeys(of: index)
        guard named.archiveVersion != 0 else { return }
        let version = add(to: index, key: ArchivedFields.version)
        set(version, to: Int128(named.archiveVersion))
        makeInline(version)
    }

    /// Removes fields of an object whose key occurs again later.
    package mutating func removeDuplicateKeys(of index: Int) {
        guard nodes[index].kind == .instance else { return }
        let fields = children(of: index)
        var last: [UInt32: Int] = [:]
        for field in fields {
            last[nodes[field].key] = field
        }
        guard last.count < fields.count else { return }
        relink(index, .instance, children: fields.filter { last[nodes[$0].key] == $0 })
    }

    private mutating func escapeKey(of index: Int) {
        let bytes = texts.bytes[texts.range(of: nodes[index].key)]
        guard bytes.first == UInt8(ascii: "$") || bytes.elementsEqual(ArchivedFields.version.utf8) else { return }
        setKey(of: index, to: String(decoding: bytes, as: UTF8.self).keyFieldName)
    }
}

extension String {
    /// The name of a field for a key.
    ///
    /// Names that begin with `$` belong to the archiver, so such keys are escaped.
    package var escapedFieldName: String { hasPrefix("$") ? "$" + self : self }

    /// The name of a field for a key of a `Codable` type, which is not the field of the version.
    var keyFieldName: String { self == ArchivedFields.version ? "$" + self : escapedFieldName }
}
