internal import TransformableStore

/// The tables of a store in a schema of a PostgreSQL database.
///
/// Names and numbers are those of the store's file, so that a copy in either direction has the same bytes. These tables
/// are added:
///
/// - `_transformable_chunk` has the bytes of blobs, in pieces.
/// - `_transformable_schema` has the statements that the file's tables were created with. They are what a seal covers,
///   along with the metadata.
/// - `_transformable_sequence` has the highest numbers that the file's tables have ever had.
/// - `_transformable_copy` is there while a copy is unfinished.
struct PostgresLayout: Sendable {
    /// The schema's name.
    let name: String
    let tables: [PostgresTable]
    /// The tables that the file does not have.
    let own: [PostgresTable]
    /// Whether any rows belong to tenants.
    let hasTenants: Bool

    /// The number of bytes in each piece of a blob but the last.
    static let chunkSize = 1 << 18

    static let blobTable = "_transformable_blob"
    static let garbageTable = "_transformable_garbage"
    static let chunkTable = "_transformable_chunk"
    static let definitionTable = "_transformable_schema"
    static let sequenceTable = "_transformable_sequence"
    static let journalTable = "_transformable_copy"

    init(_ tables: [TableDescription], in name: String, _ distribution: PostgresDistribution = .none) {
        self.name = name
        let hasTenants = tables.contains(where: \.belongsToTenants)
        let table = { (raw: TableDescription) in
            let hasPieces = hasTenants && [Self.blobTable, Self.chunkTable].contains(raw.name)
            return PostgresTable(raw, in: name, hasPieces: hasPieces, isDistributed: distribution == .byTenant)
        }
        self.hasTenants = hasTenants
        self.tables = tables.map(table)
        own = [Self.chunks, Self.definitions, Self.sequences, Self.journal].map(table)
    }

    /// The schema's name as a quoted identifier.
    var schema: String { PostgresName.quoted(name) }

    /// Returns one of the tables.
    func table(_ name: String) -> PostgresTable? { (tables + own).first { $0.raw.name == name } }

    /// Returns the full name of a table.
    func name(of table: String) -> String { PostgresTable.name(table, in: schema) }

    /// The statements that create the tables, into which rows can then be copied.
    var creation: [String] {
        // The bytes of a blob are often compressed or encrypted already.
        let storage = "ALTER TABLE \(name(of: Self.chunkTable)) ALTER COLUMN \"bytes\" SET STORAGE EXTERNAL"
        return (tables + own).flatMap(\.creation) + [storage]
    }

    /// The statements that add references and triggers, once the tables have rows.
    var references: [String] {
        let isOwned = table(Self.chunkTable)?.isOwned == true
        let chunks = Self.chunkReference(in: schema, isOwned: isOwned)
        let permission = isOwned ? [Self.triggerPermission] : []
        let triggers = tables.flatMap { table in table.externalColumns.flatMap(table.blobTriggers) }
        return tables.flatMap(\.referenceCreation) + [chunks] + permission + triggers
    }

    /// The name of the reference from pieces to the external value that they are part of.
    static let chunkReferenceName = "_reference.\(chunkTable).blob"

    /// Returns the statement that adds the reference from pieces to their external value.
    ///
    /// The value is recorded before its pieces, so this reference need not wait for the end of the transaction. With
    /// pending checks, PostgreSQL would not change the table, and Citus cannot run them early on the workers.
    ///
    /// - Parameters:
    ///   - schema: The schema's name as a quoted identifier.
    ///   - isOwned: Whether each piece belongs to a tenant.
    /// - Returns: The statement.
    static func chunkReference(in schema: String, isOwned: Bool) -> String {
        """
        ALTER TABLE \(PostgresTable.name(chunkTable, in: schema)) \
        ADD CONSTRAINT \(PostgresName.quoted(chunkReferenceName)) \
        FOREIGN KEY ("blob"\(isOwned ? ", \(PostgresTable.tenant)" : "")) \
        REFERENCES \(PostgresTable.name(blobTable, in: schema)) ON DELETE CASCADE
        """
    }
}

// MARK: - Tables that the file does not have

extension PostgresLayout {
    private static let chunks = TableDescription(
        chunkTable,
        .metadata,
        columns: [
            .init("blob", .uuid, isRequired: true),
            .init("index", .integer, isRequired: true),
            .init("bytes", .bytes, isRequired: true),
        ],
        key: ["blob", "index"]
    )

    private static let definitions = TableDescription(
        definitionTable,
        .metadata,
        columns: [
            .init("id", .integer, isRequired: true),
            .init("type", .text, isRequired: true),
            .init("name", .text, isRequired: true),
            .init("table", .text, isRequired: true),
            .init("sql", .text, isRequired: true),
        ],
        key: ["id"]
    )

    private static let sequences = TableDescription(
        sequenceTable,
        .metadata,
        columns: [.init("table", .text, isRequired: true), .init("number", .integer, isRequired: true)],
        key: ["table"]
    )

    private static let journal = TableDescription(
        journalTable,
        .metadata,
        columns: [
            .init("table", .text, isRequired: true),
            .init("after", .text, isRequired: true),
            .init("rows", .integer, isRequired: true),
            .init("done", .attribute(.boolean), isRequired: true),
        ],
        key: ["table"]
    )
}
