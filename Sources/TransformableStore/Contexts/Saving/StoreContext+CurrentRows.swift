/// An object, and its row as it is in the database, if there is one.
typealias CurrentRow = (object: ManagedObject, row: (row: PackedRow, version: Int64)?)

extension StoreContext {
    // The largest number of rows that one statement reads.
    private static let mostRows = 1024

    /// Passes objects to a closure along with their rows as they are in the database.
    ///
    /// On a server, many rows are read with each statement. In a file, a statement for each object takes less time.
    func forEachCurrentRow(of objects: [ManagedObject], _ body: (CurrentRow) throws -> Void) throws {
        guard connection.isPipelined, objects.count > 1 else {
            for object in objects { try body((object, row(object.entity, object.number))) }
            return
        }
        for start in stride(from: 0, to: objects.count, by: Self.mostRows) {
            let part = objects[start..<min(start + Self.mostRows, objects.count)]
            let rows = try currentRows(of: part)
            for object in part { try body((object, rows[object.entity.index]?[object.number])) }
        }
    }

    /// Returns rows by the positions of their entities and their numbers.
    private func currentRows(
        of objects: ArraySlice<ManagedObject>
    ) throws -> [Int: [Int64: (row: PackedRow, version: Int64)]] {
        try Dictionary(grouping: objects, by: \.entity.index)
            .mapValues { members in
                try currentRows(of: members[0].entity, members.map(\.number))
            }
    }

    private func currentRows(
        of entity: StoredEntity,
        _ numbers: [Int64]
    ) throws -> [Int64: (row: PackedRow, version: Int64)] {
        let numbers = Self.padded(numbers)
        let statement = try database().statement(entity.statements.selectMany(numbers.count), cached: false)
        try statement.bind(numbers.map(ColumnValue.integer))
        defer { statement.reset() }
        var rows: [Int64: (row: PackedRow, version: Int64)] = [:]
        while try statement.step() {
            let row = statement.packedRow(from: 2, count: entity.columns.count)
            rows[statement.integer(0)] = (row, statement.integer(1))
        }
        return rows
    }
}
