internal import Foundation
internal import GRDB

/// What the SQLite file of a Core Data store says of itself.
///
/// Its tables are documented nowhere; what is read here is the same since Core Data wrote SQLite: `Z_METADATA` has the store's
/// UUID, `Z_PRIMARYKEY` the entities, and the objects of an entity and of those that inherit from it lie in the table `ZNAME` of
/// their common ancestor.
package struct CoreDataSummary: Sendable {
    /// An entity with objects of its own, and how many these are; nil if its table cannot be read.
    package struct Entity: Sendable {
        package let name: String
        package let parent: String?
        package let count: Int?
    }

    private static let entityLimit = 2000
    // More are not counted, so that a damaged file ends the count, too.
    package static let countLimit = 10_000_000

    /// The store's UUID.
    package let uuid: String
    package let entities: [Entity]

    /// Reads a file without changing anything in it or beside it; nil if it is not a Core Data store, or cannot be read.
    ///
    /// - Parameter path: The file.
    package init?(path: String) {
        var configuration = Configuration()
        configuration.readonly = true
        guard let queue = try? StoreFile.unsharedQueue(path, configuration) else { return nil }
        defer { try? queue.close() }
        guard let found = try? queue.read({ try Self(on: $0) }) else { return nil }
        self = found
    }

    private init(on database: Database) throws {
        let rows = try SQLStatement.rows("SELECT \"Z_UUID\" FROM \"Z_METADATA\" LIMIT 1", count: 1, on: database)
        guard let uuid = rows.first?.text(0) else { throw StoreError(.notAStore, "the file is not a Core Data store") }
        self.uuid = uuid
        let sql = """
            SELECT "Z_ENT", "Z_SUPER", "Z_NAME" FROM "Z_PRIMARYKEY" WHERE typeof("Z_ENT") = 'integer'
            ORDER BY "Z_ENT" LIMIT \(Self.entityLimit)
            """
        let list = try SQLStatement.rows(sql, count: 3, on: database)
            .compactMap { row in
                row.text(2).map { (number: row.integer(0), parent: row.isNull(1) ? 0 : row.integer(1), name: $0) }
            }
        let known = Dictionary(list.map { ($0.number, $0) }) { first, _ in first }
        entities = list.map { entity in
            var root = entity
            // Parents that lead in a circle end somewhere, too.
            for _ in list { root = known[root.parent] ?? root }
            let count = try? Self.count(entity.number, in: "Z\(root.name.uppercased())", on: database)
            return Entity(name: entity.name, parent: known[entity.parent]?.name, count: count)
        }
    }

    private static func count(_ number: Int64, in table: String, on database: Database) throws -> Int {
        let sql = "SELECT count(*) FROM (SELECT 1 FROM \(SQL.quoted(table)) WHERE \"Z_ENT\" = ? LIMIT \(countLimit))"
        return try Int(SQLStatement.integer(sql, [.integer(number)], on: database))
    }
}
