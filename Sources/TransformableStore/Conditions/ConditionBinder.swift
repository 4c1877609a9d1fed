/// Resolves the names of a condition in an entity, and converts its values to the attributes' types.
///
/// What the engine can answer becomes SQL, and the rest is checked in Swift.
///
/// A condition that cannot be expressed, or that would filter incorrectly, is an error that names the part.
struct ConditionBinder {
    let context: StoreContext
    /// The innermost scope.
    private(set) var scope: Scope
    private var named: [Int: Scope] = [:]
    private var depth = 0
    private let limits = ConditionLimits()

    init(entity: StoredEntity, in context: StoreContext) {
        self.context = context
        scope = Scope(entity)
    }

    var schema: StoreSchema { context.schema }
    var dialect: Dialect { context.store.engine.dialect }

    /// Returns a binder for a nested scope.
    func entering(_ scope: Scope) -> Self {
        var copy = self
        copy.scope = scope
        return copy
    }

    /// Returns a binder for a part of a condition or term.
    func deeper() throws(StoreError) -> Self {
        var copy = self
        copy.depth += 1
        guard copy.depth <= ConditionLimits.depth else {
            throw StoreError(.limitExceeded, "the condition is nested deeper than \(ConditionLimits.depth) levels")
        }
        return copy
    }

    func bind(_ node: Condition.Node) throws -> BoundCondition {
        let condition = try deeper().unwrap(node)
        try ConditionLimits.check(condition)
        return condition
    }

    private func unwrap(_ node: Condition.Node) throws -> BoundCondition {
        switch node {
        case .constant(let flag): return .constant(flag)
        case .not(let inner): return try bind(inner).negated
        case .and(let nodes): return .and(try nodes.map(bind) + CompoundLookup(binder: self).tests(for: nodes))
        case .or(let nodes): return .or(try nodes.map(bind))
        case .named(let name, let inner):
            var copy = self
            copy.named[name] = scope
            return try copy.bind(inner)
        case .about(let name, let inner):
            try requireKind(name)
            return try bind(inner)
        case .refused(let failure): throw failure
        case .comparison(let term, let comparison, let options): return try bind(term, comparison, options)
        case .quantified(let quantifier, let path, let comparison, let options):
            return try quantified(quantifier, path.names[...], from: start(path)) { binder, relationship, rest in
                guard binder.narrowed(rest, in: binder.scope.entity) != nil else { return .ignored }
                if rest.isEmpty { try binder.requireObjects(comparison, relationship) }
                return try binder.bind(.path(Term.Path(rest.isEmpty ? ["_id"] : Array(rest))), comparison, options)
            }
        case .related(let quantifier, let path, let inner):
            return try quantified(quantifier, path.names[...], from: start(path)) { binder, _, rest in
                try binder.bind(inner, at: rest)
            }
        }
    }

    private func requireKind(_ name: String) throws(StoreError) {
        guard !schema.model.lineage(of: scope.entity.description).contains(where: { $0.name == name }) else { return }
        throw StoreError(
            .invalidCondition,
            "the condition is for objects of \(name), but these are objects of \(scope.entity.name)",
            entity: scope.entity.name
        )
    }

    /// Returns the scope that a path starts from.
    func start(_ path: Term.Path) throws(StoreError) -> Scope {
        try ConditionLimits.check(path: path.names)
        guard let name = path.scope else { return scope }
        guard let scope = named[name] else {
            throw StoreError(.unsupported, "the condition refers to an object that is not in scope")
        }
        return scope
    }

    /// Returns the joins to a relationship's objects, one for each destination entity.
    func joins(_ relationship: StoredRelationship, of owner: Scope) throws -> [RelationshipJoin] {
        try limits.add(joins: relationship.parts.count)
        let joins = try relationship.parts.map {
            try RelationshipJoin(relationship, to: $0, of: owner, in: scope, schema)
        }
        limits.matches += joins.filter(\.leadsToOne).map { RelatedMatch(join: $0) }
        return joins
    }

    /// The related objects that everything depends on that has been bound.
    var matches: [RelatedMatch] { limits.matches }

    /// Returns a condition that is satisfied if some of a relationship's objects satisfy the given condition.
    private func exists(
        _ relationship: StoredRelationship,
        of owner: Scope,
        _ condition: (Self) throws -> Criterion
    ) throws -> BoundCondition {
        .or(
            try joins(relationship, of: owner)
                .map { join in BoundCondition(try exists(condition(entering(join.scope)), through: join)) }
        )
    }

