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
    private static func next(_ next: () throws -> [ColumnValue]?, _ failure: inout (any Error)?) -> [ColumnValue]? {
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
        let isRestricted = engine.restrictedTables.contains(PostgresName.shortened(rows.table.entity))
        try isRestricted ? insertOneByOne(rows.table, next) : copy(rows, next)
    }

    private func copy(_ rows: RowInsertion, _ next: () -> [ColumnValue]?) throws {
        let sql = rows.copy(into: engine.qualified(rows.table.entity))
        engine.noteStatement()
        let count = try located {
            try connection.copyIn(sql) { writer in
                while let cells = next() { try rows.write(cells, to: &writer) }
            }
        }
        noteChanges(count)
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

/// How the rows of a table are inserted together.
private struct RowInsertion {
    let table: RowTable
    private let engine: PostgresEngine
    // What computes the tag of a row, or `nil` if rows have no tags.
    private let tag: TaggedText?
    // The types of the columns. The tag is the last column.
    private let types: [PostgresType]

    init(_ table: RowTable, on session: PostgresSession) throws {
        self.table = table
        engine = session.engine
        let insertion = session.text(table.insertion)
        tag = insertion.tag
        let parameters = try session.description(of: insertion.sql).parameters
        types = parameters.dropFirst(insertion.takesTenant ? 1 : 0).compactMap(PostgresType.init)
    }

    /// Whether all types are known here, and not only to the server.
    var hasTypes: Bool { types.count == columns.count }

    private var width: Int { table.columns.count }
    private var columns: [String] { table.columns + (tag == nil ? [] : [RowSeal.column.name]) }
    private var columnList: String { columns.map(PostgresName.quoted).joined(separator: ", ") }

    // MARK: COPY

    /// Returns the statement that copies rows into the table with a name.
    func copy(into name: String) -> String {
        "COPY \(name) (\(columnList)) FROM STDIN (FORMAT binary)"
    }

    /// Writes rows into a COPY.
    func write(_ cells: [ColumnValue], to writer: inout PostgresCopyWriter) throws {
        for start in stride(from: 0, to: cells.count, by: width) {
            try writer.beginRow()
            for column in 0..<width {
                do {
                    try writer.write(cells[start + column], as: types[column])
                } catch {
                    throw error.located(in: table, column, cells[start])
                }
            }
            guard let tag else { continue }
            try writer.write(engine.tag(of: cells[start..<start + width], by: tag, nil), as: .bytea)
        }
    }

    // MARK: Arrays

    // The cells and the bytes that fill a statement. Statements with fewer rows take more time for each row.
    static let mostCells = 16_384
    static let mostBytes = 1 << 20

    /// Returns the statement that inserts the rows of a tenant, which is the first parameter, into the table with a name.
    ///
    /// Its other parameters are arrays. In VALUES, they become rows together. Citus sends such a statement to the server
    /// of the tenant, but would copy the rows of INSERT … SELECT to all servers, which row-level security refuses.
    func statement(into name: String) -> PostgresStatement {
        let arrays = types.enumerated().map { "unnest($\($0 + 2)::\($1)[])" }.joined(separator: ", ")
        let columns = "\(PostgresTable.tenant), \(columnList)"
        return PostgresStatement("INSERT INTO \(name) (\(columns)) VALUES ($1::int8, \(arrays))")
    }

    /// Returns the parameters of the statement.
    func parameters(_ cells: [ColumnValue], of tenant: Int64?) throws -> BoundParameters {
        var parameters = BoundParameters()
        try parameters.append(tenant)
        let count = cells.count / width
        for column in 0..<width {
            let type = types[column]
            try parameters.appendArray(of: type, count: count) { row, buffer throws(StoreError) in
                let start = row * width
                do throws(StoreError) {
                    try buffer.appendCell(cells[start + column], as: type)
                } catch {
                    throw error.located(in: table, column, cells[start])
                }
            }
        }
        guard let tag else { return parameters }
        let tags = try stride(from: 0, to: cells.count, by: width)
            .map { try engine.tag(of: cells[$0..<$0 + width], by: tag, tenant) }
        try parameters.appendArray(of: .bytea, count: count) { row, buffer throws(StoreError) in
            try buffer.appendCell(tags[row], as: .bytea)
        }
        return parameters
    }
}

extension WireBuffer {
    /// Appends a cell, after its length, as a value of a type.
    ///
    /// - Throws: `StoreError` if the type cannot hold the cell.
    mutating func appendCell(_ cell: ColumnValue, as type: PostgresType) throws(StoreError) {
        switch (cell, type) {
        case (.null, _): append(Int32(-1))
        case (.integer(let number), .int8): try appendCell(number)
        case (.real(let number), .float8): try appendCell(number == 0 ? 0 : number)
        case (.text(let text), .text): try appendCell(text)
        case (.blob(let bytes), .bytea) where unsafe !bytes.withUnsafeBytes({ unsafe BlobName.begins($0) }):
            try appendCell(bytes)
        default:
            let parameter = try PostgresParameter(cell, as: type.rawValue)
            guard parameter.type == type, let value = parameter.value.codable else {
                throw StoreError(.invalidValue, "the value does not have the type of its column, \(type)")
            }
            try appendCell(value)
        }
    }
}

extension StoreError {
    /// Whether the server rejected a row: because of a value, because of a constraint, or because a value is too long for an
    /// index.
    fileprivate var isAboutRow: Bool {
        ["22", "23"].contains(postgresError?.sqlState.prefix(2)) || concernsSize
    }

    /// The same error with the attribute of a column and the object of a row, which begins with its number.
    fileprivate func located(in table: RowTable, _ column: Int?, _ number: ColumnValue) -> Self {
        var error = self
        error.entity = entity ?? table.entity
        error.attribute = attribute ?? column.map { table.columns[$0] }
        if case .integer(let number) = number {
            error.object = object ?? ObjectID(entity: table.entity, number: number)
        }
        return error
    }
}
