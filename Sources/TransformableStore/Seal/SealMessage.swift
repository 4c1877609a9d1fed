internal import Foundation
internal import GRDB

/// What the seal of a store covers, as bytes: all that decides how values are read and written.
///
/// The article on the sealed format of the encryption plugin describes each of them.
struct SealMessage {
    /// A part of the message: the rows of one query.
    struct Section {
        let name: String
        let columns: [String]
        /// Where the rows come from, and their order.
        let source: String
        /// How many columns name a row.
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
            // What ANALYZE leaves decides how fast rows are found, and nothing else.
            source: """
                "sqlite_master" WHERE NOT ("type" = 'table' AND "name" IN ('sqlite_stat1', 'sqlite_stat4'))
                ORDER BY "type", "name", "tbl_name", "sql"
                """,
            keyCount: 2
        ),
    ]

    let bytes: Data
    let store: UUID

    /// Reads what the file says now.
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
            throw StoreError(.corruptFile, "the store's description of itself is damaged")
        }
        self.bytes = bytes
        self.store = store
    }
}

extension Data {
    /// Appends a value: SQLite's number for its kind, then 8 bytes of a number, or the count of bytes and these.
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
