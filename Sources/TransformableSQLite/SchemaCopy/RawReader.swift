package import Foundation
package import TransformableModel
package import TransformableStore

/// Reads the tables of a store's file as they are, without decoding anything.
///
/// Everything is read from one snapshot. A reader is valid only inside the closure that it was passed to.
package final class RawReader {
    /// The store's own tables: metadata first, then objects, pairs, and what migrations have set aside.
    package let tables: [TableDescription]
    /// The tables that someone else has added to the file.
    package let others: [String]
    /// The numbers of dropped entities, by the tables with their objects.
    package let droppedEntities: [String: Int64]
    private let connection: any EngineConnection
    private let store: Store

    fileprivate init(_ store: Store, _ connection: any EngineConnection) throws {
        self.store = store
        self.connection = connection
        let all = try CatalogReader(connection)
        (tables, others) = try all.all()
        droppedEntities = all.aside
    }

    /// Returns the statements that the store's own tables, their indexes, and their triggers were created with.
    package func definitions() throws -> [RawDefinition] {
        let own = Set(tables.map(\.name))
        return try Self.definitions(on: connection).filter { own.contains($0.table) }
    }

    /// Returns the statements that some tables, or all, were created with.
    static func definitions(of tables: [String]? = nil, on connection: any EngineConnection) throws -> [RawDefinition] {
        let marks = tables.map { Array(repeating: "?", count: $0.count).joined(separator: ", ") }
        let sql = """
            SELECT "type", "name", "tbl_name", "sql" FROM "sqlite_master" WHERE "sql" IS NOT NULL
            AND "name" NOT GLOB 'sqlite_*'\(marks.map { " AND \"tbl_name\" IN (\($0))" } ?? "") ORDER BY "rowid"
            """
        return try connection.rows(sql, (tables ?? []).map(ColumnValue.text), count: 4).map { RawDefinition($0) }
    }

    /// Returns the highest numbers that tables have ever had.
    package func sequences() throws -> [RawSequence] {
        let own = Set(tables.map(\.name))
        return
            try connection.rows(
                "SELECT \"name\", CAST(\"seq\" AS INTEGER) FROM \"sqlite_sequence\" ORDER BY \"name\"",
                count: 2
            )
            .map { RawSequence(table: $0.text(0) ?? "", number: $0.integer(1)) }
            .filter { own.contains($0.table) }
    }

    /// Returns the rows of a table in the order of their keys.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - key: The key of the row before the first one, or an empty array for all rows.
    /// - Returns: The rows. The cells of each are those of the table's columns.
    /// - Throws: `StoreError` if the file cannot be read.
    package func rows(of table: TableDescription, after key: [ColumnValue] = []) throws -> RawRows {
        let columns = table.columns.map { SQL.quoted($0.name) }.joined(separator: ", ")
        let order = table.key.map(SQL.quoted).joined(separator: ", ")
        let marks = key.map { _ in "?" }.joined(separator: ", ")
        let start = key.isEmpty ? "" : " WHERE (\(order)) > (\(marks))"
        let sql = "SELECT \(columns) FROM \(SQL.main(TableName(table.name)))\(start) ORDER BY \(order)"
        let statement = try connection.statement(sql, cached: false)
        try statement.bind(key)
        return RawRows(statement, count: table.columns.count)
    }

    /// Returns the tenant of an object in a table of objects of tenants, or `nil` if there is no such object.
    package func tenant(of number: Int64, in table: TableDescription) throws -> Int64? {
        let name = SQL.main(TableName(table.name))
        let sql = "SELECT \(TenantColumn.name) FROM \(name) WHERE \"_id\" = ?"
        return try connection.rows(sql, [.integer(number)], count: 1).first?.integer(0)
    }

    /// Returns the tenants of all objects in a table that a migration has set aside, which has no index.
    package func tenants(in table: TableDescription) throws -> [Int64: Int64] {
        let sql = "SELECT \"_id\", \(TenantColumn.name) FROM \(SQL.main(TableName(table.name)))"
        let rows = try connection.rows(sql, count: 2).map { ($0.integer(0), $0.integer(1)) }
        return Dictionary(rows) { first, _ in first }
    }

    /// Throws an error if an object refers to one that does not exist.
    ///
    /// - Throws: `StoreError` with the code `dangling-reference`.
    package func requireReferences() throws {
        try store.requireReferences(on: connection)
    }

    /// Returns the file of a blob, or `nil` if it is missing.
    ///
    /// - Parameter uuid: The blob's UUID.
    /// - Returns: What reads the file.
    /// - Throws: `StoreError` if the file cannot be opened.
    package func blob(_ uuid: UUID) throws -> BlobReader? {
        try store.blobReader(uuid)
    }
}

@available(*, unavailable)
extension RawReader: Sendable {}

/// The rows of a table.
package final class RawRows {
    private let statement: any EngineStatement
    private let count: Int

    fileprivate init(_ statement: any EngineStatement, count: Int) {
        self.statement = statement
        self.count = count
    }

    deinit {
        statement.reset()
    }

    /// Returns the next row, or `nil` at the end.
    package func next() throws -> PackedRow? {
        try statement.step() ? statement.packedRow(from: 0, count: count) : nil
    }
}

@available(*, unavailable)
extension RawRows: Sendable {}

extension Store {
    /// Reads the store's tables as they are, from one snapshot, concurrently with readers and writers.
    ///
    /// - Parameter body: A closure that reads.
    /// - Returns: The result of the closure.
    /// - Throws: `StoreError` if the file cannot be read or another program has migrated it, or with the code
    ///   `unsupported` if the store is on a server, and errors thrown by the closure.
    package func readRaw<Result>(_ body: (RawReader) throws -> Result) throws -> Result {
        try borrow { connection in
            guard !connection.dialect.has(.server) else {
                let remedy = "copy it to a file first, with Store.copy(from:schema:to:transformers:)"
                throw StoreError(.unsupported, "only a file can be copied to a database; \(remedy)")
            }
            return try body(RawReader(self, connection))
        }
    }
}
