public import Foundation
public import TransformableStore

extension StoreContext {
    /// Fetches selected properties of the objects that match a condition, without creating the objects.
    ///
    /// ```swift
    /// for (id, name) in try context.values(Patient.self, of: \.persistentID, \.name) { … }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - keyPaths: The stored properties to read, which can be transformed, and `\.persistentID`.
    ///   - condition: A condition that selects the objects.
    ///   - order: The sort descriptors, most important first. Objects that compare equal are in insertion order.
    ///   - limit: The maximum number of objects.
    ///   - offset: The number of objects to skip.
    /// - Returns: The values of each object. If there is a single key path, the elements are its values.
    /// - Throws: `StoreError` if the condition or sort order is invalid or a property is not stored, or with the code
    ///   `undecodable` if a value cannot be decoded.
    public func values<Object: Entity, each Value>(
        _ type: Object.Type,
        of keyPaths: repeat KeyPath<Object, each Value>,
        where condition: Condition = .all,
        sortedBy order: [SortDescriptor<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws -> [(repeat each Value)] {
        try requireClass(type, of: type.entityName)
        let keys = try order.map(SortKey.init)
        let columns = (repeat try ValueColumn(each keyPaths))
        var names: [String] = []
        repeat names.append((each columns).name)
        let name = type.entityName
        var values: [(repeat each Value)] = []
        for row in try self.values(
            name,
            of: names,
            where: condition,
            sortedBy: keys,
            limit: limit,
            offset: offset
        ) {
            values.append((repeat try (each columns).value(in: row)))
        }
        return values
    }

    /// Fetches selected properties of the objects that match a predicate, without creating the objects.
    ///
    /// - Parameters:
    ///   - type: The entity class.
    ///   - keyPaths: The stored properties to read, which can be transformed, and `\.persistentID`.
    ///   - predicate: A predicate that selects the objects.
    ///   - order: The sort descriptors, most important first. Objects that compare equal are in insertion order.
    ///   - limit: The maximum number of objects.
    ///   - offset: The number of objects to skip.
    /// - Returns: The values of each object. If there is a single key path, the elements are its values.
    /// - Throws: `StoreError` if the predicate is not supported, the sort order is invalid, or a property is not
    ///   stored, or with the code `undecodable` if a value cannot be decoded.
    public func values<Object: Entity, each Value>(
        _ type: Object.Type,
        of keyPaths: repeat KeyPath<Object, each Value>,
        where predicate: Predicate<Object>,
        sortedBy order: [SortDescriptor<Object>] = [],
        limit: Int? = nil,
        offset: Int = 0
    ) throws -> [(repeat each Value)] {
        try values(
            type,
            of: repeat each keyPaths,
            where: Condition(predicate),
            sortedBy: order,
            limit: limit,
            offset: offset
        )
    }
}

/// A property whose values are read from a `ValueRow`.
struct ValueColumn<Object: Entity, Value> {
    /// The name of the property in the model.
    let name: String
    private let isID: Bool

    init(_ keyPath: KeyPath<Object, Value>, allowsID: Bool = true) throws(StoreError) {
        isID = allowsID && Object.isID(keyPath)
        name = isID ? "_id" : try Object.requirePropertyName(for: keyPath)
    }

    func value(in row: ValueRow) throws -> Value {
        let value: Any =
            if isID {
                row.id.map { PersistentID<Object>($0) } as Any
            } else if let type = Value.self as? any OptionalType.Type {
                try type.value(name, in: row)
            } else {
                try row.value(name, as: Value.self)
            }
        guard let value = value as? Value else {
            throw StoreError(
                .wrongType,
                "the value is not of type \(Value.self)",
                entity: Object.entityName,
                attribute: name
            )
        }
        return value
    }
}

/// An optional of any type.
protocol OptionalType {
    static var wrapped: any Any.Type { get }

    /// Reads the value of an optional attribute.
    static func value(_ name: String, in row: ValueRow) throws -> Any
}

extension Optional: OptionalType {
    static var wrapped: any Any.Type { Wrapped.self }

    static func value(_ name: String, in row: ValueRow) throws -> Any {
        try row.value(name, as: Wrapped?.self) as Any
    }
}

extension Entity {
    /// Returns the name of a stored property, for reading it without creating objects.
    static func requirePropertyName(for keyPath: PartialKeyPath<Self>) throws(StoreError) -> String {
        guard let name = propertyName(for: keyPath) else {
            throw StoreError.notStored(keyPath, in: entityName)
        }
        return name
    }
}
