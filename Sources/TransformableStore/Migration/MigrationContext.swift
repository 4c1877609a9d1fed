internal import Transformable

/// The context of a migration step, which provides the new objects and their values in the earlier version of the
/// model.
public final class MigrationContext {
    /// The objects of the new model.
    public let context: StoreContext
    /// The model that the file had before.
    public var oldModel: Model { old.model }

    let record: MigrationRecord
    private var old: Metadata { record.old }
    private let registry: TransformerRegistry
    let connection: any EngineConnection
    private let blobs: BlobStorage?
    private var attributes: [String: [StoredAttribute]] = [:]
    /// Attributes, by types of their values that the file's model does not state.
    private var typed: [TypedName: StoredAttribute] = [:]
    /// The columns that are known to contain old values.
    private var columns: Set<OldColumn> = []

    private struct OldColumn: Hashable {
        let entity: String
        let name: String
    }

    private struct TypedName: Hashable {
        let attribute: UInt32
        let type: ObjectIdentifier
    }

    init(
        _ context: StoreContext,
        _ record: MigrationRecord,
        registry: TransformerRegistry,
        on connection: any EngineConnection
    ) {
        self.context = context
        self.record = record
        self.registry = registry
        self.connection = connection
        blobs = context.schema.blobs
    }

    /// Returns the old value of an attribute that the new model has dropped or given a different type.
    ///
    /// The value is converted like an object's values: between plain types that are stored in the same way, from the
    /// raw value to an enumeration, and to any type that the attribute's transformer supports, such as the `Codable`
    /// type that was encoded as JSON, even if only the program's old model stated that type.
    ///
    /// - Parameters:
    ///   - name: The name of an attribute or composite in the old model.
    ///   - object: An object of the new model.
    ///   - type: The type of its values.
    /// - Returns: The value, or `nil` if there was none or if the object is new.
    /// - Throws: `StoreError` with the code `unknown-attribute`, `undecodable`, or
    ///   `wrong-type`, or with the code `unresolved-transformer` if the attribute's
    ///   transformer requires a different type of values.
    public func oldValue<Value>(_ name: String, of object: ManagedObject, as type: Value?.Type) throws -> Value? {
        let entity = try oldEntity(of: object.entity.name)
        if let composite = composite(name, of: entity) {
            let parts = CompositeParts(composite: composite, object: object.id) { name in
                let attribute = try self.attribute(name, of: entity)
                guard let row = try self.row(of: attribute, of: object) else { return nil }
                let value = try self.natural(attribute, row, 0)
                return value.map { ($0, { .wrongType(attribute, found: $0) }) }
            }
            return try parts.whole(as: Value.self)
        }
        let attribute = try attribute(name, of: entity)
        guard let row = try row(of: attribute, of: object) else { return nil }
        return try value(of: attribute, in: row, 0, as: type)
    }

    /// Returns the cell that an attribute had in an object, alone in its row, or `nil` if the object is new.
    private func row(of attribute: StoredAttribute, of object: ManagedObject) throws -> OldRow? {
        let name = attribute.name
        record.take(attribute.id)
        let aside = SetAside.name(name, attribute.id)
        let column = OldColumn(entity: object.entity.name, name: aside)
        guard try columns.contains(column) || !connection.tables.columns(of: column.entity, among: [aside]).isEmpty
        else {
            throw StoreError(
                .unknownAttribute,
                "it was not dropped in the new model; read it from the object",
                entity: attribute.entity,
                attribute: name
            )
        }
        columns.insert(column)
        let entity = object.entity
        let sql = """
            SELECT \(SQL.quoted(aside)) FROM \(SQL.main(entity.table))
            WHERE "_id" = ?\(TenantColumn.isCurrent(entity.belongsToTenant))
            """
        let cells = try connection.rows(sql, [.integer(object.number)], count: 1).first
        return try cells.map { OldRow(number: object.number, tenant: try context.tenant(of: object), cells: $0) }
    }

    /// Returns the old value of an attribute that the new model has dropped or given a different type.
    ///
    /// - Parameters:
    ///   - name: The attribute's name in the old model.
    ///   - object: An object of the new model.
    ///   - type: The type of its values.
    /// - Returns: The value.
    /// - Throws: `StoreError` with the code `missing-value` if there was no value, and the errors thrown by
    ///   the method for optional values.
    public func oldValue<Value>(_ name: String, of object: ManagedObject, as type: Value.Type) throws -> Value {
        guard let value = try oldValue(name, of: object, as: Value?.self) else {
            throw StoreError(.missingValue, "it had no value", attribute: name, object: object.id)
        }
        return value
    }

