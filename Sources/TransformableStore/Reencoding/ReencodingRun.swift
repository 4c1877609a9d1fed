internal import Foundation
internal import Transformable

/// Re-encodes the cells of an attribute, concurrently with readers and writers.
///
/// Cells are read in one transaction, converted outside of any, and written in another transaction, each only if it has
/// not changed. If the old transformer can read the new cells, they replace the old ones immediately. Otherwise they
/// are kept in a shadow column until it is complete, and then one transaction replaces the old column with it.
struct ReencodingRun {
    private static let blobsAtOnce = 8

    private typealias Cell = ReencodingCell
    private typealias Batch = ReencodingReader.Batch

    private let reencoding: Reencoding
    private let store: Store
    private let plan: ReencodingPlan
    private var job: ReencodingJob
    private var report = Reencoding.Report()
    private var done = 0
    private var total = 0

    init(_ reencoding: Reencoding, in store: Store) throws {
        self.reencoding = reencoding
        self.store = store
        let plan = try ReencodingPlan(reencoding, store.schema, store.registry)
        self.plan = plan
        report.dropsIndex = plan.dropsIndex
        if reencoding.sampleCount > 0 {
            try store.engine.write { database in
                // Replaced content is overwritten immediately, and none of it gets into temporary files.
                try database.run("PRAGMA secure_delete = ON")
                try database.run("PRAGMA temp_store = MEMORY")
            }
        }
        job = try store.engine.transact { database in
            try store.watch.check(store.schema, on: database)
            return try store.resealing(on: database) { try ReencodingJob.begin(plan, on: database) }
        }
    }

    mutating func run(_ progress: (Reencoding.Progress) throws -> Void) throws -> Reencoding.Report {
        do {
            try convertAll(progress)
            try exchange()
        } catch let refused as Refused {
            throw giveUp(refused.reason)
        } catch let error as StoreError where error.code == .unauthenticatedRow {
            throw giveUp(error)
        }
        if plan.columns.contains(where: { blobs($0) != nil }) { store.sweepGarbage() }
        return report
    }

    /// Removes what a refused re-encoding has written, which may be the plaintext of sealed values, and returns the error.
    private func giveUp(_ reason: StoreError) -> StoreError {
        let (owner, name) = (plan.owner, plan.description.name)
        do {
            try store.abortReencodings { $0.entity == owner && $0.attribute == name }
            return reason
        } catch {
            var reason = reason
            reason.faults.append("the values that it has written so far could not be removed: \(error)")
            return reason
        }
    }

    private mutating func convertAll(_ progress: (Reencoding.Progress) throws -> Void) throws {
        try countCells()
        for column in plan.columns {
            try pass(over: column, from: job.position(in: column.entity), progress)
            guard !plan.isInPlace else { continue }
            // Concurrent writers leave some cells behind. Once there are few, they are converted while no one else can
            // write.
            let few = column.old.isExternal ? Self.blobsAtOnce : ReencodingReader.cellsAtOnce
            var left = try pending(in: column)
            while left > few + report.failureCount {
                report.failureCount = 0
                report.failures = []
                try pass(over: column, from: nil, progress)
                // If this makes little progress, such as in a damaged file, the rest is left for the end.
                let rest = try pending(in: column)
                guard rest <= left / 2 else { break }
                left = rest
            }
        }
        for column in plan.columns {
            for compound in column.compounds {
                try CompoundPass(store: store, entity: column.entity, compound: compound).run()
            }
        }
    }

    private mutating func countCells() throws {
        let counts = try store.engine.read { database in
            try plan.columns.map { column in
                let all = "SELECT count(*) FROM \(column.entity.table)"
                let before = try job.position(in: column.entity)
                    .map { try database.integer("\(all) WHERE \"_id\" <= ?", [.integer($0)]) }
                return try (database.integer(all), before ?? 0)
            }
        }
        total = counts.reduce(0) { $0 + Int($1.0) }
        done = counts.reduce(0) { $0 + Int($1.1) }
    }

    private func place(_ number: Int64, _ column: ReencodingPlan.Column) -> TransformContext {
        column.place(number, store.uuid)
    }

    private func convert(_ cells: [Cell], _ column: ReencodingPlan.Column) throws -> CellConverter.Outcome {
        try CellConverter(column: column, store: store.uuid, blobs: blobs(column)).convert(cells)
    }

    // MARK: - Reading

    /// Returns the SQL condition that selects rows that have not been processed.
    private func rest(_ column: ReencodingPlan.Column) -> String {
        let isFilled = "\(column.name) IS NOT NULL"
        return plan.isInPlace ? isFilled : "\(isFilled) AND \(column.shadow) IS NULL"
    }

    /// Returns the folder of blobs, if cells of a column may refer to blobs.
    private func blobs(_ column: ReencodingPlan.Column) -> BlobFolder? {
        column.old.isExternal ? store.schema.blobs : nil
    }

    private func pending(in column: ReencodingPlan.Column) throws -> Int {
        try store.engine.read { database in
            try job.requireRunning(on: database)
            return try pending(in: column, on: database)
        }
    }

