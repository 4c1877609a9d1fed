import Foundation
import Synchronization
import Testing
import TransformableModel
import TransformableStore
import _PostgresServer

// Nothing else says what the listener has noticed.
@testable import TransformablePostgres

/// A server that replays the log of another one, and only reads.
@Suite(.needsPostgres) struct StandbyTests {
    private let server: PostgresServer
    private let place: EngineStore

    init() throws {
        server = try PostgresServer()
        place = try EngineStore(at: server.address)
        try Data().write(to: server.folder.appending(path: "data/standby.signal"))
        try server.crash()
    }

    @Test func refusesToListenUntilItIsPromoted() throws {
        let codes = Mutex<[StoreError.Code]>([])
        let listener = try PostgresListener(server.address, PostgresOptions(), schema: place.schema) { error in
            codes.withLock { $0.append(error.code) }
        }
        defer { listener.stop() }
        #expect(listener.version() == nil)
        #expect(listener.version() == nil)
        let connection = try PostgresConnection(server.address, options: PostgresOptions())
        try connection.run(script: "SELECT pg_promote()")
        while listener.version() == nil { usleep(50_000) }
        #expect(codes.withLock { $0 } == [.readOnly])
    }

    @Test func refusesToWriteUntilItIsPromoted() throws {
        let engine = place.engine()
        let error = #expect(throws: StoreError.self) { try engine.transact { _ in } }
        #expect(error?.code == .readOnly)
        try engine.pooled { try $0.run(script: "SELECT pg_promote()") }
        try engine.transact { try $0.advanceSchemaVersion() }
    }

    @Test(.timeLimit(.minutes(1))) func changesAroundItsPromotionAreReported() async throws {
        let store = try Store(
            postgres: place.address.description,
            schema: place.schema,
            transformers: place.registry,
            options: .readOnly
        )
        var changes = try store.changes().makeAsyncIterator()
        try PostgresConnection(place.address).run(script: "SELECT pg_promote()")
        // The listener, which tries again after a while, has not heard of this commit.
        try await place.open().write { _ = try $0.insert("Item") }
        #expect(try #require(await changes.next()).isIncomplete)
    }
}
