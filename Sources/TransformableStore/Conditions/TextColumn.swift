/// Columns of text in SQL, which compares bytes where Swift compares characters.
///
/// Text in Unicode's composed form (NFC) is in the same order either way, and equal if its bytes are. Of other text,
/// which is rare, the composed form is compared.
enum TextColumn {
    /// Whether text is plain ASCII, so that each byte is a character; nothing of it is text with a NUL.
    static func isASCII(_ text: SQLFragment) -> SQLFragment {
        "length(\(text)) = length(CAST(\(text) AS BLOB))"
    }

    /// The composed form of text; whatever else a cell holds stays as it is.
    static func composed(_ text: SQLFragment) -> SQLFragment {
        let function = SQLFunction { cells in
            if case .text(let text) = cells[0] { .text(text.composed) } else { cells[0] }
        }
        return "CASE WHEN \(isASCII(text)) THEN \(text) ELSE \(function.call(text)) END"
    }

    /// What to compare and to sort by instead of a column: the column itself where an index shows that all of its
    /// text is composed.
    static func key(_ name: String, of scope: Scope, in context: StoreContext) throws -> SQLFragment {
        let column = scope.column(name)
        let isComposed = try scope.entity.indexedText.contains(name) && !hasOthers(name, of: scope.entity, in: context)
        return isComposed ? column : composed(column)
    }

    /// Whether some row has text in a column that is not composed.
    static func hasOthers(_ name: String, of entity: StoredEntity, in context: StoreContext) throws -> Bool {
        let column = Scope(entity).column(name)
        let function = SQLFunction.deciding { cells in
            if case .text(let text) = cells[0] { !text.isComposed } else { false }
        }
        let sql: SQLFragment = """
            SELECT EXISTS (SELECT 1 FROM \(raw: entity.table) WHERE \(raw: TextIndex.mayDiffer(column.text)) \
            AND \(function.call(column)))
            """
        let statement = try SQLStatement(sql, on: context.database())
        defer { statement.reset() }
        return try statement.step() && statement.integer(0) == 1
    }
}