    private func pending(in column: ReencodingPlan.Column, on database: any EngineConnection) throws -> Int {
        let sql = "SELECT count(*) FROM \(column.entity.table) WHERE \(rest(column))"
        return try Int(database.integer(sql))
    }

    private func batch(
        of column: ReencodingPlan.Column,
        after position: Int64?,
        on database: any EngineConnection
    ) throws -> Batch {
        try ReencodingReader(store: store, column: column).batch(where: rest(column), after: position, on: database)
    }

    // MARK: - Converting and writing

    /// Processes the cells of a column, beginning after an object or with the first one.
    private mutating func pass(
        over column: ReencodingPlan.Column,
        from start: Int64?,
        _ progress: (Reencoding.Progress) throws -> Void
    ) throws {
        var position = start
        var watch = PassGuard(column.entity.name)
        while try step(over: column, after: &position, &watch) {
            // Replaced files are removed immediately, so that the folder does not grow to twice its size.
            if blobs(column) != nil { store.sweepGarbage() }
            try progress(Reencoding.Progress(done: done, total: total))
        }
    }

    /// Re-encodes the next cells of a column, and returns `false` if there are none.
    private mutating func step(
        over column: ReencodingPlan.Column,
        after position: inout Int64?,
        _ watch: inout PassGuard
    ) throws -> Bool {
        let start = position
        try Task.checkCancellation()
        // Open files stay readable, so sweeps are prevented only as long as the snapshot exists.
        let batch = try withExtendedLifetime(blobs(column)?.hold()) {
            try store.engine.read { database in
                try job.requireRunning(on: database)
                return try self.batch(of: column, after: start, on: database)
            }
        }
        guard !batch.cells.isEmpty else { return false }
        let outcome = try convert(batch.cells, column)
        position = try store.engine.transact { database in
            try store.watch.check(store.schema, on: database)
            try job.requireRunning(on: database)
            let conflict = try write(outcome.results, of: column, on: database)
            if let conflict { try watch.noteConflict(at: conflict.number, [conflict.row.value(0)]) }
            // Rows that someone else has written in the meantime are examined again.
            let rest = conflict?.number
            let reached = rest.map { rest in batch.cells.last { $0.number < rest }?.number ?? start } ?? batch.last
            let failures = outcome.failures.filter { failure in rest.map { failure.number < $0 } ?? true }.map(\.error)
            for failure in failures { report.add(failure) }
            try store.resealing(on: database) {
                try job.move(to: reached, in: column.entity, failures: failures.count, on: database)
            }
            return reached
        }
        done = min(done + batch.cells.count, total)
        return true
    }

    private typealias Converted = CellConverter.Converted

    /// Writes cells up to the first one that has changed since it was read, and returns that one.
    private mutating func write(
        _ results: [Converted],
        of column: ReencodingPlan.Column,
        on database: any EngineConnection
    ) throws -> Cell? {
        for item in results {
            guard try publish(item, of: column, on: database) else { return item.cell }
            report.cells += 1
            try sample(item, of: column)
        }
        return nil
    }

    private mutating func sample(_ item: Converted, of column: ReencodingPlan.Column) throws {
        let (cell, number, limit) = (item.cell, report.cells, reencoding.sampleCount)
        guard report.canaries.wants(number, limit: limit) else { return }
        var old = cell.row.value(0)
        if let blob = cell.blob {
            old = .blob(try FileReader(blob.descriptor, path: blob.path).readAll(count: Canaries.longest))
        }
        // The bytes of a deterministic value that was current already are still in use.
        if cell.blob != nil || !old.isIdentical(to: item.result.cell) {
            report.canaries.sample(old, number: number, limit: limit)
        }
        // Values that are sealed from now on must not remain unencrypted anywhere, in whatever form they were stored.
        guard plan.isConfidential, cell.blob == nil else { return }
        let slot = column.old.load(cell.row, 0, in: place(cell.number, column))
        report.canaries.sample(column.old.any(slot), of: old, number: number, limit: limit)
    }

    /// Writes a cell, using a file if it is large, and returns `false` if the cell has changed since it was read.
    private func publish(
        _ item: Converted,
        of column: ReencodingPlan.Column,
        on database: any EngineConnection
    ) throws -> Bool {
        guard column.new.isExternal, let schema = blobs(column).map({ _ in store.schema }) else {
            return try write(item.result.cell, item.result.projections, over: item.cell, of: column, on: database)
        }
        // A published blob needs a row that refers to it.
        guard try isThere(item.cell, of: column, on: database) else { return false }
        let place = place(item.cell.number, column)
        let value =
            try item.pending?.publish(at: place, on: database)
            ?? column.new.external(item.result.cell, at: place, schema, on: database)
        return try write(value, item.result.projections, over: item.cell, of: column, on: database)
    }

