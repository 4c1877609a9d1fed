internal import Transformable

/// Values that were read without making an object: chosen attributes of one, or what several come to.
///
/// It may leave its context's block.
public struct ValueRow: Sendable {
    /// Where a value comes from.
    enum Source: Sendable {
        case attribute(StoredAttribute, TransformContext)
        case computed

        init(_ name: String, of entity: StoredEntity, in schema: StoreSchema) throws {
            if let (attribute, index) = entity.projection(name) {
                if let failure = attribute.projections[index].failure { throw failure }
                self = .computed
                return
            }
            guard name != "_id" else {
                self = .computed
                return
            }
            let attribute = try entity.attribute(name)
            if let failure = attribute.failure { throw failure }
            guard attribute.cell != nil else {
                throw StoreError(.unsupported, "it is kept in memory only", entity: entity.name, attribute: name)
            }
            guard !attribute.isExternal else {
                let message = "its values may lie in files of their own; fetch the objects instead"
                throw StoreError(.unsupported, message, entity: entity.name, attribute: name)
            }
            let place = TransformContext(store: schema.uuid, entity: entity.id, attribute: attribute.id)
            self = .attribute(attribute, place)
        }
    }

    /// Which object the values are of; nil for aggregates.
    public let id: ObjectID?
    /// The names of the values; of an aggregate, as in `sum(age)`.
    public let names: [String]
    let sources: [Source]
    let row: PackedRow

    /// Gives the value of an attribute that has one.
    ///
    /// - Parameters:
    ///   - name: The attribute's name, one of those that were chosen or grouped by.
    ///   - type: The type of its values.
    /// - Returns: The value, decoded now.
    /// - Throws: ``StoreError``: ``StoreError/Code/missingValue``, ``StoreError/Code/undecodable``,
    ///   ``StoreError/Code/wrongType`` or ``StoreError/Code/unknownAttribute``.
    public func value<Value>(_ name: String, as type: Value.Type) throws -> Value {
        guard let value = try value(name, as: Value?.self) else {
            throw StoreError(
                .missingValue,
                "it has no value; ask for “\(type)?” to have nil instead",
                attribute: name,
                object: id
            )
        }
        return value
    }

    /// Gives the value of an attribute, or nil if it has none.
    ///
    /// - Parameters:
    ///   - name: The attribute's name, one of those that were chosen or grouped by.
    ///   - type: The type of its values, as an optional.
    /// - Returns: The value, decoded now.
    /// - Throws: ``StoreError``: ``StoreError/Code/undecodable``, ``StoreError/Code/wrongType`` or
    ///   ``StoreError/Code/unknownAttribute``.
    public func value<Value>(_ name: String, as type: Value?.Type) throws -> Value? {
        guard let index = names.firstIndex(of: name) else {
            let list = names.joined(separator: ", ")
            throw StoreError(.unknownAttribute, "it was not asked for; there are \(list)", attribute: name)
        }
        guard !row.isNull(index) else { return nil }
        guard case .attribute(let attribute, var place) = sources[index] else {
            let value: Value = try Self.computed(row.value(index), name)
            return value
        }
        place.object = id?.number
        let slot = attribute.load(row, index, in: place)
        if let failure = slot.failure { throw failure }
        return try attribute.any(slot).map { try ManagedObject.convert($0, of: attribute) }
    }

    private static func computed<Value>(_ cell: ColumnValue, _ name: String) throws -> Value {
        guard let type = Value.self as? any PlainValue.Type, let value = try? type.init(column: cell) as? Value else {
            throw StoreError(.wrongType, "the result is no \(Value.self)", attribute: name)
        }
        return value
    }

    /// Gives what an aggregate comes to.
    ///
    /// - Parameters:
    ///   - aggregate: One of those that were asked for.
    ///   - type: A type that holds the result: `Int` for a count, the attribute's type for its smallest value.
    /// - Returns: The result.
    /// - Throws: ``StoreError``: ``StoreError/Code/missingValue``, ``StoreError/Code/wrongType`` or
    ///   ``StoreError/Code/unknownAttribute``.
    public func value<Value>(_ aggregate: Aggregate, as type: Value.Type) throws -> Value {
        try value(aggregate.label, as: type)
    }

    /// Gives what an aggregate comes to, or nil where it comes to nothing.
    ///
    /// - Parameters:
    ///   - aggregate: One of those that were asked for.
    ///   - type: A type that holds the result, as an optional.
    /// - Returns: The result.
    /// - Throws: ``StoreError``: ``StoreError/Code/wrongType`` or ``StoreError/Code/unknownAttribute``.
    public func value<Value>(_ aggregate: Aggregate, as type: Value?.Type) throws -> Value? {
        try value(aggregate.label, as: type)
    }
}
