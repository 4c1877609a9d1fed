internal import Foundation
internal import Transformable

/// Writes the re-encoded cells of a column, each only if it has not changed since it was read.
struct ReencodingWriter {
    private let column: ReencodingPlan.Column
    private let plan: ReencodingPlan
    private let store: Store
    /// Where blobs are, if cells of the column may refer to blobs.
    private let blobs: BlobStorage?
    /// The number of old cells that a report keeps.
    private let sampleCount: Int

    init(
        of column: ReencodingPlan.Column,
        _ plan: ReencodingPlan,
        in store: Store,
        blobs: BlobStorage?,
        sampleCount: Int
    ) {
        self.column = column
        self.plan = plan
        self.store = store
        self.blobs = blobs
        self.sampleCount = sampleCount
    }

    /// Writes cells up to the first one that has changed since it was read, and returns that one.
    ///
    /// A server receives all of them before it answers, and cells after that one are written as well.
    func write(
        _ results: [CellConverter.Converted],
        _ report: inout Reencoding.Report,
        on connection: any EngineConnection
    ) throws -> ReencodingCell? {
        var isWritten: [Bool] = []
        let rows = try taggedRows(results.map(\.cell.number), on: connection)
        let unchanged = try unchangedCells(results.filter(isLarge).map(\.cell), on: connection)
        for item in results {
            // A published blob needs a row that refers to it.
            if isLarge(item), !unchanged.contains(item.cell.number) {
                isWritten.append(false)
            } else {
                try publish(item, rows, on: connection) { isWritten.append($0) }
            }
            if isWritten.last == false { break }
        }
        try connection.settle()
        let missed = isWritten.firstIndex(of: false)
        for (index, item) in results.enumerated() where isWritten.indices.contains(index) && isWritten[index] {
            // These are processed again, unless their new cells wait in a shadow column.
            if plan.isInPlace, let missed, index > missed { break }
            report.cells += 1
            try sample(item, &report)
        }
        return missed.map { results[$0].cell }
    }

    /// Writes a cell with its projections, and returns `false` if it has changed since it was read.
    func write(
        _ value: ColumnValue,
        _ projections: [ColumnValue]?,
        over cell: ReencodingCell,
        on connection: any EngineConnection
    ) throws -> Bool {
        var isWritten = false
        let rows = try taggedRows([cell.number], on: connection)
        try send(value, projections, over: cell, rows, on: connection) { isWritten = $0 }
        try connection.settle()
        return isWritten
    }

    private func sample(_ item: CellConverter.Converted, _ report: inout Reencoding.Report) throws {
        let (cell, number) = (item.cell, report.cells)
        guard report.canaries.wants(number, limit: sampleCount) else { return }
        var old = cell.row.value(0)
        // The bytes of a cell that stays as it is, such as a deterministic one that was current already, are still in use.
        if !old.isIdentical(to: item.result.cell) {
            if let blob = cell.blob {
                old = .blob(try blob.reader.readAll(count: Canaries.longest))
            }
            report.canaries.sample(old, number: number, limit: sampleCount)
        }
        // Values that are sealed from now on must not remain unencrypted anywhere, in whatever form they were stored.
        guard plan.isConfidential, cell.blob == nil else { return }
        let slot = column.old.load(cell.row, 0, in: column.place(cell, store.uuid))
        report.canaries.sample(column.old.any(slot), of: old, number: number, limit: sampleCount)
    }

    /// Whether a new cell refers to a blob.
    private func isLarge(_ item: CellConverter.Converted) -> Bool {
        guard blobs != nil, let threshold = column.new.description.externalThreshold else { return false }
        if item.pending != nil { return true }
        if case .blob(let bytes) = item.result.cell { return bytes.count > threshold }
        return false
    }

    /// Returns the numbers of the cells that have not changed since they were read.
    private func unchangedCells(_ cells: [ReencodingCell], on connection: any EngineConnection) throws -> Set<Int64> {
        guard !cells.isEmpty else { return [] }
        let marks = cells.map { _ in "?" }.joined(separator: ", ")
        let sql = "SELECT \"_id\", \(column.name) FROM \(column.entity.table) WHERE \"_id\" IN (\(marks))"
        let values = cells.map { ColumnValue.integer($0.number) }
        let rows = try connection.rows(sql, values, count: 2).map { ($0.integer(0), $0.value(1)) }
        let current = Dictionary(rows) { first, _ in first }
        return Set(cells.filter { current[$0.number]?.isIdentical(to: $0.row.value(0)) == true }.map(\.number))
    }

    /// Writes a cell, using a blob if it is large, and passes on whether it was as it had been read.
    private func publish(
        _ item: CellConverter.Converted,
        _ rows: [Int64: TaggedRow],
        on connection: any EngineConnection,
        _ completion: @escaping (Bool) -> Void
    ) throws {
        try connection.own(item.cell.tenant)
        var value = item.result.cell
        if isLarge(item) {
            let place = column.place(item.cell, store.uuid)
            value =
                try item.pending?.publish(at: place, on: connection)
                ?? column.new.external(value, at: place, store.schema, on: connection)
        }
        try send(value, item.result.projections, over: item.cell, rows, on: connection, completion)
    }

    /// Reads rows whose tags the store computes itself.
    private func taggedRows(_ numbers: [Int64], on connection: any EngineConnection) throws -> [Int64: TaggedRow] {
        guard let seal = column.entity.rowSeal, !seal.isInSQL else { return [:] }
        return try seal.rows(numbers, on: connection)
    }

    private func send(
        _ value: ColumnValue,
        _ projections: [ColumnValue]?,
        over cell: ReencodingCell,
        _ rows: [Int64: TaggedRow],
        on connection: any EngineConnection,
        _ completion: @escaping (Bool) -> Void
    ) throws {
        let names = projections == nil ? [] : column.projections.map(\.name)
        let targets = [plan.isInPlace ? column.name : column.shadow] + names.map(SQL.quoted)
        let cells = [value] + (projections ?? [])
        // The tag does not cover a shadow column.
        let columns = [plan.isInPlace ? column.old.name : nil] + names
        let tag = try column.entity.rowSeal?.renewal(of: rows[cell.number], setting: columns, to: cells)
        let list = (targets.map { "\($0) = ?" } + [tag?.assignment].compactMap(\.self)).joined(separator: ", ")
        // A distributed table finds the row by its tenant.
        let owner = cell.tenant == nil ? "" : " AND \(TenantColumn.name) = ?"
        let condition = "\"_id\" = ? AND \(column.name) \(connection.dialect.isSame) ?\(owner)"
        let sql = "UPDATE \(column.entity.table) SET \(list) WHERE \(condition)"
        try connection.own(cell.tenant)
        let place = [.integer(cell.number), cell.row.value(0)] + (cell.tenant.map { [ColumnValue.integer($0)] } ?? [])
        let values = cells + (tag?.values ?? []) + place
        try connection.change(sql, values) { completion(try $0.get() > 0) }
    }
}
