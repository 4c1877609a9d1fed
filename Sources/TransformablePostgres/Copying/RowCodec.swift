internal import TransformableModel
internal import TransformableStore

/// Converts the rows of a table between a store's file and PostgreSQL's binary format.
struct RowCodec {
    private let table: PostgresTable
    /// The positions of the columns that identify a row in the file.
    private let key: [Int]

    init(_ table: PostgresTable) {
        self.table = table
        key = table.raw.key.compactMap { name in table.raw.columns.firstIndex { $0.name == name } }
    }

    /// Returns the query for the rows as they are decoded and compared, in the order of the file's rows.
    ///
    /// In a table that a server has set aside, a column may still have another type, or that of another entity's attribute,
    /// from an earlier version.
    func query(on connection: PostgresConnection) throws -> String {
        let types = try table.raw.role == .aside ? columnTypes(on: connection) : [:]
        let columns = table.columns.map { Self.selection(of: $0, types[PostgresName.shortened($0.name)]) }
        return "SELECT \(columns.joined(separator: ", ")) FROM \(table.name) ORDER BY \(table.keyList)"
    }

    /// Returns the expression for a column as its type, if PostgreSQL can convert its values.
    private static func selection(of column: PostgresTable.Column, _ type: String?) -> String {
        guard let type, type != column.type.name else { return column.quoted }
        if column.type == .cell { return ColumnType.anyCell(column.quoted, of: type) ?? column.quoted }
        guard column.type != .bytea, type != ColumnType.bytea.name else { return column.quoted }
        // There is no cast from a Boolean value to every type of number.
        return "\(column.quoted)\(type == ColumnType.boolean.name ? "::integer" : "")::\(column.type.name)"
    }

    private func columnTypes(on connection: PostgresConnection) throws -> [String: String] {
        let statement = PostgresStatement(PostgresTable.columnTypes(of: "$1"), .text)
        let rows = try connection.rows(statement, [.text(table.name)]) { row in
            (try row.value(0, as: String.self), try row.value(1, as: String.self))
        }
        return Dictionary(rows) { first, _ in first }
    }

    /// Returns the cells that identify a row.
    func key(of row: PackedRow) -> [ColumnValue] { key.map(row.value) }

    /// Converts a row.
    ///
    /// - Parameters:
    ///   - row: The row of the file.
    ///   - fields: The fields, in place of those of another row.
    /// - Throws: `StoreError` with the entity, the attribute, and the object if PostgreSQL cannot hold a cell.
    func encode(_ row: PackedRow, into fields: inout RowFields) throws(StoreError) {
        fields.removeAll()
        for column in table.columns {
            do throws(Misfit) {
                let isExternal = table.raw.columns[column.source].isExternal
                try column.type.encode(row, column.source, isExternal: isExternal, into: &fields)
            } catch {
                throw failure(error, of: column, in: row)
            }
        }
    }

    /// Returns the cells of a row.
    ///
    /// - Throws: `StoreError` if the row has other columns, or SQLite cannot store one of its values.
    func decode(_ row: borrowing PostgresRow) throws(StoreError) -> [ColumnValue] {
        guard row.count == table.columns.count else { throw .unexpectedAnswer("a row of “\(table.raw.name)”") }
        var cells = [ColumnValue](repeating: .null, count: table.raw.columns.count)
        for (index, column) in table.columns.enumerated() where !row.isNull(index) {
            do throws(StoreError) {
                guard let cell = try column.type.decode(row, index) else { throw .unstorable }
                cells[column.source] = cell
            } catch {
                throw located(error, column, key.map { cells[$0] })
            }
        }
        return cells
    }
}

// MARK: - Errors

extension RowCodec {
    private func failure(_ misfit: Misfit, of column: PostgresTable.Column, in row: PackedRow) -> StoreError {
        let error =
            switch misfit {
            case .nullCharacter:
                StoreError(
                    .invalidValue,
                    "the text contains the character U+0000, which PostgreSQL cannot store; remove it, and copy again"
                )
            case .unlikeItsType(let type):
                StoreError(
                    .invalidValue,
                    """
                    the stored value does not fit the column, whose type in PostgreSQL is “\(type.sql)”; find such \
                    values with “store verify”, and replace them
                    """
                )
            case .tooLong: StoreError(.limitExceeded, "the value has more bytes than PostgreSQL stores, a gigabyte")
            }
        return located(error, column, key(of: row))
    }

    private func located(_ error: StoreError, _ column: PostgresTable.Column, _ key: [ColumnValue]) -> StoreError {
        var error = error
        error.entity = table.raw.entity ?? table.raw.name
        error.attribute = table.raw.columns[column.source].name
        if let entity = table.raw.entity, case .integer(let number)? = key.first {
            error.object = ObjectID(entity: entity, number: number)
        }
        return error
    }
}

extension StoreError {
    fileprivate static let unstorable = Self(
        .invalidValue,
        "SQLite cannot store the value, which another program must have written; replace it, and copy again"
    )

    /// Returns the error for an answer of the server that is not in the expected form.
    static func unexpectedAnswer(_ what: String) -> Self {
        Self(.corruptFile, "the server sent \(what) in an unexpected form; check that the schema contains a store")
    }
}
