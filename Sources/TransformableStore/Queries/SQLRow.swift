internal import Transformable

/// A row that an SQL statement returned.
///
/// A row is valid outside of its context's block.
public struct SQLRow: Sendable {
    /// The names of a statement's columns, which its rows share.
    struct Names: Sendable {
        let list: [String]
        private let indexes: [String: Int]

        init(_ list: [String]) {
            self.list = list
            indexes = Dictionary(zip(list, list.indices)) { first, _ in first }
        }

        subscript(name: String) -> Int? { indexes[name] }
    }

    let names: Names
    let cells: PackedRow
    let schema: StoreSchema
    let tenant: Int64?

    /// The names of the columns, as in the statement.
    public var columns: [String] { names.list }

    /// Returns the content of a cell.
    ///
    /// - Parameter name: The column's name. If several columns have the name, the first one is used.
    /// - Returns: The cell.
    /// - Throws: `StoreError` with the code `unknown-attribute` if there is no such column.
    public func column(_ name: String) throws -> ColumnValue {
        try cells.value(index(name))
    }

    /// Returns a plain value, which must not be `NULL`.
    ///
    /// - Parameters:
    ///   - name: The column's name. If several columns have the name, the first one is used.
    ///   - type: A plain type. For example, a `Date` is stored as the number of seconds since 2001.
    /// - Returns: The value.
    /// - Throws: `StoreError` with the code `missing-value` for `NULL`, or with the code `wrong-type`
    ///   or `unknown-attribute`.
    public func value<Value: PlainValue>(_ name: String, as type: Value.Type) throws -> Value {
        guard let value = try value(name, as: Value?.self) else {
            throw StoreError(.missingValue, "it is NULL; read it as “\(type)?” to get nil instead", attribute: name)
        }
        return value
    }

    /// Returns a plain value, or `nil` for `NULL`.
    ///
    /// - Parameters:
    ///   - name: The column's name. If several columns have the name, the first one is used.
    ///   - type: A plain type, as an optional.
    /// - Returns: The value.
    /// - Throws: `StoreError` with the code `wrong-type` or `unknown-attribute`.
    public func value<Value: PlainValue>(_ name: String, as type: Value?.Type) throws -> Value? {
        let cell = try column(name)
        guard cell != .null else { return nil }
        guard let value = try? Value(column: cell) else {
            throw StoreError(.wrongType, "the cell does not contain a value of type \(Value.self)", attribute: name)
        }
        return value
    }

    /// Decodes a cell with an attribute's transformer.
    ///
    /// ```swift
    /// let rows = try context.rows("SELECT _id, ssn FROM Patient ORDER BY random() LIMIT 3")
    /// let numbers = try rows.map { try $0.decoded("ssn", as: String.self, of: "Patient") }
    /// ```
    ///
    /// If a value is bound to its row, as sealed values are, the number of the row's object is required. In a block that
    /// reads across tenants, the column `_tenant` is required as well.
    ///
    /// - Parameters:
    ///   - name: The column's name. If several columns have the name, the first one is used.
    ///   - type: The type of the attribute's values.
    ///   - attribute: The attribute, or `nil` for the attribute with the column's name.
    ///   - entity: The attribute's entity.
    ///   - number: The column that contains the object's number. It can be missing if values are not bound to their
    ///     row.
    /// - Returns: The value, or `nil` for `NULL`.
    /// - Throws: `StoreError` with the code `undecodable`, `wrong-type`,
    ///   `unknown-entity`, or `unknown-attribute`, or with
    ///   the code `unsupported` if the attribute's values may be stored in external files, or if the tenant is missing.
    public func decoded<Value>(
        _ name: String,
        as type: Value.Type,
        attribute: String? = nil,
        of entity: String,
        number: String = "_id"
    ) throws -> Value? {
        let index = try index(name)
        let entity = try schema.entity(entity)
        let stored = try entity.attribute(attribute ?? name)
        if let failure = stored.failure { throw failure }
        guard stored.cell != nil, !stored.isExternal else {
            let message = "its values may be stored in external files; fetch the objects instead"
            throw StoreError(.unsupported, message, entity: entity.name, attribute: stored.name)
        }
        guard !cells.isNull(index) else { return nil }
        var place = TransformContext(store: schema.uuid, entity: entity.id, attribute: stored.id)
        if entity.belongsToTenant { place.tenant = try owner(of: entity, stored) }
        if let column = names[number], case .integer(let number) = cells.value(column) { place.object = number }
        let slot = stored.load(cells, index, in: place)
        if let failure = slot.failure { throw failure }
        return try stored.any(slot).map { try ManagedObject.convert($0, of: stored) }
    }

    /// Returns the tenant that the row belongs to: the one of the context, or the one in the row.
    private func owner(of entity: StoredEntity, _ attribute: StoredAttribute) throws(StoreError) -> Int64? {
        if let tenant { return tenant }
        let column = TenantColumn.name.name
        if let index = names[column], case .integer(let tenant) = cells.value(index) { return tenant }
        guard attribute.transformer?.traits.contains(.contextual) == true else { return nil }
        let message = "its values may be bound to a tenant; select the column “\(column)” as well"
        throw StoreError(.unsupported, message, entity: entity.name, attribute: attribute.name)
    }

    private func index(_ name: String) throws(StoreError) -> Int {
        guard let index = names[name] else {
            let list = columns.joined(separator: ", ")
            throw StoreError(.unknownAttribute, "the row has no such column; its columns are \(list)", attribute: name)
        }
        return index
    }
}
