internal import TransformableModel
internal import TransformableStore

/// A connection to the server, for the duration of one access.
final class PostgresSession: EngineConnection {
    let engine: PostgresEngine
    let connection: PostgresConnection
    private(set) var changedCount = 0
    private(set) var totalChangedCount = 0
    private var observers: [any TransactionEndObserver] = []
    /// Whether transactions are snapshots in which nothing can be written.
    private(set) var isReading = false
    /// What statements see of the tenants' rows.
    private(set) lazy var tenantSettings = PostgresTenantSettings(self)
    /// What changes tables, and takes part in each transaction.
    private(set) lazy var tableEditor = PostgresTableEditor(self)

    init(_ engine: PostgresEngine, _ connection: PostgresConnection) {
        self.engine = engine
        self.connection = connection
    }

    var path: String { engine.path }
    var dialect: Dialect { engine.dialect }
    var argumentLimit: Int { 100 }

    var lastInsertedNumber: Int64 { (try? integer("SELECT lastval()")) ?? 0 }

    // The server checks references at the end of a transaction, and says which one leads nowhere.
    var mayHaveDanglingReferences: Bool { false }

    var rowAuthenticator: RowAuthenticator? { engine.rowAuthenticator }

    var tables: any TableEditor { tableEditor }
    var pieces: (any PieceStorage)? { PostgresPieces(self) }
    var copier: (any RowCopier)? { self }
    var tenants: (any TenantLimiter)? { tenantSettings }

    func statement(_ sql: String, cached isCached: Bool) -> any EngineStatement {
        PostgresQuery(text(sql), on: self)
    }

    func ownStatement(_ sql: String) throws -> any EngineStatement {
        let text = text(sql)
        do {
            return PostgresQuery(text, try description(of: text.sql), on: self)
        } catch let error as StoreError {
            throw error.ofOwnStatement
        }
    }

    func cell(_ column: String, of table: String, number: Int64) throws(StoreError) -> any EngineCell {
        throw StoreError(.unsupported, "reading a value in pieces is not supported by a store in PostgreSQL")
    }

    func notify(_ observer: any TransactionEndObserver) {
        observers.append(observer)
    }

    func countStatements(_ body: (@Sendable () -> Void)?) {
        engine.countStatements(body)
    }

    func readingOnly<Result>(_ body: () throws -> Result) throws -> Result {
        let wasReading = isReading
        isReading = true
        defer { isReading = wasReading }
        guard connection.isInTransaction, !wasReading else { return try body() }
        return try refusingChanges(body)
    }

    /// Runs a closure in a part of a transaction in which the server refuses changes.
    ///
    /// The changes that were made before are not part of it.
    private func refusingChanges<Result>(_ body: () throws -> Result) throws -> Result {
        try connection.send(PostgresStatement("SAVEPOINT \"_reading\""))
        try connection.send(PostgresStatement("SET LOCAL transaction_read_only TO on"))
        let result: Result
        do {
            result = try body()
        } catch {
            // A transaction that has failed as a whole no longer has a savepoint.
            Interruption.ignored { try? allowChanges(after: ["ROLLBACK TO \"_reading\""]) }
            throw error
        }
        // Locks and settings of the statement stay until the end of the transaction.
        try Interruption.ignored { try allowChanges() }
        return result
    }

    /// Ends the part of the transaction, after which the server accepts changes as before.
    private func allowChanges(after statements: [String] = []) throws {
        // The rest of a result may have failed.
        if !statements.isEmpty { try? connection.finishStream() }
        try located {
            _ = try connection.pipeline { pipeline in
                for sql in statements + ["RELEASE \"_reading\""] { try pipeline.add(PostgresStatement(sql)) }
            }
        }
    }
}

@available(*, unavailable)
extension PostgresSession: Sendable {}

// MARK: - Statements

extension PostgresSession {
    /// Returns a statement of the store in PostgreSQL's SQL.
    func text(_ sql: String) -> PostgresText {
        let tagged = engine.tagged(sql)
        let sql = tagged?.sql ?? sql
        var text = tenantSettings.limited(sql) ?? PostgresText(sql: engine.translated(sql))
        text.tag = tagged
        return text
    }

    /// Returns the values of a statement's parameters, among them the tenant and the tag of a new row.
    func cells(_ values: [ColumnValue], for text: PostgresText) throws -> [ColumnValue] {
        let owner = tenantSettings.owner
        let values = try text.tag.map { values + [try engine.tag(of: values[...], by: $0, owner)] } ?? values
        guard text.takesTenant, let tenant = owner else { return values }
        return [.integer(tenant)] + values
    }

    func description(of sql: String) throws -> PostgresDescription {
        guard connection.isInTransaction else { return try committing { try description(of: sql) } }
        return try located { try engine.description(of: sql, on: connection) }
    }

    /// Runs a statement, whose rows are received as they are asked for.
    ///
    /// Outside of a transaction, it is a transaction of its own, and all rows are received at once.
    func run(_ sql: String, _ cells: [ColumnValue]) throws -> PostgresRows {
        if sql.hasPrefix("ROLLBACK TO") { tableEditor.invalidate() }
        guard connection.isInTransaction else {
            return try committing {
                let rows = try run(sql, cells)
                try located { try connection.finishStream() }
                return rows
            }
        }
        try requireWriting(for: sql)
        let description = try description(of: sql)
        guard cells.count == description.parameters.count else {
            let count = description.parameters.count
            throw StoreError(.misuse, "the statement has \(count) parameters, not \(cells.count)")
        }
        let parameters = try zip(cells, description.parameters).map { try PostgresParameter($0, as: $1) }
        let statement = PostgresStatement(sql, parameters: parameters.map(\.type))
        let values = parameters.map(\.value)
        engine.noteStatement()
        return try located {
            guard description.columns.isEmpty else {
                let tenant = tenantSettings.tenant
                let checker = try engine.rowAuthenticator.flatMap { keys in
                    try RowChecker(engine.rowText(sql), description.columns, keys, of: tenant)
                }
                return try PostgresRows(statement, values, description.columns, checker, on: connection)
            }
            noteChanges(try connection.execute(statement, values))
            return PostgresRows()
        }
    }

