internal import TransformableModel
internal import TransformableStore

/// Reads from SQLite's catalog what the tables of a store contain.
struct CatalogReader {
    /// SQLite's catalog.
    private let connection: any EngineConnection
    /// The metadata, or `nil` if it has not been read yet.
    let metadata: Metadata?
    /// The types and numbers of attributes, by the numbers of entities and by columns.
    private let attributes: [Int64: [String: (type: String, number: Int64)]]
    /// The numbers of dropped entities, by the tables that were set aside.
    let aside: [String: Int64]
    /// The numbers of attributes with external values whose re-encoding has not finished.
    private let externalShadows: Set<UInt32>
    /// The numbers of attributes that need a value although their columns are not declared so, by tables.
    private let required: [String: Set<UInt32>]

    /// Returns the tables of metadata, which may be empty.
    static func metadata(on connection: any EngineConnection) throws -> [TableDescription] {
        let reader = Self(
            connection: connection,
            metadata: nil,
            attributes: [:],
            aside: [:],
            shadows: [],
            required: [:]
        )
        return try reader.all().own
    }

    private init(
        connection: any EngineConnection,
        metadata: Metadata?,
        attributes: [Int64: [String: (type: String, number: Int64)]],
        aside: [String: Int64],
        shadows: Set<UInt32>,
        required: [String: Set<UInt32>]
    ) {
        self.aside = aside
        self.required = required
        externalShadows = shadows
        self.connection = connection
        self.metadata = metadata
        self.attributes = attributes
    }

    /// Reads what the metadata says about tables.
    ///
    /// - Parameters:
    ///   - connection: SQLite's catalog.
    ///   - described: The metadata, if it is elsewhere.
    ///   - known: The metadata as it was before, whose model is not read again unless it has changed.
    /// - Throws: `StoreError` if the metadata is damaged.
    init(
        _ connection: any EngineConnection,
        describedBy described: (any EngineConnection)? = nil,
        knowing known: Metadata? = nil
    ) throws {
        let source = described ?? connection
        let sql = """
            SELECT "entity", "column", "type", "id" FROM "_transformable_attribute"
            WHERE "state" IN ('live', 'dropped')
            """
        var attributes: [Int64: [String: (type: String, number: Int64)]] = [:]
        for row in try source.rows(sql, count: 4) {
            attributes[row.integer(0), default: [:]][row.text(1) ?? ""] = (row.text(2) ?? "", row.integer(3))
        }
        self.init(
            connection: connection,
            metadata: try Metadata(reading: source, knowing: known),
            attributes: attributes,
            aside: try Self.aside(connection, source, attributes),
            shadows: try ShadowColumn.external(on: connection),
            required: try RequiredColumn.attributes(on: connection)
        )
    }

    /// Returns the numbers of dropped entities, by their tables.
    ///
    /// Several entities may have been dropped under the same name, each from a higher version of the model. An entity that
    /// was renamed to that name can have a lower number than one that was dropped before it, so the order of the numbers
    /// decides only if the attributes do not.
    private static func aside(
        _ connection: any EngineConnection,
        _ source: any EngineConnection,
        _ attributes: [Int64: [String: (type: String, number: Int64)]]
    ) throws -> [String: Int64] {
        let sql = "SELECT \"name\", \"id\" FROM \"_transformable_entity\" WHERE \"state\" = 'dropped' ORDER BY \"id\""
        let dropped = try source.rows(sql, count: 2).map { ($0.text(0) ?? "", $0.integer(1)) }
        let tables = try SetAside.tables(on: connection).map { (name: $0, place: SetAside.place(of: $0)) }
        var left = Dictionary(grouping: dropped) { $0.0 }.mapValues { $0.map(\.1) }
        var numbers: [String: Int64] = [:]
        for table in tables.sorted(by: { $0.place.version < $1.place.version }) {
            guard let all = left[table.place.entity], let first = all.first else { continue }
            var number = first
            if all.count > 1 {
                let types = try types(of: table.place.entity, in: table.place.version, source)
                let columns = try columns(of: table.name, connection)
                number = all.first { fits(attributes[$0] ?? [:], types, columns) } ?? first
            }
            numbers[table.name] = number
            left[table.place.entity] = all.filter { $0 != number }
        }
        return numbers
    }

