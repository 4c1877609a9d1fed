/// The database behind a store.
///
/// An engine lends its connections: any number of them to readers, and one at a time to a writer. The store renders SQL
/// and knows nothing else about an engine.
package protocol Engine: AnyObject, Sendable {
    /// Where the database is, for messages.
    var path: String { get }
    /// What the database can do.
    var dialect: Dialect { get }
    /// Whether readers have connections of their own, so that they never wait for the writer.
    var hasReaders: Bool { get }

    /// Lends a connection that reads a snapshot.
    func read<Result>(for use: ConnectionUse, _ body: (any EngineConnection) throws -> Result) throws -> Result
    func read<Result: Sendable>(
        for use: ConnectionUse,
        _ body: @escaping @Sendable (any EngineConnection) throws -> Result
    ) async throws -> Result

    /// Lends the connection that writes, outside of a transaction.
    func write<Result>(for use: ConnectionUse, _ body: (any EngineConnection) throws -> Result) throws -> Result
    func write<Result: Sendable>(
        for use: ConnectionUse,
        _ body: @escaping @Sendable (any EngineConnection) throws -> Result
    ) async throws -> Result

    /// Lends the connection that writes, as soon as it is free, without waiting, to what names no tables of rows.
    func enqueue(_ body: @escaping @Sendable (any EngineConnection) -> Void)

    /// Opens one more connection that only reads, or returns `nil` if there can be only one connection.
    func makeReader() throws -> (any Engine)?

    /// Calls a closure with a number that changes whenever another connection commits, as soon as it is known.
    ///
    /// The closure gets `nil` if the database cannot be asked.
    func askDataVersion(_ answer: @escaping @Sendable (Int64?) -> Void)

    /// Copies the database to a file, which is empty.
    ///
    /// - Parameter path: The file's path.
    /// - Returns: The engine of the copy.
    /// - Throws: `StoreError` if the copy cannot be made.
    func copy(to path: String) throws -> any Engine

    /// Rewrites the file so that it contains nothing but its rows, unless the database is on a server.
    ///
    /// - Throws: `StoreError` if the file cannot be written.
    func rewriteFile() throws

    /// Runs a closure that reads or writes, and runs it again if another transaction was in its way and it had no effect.
    func retrying<Result>(_ body: () throws -> Result) throws -> Result
    func retryingAwaited<Result>(_ body: () async throws -> Result) async throws -> Result

    /// Closes all connections, once the accesses that are in progress have ended.
    func close() throws
}

/// What a connection is lent for.
package enum ConnectionUse: Sendable {
    /// A context that is limited to rows (``TenantViews``), or statements that use no tables of rows. The names of tables
    /// may lead to the rows of the last context.
    case limitedContext
    /// Everything else. The names of tables lead to the tables themselves.
    case tables
}

extension Engine {
    package func read<Result>(_ body: (any EngineConnection) throws -> Result) throws -> Result {
        try read(for: .tables, body)
    }

    package func write<Result>(_ body: (any EngineConnection) throws -> Result) throws -> Result {
        try write(for: .tables, body)
    }

    package func rewriteFile() {}

    // An engine whose writers wait for each other runs everything once.
    package func retrying<Result>(_ body: () throws -> Result) throws -> Result { try body() }
    package func retryingAwaited<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await body()
    }

    /// Runs a closure in a transaction that writes, which is rolled back if the closure throws an error.
    package func transact<Result>(_ body: (any EngineConnection) throws -> Result) throws -> Result {
        try write { connection in try connection.committing(.immediate) { try body(connection) } }
    }

    /// Runs a closure in such a transaction, which also changes tables.
    package func changeTables<Result>(_ body: (any EngineConnection) throws -> Result) throws -> Result {
        try write { connection in
            try connection.tables.changing { try connection.committing(.immediate) { try body(connection) } }
        }
    }
}
