internal import GRDB

extension Store {
    /// Removes every file of the blobs' folder that no object names: what a crash has left, and what was
    /// replaced or deleted while others were reading.
    ///
    /// A store does so by itself as it opens, after a crash, and after a `write` that left something; this looks
    /// at every file.
    ///
    /// - Returns: How many files were removed; nil if somebody reads or publishes now, so that none were.
    /// - Throws: ``StoreError``.
    @discardableResult
    public func removeOrphanedBlobs() throws -> Int? {
        try Nesting.check(self)
        return try sweep(.demand)
    }

    /// Counts the files that ``removeOrphanedBlobs()`` would remove, unless others come to need them until then.
    ///
    /// What others are writing at this moment counts, too.
    ///
    /// - Returns: How many files there are.
    /// - Throws: ``StoreError``.
    public func countOrphanedBlobs() throws -> Int {
        guard let blobs = schema.blobs else { return 0 }
        return try Failure.translate {
            try database.read { try BlobSweep(folder: blobs, database: $0).orphans().count }
        }
    }

    /// Removes what a transaction has left; what cannot be removed now is next time.
    func sweepGarbage() {
        _ = try? sweep(.write)
    }

    private func sweep(_ occasion: BlobSweep.Occasion) throws -> Int? {
        guard let blobs = schema.blobs, !isReadOnly else { return 0 }
        let count = try Failure.translate {
            try database.writeWithoutTransaction { database in
                try BlobSweep(folder: blobs, database: database).run(occasion)
            }
        }
        options.logger?.noteSweep(removing: count ?? 0)
        return count
    }
}