    /// States that a step intentionally ignores the old values of an attribute whose type has changed, or the
    /// references that the new model cannot hold.
    ///
    /// A migration fails if no step reads or ignores them, so that none are left behind by mistake. They are set aside
    /// in the file and are listed by ``Store/namesSetAside()``.
    ///
    /// - Parameters:
    ///   - name: The attribute's or relationship's name in the old model.
    ///   - entity: The entity's name in the new model.
    /// - Throws: `StoreError` with the code `unknown-entity` or `unknown-attribute`.
    public func leaveOldValues(_ name: String, of entity: String) throws {
        let former = try oldEntity(of: entity)
        if oldModel.relationships(of: former.name).contains(where: { $0.name == name }) {
            for link in record.references.oldLinks(of: name, in: former.name) { record.take(link: link.link) }
        } else {
            try record.take(attribute(name, of: former).id)
        }
    }

    /// Calls a closure with each object of an entity that the new model has dropped.
    ///
    /// If the step runs for a tenant, these are the tenant's objects, or the shared ones.
    ///
    /// - Parameters:
    ///   - name: The entity's name in the old model.
    ///   - body: A closure that is called with each object.
    /// - Throws: `StoreError` with the code `unknown-entity` if the old model has no such entity, and errors
    ///   thrown by the closure.
    public func forEachDropped(_ name: String, _ body: (DroppedObject) throws -> Void) throws {
        guard let entity = old.model.entity(name), !entity.isAbstract else {
            throw StoreError(.unknownEntity, "the old model has no such entity", entity: name)
        }
        let isOwned = old.model.belongsToTenants(name)
        guard !isOwned || context.scope != .shared else { throw StoreError.tenantOfDropped(name) }
        let columns = try stored(entity).filter { $0.cell != nil }
        let owner = isOwned ? TenantColumn.name.description : "NULL"
        let list = (["\"_id\"", owner] + columns.map { SQL.quoted($0.name) }).joined(separator: ", ")
        let table = SQL.quoted(SetAside.name(name, old.model.version))
        let condition = TenantColumn.isCurrent(isOwned && context.tenant != nil)
        // SQLite would sort all rows, which are in order already.
        let order = connection.dialect.has(.server) ? "\"_id\"" : "rowid"
        let sql = "SELECT \(list) FROM \(table) WHERE 1 = 1\(condition) ORDER BY \(order)"
        let rows = try connection.statement(sql, cached: false)
        defer { rows.reset() }
        while try rows.step() {
            let cells = rows.packedRow(from: 0, count: columns.count + 2)
            let tenant = cells.isNull(1) ? nil : cells.integer(1)
            let row = OldRow(number: cells.integer(0), tenant: tenant, cells: cells)
            let object = ObjectID(entity: name, number: row.number)
            try body(DroppedObject(id: object, description: entity, row: row, columns: columns, migration: self))
        }
    }

    fileprivate func value<Value>(
        of attribute: StoredAttribute,
        in row: OldRow,
        _ cell: Int,
        as type: Value?.Type
    ) throws -> Value? {
        let attribute = try readable(attribute, as: Value.self)
        return try natural(attribute, row, cell).map { try ManagedObject.convert($0, of: attribute) }
    }

    /// Returns the value of a cell as the attribute's own type.
    fileprivate func natural(_ attribute: StoredAttribute, _ row: OldRow, _ cell: Int) throws -> Any? {
        let place = TransformContext(
            store: old.uuid,
            entity: old.entities[attribute.entity],
            attribute: attribute.id,
            object: row.number,
            tenant: row.tenant
        )
        let slot = try attribute.load(row.cells, cell, in: place, blobs, on: connection)
        if let failure = slot.failure { throw failure }
        return attribute.any(slot)
    }

