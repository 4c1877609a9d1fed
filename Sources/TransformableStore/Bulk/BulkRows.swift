/// The rows of a chunk of new objects.
struct BulkRows {
    /// The cells, row by row, beginning with the object's number and version, or none if the rows are in a package.
    private(set) var cells: [ColumnValue] = []
    /// The rows as the bytes to send, if they can be sent in this way.
    let package: (any RowPackage)?
    /// The number of cells in all rows.
    private(set) var cellCount = 0
    private var cellByteCount = 0

    init(in package: (any RowPackage)?) {
        self.package = package
    }

    /// The approximate number of bytes in the rows.
    var byteCount: Int { package?.byteCount ?? cellByteCount }

    /// Makes room for cells.
    mutating func reserve(_ count: Int) {
        if package == nil { cells.reserveCapacity(count) }
    }

    /// Adds the row of an object.
    mutating func append(_ object: ManagedObject) throws {
        let start = cells.count
        cells.append(.integer(object.number))
        cells.append(.integer(object.version))
        try object.appendInsertedCells(to: &cells)
        cellCount += cells.count - start
        if let package {
            try package.append(cells)
            cells.removeAll(keepingCapacity: true)
        } else {
            cellByteCount += cells[start...].reduce(0) { $0 + $1.byteCount }
        }
    }
}
