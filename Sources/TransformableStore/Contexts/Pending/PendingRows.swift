/// Statements that select the rows that objects will have once their changes are written.
///
/// The values of many objects are one list, because PostgreSQL takes seconds to plan a union of a thousand parts that
/// have parameters.
struct PendingRows {
    private let entity: StoredEntity
    private let columns: [String]

    /// - Parameters:
    ///   - entity: The entity of the objects.
    ///   - columns: The columns that the statements select, before the check of the row if there are tags.
    init(of entity: StoredEntity, _ columns: [String]) {
        self.entity = entity
        self.columns = columns
    }

    /// Returns the statement for objects that have no row yet, or none if there are no objects.
    func new(_ objects: [ManagedObject]) -> [SQLFragment] {
        guard !objects.isEmpty else { return [] }
        let rows = objects.map { object in
            var cells = Self.cells(of: object)
            (cells["_id"], cells["_version"]) = (.integer(object.number), .integer(0))
            return columns.map { cells[$0] ?? .null }
        }
        let exemption = entity.rowSeal == nil ? "" : ", \(RowSeal.exemption)"
        let list = columns.map(SQL.quoted).joined(separator: ", ")
        let values = values(columns, rows)
        return [
            """
            SELECT \(raw: list)\(raw: exemption) FROM (\(values)) AS "_new" (\(raw: list)) WHERE "_id" IS NOT NULL
            """
        ]
    }

    /// Returns the statements for objects that have a row: one for each set of columns that change together.
    func changed(_ objects: [ManagedObject]) -> [SQLFragment] {
        let changes = objects.map { (number: $0.number, cells: Self.cells(of: $0)) }
        return Dictionary(grouping: changes) { Set($0.cells.keys) }
            .map { names, changes in
                let names = columns.filter(names.contains)
                let rows = changes.map { change in
                    [.integer(change.number)] + names.map { change.cells[$0] ?? .null }
                }
                let places = Dictionary(zip(names, 1...)) { first, _ in first }
                let list = columns.map { places[$0].map(Self.place) ?? SQL.quoted($0) }.joined(separator: ", ")
                let check = entity.rowSeal.map { ", \($0.checkOfPendingRow)" } ?? ""
                let values = values(["_id"] + names, rows)
                let own = (0...names.count).map(Self.place).joined(separator: ", ")
                return """
                    SELECT \(raw: list)\(raw: check) FROM \(raw: entity.visible) \
                    JOIN (\(values)) AS "_new" (\(raw: own)) ON "_id" = \(raw: Self.place(0))
                    """
            }
    }

    /// The name of a column of new values, which no attribute has.
    private static func place(_ index: Int) -> String { SQL.quoted("_new.\(index)") }

    private static func cells(of object: ManagedObject) -> [String: ColumnValue] {
        Dictionary(object.pendingCells().map { ($0.column, $0.value) }) { _, last in last }
    }

    /// Returns a list of rows.
    ///
    /// The first row is empty, and gives the columns their types.
    private func values(_ columns: [String], _ rows: [[ColumnValue]]) -> SQLFragment {
        let types = columns.map { "(NULL::\(SQL.main(entity.table))).\(SQL.quoted($0))" }.joined(separator: ", ")
        let rows = rows.map { cells in
            "(\(SQLFragment.list(cells.map { $0 == .null ? "NULL" : "\($0)" })))" as SQLFragment
        }
        return "VALUES (\(raw: types)), \(SQLFragment.list(rows))"
    }
}
