internal import Foundation
internal import GRDB
internal import Glibc

/// Removes the files of blobs that no row names and no snapshot can see.
struct BlobSweep {
    let folder: BlobFolder
    let database: Database

    /// What makes a sweep begin.
    enum Occasion {
        /// A transaction has ended, which may have left garbage; nobody is waited for.
        case write
        /// The store opens, perhaps after a crash; nobody is waited for.
        case opening
        /// Somebody asks for it: every file is looked at.
        case demand
    }

    /// Sweeps if there is reason to: garbage, or the marks of a crash.
    ///
    /// - Parameter occasion: What makes it begin.
    /// - Returns: How many files were removed; nil if somebody reads or writes now, so that none were.
    /// - Throws: ``StoreError``.
    func run(_ occasion: Occasion) throws -> Int? {
        guard FileSystem.exists(folder.path) else { return 0 }
        let hasGarbage = try SQLStatement.integer(
            "SELECT EXISTS (SELECT 1 FROM \"_transformable_garbage\")",
            on: database
        )
        let isThorough = occasion == .demand || occasion == .opening && !FileSystem.names(in: folder.unfinished).isEmpty
        guard isThorough || hasGarbage == 1 else { return 0 }
        guard occasion != .demand else { return try sweep(isThorough: isThorough) }
        return try Interruption.$isImpatient.withValue(true) { try sweep(isThorough: isThorough) }
    }

    private func sweep(isThorough: Bool) throws -> Int? {
        try folder.make()
        var removable: [String] = []
        var lock: FileDescriptor?
        var mark: String?
        try durably {
            try database.inTransaction(.immediate) {
                // Whoever writes waits for this transaction, so that only readers can be in the way.
                lock = folder.lockAlone()
                guard lock != nil else { return .rollback }
                mark = try folder.mark()
                removable = try garbage()
                if isThorough { removable += try orphans() }
                try SQLStatement.run("DELETE FROM \"_transformable_garbage\"", on: database)
                return .commit
            }
        }
        guard let lock, let mark else { return nil }
        return withExtendedLifetime(lock) {
            let removed = Set(removable).filter { unsafe unlink("\(folder.path)/\($0)") == 0 }
            for name in isThorough ? FileSystem.names(in: folder.unfinished) : [] {
                FileSystem.remove("\(folder.unfinished)/\(name)")
            }
            FileSystem.remove(mark)
            return removed.count
        }
    }

    private func garbage() throws -> [String] {
        let sql = "SELECT \"uuid\" FROM \"_transformable_garbage\""
        // A hostile name must not lead out of the folder.
        return try SQLStatement.rows(sql, count: 1, on: database).compactMap { $0.text(0) }
            .filter { UUID(uuidString: $0) != nil }
    }

    /// The files that bear a blob's name and are none's.
    func orphans() throws -> [String] {
        let sql = "SELECT 1 FROM \"_transformable_blob\" WHERE \"uuid\" = ?"
        let statement = try SQLStatement(sql, on: database, cached: false)
        return try FileSystem.names(in: folder.path)
            .filter { name in
                guard UUID(uuidString: name) != nil else { return false }
                try statement.bind(name, at: 1)
                defer { statement.reset() }
                return try !statement.step()
            }
    }

    /// Commits so that a failure of power takes nothing of it back, nor of what was committed before: a
    /// row that came back would name a file that is gone.
    private func durably(_ body: () throws -> Void) throws {
        let before = try SQLStatement.integer("PRAGMA synchronous", on: database)
        try SQLStatement.run("PRAGMA synchronous = FULL", on: database)
        defer { try? SQLStatement.run("PRAGMA synchronous = \(before)", on: database) }
        try body()
    }
}
