internal import TransformableStore

/// A property whose values are read from a `ValueRow`.
struct ValueColumn<Object: Entity, Value> {
    /// The name of the property in the model.
    let name: String
    private let isID: Bool

    init(_ keyPath: KeyPath<Object, Value>) throws(StoreError) {
        isID = Object.isID(keyPath)
        name = isID ? "_id" : try Object.requirePropertyName(for: keyPath)
    }

    func value(in row: ValueRow) throws -> Value {
        let value: Any =
            if isID {
                row.id.map { PersistentID<Object>($0) } ?? PersistentID(number: 0)
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
