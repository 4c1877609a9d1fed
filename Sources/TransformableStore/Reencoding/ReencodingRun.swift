internal import Foundation
internal import GRDB
internal import Transformable

/// Writes the cells of an attribute anew, beside readers and writers.
///
/// Cells are read in one transaction, converted outside of any, and written in another one, each only if it
/// is still what was read. Where the new cells mean the same to who reads the old ones, they take their
/// places at once; else they wait in a column beside it until none is missing, and both are exchanged in one
/// transaction.
struct ReencodingRun {
    private static let cellsAtOnce = 512
    private static let bytesAtOnce = 4 << 20

    private struct Cell {
        let number: Int64
        let row: PackedRow
    }

    private struct Batch {
        var cells: [Cell] = []
        var last: Int64 = 0
    }

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
        if reencoding.sampleCount > 0 {
            try store.database.writeWithoutTransaction { database in
                // What is replaced is overwritten at once, and nothing of it gets into temporary files.
                try SQLStatement.run("PRAGMA secure_delete = ON", on: database)
                try SQLStatement.run("PRAGMA temp_store = MEMORY", on: database)
            }
        }
        job = try store.database.write { database in
            try store.watch.check(store.schema, on: database)
            return try ReencodingJob.begin(plan, on: database)
        }
    }

    mutating func run(_ progress: (Reencoding.Progress) throws -> Void) throws -> Reencoding.Report {
        try countCells()
        for column in plan.columns {
            try pass(over: column, from: job.position(in: column.entity), progress)
            guard !plan.isInPlace else { continue }
            // Who writes meanwhile leaves cells behind; few enough of them can be done while nobody else writes.
            while try pending(in: column) > Self.cellsAtOnce + report.failureCount {
                report.failureCount = 0
                report.failures = []
                try pass(over: column, from: 0, progress)
            }
        }
        for column in plan.columns {
            for compound in column.compounds {
                try CompoundPass(store: store, entity: column.entity, compound: compound).run()
            }
        }
        try finish()
        return report
    }

    private mutating func countCells() throws {
        let counts = try store.database.read { database in
            try plan.columns.map { column in
                let all = "SELECT count(*) FROM \(column.entity.table)"
                let position = job.position(in: column.entity)
                let before = "\(all) WHERE \"_id\" <= ?"
                return try (
                    SQLStatement.integer(all, on: database),
                    SQLStatement.integer(before, [.integer(position)], on: database)
                )
            }
        }
        total = counts.reduce(0) { $0 + Int($1.0) }
        done = counts.reduce(0) { $0 + Int($1.1) }
    }

    private func place(_ number: Int64, _ column: ReencodingPlan.Column) -> TransformContext {
        TransformContext(store: store.uuid, entity: column.entity.id, attribute: column.old.id, object: number)
    }

    // MARK: - Reading

    /// The condition on rows that still have to be looked at.
    private func rest(_ column: ReencodingPlan.Column) -> String {
        let isFilled = "\(column.name) IS NOT NULL"
        return plan.isInPlace ? isFilled : "\(isFilled) AND \(column.shadow) IS NULL"
    }

    private func pending(in column: ReencodingPlan.Column) throws -> Int {
        try store.database.read { database in
            let sql = "SELECT count(*) FROM \(column.entity.table) WHERE \(rest(column))"
            return try Int(SQLStatement.integer(sql, on: database))
        }
    }

    private func batch(of column: ReencodingPlan.Column, after position: Int64, on database: Database) throws -> Batch {
        let sql = """
            SELECT "_id", \(column.name) FROM \(column.entity.table) WHERE "_id" > ? AND \(rest(column))
            ORDER BY "_id" LIMIT ?
            """
        let statement = try SQLStatement(sql, on: database)
        defer { statement.reset() }
        try statement.bind([.integer(position), .integer(Int64(Self.cellsAtOnce))])
        var batch = Batch()
        var size = 0
        while size < Self.bytesAtOnce, try statement.step() {
            let row = statement.packedRow(from: 1, count: 1)
            batch.last = statement.integer(0)
            batch.cells.append(Cell(number: batch.last, row: row))
            size += row.size
        }
        return batch
    }

    // MARK: - Converting and writing

    /// Goes through the cells of a column, from after an object on.
    private mutating func pass(
        over column: ReencodingPlan.Column,
        from start: Int64,
        _ progress: (Reencoding.Progress) throws -> Void
    ) throws {
        var position = start
        while true {
            try Task.checkCancellation()
            let batch = try store.database.read { try self.batch(of: column, after: position, on: $0) }
            guard !batch.cells.isEmpty else { break }
            let outcome = convert(batch.cells, column)
            position = try store.database.write { database in
                try store.watch.check(store.schema, on: database)
                try job.requireRunning(on: database)
                let conflict = try write(outcome.results, of: column, on: database)
                // What somebody else has written meanwhile is looked at again.
                let reached = conflict.map { $0 - 1 } ?? batch.last
                let failures = outcome.failures.filter { $0.number <= reached }.map(\.error)
                for failure in failures { report.add(failure) }
                try job.move(to: reached, in: column.entity, failures: failures.count, on: database)
                return reached
            }
            done = min(done + batch.cells.count, total)
            try progress(Reencoding.Progress(done: done, total: total))
        }
    }

    private typealias Converted = (cell: Cell, result: CellConversion.Result)

    private struct Outcome {
        var results: [Converted] = []
        var failures: [(number: Int64, error: StoreError)] = []
    }

    private func convert(_ cells: [Cell], _ column: ReencodingPlan.Column) -> Outcome {
        var outcome = Outcome()
        for cell in cells {
            do {
                let result = try column.conversion.convert(cell.row, at: place(cell.number, column))
                outcome.results.append((cell, result))
            } catch {
                let error = column.old.located(error, .undecodable, number: cell.number)
                outcome.failures.append((cell.number, error))
            }
        }
        return outcome
    }

    /// Writes cells up to the first that is no longer what was read, and gives the object that it is of.
    private mutating func write(
        _ results: [Converted],
        of column: ReencodingPlan.Column,
        on database: Database
    ) throws -> Int64? {
        for (cell, result) in results {
            guard try write(result, over: cell, of: column, on: database) else { return cell.number }
            report.cells += 1
            report.canaries.sample(cell.row.value(0), number: report.cells, limit: reencoding.sampleCount)
        }
        return nil
    }

    /// Writes a cell; false if what was read is no longer there.
    private func write(
        _ result: CellConversion.Result,
        over cell: Cell,
        of column: ReencodingPlan.Column,
        on database: Database
    ) throws -> Bool {
        let names = result.projections == nil ? [] : column.new.projections.map { SQL.quoted($0.name) }
        let target = plan.isInPlace ? column.name : column.shadow
        let list = ([target] + names).map { "\($0) = ?" }.joined(separator: ", ")
        let sql = "UPDATE \(column.entity.table) SET \(list) WHERE \"_id\" = ? AND \(column.name) IS ?"
        let statement = try SQLStatement(sql, on: database)
        let values = [result.cell] + (result.projections ?? [])
        try statement.bind(values + [.integer(cell.number), cell.row.value(0)])
        try statement.run()
        return database.changesCount > 0
    }

    // MARK: - The end

    private mutating func finish() throws {
        try store.database.write { database in
            try job.requireRunning(on: database)
            if !plan.isInPlace {
                try store.watch.check(store.schema, on: database)
                try complete(on: database)
                try plan.switchColumns(on: database)
            }
            // Cells that are as they were may have projections under any key that there was.
            try plan.note(allAreCurrent: report.failureCount == 0 && job.failures == 0, on: database)
            try job.end(on: database)
        }
    }

    /// Converts what is missing while nobody else writes; what cannot be converted is kept if that is wanted.
    private mutating func complete(on database: Database) throws {
        report.failures = []
        report.failureCount = 0
        for column in plan.columns {
            var position: Int64 = 0
            while true {
                let batch = try batch(of: column, after: position, on: database)
                guard !batch.cells.isEmpty else { break }
                let outcome = convert(batch.cells, column)
                _ = try write(outcome.results, of: column, on: database)
                for failure in outcome.failures { report.add(failure.error) }
                let failed = Set(outcome.failures.map(\.number))
                for cell in batch.cells where failed.contains(cell.number) {
                    try keep(cell, of: column, on: database)
                }
                position = batch.last
            }
        }
        guard report.failureCount == 0 || reencoding.keepsUndecodable else { throw refusal }
    }

    /// Copies a cell that cannot be decoded; under the new transformer it must not be decodable either.
    private func keep(_ cell: Cell, of column: ReencodingPlan.Column, on database: Database) throws {
        guard !column.conversion.isReadable(cell.row, at: place(cell.number, column)) else {
            throw StoreError(
                .undecodable,
                "it cannot be decoded, and its bytes would be taken for a value by the new transformer; set it first",
                entity: column.entity.name,
                attribute: column.old.name,
                object: ObjectID(entity: column.entity.name, number: cell.number)
            )
        }
        let result = CellConversion.Result(cell: cell.row.value(0), projections: nil)
        _ = try write(result, over: cell, of: column, on: database)
    }

    private var refusal: StoreError {
        let first = report.failures.first
        return StoreError(
            first?.code ?? .undecodable,
            "\(report.failureCount) values cannot be written anew, so the column stays as it was",
            entity: plan.owner,
            attribute: plan.description.name,
            object: first?.object,
            faults: report.failures.map(\.description),
            underlying: first?.underlying
        )
    }
}
