public import Transformable

extension Store {
    /// Checks that every transformer of a model resolves in a registry: one line for a test.
    ///
    /// ```swift
    /// @Test func modelResolves() throws {
    ///     try Store.check(model, registry)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - registry: The transformers.
    /// - Throws: ``StoreError``, listing every attribute and projection whose transformer is unknown, does
    ///   not fit its type, or cannot decode, or would show values of a confidential attribute; and everything that a
    ///   store would refuse.
    public static func check(_ model: Model, _ registry: TransformerRegistry) throws(StoreError) {
        try check(model, registry, Options())
    }

    /// Checks a model as far as the options ask.
    static func check(
        _ model: Model,
        _ registry: TransformerRegistry,
        _ options: Options
    ) throws(StoreError) {
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
    /// Throws all failures as one error; a single one as it is.
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
