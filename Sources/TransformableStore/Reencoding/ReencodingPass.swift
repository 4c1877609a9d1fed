internal import Foundation
internal import Transformable

/// Re-encodes the cells of a column in batches.
///
/// Cells are read in one transaction, converted outside of any, and written in another transaction, each only if it has
/// not changed.
struct ReencodingPass {
    private static let limit = BatchLimit(rows: 512, bytes: 4 << 20)
    private static let blobsAtOnce = 8

    let column: ReencodingPlan.Column
    /// Where blobs are, if cells of the column may refer to blobs.
    let blobs: BlobStorage?
    let writer: ReencodingWriter
    private let plan: ReencodingPlan
    private let store: Store
    private let converter: CellConverter

    init(over column: ReencodingPlan.Column, of plan: ReencodingPlan, in store: Store, sampleCount: Int = 0) {
        self.column = column
        self.plan = plan
        self.store = store
        blobs = column.old.isExternal ? store.schema.blobs : nil
        converter = CellConverter(column: column, store: store.uuid, blobs: blobs)
        writer = ReencodingWriter(of: column, plan, in: store, blobs: blobs, sampleCount: sampleCount)
    }

    /// Re-encodes all cells, beginning after the position that the job has reached.
    ///
    /// If they wait in a shadow column, concurrent writers leave some of them behind. The cells are gone through again
    /// until there are few, which are converted while no one else can write. After each transaction, `progress` is called
    /// with the number of its cells.
    func run(_ job: inout ReencodingJob, _ report: inout Reencoding.Report, _ progress: (Int) throws -> Void) throws {
        try goThrough(from: job.position(in: column.entity), &job, &report, progress)
        guard !plan.isInPlace else { return }
        let few = column.old.isExternal ? Self.blobsAtOnce : Self.limit.rows
        var left = try pending(job)
        while left > few + report.failureCount {
            report.failureCount = 0
            report.failures = []
            try goThrough(from: nil, &job, &report, progress)
            // If this makes little progress, for example in a damaged file, the rest is left for the end.
            let rest = try pending(job)
            guard rest <= left / 2 else { break }
            left = rest
        }
    }

    private func goThrough(
        from start: Int64?,
        _ job: inout ReencodingJob,
        _ report: inout Reencoding.Report,
        _ progress: (Int) throws -> Void
    ) throws {
        var pass = rows(after: start)
        while true {
            let cells = try pass.next { position, connection in
                try job.requireRunning(on: connection)
                return try batch(after: position, on: connection)
            }
            guard !cells.isEmpty else { return }
            let outcome = try converter.convert(cells)
            let before = (job, report)
            try pass.write(cells) { connection in
                (job, report) = before
                try job.requireRunning(on: connection)
                return try writer.write(outcome.results, &report, on: connection)
            } finish: { reached, connection in
                let failures = outcome.failures.filter { failure in reached.map { failure.number <= $0 } ?? false }
                for failure in failures { report.add(failure.error) }
                try store.resealing(on: connection) {
                    try job.move(to: reached, in: column.entity, failures: failures.count, on: connection)
                }
            }
            // Replaced files are removed immediately, so that the folder does not grow to twice its size.
            if blobs != nil { store.sweepGarbage() }
            try progress(cells.count)
        }
    }

    /// Converts all cells without writing any, and calls `progress` with the number of converted cells.
    func rehearse(_ report: inout Reencoding.Report, _ progress: (Int) throws -> Void) throws {
        var pass = rows(after: nil)
        while case let cells = try pass.next({ try batch(where: isFilled, after: $0, on: $1) }), !cells.isEmpty {
            let outcome = try converter.convert(cells)
            report.cells += outcome.results.count
            for failure in outcome.failures { report.add(failure.error) }
            pass.skip(cells)
            try progress(report.cells)
        }
    }

    /// Converts the remaining cells while no one else can write, and calls `keep` with each one that cannot be converted.
    func complete(
        _ report: inout Reencoding.Report,
        on connection: any EngineConnection,
        keep: (ReencodingCell) throws -> Void
    ) throws {
        var position: Int64?
        while case let cells = try batch(after: position, on: connection), let last = cells.last {
            let outcome = try converter.convert(cells)
            _ = try writer.write(outcome.results, &report, on: connection)
            for failure in outcome.failures { report.add(failure.error) }
            let failed = Set(outcome.failures.map(\.number))
            for cell in cells where failed.contains(cell.number) { try keep(cell) }
            position = last.number
        }
    }

