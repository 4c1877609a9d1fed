extension ModelValidator {
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
}
