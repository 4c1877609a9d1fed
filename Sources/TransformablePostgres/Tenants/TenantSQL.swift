internal import TransformableStore

/// A statement of the store in PostgreSQL's SQL.
struct PostgresText: Sendable {
    let sql: String
    /// Whether the first parameter is the current tenant.
    var takesTenant = false
    /// How the last parameter is computed, if it is the tag of a new row.
    var tag: TaggedText?
}

/// Limits statements to the rows of the current tenant, or to shared objects.
///
/// Row-level security hides the other rows in any case, except in a migration. With the condition in the statement, the
/// server finds the rows by an index, and Citus sends the statement to the one server that has them.
struct TenantSQL {
    let tables: [TenantTable]
    /// The schema's name.
    let schema: String
    /// Whether the tables have no rows, because there is no tenant.
    var hidesAll = false

    /// Returns a statement whose tables have only rows of the tenant.
    ///
    /// A common table expression with a table's name takes precedence over the table. PostgreSQL merges it into the
    /// statement. A statement that changes rows compares the tenant itself.
    func limited(_ sql: String) -> PostgresText {
        let statement = hidesAll ? sql : sql.replacing(TenantColumn.current, with: "?0::bigint")
        let parts = isQuery(statement) ? tables.flatMap { expressions(for: $0, in: statement) } : []
        let text = parts.isEmpty ? statement : merged(parts.joined(separator: ", "), statement)
        let takesTenant = !hidesAll && text.contains("?0")
        guard takesTenant || !parts.isEmpty else { return PostgresText(sql: PostgresSQL.translated(text, in: schema)) }
        let options = PostgresSQL.Options(shift: takesTenant ? 1 : 0, schema: schema, hasVisibleRows: true)
        return PostgresText(sql: PostgresSQL.translated(text, options), takesTenant: takesTenant)
    }

    /// Returns a Boolean value that indicates whether a statement returns rows.
    ///
    /// One of a program's own may begin with a comment.
    private func isQuery(_ sql: String) -> Bool {
        let first = FirstWord(of: sql[...])
        return ["SELECT", "VALUES", "WITH"].contains(first.text) || first.text.isEmpty && first.rest.first == "("
    }

    /// Adds expressions before those that a statement has.
    private func merged(_ expressions: String, _ sql: String) -> String {
        let first = FirstWord(of: sql[...])
        guard first.text == "WITH" else { return "WITH \(expressions) \(sql)" }
        let second = FirstWord(of: first.rest)
        guard second.text == "RECURSIVE" else {
            return "WITH \(expressions), \(first.rest.drop(while: \.isWhitespace))"
        }
        return "WITH RECURSIVE \(expressions), \(second.rest)"
    }

    /// Returns the expressions for a table that a statement names, either with the context's pending changes or without.
    private func expressions(for table: TenantTable, in sql: String) -> [String] {
        let visible = TenantColumn.view(table.name).description
        let others = sql.replacing("temp.\(visible)", with: "").replacing("main.\(table.name)", with: "")
        var found = names(table.name.name, others) && !defines(table, sql) ? [table.name.description] : []
        if sql.contains("temp.\(visible)") { found.append(visible) }
        let columns = table.columns.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ", ")
        let condition = hidesAll ? "false" : "\(TenantColumn.name) = ?0::bigint"
        let rows = "SELECT \(columns) FROM main.\(table.name) WHERE \(condition)"
        return found.map { "\($0) AS NOT MATERIALIZED (\(rows))" }
    }

    /// Returns a Boolean value that indicates whether a statement contains a name that is not part of a longer one.
    private func names(_ name: String, _ sql: String) -> Bool {
        let isPart = { (character: Character?) in character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false }
        return sql.ranges(of: name)
            .contains { range in
                !isPart(sql[..<range.lowerBound].last) && !isPart(sql[range.upperBound...].first)
            }
    }

    /// Returns a Boolean value that indicates whether a statement begins with an expression for a table's pending rows.
    private func defines(_ table: TenantTable, _ sql: String) -> Bool {
        FirstWord(of: sql[...]).text == "WITH"
            && ["\"_id\"", "\"first\""].contains { sql.contains("\(table.name) (\($0)") }
    }
}
