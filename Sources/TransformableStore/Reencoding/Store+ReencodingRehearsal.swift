internal import GRDB

extension Store {
    /// Finds out what `reencode(_:progress:)` would do, by converting every value and writing none.
    ///
    /// - Parameters:
    ///   - reencoding: Which attribute, and what would write it.
    ///   - progress: Told how many values have been converted; what it throws ends the run.
    /// - Returns: How many values would be written, and which could not be.
    /// - Throws: ``StoreError``: an unknown name, a transformer that does not resolve or takes values of another
    ///   type; `CancellationError`; and what `progress` throws.
    public func rehearse(
        _ reencoding: Reencoding,
        progress: (Int) throws -> Void = { _ in }
    ) throws -> Reencoding.Report {
        try Nesting.check(self)
        return try Failure.translate {
            let plan = try ReencodingPlan(reencoding, schema, registry)
            var report = Reencoding.Report()
            report.dropsIndex = plan.dropsIndex
            for column in plan.columns { try convert(column, &report, progress) }
            return report
        }
    }

    private func convert(
        _ column: ReencodingPlan.Column,
        _ report: inout Reencoding.Report,
        _ progress: (Int) throws -> Void
    ) throws {
        let reader = ReencodingReader(store: self, column: column)
        let converter = CellConverter(column: column, store: uuid, blobs: reader.blobs)
        var position: Int64 = 0
        while true {
            try Task.checkCancellation()
            let batch = try withExtendedLifetime(reader.blobs?.hold()) {
                try database.read { database in
                    try reader.batch(where: "\(column.name) IS NOT NULL", after: position, on: database)
                }
            }
            guard !batch.cells.isEmpty else { return }
            let outcome = try converter.convert(batch.cells)
            report.cells += outcome.results.count
            for failure in outcome.failures { report.add(failure.error) }
            position = batch.last
            try progress(report.cells)
        }
    }
}
