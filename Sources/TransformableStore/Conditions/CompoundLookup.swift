internal import Transformable

/// Finds objects by a compound projection where a condition demands equality of all its parts.
struct CompoundLookup {
    let entity: StoredEntity
    let schema: StoreSchema

    /// What narrows the rows down beside the comparisons themselves, which are all verified.
    func tests(for nodes: [Condition.Node]) throws -> [BoundCondition] {
        guard !entity.compounds.isEmpty else { return [] }
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
            case .comparison(let name, .equal(let operand)): equalities[name] = operand
            default: break
            }
        }
    }

    private func test(_ compound: StoredCompound, _ operands: [Operand]) throws -> BoundCondition? {
        var values: [Any] = []
        for (part, operand) in zip(compound.parts, operands) {
            guard let value = try value(operand, of: part.attribute) else { return nil }
            values.append(value)
        }
        let place = TransformContext(store: schema.uuid, entity: entity.id)
        let candidates = try compound.candidates(for: values, in: place)
        let marks = candidates.map { _ in "?" }.joined(separator: ", ")
        let holds = SQLFragment("\(SQL.quoted(compound.name)) IN (\(marks))", candidates)
        return .test(ConditionTest(holds: holds, fails: .never, isExact: false) { _ in true })
    }

    /// An operand as a value of an attribute; nil for null.
    private func value(_ operand: Operand, of attribute: StoredAttribute) throws -> Any? {
        let place = TransformContext(store: schema.uuid, entity: entity.id)
        guard attribute.description.type != .transformed else {
            return try TransformedComparison(entity: entity, attribute: attribute, context: place).value(operand)
        }
        let column = BoundColumn.plain(attribute)
        let cell =
            switch operand {
            case .value(let value):
                try OperandConversion.column(of: value, for: column, attribute.name, entity.name)
            case .literal(let literal):
                try OperandConversion.column(of: literal, for: column, attribute.name, entity.name)
            }
        return attribute.any(attribute.load(PackedRow(single: cell), 0, in: .none))
    }
}
