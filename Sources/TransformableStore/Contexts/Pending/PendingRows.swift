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

extension ManagedObject {
    /// Returns the values that were set and have not been written yet, as cells.
    ///
    /// A value that cannot be encoded counts as missing until the save reports the error. The cell of a large value that
    /// was set as a stream refers to a blob that only the context has.
    func pendingCells() -> [(column: String, value: ColumnValue)] {
        var cells: [(column: String, value: ColumnValue)] = []
        let changed = entity.columns.filter(hasPendingCell)
        var failed: [StoredAttribute] = []
        for attribute in changed {
            guard let slot = values[attribute.index], let value = pendingCell(slot, attribute) else {
                failed.append(attribute)
                let names = [attribute.name] + attribute.projections.map(\.name)
                cells += names.map { (column: $0, value: ColumnValue.null) }
                continue
            }
            cells.append((attribute.name, value))
            let projected = try? attribute.project(slot, in: place(attribute))
            for (index, projection) in attribute.projections.enumerated() {
                cells.append((projection.name, projected?[index] ?? .null))
            }
        }
        for attribute in derived(with: changed) {
            guard let derivation = attribute.derivation else { continue }
            cells.append((attribute.name, (try? cell(attribute, by: derivation)) ?? .null))
        }
        for compound in entity.compounds(of: changed) {
            let value = failed.contains(where: compound.hasPart) ? nil : try? projected(compound)
            cells.append((compound.name, value ?? .null))
        }
        return cells
    }

    /// Returns a Boolean value that indicates whether an attribute's cell may change with the next save.
    private func hasPendingCell(_ attribute: StoredAttribute) -> Bool {
        guard let slot = values[attribute.index], slot.failure == nil || slot.isStreamed else { return false }
        return slot.isDirty || isWatched && attribute.isMutableInPlace
    }

    /// Returns the cell of a value, or `nil` if it cannot be encoded.
    private func pendingCell(_ slot: Slot, _ attribute: StoredAttribute) -> ColumnValue? {
        if let pending = slot.pending { return pending.cell }
        return try? slot.encoded ?? attribute.draft(slot, in: place(attribute))
    }
}
