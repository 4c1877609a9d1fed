extension ModelValidator {
    /// Checks a relationship and its inverse.
    mutating func validate(_ relationship: RelationshipDescription, of entity: EntityDescription) {
        let name = "\(entity.name).\(relationship.name)"
        guard let destination = byName[relationship.destination] else {
            add("\(name) has the destination “\(relationship.destination)”, which is not in the model")
            return
        }
        if relationship.isOrdered, !relationship.isToMany {
            add("\(name) is ordered, but is a to-one relationship")
        }
        if !relationship.isToMany, relationship.minimumCount != nil || relationship.maximumCount != nil {
            add("\(name) has counts, but is a to-one relationship")
        }
        if relationship.isToMany, !relationship.isOptional {
            add("\(name) is not optional, but is a to-many relationship: set a minimum count instead")
        }
        let least = relationship.minimumCount ?? 0
        if least < 0 || (relationship.maximumCount ?? .max) < least {
            add("\(name) has an empty range of counts")
        }
        guard let inverse = relationship.inverse else { return }
        guard let back = relationships(of: destination).first(where: { $0.name == inverse }) else {
            add("\(name) has an inverse “\(inverse)” that \(destination.name) does not have")
            return
        }
        if let claimed = back.inverse, claimed != relationship.name {
            add("\(name) has the inverse \(destination.name).\(inverse), whose own inverse is “\(claimed)”")
        }
        if !isRelated(entity.name, back.destination) {
            add("\(name) has the inverse \(destination.name).\(inverse), whose destination is \(back.destination)")
        }
    }

    private func chain(of entity: EntityDescription) -> [EntityDescription] {
        var chain = [entity]
        while let parent = chain.last?.parent.flatMap({ byName[$0] }), !chain.contains(parent) {
            chain.append(parent)
        }
        return chain
    }

    private func relationships(of entity: EntityDescription) -> [RelationshipDescription] {
        chain(of: entity).flatMap(\.relationships)
    }

    private func isRelated(_ name: String, _ other: String) -> Bool {
        guard let left = byName[name], let right = byName[other] else { return true }
        return chain(of: left).contains { $0.name == other } || chain(of: right).contains { $0.name == name }
    }

    /// Checks a group of attributes that must be unique together.
    mutating func validate(
        _ group: [String],
        among attributes: [AttributeDescription],
        _ relationships: [RelationshipDescription],
        of entity: String
    ) {
        let list = group.joined(separator: ", ")
        if group.isEmpty || Set(group).count != group.count {
            add("\(entity) has a unique group (\(list)) that is empty or contains a name twice")
        }
        for name in group {
            if let attribute = attributes.first(where: { $0.name == name }) {
                let isFile = attribute.externalThreshold != nil
                if attribute.isTransient || attribute.type == .transformed || isFile {
                    add("\(entity) has a unique group with “\(name)”, whose bytes cannot be compared")
                }
            } else if !relationships.contains(where: { $0.name == name && !$0.isToMany }),
                !attributes.contains(where: { $0.projections.contains { $0.name == name } })
            {
                add("\(entity) has a unique group with “\(name)”, which it does not have")
            }
        }
    }

    /// Checks an index over several columns.
    mutating func validate(
        _ index: [SortKey],
        among attributes: [AttributeDescription],
        _ relationships: [RelationshipDescription],
        _ projections: [String],
        of entity: String
    ) {
        let list = index.map(\.name).joined(separator: ", ")
        if index.isEmpty || Set(index.map(\.name)).count != index.count {
            add("\(entity) has an index (\(list)) that is empty or contains a name twice")
        }
        let computed = Set(projections + attributes.flatMap(\.projections).map(\.name))
        for name in index.map(\.name) where !computed.contains(name) {
            if let attribute = attributes.first(where: { $0.name == name }) {
                let isFile = attribute.externalThreshold != nil
                guard attribute.isTransient || attribute.type == .transformed || isFile else { continue }
                add("\(entity) has an index with “\(name)”, whose bytes have no order: use a projection")
            } else if !relationships.contains(where: { $0.name == name && !$0.isToMany }) {
                add("\(entity) has an index with “\(name)”, which is not an attribute or to-one relationship of it")
            }
        }
    }

    /// Checks how an attribute is derived.
    mutating func validate(
        _ derivation: Derivation,
        of attribute: AttributeDescription,
        among attributes: [AttributeDescription],
        _ relationships: [RelationshipDescription],
        of entity: String
    ) {
        let name = "\(entity).\(attribute.name)"
        if let fault = derivation.fault(of: attribute.type) { add("\(name) \(fault)") }
        if attribute.defaultValue != nil { add("\(name) is derived, so it cannot have a default") }
        if !attribute.projections.isEmpty {
            add("\(name) is derived, so it cannot have projections: project its source")
        }
        if case .count(let relationship) = derivation {
            if !attribute.isTransient { add("\(name) is a count, so it must be transient") }
            if !relationships.contains(where: { $0.name == relationship && $0.isToMany }) {
                add("\(name) counts “\(relationship)”, which is not a to-many relationship of \(entity)")
            }
        } else if attribute.isTransient {
            add("\(name) is derived and stored, so it cannot be transient")
        }
        guard let source = derivation.sourceAttribute else { return }
        guard let source = attributes.first(where: { $0.name == source }), source.type == .string,
            !source.isTransient, source.derivation == nil
        else {
            return add("\(name) is derived from “\(source)”, which is not a plain text attribute of \(entity)")
        }
        if source.isOptional, !attribute.isOptional {
            add("\(name) is not optional, but is derived from \(source.name), which is")
        }
    }

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
            return "refers from a shared entity to \(destination), whose objects belong to tenants"
        case (false, true) where isToMany:
            return "refers to several objects of the shared entity \(destination): use an entity for the pairs"
        case (false, true) where deleteRule == .cascade:
            return "would delete objects of the shared entity \(destination) along with those of a tenant"
        default:
            return nil
        }
    }
}
