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
    @Test func refusesToListenUntilItIsPromoted() throws {
        let server = try PostgresServer()
        let place = try EngineStore(at: server.address)
        try Data().write(to: server.folder.appending(path: "data/standby.signal"))
        try server.crash()
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
}
