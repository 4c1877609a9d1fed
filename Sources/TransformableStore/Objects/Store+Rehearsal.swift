internal import GRDB

extension Store {
    /// Creates a change, tells what it did, and takes it back.
    ///
    /// ```swift
    /// let trial = try store.rehearse { try $0.delete("Patient", where: Field("ward") == "East") }
    /// print("would delete \(trial.changes.deleted.count) objects")
    /// ```
    ///
    /// Everything happens that happens in a `write`: values are encoded, rules checked, delete rules followed, and hooks
    /// run that run before the end of a transaction. Other writers wait meanwhile.
    ///
    /// - Parameter body: Changes objects, which stay in it; only `Sendable` results leave.
    /// - Returns: What the body gives, and all that would have changed.
    /// - Throws: What `write` would throw.
    public func rehearse<Result: Sendable>(
        _ body: (StoreContext) throws -> Result
    ) throws -> (result: Result, changes: ChangeSet) {
        try Nesting.check(self)
        try requireWritable()
        return try Failure.translate {
            try database.writeWithoutTransaction { database in
                try StoreContext.rehearse(self, on: database, body)
            }
        }
    }
}
