/// Paths through relationships to objects of several entities.
extension ConditionBinder {
    /// Returns the relationship that a path begins with and the rest of the path, or `nil` if the path does not begin
    /// with one.
    ///
    /// For a relationship to several entities, `owner.Dog` leads to the objects of `Dog`, unless the entities have a
    /// member with this name.
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

    /// Throws an error if a comparison with a number would mean an object of each destination entity.
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
            "it leads to objects of several entities (\(kinds)), each with its own numbers; compare “\(path)” instead",
            attribute: relationship.name
        )
    }
}
