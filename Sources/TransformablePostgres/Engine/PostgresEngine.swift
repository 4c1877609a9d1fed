internal import Foundation
internal import Synchronization
internal import TransformableModel
internal import TransformableStore

/// The engine of a store in a schema of a PostgreSQL database.
///
/// Each access takes a connection from a pool. One thread of the program writes at a time, and other programs write at the
/// same time.
final class PostgresEngine: Engine {
    /// What a store's header says: “TfmS”.
    static let application: Int64 = 0x5466_6D53

    private let pool: PostgresPool
    private let address: PostgresAddress
    private let options: PostgresOptions
    /// The schema's name.
    let schema: String
    /// How long to wait for another transaction's lock.
    private let lockTimeout: Duration
    private let writer = NSLock()
    private let readingThreads: AccessThreads
    private let writingThread = AccessThreads(count: 1)
    private let queue = DispatchQueue(label: "TransformablePostgres")
    private let isClosed = Mutex(false)
    /// The accesses that are in progress or wait for a connection.
    private let accesses = DispatchGroup()
    private let descriptions = StatementTable<String, PostgresDescription>()
    private let translations = StatementTable<String, String>()
    /// Statements that are limited to a tenant.
    let limitedTexts = StatementTable<LimitedStatement, PostgresText>()
    /// Whether the tables are distributed over the workers of Citus.
    let isDistributed: Bool
    /// The tables whose policies applied to the role when the store was opened, by the names that PostgreSQL gives them.
    let restrictedTables: Set<String>
    /// The keys of the tags of rows, or `nil` if there are none.
    let rowAuthenticator: RowAuthenticator?
    /// Statements that insert rows with tags, or `nil` for those without.
    let taggedTexts = StatementTable<String, TaggedText?>()
    /// What statements say about the rows that they check.
    private let rowTexts = StatementTable<String, RowText>()
    private let counter = Mutex<(@Sendable () -> Void)?>(nil)
    /// How often accesses have waited for the server's answer.
    let roundTrips = Atomic<Int>(0)
    /// The names of the sequences that number the rows of tables.
    let sequences = Mutex<[String: String]>([:])
    private let listener: PostgresListener

    init(
        _ address: PostgresAddress,
        schema: String,
        options: PostgresOptions,
        lockTimeout: Duration,
        isDistributed: Bool = false,
        restrictedTables: Set<String> = [],
        rowAuthenticator: RowAuthenticator? = nil,
        noteRefusal: @escaping @Sendable (StoreError) -> Void = { _ in }
    ) {
        self.rowAuthenticator = rowAuthenticator
        self.isDistributed = isDistributed
        self.restrictedTables = restrictedTables
        self.address = address
        self.schema = schema
        self.options = options
        self.lockTimeout = lockTimeout
        pool = PostgresPool(address, options: options)
        readingThreads = AccessThreads(count: options.maximumConnections)
        listener = PostgresListener(address, options, schema: schema, noteRefusal: noteRefusal)
    }

    var path: String { "\(address), schema \(schema)" }
    var dialect: Dialect { .postgres }
    var hasReaders: Bool { true }

    /// Returns the name of a table with its schema.
    func qualified(_ table: String) -> String {
        PostgresTable.name(table, in: PostgresName.quoted(schema))
    }

    private func withSession<Result>(_ body: (PostgresSession) throws -> Result) throws -> Result {
        try isClosed.withLock { isClosed in
            guard !isClosed else { throw StoreError.closed }
            accesses.enter()
        }
        defer { accesses.leave() }
        return try pool.withConnection { connection in
            // A hook after a commit, which nothing cancels, may use a second store.
            let cancellation = Interruption.isHeeded ? Cancellation.current : nil
            cancellation?.attach(connection)
            let before = connection.roundTrips
            defer {
                cancellation?.detach(connection)
                roundTrips.add(connection.roundTrips - before, ordering: .relaxed)
            }
            return try body(PostgresSession(self, connection))
        }
    }