    /// Returns the types of an entity's attributes in a version of the model, or none if that version cannot be read.
    private static func types(
        of entity: String,
        in version: Int,
        _ source: any EngineConnection
    ) throws -> [String: String] {
        let sql = "SELECT \"json\" FROM \"_transformable_model\" WHERE \"version\" = ?"
        let row = try source.rows(sql, [.integer(Int64(version))], count: 1).first
        let model = row.flatMap { try? Model(json: $0.data(0)) }
        let stored = model?.attributes(of: entity).filter { !$0.isTransient } ?? []
        return Dictionary(stored.map { ($0.name, $0.type.rawValue) }) { first, _ in first }
    }

    private static func columns(of table: String, _ connection: any EngineConnection) throws -> Set<String> {
        let rows = try connection.rows("SELECT \"name\" FROM pragma_table_info(?)", [.text(table)], count: 1)
        return Set(rows.compactMap { $0.text(0) })
    }

    /// Returns a Boolean value that indicates whether a table that was set aside can be that of an entity.
    ///
    /// - Parameters:
    ///   - attributes: The entity's attributes, along with its references and what was dropped from it before.
    ///   - types: The types of the attributes in the last version of the model that had the table's entity.
    ///   - columns: The table's columns.
    /// - Returns: Whether the entity has all of these attributes, and the table has columns for all of its own.
    private static func fits(
        _ attributes: [String: (type: String, number: Int64)],
        _ types: [String: String],
        _ columns: Set<String>
    ) -> Bool {
        types.allSatisfy { attributes[$0.key]?.type == $0.value } && columns.isSuperset(of: attributes.keys)
    }

    /// Returns a table of the catalog.
    ///
    /// - Parameter name: The table's name.
    /// - Returns: The table, or `nil` if it is not one of a store.
    /// - Throws: `StoreError` if the catalog cannot be read.
    func table(_ name: String) throws -> TableDescription? {
        try role(of: name).map { try table(name, $0) }
    }

    /// Returns the store's own tables, and the names of tables that belong to someone else.
    func all() throws -> (own: [TableDescription], others: [String]) {
        let sql = """
            SELECT "name" FROM "sqlite_master" WHERE "type" = 'table' AND "name" NOT GLOB 'sqlite_*' ORDER BY "name"
            """
        let names = try connection.rows(sql, count: 1).compactMap { $0.text(0) }
        let roles = names.map { ($0, role(of: $0)) }
        let own = try roles.compactMap { name, role in try role.map { try table(name, $0) } }
        let ranks: [TableDescription.Role] = [.metadata, .pairs, .aside]
        let ordered = own.sorted { left, right in
            let (first, second) = (rank(left, ranks), rank(right, ranks))
            return first == second ? left.name < right.name : first < second
        }
        return (ordered, roles.filter { $0.1 == nil }.map(\.0))
    }

    private func rank(_ table: TableDescription, _ ranks: [TableDescription.Role]) -> Double {
        // Objects come after the metadata.
        ranks.firstIndex(of: table.role).map(Double.init) ?? 0.5
    }

    private func role(of name: String) -> TableDescription.Role? {
        if name.hasPrefix("_transformable_") { return .metadata }
        guard let metadata else { return nil }
        if name.hasPrefix("_pairs.") { return .pairs }
        if name.hasPrefix(SetAside.prefix) { return .aside }
        return metadata.entities[name] == nil ? nil : .entity(name)
    }

    private func table(_ name: String, _ role: TableDescription.Role) throws -> TableDescription {
        let info = try connection.rows(
            "SELECT \"name\", \"type\", \"notnull\" FROM pragma_table_info(?) ORDER BY \"cid\"",
            [.text(name)],
            count: 3
        )
        let live = role.entity.flatMap { metadata?.model.attributes(of: $0) } ?? []
        let areExternal = Dictionary(live.map { ($0.name, $0.externalThreshold != nil) }) { first, _ in first }
        let columns = info.map { row in
            let (column, declared) = (row.text(0) ?? "", row.text(1) ?? "")
            return self.column(column, areExternal[column], declared, isRequired: row.integer(2) == 1, in: name, role)
        }
        var table = TableDescription(name, role, columns: columns, key: key(of: columns.map(\.name)))
        guard role != .aside else { return table }
        table.references = try references(of: name)
        table.indexes = try indexes(of: name)
        if case .entity(let entity) = role, let model = metadata?.model {
            table.choices = RelationshipPlan(model: model).choices(of: entity)
        }
        return table
    }

    /// Returns the columns that identify a row: its number, the two numbers of a pair, or the first column of metadata.
    private func key(of columns: [String]) -> [String] {
        if columns.contains("_id") { return ["_id"] }
        if columns.starts(with: ["first", "second"]) { return ["first", "second"] }
        return Array(columns.prefix(1))
    }
}

