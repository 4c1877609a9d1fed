/// Conditions on the objects of to-many relationships.
extension ConditionBinder {
    /// Returns a condition on the objects at the end of a path, which includes its last to-many relationship.
    func quantified(
        _ quantifier: Condition.Quantifier,
        _ names: ArraySlice<String>,
        from owner: Scope,
        _ condition: (Self, StoredRelationship, ArraySlice<String>) throws -> BoundCondition
    ) throws -> BoundCondition {
        guard let names = narrowed(names, in: owner.entity) else { return .constant(quantifier != .any) }
        guard let (relationship, rest) = step(names, from: owner.entity), leadsToMany(names, from: owner.entity) else {
            throw singleRefusal(names.first, owner)
        }
        let isMany = relationship.description.isToMany
        let passed = isMany && quantifier == .none ? .any : quantifier
        let own = !isMany && quantifier == .none ? .all : quantifier
        let found = try joins(relationship, of: owner)
            .map { join in
                let inner = entering(join.scope)
                let isLast = isMany && !leadsToMany(rest, from: join.scope.entity)
                return try self.quantified(
                    own,
                    join,
                    isLast
                        ? try condition(inner, relationship, rest)
                        : try inner.quantified(passed, rest, from: join.scope, condition)
                )
            }
        return own == .any ? .or(found) : .and(found)
    }

    /// Returns the error for a path without a to-many relationship.
    private func singleRefusal(_ name: String?, _ owner: Scope) -> StoreError {
        guard let name, name != "_id", !owner.entity.has(name) else {
            return refusal(name ?? "", owner, "it can have only one object; leave out “any”, “all”, or “none”")
        }
        return owner.entity.unknownRelationship(name)
    }

    private func quantified(
        _ quantifier: Condition.Quantifier,
        _ join: RelationshipJoin,
        _ condition: BoundCondition
    ) throws -> BoundCondition {
        switch quantifier {
        case .any: BoundCondition(try exists(condition.holds, through: join))
        case .none: BoundCondition(try exists(condition.holds, through: join)).negated
        case .all: BoundCondition(try exists(condition.fails, through: join)).negated
        }
    }

    /// Returns a Boolean value that indicates whether a path includes a to-many relationship.
    private func leadsToMany(_ names: ArraySlice<String>, from entity: StoredEntity) -> Bool {
        // The entities of a family often lead to the same ones, which are followed only once.
        var known: Set<[Int]> = []
        var open = [(names: names, entity: entity)]
        while let next = open.popLast() {
            guard known.insert([next.names.startIndex, next.entity.index]).inserted,
                let names = narrowed(next.names, in: next.entity),
                let (relationship, rest) = step(names, from: next.entity)
            else { continue }
            guard !relationship.description.isToMany else { return true }
            open += relationship.parts.compactMap { part in
                (try? schema.entity(part.destination)).map { (names: rest, entity: $0) }
            }
        }
        return false
    }

    /// Binds a condition on the objects that the rest of a path leads to, after its last to-many relationship.
    ///
    /// Quantifiers ignore an object that leads to none of them.
    func bind(_ node: Condition.Node, at rest: ArraySlice<String>) throws -> BoundCondition {
        guard let names = narrowed(rest, in: scope.entity) else { return .ignored }
        guard let name = names.first else { return try bind(node) }
        guard let (relationship, rest) = step(names, from: scope.entity) else {
            throw scope.entity.unknownRelationship(name)
        }
        let found = try joins(relationship, of: scope)
            .map { join in
                let inner = try entering(join.scope).bind(node, at: rest)
                return (
                    holds: try exists(inner.holds, through: join), fails: try exists(inner.fails, through: join)
                )
            }
        return BoundCondition(holds: .any(found.map(\.holds)), fails: .any(found.map(\.fails)))
    }
}

extension Condition.Comparison {
    /// Whether the comparison is satisfied exactly if there is no value.
    var isNull: Bool {
        switch self {
        case .isNull, .equal(.literal(.null)): true
        default: false
        }
    }

    /// Whether the comparison is with constants, and not with other terms.
    var hasOnlyConstants: Bool {
        operands.allSatisfy { if case .term = $0 { false } else { true } }
    }

    /// The operands of a list other than null, or `nil` if the comparison is not with a list that contains null.
    ///
    /// A missing value or object is equal to null, but not to any of the others, so the two are compared separately.
    var listWithoutNull: [Operand]? {
        guard case .within(let operands) = self, operands.contains(where: \.isNull) else { return nil }
        return operands.filter { !$0.isNull }
    }
}
