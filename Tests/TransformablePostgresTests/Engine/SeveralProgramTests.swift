import Foundation
import Synchronization
import Testing
import Transformable
import TransformableModel
import TransformableSQLite
import TransformableStore
import _PostgresServer

@testable import TransformablePostgres  // The engine is internal.

/// Stores on a server that other programs use at the same time, and what their sessions keep.
@Suite(.needsPostgres) struct SeveralProgramTests {
    @Test func writersOnTwoMachinesLoseNoChange() async throws {
        let place = try EnginePlace(.postgres)
        let stores = [try place.open(EnginePlace.model()), try place.open(EnginePlace.model())]
        let id = try EnginePlace.add("Ada", to: stores[0])
        try await stores[0].write { try $0.object(id).setValue(Int64(0), for: "number") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<8 {
                group.addTask {
                    for _ in 0..<10 {
                        try await stores[index % 2]
                            .write { context in
                                let patient = try context.object(id)
                                try patient.setValue(patient.value("number", as: Int64.self) + 1, for: "number")
                                try context.insert("Group").setValue("g", for: "name")
                            }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await stores[1].read { try $0.object(id).value("number", as: Int64.self) } == 80)
        let numbers = try await stores[0].read { try $0.ids("Group").map(\.number) }
        #expect(Set(numbers).count == 80)
    }

    @Test(.timeLimit(.minutes(1))) func observersHearOfCommitsOfOthers() async throws {
        let place = try EnginePlace(.postgres)
        let (store, other) = (try place.open(EnginePlace.model()), try place.open(EnginePlace.model()))
        var changes = try store.changes().makeAsyncIterator()
        try EnginePlace.add("Ada", to: other)
        #expect(await changes.next() != nil)
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["deletion", "pair"])
    func observersHearOfChangesWithoutAnswers(_ change: String) async throws {
        let place = try EnginePlace(.postgres)
        let store = try place.open(ClinicStore.model())
        let other = try place.open(ClinicStore.model())
        let (patient, group) = try await other.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            return (patient.id, try context.insert("Group").id)
        }
        var changes = try store.changes().makeAsyncIterator()
        let context = other.makeContext()
        if change == "deletion" {
            try context.delete(context.object(group))
        } else {
            try context.object(patient).add(context.object(group), to: "groups")
        }
        try context.save()
        #expect(await changes.next() != nil)
    }

    /// The first observer still waits for the connection that listens when the second one starts.
    @Test(.timeLimit(.minutes(1)))
    func aSecondObserverMissesNothingWhileTheFirstStarts() async throws {
        // It accepts connections, and says nothing.
        let silent = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let port = try MutatingProxy.listen(silent)
        let place = try EngineStore()
        var options = PostgresOptions()
        options.usesTransactionPooling = true
        options.notificationAddress = try PostgresAddress("postgres:host=127.0.0.1 port=\(port) dbname=postgres")
        let store = try place.open(options: options)
        Thread.detachNewThread { _ = try? store.changes() }
        var connection = pollfd(fd: silent, events: Int16(POLLIN), revents: 0)
        #expect(poll(&connection, 1, 30_000) == 1)
        var changes = try store.changes().makeAsyncIterator()
        try await place.open().write { _ = try $0.insert("Item") }
        close(silent)
        #expect(try #require(await changes.next()).isIncomplete)
    }

    /// An import asks for the last number first, and another program reserves some before it records a higher one.
    @Test func recordingANumberDoesNotGiveOutThoseOfOthersAgain() throws {
        let place = try EngineStore()
        let (own, other) = (place.engine(), place.engine())
        #expect(try own.transact { try $0.lastNumber(of: "Item") } == 0)
        #expect(try other.transact { try $0.reserveNumbers(64, of: "Item") } == 1)
        try own.transact { try $0.recordNumber(10, of: "Item") }
        #expect(try other.transact { try $0.reserveNumbers(1, of: "Item") } == 65)
        try own.transact { try $0.recordNumber(100, of: "Item") }
        #expect(try other.transact { try $0.reserveNumbers(1, of: "Item") } == 101)
    }

    @Test func locksOfAStatementLastUntilTheEndOfTheTransaction() throws {
        let store = try EngineStore().open()
        let locks = """
            SELECT count(*) AS "n" FROM "pg_locks"
            WHERE "locktype" = 'advisory' AND "objid" = 7 AND "pid" = pg_backend_pid()
            """
        try store.write { context in
            _ = try context.rows("SELECT pg_advisory_xact_lock(7)::text")
            #expect(try context.rows(locks).first?.value("n", as: Int.self) == 1)
            try context.insert("Tag").setValue("a", for: "label")
        }
        #expect(try store.read { try $0.count("Tag") } == 1)
    }

    @Test func aBlockWritesAfterAStatementWhoseRestHasFailed() throws {
        struct Stop: Error {}
        let store = try EngineStore().open()
        try store.write { context in
            #expect(throws: Stop.self) {
                let sql = "SELECT 1 / (5000 - \"s\") AS \"n\" FROM generate_series(1, 5000) AS \"s\""
                try context.forEachRow(sql) { _ in throw Stop() }
            }
            try context.insert("Tag").setValue("a", for: "label")
        }
        #expect(try store.read { try $0.count("Tag") } == 1)
    }

    @Test func aFullCacheOfStatementsDoesNotKeepASavepoint() throws {
        var options = PostgresOptions()
        options.maximumConnections = 1
        let store = try EngineStore().open(options: options)
        try store.write { context in
            for label in ["a", "b"] { try context.insert("Tag").setValue(label, for: "label") }
        }
        try store.read { context in
            for number in 0..<300 { _ = try context.rows("SELECT \(number) AS \"n\"") }
        }
        let error = #expect(throws: StoreError.self) {
            try store.write { try $0.insert("Tag").setValue("a", for: "label") }
        }
        #expect(error?.code == .notUnique)
        try store.read { context in
            for number in 300..<600 { _ = try context.rows("SELECT \(number) AS \"n\"") }
        }
        try store.write { context in
            let tags = try context.fetch("Tag")
            for (tag, label) in zip(tags, ["b", "a"]) { try tag.setValue(label, for: "label") }
        }
        let labels = try store.read { context in
            try context.fetch("Tag").map { try $0.value("label", as: String.self) }
        }
        #expect(labels == ["b", "a"])
    }

