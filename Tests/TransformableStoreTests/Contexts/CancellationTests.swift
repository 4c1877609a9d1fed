import Foundation
import GRDB
import Synchronization
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Reads and writes that are awaited end when their task is canceled, wherever they are by then.
@Suite struct CancellationTests {
    private final class Flag: Sendable {
        private let value = Atomic(false)

        var isSet: Bool { value.load(ordering: .acquiring) }

        func set() { value.store(true, ordering: .releasing) }
    }

    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    private static let model = try? Model(entities: [EntityDescription("Note", attributes: [.string("text")])])

    private func store(_ isInMemory: Bool = false, _ options: Store.Options = Store.Options()) throws -> Store {
        let model = try #require(Self.model)
        let registry = try Transformers().registry()
        guard !isInMemory else { return try .inMemory(model: model, transformers: registry, options: options) }
        return try Store(at: folder.file(), model: model, transformers: registry, options: options)
    }

    /// A connection of another program.
    private func connection() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        return try DatabaseQueue(path: folder.file().path, configuration: configuration)
    }

    private static func wait(for flag: Flag) async throws {
        while !flag.isSet { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// Cancels a task soon after a flag is set, from a thread of its own: tasks may be far behind on a busy machine.
    private static func cancel<Success>(_ task: Task<Success, any Error>, after flag: Flag) {
        Thread.detachNewThread {
            while !flag.isSet { usleep(1000) }
            usleep(50_000)
            task.cancel()
        }
    }

    @Test(arguments: [false, true]) func aReadEndsAtTheNextRow(isInMemory: Bool) async throws {
        let store = try store(isInMemory)
        try await store.write { context in
            for number in 0..<2000 { try context.insert("Note").setValue("\(number)", for: "text") }
        }
        let hasBegun = Flag()
        let count = Mutex(0)
        let read = Task {
            try await store.read { context in
                try context.forEach("Note") { _ in
                    count.withLock { $0 += 1 }
                    hasBegun.set()
                    usleep(2000)
                }
            }
        }
        Self.cancel(read, after: hasBegun)
        await #expect(throws: CancellationError.self) { try await read.value }
        #expect(count.withLock(\.self) < 2000)
        #expect(try await store.read { try $0.count("Note") } == 2000)
    }

    @Test func aVisitOfPendingObjectsEndsAtTheNextOne() async throws {
        let model = try Model(entities: [EntityDescription("Note", attributes: [.string("text", .unique)])])
        let store = try Store.inMemory(model: model, transformers: Transformers().registry())
        let count = Mutex(0)
        let write = Task {
            try await store.write { context in
                // They cannot be written as long as they are equal.
                for _ in 0..<3 { try context.insert("Note").setValue("a", for: "text") }
                try context.forEach("Note") { _ in
                    count.withLock { $0 += 1 }
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
        }
        await #expect(throws: CancellationError.self) { try await write.value }
        #expect(count.withLock(\.self) == 1)
    }

    // A statement that runs for minutes without giving a row is interrupted by SQLite itself.
    @Test func aReadEndsWithinAStatement() async throws {
        let store = try store()
        let hasBegun = Flag()
        let read = Task {
            try await store.read { context in
                hasBegun.set()
                let sql = """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000000000)
                    SELECT count(*) FROM n
                    """
                return try context.rows(sql).count
            }
        }
        Self.cancel(read, after: hasBegun)
        await #expect(throws: CancellationError.self) { try await read.value }
    }

    @Test(arguments: [false, true]) func aWriteEndsAtTheNextObjectAndChangesNothing(isInMemory: Bool) async throws {
        let store = try store(isInMemory)
        let hasBegun = Flag()
        let count = Mutex(0)
        let write = Task {
            try await store.write { context in
                for number in 0..<10_000 {
                    try context.insert("Note").setValue("\(number)", for: "text")
                    count.withLock { $0 += 1 }
                    hasBegun.set()
                    usleep(1000)
                }
            }
        }
        Self.cancel(write, after: hasBegun)
        await #expect(throws: CancellationError.self) { try await write.value }
        #expect(count.withLock(\.self) < 10_000)
        #expect(try await store.read { try $0.count("Note") } == 0)
        try await store.write { try $0.insert("Note").setValue("after", for: "text") }
        #expect(try await store.read { try $0.count("Note") } == 1)
    }

    @Test func aWriteCanceledWhileSavingChangesNothing() async throws {
        let store = try store()
        let write = Task {
            try await store.write { context in
                for number in 0..<100 { try context.insert("Note").setValue("\(number)", for: "text") }
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await write.value }
        #expect(try await store.read { try $0.count("Note") } == 0)
    }

    @Test func aCommittedWriteIsNotCanceled() async throws {
        let isCommitted = Flag()
        var hooks = EntityHooks()
        hooks.didSave = { note in
            isCommitted.set()
            for _ in 0..<10_000 where !Task.isCancelled { usleep(1000) }
            #expect(Task.isCancelled)
            // SQLite interrupts only what runs at that moment.
            usleep(50_000)
            let found = try (note.value("text", as: String.self), note.context.count("Note"))
            #expect(found == ("a", 1))
        }
        let model = try #require(Self.model)
        let registry = try Transformers().registry()
        let store = try Store(at: folder.file(), model: model, transformers: registry, hooks: ["Note": hooks])
        let write = Task { try await store.write { try $0.insert("Note").setValue("a", for: "text") } }
        Self.cancel(write, after: isCommitted)
        try await write.value
        #expect(try await store.read { try $0.count("Note") } == 1)
    }

    @Test func aWaitingAccessLeavesTheQueueImmediately() async throws {
        let store = try store()
        let (hasBegun, mayEnd) = (Flag(), Flag())
        let first = Task {
            try await store.write { context in
                try context.insert("Note").setValue("first", for: "text")
                hasBegun.set()
                while !mayEnd.isSet { usleep(1000) }
            }
        }
        try await Self.wait(for: hasBegun)
        let second = Task {
            try await store.write { try $0.insert("Note").setValue("second", for: "text") }
        }
        try await Task.sleep(for: .milliseconds(50))
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        // The first one is still at work.
        #expect(!mayEnd.isSet)
        mayEnd.set()
        try await first.value
        #expect(try await store.read { try $0.count("Note") } == 1)
    }

    @Test func anAccessThatWaitsForAnotherProgramLeavesTheQueue() async throws {
        let store = try store(false, Store.Options(busyTimeout: .seconds(1200)))
        let other = try connection()
        let (hasBegun, mayEnd) = (Flag(), Flag())
        let holder = Task.detached {
            try other.inDatabase { database in
                try database.execute(sql: "BEGIN IMMEDIATE")
                hasBegun.set()
                while !mayEnd.isSet { usleep(1000) }
                try database.execute(sql: "ROLLBACK")
            }
        }
        try await Self.wait(for: hasBegun)
        let write = Task { try await store.write { try $0.insert("Note").setValue("a", for: "text") } }
        try await Task.sleep(for: .milliseconds(100))
        let start = ContinuousClock.now
        write.cancel()
        await #expect(throws: CancellationError.self) { try await write.value }
        #expect(ContinuousClock.now - start < .seconds(600))
        mayEnd.set()
        try await holder.value
    }

    // What is not awaited runs to its end: it may clean up after what was canceled.
    @Test func synchronousAccessIsNotCanceled() async throws {
        let store = try store()
        let work = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            func write() throws { try store.write { try $0.insert("Note").setValue("a", for: "text") } }
            try write()
        }
        try await work.value
        #expect(try await store.read { try $0.count("Note") } == 1)
    }

    // A task inherits from an awaited block that the block can be canceled, and can outlast the block.
    @Test func synchronousAccessInATaskThatOutlastsItsBlockIsNotCanceled() async throws {
        let other = try store(true)
        let store = try store()
        let work = try await store.write { _ in
            Task {
                while !Task.isCancelled { await Task.yield() }
                func write() throws { try other.write { try $0.insert("Note").setValue("a", for: "text") } }
                try write()
            }
        }
        work.cancel()
        try await work.value
        #expect(try await other.read { try $0.count("Note") } == 1)
    }

    @Test func aReaderInMemorySeesASnapshotWhileAWriterWorks() async throws {
        let store = try store(true)
        try await store.write { try $0.insert("Note").setValue("before", for: "text") }
        let (hasBegun, mayEnd) = (Flag(), Flag())
        let write = Task {
            try await store.write { context in
                try context.insert("Note").setValue("after", for: "text")
                try context.save()
                hasBegun.set()
                while !mayEnd.isSet { usleep(1000) }
            }
        }
        try await Self.wait(for: hasBegun)
        #expect(try await store.read { try $0.count("Note") } == 1)
        mayEnd.set()
        try await write.value
        #expect(try await store.read { try $0.count("Note") } == 2)
    }

    @Test func aStoreInMemoryLeavesNothing() throws {
        func folders() -> Set<String> {
            Set((try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")) ?? [])
        }
        var made: Set<String> = []
        do {
            let before = folders()
            let store = try store(true)
            try store.write { try $0.insert("Note").setValue("a", for: "text") }
            made = folders().subtracting(before)
            try store.close()
        }
        #expect(made.isDisjoint(with: folders()) || made.count > 1)
    }

    @Test(arguments: [false, true]) func openingDoesNotWaitForWriters(hasLog: Bool) throws {
        let first = try store()
        try first.write { try $0.insert("Note").setValue("a", for: "text") }
        try first.close()
        let other = try connection()
        try other.inDatabase { database in
            if hasLog { try database.execute(sql: "UPDATE Note SET text = 'a'") }
            try database.execute(sql: "BEGIN IMMEDIATE; UPDATE Note SET text = 'b'")
            let start = ContinuousClock.now
            let second = try store(false, Store.Options(busyTimeout: .seconds(20)))
            #expect(try second.read { try $0.first("Note")?.value("text", as: String.self) } == "a")
            let own = try Store(at: folder.file(), transformers: Transformers().registry())
            #expect(try own.read { try $0.count("Note") } == 1)
            #expect(ContinuousClock.now - start < .seconds(10))
            try own.close()
            try second.close()
            try database.execute(sql: "COMMIT")
        }
        try other.close()
        let third = try store()
        try third.write { try $0.insert("Note").setValue("c", for: "text") }
        #expect(try third.verify().isSound)
        #expect(try third.read { try $0.count("Note") } == 2)
    }
}
