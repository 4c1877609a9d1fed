internal import Foundation

/// The bytes that a store's seal covers: everything that determines how values are read and written.
///
/// The encryption plugin's article on the sealed format describes each of them.
struct SealMessage {
    /// A part of the message: the rows of a query.
    struct Section {
        let name: String
        let columns: [String]
        /// The number of columns that identify a row.
        let keyCount: Int
        private let source: String

        /// - Parameters:
        ///   - name: The section's name.
        ///   - columns: The columns of each row.
        ///   - source: The source of the rows, and their order.
        ///   - keyCount: The number of columns that identify a row.
        fileprivate init(name: String, columns: [String], source: String, keyCount: Int = 1) {
            self.name = name
            self.columns = columns
            self.keyCount = keyCount
            self.source = source
        }

        /// Returns the query in the SQL of an engine.
        func sql(in dialect: Dialect) -> String {
            let source = name == "schema" ? "\(dialect.definitions) \(source)" : source
            return "SELECT \(columns.map(SQL.quoted).joined(separator: ", ")) FROM \(source)"
        }
    }

    static let label = Data("transformable store seal 1".utf8)

    static let sections = [
        Section(
            name: "store",
            columns: ["id", "uuid", "format", "model_version"],
            source: "\"_transformable_store\" ORDER BY \"id\""
        ),
        Section(
            name: "model",
            columns: ["version", "json"],
            source: "\"_transformable_model\" ORDER BY \"version\""
        ),
        Section(
            name: "entity",
            columns: ["id", "name", "state"],
            source: "\"_transformable_entity\" ORDER BY \"id\""
        ),
        Section(
            name: "attribute",
            columns: ["id", "entity", "name", "column", "type", "expression", "signature", "state"],
            source: "\"_transformable_attribute\" ORDER BY \"id\""
        ),
        Section(
            name: "projection",
            columns: ["id", "attribute", "name", "column", "expression", "fingerprint", "keys", "state"],
            source: "\"_transformable_projection\" ORDER BY \"id\""
        ),
        Section(
            name: "job",
            columns: ["id", "kind", "state", "detail"],
            source: "\"_transformable_job\" ORDER BY \"id\""
        ),
        Section(
            name: "schema",
            columns: ["type", "name", "tbl_name", "sql"],
            // The statistics of ANALYZE affect only how fast rows are found.
            source: """
                WHERE NOT ("type" = 'table' AND "name" IN ('sqlite_stat1', 'sqlite_stat4'))
                ORDER BY "type", "name", "tbl_name", "sql"
                """,
            keyCount: 2
        ),
    ]

    let bytes: Data
    let store: UUID

    /// Creates a message from the tables of the file.
    init(counter: Int64, _ tables: SealedTables) throws {
        guard let store = tables["store"].first?.text(1).flatMap(UUID.init(uuidString:)) else {
            throw StoreError.damagedMetadata()
        }
        var bytes = Array(Self.label)
        bytes.append(.integer, UInt64(bitPattern: counter))
        for section in Self.sections {
            let rows = tables[section.name]
            bytes.append(.text, UInt64(section.name.utf8.count))
            bytes.append(contentsOf: section.name.utf8)
            bytes.append(.integer, UInt64(rows.count))
            for row in rows {
                for index in section.columns.indices { bytes.append(row, index) }
            }
        }
        self.bytes = Data(bytes)
        self.store = store
    }
}

extension [UInt8] {
    /// Appends a cell: the number of its SQLite type, followed by 8 bytes for a number, or by the byte count and the
    /// bytes.
    fileprivate mutating func append(_ row: PackedRow, _ index: Int) {
        let kind = row.kind(index)
        switch kind {
        case .null: append(kind.rawValue)
        case .integer: append(kind, UInt64(bitPattern: row.integer(index)))
        case .real: append(kind, row.real(index).bitPattern)
        case .text, .blob:
            row.lend(index) { content in
                append(kind, UInt64(content.count))
                unsafe content.withUnsafeBytes { unsafe append(contentsOf: $0) }
            }
        }
    }

    fileprivate mutating func append(_ kind: PackedRow.Kind, _ number: UInt64) {
        append(kind.rawValue)
        unsafe Swift.withUnsafeBytes(of: number.littleEndian) { unsafe append(contentsOf: $0) }
    }
}
