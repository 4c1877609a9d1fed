/// Checks that a file matches a model, before a migration is committed.
enum MigrationCheck {
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
