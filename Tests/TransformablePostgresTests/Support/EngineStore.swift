import EncryptionPlugin
import Foundation
import StandardPlugin
import Synchronization
import Transformable
import TransformableModel
import TransformableStore
import _PostgresServer

@testable import TransformablePostgres  // The engine is internal.

extension Store {
    /// Opens a store in the schema of an engine.
    convenience init(
        engine: PostgresEngine,
        model: Model,
        transformers registry: TransformerRegistry,
        options: Options,
        hooks: [String: EntityHooks]
    ) throws {
        let opening = try StoreOpening(model: model, registry: registry, options: options)
        try self.init(opening.validateAndOpen(engine), registry, options: options, hooks: hooks)
    }
}

/// A store in a schema of its own, which can be opened several times, along with its engine.
struct EngineStore {
    let address: PostgresAddress
    let schema: String
    let keys: KeyRing
    let registry: TransformerRegistry

    /// Creates a store on the shared server, or on another one.
    init(at address: PostgresAddress? = nil, options: PostgresOptions = PostgresOptions()) throws {
        try self.init(at: address ?? PostgresServer.shared.get().address, schema: "engine-\(UUID().uuidString)")
        try Store(
            postgres: self.address.description,
            schema: schema,
            model: Self.model(),
            transformers: registry,
            connections: options
        )
        .close()
    }

    /// Describes a store that does not exist yet, or that another process has created with some keys.
    init(at address: PostgresAddress, schema: String, keys: KeyRing? = nil) throws {
        self.address = address
        self.schema = schema
        let ring = try keys ?? KeyRing.empty.addingKey()
        self.keys = ring
        registry = try TransformerRegistry {
            StandardPlugin()
            EncryptionPlugin(keys: ring)
        }
    }

    static func model() throws -> Model {
        try Model(entities: [
            EntityDescription(
                "Item",
                attributes: [
                    .string("name", .optional, .indexed), .int64("count", .default(0)), .int16("size", .optional),
                    .double("weight", .optional), .decimal("price", .optional), .uuid("card", .optional),
                    .boolean("isOpen", .optional), .date("made", .optional),
                    .transformed("secret", "sealed", as: String.self, .optional),
                ],
                relationships: [.toMany("parts", "Part", inverse: "item", deleteRule: .cascade)]
            ),
            EntityDescription(
                "Part",
                attributes: [.int64("number", .default(0))],
                relationships: [.toOne("item", "Item", inverse: "parts")]
            ),
            EntityDescription("Tag", attributes: [.string("label", .unique)]),
        ])
    }

    func engine(_ options: PostgresOptions = PostgresOptions()) -> PostgresEngine {
        PostgresEngine(address, schema: schema, options: options, lockTimeout: .seconds(20))
    }

    func open(_ engine: PostgresEngine? = nil, options: PostgresOptions = PostgresOptions()) throws -> Store {
        try Store(
            engine: engine ?? self.engine(options),
            model: Self.model(),
            transformers: registry,
            options: .mustExist,
            hooks: [:]
        )
    }

    /// Runs a closure, and returns how often the engine has waited for the server.
    static func roundTrips(_ engine: PostgresEngine, _ body: () throws -> Void) rethrows -> Int {
        let before = engine.roundTrips.load(ordering: .relaxed)
        try body()
        return engine.roundTrips.load(ordering: .relaxed) - before
    }

    /// Runs a closure, and returns the number of statements of the store, without those of transactions.
    static func statements(_ engine: PostgresEngine, _ body: () throws -> Void) rethrows -> Int {
        let count = Counter()
        engine.countStatements { count.increment() }
        defer { engine.countStatements(nil) }
        try body()
        return count.value
    }

    private final class Counter: Sendable {
        private let count = Atomic(0)

        var value: Int { count.load(ordering: .relaxed) }

        func increment() {
            count.add(1, ordering: .relaxed)
        }
    }
}
