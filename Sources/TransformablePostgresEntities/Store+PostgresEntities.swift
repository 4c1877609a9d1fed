public import Transformable
public import TransformableEntities
public import TransformablePostgres
public import TransformableStore

extension Store {
    /// Opens a store for entity classes in a schema of a PostgreSQL database, or creates it.
    ///
    /// ```swift
    /// let store = try Store(
    ///     postgres: "service=clinic",
    ///     schema: "clinic",
    ///     for: Patient.self,
    ///     Visit.self,
    ///     transformers: registry
    /// )
    /// ```
    ///
    /// Everything else is as with `Store(postgres:schema:model:transformers:)` of TransformablePostgres.
    ///
    /// - Parameters:
    ///   - address: The address of the database, as `PostgresAddress` describes it.
    ///   - schema: The name of the schema that contains the store's tables.
    ///   - types: The classes. They must include the destinations of all relationships, and parents and children.
    ///   - version: The version of the model. Increase it whenever the classes' attributes or relationships change.
    ///   - hasTenants: Whether every object belongs to a tenant, except those of classes that are shared.
    ///   - registry: The transformers that the classes use.
    ///   - options: Whether the store must exist, and other options.
    ///   - connections: How connections are made and shared.
    ///   - migrations: Custom steps for migrating a store from an earlier version.
    /// - Throws: `StoreError` if the classes do not form a valid model; if the database cannot be reached or the store
    ///   cannot be opened or created; if a transformer cannot be resolved or did not write its column; or with the code
    ///   `unsupported` if the model needs something that a store in PostgreSQL does not have.
    public convenience init(
        postgres address: String,
        schema: String,
        for types: any Entity.Type...,
        version: Int = 1,
        hasTenants: Bool = false,
        transformers registry: TransformerRegistry,
        options: Options = .createIfMissing,
        connections: PostgresOptions = PostgresOptions(),
        migrations: [MigrationStep] = []
    ) throws {
        try self.init(
            postgres: address,
            schema: schema,
            model: Model(of: types, version: version, hasTenants: hasTenants),
            transformers: registry,
            options: options,
            connections: connections,
            migrations: migrations
        )
    }
}
