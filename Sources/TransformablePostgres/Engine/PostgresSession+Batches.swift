internal import Foundation
internal import TransformableModel
internal import TransformableStore

// Many new rows at once.

extension PostgresSession {
    /// Inserts rows together, which the server reads while further rows are prepared.
    ///
    /// The server's error does not say which row it is about. If that matters, the rows are kept, and after an error they
    /// are inserted again, one by one.
    func insert(into table: RowTable, _ next: () throws -> [ColumnValue]?) throws {
        var failure: (any Error)?
        let rows = try RowInsertion(table, on: self)
        if table.mustNameRows {
            try insertNaming(rows) { Self.next(next, &failure) }
        } else {
            try insert(rows) { Self.next(next, &failure) }
        }
        if let failure { throw failure }
    }

    /// Returns the next rows, or `nil` at the end or after an error, which is not one of the insertion.
    private static func next<Rows>(_ next: () throws -> Rows?, _ failure: inout (any Error)?) -> Rows? {
        do {
            return try next()
        } catch {
            failure = error
            return nil
        }
    }

    /// Inserts rows in such a way that an error says which object it is about.
    private func insertNaming(_ rows: RowInsertion, _ next: () -> [ColumnValue]?) throws {
        var sent: [ColumnValue] = []
        do {
            try keeping {
                try insert(rows) {
                    guard let cells = next() else { return nil }
                    sent += cells
                    return cells
                }
                try settle()
            }
        } catch let error as StoreError where error.isAboutRow {
            try insertOneByOne(rows.table) {
                defer { sent = [] }
                return sent.isEmpty ? next() : sent
            }
        }
    }

    private func insert(_ rows: RowInsertion, _ next: () -> [ColumnValue]?) throws {
        guard rows.hasTypes else { return try insertOneByOne(rows.table, next) }
        // A table with row-level security refuses COPY.
        guard !rows.table.belongsToTenant else { return try insertArrays(rows, next) }
        guard !isRestricted(rows.table) else { return try insertOneByOne(rows.table, next) }
        try copy(rows) { writer in
            while let cells = next() {
                for start in stride(from: 0, to: cells.count, by: rows.width) {
                    try writer.writeRow { try rows.append(cells, from: start, to: &$0) }
                }
            }
        }
    }

    /// Returns a Boolean value that indicates whether a policy of the server's administrator applies to a table.
    private func isRestricted(_ table: RowTable) -> Bool {
        engine.restrictedTables.contains(PostgresName.shortened(table.entity))
    }

    private func copy(_ rows: RowInsertion, _ write: (inout PostgresCopyWriter) throws -> Void) throws {
        let sql = rows.copy(into: engine.qualified(rows.table.entity))
        engine.noteStatement()
        noteChanges(try located { try connection.copyIn(sql, write) })
    }

    /// Inserts rows with statements that take an array for each column.
    private func insertArrays(_ rows: RowInsertion, _ next: () -> [ColumnValue]?) throws {
        let statement = rows.statement(into: engine.qualified(rows.table.entity))
        var batch: [ColumnValue] = []
        var byteCount = 0
        while let cells = next() {
            batch += cells
            byteCount += cells.reduce(0) { $0 + $1.byteCount }
            guard batch.count >= RowInsertion.mostCells || byteCount >= RowInsertion.mostBytes else { continue }
            try send(batch, rows, statement)
            batch.removeAll(keepingCapacity: true)
            byteCount = 0
        }
        try send(batch, rows, statement)
    }

    private func send(_ cells: [ColumnValue], _ rows: RowInsertion, _ statement: PostgresStatement) throws {
        // An array would only take more memory for a single row, which may be large.
        guard cells.count > rows.table.columns.count else {
            var rest: [ColumnValue]? = cells
            return try insertOneByOne(rows.table) {
                defer { rest = nil }
                return rest
            }
        }
        engine.noteStatement()
        let step = PipelineStep(completion: { [self] in noteChanges(try $0.get()) })
        let parameters = try rows.parameters(cells, of: tenantSettings.owner)
        try located { try connection.send(statement, parameters, step) }
    }

    private func insertOneByOne(_ table: RowTable, _ next: () -> [ColumnValue]?) throws {
        let width = table.columns.count
        while let cells = next() {
            for start in stride(from: 0, to: cells.count, by: width) {
                try change(table.insertion, Array(cells[start..<start + width])) { result in
                    do {
                        _ = try result.get()
                    } catch let error as StoreError {
                        throw error.located(in: table, nil, cells[start])
                    }
                }
            }
            try settle()
        }
    }
}

// MARK: - Packages

extension PostgresSession: RowCopier {
    func packaging(for table: RowTable) throws -> (@Sendable () -> any RowPackage)? {
        guard !table.mustNameRows, !isRestricted(table) else { return nil }
        let rows = try RowInsertion(table, on: self)
        guard rows.hasTypes else { return nil }
        return { CopyPackage(rows) }
    }

    func insert(into table: RowTable, packages next: () throws -> (any RowPackage)?) throws {
        var failure: (any Error)?
        try copy(RowInsertion(table, on: self)) { writer in
            while let package = Self.next(next, &failure) {
                try unsafe package.forEachPiece { try unsafe writer.writeRows($0) }
            }
        }
        if let failure { throw failure }
    }
}

extension StoreError {
    /// Whether the server rejected a row: because of a value, because of a constraint, or because a value is too long for an
    /// index.
    fileprivate var isAboutRow: Bool {
        ["22", "23"].contains(postgresError?.sqlState.prefix(2)) || concernsSize
    }
}
