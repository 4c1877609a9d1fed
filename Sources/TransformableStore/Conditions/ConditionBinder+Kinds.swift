/// Paths through relationships that lead to objects of several entities.
extension ConditionBinder {
    /// The relationship that a path begins with, and the rest of the path; nil if it begins with none.
    ///
    /// Of a relationship to several entities `owner.Dog` is what leads to objects of `Dog`, unless something
    /// of theirs has this name.
    func step(
        _ path: ArraySlice<String>,
        from entity: StoredEntity
    ) -> (relationship: StoredRelationship, rest: ArraySlice<String>)? {
        guard let name = path.first, let relationship = entity.relationships.first(where: { $0.name == name }) else {
            return nil
        }
        let rest = path.dropFirst()
        guard let kind = rest.first, let narrowed = relationship.narrowed(to: kind),
            let destination = try? schema.entity(kind), !destination.has(kind)
        else { return (relationship, rest) }
        return (narrowed, rest.dropFirst())
    }

    /// Refuses a number where it would mean an object of each entity that a relationship leads to.
    func requireObjects(_ comparison: Condition.Comparison, _ relationship: StoredRelationship) throws(StoreError) {
        guard relationship.leadsToFamily, let example = relationship.parts.last?.destination else { return }
        let isObjects = comparison.operands.allSatisfy { operand in
            switch operand {
            case .value(let value): value is ObjectID
            case .literal(let literal): literal == .null
            case .term: true
            }
        }
        guard !isObjects else { return }
        let kinds = relationship.parts.map(\.destination).joined(separator: ", ")
        let path = "\(relationship.name).\(example)"
        throw StoreError(
            .invalidCondition,
            "it leads to objects of several entities (\(kinds)), each with numbers of its own; compare “\(path)”, say",
            attribute: relationship.name
        )
    }
}
