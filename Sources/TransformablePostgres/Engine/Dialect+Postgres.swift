internal import TransformableModel
internal import TransformableStore

extension Dialect {
    private static let definitionTable = PostgresName.quoted(PostgresLayout.definitionTable)

    /// SQLite lists the indexes of text that is a primary key, those of the numbers within a tenant, and its table of
    /// sequences, and a seal covers that list.
    private static let definitions = """
        (SELECT "type", "name", "table" AS "tbl_name", "sql" FROM \(definitionTable)
        UNION ALL SELECT 'index', 'sqlite_autoindex_' || "name" || '_1', "name", NULL FROM \(definitionTable)
        WHERE "name" IN ('_transformable_blob', '_transformable_garbage')
        OR "type" = 'table' AND strpos("sql", 'UNIQUE ("_tenant", "_id")') > 0
        UNION ALL SELECT 'table', 'sqlite_sequence', 'sqlite_sequence', 'CREATE TABLE sqlite_sequence(name,seq)')
        AS "definitions"
        """

    static let postgres = Self(
        name: "PostgreSQL",
        features: [.externalPieces, .server, .tenantsInKeys],
        definitions: definitions,
        text: .postgres
    )
}

extension TextSQL {
    /// Columns of text have the collation “C”.
    static let postgres = Self(
        isASCII: { "octet_length(\($0)) = char_length(\($0))" },
        contains: { "strpos(\($0), \(.text($1))) > 0" },
        begins: range,
        ends: { "right(\($0), \(.integer(Int64($1.unicodeScalars.count)))) = \(.text($1))" },
        // Columns of other types are compared as well.
        mayDiffer: { "(\($0))::text IS NOT NFC NORMALIZED" }
    )

    /// Returns a range for a prefix, which is the same with the collation “C”.
    ///
    /// PostgreSQL uses an index for a prefix itself only from version 15 on.
    private static func range(_ column: SQLFragment, _ prefix: String) -> SQLFragment {
        guard let end = successor(of: prefix) else { return "\(column) >= \(.text(prefix))" }
        return "(\(column) >= \(.text(prefix)) AND \(column) < \(.text(end)))"
    }

    /// Returns the least text that is greater than all text with a prefix, or `nil` if there is none.
    private static func successor(of prefix: String) -> String? {
        var scalars = prefix.unicodeScalars
        while let last = scalars.popLast() {
            // Surrogates, which follow U+D7FF, are not scalars.
            guard let next = Unicode.Scalar(last.value == 0xD7FF ? 0xE000 : last.value + 1) else { continue }
            scalars.append(next)
            return String(scalars)
        }
        return nil
    }
}
