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
            let column = SQL.quoted(Migration.aside(former.name, number))
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
