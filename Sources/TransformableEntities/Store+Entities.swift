public import Foundation
public import Transformable
public import TransformableStore

extension Store {
    /// Opens a store of classes, or makes one.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - types: The classes, every one that a relationship leads to among them.
    ///   - version: The version, which grows when the classes' attributes change.
    ///   - registry: The transformers that the classes name.
    ///   - options: Whether the file must or must not exist, and what else is to be said.
    ///   - migrations: What the program does itself when the file has an earlier version.
    /// - Throws: `StoreError`: the classes do not fit together, the file cannot be opened or made, or a
    ///   transformer does not resolve, or is not the one that wrote its column.
    public convenience init(
        at url: URL,
        for types: any Entity.Type...,
        version: Int = 1,
        transformers registry: TransformerRegistry,
        options: Options = .createIfMissing,
        migrations: [MigrationStep] = []
    ) throws {
        try self.init(
            at: url,
            model: Model(of: types, version: version),
            transformers: registry,
            options: options,
            hooks: Store.hooks(of: types),
            migrations: migrations
        )
    }

    /// Makes a store of classes in memory, which is gone with the last reference to it.
    ///
    /// - Parameters:
    ///   - types: The classes, every one that a relationship leads to among them.
    ///   - registry: The transformers that the classes name.
    ///   - options: What is to be said beside that.
    /// - Returns: The store.
    /// - Throws: `StoreError` if the classes do not fit together or a transformer does not resolve.
    public static func inMemory(
        for types: any Entity.Type...,
        transformers registry: TransformerRegistry,
        options: Options = Options()
    ) throws -> Store {
        let model = try Model(of: types, version: 1)
        return try inMemory(model: model, transformers: registry, options: options, hooks: hooks(of: types))
    }

    /// What the classes have methods for.
    private static func hooks(of types: [any Entity.Type]) -> [String: EntityHooks] {
        func hooks<Object: Entity>(of type: Object.Type) -> EntityHooks? { type._entitySchema.hooks }
        return Dictionary(types.map { ($0.entityName, hooks(of: $0)) }) { first, _ in first }.compactMapValues(\.self)
    }

    /// Checks that classes fit together and that their transformers resolve in a registry: one line for a test.
    ///
    /// - Parameters:
    ///   - types: The classes, every one that a relationship leads to among them.
    ///   - registry: The transformers.
    /// - Throws: `StoreError`, listing everything that a store would refuse.
    public static func check(_ types: any Entity.Type..., transformers registry: TransformerRegistry) throws {
        try check(Model(of: types, version: 1), registry)
    }
}
