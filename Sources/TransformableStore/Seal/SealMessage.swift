internal import Foundation
internal import GRDB

/// The bytes that a store's seal covers: everything that determines how values are read and written.
///
/// The encryption plugin's article on the sealed format describes each of them.
struct SealMessage {
    /// A part of the message: the rows of a query.
    struct Section {
        let name: String
        let columns: [String]
        /// The source of the rows, and their order.
        let source: String
        /// The number of columns that identify a row.
        var keyCount = 1

        fileprivate var sql: String {
            "SELECT \(columns.map(SQL.quoted).joined(separator: ", ")) FROM \(source)"
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
                "sqlite_master" WHERE NOT ("type" = 'table' AND "name" IN ('sqlite_stat1', 'sqlite_stat4'))
                ORDER BY "type", "name", "tbl_name", "sql"
                """,
            keyCount: 2
        ),
    ]

    let bytes: Data
    let store: UUID

    /// Creates a message from the current content of the file.
    init(counter: Int64, on database: Database) throws {
        var bytes = Self.label
        var store: UUID?
        bytes.append(sealed: .integer(counter))
        for section in Self.sections {
            let rows = try SQLStatement.rows(section.sql, count: section.columns.count, on: database)
            bytes.append(sealed: .text(section.name))
            bytes.append(sealed: .integer(Int64(rows.count)))
            if section.name == "store" { store = rows.first?.text(1).flatMap(UUID.init(uuidString:)) }
            for row in rows {
                for index in section.columns.indices { bytes.append(sealed: row.value(index)) }
            }
        }
        guard let store else {
            throw StoreError(.corruptFile, "the store's metadata is damaged")
        }
        self.bytes = bytes
        self.store = store
    }
}

extension Data {
    /// Appends a value: the number of its SQLite type, followed by 8 bytes for a number, or by the byte count and the
    /// bytes.
    fileprivate mutating func append(sealed value: ColumnValue) {
        switch value {
        case .null: append(PackedRow.Kind.null.rawValue)
        case .integer(let number): append(.integer, UInt64(bitPattern: number))
        case .real(let number): append(.real, number.bitPattern)
        case .text(let text): append(.text, Data(text.utf8))
        case .brokenText(let bytes): append(.text, bytes)
        case .blob(let bytes): append(.blob, bytes)
        }
    }

    private mutating func append(_ kind: PackedRow.Kind, _ bytes: Data) {
        append(kind, UInt64(bytes.count))
        append(bytes)
    }

    private mutating func append(_ kind: PackedRow.Kind, _ number: UInt64) {
        append(kind.rawValue)
        for shift in stride(from: UInt64(0), to: 64, by: 8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
}
