/// The connection that a context uses, with its prepared statements and the numbers of new objects.
///
/// The context of a block has a connection from the beginning to the end of the block. A context for editing borrows one
/// whenever it needs one.
final class ContextConnection {
    private let store: Store
    private let views: TenantViews
    private let isEditing: Bool
    private let hasExclusiveWriter: Bool
    private var connection: (any EngineConnection)?
    private var statements: [String: any EngineStatement] = [:]
    // By the positions of the entities.
    private var insertions: [(any EngineStatement)?]
    // The highest numbers that were taken since the context was connected.
    private var lastNumbers: [Int64?]
    // The numbers that were reserved in the current transaction.
    private var reserved: TransactionNumbers?
    // Whether a context for editing is saving.
    private var isInTransaction = false
    /// The tables that a view of pending changes replaces, or `nil` if no fetch uses such views.
    private(set) var overlaidTables: Set<TableName>?

    init(_ store: Store, _ scope: TenantScope, _ connection: (any EngineConnection)?, isEditing: Bool) {
        self.store = store
        views = TenantViews(schema: store.schema, scope: scope)
        self.connection = connection
        self.isEditing = isEditing
        isPipelined = store.engine.dialect.has(.server)
        hasExclusiveWriter = store.engine.dialect.has(.exclusiveWriter)
        insertions = Array(repeating: nil, count: store.schema.entities.count)
        lastNumbers = Array(repeating: nil, count: store.schema.entities.count)
    }

    var isConnected: Bool { connection != nil }

    /// Whether statements that change rows are sent without waiting for each of them.
    let isPipelined: Bool

    /// Whether there is no file, as for objects that are encoded on a separate thread.
    var isDetached: Bool { connection == nil && !isEditing }

    /// Whether the connection can only read.
    private var isReading: Bool { isEditing && isConnected && !isInTransaction && store.engine.hasReaders }

    /// Returns the current connection.
    func current() throws(StoreError) -> any EngineConnection {
        guard let connection else { throw Self.disconnected }
        return connection
    }

    static var disconnected: StoreError {
        StoreError(.misuse, "an object or context is used after its block has ended, or in a bulk insertion")
    }

    /// Calls a closure with a connection: the one in use by the context, or else a borrowed one.
    func use<Result>(_ body: (any EngineConnection) throws -> Result) throws -> Result {
        if let connection { return try body(connection) }
        return try use(nil, body)
    }

    /// Calls a closure with the given connection, or with a borrowed one if there is none.
    func use<Result>(_ own: (any Engine)?, _ body: (any EngineConnection) throws -> Result) throws -> Result {
        guard isEditing else { throw Self.disconnected }
        return try store.borrow(own, for: views.scope.use) { connection in
            self.connection = connection
            defer { disconnect() }
            return try keepingNumbers(connection) { try views.run(on: connection) { try body(connection) } }
        }
    }

    /// Calls a closure in a transaction that is committed unless it throws.
    ///
    /// - Parameters:
    ///   - didCommit: A closure that is called after the commit, before another transaction can begin.
    ///   - body: A closure that writes.
    /// - Returns: The result of the closure.
    /// - Throws: `StoreError`, and errors thrown by the closure.
    func transact<Result>(didCommit: () -> Void, _ body: () throws -> Result) throws -> Result {
        try store.borrowForWriting(for: views.scope.use) { connection in
            self.connection = connection
            isInTransaction = true
            defer {
                isInTransaction = false
                disconnect()
            }
            let result = try keepingNumbers(connection) {
                try connection.committing {
                    try store.watch.check(store.schema, on: connection)
                    return try views.run(on: connection, body)
                }
            }
            didCommit()
            return result
        }
    }

    private func disconnect() {
        forgetStatements()
        guard isEditing else { return }
        connection = nil
        lastNumbers = Array(repeating: nil, count: lastNumbers.count)
    }

    /// Ends the use of the connection at the end of a block.
    func end() {
        disconnect()
        connection = nil
    }
}

@available(*, unavailable)
extension ContextConnection: Sendable {}

// MARK: - Statements

extension ContextConnection {
    /// Returns a statement from the connection's cache.
    ///
    /// It must run to its end before it is needed again.
    func statement(_ sql: String) throws -> any EngineStatement {
        if let statement = statements[sql] { return statement }
        let statement = try current().statement(sql)
        statements[sql] = statement
        return statement
    }

