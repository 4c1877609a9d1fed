extension Store {
    /// Returns what `reencode(_:progress:)` would do, by converting every value without writing any.
    ///
    /// - Parameters:
    ///   - reencoding: The attribute, and the transformer to re-encode it with.
    ///   - progress: A closure that is called with the number of converted values. If it throws an error, the run ends.
    /// - Returns: The number of values that would be re-encoded, and the values that could not be.
    /// - Throws: `StoreError` if a name is unknown, or if a transformer cannot be resolved or takes values of a
    ///   different type. `CancellationError`, and errors thrown by `progress`.
    public func rehearse(
        _ reencoding: Reencoding,
        progress: (Int) throws -> Void = { _ in }
    ) throws -> Reencoding.Report {
        try Nesting.check(self)
        let plan = try ReencodingPlan(reencoding, schema, registry)
        var report = Reencoding.Report()
        report.dropsIndex = plan.dropsIndex
        for column in plan.columns {
            try ReencodingPass(over: column, of: plan, in: self).rehearse(&report, progress)
        }
        return report
    }
}