    // PgBouncer may share a connection in which another program has left one.
    @Test func temporaryTablesDoNotTakeThePlaceOfTheStores() throws {
        var options = PostgresOptions()
        options.maximumConnections = 1
        let place = try EngineStore()
        let engine = place.engine(options)
        let store = try place.open(engine)
        let tables = ["_transformable_store", "Tag"].map { "CREATE TEMP TABLE \"\($0)\" (id int8)" }
        try engine.pooled { try $0.run(script: tables.joined(separator: ";")) }
        try store.write { try $0.insert("Tag").setValue("a", for: "label") }
        #expect(try store.read { try $0.count("Tag") } == 1)
    }

    // Whenever a store is opened that has something to record, the server would log an error.
    @Test func aReadThatWouldChangeRowsDoesNotReachTheServer() throws {
        let engine = try EngineStore().engine()
        let sql = "UPDATE \"_transformable_store\" SET \"format\" = \"format\""
        let count = EngineStore.statements(engine) {
            let error = #expect(throws: StoreError(.readOnly, "")) { try engine.read { try $0.run(sql) } }
            #expect(error?.underlying == nil)
        }
        #expect(count == 0)
    }

    /// Without prepared statements, the server does not notice that a statement's columns have changed.
    @Test func columnsThatAnotherProgramDropsAreNoticed() throws {
        var options = PostgresOptions()
        options.usesTransactionPooling = true
        let place = try EngineStore()
        let store = try place.open(options: options)
        let connection = try PostgresServer.connect()
        let table = "\"\(place.schema)\".\"extra\""
        try connection.run(script: "CREATE TABLE \(table) AS SELECT 1::bigint AS a, 'x'::text AS b, 2::bigint AS c")
        let columns = { try store.read { try $0.rows("SELECT * FROM \"extra\"").map(\.columns) } }
        #expect(try columns() == [["a", "b", "c"]])
        try connection.run(script: "ALTER TABLE \(table) DROP COLUMN c")
        let error = #expect(throws: StoreError.self) { try columns() }
        #expect(error?.code == .transactionConflict)
        #expect(try columns() == [["a", "b"]])
    }

