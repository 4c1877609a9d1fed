internal import Foundation
internal import TransformableModel
internal import TransformableStore

/// How the rows of a table are inserted together.
struct RowInsertion: Sendable {
    let table: RowTable
    private let engine: PostgresEngine
    // What computes the tag of a row, or `nil` if rows have no tags.
    private let tag: TaggedText?
    // The types of the columns. The tag is the last column.
    private let types: [PostgresType]
    /// The number of cells in a row, apart from its tag.
    let width: Int

    init(_ table: RowTable, on session: PostgresSession) throws {
        self.table = table
        engine = session.engine
        let insertion = session.text(table.insertion)
        tag = insertion.tag
        let parameters = try session.description(of: insertion.sql).parameters
        types = parameters.dropFirst(insertion.takesTenant ? 1 : 0).compactMap(PostgresType.init)
        width = table.columns.count
    }

    /// Whether all types are known here, and not only to the server.
    var hasTypes: Bool { types.count == columns.count }

    private var columns: [String] { table.columns + (tag == nil ? [] : [RowSeal.column.name]) }
    private var columnList: String { columns.map(PostgresName.quoted).joined(separator: ", ") }

    // MARK: COPY

    /// Returns the statement that copies rows into the table with a name.
    func copy(into name: String) -> String {
        "COPY \(name) (\(columnList)) FROM STDIN (FORMAT binary)"
    }

    /// Appends the row that begins with a cell to the bytes of a COPY.
    func append(_ cells: [ColumnValue], from start: Int = 0, to buffer: inout WireBuffer) throws {
        buffer.append(Int16(types.count))
        for column in 0..<width {
            do {
                try buffer.appendCell(cells[start + column], as: types[column])
            } catch {
                throw error.located(in: table, column, cells[start])
            }
        }
        guard let tag else { return }
        try buffer.appendCell(engine.tag(of: cells[start..<start + width], by: tag, nil), as: .bytea)
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
        case (.blob(let bytes), .bytea): if try !appendPlain(bytes) { try appendConverted(cell, to: type) }
        default: try appendConverted(cell, to: type)
        }
    }

    /// Appends bytes after their length, and returns `false` if they are the name of an external value instead.
    private mutating func appendPlain(_ bytes: Data) throws(StoreError) -> Bool {
        try requireRoom(for: bytes.count)
        return unsafe bytes.withUnsafeBytes { bytes in
            guard unsafe !BlobName.begins(bytes) else { return false }
            append(Int32(bytes.count))
            unsafe append(bytes)
            return true
        }
    }

    private mutating func appendConverted(_ cell: ColumnValue, to type: PostgresType) throws(StoreError) {
        let parameter = try PostgresParameter(cell, as: type.rawValue)
        guard parameter.type == type, let value = parameter.value.codable else {
            throw StoreError(.invalidValue, "the value does not have the type of its column, \(type)")
        }
        try appendCell(value)
    }
}

extension StoreError {
    /// The same error with the attribute of a column and the object of a row, which begins with its number.
    func located(in table: RowTable, _ column: Int?, _ number: ColumnValue) -> Self {
        var error = self
        error.entity = entity ?? table.entity
        error.attribute = attribute ?? column.map { table.columns[$0] }
        if case .integer(let number) = number {
            error.object = object ?? ObjectID(entity: table.entity, number: number)
        }
        return error
    }
}
