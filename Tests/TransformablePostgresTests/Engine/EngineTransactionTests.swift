import Foundation
import Synchronization
import Testing
import TransformableModel
import TransformableStore
import _PostgresServer

@testable import TransformablePostgres  // The engine is internal.

/// Transactions that meet others, or whose change is rejected.
@Suite(.needsPostgres) struct EngineTransactionTests {
    @Test func doesNotCommitAChangeThatItsCallerRejects() throws {
        let engine = try EngineStore().engine()
        struct Rejection: Error {}
        #expect(throws: Rejection.self) {
            try engine.transact { connection in
                try connection.change("INSERT INTO \"Part\" (\"_version\", \"number\") VALUES (1, 1)", []) { _ in
                    throw Rejection()
                }
            }
        }
        #expect(try engine.read { try $0.integer("SELECT count(*) FROM \"Part\"") } == 0)
    }

    // MARK: - Unknown outcomes

    /// A trigger ends the connection during the commit, which nobody else reports if it succeeds.
    @Test func aCommitWithAnUnknownOutcomeCountsAsOneOfOthers() throws {
        let place = try EngineStore()
        let script = """
            SET search_path TO \(PostgresName.quoted(place.schema));
            CREATE FUNCTION "end"() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER "end" AFTER INSERT ON "Part" DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION "end"()
            """
        try PostgresConnection(place.address).run(script: script)
        let engine = place.engine()
        let versions = Mutex<[Int64?]>([])
        engine.askDataVersion { version in versions.withLock { $0.append(version) } }
        let error = #expect(throws: StoreError.self) {
            try engine.transact { connection in
                try connection.change("INSERT INTO \"Part\" (\"_version\", \"number\") VALUES (1, 1)", []) {
                    _ = try $0.get()
                }
            }
        }
        #expect(error?.code == .outcomeUnknown)
        engine.askDataVersion { version in versions.withLock { $0.append(version) } }
        #expect(versions.withLock { $0 } == [0, 1])
    }

    @Test func aCommitIsHeardAfterItsOutcomeWasUnknown() throws {
        let place = try EngineStore()
        let listener = PostgresListener(place.address, PostgresOptions(), schema: place.schema)
        defer { listener.stop() }
        #expect(listener.version() == 0)
        let sender = listener.sender
        listener.noteUnknownOutcome()
        #expect(listener.version() == 1)
        let notification = PostgresStatement("SELECT pg_notify($1, $2)", .text, .text)
        try PostgresServer.connect().execute(notification, [.text(listener.channel), .text(sender)])
        while listener.version() == 1 { usleep(50_000) }
        #expect(listener.sender != sender)
    }

    // MARK: - Conflicts

    @Test func aBlockThatIgnoresAConflictRunsAgain() throws {
        let place = try EngineStore()
        let store = try place.open()
        let id = try store.write { try $0.insert("Item").id }
        let other = try PostgresServer.connect()
        let change = PostgresStatement("UPDATE \(PostgresName.quoted(place.schema)).\"Item\" SET \"size\" = 1")
        var runs = 0
        try store.write { context in
            runs += 1
            let item = try context.object(id)
            _ = try item.value("name", as: String?.self)
            if runs == 1 { try other.execute(change) }
            try item.setValue("mine", for: "name")
            try? context.save()
        }
        #expect(runs == 2)
        #expect(try store.read { try $0.object(id).value("name", as: String.self) } == "mine")
    }

    @Test(.timeLimit(.minutes(1))) func aSaveThatMeetsAnotherTransactionCanBeSavedAgain() throws {
        let place = try EngineStore()
        let store = try place.open()
        let id = try store.write { try $0.insert("Item").id }
        let context = store.makeContext()
        try context.object(id).setValue("mine", for: "name")
        let other = try PostgresConnection(place.address)
        let table = "\(PostgresName.quoted(place.schema)).\"Item\""
        let error = Mutex<StoreError?>(nil)
        let saved = DispatchSemaphore(value: 0)
        let watcher = try PostgresConnection(place.address)
        try other.transaction {
            try other.execute(PostgresStatement("UPDATE \(table) SET \"size\" = \"size\""))
            let save = UncheckedContext(context: context)
            Thread.detachNewThread {
                do { try save.context.save() } catch let failure { error.withLock { $0 = failure as? StoreError } }
                saved.signal()
            }
            // The save has read the row, and waits for the lock on it.
            let waiting = PostgresStatement(
                "SELECT 1 FROM pg_locks WHERE NOT granted AND transactionid::text = $1",
                .text
            )
            let own = try other.rows(PostgresStatement("SELECT pg_current_xact_id()::xid::text")) {
                try $0.value(0, as: String.self)
            }
            while try watcher.execute(waiting, [.text(own[0])]) == 0 {}
        }
        saved.wait()
        #expect(error.withLock(\.?.code) == .transactionConflict)
        #expect(context.hasChanges)
        try context.save()
        #expect(try store.read { try $0.object(id).value("name", as: String.self) } == "mine")
    }

    /// The other thread uses the context while this one waits.
    private struct UncheckedContext: @unchecked Sendable {
        let context: StoreContext
    }
}
