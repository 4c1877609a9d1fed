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
