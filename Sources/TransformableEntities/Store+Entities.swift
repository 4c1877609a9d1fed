public import Foundation
public import Transformable
internal import TransformableSQLite
public import TransformableStore

extension Store {
    /// Opens a store for entity classes, and creates the file if necessary.
    ///
    /// - Parameters:
    ///   - url: The store's file.
    ///   - types: The classes. They must include the destinations of all relationships, and parents and children.
    ///   - version: The version of the model. Increase it whenever the classes' attributes or relationships change.
    ///   - hasTenants: Whether every object belongs to a tenant, except those of classes that are shared.
    ///   - registry: The transformers that the classes use.
    ///   - options: The options, for example whether the file must exist.
    ///   - migrations: Custom steps for migrating a file from an earlier version.
    /// - Throws: `StoreError` if the classes do not form a valid model, the file cannot be opened or created, a
    ///   transformer cannot be resolved, or a column was written by a different transformer.
    public convenience init(
        at url: URL,
        for types: any Entity.Type...,
        version: Int = 1,
        hasTenants: Bool = false,
        transformers registry: TransformerRegistry,
        options: Options = .createIfMissing,
        migrations: [MigrationStep] = []
    ) throws {
        try self.init(
            at: url,
            model: Model(of: types, version: version, hasTenants: hasTenants),
            transformers: registry,
            options: options,
            migrations: migrations
        )
    }

    /// Creates an in-memory store for entity classes.
    ///
    /// Its contents are lost when the store is deallocated.
    ///
    /// - Parameters:
    ///   - types: The classes. They must include the destinations of all relationships, and parents and children.
    ///   - version: The version of the model, which must be at least as high as any version that the classes state.
    ///   - hasTenants: Whether every object belongs to a tenant, except those of classes that are shared.
    ///   - registry: The transformers that the classes use.
    ///   - options: The options.
    /// - Returns: The store.
    /// - Throws: `StoreError` if the classes do not form a valid model or a transformer cannot be resolved.
    public static func inMemory(
        for types: any Entity.Type...,
        version: Int = 1,
        hasTenants: Bool = false,
        transformers registry: TransformerRegistry,
        options: Options = Options()
    ) throws -> Store {
        let model = try Model(of: types, version: version, hasTenants: hasTenants)
        return try inMemory(model: model, transformers: registry, options: options)
    }

    /// Checks that classes form a valid model and that their transformers can be resolved.
    ///
    /// Call this method in a test.
    ///
    /// - Parameters:
    ///   - types: The classes. They must include the destinations of all relationships, and parents and children.
    ///   - version: The version of the model, which must be at least as high as any version that the classes state.
    ///   - hasTenants: Whether every object belongs to a tenant, except those of classes that are shared.
    ///   - registry: The transformers.
    /// - Throws: `StoreError`, which lists everything that would prevent a store from being opened.
    public static func validate(
        _ types: any Entity.Type...,
        version: Int = 1,
        hasTenants: Bool = false,
        transformers registry: TransformerRegistry
    ) throws {
        try validate(Model(of: types, version: version, hasTenants: hasTenants), transformers: registry)
    }
}

extension Model {
    /// Creates a model from entity classes.
    ///
    /// A store that is opened with the model runs the hooks of the classes.
    ///
    /// - Parameters:
    ///   - types: The classes. They must include the destinations of all relationships, and parents and children.
    ///   - version: The version of the model. Increase it whenever the classes' attributes or relationships change.
    ///   - hasTenants: Whether every object belongs to a tenant, except those of classes that are shared.
    ///   - fetchRequests: The fetch requests that programs can run by name.
    /// - Throws: `StoreError` with the code `invalid-model` if the model is invalid, for example if two entities have
    ///   the same name or an inverse relationship does not point back. The error lists every problem.
    public init(
        of types: any Entity.Type...,
        version: Int = 1,
        hasTenants: Bool = false,
        fetchRequests: [FetchRequestDescription] = []
    ) throws(StoreError) {
        self = try Self(of: types, version: version, hasTenants: hasTenants).replacingFetchRequests(with: fetchRequests)
    }

    /// Creates a model from a list of entity classes.
    package init(of types: [any Entity.Type], version: Int, hasTenants: Bool) throws(StoreError) {
        let entities = types.map { $0._entitySchema.description }
        try self.init(version: version, hasTenants: hasTenants, entities: entities)
    }
}
