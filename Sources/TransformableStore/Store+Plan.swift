public import Transformable

extension Store {
    /// Checks that the projections of a model suit a number of values: that none tells rows apart which it should
    /// not.
    ///
    /// Whoever wants a blind index that identifies each value leaves this out.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - registry: The transformers.
    ///   - distinctValues: How many different values an attribute has, or will have.
    /// - Throws: ``StoreError``, listing every projection that does not suit; and what ``check(_:_:)`` throws.
    public static func check(
        _ model: Model,
        _ registry: TransformerRegistry,
        distinctValues: Int
    ) throws(StoreError) {
        try check(model, registry)
        let faults = model.entities.flatMap { entity in
            let simple = entity.attributes.flatMap { attribute in
                attribute.projections.map { ($0.name, $0.transformer, attribute.valueType?.type) }
            }
            let compound = entity.projections.map { ($0.name, $0.transformer, nil as Any.Type?) }
            return (simple + compound)
                .compactMap { name, expression, type -> String? in
                    fault(of: expression, for: type, registry, distinctValues).map { "\(entity.name).\(name): \($0)" }
                }
        }
        guard faults.isEmpty else {
            throw StoreError(.invalidModel, "projections tell too much, or too little", faults: faults)
        }
    }

    private static func fault(
        of expression: String,
        for type: Any.Type?,
        _ registry: TransformerRegistry,
        _ distinctValues: Int
    ) -> String? {
        let stages = (try? registry.resolve(expression, for: type, ending: .column))?.stages ?? []
        for case let planned as any PlannedTransformer in stages.map(\.registered) {
            do {
                try planned.verify(distinctValues: distinctValues)
            } catch {
                return (error as? TransformerError)?.message ?? "\(error)"
            }
        }
        return nil
    }
}
