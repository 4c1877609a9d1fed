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
