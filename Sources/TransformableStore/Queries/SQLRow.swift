internal import Transformable

/// A row that a statement in SQL gave.
///
/// It may leave its context's block.
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

    /// The names of the columns, as the statement has them.
    public var columns: [String] { names.list }

    /// Gives what a cell holds.
    ///
    /// - Parameter name: The column's name; the first one of several.
    /// - Returns: The cell.
    /// - Throws: ``StoreError`` with ``StoreError/Code/unknownAttribute``.
    public func column(_ name: String) throws -> ColumnValue {
        try cells.value(index(name))
    }

    /// Gives a plain value.
    ///
    /// - Parameters:
    ///   - name: The column's name; the first one of several.
    ///   - type: A plain type that columns hold such values of: a `Date` is seconds since 2001.
    /// - Returns: The value.
    /// - Throws: ``StoreError``: ``StoreError/Code/missingValue`` for `NULL`, ``StoreError/Code/wrongType``, or
    ///   ``StoreError/Code/unknownAttribute``.
    public func value<Value: PlainValue>(_ name: String, as type: Value.Type) throws -> Value {
        guard let value = try value(name, as: Value?.self) else {
            throw StoreError(.missingValue, "it is NULL; ask for “\(type)?” to have nil instead", attribute: name)
        }
        return value
    }

    /// Gives a plain value, or nil for `NULL`.
    ///
    /// - Parameters:
    ///   - name: The column's name; the first one of several.
    ///   - type: A plain type that columns hold such values of, as an optional.
    /// - Returns: The value.
    /// - Throws: ``StoreError``: ``StoreError/Code/wrongType`` or ``StoreError/Code/unknownAttribute``.
    public func value<Value: PlainValue>(_ name: String, as type: Value?.Type) throws -> Value? {
        let cell = try column(name)
        guard cell != .null else { return nil }
        guard let value = try? Value(column: cell) else {
            throw StoreError(.wrongType, "the cell holds no \(Value.self)", attribute: name)
        }
        return value
    }

    /// Gives what an attribute's transformer makes of a cell.
    ///
    /// ```swift
    /// let rows = try context.rows("SELECT _id, ssn FROM Patient ORDER BY random() LIMIT 3")
    /// let numbers = try rows.map { try $0.decoded("ssn", as: String.self, of: "Patient") }
    /// ```
    ///
    /// A value that is bound to its row, as sealed ones are, needs the number of the row's object.
    ///
    /// - Parameters:
    ///   - name: The column's name; the first one of several.
    ///   - type: The type of the attribute's values.
    ///   - attribute: The attribute; nil is the one that is called like the column.
    ///   - entity: The attribute's entity.
    ///   - number: The column with the object's number; it may be missing where no value is bound to its row.
    /// - Returns: The value; nil for `NULL`.
    /// - Throws: ``StoreError``: ``StoreError/Code/undecodable``, ``StoreError/Code/wrongType``,
    ///   ``StoreError/Code/unknownEntity``, ``StoreError/Code/unknownAttribute``, or ``StoreError/Code/unsupported``
    ///   for an attribute whose values may lie in files of their own.
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
            let message = "its values may not lie in its column; fetch the objects instead"
            throw StoreError(.unsupported, message, entity: entity.name, attribute: stored.name)
        }
        guard !cells.isNull(index) else { return nil }
        var place = TransformContext(store: schema.uuid, entity: entity.id, attribute: stored.id)
        if let column = names[number], case .integer(let number) = cells.value(column) { place.object = number }
        let slot = stored.load(cells, index, in: place)
        if let failure = slot.failure { throw failure }
        return try stored.any(slot).map { try ManagedObject.convert($0, of: stored) }
    }

    private func index(_ name: String) throws(StoreError) -> Int {
        guard let index = names[name] else {
            let list = columns.joined(separator: ", ")
            throw StoreError(.unknownAttribute, "the row has no such column; it has \(list)", attribute: name)
        }
        return index
    }
}
