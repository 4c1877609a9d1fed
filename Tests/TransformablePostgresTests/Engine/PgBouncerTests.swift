import Foundation
import Testing
import TransformableModel
import TransformableStore
import _PostgresServer

@testable import TransformablePostgres  // The engine is internal.

/// Stores behind PgBouncer in transaction mode, with three connections to the server for all of them.
@Suite(.needsPostgres, .enabled(if: PgBouncer.program != nil, "install pgbouncer to run these tests"))
struct PgBouncerTests {
    @Test(.timeLimit(.minutes(1))) func everythingWorksThroughIt() async throws {
        let bouncer = try PgBouncer()
        var options = PostgresOptions()
        options.usesTransactionPooling = true
        let place = try EngineStore(at: bouncer.address, options: options)
        let store = try place.open(options: options)
        let id = try await store.write { try $0.insert("Item").id }
        try Self.increment(id, in: place, options)
        try store.insert(many: 0..<2500, into: "Item") { item, number in
            try item.setValue("Item \(number)", for: "name")
            try item.setValue("secret \(number)", for: "secret")
        }
        let context = store.makeContext()
        let item = try context.object(id)
        #expect(try item.value("count", as: Int64.self) == 60)
        try item.setValue("edited", for: "name")
        try context.insert("Tag").setValue("new", for: "label")
        try context.save()
        try await store.read { context in
            var count = 0
            try context.forEach("Item", where: Field("name").starts(with: "Item")) { item in
                let name = try item.value("name", as: String.self)
                #expect(try item.value("secret", as: String.self) == name.replacing("Item", with: "secret"))
                count += 1
            }
            #expect(count == 2500)
            #expect(try context.count("Tag") == 1)
        }
    }

    @Test(.timeLimit(.minutes(1))) func theErrorOfAConnectionWithoutTheOptionNamesIt() throws {
        let bouncer = try PgBouncer()
        let (own, other) = (try PostgresConnection(bouncer.address), try PostgresConnection(bouncer.address))
        let statement = PostgresStatement("SELECT 1")
        _ = try own.transaction { try own.execute(statement) }
        try other.transaction {
            // From now on, it has the server's connection that was used last.
            try other.execute(PostgresStatement("SELECT 2"))
            let error = #expect(throws: StoreError.self) { try own.transaction { try own.execute(statement) } }
            #expect(error?.isRetryable == true)
            #expect(error?.message.contains("usesTransactionPooling") == true)
        }
    }

    /// A statement that stays prepared would be there for the next program that gets the connection.
    @Test(.timeLimit(.minutes(1))) func commandsLeaveNothingPrepared() throws {
        let bouncer = try PgBouncer()
        let clinic = try CommandClinic(.server)
        defer { clinic.remove() }
        try clinic.create()
        let store = [bouncer.address.description, "--schema", clinic.schema]
        let inserted = try clinic.run(arguments: ["store", "insert"] + store + ["Patient", "name=Ada"])
        #expect(inserted.status == 0, "\(inserted.messages)")
        let shown = try clinic.run(arguments: ["store", "show"] + store + ["Patient", "--count"])
        #expect(shown.output == "1\n", "\(shown.messages)")
        var options = PostgresOptions()
        options.usesTransactionPooling = true
        let connection = try PostgresConnection(bouncer.address, options: options)
        let names = try connection.rows(PostgresStatement("SELECT name FROM pg_prepared_statements")) {
            try $0.value(0, as: String.self)
        }
        #expect(names.isEmpty)
    }

    /// Increments a number on six threads, each of which has a store of its own.
    private static func increment(_ id: ObjectID, in place: EngineStore, _ options: PostgresOptions) throws {
        DispatchQueue.concurrentPerform(iterations: 6) { _ in
            #expect(throws: Never.self) {
                let store = try place.open(options: options)
                defer { try? store.close() }
                for _ in 0..<10 {
                    try store.writeUntilDone { context in
                        let item = try context.object(id)
                        try item.setValue(item.value("count", as: Int64.self) + 1, for: "count")
                    }
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func changesAreHeardByTheServersOwnAddress() async throws {
        let bouncer = try PgBouncer()
        var options = PostgresOptions()
        options.usesTransactionPooling = true
        let place = try EngineStore(at: bouncer.address, options: options)
        let engine = place.engine(options)
        engine.askDataVersion { #expect($0 == nil) }
        options.notificationAddress = try PostgresServer.shared.get().address
        let (store, other) = (try place.open(options: options), try place.open(options: options))
        var changes = try store.changes().makeAsyncIterator()
        try await other.write { _ = try $0.insert("Item") }
        #expect(await changes.next() != nil)
    }
}

extension Store {
    /// Runs a block that writes until no other transaction is in its way.
    func writeUntilDone(_ body: (StoreContext) throws -> Void) throws {
        while true {
            do {
                return try write(body)
            } catch let error as StoreError where error.code == .transactionConflict {}
        }
    }
}
