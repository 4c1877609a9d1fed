internal import TransformableModel
internal import TransformableStore

/// The record of how far a copy to PostgreSQL has come, in a table of its own.
///
/// It is written along with the rows that it is about, so that a copy that was interrupted can go on.
struct CopyJournal {
    /// How far the copy of a table has come.
    struct Entry: Hashable {
        /// The key of the last row, or an empty string before the first one.
        var after = ""
        var rows: Int64 = 0
        var isDone = false
    }

    /// The entry that is done when all tables are complete, with their indexes and references.
    static let whole = ""

    private let table: String
    private let connection: PostgresConnection

    init(_ layout: PostgresLayout, _ connection: PostgresConnection) {
        table = layout.name(of: PostgresLayout.journalTable)
        self.connection = connection
    }

    /// Returns all entries.
    func entries() throws -> [String: Entry] {
        let sql = "SELECT \"table\", \"after\", \"rows\", \"done\" FROM \(table)"
        let rows = try connection.rows(PostgresStatement(sql)) { row in
            (
                try row.value(0, as: String.self),
                Entry(after: try row.value(1), rows: try row.value(2), isDone: try row.value(3))
            )
        }
        return Dictionary(rows) { first, _ in first }
    }

    /// Adds the entries of a new copy.
    func begin(_ tables: [String], done: Set<String>) throws {
        let insert = PostgresStatement("INSERT INTO \(table) VALUES ($1, '', 0, $2)", .text, .bool)
        _ = try connection.pipeline { pipeline in
            for name in tables + [Self.whole] { try pipeline.add(insert, [.text(name), .bool(done.contains(name))]) }
        }
    }

    /// Locks an entry until the end of the transaction.
    ///
    /// - Throws: `StoreError` with the code `busy` if another program has written it since it was read, or keeps it
    ///   locked.
    func lock(_ name: String, _ entry: Entry) throws {
        try connection.limitWaits()
        let sql = "SELECT \"rows\", \"done\" FROM \(table) WHERE \"table\" = $1 FOR UPDATE"
        do {
            let found = try connection.rows(PostgresStatement(sql, .text), [.text(name)]) { row in
                try row.value(0, as: Int64.self) == entry.rows && row.value(1, as: Bool.self) == entry.isDone
            }
            guard found == [true] else { throw StoreError.copiedTwice }
        } catch let error as StoreError where error.concernsMissingName {
            // The other program has just finished the copy.
            throw StoreError.copiedTwice
        }
    }

    /// Records how far the copy of a table has come.
    func advance(_ name: String, to entry: Entry) throws {
        let sql = "UPDATE \(table) SET \"after\" = $2, \"rows\" = $3, \"done\" = $4 WHERE \"table\" = $1"
        let update = PostgresStatement(sql, .text, .text, .int8, .bool)
        try connection.execute(update, [.text(name), .text(entry.after), .int8(entry.rows), .bool(entry.isDone)])
    }

    /// Removes the table, which makes the copy a store.
    ///
    /// Another program that has compared both sides at the same time may have removed it already.
    func end() throws { try connection.run(script: "DROP TABLE IF EXISTS \(table)") }
}

extension StoreError {
    static let copiedTwice = Self(
        .busy,
        "another program is copying to the same schema; wait until it has finished"
    )
}

extension CopyJournal.Entry {
    /// Returns the key of the last row, as the cells of the columns that identify a row of a table.
    func key(of table: TableDescription) -> [ColumnValue] {
        guard !after.isEmpty else { return [] }
        let isUUID = table.columns.first { $0.name == table.key.first }?.content == .uuid
        guard !isUUID else { return [.text(after)] }
        return after.split(separator: " ").compactMap { Int64($0).map(ColumnValue.integer) }
    }

    /// Returns the text of a key.
    static func text(_ key: [ColumnValue]) -> String {
        key.map { cell in
            switch cell {
            case .integer(let number): String(number)
            case .text(let text): text
            default: ""
            }
        }
        .joined(separator: " ")
    }
}
