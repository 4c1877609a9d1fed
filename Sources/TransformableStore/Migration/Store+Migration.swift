internal import Transformable

extension Store {
    /// Runs the steps between the old and the new version of a file, in the transaction of the migration, and checks
    /// the result.
    ///
    /// This store is used only by the steps. The store that is opened is created afterward.
    func finish(_ record: MigrationRecord, on connection: any EngineConnection) throws {
        let tenants = try record.steps.isEmpty ? [] : record.tenants(on: connection)
        for step in record.steps {
            for scope in record.scopes(of: step, tenants) {
                let block = ContextBlock(self, in: scope, on: connection)
                try block.migrate(record) { context in
                    try step.body(MigrationContext(context, record, registry: registry, on: connection))
                }
            }
        }
        if let fault = record.untaken { throw fault.error }
        for entity in schema.entities {
            try requireTaken(entity, record, on: connection)
            try requireValues(entity, record, on: connection)
        }
        try ReferenceCarrier(record: record, connection: connection).discard()
        try MigrationCheck.run(schema, after: record, on: connection)
    }

    /// Throws an error if steps have not set a required attribute of every object, and requires its values from now on.
    private func requireValues(_ entity: StoredEntity, _ record: MigrationRecord, on connection: any EngineConnection)
        throws
    {
        for attribute in entity.columns where record.isLeftToSteps(attribute.name, of: entity.name) {
            let column = RequiredColumn(entity: entity, attribute: attribute)
            let count = try column.missingCount(on: connection)
            guard count == 0 else { throw StoreError.missingAfterSteps(count, attribute) }
            try column.demandValues(on: connection)
        }
    }

    /// Throws an error if the type of an attribute has changed and no step has read its old values.
    private func requireTaken(_ entity: StoredEntity, _ record: MigrationRecord, on connection: any EngineConnection)
        throws
    {
        let (old, succession) = (record.old, record.succession)
        guard let name = succession.oldName(of: entity.description) else { return }
        let before = Succession.columns(of: name, in: old.model)
        for attribute in entity.columns {
            guard
                let former = before.first(where: { $0.name == succession.oldName(of: attribute.name, in: entity.name) }
                ),
                !Succession.widens(former.type, to: attribute.description.type),
                let number = old.attributes[entity.id]?[former.name]?.id, !record.isTaken(number)
            else { continue }
            let column = SQL.quoted(SetAside.name(former.name, number))
            let sql = "SELECT count(*) FROM \(entity.table) WHERE \(column) IS NOT NULL"
            let count = try Int(connection.integer(sql))
            guard count > 0 else { continue }
            throw StoreError.changedType(
                from: former.type,
                to: attribute.description.type,
                """
                no migration step reads its \(count.counted("old value")); read them with “oldValue”, or ignore them \
                with “leaveOldValues”
                """,
                attribute
            )
        }
    }
}

extension StoreError {
    /// Returns the error for a required attribute that steps have not set for every object.
    fileprivate static func missingAfterSteps(_ count: Int, _ attribute: StoredAttribute) -> Self {
        let verb = count == 1 ? "has" : "have"
        return Self(
            .missingValue,
            """
            it is not optional, and \(count.counted("object")) \(verb) no value of it after the migration steps; set it in a \
            step, make it optional, or give it a default
            """,
            entity: attribute.entity,
            attribute: attribute.name
        )
    }

    /// Returns the error for an attribute whose type has changed.
    static func changedType(
        from old: AttributeType,
        to new: AttributeType,
        _ remedy: String,
        _ attribute: StoredAttribute
    ) -> Self {
        Self(
            .unsupported,
            "its type changes from “\(old.rawValue)” to “\(new.rawValue)”, and \(remedy)",
            entity: attribute.entity,
            attribute: attribute.name
        )
    }
}

/// Checks that a file matches a model, before a migration is committed.
private enum MigrationCheck {
    /// Compares the file's metadata, tables, and references with the new schema.
    ///
    /// - Throws: `StoreError` with the code `model-mismatch`, `dangling-reference`, or
    ///   `not-unique` if the file does not match.
    static func run(_ schema: StoreSchema, after record: MigrationRecord, on connection: any EngineConnection) throws {
        do {
            try SchemaWatch().check(schema, on: connection)
        } catch let error as StoreError where error.code == .storeChanged {
            throw StoreError.unfinished(error.message, error.entity)
        }
        for entity in schema.entities {
            try check(entity, on: connection)
            try requireUniqueText(entity, after: record, on: connection)
        }
        if let error = try ReferenceCheck.violations(schema, on: connection).first { throw error }
    }

