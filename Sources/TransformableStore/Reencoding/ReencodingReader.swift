/// Reads the cells of a column to re-encode, in batches.
struct ReencodingReader {
    static let cellsAtOnce = 512
    private static let bytesAtOnce = 4 << 20

    struct Batch {
        var cells: [ReencodingCell] = []
        var last: Int64 = 0
    }

    let store: Store
    let column: ReencodingPlan.Column

    /// The folder of blobs, if cells of the column may refer to blobs.
    var blobs: BlobFolder? {
        column.old.isExternal ? store.schema.blobs : nil
    }

    /// Reads the next cells.
    ///
    /// - Parameters:
    ///   - condition: The SQL condition that selects rows that have not been processed.
    ///   - position: The object to begin after, or `nil` to begin with the first one.
    ///   - database: The connection.
    /// - Returns: The cells, which are empty at the end.
    /// - Throws: `StoreError` if the file cannot be read, or if a row does not match its tag.
    func batch(where condition: String, after position: Int64?, on database: any EngineConnection) throws -> Batch {
        // Otherwise, the new cell of a row that was changed without the key would be as good as that of any other row.
        let list = ["\"_id\"", column.name, column.entity.rowSeal?.check].compactMap(\.self).joined(separator: ", ")
        let sql = """
            SELECT \(list) FROM \(column.entity.table) WHERE "_id" \(position == nil ? ">=" : ">") ? AND \(condition)
            ORDER BY "_id" LIMIT ?
            """
        let statement = try database.statement(sql)
        defer { statement.reset() }
        try statement.bind([.integer(position ?? .min), .integer(Int64(Self.cellsAtOnce))])
        var batch = Batch()
        var size = 0
        var order = PassGuard(column.entity.name, after: position)
        while size < Self.bytesAtOnce, try statement.step() {
            batch.last = statement.integer(0)
            try order.advance(to: batch.last)
            var cell = ReencodingCell(number: batch.last, row: statement.packedRow(from: 1, count: 1))
            if let blobs { try cell.open(in: blobs, at: column.place(cell.number, store.uuid), on: database) }
            batch.cells.append(cell)
            size += cell.size
        }
        return batch
    }
}
