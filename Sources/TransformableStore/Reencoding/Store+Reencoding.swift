extension Store {
    /// Writes the stored values of an attribute anew, beside readers and writers.
    ///
    /// Runs in transactions of a few hundred cells. One that is interrupted, even by the end of the process,
    /// is taken up where it was by asking for the same again. A cell that cannot be decoded stays as it is
    /// and is reported.
    ///
    /// Where the signature changes, the new values wait in a column of their own until the last transaction
    /// puts it in place of the old one. Whoever has the store open by the old model, this store included, is
    /// told ``StoreError/Code/storeChanged`` from then on; open it anew by a model that states the new expression.
    ///
    /// - Parameters:
    ///   - reencoding: Which attribute, and what writes it from now on.
    ///   - progress: Told after each transaction; what it throws ends the run, which can be taken up again.
    /// - Returns: How many values were written, and which could not be.
    /// - Throws: ``StoreError``: an unknown name, a transformer that does not resolve or takes values of another
    ///   type; ``StoreError/Code/undecodable`` if values stand in the way of another transformer;
    ///   `CancellationError`; and what `progress` throws.
    @discardableResult
    public func reencode(
        _ reencoding: Reencoding,
        progress: (Reencoding.Progress) throws -> Void = { _ in }
    ) throws -> Reencoding.Report {
        try Nesting.check(self)
        try requireWritable()
        return try Failure.translate {
            var run = try ReencodingRun(reencoding, in: self)
            return try run.run(progress)
        }
    }

    /// Writes the stored values of an attribute anew, on a thread of its own.
    ///
    /// - Parameters:
    ///   - reencoding: Which attribute, and what writes it from now on.
    ///   - progress: Told after each transaction; what it throws ends the run, which can be taken up again.
    /// - Returns: How many values were written, and which could not be.
    /// - Throws: What `reencode(_:progress:)` throws.
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
}
