package import Transformable

extension Store {
    /// Opens a store in a database that another module provides.
    ///
    /// - Parameters:
    ///   - engine: The database, which contains a store.
    ///   - model: The model, or `nil` to use the one in the database.
    ///   - registry: The registry that contains the model's transformers.
    ///   - options: The options.
    ///   - hooks: Code to run at certain points in the life of objects, by entity name. It runs after the hooks of
    ///     the entity's class, if there is one.
    ///   - migrations: Code to run when a database with an earlier version of the model is migrated.
    /// - Throws: `StoreError` if the database is not a store, the model differs from that in the database, or a
    ///   transformer cannot be resolved or did not write its column.
    package convenience init(
        engine: any Engine,
        model: Model?,
        transformers registry: TransformerRegistry,
        options: Options,
        hooks: [String: EntityHooks],
        migrations: [MigrationStep] = []
    ) throws {
        let model = try model.map { try $0.statingStages(by: registry) }
        let steps = try MigrationSteps(migrations)
        let opening = StoreOpening(model: model, registry: registry, options: options, steps: steps)
        try self.init(Store.open(engine, opening), registry, options: options, hooks: hooks)
    }

    /// Opens a database, whose store can then be created.
    ///
    /// - Parameters:
    ///   - engine: The database, which contains a store.
    ///   - opening: How it is opened.
    /// - Returns: The open database.
    /// - Throws: The errors of `init(engine:model:transformers:options:hooks:migrations:)`.
    package static func open(_ engine: any Engine, _ opening: StoreOpening) throws -> StoreOpening.Opened {
        let options = opening.options
        if let model = opening.model { try Store.validate(model, transformers: opening.registry, options: options) }
        return try options.opening == .readOnly ? opening.openForReading(engine) : opening.open(engine)
    }
}
