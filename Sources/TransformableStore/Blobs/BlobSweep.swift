internal import Foundation
internal import Glibc

/// Removes the files of blobs that no row refers to and that no snapshot can see.
///
/// The files of replaced and deleted blobs are *garbage*: the transaction that released them has put their names in a
/// table. Nobody misses such a file after its removal, for these reasons:
///
/// - A reader shares one of the folder's two locks before its snapshot begins, and until the snapshot has ended.
/// - A sweep looks at the garbage and at the locks in a transaction that writers wait for. All garbage that it finds has
///   been committed, so a snapshot that begins later does not refer to these files.
/// - If a lock is free at that moment, every older snapshot whose reader has shared this lock has ended. Once both locks
///   have been free, together or one after the other, all older snapshots have ended.
/// - If only one lock is free, its name replaces the time in the garbage's row. A later sweep, in any process, only needs
///   to find the other lock free. A crash can take back no more than the name, which delays the removal. The name remains
///   true, because a blob that was released is never used again: each one that is published has a new name.
///
/// It follows that it does not matter for safety which lock a reader shares. Sweeps lead new readers to a lock that is
/// free, so that readers that overlap all the time leave the other one free as well, one after another.
///
/// A publisher shares a lock before its file exists and until its row has been committed. Other files without a row could
/// be those of a publisher, so they are removed only while the sweep has both locks, and there is none.
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

    /// What a sweep has achieved.
    struct Outcome {
        /// The number of removed files.
        var count = 0
        /// Whether no file was left because the store is being read or written.
        var isComplete = true
    }

    /// What a sweep has found in its transaction.
    private struct Finding {
        /// The locks that no one else has, which are kept until the files have been removed.
        var locks: [BlobFolder.Lock: FileDescriptor] = [:]
        /// The names of the files to remove.
        var names: Set<String> = []
        /// Whether there are files that someone may still need.
        var hasRest = false
        var mark: String?

        var isAlone: Bool { locks.count == BlobFolder.Lock.allCases.count }
    }

    /// Sweeps if there is a reason to: garbage, or the marks of a crash.
    ///
    /// - Parameter occasion: The reason for the sweep.
    /// - Returns: What was removed.
    /// - Throws: `StoreError` if the folder or the database cannot be read or written.
    func run(_ occasion: Occasion) throws -> Outcome {
        guard FileSystem.exists(folder.path) else { return Outcome() }
        let isThorough = occasion == .demand || occasion == .opening && !folder.unfinishedNames.isEmpty
        guard try isThorough || hasGarbage else { return Outcome() }
        guard occasion != .demand else { return try sweepOnDemand() }
        return try Interruption.$isImpatient.withValue(true) { try sweep(isThorough: isThorough) }
    }

    private func sweepOnDemand() throws -> Outcome {
        var outcome = try sweep(isThorough: true)
        guard !outcome.isComplete else { return outcome }
        // Others do not wait while the files are looked for.
        outcome.isComplete = try !hasGarbage && folder.unfinishedNames.isEmpty && orphans().isEmpty
        return outcome
    }

    private func sweep(isThorough: Bool) throws -> Outcome {
        guard let embedded = connection.embedded else { return Outcome() }
        try folder.make()
        var finding = Finding()
        // A row that a power failure restored would refer to a missing file.
        try embedded.durably {
            // Writers wait for this transaction, so only readers can be in the way.
            finding = try connection.committing(.immediate) { try find(isThorough: isThorough) }
        }
        let count = withExtendedLifetime(finding.locks) { remove(finding, isThorough: isThorough) }
        let free = finding.hasRest ? finding.locks.keys.first : finding.isAlone ? .first : nil
        // Readers must not be led to a lock that they would wait for.
        finding.locks = [:]
        if let free { folder.prefer(free) }
        return Outcome(count: count, isComplete: !finding.hasRest)
    }

    /// Takes the names of the files that can be removed out of the garbage.
    private func find(isThorough: Bool) throws -> Finding {
        var finding = Finding(locks: folder.takeFreeLocks())
        if let lock = finding.locks.keys.first {
            let isUnseen = finding.isAlone ? "TRUE" : "\"since\" = '\(lock.other.rawValue)'"
            finding.names = Set(try garbage(where: isUnseen))
            if isThorough, finding.isAlone { finding.names.formUnion(try orphans()) }
            try settle(isUnseen, lock)
        }
        // Others may publish the files that no row names, so these were not looked for.
        finding.hasRest = try hasGarbage || isThorough && !finding.isAlone
        if isThorough && finding.isAlone || !finding.names.isEmpty { finding.mark = try folder.mark() }
        return finding
    }

    /// Forgets the garbage that can be removed, and records of the rest that a lock has been free.
    private func settle(_ isUnseen: String, _ lock: BlobFolder.Lock) throws {
        try connection.run(
            "DELETE FROM \"_transformable_garbage\" AS \"garbage\" WHERE \(isUnseen) OR \(Self.isUsed)"
        )
        let names = BlobFolder.Lock.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        let sql = "UPDATE \"_transformable_garbage\" SET \"since\" = ? WHERE \"since\" NOT IN (\(names))"
        try connection.run(sql, [.text(lock.rawValue)])
    }

    /// Removes files, and returns their number.
    private func remove(_ finding: Finding, isThorough: Bool) -> Int {
        guard let mark = finding.mark else { return 0 }
        var count = 0
        var isComplete = true
        for name in finding.names {
            let code = unsafe unlink("\(folder.path)/\(name)") == 0 ? 0 : errno
            if code == 0 { count += 1 }
            if ![0, ENOENT].contains(code) { isComplete = false }
        }
        for name in isThorough && finding.isAlone ? folder.unfinishedNames : [] {
            let path = "\(folder.unfinished)/\(name)"
            if path != mark { FileSystem.remove(path) }
        }
        // While the mark remains, the next sweep examines every file again.
        if isComplete { FileSystem.remove(mark) }
        return count
    }

    private var hasGarbage: Bool {
        get throws { try connection.integer("SELECT EXISTS (SELECT 1 FROM \"_transformable_garbage\")") == 1 }
    }

    /// The condition that a name in the garbage is that of a value that is in use.
    private static let isUsed =
        "EXISTS (SELECT 1 FROM \"_transformable_blob\" AS \"blob\" WHERE \"blob\".\"uuid\" = upper(\"garbage\".\"uuid\"))"

    private func garbage(where condition: String) throws -> [String] {
        // The table may contain anything in a file that was edited: a name that leads out of the folder, or that of a
        // value that is in use.
        let sql = """
            SELECT "uuid" FROM "_transformable_garbage" AS "garbage" WHERE \(condition) AND NOT \(Self.isUsed)
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

extension Store {
    /// Removes all files in the blobs' folder that no object refers to: those that a crash has left behind, and those
    /// that were replaced or deleted while they were being read.
    ///
    /// A store does this automatically when it is opened after a crash, and after a `write` that has left something
    /// behind. This method examines every file. If a file may still be read, it stays. Call the method again once the
    /// reads in progress have ended, even if others have begun. What a crash has left behind stays as long as anyone
    /// reads or writes.
    ///
    /// - Returns: The number of removed files, or `nil` if nothing was removed because the store is being read or blobs
    ///   are being published.
    /// - Throws: `StoreError` if the folder or the database cannot be read or written.
    @discardableResult
    public func removeOrphanedBlobs() throws -> Int? {
        try Nesting.check(self)
        let outcome = try sweep(.demand)
        return outcome.count > 0 || outcome.isComplete ? outcome.count : nil
    }

    /// Returns the number of files that ``removeOrphanedBlobs()`` would remove, unless they become needed in the
    /// meantime.
    ///
    /// Files that others are currently writing are included.
    ///
    /// - Returns: The number of files.
    /// - Throws: `StoreError` if the folder or the database cannot be read.
    public func countOrphanedBlobs() throws -> Int {
        try Nesting.check(self)
        guard let blobs = schema.blobs?.folder else { return 0 }
        return try engine.read { try BlobSweep(folder: blobs, connection: $0).orphans().count }
    }

    /// Removes what a transaction has left behind.
    ///
    /// What cannot be removed now is removed next time.
    func sweepGarbage() {
        _ = try? sweep(.write)
    }

    /// Removes the files that no one may still see.
    func sweep(_ occasion: BlobSweep.Occasion) throws -> BlobSweep.Outcome {
        guard let blobs = schema.blobs?.folder, !isReadOnly else { return BlobSweep.Outcome() }
        // A sweep uses no tables of rows, and must not remove the views of the tenant that has just written.
        let outcome = try engine.write(for: .limitedContext) { connection in
            try BlobSweep(folder: blobs, connection: connection).run(occasion)
        }
        options.logger?.noteSweep(removing: outcome.count)
        return outcome
    }
}
