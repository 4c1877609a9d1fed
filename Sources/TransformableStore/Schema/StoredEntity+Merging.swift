/// Attributes that a merge takes from the same context, because only together are they a value.
struct MergedGroup {
    /// The name of the relationship, or `nil` for a composite, whose parts have names of their own.
    let relationship: String?
    let attributes: [StoredAttribute]
}

extension StoredEntity {
    /// The attributes that a merge takes from the same context: the columns of a relationship and an object's position in
    /// it, and the parts of a composite.
    var mergedGroups: [MergedGroup] {
        let links = relationships.filter(\.hasColumn)
            .map { relationship in
                let indexes = relationship.columns + [relationship.position].compactMap(\.self)
                return MergedGroup(relationship: relationship.name, attributes: indexes.map { attributes[$0] })
            }
        let values = composites.map { composite in
            MergedGroup(relationship: nil, attributes: composite.attributes.compactMap { attributeIfAny($0.name) })
        }
        return links + values
    }

    /// Returns the names under which a conflict lists attributes: for the columns of a relationship, that of the
    /// relationship.
    func mergedNames(of attributes: [StoredAttribute]) -> [String] {
        let groups = mergedGroups
        var names: [String] = []
        for attribute in attributes {
            let group = groups.first { $0.attributes.contains { $0 === attribute } }
            let name = group?.relationship ?? attribute.name
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Returns the attributes that a merge takes along with those of a name.
    ///
    /// - Throws: `StoreError` with the code `unknown-attribute` if there is no such attribute or relationship.
    func merged(with name: String) throws(StoreError) -> [StoredAttribute] {
        if let group = mergedGroups.first(where: { $0.relationship == name }) { return group.attributes }
        let attribute = try attribute(name)
        return mergedGroups.first { $0.attributes.contains { $0 === attribute } }?.attributes ?? [attribute]
    }
}