    /// The store remembers what the server said about the statement, so the error comes later than the first time.
    @Test func aStatementAboutATableThatAnotherProgramDropsIsInvalid() throws {
        let place = try EngineStore()
        let store = try place.open()
        let connection = try PostgresServer.connect()
        let table = "\"\(place.schema)\".\"extra\""
        try connection.run(script: "CREATE TABLE \(table) AS SELECT 1::bigint AS a")
        let count = { try store.read { try $0.rows("SELECT * FROM \"extra\"").count } }
        #expect(try count() == 1)
        try connection.run(script: "DROP TABLE \(table)")
        let error = #expect(throws: StoreError.self) { try count() }
        #expect(error?.code == .invalidStatement)
        #expect(error?.postgresError?.sqlState == "42P01")
    }

    /// The other program inserts the object after the block has looked for it.
    @Test(arguments: [false, true])
    func aBlockRunsAgainToFindTheObjectOfAnotherProgram(upserts: Bool) throws {
        let place = try EngineStore()
        let (store, other) = (try place.open(), try place.open())
        var runs = 0
        let isNew = try store.write { context in
            runs += 1
            let tag = try Self.tag("a", upserts: upserts, in: context)
            if runs == 1 { try Self.add("a", to: other) }
            return tag.isNew
        }
        #expect(!isNew && runs == 2)
        #expect(try store.read { try $0.count("Tag") } == 1)
    }

    @Test func anAwaitedBlockRunsAgainToFindTheObjectOfAnotherProgram() async throws {
        let place = try EngineStore()
        let (store, other) = (try place.open(), try place.open())
        let runs = Mutex(0)
        let isNew = try await store.write { context in
            let tag = try Self.tag("a", upserts: true, in: context)
            let isFirst = runs.withLock { runs in
                runs += 1
                return runs == 1
            }
            if isFirst { try Self.add("a", to: other) }
            return tag.isNew
        }
        #expect(!isNew && runs.withLock(\.self) == 2)
    }

    @Test(arguments: zip([false, true], [1, 2]))
    func aBlockWithADuplicateRunsAgainOnlyIfItHasLookedForAnObject(looks: Bool, runs: Int) throws {
        let store = try EngineStore().open()
        try Self.add("a", to: store)
        var count = 0
        let error = #expect(throws: StoreError.self) {
            try store.write { context in
                count += 1
                if looks { _ = try Self.tag("b", upserts: true, in: context) }
                try context.insert("Tag").setValue("a", for: "label")
            }
        }
        #expect(error?.code == .notUnique)
        #expect(count == runs)
    }

    private static func tag(
        _ label: String,
        upserts: Bool,
        in context: StoreContext
    ) throws -> (object: ManagedObject, isNew: Bool) {
        try upserts ? context.upsert("Tag", ["label": label]) : context.findOrInsert("Tag", ["label": label])
    }

    private static func add(_ label: String, to store: Store) throws {
        try store.write { try $0.insert("Tag").setValue(label, for: "label") }
    }

    @Test func awaitedReadEndsWithItsTask() async throws {
        let store = try EnginePlace(.postgres).open(EnginePlace.model())
        let task = Task {
            try await store.read { context in
                while true { _ = try context.count("Patient") }
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// The hook's statement waits for a lock until the task has been canceled.
    @Test(arguments: [false, true])
    func aCommittedWriteIsNotCanceled(readsOtherStore: Bool) async throws {
        let (place, other) = try (EngineStore(), EngineStore().open())
        let key = Int32.random(in: 1 ... .max)
        let sql = "SELECT pg_advisory_xact_lock(\(key))::text AS \"lock\""
        var hooks = EntityHooks()
        hooks.didSave = { item in
            _ = try readsOtherStore ? other.read { try $0.rows(sql) } : item.context.rows(sql)
        }
        let store = try Store(
            engine: place.engine(),
            model: EngineStore.model(),
            transformers: place.registry,
            options: .mustExist,
            hooks: ["Item": hooks]
        )
        let holder = try PostgresServer.connect()
        try holder.execute(PostgresStatement("SELECT pg_advisory_lock(\(key))"))
        let write = Task { try await store.write { _ = try $0.insert("Item") } }
        let waiting = PostgresStatement("SELECT FROM pg_locks WHERE NOT granted AND objid = \(key)")
        while try holder.execute(waiting) == 0 { try await Task.sleep(for: .milliseconds(5)) }
        write.cancel()
        try holder.execute(PostgresStatement("SELECT pg_advisory_unlock(\(key))"))
        try await write.value
        #expect(try await store.read { try $0.count("Item") } == 1)
    }
}
