/// The Swift type of an attribute's values, as code declares it.
public struct AttributeValueType: Sendable {
    /// The type.
    public let type: any Any.Type
    /// Makes a plain or transient attribute of the type; nil for one that a transformer stores.
    let makeAttribute: (@Sendable (AttributeBlueprint, inout SchemaResolver) -> StoredAttribute)?

    /// The type of what a transformer stores.
    package init<Value>(transformed type: Value.Type) {
        self.type = type
        makeAttribute = nil
    }

    /// The type of a value that is kept in memory only.
    package init<Value>(transient type: Value.Type) {
        self.type = type
        makeAttribute = { blueprint, _ in TypedAttribute<Value>(blueprint, coder: nil) }
    }

    /// The type of a value that a column holds as it is.
    package init<Value: PlainValue>(plain type: Value.Type) {
        self.type = type
        makeAttribute = { $1.plain($0, PlainCoder<Value>()) }
    }

    /// The type of a value that a column holds by its raw value.
    package init<Value: RawRepresentable & SendableMetatype>(raw type: Value.Type) where Value.RawValue: PlainValue {
        self.type = type
        makeAttribute = { $1.plain($0, RawCoder<Value>()) }
    }
}

extension AttributeValueType: Hashable {
    /// Whether both are the same type.
    public static func == (left: Self, right: Self) -> Bool {
        left.type == right.type
    }

    /// Hashes the type.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type))
    }
}
