internal import Foundation

extension AttributeDescription {
    /// Creates an attribute that stores 8-bit integers.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - options: The options of the attribute.
    /// - Returns: The attribute.
    public static func int8(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .int8, valueType: AttributeValueType(plain: Int8.self), options)
    }

    /// Creates an attribute that stores 16-bit integers.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - options: The options of the attribute.
    /// - Returns: The attribute.
    public static func int16(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .int16, valueType: AttributeValueType(plain: Int16.self), options)
    }

    /// Creates an attribute that stores 32-bit integers.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - options: The options of the attribute.
    /// - Returns: The attribute.
    public static func int32(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .int32, valueType: AttributeValueType(plain: Int32.self), options)
    }

    /// Creates an attribute that stores 64-bit integers.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - options: The options of the attribute.
    /// - Returns: The attribute.
    public static func int64(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .int64, valueType: AttributeValueType(plain: Int64.self), options)
    }

    /// Creates an attribute that stores `Int` values as 64-bit integers.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - options: The options of the attribute.
    /// - Returns: The attribute.
    public static func integer(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .int64, valueType: AttributeValueType(plain: Int.self), options)
    }

    /// Creates an attribute that stores unsigned 8-bit integers.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - options: The options of the attribute.
    /// - Returns: The attribute.
    public static func uint8(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .uint8, valueType: AttributeValueType(plain: UInt8.self), options)
    }

    /// Creates an attribute that stores unsigned 16-bit integers.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - options: The options of the attribute.
    /// - Returns: The attribute.
    public static func uint16(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .uint16, valueType: AttributeValueType(plain: UInt16.self), options)
    }

    /// Creates an attribute that stores unsigned 32-bit integers.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - options: The options of the attribute.
    /// - Returns: The attribute.
    public static func uint32(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .uint32, valueType: AttributeValueType(plain: UInt32.self), options)
    }

    /// Creates an attribute that stores unsigned integers of up to 63 bits.
    ///
    /// See ``AttributeType/uint64``.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - options: The options of the attribute.
    /// - Returns: The attribute.
    public static func uint64(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .uint64, valueType: AttributeValueType(plain: UInt64.self), options)
    }

    /// Creates an attribute that stores single-precision numbers.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - options: The options of the attribute.
    /// - Returns: The attribute.
    public static func float(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .float, valueType: AttributeValueType(plain: Float.self), options)
    }

    /// Creates an attribute that stores double-precision numbers.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - options: The options of the attribute.
    /// - Returns: The attribute.
    public static func double(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .double, valueType: AttributeValueType(plain: Double.self), options)
    }

    /// Creates an attribute that stores decimal numbers.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - options: The options of the attribute.
    /// - Returns: The attribute.
    public static func decimal(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .decimal, valueType: AttributeValueType(plain: Decimal.self), options)
    }

    /// Creates an attribute that stores Boolean values.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - options: The options of the attribute.
    /// - Returns: The attribute.
    public static func boolean(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .boolean, valueType: AttributeValueType(plain: Bool.self), options)
    }

    /// Creates an attribute that stores strings.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - options: The options of the attribute.
    /// - Returns: The attribute.
    public static func string(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .string, valueType: AttributeValueType(plain: String.self), options)
    }

    /// Creates an attribute that stores dates.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - options: The options of the attribute.
    /// - Returns: The attribute.
    public static func date(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .date, valueType: AttributeValueType(plain: Date.self), options)
    }

    /// Creates an attribute that stores data.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - options: The options of the attribute.
    /// - Returns: The attribute.
    public static func data(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .data, valueType: AttributeValueType(plain: Data.self), options)
    }

    /// Creates an attribute that stores UUIDs.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - options: The options of the attribute.
    /// - Returns: The attribute.
    public static func uuid(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .uuid, valueType: AttributeValueType(plain: UUID.self), options)
    }

    /// Creates an attribute that stores URLs.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - options: The options of the attribute.
    /// - Returns: The attribute.
    public static func url(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .url, valueType: AttributeValueType(plain: URL.self), options)
    }

    /// Creates an attribute that stores values of a plain type that your program declares.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - type: The Swift type of the values, which determines how they are stored.
    ///   - options: The options of the attribute.
    /// - Returns: The attribute.
    public static func plain<Value: PlainValue>(
        _ name: String,
        as type: Value.Type,
        _ options: AttributeOption...
    ) -> Self {
        Self(name, Value.attributeType, valueType: AttributeValueType(plain: type), options)
    }

    /// Creates an attribute that stores the raw values of an enumeration or of another type.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - type: The Swift type of the values.
    ///   - options: The options of the attribute.
    /// - Returns: The attribute.
    public static func raw<Value: RawRepresentable & SendableMetatype>(
        _ name: String,
        as type: Value.Type,
        _ options: AttributeOption...
    ) -> Self where Value.RawValue: PlainValue {
        Self(name, Value.RawValue.attributeType, valueType: AttributeValueType(raw: type), options)
    }

    /// Creates an attribute that is stored by a transformer.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - transformer: The expression of a reversible transformer.
    ///   - type: The Swift type of the values.
    ///   - options: The options of the attribute.
    /// - Returns: The attribute.
    public static func transformed<Value>(
        _ name: String,
        _ transformer: String,
        as type: Value.Type,
        _ options: AttributeOption...
    ) -> Self {
        Self(name, .transformed, transformer: transformer, valueType: AttributeValueType(transformed: type), options)
    }

    /// Creates an attribute that is stored by a transformer and has the transformer's input type.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - transformer: The expression of a reversible transformer.
    ///   - options: The options of the attribute.
    /// - Returns: The attribute.
    public static func transformed(_ name: String, _ transformer: String, _ options: AttributeOption...) -> Self {
        Self(name, .transformed, transformer: transformer, options)
    }

    /// Creates an attribute that is stored by the default transformer, `keyed-archive`.
    ///
    /// The registry must contain its plugin.
    ///
    /// ```swift
    /// .transformed("tags", as: [String].self)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - type: The Swift type of the values, which must be archivable or `Codable`.
    ///   - options: The options of the attribute.
    /// - Returns: The attribute.
    public static func transformed<Value>(
        _ name: String,
        as type: Value.Type,
        _ options: AttributeOption...
    ) -> Self {
        Self(name, .transformed, valueType: AttributeValueType(transformed: type), options)
    }

    /// Creates an attribute that is kept only in memory.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - type: The Swift type of the values.
    /// - Returns: The attribute.
    public static func transient<Value>(_ name: String, as type: Value.Type) -> Self {
        Self(name, .undefined, valueType: AttributeValueType(transient: type), [.transient, .optional])
    }
}
