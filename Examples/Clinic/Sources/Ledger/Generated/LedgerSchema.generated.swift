// Generated from the model “Ledger”. Do not edit: write your own code in extensions, in other files.
// swift-format-ignore-file
// swiftlint:disable all

public import Foundation
public import TransformableEntities

/// The classes of the model “Ledger”.
public nonisolated enum LedgerSchema {
    /// The version of the model.
    public static let version = 1

    /// Returns the model of the classes.
    public static func model() throws -> TransformableModel.Model {
        try TransformableModel.Model(
            of:
            Entity.self,
            Model.self,
            Store.self,
            Task.self,
            version: version
        )
    }

    /// Opens a store for the classes, and creates the file if necessary.
    public static func store(
        at url: URL,
        transformers registry: TransformerRegistry,
        options: TransformableStore.Store.Options = .createIfMissing,
        migrations: [MigrationStep] = []
    ) throws -> TransformableStore.Store {
        try TransformableStore.Store(
            at: url,
            for:
            Entity.self,
            Model.self,
            Store.self,
            Task.self,
            version: version,
            transformers: registry,
            options: options,
            migrations: migrations
        )
    }

    /// Creates a store for the classes in memory.
    public static func storeInMemory(transformers registry: TransformerRegistry) throws -> TransformableStore.Store {
        try TransformableStore.Store.inMemory(
            for:
            Entity.self,
            Model.self,
            Store.self,
            Task.self,
            version: version,
            transformers: registry
        )
    }
}
