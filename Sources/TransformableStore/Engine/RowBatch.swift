internal import Transformable

/// New rows of an entity's table, which are inserted together.
package struct RowBatch {
    /// From this number of rows on, inserting them together takes less time than one after the other, although it costs
    /// round trips of its own.
    static let fewest = 2000
    // The cells, and the bytes in them, after which a batch is inserted.
    private static let mostCells = 65_536
    private static let mostBytes = 4 << 20

    /// The entity, which the table is named after.
    package let entity: String
    /// The columns, whose names are not quoted.
    package let columns: [String]
    /// The statement that inserts one row, whose parameters are the columns.
    package let insertion: String
    /// The cells, row by row.
    package private(set) var cells: [ColumnValue] = []
    private var byteCount = 0

    /// Creates a batch, unless the rows of the entity must be inserted one by one.
    ///
    /// The error of a batch does not say which object it is about, and values that must be unique cause errors. A tag and
    /// a tenant are added by each insertion.
    init?(of entity: StoredEntity, on connection: ContextConnection) {
        guard connection.isPipelined, !entity.hasUniqueness, !entity.storesBlobs, !entity.belongsToTenant,
            entity.rowSeal == nil
        else { return nil }
        self.entity = entity.name
        columns = ["_id", "_version"] + entity.insertedColumns
        insertion = entity.insert
    }

    /// The number of rows.
    package var count: Int { cells.count / columns.count }

    /// Whether the rows should be inserted now, because they take much memory.
    var isFull: Bool { cells.count >= Self.mostCells || byteCount >= Self.mostBytes }

    /// Adds a row.
    mutating func append(_ number: Int64, _ version: Int64, _ row: some Sequence<ColumnValue>) {
        cells.append(.integer(number))
        cells.append(.integer(version))
        for cell in row {
            byteCount += cell.byteCount
            cells.append(cell)
        }
    }

    /// Inserts the rows.
    mutating func insert(on connection: any EngineConnection) throws {
        guard !cells.isEmpty else { return }
        try connection.insert(self)
        cells.removeAll(keepingCapacity: true)
        byteCount = 0
    }
}

extension ColumnValue {
    /// The approximate number of bytes in the cell.
    var byteCount: Int {
        switch self {
        case .null, .integer, .real: 8
        case .text(let text): text.utf8.count
        case .brokenText(let bytes), .blob(let bytes): bytes.count
        }
    }
}
