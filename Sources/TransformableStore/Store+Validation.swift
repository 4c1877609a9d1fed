public import Transformable

extension Store {
    /// Checks that every transformer of a model can be resolved in a registry, and that all names in fetch requests exist.
    ///
    /// Call it in a test.
    ///
    /// ```swift
    /// @Test func modelResolves() throws {
    ///     try Store.validate(model, transformers: registry)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - registry: The registry of transformers.
    /// - Throws: `StoreError` with a list of all attributes and projections whose transformer is unknown, does not
    ///   fit its type, cannot decode, or would reveal values of a confidential attribute, of everything else that a
    ///   store would reject, and of all fetch requests that would fail because a name does not exist.
    public static func validate(_ model: Model, transformers registry: TransformerRegistry) throws(StoreError) {
        try validate(model, transformers: registry, options: Options())
        try model.requireNamesOfFetchRequests()
    }

    /// Checks a model as far as the options require.
    package static func validate(
        _ model: Model,
        transformers registry: TransformerRegistry,
        options: Options
    ) throws(StoreError) {
        try RelationshipPlan(model: model).requireRoomForColumns()
        var resolver = SchemaResolver(model: model, registry: registry)
        resolver.judgesSecrecy = options.opening != .readOnly
        for entity in model.entities where !entity.isAbstract {
            let attributes = resolver.attributes(of: entity) { _ in 0 }
            _ = resolver.compounds(of: entity, attributes) { _ in 0 }
        }
        if options.unresolved == .refuse { try resolver.throwFailures() }
        if !options.acceptsRevealing { try resolver.throwRevealing() }
        try Unsupported.check(model)
    }
}

extension SchemaResolver {
    /// Throws all failures as one error, or a single failure as it is.
    func throwFailures() throws(StoreError) {
        guard let first = failures.first else { return }
        guard failures.count > 1 else { throw first }
        throw StoreError(
            first.code,
            "\(failures.count) transformers cannot be used",
            faults: failures.map(\.description)
        )
    }
}

/// Rejects what a model can declare and a store does not support yet, so that it is never silently ignored.
enum Unsupported {
    static func check(_ model: Model) throws(StoreError) {
        for entity in model.entities {
            try checkInverses(of: entity, in: model)
            for relationship in entity.relationships {
                try check(relationship, of: entity, in: model)
            }
            let plan = RelationshipPlan(model: model)
            for name in entity.uniqueness.joined() where plan.lacksColumn(name, in: entity.name) {
                throw refusal("unique groups with a relationship that has no column of its own", entity.name, name)
            }
        }
    }

    /// Checks that no two relationships of an object have the same inverse, which could be that of only one of them.
    ///
    /// A file may have such a model from an earlier version, so this is not a fault of the model itself.
    private static func checkInverses(of entity: EntityDescription, in model: Model) throws(StoreError) {
        var known: [String: String] = [:]
        for relationship in model.lineage(of: entity).flatMap(\.relationships) {
            guard let inverse = relationship.inverse,
                let owner = model.entity(relationship.destination).map(model.lineage)?
                    .last(where: { $0.relationships.contains { $0.name == inverse } })
            else { continue }
            let name = "\(owner.name).\(inverse)"
            guard let other = known.updateValue(relationship.name, forKey: name) else { continue }
            let message = "it has the inverse \(name), which is the inverse of “\(other)” already"
            throw StoreError(.unsupported, message, entity: entity.name, attribute: relationship.name)
        }
    }

    private static func check(
        _ relationship: RelationshipDescription,
        of entity: EntityDescription,
        in model: Model
    ) throws(StoreError) {
        let plan = RelationshipPlan(model: model)
        guard let inverse = plan.statedInverse(of: relationship, in: entity.name) else { return }
        // All objects that the inverse can refer to must have the relationship.
        let isSame = inverse == relationship && !plan.isOwnInverse(relationship, in: entity.name)
        guard !isSame, plan.isKind(inverse.destination, of: entity.name) else {
            throw refusal(
                "inverses that also refer to objects without the relationship",
                entity.name,
                relationship.name
            )
        }
    }

    private static func refusal(_ what: String, _ entity: String, _ name: String?) -> StoreError {
        StoreError(.unsupported, "stores do not yet support \(what)", entity: entity, attribute: name)
    }
}

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
        let components = (try? registry.resolve(expression, for: type, ending: .column))?.components ?? []
        return components.lazy.compactMap { $0 as? any CardinalitySensitiveTransformer }.first
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
