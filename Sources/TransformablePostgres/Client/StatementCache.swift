/// The statements that a connection has prepared, and the names that the server knows them by.
struct StatementCache {
    /// The server keeps the plan of every prepared statement in memory.
    private static let capacity = 256

    private struct Entry {
        let name: String
        var lastUse: Int
    }

    private var entries: [PostgresStatement: Entry] = [:]
    private var clock = 0
    // Behind a pooler, such as PgBouncer, a process of the server may also know the statements of other programs.
    private let prefix = "t" + String(UInt64.random(in: .min ... .max), radix: 36)

    /// Returns the name of a prepared statement.
    mutating func name(of statement: PostgresStatement) -> String? {
        clock += 1
        entries[statement]?.lastUse = clock
        return entries[statement]?.name
    }

    /// Returns the name for a statement that is about to be prepared.
    ///
    /// A name is used neither twice nor by other connections.
    mutating func add(_ statement: PostgresStatement) -> String {
        clock += 1
        let name = "\(prefix)_\(clock)"
        entries[statement] = Entry(name: name, lastUse: clock)
        return name
    }

    mutating func remove(_ statement: PostgresStatement) {
        entries[statement] = nil
    }

    mutating func removeAll() {
        entries = [:]
    }

    /// Makes room for another statement, and returns the name of one to be forgotten by the server.
    mutating func evict() -> String? {
        guard entries.count >= Self.capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
        else { return nil }
        entries[oldest.key] = nil
        return oldest.value.name
    }
}
