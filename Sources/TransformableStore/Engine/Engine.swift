/// The database behind a store.
///
/// An engine lends its connections: any number of them to readers, and one at a time to a writer. The store renders SQL
/// and knows nothing else about an engine.
protocol Engine: AnyObject, Sendable {
    /// Where the database is, for messages.
    var path: String { get }
    /// Whether readers have connections of their own, so that they never wait for the writer.
    var hasReaders: Bool { get }

    /// Lends a connection that reads a snapshot.
    func read<Result>(_ body: (any EngineConnection) throws -> Result) throws -> Result
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (any EngineConnection) throws -> Result
    ) async throws -> Result

    /// Lends the connection that writes, outside of a transaction.
    func write<Result>(_ body: (any EngineConnection) throws -> Result) throws -> Result
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (any EngineConnection) throws -> Result
    ) async throws -> Result

    /// Lends the connection that writes, as soon as it is free, without waiting.
    func enqueue(_ body: @escaping @Sendable (any EngineConnection) -> Void)

    /// Opens one more connection that only reads, or returns `nil` if there can be only one connection.
    func makeReader() throws -> (any Engine)?

    /// Copies the database to a file, which is empty.
    ///
    /// - Parameter path: The file's path.
    /// - Returns: The engine of the copy.
    /// - Throws: `StoreError` if the copy cannot be made.
    func copy(to path: String) throws -> any Engine

    /// Closes all connections.
    func close() throws
}

extension Engine {
    /// Runs a closure in a transaction that writes, which is rolled back if the closure throws an error.
    func transact<Result>(_ body: (any EngineConnection) throws -> Result) throws -> Result {
        try write { connection in try connection.committing(.immediate) { try body(connection) } }
    }
}
