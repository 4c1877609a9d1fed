/// Paths to objects of several entities.
extension ConditionBinder {
    /// Returns the relationship that a path begins with and the rest of the path, or `nil` if the path does not begin
    /// with one.
    ///
    /// For a relationship to several entities, `owner.Dog` leads to the objects of `Dog`, unless the entities have a
    /// member with this name. If `Dog` has children, its name is a cast in the rest of the path.
    func step(
        _ path: ArraySlice<String>,
        from entity: StoredEntity
    ) -> (relationship: StoredRelationship, rest: ArraySlice<String>)? {
        guard let name = path.first, let relationship = entity.relationships.first(where: { $0.name == name }) else {
            return nil
        }
        let rest = path.dropFirst()
        guard let kind = rest.first, !schema.hasChildren(kind), let narrowed = relationship.narrowed(to: kind),
            let destination = try? schema.entity(kind), !destination.has(kind)
        else { return (relationship, rest) }
        return (narrowed, rest.dropFirst())
    }

    /// Returns a path without the casts that it begins with, or `nil` if an object of the entity cannot be cast so.
    func narrowed(_ path: ArraySlice<String>, in entity: StoredEntity) -> ArraySlice<String>? {
        schema.narrowed(path, in: entity)
    }

    /// Throws an error if a comparison with a number would mean an object of each child of a cast's entity.
    func requireObjects(_ comparison: Condition.Comparison, cast: String) throws(StoreError) {
        let kind = Term.Path.cast(cast) ?? cast
        guard schema.hasChildren(kind), !comparison.isWithObjects else { return }
        throw StoreError(
            .invalidCondition,
            "the objects of “\(kind)” and its children have numbers of their own; compare with an object's id instead",
            entity: kind
        )
    }

    /// Throws an error if a comparison with a number would mean an object of each destination entity.
    func requireObjects(_ comparison: Condition.Comparison, _ relationship: StoredRelationship) throws(StoreError) {
        guard relationship.leadsToFamily, let example = relationship.parts.last?.destination else { return }
        guard !comparison.isWithObjects else { return }
        let kinds = relationship.parts.map(\.destination).joined(separator: ", ")
        let path = "\(relationship.name).\(example)"
        throw StoreError(
            .invalidCondition,
            "it refers to objects of several entities (\(kinds)), each with its own numbers; compare “\(path)” instead",
            attribute: relationship.name
        )
    }
}

extension ConditionBinder {
    /// Throws an error if a term on the right side is a name that is unknown, because it may be text without quotes.
    func requireKnownNames(in comparison: Condition.Comparison) throws(StoreError) {
        for case .term(.path(let path)) in comparison.operands where path.scope == nil {
            guard let names = narrowed(path.names[...], in: scope.entity), let name = names.first, name != "_id",
                !scope.entity.has(name), !scope.entity.keepsInMemory(name)
            else { continue }
            let text = names.joined(separator: ".")
            let advice = "; if you mean the text “\(text)”, write it in quotes: \"\(text)\""
            throw scope.entity.unknownAttribute(text, advice)
        }
    }
}

extension Condition.Comparison {
    /// Whether it compares with objects or null, not with numbers.
    fileprivate var isWithObjects: Bool {
        operands.allSatisfy { operand in
            switch operand {
            case .held(let value): value.objectID != nil
            case .literal(let literal): literal == .null
            case .term: true
            }
        }
    }
}

extension StoreSchema {
    func hasChildren(_ name: String) -> Bool { model.hasChildren(name) }

    /// Returns a path without the casts that it begins with, or `nil` if an object of the entity cannot be cast so.
    ///
    /// In the text of a condition, a cast is the name of an entity of the same family, as in `Dog.breed`, unless the
    /// object's entity has a member with this name.
    func narrowed(_ path: ArraySlice<String>, in entity: StoredEntity) -> ArraySlice<String>? {
        var path = path
        while let name = path.first, let kind = Term.Path.cast(name) ?? kind(name, in: entity) {
            guard model.lineage(of: entity.description).contains(where: { $0.name == kind }) else { return nil }
            path = path.dropFirst()
        }
        return path
    }

    /// Returns a name if it is that of an entity in the family of the given entity.
    private func kind(_ name: String, in entity: StoredEntity) -> String? {
        guard name != "_id", !entity.has(name), let other = model.entity(name),
            model.lineage(of: other).first?.name == model.lineage(of: entity.description).first?.name
        else { return nil }
        return name
    }
}
