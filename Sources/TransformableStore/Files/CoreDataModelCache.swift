package import Foundation
internal import GRDB

/// The copy of its model that Core Data keeps in each store.
package enum CoreDataModelCache {
    private static let largest = 64 << 20

    /// Reads the copy from a file, without changing it or creating files next to it.
    ///
    /// - Parameter path: The store.
    /// - Returns: The compressed bytes, or `nil` if there is no copy.
    /// - Throws: `StoreError` or an error of SQLite if the file cannot be read.
    package static func read(at path: String) throws -> Data? {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try StoreFile.unsharedQueue(path, configuration)
        defer { try? queue.close() }
        return try queue.read { database in
            let tables = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'Z_MODELCACHE'"
            guard try SQLStatement.integer(tables, on: database) == 1 else { return nil }
            let sql = """
                SELECT "Z_CONTENT" FROM "Z_MODELCACHE"
                WHERE typeof("Z_CONTENT") = 'blob' AND length("Z_CONTENT") <= \(largest) LIMIT 1
                """
            return try SQLStatement.rows(sql, count: 1, on: database).first?.data(0)
        }
    }
}
