public import Transformable

extension Store {
    /// Checks that the projections of a model suit a number of values: that none tells rows apart which it should
    /// not, alone or together with the others of the same attribute.
    ///
    /// The bits of all projections of an attribute add up, those over several attributes included. One that the
    /// model lets reveal is left out, and so are all if this check is.
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
        var faults: [String] = []
        for entity in model.entities {
            let planned = PlannedProjection.all(of: entity.name, in: model, registry)
            for projection in planned where entity.declares(projection.name) {
                guard let fault = projection.fault(distinctValues, among: planned) else { continue }
                faults.append("\(entity.name).\(projection.name): \(fault)")
            }
        }
        guard faults.isEmpty else {
            throw StoreError(.invalidModel, "projections tell too much, or too little", faults: faults)
        }
    }
}

/// A projection that suits some numbers of values and not others.
private struct PlannedProjection {
    let name: String
    /// The attributes whose values it tells something about.
    let attributes: Set<String>
    let stage: any PlannedTransformer

    /// The projections of an entity, inherited ones too, without those that may reveal.
    static func all(of entity: String, in model: Model, _ registry: TransformerRegistry) -> [Self] {
        let simple = model.attributes(of: entity)
            .flatMap { attribute in
                attribute.projections.filter { !$0.reveals }
                    .compactMap { projection in
                        stage(of: projection.transformer, for: attribute.valueType?.type, registry)
                            .map { Self(name: projection.name, attributes: [attribute.name], stage: $0) }
                    }
            }
        let compound = model.projections(of: entity).filter { !$0.reveals }
            .compactMap { projection in
                stage(of: projection.transformer, for: nil, registry)
                    .map { Self(name: projection.name, attributes: Set(projection.parts.map(\.attribute)), stage: $0) }
            }
        return simple + compound
    }

    private static func stage(
        of expression: String,
        for type: (any Any.Type)?,
        _ registry: TransformerRegistry
    ) -> (any PlannedTransformer)? {
        let stages = (try? registry.resolve(expression, for: type, ending: .column))?.stages ?? []
        return stages.lazy.compactMap { $0.registered as? any PlannedTransformer }.first
    }

    /// Why it does not suit so many values beside the others; nil if it does.
    func fault(_ distinctValues: Int, among planned: [Self]) -> String? {
        // Of each attribute it is of, the bits of the other projections; the worst attribute decides.
        let others = attributes.map { attribute in
            planned.filter { $0.name != name && $0.attributes.contains(attribute) }.map(\.stage.bitCount).reduce(0, +)
        }
        do {
            try stage.verify(distinctValues: distinctValues, besides: others.max() ?? 0)
            return nil
        } catch {
            return (error as? TransformerError)?.message ?? "\(error)"
        }
    }
}

extension EntityDescription {
    /// Whether a projection is the entity's own rather than inherited.
    fileprivate func declares(_ projection: String) -> Bool {
        projections.contains { $0.name == projection }
            || attributes.contains { $0.projections.contains { $0.name == projection } }
    }
}
