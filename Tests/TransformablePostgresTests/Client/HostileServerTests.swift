import Dispatch
import Foundation
import Testing
import Transformable
import TransformableModel
import TransformableStore
import _PostgresServer

@testable import TransformablePostgres  // Cancellations are internal.

/// What a server sends may be anything: it neither ends the program nor makes it wait forever.
@Suite(.needsPostgres) struct HostileServerTests {
    private static let rounds =
        ProcessInfo.processInfo.environment["TRANSFORMABLE_MUTATIONS"].flatMap { UInt64($0) } ?? 40

    @Test func endsWithAnErrorOfTheStoreOrWithValues() throws {
        let socket = try PostgresServer.shared.get().folder.appending(path: ".s.PGSQL.5432").path
        var failures = 0
        for seed in 1...Self.rounds {
            let proxy = try MutatingProxy(for: socket, seed: seed)
            do {
                try work(through: proxy)
            } catch is StoreError {
                failures += 1
            }
        }
        #expect(failures > Self.rounds / 2)
    }

    private static func address(of proxy: MutatingProxy) throws -> PostgresAddress {
        try PostgresAddress("host=127.0.0.1 port=\(proxy.port) user=tester dbname=postgres sslmode=disable")
    }

    /// The request to cancel goes over a connection of its own, which the proxy never accepts.
    @Test func canceledTasksDoNotWaitForTheServer() async throws {
        let socket = try PostgresServer.shared.get().folder.appending(path: ".s.PGSQL.5432").path
        // With this seed, nothing is changed before the connection is made, which may take a while on a busy machine.
        let proxy = try MutatingProxy(for: socket, seed: 7, silence: 60_000)
        let address = try Self.address(of: proxy)
        let (attachments, attached) = AsyncStream.makeStream(of: Void.self)
        let end = DispatchSemaphore(value: 0)
        let task = Task {
            defer { attached.finish() }
            try await Cancellation.run(on: DispatchQueue(label: "cancellation")) {
                let connection = try PostgresConnection(address)
                Cancellation.current?.attach(connection)
                attached.yield()
                end.wait()
            }
        }
        let isAttached = await attachments.contains { _ in true }
        #expect(isAttached)
        let isPrompt = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let isCanceled = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    task.cancel()
                    isCanceled.signal()
                }
                continuation.resume(returning: isCanceled.wait(timeout: .now() + 10) == .success)
            }
        }
        #expect(isPrompt)
        end.signal()
        try await task.value
        withExtendedLifetime(proxy) {}
    }

    /// Nothing has been written that would have to be looked for.
    @Test func aConnectionThatEndsWhileAStoreIsOpenedIsLost() throws {
        let server = try EndingServer()
        let address = "host=127.0.0.1 port=\(server.port) user=tester dbname=postgres sslmode=disable"
        let error = #expect(throws: StoreError.self) {
            try Store(postgres: address, schema: "clinic", transformers: TransformerRegistry {})
        }
        #expect(error?.code == .connectionLost)
        withExtendedLifetime(server) {}
    }

    @Test func aConnectionThatEndsBeforeItsFirstTransactionIsNotMade() throws {
        let server = try EndingServer()
        let text = "host=127.0.0.1 port=\(server.port) user=tester dbname=postgres sslmode=disable"
        let address = try PostgresAddress(text)
        var options = PostgresOptions()
        options.detectsTransactionPooling = true
        let error = #expect(throws: StoreError.self) { try PostgresConnection(address, options: options) }
        #expect(error?.code == .connectionFailed)
        #expect(error?.message == "the server ended the connection")
        withExtendedLifetime(server) {}
    }

    private func work(through proxy: MutatingProxy) throws {
        let connection = try PostgresConnection(Self.address(of: proxy))
        try connection.run(script: "CREATE TEMP TABLE t (id int8, name text, number numeric, list int8[])")
        let insert = PostgresStatement("INSERT INTO t VALUES ($1, $2, 1234.5678, '{1,2,3}')", .int8, .text)
        try connection.transaction {
            _ = try connection.pipeline { pipeline in
                for id in 0..<50 as Range<Int64> { try pipeline.add(insert, [.int8(id), .text("name \(id)")]) }
            }
        }
        try connection.query(PostgresStatement("SELECT * FROM t"), [], read)
        try connection.copyOut("COPY t TO STDOUT (FORMAT binary)", read)
        try connection.copyIn("COPY t (id) FROM STDIN (FORMAT binary)") { writer in
            try writer.beginRow()
            try writer.write(Int64(1))
        }
        _ = try connection.notifications(until: .now)
    }

    private func read(_ row: borrowing PostgresRow) throws {
        _ = try row.valueIfPresent(0, as: Int64.self)
        _ = try row.valueIfPresent(1, as: String.self)
        _ = try row.valueIfPresent(2, as: PostgresNumeric.self)
        _ = try row.valueIfPresent(3, as: [Int64].self)
    }
}

/// A server that accepts a connection, and ends it at the first statement.
///
/// PgBouncer does so while the server behind it is down.
private final class EndingServer: Sendable {
    let port: UInt16
    private let listener: Int32

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        port = try MutatingProxy.listen(listener)
        Thread.detachNewThread {
            let client = accept(listener, nil, nil)
            for answer in [Self.welcome, Self.end] where Self.receive(from: client) {
                _ = unsafe send(client, answer, answer.count, Int32(MSG_NOSIGNAL))
            }
            shutdown(client, Int32(SHUT_WR))
            // If it were closed with bytes that nobody has read, the client might not get the error.
            while Self.receive(from: client) {}
            close(client)
        }
    }

    deinit {
        close(listener)
    }

    private static func receive(from client: Int32) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 8192)
        return unsafe recv(client, &buffer, buffer.count, 0) > 0
    }

    /// It needs no password, and waits for statements.
    private static let welcome =
        message("R", "\0\0\0\0") + message("S", "server_version\0" + "15.0\0") + message("Z", "I")

    private static let end = message("E", "SFATAL\0VFATAL\0C08P01\0Mthe server is down\0\0")

    /// Returns a message of PostgreSQL's protocol: its type, its length, which includes itself, and its content.
    private static func message(_ type: String, _ content: String) -> [UInt8] {
        Array(type.utf8) + [0, 0, 0, UInt8(content.utf8.count + 4)] + Array(content.utf8)
    }
}