    /// Returns the attribute with values of the given type, if its transformer supports the type and stores the same
    /// bytes for it.
    private func readable<Value>(_ attribute: StoredAttribute, as type: Value.Type) throws -> StoredAttribute {
        guard attribute.description.type == .transformed, attribute.valueType != Value.self else { return attribute }
        let key = TypedName(attribute: attribute.id, type: ObjectIdentifier(type))
        if let known = typed[key] { return known }
        var blueprint = AttributeBlueprint(
            description: attribute.description,
            entity: attribute.entity,
            id: attribute.id,
            index: attribute.index,
            cell: attribute.cell,
            isExternal: attribute.isExternal
        )
        blueprint.description.projections = []
        blueprint.description.valueType = AttributeValueType(transformed: type)
        var resolver = resolver
        let made = resolver.attribute(blueprint)
        if let failure = made.failure, attribute.failure != nil { throw failure }
        let found = made.failure == nil ? made : attribute
        typed[key] = found
        return found
    }

    // MARK: - The old model

    func oldEntity(of name: String) throws(StoreError) -> EntityDescription {
        let entity = context.schema.model.entity(name).flatMap(record.succession.oldName)
        guard let entity = entity.flatMap(old.model.entity) else {
            throw StoreError(.unknownEntity, "the old model has no such entity", entity: name)
        }
        return entity
    }

    private var resolver: SchemaResolver {
        var resolver = SchemaResolver(model: old.model, registry: registry)
        // The metadata states which columns may refer to blobs and which transformers wrote them.
        resolver.metadata = old
        return resolver
    }

    /// Returns a composite of the old model.
    fileprivate func composite(_ name: String, of entity: EntityDescription) -> CompositeDescription? {
        old.model.lineage(of: entity).flatMap(\.composites).first { $0.name == name }
    }

    private func stored(_ entity: EntityDescription) throws -> [StoredAttribute] {
        if let known = attributes[entity.name] { return known }
        let numbers = old.entities[entity.name].flatMap { old.attributes[$0] } ?? [:]
        var resolver = resolver
        let made = resolver.attributes(of: entity) { numbers[$0]?.id ?? 0 }
        attributes[entity.name] = made
        return made
    }

    private func attribute(_ name: String, of entity: EntityDescription) throws -> StoredAttribute {
        guard let attribute = try stored(entity).first(where: { $0.name == name && $0.cell != nil }) else {
            throw StoreError.notInOldModel(name, of: entity.name)
        }
        return attribute
    }
}

@available(*, unavailable)
extension MigrationContext: Sendable {}

/// Cells of a row of the old model, and what sealed values are bound to.
private struct OldRow {
    let number: Int64
    let tenant: Int64?
    let cells: PackedRow
}

extension StoreError {
    fileprivate static func tenantOfDropped(_ entity: String) -> Self {
        let reason = "its objects belonged to tenants; read them in a step that is not for shared objects"
        return Self(.tenantRequired, reason, entity: entity)
    }

    fileprivate static func notInOldModel(_ attribute: String, of entity: String) -> Self {
        Self(.unknownAttribute, "the old model has no such attribute", entity: entity, attribute: attribute)
    }
}

/// An object of an entity that the new model has dropped.
///
/// It is valid only inside the closure it is passed to.
public struct DroppedObject {
    /// The object's number in its entity.
    public var number: Int64 { id.number }
    let id: ObjectID
    let description: EntityDescription
    // The object's number and tenant, and then the cells of the columns.
    fileprivate let row: OldRow
    let columns: [StoredAttribute]
    let migration: MigrationContext

    /// Returns the value of an attribute or composite, converted like the values of ``MigrationContext``.
    ///
    /// - Parameters:
    ///   - name: The name in the old model.
    ///   - type: The type of its values.
    /// - Returns: The value, or `nil` if there was none.
    /// - Throws: `StoreError` with the code `unknown-attribute`, `undecodable`, or
    ///   `wrong-type`, or with the code `unresolved-transformer` if the attribute's
    ///   transformer requires a different type of values.
    public func value<Value>(_ name: String, as type: Value?.Type) throws -> Value? {
        if let composite = migration.composite(name, of: description) {
            let parts = CompositeParts(composite: composite, object: id) { name in
                let index = try column(name)
                let value = try migration.natural(columns[index], row, index + 2)
                return value.map { ($0, { .wrongType(columns[index], found: $0) }) }
            }
            return try parts.whole(as: Value.self)
        }
        let index = try column(name)
        return try migration.value(of: columns[index], in: row, index + 2, as: type)
    }

    private func column(_ name: String) throws(StoreError) -> Int {
        guard let index = columns.firstIndex(where: { $0.name == name }) else {
            throw .notInOldModel(name, of: id.entity)
        }
        return index
    }
}

@available(*, unavailable)
extension DroppedObject: Sendable {}
