extension EntityDescription {
    init(reading reader: JSONObjectReader) {
        self.init(
            reader.requiredString("name"),
            parent: reader.string("parent"),
            abstract: reader.flag("abstract"),
            attributes: reader.objects("attributes", keys: JSONKeys.attribute, AttributeDescription.init(reading:)),
            composites: reader.objects(
                "composites",
                keys: JSONKeys.composite,
                CompositeDescription.init(reading:)
            ),
            relationships: reader.objects(
                "relationships",
                keys: JSONKeys.relationship,
                RelationshipDescription.init(reading:)
            )
        )
        for group in reader.list("unique") {
            guard case .list(let names) = group else {
                reader.fault("“unique” must be a list of lists of names")
                continue
            }
            uniqueness.append(names.map { if case .string(let name) = $0 { name } else { "" } })
        }
        transientRelationships = reader.objects(
            "transientRelationships",
            keys: JSONKeys.transientRelationship,
            TransientRelationship.init(reading:)
        )
        indexes = reader.list("indexes").enumerated()
            .map { position, tree in
                guard case .list(let keys) = tree else {
                    reader.fault("“indexes” must be a list of lists")
                    return []
                }
                return SortKey.list(keys, "indexes[\(position)]", in: reader)
            }
        projections = reader.objects("projections", keys: JSONKeys.compound, CompoundProjection.init(reading:))
        authenticatesRows = reader.flag("authenticatesRows")
        isShared = reader.flag("shared")
        renamedFrom = FormerNames(reading: reader)
        addedIn = reader.integer("addedIn")
        userInfo = reader.strings("userInfo")
    }

    var tree: JSONTree {
        var members = Members()
        members.add("name", name)
        members.add("parent", parent)
        members.add("abstract", isAbstract)
        members.tree["renamedFrom"] = renamedFrom.tree
        members.add("addedIn", addedIn)
        members.add("attributes", attributes.map(\.tree))
        members.add("composites", composites.map(\.tree))
        members.add("relationships", relationships.map(\.tree))
        members.add("unique", uniqueness.map { .list($0.map(JSONTree.string)) })
        members.add("transientRelationships", transientRelationships.map(\.tree))
        members.add("indexes", indexes.map { .list($0.map(\.tree)) })
        members.add("projections", projections.map(\.tree))
        members.add("authenticatesRows", authenticatesRows)
        members.add("shared", isShared)
        members.add("userInfo", userInfo)
        return .object(members.tree)
    }
}

extension CompositeDescription {
    init(reading reader: JSONObjectReader) {
        self.init(
            reader.requiredString("name"),
            optional: reader.flag("optional"),
            parts: reader.objects("parts", keys: JSONKeys.attribute, AttributeDescription.init(reading:))
        )
        renamedFrom = FormerNames(reading: reader)
        addedIn = reader.integer("addedIn")
    }

    var tree: JSONTree {
        var members = Members()
        members.add("name", name)
        members.add("optional", isOptional)
        members.add("parts", parts.map(\.tree))
        members.tree["renamedFrom"] = renamedFrom.tree
        members.add("addedIn", addedIn)
        return .object(members.tree)
    }
}

extension RelationshipDescription {
    init(reading reader: JSONObjectReader) {
        self.init(reader.requiredString("name"), to: reader.requiredString("to"))
        isToMany = reader.flag("many")
        isOrdered = reader.flag("ordered")
        isOptional = reader.flag("optional", default: true)
        inverse = reader.string("inverse")
        deleteRule = reader.word(reader.key("deleteRule", or: "onDelete")) ?? .nullify
        minimumCount = reader.integer(reader.key("minimumCount", or: "minimum"))
        maximumCount = reader.integer(reader.key("maximumCount", or: "maximum"))
        renamedFrom = FormerNames(reading: reader)
        addedIn = reader.integer("addedIn")
        userInfo = reader.strings("userInfo")
    }

    var tree: JSONTree {
        var members = Members()
        members.add("name", name)
        members.add("to", destination)
        members.add("many", isToMany)
        members.add("ordered", isOrdered)
        members.add("optional", isOptional, unless: true)
        members.add("inverse", inverse)
        members.add("deleteRule", deleteRule == .nullify ? nil : deleteRule.rawValue)
        members.add("minimumCount", minimumCount)
        members.add("maximumCount", maximumCount)
        members.tree["renamedFrom"] = renamedFrom.tree
        members.add("addedIn", addedIn)
        members.add("userInfo", userInfo)
        return .object(members.tree)
    }
}

extension SortKey {
    /// Reads a list of names, and of objects with a name and a direction.
    static func list(_ list: [JSONTree], _ key: String, in reader: JSONObjectReader) -> [Self] {
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
    init?(reading reader: JSONObjectReader) {
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
    init(reading reader: JSONObjectReader) {
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
    init(reading reader: JSONObjectReader) {
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
