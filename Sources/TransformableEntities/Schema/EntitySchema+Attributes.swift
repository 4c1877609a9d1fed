public import Transformable
public import TransformableStore

/// One function for each kind of attribute; the property's type chooses.
extension _EntitySchema {
    /// Adds an attribute of a plain type.
    public mutating func attribute<Value: PlainValue>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Value> & Sendable,
        _ options: AttributeOption...,
        initial: (@Sendable () -> Value)? = nil
    ) {
        let type = AttributeValueType(plain: Value.self)
        let attribute = AttributeDescription(name, Value.attributeType, valueType: type, options)
        add(attribute, keyPath, of: Value.self, initial)
    }

    /// Adds an attribute of a plain type that may have no value.
    public mutating func attribute<Value: PlainValue>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Value?> & Sendable,
        _ options: AttributeOption...,
        initial: (@Sendable () -> Value?)? = nil
    ) {
        let type = AttributeValueType(plain: Value.self)
        let attribute = AttributeDescription(name, Value.attributeType, valueType: type, options)
        addOptional(attribute, keyPath, initial)
    }

    /// Adds an attribute of an enumeration or another type with raw values.
    public mutating func attribute<Value: RawRepresentable & SendableMetatype>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Value> & Sendable,
        _ options: AttributeOption...,
        initial: (@Sendable () -> Value)? = nil
    ) where Value.RawValue: PlainValue {
        let type = AttributeValueType(raw: Value.self)
        var attribute = AttributeDescription(name, Value.RawValue.attributeType, valueType: type, options)
        attribute.defaultValue = attribute.defaultValue ?? initial.flatMap { DefaultValue(plain: $0().rawValue) }
        add(attribute, keyPath, of: Value.self, initial)
    }

    /// Adds an attribute of an enumeration or another type with raw values, that may have no value.
    public mutating func attribute<Value: RawRepresentable & SendableMetatype>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Value?> & Sendable,
        _ options: AttributeOption...,
        initial: (@Sendable () -> Value?)? = nil
    ) where Value.RawValue: PlainValue {
        let type = AttributeValueType(raw: Value.self)
        var attribute = AttributeDescription(name, Value.RawValue.attributeType, valueType: type, options)
        attribute.defaultValue =
            attribute.defaultValue ?? initial.flatMap { $0() }.flatMap { DefaultValue(plain: $0.rawValue) }
        addOptional(attribute, keyPath, initial)
    }

    /// Adds an attribute of a `Codable` type, which is stored as JSON where nothing else is said.
    @_disfavoredOverload
    public mutating func attribute<Value: Codable & SendableMetatype>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Value> & Sendable,
        _ options: AttributeOption...,
        initial: (@Sendable () -> Value)? = nil
    ) {
        add(.transformed(name, "json", as: Value.self, options), keyPath, of: Value.self, initial)
    }

    /// Adds an attribute of a `Codable` type that may have no value.
    @_disfavoredOverload
    public mutating func attribute<Value: Codable & SendableMetatype>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Value?> & Sendable,
        _ options: AttributeOption...,
        initial: (@Sendable () -> Value?)? = nil
    ) {
        addOptional(.transformed(name, "json", as: Value.self, options), keyPath, initial)
    }

    /// Adds an attribute that a transformer stores.
    public mutating func attribute<Value>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Value> & Sendable,
        transformer: String,
        _ options: AttributeOption...,
        initial: (@Sendable () -> Value)? = nil
    ) {
        add(.transformed(name, transformer, as: Value.self, options), keyPath, of: Value.self, initial)
    }

    /// Adds an attribute that a transformer stores and that may have no value.
    public mutating func attribute<Value>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Value?> & Sendable,
        transformer: String,
        _ options: AttributeOption...,
        initial: (@Sendable () -> Value?)? = nil
    ) {
        addOptional(.transformed(name, transformer, as: Value.self, options), keyPath, initial)
    }

    /// Adds an attribute that a transformer for values of its type stores.
    public mutating func attribute<Value>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Value> & Sendable,
        transformer: TypedExpression<Value>,
        _ options: AttributeOption...,
        initial: (@Sendable () -> Value)? = nil
    ) {
        add(.transformed(name, transformer.text, as: Value.self, options), keyPath, of: Value.self, initial)
    }

    /// Adds an attribute that a transformer for values of its type stores, and that may have no value.
    public mutating func attribute<Value>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Value?> & Sendable,
        transformer: TypedExpression<Value>,
        _ options: AttributeOption...,
        initial: (@Sendable () -> Value?)? = nil
    ) {
        addOptional(.transformed(name, transformer.text, as: Value.self, options), keyPath, initial)
    }
}

extension _EntitySchema {
    /// Adds an attribute that a transformer for any `Codable` type stores.
    public mutating func attribute<Value: Codable & SendableMetatype>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Value> & Sendable,
        transformer: CodableExpression,
        _ options: AttributeOption...,
        initial: (@Sendable () -> Value)? = nil
    ) {
        add(.transformed(name, transformer.text, as: Value.self, options), keyPath, of: Value.self, initial)
    }

    /// Adds an attribute that a transformer for any `Codable` type stores, and that may have no value.
    public mutating func attribute<Value: Codable & SendableMetatype>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Value?> & Sendable,
        transformer: CodableExpression,
        _ options: AttributeOption...,
        initial: (@Sendable () -> Value?)? = nil
    ) {
        addOptional(.transformed(name, transformer.text, as: Value.self, options), keyPath, initial)
    }

    /// Refuses an attribute of a type that nothing says how to store.
    @available(
        *,
        unavailable,
        message: "its type is neither plain nor Codable: name a transformer, or mark it @Relationship or @Transient"
    )
    @_disfavoredOverload
    public mutating func attribute<Value>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Value> & Sendable,
        _ options: AttributeOption...,
        initial: (@Sendable () -> Value)? = nil
    ) {}
}

extension _EntitySchema {
    private mutating func add<Value>(
        _ attribute: AttributeDescription,
        _ keyPath: any AnyKeyPath & Sendable,
        of type: Value.Type,
        _ initial: (@Sendable () -> Value)?
    ) {
        let isEager = initial == nil && Neutral.value(of: type) == nil
        var made: (@Sendable () -> Slot)?
        if let initial { made = { .holding(initial()) } }
        add(attribute, keyPath, isEager: isEager, initial: made)
    }

    private mutating func addOptional<Value>(
        _ attribute: AttributeDescription,
        _ keyPath: any AnyKeyPath & Sendable,
        _ initial: (@Sendable () -> Value?)?
    ) {
        var attribute = attribute
        attribute.isOptional = true
        var made: (@Sendable () -> Slot)?
        if let initial { made = { .holding(initial()) } }
        add(attribute, keyPath, isEager: false, initial: made)
    }
}

extension AttributeDescription {
    fileprivate static func transformed<Value>(
        _ name: String,
        _ transformer: String,
        as type: Value.Type,
        _ options: [AttributeOption]
    ) -> Self {
        Self(name, .transformed, transformer: transformer, valueType: AttributeValueType(transformed: type), options)
    }
}

extension DefaultValue {
    /// A plain value as a model's text can say it; nil for one that it cannot.
    fileprivate init?(plain value: some PlainValue) {
        switch try? value.column() {
        case .integer(let number): self = .integer(number)
        case .real(let number): self = .number(number)
        case .text(let text): self = .string(text)
        case .brokenText, .blob, .null, nil: return nil
        }
    }
}
