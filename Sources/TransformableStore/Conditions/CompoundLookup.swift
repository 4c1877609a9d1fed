internal import Transformable

/// Finds objects by a compound projection if a condition requires equality for all of its parts.
struct CompoundLookup {
    let binder: ConditionBinder

    private var entity: StoredEntity { binder.scope.entity }
    private var place: TransformContext { binder.context.place(in: entity) }

    /// Returns tests that narrow the search down.
    ///
    /// They are added to the comparisons, which are still made.
    func tests(for nodes: [Condition.Node]) throws -> [BoundCondition] {
        guard !entity.compounds.isEmpty, binder.context.scope != .everything else { return [] }
        var equalities: [String: Operand] = [:]
        collect(nodes, into: &equalities)
        return try entity.compounds.filter(\.findsEqualValues)
            .compactMap { compound in
                let operands = compound.description.parts.compactMap { equalities[$0.attribute] }
                guard operands.count == compound.parts.count else { return nil }
                return try test(compound, operands)
            }
    }

    private func collect(_ nodes: [Condition.Node], into equalities: inout [String: Operand]) {
        for node in nodes {
            switch node {
            case .and(let inner): collect(inner, into: &equalities)
            case .comparison(.path(let path), .equal(let operand), []): note(path, operand, in: &equalities)
            default: break
            }
        }
    }

    /// Records an attribute of the object itself that is compared with a value.
    private func note(_ path: Term.Path, _ operand: Operand, in equalities: inout [String: Operand]) {
        guard let name = path.names.first, path.names.count == 1 else { return }
        guard let start = try? binder.start(path), start.depth == binder.scope.depth else { return }
        if case .term = operand { return }
        equalities[name] = operand
    }

    private func test(_ compound: StoredCompound, _ operands: [Operand]) throws -> BoundCondition? {
        var values: [Any] = []
        for (part, operand) in zip(compound.parts, operands) {
            guard let value = try value(operand, of: part.attribute) else { return nil }
            // The transformer's output depends on which scalars the text was written with.
            if part.transformer != nil, let text = value as? String, !text.hasOneForm { return nil }
            values.append(value)
        }
        let column = binder.scope.column(compound.name)
        let candidates = try Subject.refusing { try compound.candidates(for: values, in: place) }
        let known = SQLFragment.list(candidates.filter { $0 != .null }.map { "\($0)" as SQLFragment })
        var found: SQLFragment = known.text.isEmpty ? "1 = 0" : "\(column) IN (\(known))"
        if candidates.contains(.null) { found = "(\(found) OR \(empty(column, compound)))" }
        return BoundCondition(holds: Criterion(found), fails: .never)
    }

    /// Returns the condition that the column is empty although no part is.
    private func empty(_ column: SQLFragment, _ compound: StoredCompound) -> SQLFragment {
        compound.parts.reduce("\(column) IS NULL") { condition, part in
            "\(condition) AND \(binder.scope.column(part.attribute.name)) IS NOT NULL"
        }
    }

    /// Returns an operand as a value of an attribute, or `nil` for null.
    private func value(_ operand: Operand, of attribute: StoredAttribute) throws -> Any? {
        guard attribute.description.type != .transformed else {
            let comparison = TransformedComparison(scope: binder.scope, attribute: attribute, in: binder.context)
            return try comparison.value(operand)
        }
        let cell = try binder.terms.column(attribute.name, of: binder.scope).column(of: operand)
        return attribute.any(attribute.load(PackedRow(single: cell), 0, in: .none))
    }
}
