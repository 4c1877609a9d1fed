import Foundation
import Testing
import Transformable
import TransformablePostgres
import TransformableSQLite
import TransformableStore
import _PostgresServer

/// Runs each test of a suite on SQLite, and once more on PostgreSQL if it is installed.
///
/// The tests open their stores with `Store.trial`. What a store in PostgreSQL refuses as unsupported ends a test without
/// an error; the article StoresInPostgres lists it.
struct EachEngine: SuiteTrait, TestTrait, TestScoping {
    /// The engine of the stores that the current test opens.
    enum Engine {
        case sqlite
        case postgres
    }

    @TaskLocal static var current = Engine.sqlite

    var isRecursive: Bool { true }

    @concurrent func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await function()
        guard PostgresServer.programs != nil, !test.traits.contains(where: { $0 is SQLiteOnly }) else { return }
        try await Self.$current.withValue(.postgres) {
            do {
                try await function()
            } catch let error as StoreError where error.code == .unsupported {
                return
            }
        }
    }
}

/// Marks a test about something that only SQLite has.
struct SQLiteOnly: TestTrait {}

extension Trait where Self == EachEngine {
    static var eachEngine: Self { Self() }
}

extension Trait where Self == SQLiteOnly {
    /// - Parameter reason: What the test is about.
    /// - Returns: The trait.
    static func sqliteOnly(_ reason: Comment) -> Self { Self() }
}

extension Store {
    /// Opens a store on the current test's engine.
    ///
    /// - Parameters:
    ///   - url: The store's file, or `nil` for a store in memory. In PostgreSQL, each file is a schema.
    ///   - model: The model, or `nil` to use the model in the store.
    ///   - registry: The transformers.
    ///   - options: The options.
    ///   - hooks: The hooks.
    /// - Returns: The store.
    /// - Throws: `StoreError` if the store cannot be opened.
    static func trial(
        at url: URL? = nil,
        model: Model?,
        transformers registry: TransformerRegistry,
        options: Options = .createIfMissing,
        hooks: [String: EntityHooks] = [:]
    ) throws -> Store {
        guard EachEngine.current == .postgres else {
            guard let url else {
                let model = try #require(model)
                return try .inMemory(model: model, transformers: registry, options: options, hooks: hooks)
            }
            return try Store(at: url, model: model, transformers: registry, options: options, hooks: hooks)
        }
        var connections = PostgresOptions()
        connections.maximumConnections = 4
        let citus = ProcessInfo.processInfo.environment["TRANSFORMABLE_CITUS"]
        if citus != nil, model?.hasTenants == true { connections.distribution = .byTenant }
        return try Store(
            postgres: citus ?? PostgresServer.boundAddress.get().description,
            schema: url.map { "\($0.path)" } ?? UUID().uuidString,
            model: model,
            transformers: registry,
            options: options,
            connections: connections,
            hooks: hooks
        )
    }
}
