internal import GRDB
internal import Transformable

/// The objects of a migration: the new ones, and what the earlier version of the model had of them.
public final class MigrationContext {
    /// The objects of the new model.
    public let context: StoreContext
    /// The model that the file had.
    public var oldModel: Model { old.model }

    private let old: Metadata
    private let registry: TransformerRegistry
    private let database: Database
    private let blobs: BlobFolder?
    private var attributes: [String: [StoredAttribute]] = [:]

    init(_ context: StoreContext, from old: Metadata, registry: TransformerRegistry, on database: Database) {
        self.context = context
        self.old = old
        self.registry = registry
        self.database = database
        blobs = context.schema.blobs
    }

    /// Gives what an attribute that the new model lacks, or has by another type, held in an object.
    ///
    /// - Parameters:
    ///   - name: The attribute's name in the old model.
    ///   - object: An object of the new model.
    ///   - type: The type of its values.
    /// - Returns: The value; nil if there was none, and for an object that is new.
    /// - Throws: ``StoreError``: ``StoreError/Code/unknownAttribute``, ``StoreError/Code/undecodable`` or
    ///   ``StoreError/Code/wrongType``.
    public func oldValue<Value>(_ name: String, of object: ManagedObject, as type: Value?.Type) throws -> Value? {
        let entity = try oldEntity(of: object)
        let attribute = try attribute(name, of: entity)
        let column = SQL.quoted(Migration.aside(name, attribute.id))
        let isAside = "SELECT count(*) FROM pragma_table_info(?) WHERE \"name\" = ?"
        let names = [ColumnValue.text(object.entity.name), .text(Migration.aside(name, attribute.id))]
        guard try SQLStatement.integer(isAside, names, on: database) > 0 else {
            throw StoreError(
                .unknownAttribute,
                "the new model has not dropped it; ask the object",
                entity: entity.name,
                attribute: name
            )
        }
        let sql = "SELECT \(column) FROM \(object.entity.table) WHERE \"_id\" = ?"
        let row = try SQLStatement.rows(sql, [.integer(object.number)], count: 1, on: database).first
        return try row.flatMap { try value(of: attribute, in: $0, 0, object.number, as: type) }
    }

    /// Gives what an attribute that the new model lacks, or has by another type, held in an object.
    ///
    /// - Parameters:
    ///   - name: The attribute's name in the old model.
    ///   - object: An object of the new model.
    ///   - type: The type of its values.
    /// - Returns: The value.
    /// - Throws: ``StoreError``: ``StoreError/Code/missingValue`` if there was none, and what the one for
    ///   optional values throws.
    public func oldValue<Value>(_ name: String, of object: ManagedObject, as type: Value.Type) throws -> Value {
        guard let value = try oldValue(name, of: object, as: Value?.self) else {
            throw StoreError(.missingValue, "it had no value", attribute: name, object: object.id)
        }
        return value
    }

    /// Goes through the objects of an entity that the new model lacks.
    ///
    /// - Parameters:
    ///   - name: The entity's name in the old model.
    ///   - body: Takes the objects one by one.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unknownEntity``, and what the body throws.
    public func forEachDropped(_ name: String, _ body: (DroppedObject) throws -> Void) throws {
        guard let entity = old.model.entity(name), !entity.isAbstract else {
            throw StoreError(.unknownEntity, "the old model has no such entity", entity: name)
        }
        let columns = try stored(entity).filter { $0.cell != nil }
        let list = (["\"_id\""] + columns.map { SQL.quoted($0.name) }).joined(separator: ", ")
        let table = SQL.quoted("_dropped.\(name).\(old.model.version)")
        let rows = try SQLStatement("SELECT \(list) FROM \(table) ORDER BY \"_id\"", on: database, cached: false)
        defer { rows.reset() }
        while try rows.step() {
            let row = rows.packedRow(from: 1, count: columns.count)
            try body(DroppedObject(number: rows.integer(0), row: row, columns: columns, migration: self))
        }
    }

    fileprivate func value<Value>(
        of attribute: StoredAttribute,
        in row: PackedRow,
        _ cell: Int,
        _ number: Int64,
        as type: Value?.Type
    ) throws -> Value? {
        let place = TransformContext(
            store: old.uuid,
            entity: old.entities[attribute.entity],
            attribute: attribute.id,
            object: number
        )
        let slot = attribute.load(row, cell, in: place, blobs, on: database)
        if let failure = slot.failure { throw failure }
        guard let value = attribute.any(slot) else { return nil }
        if let value = value as? Value { return value }
        throw StoreError.wrongType(attribute, found: Value.self)
    }

    // MARK: - The old model

    private func oldEntity(of object: ManagedObject) throws(StoreError) -> EntityDescription {
        let names = [object.entity.name, object.entity.description.renamedFrom].compactMap(\.self)
        guard let entity = names.lazy.compactMap(old.model.entity).first else {
            throw StoreError(.unknownEntity, "the old model has no such entity", entity: object.entity.name)
        }
        return entity
    }

    private func stored(_ entity: EntityDescription) throws -> [StoredAttribute] {
        if let known = attributes[entity.name] { return known }
        let numbers = old.entities[entity.name].flatMap { old.attributes[$0] } ?? [:]
        var resolver = SchemaResolver(model: old.model, registry: registry)
        // Says which columns may name blobs, and who wrote them.
        resolver.metadata = old
        let made = resolver.attributes(of: entity) { numbers[$0]?.id ?? 0 }
        attributes[entity.name] = made
        return made
    }

    private func attribute(_ name: String, of entity: EntityDescription) throws -> StoredAttribute {
        guard let attribute = try stored(entity).first(where: { $0.name == name && $0.cell != nil }) else {
            throw StoreError(
                .unknownAttribute,
                "the old model has no such attribute",
                entity: entity.name,
                attribute: name
            )
        }
        return attribute
    }
}

@available(*, unavailable)
extension MigrationContext: Sendable {}

/// An object of an entity that the new model lacks; it is there while it is shown.
public struct DroppedObject {
    /// The number that it had in its entity.
    public let number: Int64
    let row: PackedRow
    let columns: [StoredAttribute]
    let migration: MigrationContext

    /// Gives the value of an attribute.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - type: The type of its values.
    /// - Returns: The value; nil if there was none.
    /// - Throws: ``StoreError``: ``StoreError/Code/unknownAttribute``, ``StoreError/Code/undecodable`` or
    ///   ``StoreError/Code/wrongType``.
    public func value<Value>(_ name: String, as type: Value?.Type) throws -> Value? {
        guard let index = columns.firstIndex(where: { $0.name == name }) else {
            throw StoreError(.unknownAttribute, "the old model has no such attribute", attribute: name)
        }
        return try migration.value(of: columns[index], in: row, index, number, as: type)
    }
}

@available(*, unavailable)
extension DroppedObject: Sendable {}