// MARK: - Columns

extension CatalogReader {
    /// Returns a column.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - storesExternally: Whether the model lets an attribute with this name have external values, or `nil` if there is
    ///     no such attribute.
    ///   - declared: Its declared type.
    ///   - isRequired: Whether it is declared as `NOT NULL`.
    ///   - table: Its table.
    ///   - role: What the table contains.
    /// - Returns: The column.
    private func column(
        _ name: String,
        _ storesExternally: Bool?,
        _ declared: String,
        isRequired: Bool,
        in table: String,
        _ role: TableDescription.Role
    ) -> TableDescription.Column {
        let isUUID = role == .metadata && name == "uuid"
        guard let metadata, let number = number(of: table, role), let attribute = attributes[number]?[name],
            let type = AttributeType(rawValue: attribute.type)
        else {
            let isUnknown = role == .aside && self.aside[table] == nil
            let content = isUUID ? .uuid : content(of: name, declared, isUnknown: isUnknown)
            let mustHaveValue = isRequired || ["_id", "_version"].contains(name)
            var column = TableDescription.Column(name, content, isRequired: mustHaveValue)
            column.isExternal = ShadowColumn.attribute(of: name).map(externalShadows.contains) ?? false
            return column
        }
        let id = UInt32(truncatingIfNeeded: attribute.number)
        let wasExternal = metadata.externalAttributes.contains(id)
        let mustHaveValue = isRequired || required[table]?.contains(id) == true
        // The file does not say whether the values of a dropped attribute were external.
        let mayBeExternal = storesExternally.map { $0 || wasExternal } ?? true
        let isExternal = type == .data || type == .transformed ? mayBeExternal : false
        return TableDescription.Column(name, .attribute(type), isRequired: mustHaveValue, isExternal: isExternal)
    }

    /// Returns the number of the entity whose objects a table contains or contained.
    private func number(of table: String, _ role: TableDescription.Role) -> Int64? {
        role.entity.flatMap { metadata?.entities[$0] }.map(Int64.init) ?? aside[table]
    }

    /// Returns the content of a column that is not an attribute's, by its declared type.
    ///
    /// In a table that was set aside, SQLite has shortened the types.
    private func content(of name: String, _ declared: String, isUnknown: Bool) -> TableDescription.Column.Content {
        if isUnknown { return ["_id", "_version", "first", "second"].contains(name) ? .integer : .any }
        return switch declared {
        case "INTEGER", "INT": .integer
        case "REAL": .real
        case "TEXT": .text
        case "BLOB": .bytes
        default: .any
        }
    }

    private func references(of table: String) throws -> [TableDescription.Reference] {
        // A reference within a tenant has two columns.
        let sql = """
            SELECT min("from") FILTER (WHERE "from" <> ?2), min("table"), count(*)
            FROM pragma_foreign_key_list(?1) GROUP BY "id" ORDER BY "id" DESC
            """
        return try connection.rows(sql, [.text(table), .text(TenantColumn.name.name)], count: 3)
            .map { row in
                let (column, other) = (row.text(0) ?? "", row.text(1) ?? "")
                return TableDescription.Reference(column, to: other, isWithinTenant: row.integer(2) > 1)
            }
    }

    /// Returns the indexes that were created by a statement and cover all rows, or those with a certain kind of text.
    private func indexes(of table: String) throws -> [TableDescription.Index] {
        let sql = """
            SELECT "name", "unique", "partial" FROM pragma_index_list(?) WHERE "origin" = 'c' ORDER BY "name"
            """
        return try connection.rows(sql, [.text(table)], count: 3)
            .compactMap { row in
                let name = row.text(0) ?? ""
                let isPartial = row.integer(2) == 1
                guard !isPartial || name.hasPrefix(TextIndex.prefix) else { return nil }
                let columns = try connection.rows(
                    "SELECT \"name\", \"desc\" FROM pragma_index_xinfo(?) WHERE \"key\" = 1 ORDER BY \"seqno\"",
                    [.text(name)],
                    count: 2
                )
                // Someone else's index can be over an expression, which has no name.
                let keys = columns.compactMap { column in
                    column.text(0).map { SortKey(name: $0, isDescending: column.integer(1) == 1) }
                }
                guard keys.count == columns.count else { return nil }
                return TableDescription.Index(name, keys, isUnique: row.integer(1) == 1, isOfOtherText: isPartial)
            }
    }
}
