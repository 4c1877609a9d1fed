extension Store {
    /// Re-encodes the stored values of an attribute, concurrently with readers and writers.
    ///
    /// The re-encoding runs in transactions of a few hundred cells. If it is interrupted, even because the process
    /// ends, request the same re-encoding again to continue it. A cell that cannot be decoded is left unchanged and
    /// reported. A row that does not match its tag ends the re-encoding, and everything stays as it was.
    ///
    /// If the signature changes, the new values are kept in a shadow column until the last transaction replaces the old
    /// column with it. From then on, stores that were opened with the old model, including this one, throw
    /// `store-changed`. Open the store again with a model that states the new expression.
    ///
    /// The tags of authenticated rows do not cover the shadow column. If such a re-encoding was interrupted, its new values
    /// are discarded and computed again.
    ///
    /// The store's seal is renewed with the current key, if it was made with a former one.
    ///
    /// - Parameters:
    ///   - reencoding: The attribute, and the transformer to re-encode it with.
    ///   - progress: A closure that is called after each transaction. If it throws an error, the run ends and can be
    ///     continued later.
    /// - Returns: The number of re-encoded values, and the values that could not be re-encoded.
    /// - Throws: `StoreError` if a name is unknown, if a transformer cannot be resolved or takes values of a
    ///   different type, if another program has changed the store or uses a newer key that this program does not have, if
    ///   a row does not match its tag, with the code `access-denied` if row-level security of a server may hide rows, with
    ///   the code `transaction-conflict` if another program is re-encoding the same attribute on a server, or, with the
    ///   code `undecodable`, if values that cannot be decoded prevent a change of the transformer.
    ///   `CancellationError`, and errors thrown by `progress`.
    @discardableResult
    public func reencode(
        _ reencoding: Reencoding,
        progress: (Reencoding.Progress) throws -> Void = { _ in }
    ) throws -> Reencoding.Report {
        try Nesting.check(self)
        try requireWritable()
        return try StoreError.explainingFullDisk(at: engine.path, "the values that were already re-encoded are kept") {
            var run = try ReencodingRun(reencoding, in: self)
            return try run.run(progress)
        }
    }

    /// Re-encodes the stored values of an attribute, on a separate thread.
    ///
    /// - Parameters:
    ///   - reencoding: The attribute, and the transformer to re-encode it with.
    ///   - progress: A closure that is called after each transaction. If it throws an error, the run ends and can be
    ///     continued later.
    /// - Returns: The number of re-encoded values, and the values that could not be re-encoded.
    /// - Throws: Any error that `reencode(_:progress:)` throws.
    @discardableResult
    public func reencode(
        _ reencoding: Reencoding,
        progress: @escaping @Sendable (Reencoding.Progress) throws -> Void = { _ in }
    ) async throws -> Reencoding.Report {
        let work = Task.detached { [self] in
            try run(reencoding, progress)
        }
        return try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            work.cancel()
        }
    }

    private func run(
        _ reencoding: Reencoding,
        _ progress: (Reencoding.Progress) throws -> Void
    ) throws -> Reencoding.Report {
        try reencode(reencoding, progress: progress)
    }

    /// Returns what `reencode(_:progress:)` would do, by converting every value without writing any.
    ///
    /// - Parameters:
    ///   - reencoding: The attribute, and the transformer to re-encode it with.
    ///   - progress: A closure that is called with the number of converted values. If it throws an error, the run ends.
    /// - Returns: The number of values that would be re-encoded, and the values that could not be.
    /// - Throws: `StoreError` if a name is unknown, if a transformer cannot be resolved or takes values of a
    ///   different type, if another program has changed the store or uses a newer key that this program does not have, if
    ///   a row does not match its tag, or with the code `access-denied` if row-level security of a server may hide rows.
    ///   `CancellationError`, and errors thrown by `progress`.
    public func rehearse(
        _ reencoding: Reencoding,
        progress: (Int) throws -> Void = { _ in }
    ) throws -> Reencoding.Report {
        try Nesting.check(self)
        let plan = try ReencodingPlan(reencoding, schema, registry)
        try readTables { connection in
            try connection.tenants?.requireAllRows()
            try watch.check(schema, on: connection)
            try plan.requireNewestKeys()
        }
        var report = Reencoding.Report()
        report.dropsIndex = plan.dropsIndex
        for column in plan.columns {
            try ReencodingPass(over: column, of: plan, in: self).rehearse(&report, progress)
        }
        return report
    }
}
