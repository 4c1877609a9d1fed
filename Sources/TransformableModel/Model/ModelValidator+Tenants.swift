extension ModelValidator {
    /// Checks what an entity declares about tenants, and that no object can refer to one of another tenant.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - lineage: The entity and the entities that it inherits from, topmost first.
    mutating func validateTenancy(of entity: EntityDescription, _ lineage: [EntityDescription]) {
        guard hasTenants else {
            if entity.isShared { add("\(entity.name) is shared, but the model has no tenants") }
            return
        }
        let isShared = lineage.contains(where: \.isShared)
        if isShared, let parent = lineage.dropLast().last, !lineage.dropLast().contains(where: \.isShared) {
            add("\(entity.name) is shared, but its parent \(parent.name) is not")
        }
        if !isShared, entity.authenticatesRows {
            add("\(entity.name) authenticates its rows, which only shared entities of a model with tenants can do")
        }
        for relationship in entity.relationships {
            guard let destination = byName[relationship.destination] else { continue }
            let isDestinationShared = chain(of: destination).contains(where: \.isShared)
            guard let fault = relationship.tenancyFault(from: isShared, to: isDestinationShared) else { continue }
            add("\(entity.name).\(relationship.name) \(fault)")
        }
    }
}

extension RelationshipDescription {
    /// Returns what is wrong with a relationship between entities one of which is shared.
    fileprivate func tenancyFault(from isShared: Bool, to isDestinationShared: Bool) -> String? {
        switch (isShared, isDestinationShared) {
        case (true, false):
            return "leads from a shared entity to \(destination), whose objects belong to tenants"
        case (false, true) where isToMany:
            return "leads to several objects of the shared entity \(destination): use an entity for the pairs"
        case (false, true) where deleteRule == .cascade:
            return "would delete objects of the shared entity \(destination) along with those of a tenant"
        default:
            return nil
        }
    }
}
