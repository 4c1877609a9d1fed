internal import Foundation
internal import TransformableModel
internal import TransformableStore

// Many new rows at once.

extension PostgresSession {
    /// Inserts rows with a COPY, which the server reads while further rows are prepared.
    func insert(into table: RowTable, _ next: () throws -> [ColumnValue]?) throws {
        let insertion = engine.translated(table.insertion)
        let types = try description(of: insertion).parameters.compactMap(PostgresType.init)
        guard types.count == table.columns.count else { return try insertOneByOne(table, next) }
        let list = table.columns.map(PostgresName.quoted).joined(separator: ", ")
        let sql = "COPY \(engine.qualified(table.entity)) (\(list)) FROM STDIN (FORMAT binary)"
        engine.noteStatement()
        var failure: (any Error)?
        let count = try located {
            try connection.copyIn(sql) { writer in
                while let cells = Self.next(next, &failure) {
                    try Self.write(cells, table, types, to: &writer)
                }
            }
        }
        noteChanges(count)
        if let failure { throw failure }
    }

    /// Returns the next rows, or `nil` at the end or after an error, which is not one of the COPY.
    private static func next(_ next: () throws -> [ColumnValue]?, _ failure: inout (any Error)?) -> [ColumnValue]? {
        do {
            return try next()
        } catch {
            failure = error
            return nil
        }
    }

    private static func write(
        _ cells: [ColumnValue],
        _ table: RowTable,
        _ types: [PostgresType],
        to writer: inout PostgresCopyWriter
    ) throws {
        for start in stride(from: 0, to: cells.count, by: types.count) {
            try writer.beginRow()
            for column in types.indices {
                do {
                    try writer.write(cells[start + column], as: types[column])
                } catch {
                    throw error.located(in: table, column, cells[start])
                }
            }
        }
    }

    /// Inserts rows whose columns have types that are only known to the server.
    private func insertOneByOne(_ table: RowTable, _ next: () throws -> [ColumnValue]?) throws {
        let width = table.columns.count
        while let cells = try next() {
            for start in stride(from: 0, to: cells.count, by: width) {
                try change(table.insertion, Array(cells[start..<start + width])) { _ = try $0.get() }
            }
            try settle()
        }
    }
}

extension PostgresCopyWriter {
    /// Writes a cell into the next column, which has a type.
    ///
    /// - Throws: `StoreError` if the type cannot hold the cell.
    fileprivate mutating func write(_ cell: ColumnValue, as type: PostgresType) throws(StoreError) {
        switch (cell, type) {
        case (.null, _): writeNull()
        case (.integer(let number), .int8): try write(number)
        case (.real(let number), .float8): try write(number)
        case (.text(let text), .text): try write(text)
        case (.blob(let bytes), .bytea) where unsafe !bytes.withUnsafeBytes({ unsafe BlobName.begins($0) }):
            try write(bytes)
        default:
            let parameter = try PostgresParameter(cell, as: type.rawValue)
            guard parameter.type == type else {
                throw StoreError(.invalidValue, "the value does not have the type of its column, \(type)")
            }
            try write(parameter.value)
        }
    }
}

extension StoreError {
    /// The same error with the attribute of a column and the object of a row, which begins with its number.
    fileprivate func located(in table: RowTable, _ column: Int, _ number: ColumnValue) -> Self {
        var error = self
        error.entity = entity ?? table.entity
        error.attribute = attribute ?? table.columns[column]
        if case .integer(let number) = number {
            error.object = object ?? ObjectID(entity: table.entity, number: number)
        }
        return error
    }
}
