extension Metadata {
    /// Throws an error unless the tables of metadata, and the seal, are real tables.
    ///
    /// A view can take any time and any memory, so this comes before any of them is read.
    static func requireTables(on connection: any EngineConnection) throws {
        if let found = try connection.computedTables().first(where: { $0.table.hasPrefix("_transformable_") }) {
            throw StoreError.computedTable(found.table)
        }
    }

    /// Throws an error unless the tables of all entities and pairs are real tables.
    ///
    /// Computed columns that somebody has added for queries of their own are never read.
    func requireTables(on connection: any EngineConnection) throws {
        let computed = try connection.computedTables()
        guard !computed.isEmpty else { return }
        let plan = RelationshipPlan(model: model)
        let pairs = model.entities.filter { !$0.isAbstract }.flatMap(plan.pairTables).map(\.name.name)
        let own = Set((entities.keys + pairs).map(\.asciiLowercased))
        let names = attributes.values.flatMap(\.keys) + projections.values.flatMap(\.keys)
        let columns = Set(names.map(\.asciiLowercased))
        let isOwn = { (column: String) in column.hasPrefix("_") || columns.contains(column) }
        for found in computed where own.contains(found.table) && found.column.map(isOwn) != false {
            throw StoreError.computedTable(found.table)
        }
    }
}

extension String {
    /// The form in which SQLite compares names.
    package var asciiLowercased: String {
        String(decoding: utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
    }
}

extension StoreError {
    fileprivate static func computedTable(_ name: String) -> Self {
        let message = "“\(name)” is a view or computes its columns, as no table of a store does; restore a backup"
        return Self(.corruptFile, message)
    }
}
