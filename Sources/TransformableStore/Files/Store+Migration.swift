internal import GRDB
internal import Transformable

extension Store {
    /// Runs the steps between the version that a file had and the one that it has now, in the transaction that
    /// brought it there, and checks what has come of it.
    ///
    /// The store is there for its steps only; the one that is opened comes after them.
    func finish(_ record: MigrationRecord, on database: Database) throws {
        for step in record.steps {
            try StoreContext.migrate(self, on: database) { context in
                try step.body(MigrationContext(context, record, registry: registry, on: database))
            }
        }
        if let fault = record.untaken { throw fault.error }
        for entity in schema.entities { try requireTaken(entity, record, on: database) }
        try ReferenceCarrier(record: record, database: database).discard()
        try MigrationCheck.run(schema, after: record, on: database)
    }

    /// Throws if an attribute has another type now and no step has asked for the values that it had.
    private func requireTaken(_ entity: StoredEntity, _ record: MigrationRecord, on database: Database) throws {
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
            let column = SQL.quoted(Migration.aside(former.name, number))
            let sql = "SELECT count(*) FROM \(entity.table) WHERE \(column) IS NOT NULL"
            let count = try Int(SQLStatement.integer(sql, on: database))
            guard count > 0 else { continue }
            throw StoreError.changedType(
                from: former.type,
                to: attribute.description.type,
                """
                no migration step reads its \(count.counted("old value")); read them with “oldValue”, or leave them on \
                purpose with “leaveOldValues”
                """,
                attribute
            )
        }
    }
}

extension StoreError {
    /// The error of an attribute that gets another type.
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
