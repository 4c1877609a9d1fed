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
private enum Unsupported {
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
        StoreError(.unsupported, "stores do not support \(what) yet", entity: entity, attribute: name)
    }
}
