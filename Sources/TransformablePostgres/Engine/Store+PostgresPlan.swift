public import Transformable
public import TransformableModel
public import TransformableStore

extension Store {
    /// Returns a plan of what opening a store in a PostgreSQL database with a newer model would do.
    ///
    /// Nothing is written, and others can read and write the store in the meantime. The plan does not include problems
    /// that are found only by decoding values.
    ///
    /// - Parameters:
    ///   - address: The address of the database, as ``PostgresAddress`` describes it.
    ///   - schema: The name of the schema that contains the store's tables.
    ///   - model: The new model.
    ///   - registry: The registry of transformers.
    ///   - options: The options that the store would be opened with.
    ///   - connections: How connections are made and shared.
    ///   - migrations: The steps that would run.
    /// - Returns: The plan.
    /// - Throws: `StoreError` if the database cannot be reached, the schema contains no store, or steps overlap.
    public static func plan(
        postgres address: String,
        schema: String,
        model: Model,
        transformers registry: TransformerRegistry,
        options: Options = Options(),
        connections: PostgresOptions = PostgresOptions(),
        migrations: [MigrationStep] = []
    ) throws -> MigrationPlan {
        let steps = try MigrationSteps(migrations)
        var reading = Options(opening: .readOnly, unresolved: .keepBytes, busyTimeout: options.busyTimeout)
        reading.acceptingModel = options.acceptingModel
        let store = try Store(
            postgres: address,
            schema: schema,
            transformers: registry,
            options: reading,
            connections: connections
        )
        defer { try? store.close() }
        let model = try model.statingStages(by: registry)
        return try store.plan(for: model, transformers: registry, options: options, steps: steps)
    }
}
