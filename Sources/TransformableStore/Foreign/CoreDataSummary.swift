internal import Foundation

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
    // Counting stops here, so that it ends even if the file is damaged.
    package static let countLimit = 10_000_000

    /// The store's UUID.
    package let uuid: String
    package let entities: [Entity]

    /// Reads a file without changing it or creating files next to it.
    ///
    /// Returns `nil` if it is not a Core Data store or cannot be read.
    ///
    /// - Parameter path: The file.
    package init?(path: String) {
        guard let engine = try? StoreFile.foreignEngine(path) else { return nil }
        defer { try? engine.close() }
        guard let found = try? engine.read({ try Self(on: $0) }) else { return nil }
        self = found
    }

    private init(on database: any EngineConnection) throws {
        let rows = try database.rows("SELECT \"Z_UUID\" FROM \"Z_METADATA\" LIMIT 1", count: 1)
        guard let uuid = rows.first?.text(0) else { throw StoreError(.notAStore, "the file is not a Core Data store") }
        self.uuid = uuid
        let sql = """
            SELECT "Z_ENT", "Z_SUPER", "Z_NAME" FROM "Z_PRIMARYKEY" WHERE typeof("Z_ENT") = 'integer'
            ORDER BY "Z_ENT" LIMIT \(Self.entityLimit)
            """
        let list = try database.rows(sql, count: 3)
            .compactMap { row in
                row.text(2).map { (number: row.integer(0), parent: row.isNull(1) ? 0 : row.integer(1), name: $0) }
            }
        let known = Dictionary(list.map { ($0.number, $0) }) { first, _ in first }
        entities = list.map { entity in
            var root = entity
            // This ends even if the parents form a cycle.
            for _ in list { root = known[root.parent] ?? root }
            let count = try? Self.count(entity.number, in: "Z\(root.name.uppercased())", on: database)
            return Entity(name: entity.name, parent: known[entity.parent]?.name, count: count)
        }
    }

    private static func count(_ number: Int64, in table: String, on database: any EngineConnection) throws -> Int {
        let sql = "SELECT count(*) FROM (SELECT 1 FROM \(SQL.quoted(table)) WHERE \"Z_ENT\" = ? LIMIT \(countLimit))"
        return try Int(database.integer(sql, [.integer(number)]))
    }
}
