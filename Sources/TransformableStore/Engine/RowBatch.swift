/// New rows of an entity's table, which are inserted together.
struct RowBatch {
    /// From this number of rows on, inserting them together takes less time than one after the other, although it costs
    /// round trips of its own.
    static let fewest = 2000
    /// The same for rows with values that must be unique, each of which would be waited for.
    static let fewestUnique = 32
    // The cells, and the bytes in them, after which a batch is inserted.
    private static let mostCells = 65_536
    private static let mostBytes = 4 << 20

    private let table: RowTable
    /// The objects of the rows.
    private(set) var objects: [ManagedObject] = []
    /// The cells, row by row.
    private var cells: [ColumnValue] = []
    private var byteCount = 0

    init(_ table: RowTable) {
        self.table = table
    }

    /// Whether the rows should be inserted now, because they take much memory.
    var isFull: Bool { Self.isFull(cells.count, byteCount) }

    /// Returns a Boolean value that indicates whether as many cells with as many bytes fill a batch.
    static func isFull(_ cells: Int, _ bytes: Int) -> Bool { cells >= mostCells || bytes >= mostBytes }

    /// Adds a row.
    mutating func append(_ object: ManagedObject, _ row: some Sequence<ColumnValue>) {
        objects.append(object)
        cells.append(.integer(object.number))
        cells.append(.integer(object.version))
        for cell in row {
            byteCount += cell.byteCount
            cells.append(cell)
        }
    }

    /// Inserts the rows.
    func insert(on connection: any EngineConnection) throws {
        guard !cells.isEmpty else { return }
        var rest: [ColumnValue]? = cells
        try connection.insert(into: table) {
            defer { rest = nil }
            return rest
        }
    }

    /// Begins the next batch.
    mutating func removeAll() {
        objects.removeAll(keepingCapacity: true)
        cells.removeAll(keepingCapacity: true)
        byteCount = 0
    }
}

extension ColumnValue {
    /// The approximate number of bytes in the cell.
    package var byteCount: Int {
        switch self {
        case .null, .integer, .real: 8
        case .text(let text): text.utf8.count
        case .brokenText(let bytes), .blob(let bytes): bytes.count
        }
    }
}

/// An entity's table into which many new rows are inserted together.
package struct RowTable: Sendable {
    /// The entity, which the table is named after.
    package let entity: String
    /// The columns, whose names are not quoted, beginning with the object's number and version.
    package let columns: [String]
    /// The statement that inserts one row, whose parameters are the columns.
    package let insertion: String
    /// Whether each row belongs to the current tenant, which the insertion adds to the columns.
    package let belongsToTenant: Bool
    /// Whether an error must say which row it is about, because a value may not be unique, or because the rows of tenants
    /// are inserted with statements.
    package let mustNameRows: Bool

    /// Creates a description of a table, unless the rows of the entity must be inserted one by one.
    init?(of entity: StoredEntity, on connection: ContextConnection) {
        guard connection.isPipelined else { return nil }
        self.entity = entity.name
        columns = ["_id", "_version"] + entity.insertedColumns
        insertion = entity.statements.insert
        belongsToTenant = entity.belongsToTenant
        mustNameRows = entity.hasUniqueness || entity.belongsToTenant
    }
}
