internal import Foundation
internal import TransformableModel
internal import TransformableStore

// Many new rows at once.

extension PostgresSession {
    /// Inserts rows with a COPY.
    func insert(_ batch: RowBatch) throws {
        let insertion = engine.translated(batch.insertion)
        let types = try description(of: insertion).parameters.compactMap(PostgresType.init)
        guard types.count == batch.columns.count else { return try insertOneByOne(batch) }
        let list = batch.columns.map(PostgresName.quoted).joined(separator: ", ")
        let sql = "COPY \(engine.qualified(batch.entity)) (\(list)) FROM STDIN (FORMAT binary)"
        engine.noteStatement()
        let count = try located {
            try connection.copyIn(sql) { writer in try Self.write(batch, types, to: &writer) }
        }
        noteChanges(count)
    }

    private static func write(_ batch: RowBatch, _ types: [PostgresType], to writer: inout PostgresCopyWriter) throws {
        let cells = batch.cells
        for start in stride(from: 0, to: cells.count, by: types.count) {
            try writer.beginRow()
            for (column, type) in types.enumerated() {
                do {
                    try writer.write(cells[start + column], as: type)
                } catch {
                    throw error.located(in: batch, row: start / types.count, column: column)
                }
            }
        }
    }

    /// Inserts rows whose columns have types that are only known to the server.
    private func insertOneByOne(_ batch: RowBatch) throws {
        let width = batch.columns.count
        for row in 0..<batch.count {
            try change(batch.insertion, Array(batch.cells[row * width..<(row + 1) * width])) { _ = try $0.get() }
        }
        try settle()
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
        case (.blob(let bytes), .bytea) where !BlobName.begins(bytes): try write(bytes)
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
    /// The same error with the object and the attribute of a cell.
    fileprivate func located(in batch: RowBatch, row: Int, column: Int) -> Self {
        var error = self
        error.entity = entity ?? batch.entity
        error.attribute = attribute ?? batch.columns[column]
        if case .integer(let number) = batch.cells[row * batch.columns.count] {
            error.object = object ?? ObjectID(entity: batch.entity, number: number)
        }
        return error
    }
}
