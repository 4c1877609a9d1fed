import Foundation
import GRDB

/// A Core Data store that contains only a copy of its model.
enum StoreFile {
    static func create(at path: String, cache: Data?) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { database in
            try database.execute(
                sql: "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)"
            )
            try database.execute(sql: "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
            if let cache { try database.execute(sql: "INSERT INTO Z_MODELCACHE VALUES (?)", arguments: [cache]) }
        }
        try queue.close()
    }
}
