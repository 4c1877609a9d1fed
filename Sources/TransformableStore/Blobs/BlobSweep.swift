internal import Foundation
internal import Glibc

/// Removes the files of blobs that no row refers to and that no snapshot can see.
struct BlobSweep {
    let folder: BlobFolder
    let connection: any EngineConnection

    /// The reason for a sweep.
    enum Occasion {
        /// A transaction that may have left garbage has ended.
        ///
        /// The sweep does not wait for others.
        case write
        /// The store is being opened, perhaps after a crash.
        ///
        /// The sweep does not wait for others.
        case opening
        /// The program has asked for a sweep, which examines every file.
        case demand
    }

    /// Sweeps if there is a reason to: garbage, or the marks of a crash.
    ///
    /// - Parameter occasion: The reason for the sweep.
    /// - Returns: The number of removed files, or `nil` if nothing was removed because the store is being read or
    ///   written.
    /// - Throws: `StoreError` if the folder or the database cannot be read or written.
    func run(_ occasion: Occasion) throws -> Int? {
        guard FileSystem.exists(folder.path) else { return 0 }
        let hasGarbage = try connection.integer(
            "SELECT EXISTS (SELECT 1 FROM \"_transformable_garbage\")"
        )
        let isThorough = occasion == .demand || occasion == .opening && !folder.unfinishedNames.isEmpty
        guard isThorough || hasGarbage == 1 else { return 0 }
        guard occasion != .demand else { return try sweep(isThorough: isThorough) }
        return try Interruption.$isImpatient.withValue(true) { try sweep(isThorough: isThorough) }
    }

    private func sweep(isThorough: Bool) throws -> Int? {
        guard let embedded = connection.embedded else { return 0 }
        try folder.make()
        var removable: [String] = []
        var lock: FileDescriptor?
        var mark: String?
        // A row that a power failure restored would refer to a missing file.
        try embedded.durably {
            try connection.transaction(.immediate) {
                // Writers wait for this transaction, so only readers can be in the way.
                lock = folder.lockAlone()
                guard lock != nil else { return .rollback }
                mark = try folder.mark()
                removable = try garbage()
                if isThorough { removable += try orphans() }
                try connection.run("DELETE FROM \"_transformable_garbage\"")
                return .commit
            }
        }
        guard let lock, let mark else { return nil }
        return withExtendedLifetime(lock) {
            var count = 0
            var isComplete = true
            for name in Set(removable) {
                let code = unsafe unlink("\(folder.path)/\(name)") == 0 ? 0 : errno
                if code == 0 { count += 1 }
                if ![0, ENOENT].contains(code) { isComplete = false }
            }
            for name in isThorough ? folder.unfinishedNames : [] {
                let path = "\(folder.unfinished)/\(name)"
                if path != mark { FileSystem.remove(path) }
            }
            // While the mark remains, the next sweep examines every file again.
            if isComplete { FileSystem.remove(mark) }
            return count
        }
    }

    private func garbage() throws -> [String] {
        // The table may contain anything in a file that was edited: a name that leads out of the folder, or that of a
        // value that is in use.
        let sql = """
            SELECT "uuid" FROM "_transformable_garbage" AS "garbage" WHERE NOT EXISTS (
                SELECT 1 FROM "_transformable_blob" AS "blob" WHERE "blob"."uuid" = upper("garbage"."uuid"))
            """
        return try connection.rows(sql, count: 1).compactMap { $0.text(0) }
            .filter { UUID(uuidString: $0) != nil }
    }

    /// Returns the files that are named like blobs and belong to none.
    func orphans() throws -> [String] {
        let sql = "SELECT 1 FROM \"_transformable_blob\" WHERE \"uuid\" = ?"
        let statement = try connection.statement(sql, cached: false)
        return try FileSystem.names(in: folder.path)
            .filter { name in
                guard UUID(uuidString: name) != nil else { return false }
                try statement.bind(name, at: 1)
                defer { statement.reset() }
                return try !statement.step()
            }
    }

}
