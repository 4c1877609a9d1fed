internal import TransformableStore

/// A summary of the SQLite file of a Core Data store.
///
/// The tables of Core Data are not documented, but the parts that are read here have never changed: `Z_METADATA`
/// contains the store's UUID, and `Z_PRIMARYKEY` contains the entities. The objects of an entity and of its children
/// are in the table `ZNAME` of their topmost ancestor.
package struct CoreDataSummary: Sendable {
    /// An entity with objects of its own, and their number, or `nil` if its table cannot be read.
    package struct Entity: Sendable {
        package let name: String
        package let parent: String?
        package let count: Int?
    }

    private static let entityLimit = 2000
    // Numbers from here on are those of the history of changes, whose tables have other names.
    private static let firstHistoryEntity: Int64 = 16_000

    private struct Record {
        let number: Int64
        let parent: Int64
        let name: String
    }

    /// The store's UUID.
    package let uuid: String
    package let entities: [Entity]
    /// Why not all of the write-ahead log is read, or `nil` if there is no reason to think so.
    package private(set) var logNote: String?

    /// Reads a file without changing it or creating files next to it.
    ///
    /// Returns `nil` if it is not a Core Data store or cannot be read.
    ///
    /// - Parameter path: The file.
    package init?(path: String) {
        guard let file = try? ForeignFile(path: path) else { return nil }
        defer { file.close() }
        guard let found = try? file.read({ try Self($0) }) else { return nil }
        self = found
        logNote = try? file.logNote()
    }

    private init(_ reader: ForeignReader) throws {
        let tables = try reader.tables()
        guard tables["Z_METADATA"] != nil, tables["Z_PRIMARYKEY"] != nil,
            let uuid = try reader.rows("SELECT \"Z_UUID\" FROM \"Z_METADATA\"", count: 1, limit: 1).first?.text(0)
        else { throw StoreError(.notAStore, "the file is not a Core Data store") }
        self.uuid = uuid
        let sql = "SELECT \"Z_ENT\", \"Z_SUPER\", \"Z_NAME\" FROM \"Z_PRIMARYKEY\" NOT INDEXED"
        let list = try reader.rows(sql, count: 3, limit: Self.entityLimit)
            .compactMap { row -> Record? in
                guard row.kind(0) == .integer, row.integer(0) < Self.firstHistoryEntity, let name = row.text(2) else {
                    return nil
                }
                return Record(number: row.integer(0), parent: row.isNull(1) ? 0 : row.integer(1), name: name)
            }
            .sorted { $0.number < $1.number }
        let known = Dictionary(list.map { ($0.number, $0) }) { first, _ in first }
        let counts = Self.counts(Dictionary(grouping: list) { Self.table(of: $0, known) }, tables, reader)
        entities = list.map { record in
            Entity(name: record.name, parent: known[record.parent]?.name, count: counts[record.number])
        }
    }

    /// Returns the table of an entity's topmost ancestor.
    private static func table(of record: Record, _ known: [Int64: Record]) -> String {
        var root = record
        // This ends even if the parents form a cycle.
        for _ in known {
            guard let parent = known[root.parent] else { break }
            root = parent
        }
        return "Z\(root.name.uppercased())"
    }

    /// Counts the objects of each entity, in one pass over each table.
    ///
    /// The tables of a damaged file can lead to the same pages, so all of them together must not have more rows than fit
    /// into the file.
    private static func counts(
        _ families: [String: [Record]],
        _ tables: [String: [ForeignReader.Column]],
        _ reader: ForeignReader
    ) -> [Int64: Int] {
        var counts: [Int64: Int] = [:]
        var rest = reader.rowLimit
        for (table, members) in families.sorted(by: { $0.key < $1.key }) {
            // SQLite would take the name of a missing column for a string.
            guard tables[table]?.contains(where: { $0.name == "Z_ENT" }) == true else { continue }
            var found = Dictionary(members.map { ($0.number, 0) }) { first, _ in first }
            let sql = "SELECT \"Z_ENT\" FROM \(SQL.quoted(table)) NOT INDEXED"
            let pass: Void? = try? reader.forEachRow(sql, count: 1) { row in
                rest -= 1
                if row.kind(0) == .integer { found[row.integer(0)]? += 1 }
                return rest >= 0
            }
            guard pass != nil, rest >= 0 else { continue }
            counts.merge(found) { first, _ in first }
        }
        return counts
    }
}
