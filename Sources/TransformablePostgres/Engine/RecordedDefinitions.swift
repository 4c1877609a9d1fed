internal import TransformableSQLite

/// SQLite's catalog of a store's tables, and the definitions that are recorded in the schema.
///
/// A statement changes the definitions of few tables. Only those are read again, because a store may have thousands.
final class RecordedDefinitions {
    /// What a statement has changed.
    struct Changes {
        var removed: [RawDefinition] = []
        var replaced: [RawDefinition] = []
        var added: [RawDefinition] = []

        var isEmpty: Bool { removed.isEmpty && replaced.isEmpty && added.isEmpty }
    }

    /// The names of tables and indexes are different, but a trigger can have the name of either.
    private struct Key: Hashable {
        let type: String
        let name: String

        init(_ type: String, _ name: String) {
            self.type = type
            self.name = name
        }

        init(_ definition: RawDefinition) {
            self.init(definition.type, definition.name)
        }
    }

    let catalog: RawCatalog
    private var definitions: [Key: RawDefinition] = [:]
    // The definitions that belong to each table.
    private var keys: [String: Set<Key>] = [:]
    // The names of tables, by the names that PostgreSQL gives them.
    private var tables: [String: String] = [:]

    init(_ catalog: RawCatalog) throws {
        self.catalog = catalog
        for definition in try catalog.definitions() { insert(definition) }
    }

    /// Returns the definition of an index, or `nil` if it is not recorded.
    func index(_ name: String) -> RawDefinition? {
        definitions[Key("index", name)]
    }

    /// The names of all tables, in order.
    var tableNames: [String] { tables.values.sorted() }

    /// Returns the name of a table that has a given name in PostgreSQL.
    func table(shortened name: String) -> String? {
        tables[name]
    }

    /// Runs a statement in the catalog, and returns what has to be recorded.
    func run(_ sql: String, _ statement: DefinitionStatement) throws -> Changes {
        let concerned = tables(changedBy: statement)
        try catalog.run(sql)
        var changes = Changes()
        var gone = concerned.map { names in Set(names.flatMap { keys[$0] ?? [] }) } ?? Set(definitions.keys)
        for definition in try catalog.definitions(of: concerned) {
            gone.remove(Key(definition))
            if let known = definitions[Key(definition)] {
                if known != definition { changes.replaced.append(definition) }
            } else {
                changes.added.append(definition)
            }
        }
        changes.removed = gone.compactMap { definitions[$0] }
        for definition in changes.removed + changes.replaced { remove(Key(definition)) }
        for definition in changes.replaced + changes.added { insert(definition) }
        return changes
    }

    /// Returns the tables whose definitions a statement can change, or `nil` if these can be any.
    private func tables(changedBy statement: DefinitionStatement) -> [String]? {
        switch statement {
        case .createTable(let name), .copyTable(let name, _), .dropTable(let name): [name]
        case .createIndex(_, let table), .addColumn(_, let table), .dropColumn(_, let table): [table]
        case .renameTable(let table, let name): [table, name]
        case .dropIndex(let name): [definitions[Key("index", name)]?.table].compactMap(\.self)
        case .dropTrigger(let name): [definitions[Key("trigger", name)]?.table].compactMap(\.self)
        // SQLite also renames a column where other tables refer to it.
        case .createTrigger, .renameColumn: nil
        }
    }

    private func insert(_ definition: RawDefinition) {
        definitions[Key(definition)] = definition
        keys[definition.table, default: []].insert(Key(definition))
        if definition.type == "table" { tables[PostgresName.shortened(definition.name)] = definition.name }
    }

    private func remove(_ key: Key) {
        guard let definition = definitions.removeValue(forKey: key) else { return }
        keys[definition.table]?.remove(key)
        if definition.type == "table" { tables[PostgresName.shortened(definition.name)] = nil }
    }
}

@available(*, unavailable)
extension RecordedDefinitions: Sendable {}
