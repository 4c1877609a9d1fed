internal import Foundation
internal import Transformable

/// Re-encodes the cells of an attribute, concurrently with readers and writers.
///
/// If the old transformer can read the new cells, they replace the old ones immediately. Otherwise they are kept in a
/// shadow column until it is complete, and then one transaction replaces the old column with it.
struct ReencodingRun {
    private let reencoding: Reencoding
    private let store: Store
    private let plan: ReencodingPlan
    private let passes: [ReencodingPass]
    private var job: ReencodingJob
    private var report = Reencoding.Report()

    init(_ reencoding: Reencoding, in store: Store) throws {
        self.reencoding = reencoding
        self.store = store
        let plan = try ReencodingPlan(reencoding, store.schema, store.registry)
        self.plan = plan
        passes = plan.columns.map {
            ReencodingPass(over: $0, of: plan, in: store, sampleCount: reencoding.sampleCount)
        }
        report.dropsIndex = plan.dropsIndex
        try store.readTables { try $0.tenants?.requireAllRows() }
        if reencoding.sampleCount > 0 { try store.engine.write { try $0.embedded?.overwriteDeletedContent() } }
        job = try store.engine.changeTables { connection in
            try store.watch.check(store.schema, on: connection)
            try plan.requireNewestKeys()
            return try store.resealing(on: connection) { try ReencodingJob.begin(plan, on: connection) }
        }
    }

    mutating func run(_ progress: (Reencoding.Progress) throws -> Void) throws -> Reencoding.Report {
        do {
            try convertAll(progress)
            try swap.run(&report)
        } catch let refused as ReencodingSwap.Refused {
            throw giveUp(refused.reason)
        } catch let error as StoreError where error.code == .unauthenticatedRow {
            throw giveUp(error)
        }
        if passes.contains(where: { $0.blobs != nil }) { store.sweepGarbage() }
        return report
    }

    /// What remains to be done after all cells are converted.
    private var swap: ReencodingSwap {
        let keeps = reencoding.keepsUndecodable
        return ReencodingSwap(plan: plan, passes: passes, store: store, job: job, keepsUndecodable: keeps)
    }

    /// Returns what remains to be done after all cells are converted, and what has been reported so far.
    var end: (swap: ReencodingSwap, report: Reencoding.Report) { (swap, report) }

    /// Removes what a re-encoding that failed has written, and returns the error with what there is to say about that.
    func giveUp(_ reason: StoreError) -> StoreError {
        var reason = reason
        if let fault = discard() { reason.faults.append(fault) }
        return reason
    }

    /// Removes the new values, which may be the plaintext of sealed ones, and returns a sentence about what is left of
    /// them.
    func discard() -> String? {
        let (owner, name) = (plan.owner, plan.description.name)
        do {
            try store.abortReencodings { $0.entity == owner && $0.attribute == name }
            return plan.exposesValues ? remains : nil
        } catch {
            return "the values that it has written so far could not be removed: \(error)"
        }
    }

    /// A sentence about what SQLite and PostgreSQL leave in unused space when they move rows and drop columns.
    private var remains: String {
        let remedy =
            store.engine.dialect.has(.server)
            ? "rewrite the table with VACUUM FULL" : "run “store reseal --abort --scrub” (in code: “scrub()”)"
        return """
            the unencrypted values that it has written so far were removed, but some may remain in unused space; to overwrite \
            it, \(remedy)
            """
    }

    /// Converts the cells, and leaves those that concurrent writers change in the meantime to the end.
    mutating func convertAll(_ progress: (Reencoding.Progress) throws -> Void) throws {
        let (earlier, total) = try cellCounts()
        var done = earlier
        for pass in passes {
            try pass.run(&job, &report) { count in
                done = min(done + count, total)
                try progress(Reencoding.Progress(done: done, total: total))
            }
        }
        for column in plan.columns {
            for compound in column.compounds {
                try CompoundPass(store: store, entity: column.entity, compound: compound).run()
            }
        }
    }

    /// Returns the number of cells that earlier runs have processed, and the number of all cells.
    private func cellCounts() throws -> (done: Int, total: Int) {
        try store.readTables { connection in
            try plan.columns.reduce(into: (0, 0)) { counts, column in
                let all = "SELECT count(*) FROM \(column.entity.table)"
                if let position = job.position(in: column.entity) {
                    counts.0 += Int(try connection.integer("\(all) WHERE \"_id\" <= ?", [.integer(position)]))
                }
                counts.1 += Int(try connection.integer(all))
            }
        }
    }
}