    /// Returns the condition that a related object passes a test.
    func exists(_ criterion: Criterion, through join: RelationshipJoin) throws -> Criterion {
        if criterion.isExact, !join.leadsToOne {
            limits.matches.append(RelatedMatch(join: join, filter: criterion.filter))
        }
        return try objects(join).exists(criterion)
    }

    func objects(_ join: RelationshipJoin) -> RelatedObjects {
        RelatedObjects(join: join, context: context)
    }

    func refusal(_ name: String, _ owner: Scope, _ message: String) -> StoreError {
        StoreError(.unsupported, message, entity: owner.entity.name, attribute: name)
    }

    var terms: TermBinder { TermBinder(conditions: self) }
}

// MARK: - Comparisons

extension ConditionBinder {
    private func bind(
        _ term: Term,
        _ comparison: Condition.Comparison,
        _ options: TextOptions
    ) throws -> BoundCondition {
        if let others = comparison.listWithoutNull {
            return .or([try bind(term, .within(others), options), try bind(term, .isNull, [])])
        }
        let isConstant = comparison.hasOnlyConstants
        if case .path(let path) = term, isConstant, !path.names.isEmpty {
            return try compare(path.names, from: start(path), comparison, options)
        }
        if case .constant(let operand) = term { return try flipped(operand, comparison, options) }
        if case .truth(let node) = term, case .equal(.literal(.boolean(let flag))) = comparison {
            return flag ? try bind(node) : try bind(node).negated
        }
        try requireKnownNames(in: comparison)
        let subject = try terms.bind(term)
        if subject.kind == .nothing, isConstant { return .constant(comparison.isNull) }
        return try PlainComparison(subject, dialect, bind: terms.bind).bind(comparison, options)
    }

    /// Compares a constant with a term by swapping the sides, so that an index may be used.
    private func flipped(
        _ operand: Operand,
        _ comparison: Condition.Comparison,
        _ options: TextOptions
    ) throws -> BoundCondition {
        // The constant has the type of each attribute, and null is compared with values of any type.
        if case .within(let list) = comparison, operand.isNull || !comparison.hasOnlyConstants {
            return .or(try list.map { try flipped(operand, .equal($0), options) })
        }
        if case .between(let least, let most) = comparison {
            let bounds: [Condition.Comparison] = [.greaterOrEqual(least), .lessOrEqual(most)]
            return .and(try bounds.map { try flipped(operand, $0, options) })
        }
        let others = comparison.operands.map { other in
            if case .term(let term) = other { term } else { Term.constant(other) }
        }
        switch (comparison, others.first) {
        case (.equal(let other), .constant) where operand.isNull: return .constant(other.isNull)
        case (_, .constant), (_, nil): break
        case (.equal, let term?): return try bind(term, .equal(operand), options)
        case (.less, let term?): return try bind(term, .greater(operand), options)
        case (.lessOrEqual, let term?): return try bind(term, .greaterOrEqual(operand), options)
        case (.greater, let term?): return try bind(term, .less(operand), options)
        case (.greaterOrEqual, let term?): return try bind(term, .lessOrEqual(operand), options)
        default: break
        }
        let subject = try terms.bind(.constant(operand))
        return try PlainComparison(subject, dialect, bind: terms.bind).bind(comparison, options)
    }

    /// Compares the value at the end of a path.
    ///
    /// If the path has no object, there is no value.
    private func compare(
        _ names: [String],
        from owner: Scope,
        _ comparison: Condition.Comparison,
        _ options: TextOptions
    ) throws -> BoundCondition {
        if let others = comparison.listWithoutNull {
            return .or([
                try compare(names, from: owner, .within(others), options),
                try compare(names, from: owner, .isNull, []),
            ])
        }
        // A missing object is equal to null and satisfies no other comparison.
        let path = names
        guard let names = narrowed(path[...], in: owner.entity).map(Array.init) else {
            return .constant(comparison.isNull)
        }
        if names.isEmpty, let cast = path.last { try requireObjects(comparison, cast: cast) }
        guard names.count > 1 else { return try compare(names.first ?? "_id", of: owner, comparison, options) }
        if let part = owner.entity.partName(ofPath: names.joined(separator: ".")) {
            return try compare(part, of: owner, comparison, options)
        }
        guard let (relationship, rest) = step(names[...], from: owner.entity) else {
            throw owner.entity.unknownRelationship(names[0])
        }
        guard !rest.isEmpty else { return try compare(relationship, of: owner, comparison, options) }
        guard !relationship.description.isToMany else { throw manyRefusal(relationship, owner) }
        return try compare(Array(rest), through: relationship, of: owner, comparison, options)
    }

