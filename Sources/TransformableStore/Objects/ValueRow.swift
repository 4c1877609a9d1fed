internal import Foundation
internal import Transformable

/// Values that were read without making an object: chosen attributes of one, or what several come to.
///
/// It may leave its context's block.
public struct ValueRow: Sendable {
    /// Where a value comes from.
    enum Source: Sendable {
        case attribute(StoredAttribute, TransformContext)
        case computed
        /// A decimal number, which stands in the cell as text.
        case computedDecimal

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
        let index = try index(of: name)
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

    private func index(of name: String) throws(StoreError) -> Int {
        if let index = names.firstIndex(of: name) { return index }
        let list = names.joined(separator: ", ")
        throw StoreError(.unknownAttribute, "it was not asked for; there are \(list)", attribute: name)
    }

    /// Gives a value whose type is not known to the caller.
    ///
    /// - Parameter name: The attribute's name, one of those that were chosen or grouped by.
    /// - Returns: The value, decoded now; nil if there is none.
    /// - Throws: ``StoreError``: ``StoreError/Code/undecodable`` or ``StoreError/Code/unknownAttribute``.
    public func anyValue(_ name: String) throws -> Any? {
        let index = try index(of: name)
        switch sources[index] {
        case .attribute: return try value(name, as: Any?.self)
        case .computedDecimal: return try value(name, as: Decimal?.self)
        case .computed: return row.value(index).plainValue
        }
    }

    /// Gives what an aggregate comes to, for a caller who does not know its type.
    ///
    /// - Parameter aggregate: One of those that were asked for.
    /// - Returns: The result; nil where it comes to nothing.
    /// - Throws: ``StoreError``: ``StoreError/Code/undecodable`` or ``StoreError/Code/unknownAttribute``.
    public func anyValue(_ aggregate: Aggregate) throws -> Any? {
        try anyValue(aggregate.label)
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

extension ColumnValue {
    /// What the cell holds, as SQLite tells it; nil for nothing.
    fileprivate var plainValue: Any? {
        switch self {
        case .null: nil
        case .integer(let number): number
        case .real(let number): number
        case .text(let text): text
        case .brokenText(let bytes), .blob(let bytes): bytes
        }
    }
}
