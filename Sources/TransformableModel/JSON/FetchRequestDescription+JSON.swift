extension SortKey {
    /// Reads a list of names, and of objects with a name and a direction.
    static func list(_ list: [JSONTree], _ key: String, in reader: JSONReader) -> [Self] {
        list.enumerated()
            .compactMap { index, tree in
                if case .string(let name) = tree { return .ascending(name) }
                return reader.element(index, of: key, tree, keys: JSONKeys.sortKey) { reader in
                    Self(name: reader.requiredString("name"), isDescending: reader.flag("descending"))
                }
            }
    }

    var tree: JSONTree {
        isDescending ? .object(["name": .string(name), "descending": .boolean(true)]) : .string(name)
    }
}

extension Derivation {
    init?(reading reader: JSONReader) {
        guard let text = reader.string("derived") else { return nil }
        guard let derivation = Self(text) else {
            reader.fault(
                "“derived” must be “RELATIONSHIP.@count”, “now()”, or “lowercase:(NAME)”, and so on with “uppercase” and "
                    + "“canonical”"
            )
            return nil
        }
        self = derivation
    }
}

extension FetchRequestDescription {
    init(reading reader: JSONReader) {
        self.init(
            reader.requiredString("name"),
            of: reader.requiredString("entity"),
            where: reader.string("where") ?? "true",
            sortedBy: SortKey.list(reader.list("sortedBy"), "sortedBy", in: reader),
            limit: reader.integer("limit"),
            offset: reader.integer("offset") ?? 0
        )
        userInfo = reader.strings("userInfo")
    }

    var tree: JSONTree {
        var members = Members()
        members.add("name", name)
        members.add("entity", entity)
        members.add("where", condition == "true" ? nil : condition)
        members.add("sortedBy", order.map(\.tree))
        members.add("limit", limit)
        members.add("offset", offset == 0 ? nil : offset)
        members.add("userInfo", userInfo)
        return .object(members.tree)
    }
}

extension TransientRelationship {
    init(reading reader: JSONReader) {
        self.init(reader.requiredString("name"), to: reader.requiredString("to"), many: reader.flag("many"))
        userInfo = reader.strings("userInfo")
    }

    var tree: JSONTree {
        var members = Members()
        members.add("name", name)
        members.add("to", destination)
        members.add("many", isToMany)
        members.add("userInfo", userInfo)
        return .object(members.tree)
    }
}