    private func compare(
        _ names: [String],
        through relationship: StoredRelationship,
        of owner: Scope,
        _ comparison: Condition.Comparison,
        _ options: TextOptions
    ) throws -> BoundCondition {
        let found = try exists(relationship, of: owner) { inner in
            let found = try inner.compare(names, from: inner.scope, comparison, options)
            return comparison.isNull ? found.fails : found.holds
        }
        return comparison.isNull ? found.negated : found
    }

    private static func leadsNowhere(_ relationship: StoredRelationship, _ owner: Scope) -> BoundCondition {
        .and(
            relationship.parts.compactMap { part in
                guard case .column(let index) = part.storage else { return nil }
                return .isNull(.sql(owner.column(owner.entity.attributes[index].name)))
            }
        )
    }

    private func manyRefusal(_ relationship: StoredRelationship, _ owner: Scope) -> StoreError {
        refusal(
            relationship.name,
            owner,
            "it can have many objects; write “any”, “all”, or “none” before it, or “@count” after it"
        )
    }

    private func compare(
        _ name: String,
        of owner: Scope,
        _ comparison: Condition.Comparison,
        _ options: TextOptions
    ) throws -> BoundCondition {
        if let composite = owner.entity.composite(name) { return try compare(composite, of: owner, comparison) }
        if let relationship = owner.entity.relationships.first(where: { $0.name == name }) {
            return try compare(relationship, of: owner, comparison, options)
        }
        if let attribute = owner.entity.attributeIfAny(name),
            attribute.description.type == .transformed || attribute.isExternal
        {
            if let failure = attribute.failure { throw failure }
            return try TransformedComparison(scope: owner, attribute: attribute, in: context).bind(comparison, options)
        }
        return try compareColumn(name, of: owner, comparison, options)
    }

    private func compareColumn(
        _ name: String,
        of owner: Scope,
        _ comparison: Condition.Comparison,
        _ options: TextOptions
    ) throws -> BoundCondition {
        let subject = try terms.column(name, of: owner)
        let key = { try TextColumn.key(name, of: owner, on: context.database()) }
        return try PlainComparison(column: subject, dialect, key: key, bind: terms.bind)
            .bind(comparison, options)
    }

    /// Compares the object that a relationship leads to.
    private func compare(
        _ relationship: StoredRelationship,
        of owner: Scope,
        _ comparison: Condition.Comparison,
        _ options: TextOptions
    ) throws -> BoundCondition {
        guard !relationship.description.isToMany else { throw manyRefusal(relationship, owner) }
        if comparison.isNull, relationship.hasColumn { return Self.leadsNowhere(relationship, owner) }
        guard !relationship.leadsToFamily, case .column(let index) = relationship.storage else {
            try requireObjects(comparison, relationship)
            return try compare(["_id"], through: relationship, of: owner, comparison, options)
        }
        return try compareColumn(owner.entity.attributes[index].name, of: owner, comparison, options)
    }
}

extension ConditionBinder {
    /// Compares a composite: either all of its parts are equal to those of a value, or it has no value.
    private func compare(
        _ composite: CompositeDescription,
        of owner: Scope,
        _ comparison: Condition.Comparison
    ) throws -> BoundCondition {
        if comparison.isNull {
            guard !composite.isAlwaysPresent else { return .constant(false) }
            return .and(try composite.attributes.map { try compare($0.name, of: owner, .isNull, []) })
        }
        guard case .equal(.held(let value)) = comparison,
            let parts = (value.content as? any CompositeValue)?.partValues,
            Set(parts.keys) == Set(composite.parts.map(\.name))
        else {
            throw refusal(
                composite.name,
                owner,
                "it is a composite: compare its parts, as in “\(composite.name).\(composite.parts.first?.name ?? "")”"
            )
        }
        return .and(
            try parts.sorted { $0.key < $1.key }
                .map { part, value in
                    let comparison = value.map { Condition.Comparison.equal(.value($0)) } ?? .isNull
                    return try compare(composite.attributeName(part), of: owner, comparison, [])
                }
        )
    }
}
