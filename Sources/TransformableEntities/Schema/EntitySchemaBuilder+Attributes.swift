internal import Foundation
public import Transformable
public import TransformableStore

/// One method for each kind of attribute. The property's type selects the method.
extension _EntitySchemaBuilder {
    /// Adds an attribute of a plain type.
    public mutating func attribute<Value: PlainValue>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Value> & Sendable,
        _ options: AttributeOption...,
        isConstant: Bool = false,
        initial: (@Sendable () -> Value)? = nil
    ) {
        let type = AttributeValueType(plain: Value.self)
        let attribute = AttributeDescription(name, Value.attributeType, valueType: type, options)
        add(attribute, keyPath, of: Value.self, initial)
    }

    /// Adds an optional attribute of a plain type.
    public mutating func attribute<Value: PlainValue>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Value?> & Sendable,
        _ options: AttributeOption...,
        isConstant: Bool = false,
        initial: (@Sendable () -> Value?)? = nil
    ) {
        let type = AttributeValueType(plain: Value.self)
        let attribute = AttributeDescription(name, Value.attributeType, valueType: type, options)
        addOptional(attribute, keyPath, initial)
    }

    /// Returns a default, unless it is computed anew each time, as by a static property.
    private static func constant<Value: PlainValue>(_ initial: () -> Value?) -> DefaultValue? {
        guard let first = initial().flatMap({ DefaultValue(plain: $0) }),
            first == initial().flatMap({ DefaultValue(plain: $0) })
        else { return nil }
        return first
    }

    /// Adds an attribute of a type with raw values.
    ///
    /// The initial value is the model's default if it is constant. Any other expression may give each object a different
    /// value.
    public mutating func attribute<Value: RawRepresentable & SendableMetatype>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Value> & Sendable,
        _ options: AttributeOption...,
        isConstant: Bool = false,
        initial: (@Sendable () -> Value)? = nil
    ) where Value.RawValue: PlainValue {
        let type = AttributeValueType(raw: Value.self)
        var attribute = AttributeDescription(name, Value.RawValue.attributeType, valueType: type, options)
        if isConstant, attribute.defaultValue == nil {
            attribute.defaultValue = Self.constant { initial.map { $0().rawValue } }
        }
        add(attribute, keyPath, of: Value.self, initial)
    }

    /// Adds an optional attribute of a type with raw values.
    public mutating func attribute<Value: RawRepresentable & SendableMetatype>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Value?> & Sendable,
        _ options: AttributeOption...,
        isConstant: Bool = false,
        initial: (@Sendable () -> Value?)? = nil
    ) where Value.RawValue: PlainValue {
        let type = AttributeValueType(raw: Value.self)
        var attribute = AttributeDescription(name, Value.RawValue.attributeType, valueType: type, options)
        if isConstant, attribute.defaultValue == nil {
            attribute.defaultValue = Self.constant { initial.flatMap { $0() }?.rawValue }
        }
        addOptional(attribute, keyPath, initial)
    }

    /// Adds an attribute of a `Codable` type, which is stored as JSON by default.
    @_disfavoredOverload
    public mutating func attribute<Value: Codable & SendableMetatype>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Value> & Sendable,
        _ options: AttributeOption...,
        isConstant: Bool = false,
        initial: (@Sendable () -> Value)? = nil
    ) {
        add(.transformed(name, "json", as: Value.self, options), keyPath, of: Value.self, initial)
    }

    /// Adds an optional attribute of a `Codable` type.
    @_disfavoredOverload
    public mutating func attribute<Value: Codable & SendableMetatype>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Value?> & Sendable,
        _ options: AttributeOption...,
        isConstant: Bool = false,
        initial: (@Sendable () -> Value?)? = nil
    ) {
        addOptional(.transformed(name, "json", as: Value.self, options), keyPath, initial)
    }

    /// Adds an attribute that is stored by a transformer.
    public mutating func attribute<Value>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Value> & Sendable,
        transformer: String,
        _ options: AttributeOption...,
        initial: (@Sendable () -> Value)? = nil
    ) {
        add(.transformed(name, transformer, as: Value.self, options), keyPath, of: Value.self, initial)
    }

    /// Adds an optional attribute that is stored by a transformer.
    public mutating func attribute<Value>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Value?> & Sendable,
        transformer: String,
        _ options: AttributeOption...,
        initial: (@Sendable () -> Value?)? = nil
    ) {
        addOptional(.transformed(name, transformer, as: Value.self, options), keyPath, initial)
    }

    /// Adds an attribute that is stored by a transformer for its type.
    public mutating func attribute<Value>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Value> & Sendable,
        transformer: TypedExpression<Value>,
        _ options: AttributeOption...,
        initial: (@Sendable () -> Value)? = nil
    ) {
        add(.transformed(name, transformer.text, as: Value.self, options), keyPath, of: Value.self, initial)
    }

    /// Adds an optional attribute that is stored by a transformer for its type.
    public mutating func attribute<Value>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Value?> & Sendable,
        transformer: TypedExpression<Value>,
        _ options: AttributeOption...,
        initial: (@Sendable () -> Value?)? = nil
    ) {
        addOptional(.transformed(name, transformer.text, as: Value.self, options), keyPath, initial)
    }

    /// Adds an attribute that is stored by a transformer for `Codable` types.
    public mutating func attribute<Value: Codable & SendableMetatype>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Value> & Sendable,
        transformer: CodableExpression,
        _ options: AttributeOption...,
        initial: (@Sendable () -> Value)? = nil
    ) {
        add(.transformed(name, transformer.text, as: Value.self, options), keyPath, of: Value.self, initial)
    }

    /// Adds an optional attribute that is stored by a transformer for `Codable` types.
    public mutating func attribute<Value: Codable & SendableMetatype>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Value?> & Sendable,
        transformer: CodableExpression,
        _ options: AttributeOption...,
        initial: (@Sendable () -> Value?)? = nil
    ) {
        addOptional(.transformed(name, transformer.text, as: Value.self, options), keyPath, initial)
    }

    /// Rejects an attribute whose type cannot be stored.
    @available(
        *,
        unavailable,
        message:
            "the type is neither a plain type nor Codable; specify a transformer, or use @Relationship or @Transient"
    )
    @_disfavoredOverload
    public mutating func attribute<Value>(
        _ name: String,
        _ keyPath: any KeyPath<Root, Value> & Sendable,
        _ options: AttributeOption...,
        isConstant: Bool = false,
        initial: (@Sendable () -> Value)? = nil
    ) {}

    private mutating func add<Value>(
        _ attribute: AttributeDescription,
        _ keyPath: any AnyKeyPath & Sendable,
        of type: Value.Type,
        _ initial: (@Sendable () -> Value)?
    ) {
        let isEager = initial == nil && Placeholder.value(of: type) == nil
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
    /// Creates the model's representation of a plain value, or returns nil if a model cannot represent it.
    fileprivate init?<Value: PlainValue>(plain value: Value) {
        let type = Value.attributeType
        switch try? value.column() {
        case .integer(let number): self = type == .boolean ? .boolean(number != 0) : .integer(number)
        case .real(let number): self = .number(number)
        case .text(let text): self = .string(text)
        case .brokenText, .blob, .null, nil: return nil
        }
        // A date in this form is not a default, and neither is a number that is not finite.
        guard fault(for: type) == nil else { return nil }
    }
}

/// Placeholders for plain values that cannot be read.
///
/// A getter that can neither throw nor return nil returns a placeholder, and the error is thrown at the end of the
/// block.
enum Placeholder {
    /// Returns zero, an empty string, or a similar default, or nil if the type has none.
    static func value<Value>(of type: Value.Type) -> Value? {
        guard let plain = Value.self as? any PlainValue.Type else { return nil }
        return (try? plain.init(column: column(for: plain.attributeType))) as? Value
    }

    private static func column(for type: AttributeType) -> ColumnValue {
        switch type {
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .boolean: .integer(0)
        case .float, .double, .date: .real(0)
        case .decimal: .text("0")
        case .string: .text("")
        case .uuid: .text("00000000-0000-0000-0000-000000000000")
        case .url: .text("about:blank")
        case .data, .transformed, .undefined: .blob(Data())
        }
    }
}