    /// Returns the statement that inserts a row, without hashing its text each time.
    func insertion(_ entity: StoredEntity) throws -> any EngineStatement {
        if let statement = insertions[entity.index] { return statement }
        let statement = try statement(entity.statements.insert)
        insertions[entity.index] = statement
        return statement
    }

    /// Runs a closure while views of pending changes replace some tables.
    func overlaying<Result>(_ tables: Set<TableName>, _ body: () throws -> Result) rethrows -> Result {
        overlaidTables = tables
        defer { overlaidTables = nil }
        return try body()
    }

    /// Runs a closure whose statements see pending changes.
    func overlaying<Result>(_ pending: PendingExpressions, _ body: () throws -> Result) throws -> Result {
        let (own, prepared) = (try current(), statements)
        connection = PendingConnection(own, pending)
        statements = [:]
        defer { (connection, statements) = (own, prepared) }
        return try overlaying(pending.tables, body)
    }

    func isOverlaid(_ entity: StoredEntity) -> Bool { overlaidTables?.contains(entity.table) == true }

    func forgetStatements() {
        statements = [:]
        insertions = Array(repeating: nil, count: insertions.count)
    }
}

// MARK: - Numbers of new objects

extension ContextConnection {
    /// Returns the first of several consecutive numbers for new objects.
    func nextNumbers(_ count: Int, of entity: StoredEntity) throws -> Int64 {
        guard takesNumbersInMemory else {
            return try store.nextNumbers(count, entity, on: reservingConnection, whileReading: isReading)
        }
        return try takeNumbers(count, of: entity)
    }

    /// Returns a number for a new object.
    func nextNumber(_ entity: StoredEntity) throws -> Int64 {
        guard takesNumbersInMemory else {
            return try reservedNumber(entity)
        }
        return try takeNumbers(1, of: entity)
    }

    /// Returns a number that others cannot take, which was reserved before or in the current transaction.
    private func reservedNumber(_ entity: StoredEntity) throws -> Int64 {
        guard let connection = reservingConnection else {
            return try store.nextNumber(entity, whileReading: isReading)
        }
        let known = reserved.flatMap { $0.hasEnded ? nil : $0 }
        // Objects are in the order of their numbers, so a number of the transaction's own comes before those of others.
        if known?.hasNumbers(of: entity) != true, let number = store.numbers.take(entity) { return number }
        let numbers = known ?? TransactionNumbers(store.numbers, on: connection)
        reserved = numbers
        return try numbers.next(entity, on: connection)
    }

    /// Whether the connection keeps everyone else from reserving numbers.
    private var takesNumbersInMemory: Bool {
        hasExclusiveWriter && (!isEditing || isConnected && !isReading)
    }

    /// The connection to reserve numbers on, or `nil` to borrow one.
    private var reservingConnection: (any EngineConnection)? { isEditing && !isInTransaction ? nil : connection }

    /// Reserves numbers for new objects, and returns the first.
    ///
    /// They are reserved in memory. The transaction keeps other writers out, and SQLite records the highest number when
    /// the rows are written.
    func takeNumbers(_ count: Int, of entity: StoredEntity) throws -> Int64 {
        let last = try lastNumber(of: entity)
        guard last < Int64.max - Int64(count) else { throw NumberReserve.exhausted(entity) }
        lastNumbers[entity.index] = last + Int64(count)
        return last + 1
    }

    /// Returns the highest number that an object of the entity has ever had.
    func lastNumber(of entity: StoredEntity) throws -> Int64 {
        let connection = try current()
        return try lastNumbers[entity.index] ?? connection.lastNumber(of: entity.name)
    }

    /// Runs a closure, and records the numbers that it took, because objects that are still pending have them.
    ///
    /// A transaction that is committed has recorded them itself.
    private func keepingNumbers<Result>(_ connection: any EngineConnection, _ body: () throws -> Result) throws
        -> Result
    {
        do {
            let result = try body()
            if !isInTransaction { try recordNumbers(on: connection) }
            return result
        } catch {
            try? recordNumbers(on: connection)
            throw error
        }
    }

    private func recordNumbers(on connection: any EngineConnection) throws {
        guard lastNumbers.contains(where: { $0 != nil }) else { return }
        try Interruption.ignored {
            try connection.committing {
                for (entity, taken) in zip(store.schema.entities, lastNumbers) {
                    let recorded = try connection.lastNumber(of: entity.name)
                    guard let taken, taken > recorded else { continue }
                    _ = try NumberReserve.take(taken - recorded, of: entity, on: connection)
                }
            }
        }
    }
}
