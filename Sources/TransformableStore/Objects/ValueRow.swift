internal import Foundation
internal import Transformable

/// Values that were read without creating an object: selected attributes of an object, or aggregates over several
/// objects.
///
/// A row is valid outside of its context's block.
public struct ValueRow: Sendable {
    /// The source of a value.
    enum Source: Sendable {
        case attribute(StoredAttribute, TransformContext)
        case computed
        /// A decimal number, which is stored in the cell as text.
        case computedDecimal

        init(_ name: String, of entity: StoredEntity, in context: StoreContext) throws {
            try self.init(name, of: entity, in: context.place(in: entity))
        }

        init(_ name: String, of entity: StoredEntity, in place: TransformContext) throws {
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
                let message = Self.reasonForNoColumn(attribute)
                throw StoreError(.unsupported, message, entity: entity.name, attribute: name)
            }
            guard !attribute.isExternal else {
                let message = "its values may be stored in external files; fetch the objects instead"
                throw StoreError(.unsupported, message, entity: entity.name, attribute: name)
            }
            var place = place
            place.attribute = attribute.id
            self = .attribute(attribute, place)
        }

        private static func reasonForNoColumn(_ attribute: StoredAttribute) -> String {
            guard attribute.derivation != nil else { return "it is kept only in memory" }
            return "it is a count, which has no column; use it in conditions and sort orders, or read it from objects"
        }
    }

    /// The object that the values belong to, or `nil` for aggregates.
    public let id: ObjectID?
    /// The names of the values.
    ///
    /// The name of an aggregate has the form `sum(age)`.
    public let names: [String]
    let sources: [Source]
    let row: PackedRow
    /// The tenant of the object, if the row was read across tenants.
    var tenant: Int64?

    /// Returns the value of an attribute, which must have one.
    ///
    /// - Parameters:
    ///   - name: The name of an attribute that was selected or grouped by.
    ///   - type: The type of its values.
    /// - Returns: The decoded value.
    /// - Throws: `StoreError` with the code `missing-value`, `undecodable`,
    ///   `wrong-type`, or `unknown-attribute`.
    public func value<Value>(_ name: String, as type: Value.Type) throws -> Value {
        guard let value = try value(name, as: Value?.self) else {
            throw StoreError(
                .missingValue,
                "it has no value; read it as “\(type)?” to get nil instead",
                attribute: name,
                object: id
            )
        }
        return value
    }

    /// Returns the value of an attribute, or `nil` if it has none.
    ///
    /// - Parameters:
    ///   - name: The name of an attribute that was selected or grouped by.
    ///   - type: The type of its values, as an optional.
    /// - Returns: The decoded value.
    /// - Throws: `StoreError` with the code `undecodable`, `wrong-type`, or
    ///   `unknown-attribute`.
    public func value<Value>(_ name: String, as type: Value?.Type) throws -> Value? {
        let index = try index(of: name)
        guard !row.isNull(index) else { return nil }
        guard case .attribute(let attribute, var place) = sources[index] else {
            let value: Value = try Self.computed(row.value(index), name)
            return value
        }
        place.object = id?.number
        if let tenant { place.tenant = tenant }
        let slot = attribute.load(row, index, in: place)
        if let failure = slot.failure { throw failure }
        return try attribute.any(slot).map { try ManagedObject.convert($0, of: attribute) }
    }

    private func index(of name: String) throws(StoreError) -> Int {
        if let index = names.firstIndex(of: name) { return index }
        let list = names.joined(separator: ", ")
        throw StoreError(.unknownAttribute, "it was not selected; the row contains \(list)", attribute: name)
    }

    /// Returns the value of an attribute whose type the caller does not know.
    ///
    /// - Parameter name: The name of an attribute that was selected or grouped by.
    /// - Returns: The decoded value, or `nil` if there is none.
    /// - Throws: `StoreError` with the code `undecodable` or `unknown-attribute`.
    public func anyValue(_ name: String) throws -> Any? {
        let index = try index(of: name)
        switch sources[index] {
        case .attribute: return try value(name, as: Any?.self)
        case .computedDecimal: return try value(name, as: Decimal?.self)
        case .computed: return row.value(index).plainValue
        }
    }

    /// Returns the result of an aggregate whose type the caller does not know.
    ///
    /// - Parameter aggregate: One of the computed aggregates.
    /// - Returns: The result, or `nil` if there is none.
    /// - Throws: `StoreError` with the code `undecodable` or `unknown-attribute`.
    public func anyValue(_ aggregate: Aggregate) throws -> Any? {
        try anyValue(aggregate.label)
    }

    private static func computed<Value>(_ cell: ColumnValue, _ name: String) throws -> Value {
        guard let type = Value.self as? any PlainValue.Type, let value = try? type.init(column: cell) as? Value else {
            throw StoreError(.wrongType, "the result is not of type \(Value.self)", attribute: name)
        }
        return value
    }

    /// Returns the result of an aggregate, which must have one.
    ///
    /// - Parameters:
    ///   - aggregate: One of the computed aggregates.
    ///   - type: A type for the result, such as `Int` for a count, or the attribute's type for its smallest value.
    /// - Returns: The result.
    /// - Throws: `StoreError` with the code `missing-value`, `wrong-type`, or
    ///   `unknown-attribute`.
    public func value<Value>(_ aggregate: Aggregate, as type: Value.Type) throws -> Value {
        try value(aggregate.label, as: type)
    }

    /// Returns the result of an aggregate, or `nil` if there is none.
    ///
    /// - Parameters:
    ///   - aggregate: One of the computed aggregates.
    ///   - type: A type for the result, as an optional.
    /// - Returns: The result.
    /// - Throws: `StoreError` with the code `wrong-type` or `unknown-attribute`.
    public func value<Value>(_ aggregate: Aggregate, as type: Value?.Type) throws -> Value? {
        try value(aggregate.label, as: type)
    }
}

extension ColumnValue {
    /// The content of the cell as a value, or `nil` if it is null.
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
