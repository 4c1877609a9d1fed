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
        let outcome = try engine.write { connection in
            try BlobSweep(folder: blobs, connection: connection).run(occasion)
        }
        options.logger?.noteSweep(removing: outcome.count)
        return outcome
    }
}