    private func rows(after position: Int64?) -> RowPass<ReencodingCell> {
        RowPass(over: column.entity, in: store, blobs: blobs, after: position)
    }
}

// MARK: - Reading

extension ReencodingPass {
    private var isFilled: String { "\(column.name) IS NOT NULL" }

    /// The SQL condition that selects rows that have not been processed.
    private var rest: String { plan.isInPlace ? isFilled : "\(isFilled) AND \(column.shadow) IS NULL" }

    private func pending(_ job: ReencodingJob) throws -> Int {
        try store.readTables { connection in
            try job.requireRunning(on: connection)
            return try pending(on: connection)
        }
    }

    /// Returns the number of cells that have not been processed.
    func pending(on connection: any EngineConnection) throws -> Int {
        try Int(connection.integer("SELECT count(*) FROM \(column.entity.table) WHERE \(rest)"))
    }

    private func batch(after position: Int64?, on connection: any EngineConnection) throws -> [ReencodingCell] {
        try batch(where: rest, after: position, on: connection)
    }

    private func batch(
        where condition: String,
        after position: Int64?,
        on connection: any EngineConnection
    ) throws -> [ReencodingCell] {
        var cells: [ReencodingCell] = []
        var size = 0
        var order = PassGuard(column.entity.name, after: position)
        while case let count = Self.limit.next(after: cells.count, size), count > 0 {
            let before = cells.count
            let last = cells.last?.number ?? position
            let statement = try selection(where: condition, after: last, count: count, on: connection)
            defer { statement.reset() }
            while size < Self.limit.bytes, try statement.step() {
                let number = statement.integer(0)
                try order.advance(to: number)
                let tenant = column.entity.belongsToTenant ? statement.integer(2) : nil
                let cell = ReencodingCell(number: number, tenant: tenant, row: statement.packedRow(from: 1, count: 1))
                cells.append(cell)
                size += cell.size
            }
            guard cells.count - before == count else { break }
        }
        return try opened(cells, on: connection)
    }

    /// Returns the statement that reads the next cells.
    private func selection(
        where condition: String,
        after position: Int64?,
        count: Int,
        on connection: any EngineConnection
    ) throws -> any EngineStatement {
        // Otherwise, the new cell of a row that was changed without the key would be indistinguishable from that of an
        // authentic row.
        let isOwned = column.entity.belongsToTenant
        let names = ["_id", column.old.name] + (isOwned ? [TenantColumn.name.name] : [])
        let list = (names.map(SQL.quoted) + [column.entity.rowSeal?.check(besides: names)].compactMap(\.self))
            .joined(separator: ", ")
        let sql = """
            SELECT \(list) FROM \(column.entity.table) WHERE "_id" \(position == nil ? ">=" : ">") ? AND \(condition)
            ORDER BY "_id" LIMIT ?
            """
        let statement = try connection.statement(sql)
        try statement.bind([.integer(position ?? .min), .integer(Int64(count))])
        return statement
    }

    /// Opens the blobs that cells refer to, and leaves out the cells that do not fit in a batch along with their blobs.
    private func opened(_ cells: [ReencodingCell], on connection: any EngineConnection) throws -> [ReencodingCell] {
        guard let blobs, let first = cells.first else { return cells }
        let names = cells.compactMap { cell in BlobRecord.uuid(in: cell.row, 0).map { (cell.number, $0) } }
        let place = column.place(first, store.uuid)
        let records = try BlobRecord.find(Dictionary(names) { first, _ in first }, at: place, on: connection)
        var batch: [ReencodingCell] = []
        var size = 0
        for var cell in cells where size < Self.limit.bytes {
            if let found = records[cell.number] { cell.note(found) }
            size += cell.size
            batch.append(cell)
        }
        let opening = try BlobFile.open(batch.compactMap(\.record), in: blobs, on: connection)
        for index in batch.indices { try batch[index].open(opening) }
        return batch
    }
}