    /// Runs a closure with a connection outside of a transaction.
    func pooled<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
        try pool.withConnection(body)
    }

    // A session adds the condition of a limited context to each statement, so all uses are the same.
    func read<Result>(for _: ConnectionUse, _ body: (any EngineConnection) throws -> Result) throws -> Result {
        try withSession { session in
            try session.readingOnly { try session.committing { try body(session) } }
        }
    }

    func write<Result>(for _: ConnectionUse, _ body: (any EngineConnection) throws -> Result) throws -> Result {
        writer.lock()
        defer { writer.unlock() }
        return try withSession(body)
    }

    func read<Result: Sendable>(
        for use: ConnectionUse,
        _ body: @escaping @Sendable (any EngineConnection) throws -> Result
    ) async throws -> Result {
        try await readingThreads.run(options) { [self] in try read(for: use, body) }
    }

    func write<Result: Sendable>(
        for use: ConnectionUse,
        _ body: @escaping @Sendable (any EngineConnection) throws -> Result
    ) async throws -> Result {
        try await writingThread.run { [self] in try write(for: use, body) }
    }

    func enqueue(_ body: @escaping @Sendable (any EngineConnection) -> Void) {
        queue.async { [self] in try? write { body($0) } }
    }

    func retrying<Result>(_ body: () throws -> Result) throws -> Result {
        var attempts = TransactionAttempts()
        while true {
            do {
                return try body()
            } catch let error as StoreError {
                try Thread.sleep(forTimeInterval: attempts.pause(after: error))
            }
        }
    }

    func retryingAwaited<Result>(_ body: () async throws -> Result) async throws -> Result {
        var attempts = TransactionAttempts()
        while true {
            do {
                return try await body()
            } catch let error as StoreError {
                try await Task.sleep(for: .seconds(attempts.pause(after: error)))
            }
        }
    }

    func askDataVersion(_ answer: @escaping @Sendable (Int64?) -> Void) {
        answer(listener.version())
    }

    func makeReader() -> (any Engine)? { nil }

    func copy(to path: String) throws -> any Engine {
        let remedy = "use Store.copy(from:schema:to:transformers:)"
        throw StoreError(.unsupported, "a store in PostgreSQL cannot be copied like a file; \(remedy)")
    }

    func close() {
        isClosed.withLock { $0 = true }
        listener.stop()
        accesses.wait()
        pool.close()
    }

    deinit {
        listener.stop()
    }
}

// MARK: - What sessions share

extension PostgresEngine {
    /// The schemas in which transactions look up names.
    ///
    /// An entity's table may be named like one of PostgreSQL's catalog, so the store's schema comes first. Temporary tables,
    /// which other programs may have left in a connection that PgBouncer shares, would come first if they were not named.
    var searchPath: String { "\(PostgresName.quoted(schema)), pg_catalog, pg_temp" }

    /// Begins a transaction, which does not wait for locks without end.
    ///
    /// The settings end with the transaction, so connections can be shared through PgBouncer.
    ///
    /// A transaction that changes tables waits for all others, and these wait for it. A snapshot from before the change
    /// would show new tables without their rows, so the lock comes before the snapshot.
    func begin(on connection: PostgresConnection, isExclusive: Bool) throws {
        if isDistributed {
            // What is set from here on concerns the workers, too: they have the rows that statements wait for.
            try connection.send(PostgresStatement("SET LOCAL citus.propagate_set_commands TO 'local'"))
        }
        let timeout = min(max(lockTimeout, .milliseconds(1)), .seconds(86_400)) / Duration.milliseconds(1)
        try connection.send(PostgresStatement("SET LOCAL lock_timeout TO \(Int(timeout))"))
        let mode = isExclusive ? "ACCESS EXCLUSIVE" : "ACCESS SHARE"
        let table = qualified("_transformable_store")
        try connection.send(PostgresStatement("LOCK TABLE \(table) IN \(mode) MODE"))
        if isDistributed, isExclusive {
            for setting in PostgresLayout.changeSettings { try connection.send(PostgresStatement(setting)) }
        }
        try connection.send(PostgresStatement(TenantPolicies.application))
    }

    /// Notifies other programs of a commit.
    func announce(on connection: PostgresConnection) throws {
        let statement = PostgresStatement("SELECT pg_notify($1, $2)", .text, .text)
        try connection.send(statement, [.text(listener.channel), .text(listener.sender)])
    }

    /// Lets observers look for what a commit may have changed.
    func noteUnknownOutcome() {
        listener.noteUnknownOutcome()
    }

    func translated(_ sql: String) -> String {
        translations.value(of: sql) { PostgresSQL.translated(sql, in: schema) }
    }

    /// Returns what a statement says about the rows that are to be checked.
    func rowText(_ sql: String) -> RowText {
        rowTexts.value(of: sql) { RowText(sql) }
    }

    func description(of sql: String, on connection: PostgresConnection) throws -> PostgresDescription {
        try descriptions.value(of: sql) { try connection.describe(sql) }
    }

    /// Forgets what the server said about statements, because tables may have changed.
    func forgetDescriptions() {
        descriptions.removeAll()
    }

    /// Forgets everything about tables, because they are changed.
    func forgetTables() {
        forgetDescriptions()
        sequences.withLock { $0 = [:] }
    }

    func countStatements(_ body: (@Sendable () -> Void)?) {
        counter.withLock { $0 = body }
    }

    func noteStatement() {
        counter.withLock(\.self)?()
    }
}

/// What an engine knows about a limited number of statements.
final class StatementTable<Statement: Hashable & Sendable, Value: Sendable>: Sendable {
    private static var capacity: Int { 2000 }

    private let values = Mutex<[Statement: Value]>([:])

    /// Returns the known value of a statement, or that of a closure, which is known from then on.
    func value(of statement: Statement, _ make: () throws -> Value) rethrows -> Value {
        if let value = values.withLock({ $0[statement] }) { return value }
        // Without the lock, because it may be the server that says it.
        let value = try make()
        values.withLock { values in
            if values.count >= Self.capacity { values = [:] }
            values[statement] = value
        }
        return value
    }

    func removeAll() {
        values.withLock { $0 = [:] }
    }
}
