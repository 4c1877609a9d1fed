internal import Transformable

/// A part of a tree during encoding, which containers share by reference.
final class TreeBox {
    enum Content {
        case empty
        case value(EncodedTree)
        case array([Part])
        case keyed([(name: String, part: Part)])
    }

    /// An element of a container: a finished value, or one that is still being encoded.
    enum Part {
        case tree(EncodedTree)
        case box(TreeBox)

        var box: TreeBox? {
            if case .box(let box) = self { box } else { nil }
        }

        func tree(depth: Int, _ format: TreeFormat) throws -> EncodedTree {
            switch self {
            case .tree(let tree): tree
            case .box(let box): try box.tree(depth: depth, format)
            }
        }
    }

    var content: Content = .empty
    var order = TreeOrder.given
    /// The boxes of the members whose last part is one, by name, or nil until a nested container is requested after the
    /// first member.
    private var boxes: [String: TreeBox]?

    init() {}

    /// Adds an element.
    ///
    /// The array is moved out in the meantime, so that it is not copied.
    func append(_ part: Part) {
        guard case .array(var parts) = content else { return }
        content = .empty
        parts.append(part)
        content = .array(parts)
    }

    /// Adds a member.
    ///
    /// If the name already exists, the new member replaces the old one.
    func append(_ part: Part, named name: String) {
        guard case .keyed(var members) = content else { return }
        content = .empty
        members.append((name, part))
        content = .keyed(members)
        boxes?[name] = part.box
    }

    /// Returns the box of a nested container.
    ///
    /// As with Foundation's coders, a container that is requested twice is the same container.
    func nested(named name: String) -> TreeBox {
        // The first member, such as that of an enumeration with associated values, needs no dictionary.
        if boxes == nil, case .keyed(let members) = content, !members.isEmpty {
            boxes = Dictionary(members.map { ($0.name, $0.part.box) }) { $1 }.compactMapValues(\.self)
        }
        if let known = boxes?[name] { return known }
        let box = TreeBox()
        append(.box(box), named: name)
        return box
    }

    /// Records that an unordered collection was encoded, so that equal collections produce equal trees.
    ///
    /// A type that encodes itself as a single value leaves the order of that value as it is.
    func noteOrder<Value>(of value: Value, _ session: TreeSession) {
        if case .array = content, order == .given { order = session.order(of: value) }
    }

    /// Returns the finished tree.
    ///
    /// A value that encoded nothing is an empty dictionary.
    func tree(depth: Int = 0, _ format: TreeFormat) throws -> EncodedTree {
        guard depth <= StructureLimit.depth else {
            throw TransformerError.limitExceeded(
                "\(format.name) is nested more than \(StructureLimit.depth) levels deep"
            )
        }
        switch content {
        case .empty: return .keyed([])
        case .value(let tree): return tree
        case .array(let parts):
            return .array(try sorted(parts.map { try $0.tree(depth: depth + 1, format) }, format))
        case .keyed(let members):
            return .keyed(lastOf: try members.map { ($0.name, try $0.part.tree(depth: depth + 1, format)) })
        }
    }

    private func sorted(_ trees: [EncodedTree], _ format: TreeFormat) throws -> [EncodedTree] {
        switch order {
        case .given: return trees
        case .elements: return try sorted(trees.map { [$0] }, format)
        case .pairs:
            let starts = stride(from: 0, to: trees.count, by: 2)
            return try sorted(starts.map { Array(trees[$0..<min($0 + 2, trees.count)]) }, format)
        }
    }

    private func sorted(_ groups: [[EncodedTree]], _ format: TreeFormat) throws -> [EncodedTree] {
        try groups.filter { !$0.isEmpty }
            .map { (bytes: try format.sortingBytes(of: $0[0]), group: $0) }
            .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
            .flatMap(\.group)
    }
}

/// The order of the elements of an array.
enum TreeOrder {
    /// The order in which they were encoded.
    case given
    /// Sorted, because they are the elements of a set.
    case elements
    /// Sorted as pairs of keys and values, because they are the contents of a dictionary.
    case pairs

    init<Value>(of value: Value) {
        if value is any UnorderedElements {
            self = .elements
        } else if value is any UnorderedPairs {
            self = .pairs
        } else {
            self = .given
        }
    }
}

/// A set.
private protocol UnorderedElements {}
/// A dictionary, which encodes itself as alternating keys and values if its keys are not strings or integers.
private protocol UnorderedPairs {}

extension Set: UnorderedElements {}
extension Dictionary: UnorderedPairs {}

/// A tree that a `Codable` value is encoded to.
///
/// It is not generic over the format: a witness of a generic type is never specialized, and takes twice as long.
enum EncodedTree {
    /// A scalar of JSON, or a value that was given as JSON.
    case json(JSONValue)
    /// A scalar of a property list, or a value that was given as a property list.
    case propertyList(PropertyListValue)
    case array([EncodedTree])
    /// Members, each name once.
    case keyed([(name: String, value: EncodedTree)])

    /// The tree as a property list, or nil if part of it is JSON.
    var propertyList: PropertyListValue? {
        switch self {
        case .json: return nil
        case .propertyList(let value): return value
        case .array(let values):
            let lists = values.compactMap(\.propertyList)
            return lists.count == values.count ? .array(lists) : nil
        case .keyed(let members):
            var lists: [String: PropertyListValue] = [:]
            for (name, value) in members { lists[name] = value.propertyList }
            return lists.count == members.count ? .dictionary(lists) : nil
        }
    }

    /// Returns members without those that a later one of the same name replaces.
    static func keyed(lastOf members: [(name: String, value: EncodedTree)]) -> EncodedTree {
        // Texts of ASCII are equal only if their bytes are, and are ordered as their bytes are.
        guard members.allSatisfy({ $0.name.utf8.allSatisfy { $0 < 0x80 } }) else { return .keyed(distinct(members)) }
        let sorted = members.sorted { $0.name < $1.name }
        for index in sorted.indices.dropFirst() where sorted[index].name == sorted[index - 1].name {
            return .keyed(distinct(members))
        }
        return .keyed(sorted)
    }

    private static func distinct(
        _ members: [(name: String, value: EncodedTree)]
    ) -> [(name: String, value: EncodedTree)] {
        var last: [String: EncodedTree] = [:]
        for (name, value) in members { last[name] = value }
        return sortedByUTF8(last).map { (name: $0.key, value: $0.value) }
    }
}
