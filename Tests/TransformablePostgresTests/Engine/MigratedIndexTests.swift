import Foundation
import Testing
import TransformableModel
import TransformableStore
import _PostgresServer

@testable import TransformablePostgres  // The engine is internal.

/// The indexes that a migration adds to a table.
@Suite(.needsPostgres) struct MigratedIndexTests {
    private let place: EngineStore

    init() throws {
        let address = try PostgresServer.shared.get().address
        place = try EngineStore(at: address, schema: "engine-\(UUID().uuidString)")
    }

    /// An entity with nine attributes, the first of which have indexes.
    private static func model(_ version: Int, indexed count: Int = 0) throws -> Model {
        let attributes = (0..<9)
            .map { index in
                var attribute = AttributeDescription.string("a\(index)", .optional)
                attribute.isIndexed = index < count
                return attribute
            }
        return try Model(version: version, entities: [EntityDescription("Wide", attributes: attributes)])
    }

    private func open(_ model: Model, _ engine: PostgresEngine? = nil) throws -> Store {
        guard let engine else {
            let address = place.address.description
            return try Store(postgres: address, schema: place.schema, model: model, transformers: place.registry)
        }
        return try Store(
            engine: engine,
            model: model,
            transformers: place.registry,
            options: .mustExist,
            hooks: [:]
        )
    }

    @Test func areCreatedTogether() throws {
        let counts = try [1, 9]
            .map { count in
                let other = try Self()
                try other.open(Self.model(1)).close()
                let engine = other.place.engine()
                return try EngineStore.roundTrips(engine) { _ = try other.open(Self.model(2, indexed: count), engine) }
            }
        #expect(counts[1] - counts[0] < 8)
    }

    /// PostgreSQL cannot compress random characters.
    @Test func areLeftOutIfTheyCannotHoldTheValues() throws {
        let first = try open(Self.model(1))
        let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
        let long = String((0..<4000).compactMap { _ in letters.randomElement() })
        try first.write { try $0.insert("Wide").setValue(long, for: "a1") }
        try first.close()
        let store = try open(Self.model(2, indexed: 3))
        #expect(try store.read { try $0.fetch("Wide").map { try $0.value("a1", as: String.self) } } == [long])
        let sql = """
            SELECT substring("indexdef" FROM '\\((a[0-9]) NULLS FIRST, _id\\)') FROM "pg_indexes"
            WHERE "schemaname" = $1 AND "indexdef" ~ '\\(a[0-9] NULLS FIRST, _id\\)' ORDER BY 1
            """
        let indexed = try PostgresServer.connect()
            .rows(PostgresStatement(sql, .text), [.text(place.schema)]) { try $0.value(0, as: String.self) }
        #expect(indexed == ["a0", "a2"])
    }
}
