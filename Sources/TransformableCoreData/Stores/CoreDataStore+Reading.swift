internal import TransformableStore

extension CoreDataStore {
    /// Passes the objects of an entity to a closure, in the order of their numbers.
    ///
    /// Memory use does not depend on the number of objects.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - includesChildren: Whether to include the objects of entities that inherit from it.
    ///   - body: A closure that receives an object.
    /// - Throws: `CoreDataError` with the code `unknown-name` if there is no such entity, with
    ///   `damaged-store`, or with `busy` if the store has been changed in the
    ///   meantime; and errors thrown by the closure.
    public func forEachRow(
        of entity: String,
        includingChildren includesChildren: Bool = true,
        _ body: (CoreDataRow) throws -> Void
    ) throws {
        let place = try place(entity)
        var scan = TableScan(place.table, layout, tables)
        let family = scan.entities.values.filter { member in
            member.name == entity || includesChildren && model.lineage(of: member.name).contains { $0.name == entity }
        }
        let columns = Dictionary(family.map { ($0.number, self.columns(of: $0, &scan)) }) { first, _ in first }
        try read { reader in
            try scan.run(reader) { row in
                if let columns = columns[row.integer(TableScan.entity)] { try body(CoreDataRow(columns, row)) }
                return true
            }
        }
    }

    /// Returns the number of objects of an entity and of those that inherit from it.
    ///
    /// - Parameter entity: The entity's name.
    /// - Returns: The number of objects.
    /// - Throws: `CoreDataError`, as ``forEachRow(of:includingChildren:_:)``.
    public func count(of entity: String) throws -> Int {
        var count = 0
        try forEachRow(of: entity) { _ in count += 1 }
        return count
    }

    private func place(_ entity: String) throws(CoreDataError) -> EntityPlace {
        guard let place = layout.places[entity] else {
            let names = model.entities.map(\.name).joined(separator: ", ")
            throw CoreDataError(.unknownName, "there is no such entity; the entities are \(names)", entity: entity)
        }
        return place
    }

    private func columns(of place: EntityPlace, _ scan: inout TableScan) -> CoreDataRow.Columns {
        let attributes = place.attributes.map { column in
            (column.path.joined(separator: "."), (scan.index(of: column.column), column.attribute))
        }
        let references = place.references.map { ($0.relationship.name, scan.reference($0)) }
        return CoreDataRow.Columns(
            entity: place.name,
            attributes: Dictionary(attributes) { first, _ in first },
            references: Dictionary(references) { first, _ in first },
            entities: entityNames
        )
    }

    /// The names of entities, by number.
    var entityNames: [Int64: String] {
        Dictionary(layout.numbers.map { ($0.value, $0.key) }) { first, _ in first }
    }
}
