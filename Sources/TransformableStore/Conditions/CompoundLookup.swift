internal import Transformable

/// Finds objects by a compound projection where a condition demands equality of all its parts.
struct CompoundLookup {
    let terms: TermBinder

    private var scope: Scope { terms.conditions.scope }
    private var context: StoreContext { terms.conditions.context }

    /// What narrows the rows down beside the comparisons themselves, which are all verified.
    func conditions(for nodes: [Condition.Node]) throws -> [BoundCondition] {
        guard !scope.entity.compounds.isEmpty else { return [] }
        var equalities: [String: Operand] = [:]
        collect(nodes, into: &equalities)
        return try scope.entity.compounds.filter(\.findsEqualValues)
            .compactMap { compound in
                let operands = compound.description.parts.compactMap { equalities[$0.attribute] }
                guard operands.count == compound.parts.count else { return nil }
                return try condition(compound, operands)
            }
    }

    private func collect(_ nodes: [Condition.Node], into equalities: inout [String: Operand]) {
        for node in nodes {
            switch node {
            case .and(let inner): collect(inner, into: &equalities)
            case .comparison(.path(let path), .equal(let operand), let options)
            where path.scope == nil && path.names.count == 1 && options.isEmpty:
                equalities[path.names[0]] = operand
            default: break
            }
        }
    }

    private func condition(_ compound: StoredCompound, _ operands: [Operand]) throws -> BoundCondition? {
        var values: [Any] = []
        for (part, operand) in zip(compound.parts, operands) {
            guard let value = try value(operand, of: part.attribute) else { return nil }
            values.append(value)
        }
        let candidates = try compound.candidates(for: values, in: TransformContext(store: context.schema.uuid, entity: scope.entity.id)).map { "\($0)" as SQLFragment }
        // It only narrows: where it does not hold, one of the comparisons beside it fails.
        let holds: SQLFragment = "\(scope.column(compound.name)) IN (\(SQLFragment.list(candidates)))"
        return BoundCondition(holds: holds, fails: .never)
    }

    /// An operand as a value of an attribute; nil for null, and for what differs from row to row.
    private func value(_ operand: Operand, of attribute: StoredAttribute) throws -> Any? {
        if case .term = operand { return nil }
        guard attribute.description.type != .transformed else {
            return try TransformedComparison(scope: scope, attribute: attribute, in: context).value(operand)
        }
        let cell = try terms.column(attribute.name, of: scope).column(of: operand)
        return attribute.any(attribute.load(PackedRow(single: cell), 0, in: .none))
    }
}
