internal import TransformableModel

extension ModelConverter {
    /// Returns the relationships of each entity.
    mutating func convertedRelationships() -> [String: [RelationshipDescription]] {
        var result: [String: [RelationshipDescription]] = [:]
        for entity in source.entities {
            for relationship in entity.relationships {
                let place = CoreDataNote(entity: entity.name, property: relationship.name, "")
                guard let converted = convert(relationship, of: entity, place: place) else { continue }
                result[entity.name, default: []].append(converted)
            }
        }
        return result
    }

    /// Returns the relationships of an entity that are kept only in memory.
    mutating func convertedTransientRelationships(of entity: CoreDataEntity) -> [TransientRelationship] {
        var result: [TransientRelationship] = []
        for relationship in entity.relationships where relationship.isTransient {
            let place = CoreDataNote(entity: entity.name, property: relationship.name, "")
            guard hasEntity(relationship.destination) else {
                note("was dropped, because its destination “\(relationship.destination)” is not in the model", place)
                continue
            }
            let name = relationship.name
            var converted = TransientRelationship(name, to: relationship.destination, many: relationship.isToMany)
            converted.userInfo = relationship.userInfo
            keepModifier(relationship.versionHashModifier, in: &converted.userInfo, place)
            if let inverse = relationship.inverse {
                note("is transient, so the program has to set the inverse “\(inverse)”", place)
            }
            result.append(converted)
        }
        return result
    }

    private mutating func convert(
        _ relationship: CoreDataRelationship,
        of entity: CoreDataEntity,
        place: CoreDataNote
    ) -> RelationshipDescription? {
        guard !relationship.isTransient else { return nil }
        guard hasEntity(relationship.destination) else {
            note("was dropped, because its destination “\(relationship.destination)” is not in the model", place)
            return nil
        }
        var result =
            relationship.isToMany
            ? RelationshipDescription.toMany(
                relationship.name,
                relationship.destination,
                ordered: relationship.isOrdered
            )
            : .toOne(relationship.name, relationship.destination, optional: relationship.isOptional)
        if relationship.isToMany { convertCounts(of: relationship, into: &result, place: place) }
        result.deleteRule = relationship.deleteRule.converted
        result.inverse = inverse(of: relationship, entity, place: place)
        result.renamedFrom = formerNames(relationship.renamingIdentifier)
        result.userInfo = relationship.userInfo
        keepModifier(relationship.versionHashModifier, in: &result.userInfo, place)
        if relationship.isSyncable == false { result.userInfo[Key.syncable] = "NO" }
        return result
    }

    private mutating func convertCounts(
        of relationship: CoreDataRelationship,
        into result: inout RelationshipDescription,
        place: CoreDataNote
    ) {
        let minimum = relationship.minimumCount
        if !relationship.isOptional {
            result.minimumCount = max(1, minimum)
        } else if minimum > 1 {
            note("dropped the minimum count \(minimum), because the relationship is optional", place)
        }
        if relationship.maximumCount > 0 {
            result.maximumCount = max(relationship.maximumCount, result.minimumCount ?? 0)
        }
    }

    /// Returns the inverse if both sides agree on it.
    private mutating func inverse(
        of relationship: CoreDataRelationship,
        _ entity: CoreDataEntity,
        place: CoreDataNote
    ) -> String? {
        guard let name = relationship.inverse else { return nil }
        let destination = relationship.destination
        let lineage = chain(of: destination)
        guard let owner = declarer(ofRelationship: name, in: lineage), let back = self.relationship(name, in: lineage),
            !back.isTransient
        else {
            note("dropped the inverse “\(name)”, because “\(destination)” does not have it", place)
            return nil
        }
        if let claimed = back.inverse, claimed != relationship.name {
            note("dropped the inverse “\(name)”, because its own inverse is “\(claimed)”", place)
            return nil
        }
        // All objects that the inverse can refer to must have the relationship, and a relationship that is its own inverse
        // must lead to all objects that have it.
        let isItself = name == relationship.name && owner == entity.name
        guard chain(of: back.destination).contains(entity.name), !isItself || destination == entity.name else {
            note("dropped the inverse “\(name)”, because its destination is “\(back.destination)”", place)
            return nil
        }
        if back.inverse == nil {
            guard claims.insert("\(owner).\(name)").inserted else {
                note("dropped the inverse “\(name)”, because another relationship has it already", place)
                return nil
            }
            note("“\(name)” states no inverse, so this became its inverse", place)
        }
        return name
    }
}

extension CoreDataDeleteRule {
    fileprivate var converted: DeleteRule {
        switch self {
        case .noAction: .noAction
        case .nullify: .nullify
        case .cascade: .cascade
        case .deny: .deny
        }
    }
}
