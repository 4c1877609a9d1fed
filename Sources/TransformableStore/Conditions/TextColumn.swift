internal import Transformable

/// Columns of text.
///
/// SQL compares bytes where Swift compares characters.
///
/// For text in Unicode's composed form (NFC), both orders are the same, and strings are equal if their bytes are. If a
/// column contains other text, which is rare, the composed form is compared.
enum TextColumn {
    // A condition with more values may have too many for a statement.
    private static let mostValues = 1000

    /// Returns the expression to compare and sort by instead of a column: the column itself unless it contains text
    /// that is not in composed form.
    ///
    /// - Parameters:
    ///   - name: The column's name.
    ///   - scope: The scope of the objects.
    ///   - connection: The connection that compares.
    ///   - filter: A test that all objects to compare pass, or `nil` to look at all objects.
    /// - Returns: The expression.
    /// - Throws: `StoreError` if the column cannot be read.
    static func key(
        _ name: String,
        of scope: Scope,
        on connection: any EngineConnection,
        where filter: SQLFragment? = nil
    ) throws -> Expression {
        let column = Expression.sql(scope.column(name))
        return try hasOthers(name, of: scope.entity, on: connection, where: filter) ? composed(column) : column
    }

    /// Returns the composed form of text.
    ///
    /// Other content of a cell stays as it is.
    private static func composed(_ text: Expression) -> Expression {
        .swift([text]) { arguments in
            let value = try arguments[0]
            return if case .text(let text) = value { .text(text.composed) } else { value }
        }
    }

    /// Returns a Boolean value that indicates whether the column of any row contains text that is not in composed form.
    ///
    /// An indexed column has an index of the rows that may. Otherwise, only rows that pass the filter are looked at, because
    /// the table may have many more.
    static func hasOthers(
        _ name: String,
        of entity: StoredEntity,
        on connection: any EngineConnection,
        where filter: SQLFragment? = nil
    ) throws -> Bool {
        let name = name.composed
        guard let filter, !entity.indexedText.contains(name), filter.values.count <= mostValues else {
            return try hasOthers(name, in: entity.table, on: connection)
        }
        let column = SQL.quoted(name)
        let test = connection.dialect.text.mayDiffer(column)
        let sql: SQLFragment = "SELECT \(raw: column) FROM \(raw: entity.table) WHERE \(raw: test) AND (\(filter))"
        return try findsOther(connection.statement(sql))
    }

    static func hasOthers(_ name: String, in table: TableName, on connection: any EngineConnection) throws -> Bool {
        let column = SQL.quoted(name)
        let source = "FROM \(table) WHERE \(connection.dialect.text.mayDiffer(column))"
        // PostgreSQL expects such text in most rows, and would often rather read all of them than use the index. It counts
        // them with the index alone.
        if connection.dialect.has(.server), try connection.integer("SELECT count(*) \(source)") == 0 { return false }
        return try findsOther(connection.statement("SELECT \(column) \(source)", cached: false))
    }

    private static func findsOther(_ statement: any EngineStatement) throws -> Bool {
        defer { statement.reset() }
        while try statement.step() {
            if let text = statement.packedRow(from: 0, count: 1).text(0), !text.isComposed { return true }
        }
        return false
    }
}
