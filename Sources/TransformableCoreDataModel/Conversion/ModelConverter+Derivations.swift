internal import TransformableModel

extension ModelConverter {
    /// Converts a derived attribute whose expression has a counterpart.
    mutating func derive(
        _ result: inout AttributeDescription,
        from attribute: CoreDataAttribute,
        of entity: CoreDataEntity,
        place: CoreDataNote
    ) {
        guard let derivation = attribute.derivation else { return }
        guard derivation.predicate == nil, let converted = Derivation(derivation.expression),
            fits(converted, result, chain(of: entity.name))
        else {
            let text = [derivation.expression, derivation.predicate].compactMap(\.self).joined(separator: " where ")
            result.userInfo[Key.derivation] = text
            note("the derivation “\(text)” cannot be converted, so this became a plain attribute", place)
            return
        }
        result.derivation = converted
        result.defaultValue = nil
        if case .count = converted {
            // It is counted whenever it is read, and has no column.
            (result.isTransient, result.isOptional, result.isIndexed) = (true, true, false)
            result.validation = .none
        } else if converted.sourceAttribute.map({ isOptional($0, entity) }) == true, !result.isOptional {
            note("became optional, because it is derived from an optional attribute", place, isLoss: false)
            result.isOptional = true
        }
    }

    private func fits(
        _ derivation: Derivation,
        _ attribute: AttributeDescription,
        _ lineage: [String]
    ) -> Bool {
        switch derivation {
        case .count(let name):
            let relationship = self.relationship(name, in: lineage)
            let isStored = relationship.map { $0.isToMany && !$0.isTransient && hasEntity($0.destination) } == true
            return isStored && attribute.type.integers != nil && !attribute.isTransient
        case .dateOfChange:
            return attribute.type == .date && !attribute.isTransient
        case .lowercased(let name), .uppercased(let name), .folded(let name):
            let source = self.attribute(name, in: lineage)
            let isPlain = source.map { $0.type == .string && !$0.isTransient && $0.derivation == nil } == true
            return isPlain && attribute.type == .string && !attribute.isTransient
        }
    }

    private func isOptional(_ name: String, _ entity: CoreDataEntity) -> Bool {
        self.attribute(name, in: chain(of: entity.name))?.isOptional == true
    }
}