    private static func check(_ entity: StoredEntity, on connection: any EngineConnection) throws {
        guard Set(entity.columns.map(\.id)).count == entity.columns.count else {
            throw StoreError.unfinished("two attributes have the same number", entity.name)
        }
        let columns = try connection.tables.columns(of: entity.name, among: entity.insertedColumns)
        for name in entity.insertedColumns where !columns.contains(name) {
            throw StoreError.unfinished("its column is missing", entity.name, name)
        }
    }

    /// Throws an error if text that must be unique from now on has duplicates that are written with other scalars.
    private static func requireUniqueText(
        _ entity: StoredEntity,
        after record: MigrationRecord,
        on connection: any EngineConnection
    ) throws {
        for columns in entity.uniqueLists where !entity.indexedText.isDisjoint(with: columns) {
            guard !record.wasUnique(columns, in: entity.description) else { continue }
            let count = try Duplicates(
                columns: columns,
                table: entity.name,
                isWithinTenants: entity.belongsToTenant
            )
            .count(on: connection)
            guard count > 0 else { continue }
            let reason = "\(Duplicates.reason(count)), written with other Unicode scalars"
            throw StoreError(.notUnique, reason, entity: entity.name, attribute: columns.first)
        }
    }
}

extension MigrationRecord {
    /// Returns a Boolean value that indicates whether values of some columns of an entity were already unique in the
    /// file.
    fileprivate func wasUnique(_ columns: [String], in entity: EntityDescription) -> Bool {
        guard let name = succession.oldName(of: entity) else { return false }
        let names = columns.compactMap { succession.oldName(of: $0, in: entity.name) }
        return names.count == columns.count && enforces(names, of: name)
    }
}

extension StoreError {
    fileprivate static func unfinished(_ what: String, _ entity: String?, _ attribute: String? = nil) -> Self {
        Self(
            .modelMismatch,
            "the migration was rolled back, because the file would not match the model: \(what)",
            entity: entity,
            attribute: attribute
        )
    }
}

/// A column that requires a value in every row, although its table does not declare it `NOT NULL`.
///
/// SQLite cannot add `NOT NULL` to an existing column. Triggers reject rows without a value until the table is rebuilt.
/// Other engines require values without triggers.
package struct RequiredColumn {
    private static let prefix = "_required."

    let entity: StoredEntity
    let attribute: StoredAttribute

    private var triggers: [String] {
        ["insert", "update"].map { SQL.quoted("\(Self.prefix)\(attribute.id).\($0)") }
    }

    /// Returns the numbers of the attributes that need a value according to the names of triggers, by tables.
    ///
    /// While a table is rebuilt, the triggers of its former version are still there.
    package static func attributes(on connection: any EngineConnection) throws -> [String: Set<UInt32>] {
        let sql = "SELECT \"tbl_name\", \"name\" FROM \(connection.dialect.definitions) WHERE \"type\" = 'trigger'"
        var found: [String: Set<UInt32>] = [:]
        for row in try connection.rows(sql, count: 2) {
            guard let table = row.text(0), let name = row.text(1), name.hasPrefix(prefix),
                let number = UInt32(name.dropFirst(prefix.count).prefix { $0 != "." })
            else { continue }
            found[table, default: []].insert(number)
        }
        return found
    }

    /// Creates the triggers.
    func demandValues(on connection: any EngineConnection) throws {
        let column = SQL.quoted(attribute.name)
        let message = "NOT NULL constraint failed: \(entity.name).\(attribute.name)".replacing("'", with: "''")
        for (trigger, event) in zip(triggers, ["INSERT", "UPDATE OF \(column)"]) {
            try connection.tables.define(
                """
                CREATE TRIGGER \(trigger) BEFORE \(event) ON \(entity.table) WHEN new.\(column) IS NULL
                BEGIN SELECT RAISE(ABORT, '\(message)'); END
                """
            )
        }
        try connection.tables.requireValues(in: attribute.name, of: entity.name)
    }

    /// Removes the triggers, if there are any.
    func dropTriggers(on connection: any EngineConnection) throws {
        for trigger in triggers { try connection.tables.define("DROP TRIGGER IF EXISTS \(trigger)") }
    }

    /// Returns the number of rows without a value.
    func missingCount(on connection: any EngineConnection) throws -> Int {
        let sql = "SELECT count(*) FROM \(entity.table) WHERE \(SQL.quoted(attribute.name)) IS NULL"
        return try Int(connection.integer(sql))
    }
}
