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
    private func giveUp(_ reason: StoreError) -> StoreError {
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
                try CompoundPass(store: store, entity: column.entity, compound: compound, job: job).run()
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

/// Recomputes a compound projection with the current keys, concurrently with readers and writers.
private struct CompoundPass {
    let store: Store
    let entity: StoredEntity
    let compound: StoredCompound
    let job: ReencodingJob
    private static let rowsAtOnce: Int64 = 512

    /// The cells that the projection is computed from, and its new cell.
    private struct Row: PassRow {
        let number: Int64
        let cells: [ColumnValue]
        let value: ColumnValue
        let tenant: Int64?
    }

    func run() throws {
        var pass = RowPass<Row>(over: entity, in: store, blobs: store.schema.blobs)
        while case let rows = try pass.next(rows), !rows.isEmpty {
            try pass.write(rows) { connection in
                // Another program may have computed these cells with a newer key since they were computed here.
                try job.requireRunning(on: connection)
                try compound.projection.requireNewestKeys(of: entity.name)
                return try write(rows, on: connection)
            }
        }
    }

    private var columns: [String] { compound.parts.map { SQL.quoted($0.attribute.name) } }

    private func rows(after position: Int64?, on connection: any EngineConnection) throws -> [Row] {
        let owner = entity.belongsToTenant ? [TenantColumn.name.description] : []
        let list = (["\"_id\""] + columns + owner).joined(separator: ", ")
        let start = "\"_id\" \(position == nil ? ">=" : ">") ?"
        let sql = "SELECT \(list) FROM \(entity.table) WHERE \(start) ORDER BY \"_id\" LIMIT ?"
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        try statement.bind([.integer(position ?? .min), .integer(Self.rowsAtOnce)])
        let count = compound.parts.count
        var rows: [(number: Int64, tenant: Int64?, parts: PackedRow)] = []
        var order = PassGuard(entity.name, after: position)
        while try statement.step() {
            try order.advance(to: statement.integer(0))
            let tenant = entity.belongsToTenant ? statement.integer(1 + count) : nil
            rows.append((statement.integer(0), tenant, statement.packedRow(from: 1, count: count)))
        }
        return try rows.map { number, tenant, parts in
            let value = try value(of: parts, number, tenant, on: connection)
            return Row(number: number, cells: compound.parts.indices.map(parts.value), value: value, tenant: tenant)
        }
    }

    private func value(
        of parts: PackedRow,
        _ number: Int64,
        _ tenant: Int64?,
        on connection: any EngineConnection
    ) throws -> ColumnValue {
        var place = TransformContext(store: store.uuid, entity: entity.id, tenant: tenant)
        return try compound.project(in: place) { attribute in
            let cell = compound.parts.firstIndex { $0.attribute.index == attribute.index } ?? 0
            place.attribute = attribute.id
            place.object = number
            return try attribute.load(parts, cell, in: place, store.schema.blobs, on: connection)
        }
    }

    /// Writes cells, and returns the first row whose values have changed.
    private func write(_ rows: [Row], on connection: any EngineConnection) throws -> Row? {
        var counts: [Int] = []
        let seal = entity.rowSeal.flatMap { $0.isInSQL ? nil : $0 }
        let tagged = try seal?.rows(rows.map(\.number), on: connection) ?? [:]
        for row in rows { try send(row, tagged[row.number], on: connection) { counts.append($0) } }
        try connection.settle()
        let exists = "SELECT EXISTS (SELECT 1 FROM \(entity.table) WHERE \"_id\" = ?)"
        return try zip(rows, counts)
            .first { row, count in
                // A row that was deleted needs no cell.
                try count == 0 && connection.integer(exists, [.integer(row.number)]) == 1
            }?
            .0
    }

    private func send(
        _ row: Row,
        _ tagged: TaggedRow?,
        on connection: any EngineConnection,
        _ completion: @escaping (Int) -> Void
    ) throws {
        try connection.own(row.tenant)
        let demands = columns.map { "\($0) \(connection.dialect.isSame) ?" }.joined(separator: " AND ")
        let tag = try entity.rowSeal?.renewal(of: tagged, setting: [compound.name], to: [row.value])
        let list = ["\(SQL.quoted(compound.name)) = ?", tag?.assignment].compactMap(\.self).joined(separator: ", ")
        // A distributed table finds the row by its tenant.
        let owner = row.tenant == nil ? "" : " AND \(TenantColumn.name) = ?"
        let sql = "UPDATE \(entity.table) SET \(list) WHERE \"_id\" = ?\(owner) AND \(demands)"
        let own = [row.number, row.tenant].compactMap { $0.map(ColumnValue.integer) }
        let cells = [row.value] + (tag?.values ?? []) + own + row.cells
        try connection.change(sql, cells) { completion(try $0.get()) }
    }
}
