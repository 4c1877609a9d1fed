/// The Swift type of an attribute's values, as declared in code.
public struct AttributeValueType: Sendable {
    /// The type.
    public let type: any Any.Type
    /// Creates a plain or transient attribute of the type.
    ///
    /// It is `nil` for a type that is stored by a transformer.
    let makeAttribute: (@Sendable (AttributeBlueprint, inout SchemaResolver) -> StoredAttribute)?

    /// Creates the type of an attribute that is stored by a transformer.
    package init<Value>(transformed type: Value.Type) {
        self.type = type
        makeAttribute = nil
    }

    /// Creates the type of an attribute that is kept only in memory.
    package init<Value>(transient type: Value.Type) {
        self.type = type
        makeAttribute = { blueprint, _ in TypedAttribute<Value>(blueprint, coder: nil) }
    }

    /// Creates the type of an attribute whose values are stored directly in its column.
    package init<Value: PlainValue>(plain type: Value.Type) {
        self.type = type
        makeAttribute = { $1.plain($0, PlainCoder<Value>()) }
    }

    /// Creates the type of an attribute whose raw values are stored in its column.
    package init<Value: RawRepresentable & SendableMetatype>(raw type: Value.Type) where Value.RawValue: PlainValue {
        self.type = type
        makeAttribute = { $1.plain($0, RawCoder<Value>()) }
    }
}

extension AttributeValueType: Hashable {
    /// Returns a Boolean value that indicates whether two values refer to the same Swift type.
    public static func == (left: Self, right: Self) -> Bool {
        left.type == right.type
    }

    /// Hashes the type.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type))
    }
}
