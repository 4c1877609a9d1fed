public import Transformable

extension Store {
    /// Checks that the projections of a model are suitable for a number of distinct values, so that no projection
    /// reveals too much, alone or together with the other projections of the same attribute.
    ///
    /// The bits of all projections of an attribute are added up, including those of projections over several
    /// attributes. Projections that the model allows to be revealing are not checked.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - registry: The registry of transformers.
    ///   - distinctValues: The number of distinct values that an attribute has or will have.
    /// - Throws: `StoreError` with a list of all unsuitable projections, and the errors thrown by
    ///   ``validate(_:transformers:)``.
    public static func validate(
        _ model: Model,
        transformers registry: TransformerRegistry,
        distinctValues: Int
    ) throws(StoreError) {
        try validate(model, transformers: registry)
        var faults: [String] = []
        for entity in model.entities {
            let planned = PlannedProjection.all(of: entity.name, in: model, registry)
            for projection in planned where entity.declares(projection.name) {
                guard let fault = projection.fault(distinctValues, among: planned) else { continue }
                faults.append("\(entity.name).\(projection.name): \(fault)")
            }
        }
        guard faults.isEmpty else {
            let message = "some projections are unsuitable for this many distinct values"
            throw StoreError(.invalidModel, message, faults: faults)
        }
    }
}

/// A projection whose suitability depends on the number of distinct values.
private struct PlannedProjection {
    let name: String
    /// The attributes that the projection reveals something about.
    let attributes: Set<String>
    let stage: any CardinalitySensitiveTransformer

    /// Returns the projections of an entity, including inherited ones, except for those that may be revealing.
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
    ) -> (any CardinalitySensitiveTransformer)? {
        let stages = (try? registry.resolve(expression, for: type, ending: .column))?.stages ?? []
        return stages.lazy.compactMap { $0.registered as? any CardinalitySensitiveTransformer }.first
    }

    /// Returns the reason why the projection does not suit the number of values along with the others, or `nil` if it
    /// does.
    func fault(_ distinctValues: Int, among planned: [Self]) -> String? {
        // For each attribute, the bits of the other projections. The worst attribute decides.
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
    /// Returns a Boolean value that indicates whether the entity itself declares a projection, rather than inheriting
    /// it.
    fileprivate func declares(_ projection: String) -> Bool {
        projections.contains { $0.name == projection }
            || attributes.contains { $0.projections.contains { $0.name == projection } }
    }
}
