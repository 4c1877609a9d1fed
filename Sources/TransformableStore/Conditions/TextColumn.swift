/// Columns of text.
///
/// SQL compares bytes where Swift compares characters.
///
/// For text in Unicode's composed form (NFC), both orders are the same, and strings are equal if their bytes are. For
/// other text, which is rare, the composed form is compared.
enum TextColumn {
    /// Tests whether text is plain ASCII, so that each byte is a character.
    ///
    /// Text that contains a NUL is never considered plain.
    static func isASCII(_ text: SQLFragment) -> SQLFragment {
        "length(\(text)) = length(CAST(\(text) AS BLOB))"
    }

    /// Returns the composed form of text.
    ///
    /// Other content of a cell stays as it is.
    static func composed(_ text: SQLFragment) -> SQLFragment {
        let function = SQLFunction { cells in
            if case .text(let text) = cells[0] { .text(text.composed) } else { cells[0] }
        }
        return "CASE WHEN \(isASCII(text)) THEN \(text) ELSE \(function.call(text)) END"
    }

    /// Returns the expression to compare and sort by instead of a column.
    ///
    /// It is the column itself if an index shows that all of its text is in composed form.
    static func key(_ name: String, of scope: Scope, in context: StoreContext) throws -> SQLFragment {
        let column = scope.column(name)
        let isComposed = try scope.entity.indexedText.contains(name) && !hasOthers(name, of: scope.entity, in: context)
        return isComposed ? column : composed(column)
    }

    /// Returns a Boolean value that indicates whether the column of any row contains text that is not in composed form.
    static func hasOthers(_ name: String, of entity: StoredEntity, in context: StoreContext) throws -> Bool {
        let column = Scope(entity).column(name)
        let function = SQLFunction.deciding { cells in
            if case .text(let text) = cells[0] { !text.isComposed } else { false }
        }
        let sql: SQLFragment = """
            SELECT EXISTS (SELECT 1 FROM \(raw: entity.table) WHERE \(raw: TextIndex.mayDiffer(column.text)) \
            AND \(function.call(column)))
            """
        let statement = try context.database().statement(sql)
        defer { statement.reset() }
        return try statement.step() && statement.integer(0) == 1
    }
}
