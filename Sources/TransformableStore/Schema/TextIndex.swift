/// The index of rows whose text may not be in Unicode's composed form, one for each indexed column of text.
///
/// Its condition uses only SQLite's own functions, so any other program can write to the table.
package enum TextIndex {
    /// Scalars that are unchanged in the composed form and do not combine with those before them: accented Latin
    /// letters.
    private static let latin: [ClosedRange<UInt32>] = [0x20...0x2FF]
    /// Greek, Cyrillic, Armenian, Kana, Chinese, and Hangul syllables.
    private static let common: [ClosedRange<UInt32>] = [
        0x388...0x482, 0x48A...0x590, 0x3000...0x3029, 0x3030...0x3098, 0x309B...0xA66E, 0xAC00...0xD7A3,
        0xFF00...0xFFEF,
    ]
    /// Hebrew, Arabic, and Devanagari letters, more Latin letters, symbols, and emoji.
    private static let others: [ClosedRange<UInt32>] = [
        0x5D0...0x60F, 0x61B...0x64A, 0x660...0x66F, 0x671...0x6D5, 0x904...0x939, 0x1E00...0x1EFF, 0x2002...0x20CF,
        0x2100...0x2125, 0x2127...0x2129, 0x212C...0x2328, 0x232B...0x2ADB, 0x2ADD...0x2CEE, 0xFE00...0xFE1F,
        0xFE30...0xFFFD, 0x1F000...0x1FBEF, 0x20000...0x2F7FF, 0x30000...0x323AF,
    ]

    /// Patterns of text with a scalar outside of these ranges, from the fastest to the most precise.
    private static let patterns = [latin, latin + common, latin + common + others].map(pattern)

    private static func pattern(_ ranges: [ClosedRange<UInt32>]) -> String {
        let set = ranges.map { range in
            [range.lowerBound, range.upperBound].compactMap(Unicode.Scalar.init).map(String.init).joined(separator: "-")
        }
        return "*[^\(set.joined())]*"
    }

    /// Returns a condition that is true for all text that is not composed, and for little else.
    ///
    /// Plain ASCII is recognized immediately.
    package static func mayDiffer(_ column: String) -> String {
        let hasOthers = patterns.map { "\(column) GLOB '\($0)'" }.joined(separator: " AND ")
        return """
            length(\(column)) <> length(CAST(\(column) AS BLOB)) AND (\(hasOthers) OR instr(\(column), char(0)))
            """
    }

    /// Returns the statements that create the missing indexes of an entity.
    static func statements(
        for entity: EntityDescription,
        _ attributes: [StoredAttribute],
        _ unique: [[String]],
        _ indexes: [[SortKey]]
    ) -> [String] {
        columns(attributes, unique, indexes).sorted()
            .map { name in
                """
                CREATE INDEX IF NOT EXISTS \(SQL.quoted(indexName(entity.name, name))) ON \(TableName(entity.name)) \
                (\(SQL.quoted(name))) WHERE \(mayDiffer(SQL.quoted(name)))
                """
            }
    }

    /// Creates the indexes that are missing in a file, such as one from an earlier version.
    ///
    /// A damaged table remains without these indexes. Its rows are found nevertheless, and a check of the store reports
    /// the damage. Unique groups that the file does not enforce yet get all of their indexes in its next migration.
    static func install(_ schema: StoreSchema, on connection: any EngineConnection) throws {
        let sql = """
            SELECT "name" FROM \(connection.dialect.definitions)
            WHERE "type" = 'index' AND substr("name", 1, \(prefix.utf8.count)) = '\(prefix)'
            """
        let present = Set(try connection.rows(sql, count: 1).compactMap { $0.text(0) })
        var known: UniqueIndexes?
        for entity in schema.entities {
            let isMissing = { (name: String) in !present.contains(indexName(entity.name, name)) }
            guard entity.indexedText.contains(where: isMissing) else { continue }
            let unique = try known ?? UniqueIndexes(on: connection)
            known = unique
            let groups = entity.uniqueGroups.filter { unique.contains($0, of: entity.name) }
            guard columns(entity.columns, groups, entity.indexLists).contains(where: isMissing) else { continue }
            for statement in statements(for: entity.description, entity.columns, groups, entity.indexLists) {
                do {
                    try connection.tables.define(statement)
                } catch let error as StoreError where error.code == .corruptFile {
                    continue
                }
            }
        }
    }

    /// The beginning of the names of these indexes.
    package static let prefix = "_text."

    /// Returns the name of an index, without quotation marks.
    static func indexName(_ entity: String, _ column: String) -> String {
        "\(prefix)\(entity).\(column)"
    }

    /// Returns the columns of text that are indexed.
    static func columns(
        _ attributes: [StoredAttribute],
        _ unique: [[String]],
        _ indexes: [[SortKey]]
    ) -> Set<String> {
        let grouped = Set(unique.joined()).union(indexes.joined().map(\.name))
        var columns: Set<String> = []
        for attribute in attributes where attribute.cell != nil {
            let description = attribute.description
            let isIndexed = description.isIndexed || description.isUnique || grouped.contains(attribute.name)
            if description.type == .string, isIndexed { columns.insert(attribute.name) }
            for projection in attribute.projections where projection.columnType == "TEXT" {
                let isIndexed = projection.description.isIndexed || grouped.contains(projection.name)
                if isIndexed { columns.insert(projection.name) }
            }
        }
        return columns
    }
}
