/// Attributes that a merge takes from the same context, because they form a value only together.
struct MergedGroup {
    /// The name of the relationship, or `nil` for a composite, whose parts have names of their own.
    let relationship: String?
    /// The columns of the reference, or the parts of the composite.
    let attributes: [StoredAttribute]
    /// The object's position in the inverse relationship, which means nothing without the reference.
    var position: StoredAttribute?

    var all: [StoredAttribute] { attributes + [position].compactMap(\.self) }

    func contains(_ attribute: StoredAttribute) -> Bool { all.contains { $0 === attribute } }
}

extension StoredEntity {
    /// The attributes that a merge takes from the same context.
    var mergedGroups: [MergedGroup] {
        let references = relationships.filter(\.hasColumn)
            .map { relationship in
                MergedGroup(
                    relationship: relationship.name,
                    attributes: relationship.columns.map { attributes[$0] },
                    position: relationship.position.map { attributes[$0] }
                )
            }
        let values = composites.map { composite in
            MergedGroup(relationship: nil, attributes: composite.attributes.compactMap { attributeIfAny($0.name) })
        }
        return references + values
    }

    /// Returns the names under which a conflict lists what a context has changed: attributes and relationships.
    ///
    /// - Parameters:
    ///   - changed: The changed attributes.
    ///   - others: The attributes that the other context has changed. A position is not listed if they include the
    ///     reference, because it is a position among other objects then.
    /// - Returns: The names.
    func mergedNames(of changed: [StoredAttribute], besides others: [StoredAttribute]) -> [String] {
        let groups = mergedGroups
        var names: [String] = []
        for attribute in changed {
            let group = groups.first { $0.contains(attribute) }
            if let group, attribute === group.position, group.attributes.contains(where: others.contains) { continue }
            let name = group?.relationship ?? attribute.name
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Returns the names under which observers and hooks learn of changed attributes, each one once.
    ///
    /// A relationship that leads to a family has a column for each of its entities, and is reported by its own name.
    func reportedNames(of changed: [StoredAttribute]) -> [String] {
        let relationships = relationships.filter { $0.hasColumn && $0.leadsToFamily }
        var names: [String] = []
        for attribute in changed {
            let name = relationships.first { $0.columns.contains(attribute.index) }?.name ?? attribute.name
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Returns the attributes that a merge takes along with those of a name.
    ///
    /// - Throws: `StoreError` with the code `unknown-attribute` if there is no such attribute or relationship.
    func merged(with name: String) throws(StoreError) -> [StoredAttribute] {
        if let group = mergedGroups.first(where: { $0.relationship == name }) { return group.all }
        let attribute = try attribute(name)
        return mergedGroups.first { $0.contains(attribute) }?.all ?? [attribute]
    }
}

extension [StoredAttribute] {
    fileprivate func contains(_ attribute: StoredAttribute) -> Bool { contains { $0 === attribute } }
}