    /// Sends a statement without waiting for its answer.
    ///
    /// The server refuses everything after a statement that fails, so nothing is done that should not be.
    func change(
        _ sql: String,
        _ cells: [ColumnValue],
        _ completion: @escaping (Result<Int, any Error>) throws -> Void
    ) throws {
        let text = text(sql)
        try requireWriting(for: text.sql)
        let parameters = try zip(self.cells(cells, for: text), description(of: text.sql).parameters)
            .map { try PostgresParameter($0, as: $1) }
        let statement = PostgresStatement(text.sql, parameters: parameters.map(\.type))
        let bound = try self.bound(parameters.map(\.value), for: statement, completion)
        engine.noteStatement()
        let step = PipelineStep(completion: { [self] result in
            if case .success(let count) = result { noteChanges(count) }
            try completion(result.mapError { ($0 as? StoreError).map(engine.namingConstraint(of:)) ?? $0 })
        })
        try located { try connection.send(statement, bound, step) }
    }

    /// Throws an error if a statement changes rows, and the transaction only reads.
    ///
    /// A store first tries to open without changing anything. The server refuses the statement as well, but then it also
    /// logs an error.
    private func requireWriting(for sql: String) throws(StoreError) {
        guard isReading, ["INSERT ", "UPDATE ", "DELETE "].contains(where: sql.hasPrefix) else { return }
        throw StoreError(.readOnly, "the transaction only reads")
    }

    /// Returns the values of a statement, and passes an error to a closure that says which row it is about.
    private func bound(
        _ values: [PostgresValue],
        for statement: PostgresStatement,
        _ completion: (Result<Int, any Error>) throws -> Void
    ) throws -> BoundParameters {
        do {
            return try BoundParameters(values, for: statement)
        } catch {
            try completion(.failure(error))
            throw error
        }
    }

    func settle() throws {
        guard !connection.steps.isEmpty else { return }
        try located { _ = try connection.pipeline { _ in } }
    }

    /// Records that a statement has changed rows.
    func noteChanges(_ count: Int) {
        changedCount = count
        totalChangedCount += count
    }

    /// Says in an error of the server which entity and attribute it is about, and ends a canceled task.
    ///
    /// Once the server has refused to show the rows of all tenants, nothing that is read afterward is complete.
    func located<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            let result = try body()
            try tenantSettings.requireNoRefusal()
            return result
        } catch let error as StoreError {
            if error.code == .canceled, Interruption.isRequested { throw CancellationError() }
            if error.code == .transactionConflict { engine.forgetDescriptions() }
            throw engine.namingConstraint(of: error)
        }
    }
}

// MARK: - Transactions

extension PostgresSession {
    /// The error that rolls back a transaction that succeeded.
    private struct RolledBack: Error {}

    /// Checks the references that the server would check at the commit, which does not take place.
    private func checkReferences() throws {
        guard !isReading else { return }
        try connection.execute(PostgresStatement("SET CONSTRAINTS ALL IMMEDIATE"))
    }

    /// How the current transaction is isolated from others.
    ///
    /// One that writes is serializable: the store's rules, such as the number of related objects, hold no matter what
    /// other transactions do at the same time. One that changes tables keeps the others out. Citus changes its own tables
    /// along with them, on connections of its own, which would be conflicts on the workers.
    private var isolation: PostgresIsolation {
        isReading ? .snapshot : tableEditor.isChanging && engine.isDistributed ? .readCommitted : .serializable
    }

    /// Runs a closure in a transaction.
    func transaction(_ kind: EngineTransaction.Kind?, _ body: () throws -> EngineTransaction.Completion) throws {
        let before = totalChangedCount
        tableEditor.prepareForTransaction()
        tenantSettings.forgetTransaction()
        defer {
            observers = []
            tableEditor.endTransaction()
        }
        do {
            try located {
                try connection.transaction(isolation, searchPath: engine.searchPath) {
                    try engine.begin(on: connection, isExclusive: tableEditor.isChanging)
                    try tableEditor.begin()
                    try tenantSettings.apply()
                    let completion = try body()
                    try tenantSettings.requireNoRefusal()
                    guard completion == .commit else {
                        try checkReferences()
                        throw RolledBack()
                    }
                    try tableEditor.finish()
                    for observer in observers { try observer.willCommit() }
                    // The changes are counted when they are answered.
                    if totalChangedCount == before { try connection.awaitCompletions() }
                    if totalChangedCount > before { try engine.announce(on: connection) }
                }
            }
        } catch {
            for observer in observers { observer.didRollBack() }
            if (error as? StoreError)?.code == .outcomeUnknown { engine.noteUnknownOutcome() }
            guard error is RolledBack else { throw error }
            return
        }
        // A cancellation comes too late for what follows the commit of a write.
        if !isReading { Cancellation.current?.detach(connection) }
        for observer in observers { observer.didCommit(on: self) }
    }
}
