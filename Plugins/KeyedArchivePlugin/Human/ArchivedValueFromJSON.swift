internal import Transformable

/// Parses values from JSON with tags.
///
/// A container is created at its end, from the values created since its beginning.
struct ArchivedValueFromJSON {
    /// What a piece of JSON represents.
    ///
    /// Fields of objects can contain things that are not values.
    private enum Node {
        case value(ArchivedValue)
        case inline(ArchivedValue)
        case none
        /// A list in which some members can be the null reference.
        case list([ArchivedValue?])
        case tagged([ArchivedValue?])
        case fields([(name: String, value: ArchivedInstance.FieldValue)])
    }

    private struct Frame {
        /// The index of its first node.
        let start: Int
        /// Whether the members are the fields of an object, which can have any name.
        let holdsFields: Bool
        var names: [String] = []
    }

    private var nodes: [Node] = []
    private var frames: [Frame] = []

    static func value(of tokens: [JSONToken]) throws(TransformerError) -> ArchivedValue {
        var reader = Self()
        for token in tokens {
            try reader.read(token)
        }
        return try reader.value(reader.nodes[0])
    }

    private mutating func read(_ token: JSONToken) throws(TransformerError) {
        switch token {
        case .null: nodes.append(.value(.null))
        case .boolean(let flag): nodes.append(.value(.boolean(flag)))
        case .integer(let number): nodes.append(.value(.integer(number)))
        case .real(let number): nodes.append(.value(.real(number)))
        case .string(let text): nodes.append(.value(.string(text)))
        case .name(let name): frames[frames.count - 1].names.append(name)
        case .beginArray: frames.append(Frame(start: nodes.count, holdsFields: false))
        case .beginObject: frames.append(Frame(start: nodes.count, holdsFields: frames.last?.names.last == "$fields"))
        case .endArray:
            let members = take(frames.removeLast())
            nodes.append(try list(members))
        case .endObject:
            let frame = frames.removeLast()
            nodes.append(try object(frame, take(frame)))
        }
    }

    private mutating func take(_ frame: Frame) -> [Node] {
        let members = Array(nodes[frame.start...])
        nodes.removeSubrange(frame.start...)
        return members
    }

    private func broken(_ tag: String, _ expected: String) -> TransformerError {
        .invalidData("“\(tag)” must be \(expected)")
    }

    private func value(_ node: Node) throws(TransformerError) -> ArchivedValue {
        guard case .value(let value) = node else {
            throw .invalidData("“$inline”, “$nil”, and “$list” are only allowed in the fields of an object")
        }
        return value
    }

    private func values(_ nodes: [Node]) throws(TransformerError) -> [ArchivedValue] {
        try nodes.map { node throws(TransformerError) in try value(node) }
    }

    private func list(_ members: [Node]) throws(TransformerError) -> Node {
        let hasNone = members.contains { node in
            if case .none = node { true } else { false }
        }
        guard hasNone else { return .value(.array(ArchivedArray(try values(members)))) }
        return .list(
            try members.map { member throws(TransformerError) in
                if case .none = member { nil } else { try value(member) }
            }
        )
    }

    private func object(_ frame: Frame, _ members: [Node]) throws(TransformerError) -> Node {
        if frame.holdsFields { return try fields(frame.names, members) }
        guard let tag = frame.names.first(where: { $0.hasPrefix("$") }) else {
            let pairs = zip(frame.names, try values(members)).flatMap { [.string($0), $1] }
            return .value(.dictionary(try dictionary(pairs)))
        }
        if frame.names.contains("$object") { return .value(try instance(frame.names, members)) }
        guard members.count == 1 else {
            throw .invalidData("an object with “\(tag)” must not have other members; see “$dictionary” for such keys")
        }
        switch (tag, members[0]) {
        case ("$nil", _): return .none
        case ("$inline", let node): return .inline(try value(node))
        case ("$list", .list(let members)): return .tagged(members)
        case ("$list", .value(.array(let members))): return .tagged(Array(members))
        case (_, let node): return .value(try tagged(tag, value(node)))
        }
    }

    private func dictionary(_ alternating: [ArchivedValue]) throws(TransformerError) -> ArchivedDictionary {
        guard let dictionary = ArchivedDictionary(alternating: alternating) else {
            throw .invalidData("a dictionary contains a key twice")
        }
        return dictionary
    }

    private func fields(_ names: [String], _ members: [Node]) throws(TransformerError) -> Node {
        guard Set(names).count == names.count else { throw .invalidData("an object has a field twice") }
        var fields: [(name: String, value: ArchivedInstance.FieldValue)] = []
        for (name, member) in zip(names, members) {
            switch member {
            case .value(let value): fields.append((name, .object(value)))
            case .inline(let value): fields.append((name, .inline(value)))
            case .none: fields.append((name, .object(nil)))
            case .tagged(let values): fields.append((name, .objects(values)))
            case .list, .fields: throw .invalidData("the field “\(name)” contains a list; put it into “$list”")
            }
        }
        return .fields(fields)
    }

    private func instance(_ names: [String], _ members: [Node]) throws(TransformerError) -> ArchivedValue {
        var className: String?
        var chain: [String]?
        var fallbacks: [String] = []
        var fields: [(name: String, value: ArchivedInstance.FieldValue)] = []
        for (name, member) in zip(names, members) {
            switch (name, member) {
            case ("$object", .value(.string(let name))): className = name
            case ("$classes", .value(.array(let names))): chain = names.compactMap(\.string)
            case ("$fallbacks", .value(.array(let names))): fallbacks = names.compactMap(\.string)
            case ("$fields", .fields(let members)): fields = members
            default: throw .invalidData("“\(name)” is not a part of an object, or has the wrong contents")
            }
        }
        guard let className else { throw broken("$object", "the name of a class") }
        let archivedClass = ArchivedClass(className, chain: chain, fallbacks: fallbacks)
        return .object(ArchivedInstance(archivedClass, fields: fields))
    }

    private func tagged(_ tag: String, _ value: ArchivedValue) throws(TransformerError) -> ArchivedValue {
        switch tag {
        case "$set", "$orderedSet":
            guard let members = value.array else { throw broken(tag, "a list") }
            return tag == "$set" ? .set(ArchivedSet(members)) : .orderedSet(members)
        case "$dictionary":
            let pairs = value.array?.compactMap { $0.array?.count == 2 ? $0.array : nil }
            guard let pairs, pairs.count == value.array?.count else { throw broken(tag, "a list of pairs") }
            return .dictionary(try dictionary(pairs.flatMap { Array($0) }))
        case "$point", "$size", "$rect", "$edgeInsets", "$uiEdgeInsets", "$transform", "$range":
            return try JSONGeometry.value(tag, value)
        default:
            if let scalar = try JSONScalar.value(tag, value) { return scalar }
            guard let compound = ArchivedValue(tag: tag, plain: value) else {
                throw .invalidData("“\(tag)” is not a valid tag for an archived value, or its contents are invalid")
            }
            return compound
        }
    }
}