    private func isThere(_ cell: Cell, of column: ReencodingPlan.Column, on database: any EngineConnection) throws
        -> Bool
    {
        let sql = "SELECT 1 FROM \(column.entity.table) WHERE \"_id\" = ? AND \(column.name) IS ?"
        let statement = try database.statement(sql)
        defer { statement.reset() }
        try statement.bind([.integer(cell.number), cell.row.value(0)])
        return try statement.step()
    }

    /// Writes a cell, and returns `false` if it has changed since it was read.
    private func write(
        _ value: ColumnValue,
        _ projections: [ColumnValue]?,
        over cell: Cell,
        of column: ReencodingPlan.Column,
        on database: any EngineConnection
    ) throws -> Bool {
        let kept = projections == nil ? [] : column.projections
        let names = kept.map { SQL.quoted(column.new.projections[$0].name) }
        let target = plan.isInPlace ? column.name : column.shadow
        let list = ([target] + names).map { "\($0) = ?" }.joined(separator: ", ")
        let sql = "UPDATE \(column.entity.table) SET \(list) WHERE \"_id\" = ? AND \(column.name) IS ?"
        let statement = try database.statement(sql)
        try statement.bind([value] + kept.compactMap { projections?[$0] } + [.integer(cell.number), cell.row.value(0)])
        try statement.run()
        return database.changedCount > 0
    }

    // MARK: - Completion

    /// The re-encoding was refused because of values that cannot be written with the new transformer.
    private struct Refused: Error {
        let reason: StoreError
    }

    /// Replaces the old cells with the new ones, and ends the job.
    private mutating func exchange() throws {
        try store.engine.transact { database in
            try job.requireRunning(on: database)
            if !plan.isInPlace {
                try store.watch.check(store.schema, on: database)
                try complete(on: database)
            }
            let seals = plan.columns.compactMap(\.entity.rowSeal)
            if !plan.isInPlace { for seal in seals { try seal.checkAll(on: database) } }
            try store.resealing(movingOn: true, on: database) {
                if !plan.isInPlace { try plan.switchColumns(on: database) }
                for seal in seals { _ = try seal.renewOutdated(on: database) }
                // Cells that were left unchanged may have projections with any earlier key.
                try plan.note(allAreCurrent: report.failureCount == 0 && job.failures == 0, on: database)
                try job.end(on: database)
            }
            // The switch has removed the triggers, and this store may be able to write on.
            for seal in seals { try seal.watchWrites(on: database) }
        }
    }

    /// Converts the remaining cells while no one else can write.
    ///
    /// Cells that cannot be converted are kept if requested.
    private mutating func complete(on database: any EngineConnection) throws {
        report.failures = []
        report.failureCount = 0
        for column in plan.columns {
            var position: Int64?
            while true {
                let batch = try batch(of: column, after: position, on: database)
                guard !batch.cells.isEmpty else { break }
                let outcome = try convert(batch.cells, column)
                _ = try write(outcome.results, of: column, on: database)
                for failure in outcome.failures { report.add(failure.error) }
                let failed = Set(outcome.failures.map(\.number))
                for cell in batch.cells where reencoding.keepsUndecodable && failed.contains(cell.number) {
                    try keep(cell, of: column, on: database)
                }
                position = batch.last
            }
        }
        guard report.failureCount == 0 || reencoding.keepsUndecodable else { throw Refused(reason: refusal) }
        // The old column is about to be dropped, so nothing may be only there.
        for column in plan.columns where try pending(in: column, on: database) > 0 {
            let message = "some of its values were not converted, so the column was left unchanged; verify the store"
            let (entity, attribute) = (column.entity.name, column.old.name)
            throw Refused(reason: StoreError(.corruptFile, message, entity: entity, attribute: attribute))
        }
    }

    /// Copies a cell that cannot be decoded.
    ///
    /// The new transformer must not be able to decode it either.
    private func keep(_ cell: Cell, of column: ReencodingPlan.Column, on database: any EngineConnection) throws {
        let place = place(cell.number, column)
        // A cell that cannot be read at all has no value with any transformer.
        let isReadable = (try? cell.filled(column.old, at: place)).map { column.conversion.isReadable($0, at: place) }
        guard isReadable != true else {
            let reason = StoreError(
                .undecodable,
                "it cannot be decoded, but the new transformer would decode its bytes to a value; set it first",
                entity: column.entity.name,
                attribute: column.old.name,
                object: ObjectID(entity: column.entity.name, number: cell.number)
            )
            throw Refused(reason: reason)
        }
        _ = try write(cell.row.value(0), nil, over: cell, of: column, on: database)
    }

    private var refusal: StoreError {
        let first = report.failures.first
        let ways = """
            replace them, or re-encode the column from the file’s own model with “keepsUndecodable: true” (“store reseal \
            --keep-damaged”), which leaves their bytes unchanged
            """
        return StoreError(
            first?.code ?? .undecodable,
            "\(report.failureCount.counted("value")) cannot be re-encoded, so the column was left unchanged; \(ways)",
            entity: plan.owner,
            attribute: plan.description.name,
            object: first?.object,
            faults: report.failures.map(\.description),
            underlying: first?.underlying
        )
    }
}
