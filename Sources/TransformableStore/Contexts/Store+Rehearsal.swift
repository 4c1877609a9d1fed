extension Store {
    /// Makes changes, returns what they would do, and rolls them back.
    ///
    /// ```swift
    /// let trial = try store.rehearse { try $0.delete("Patient", where: Field("ward") == "East") }
    /// print("would delete \(trial.changes.deleted.count) objects")
    /// ```
    ///
    /// Everything happens as in a `write`: values are encoded, rules are checked, delete rules are applied, and the
    /// hooks that run before the end of a transaction run. Other writers wait in the meantime. On a server, they do not
    /// wait, and the closure may run again, as that of a `write`.
    ///
    /// - Parameter body: A closure that changes objects. They are valid only inside the closure, so return only
    ///   `Sendable` results.
    /// - Returns: The result of the closure, and everything that would have changed.
    /// - Throws: Any error that `write` would throw.
    public func rehearse<Result: Sendable>(
        _ body: (StoreContext) throws -> Result
    ) throws -> (result: Result, changes: ChangeSet) {
        try rehearse(in: undividedScope(), body)
    }

    func rehearse<Result: Sendable>(
        in scope: TenantScope,
        _ body: (StoreContext) throws -> Result
    ) throws -> (result: Result, changes: ChangeSet) {
        try Nesting.check(self)
        try requireWritable()
        return try engine.retrying {
            try engine.write(for: scope.use) { try ContextBlock(self, in: scope, on: $0).rehearse(body) }
        }
    }
}
