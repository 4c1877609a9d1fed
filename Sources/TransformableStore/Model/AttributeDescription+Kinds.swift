internal import Foundation

extension AttributeDescription {
    /// Makes an attribute of a whole number of 8 bits.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - options: What else is to be said about it.
    /// - Returns: The attribute.
    public static func int8(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .int8, valueType: AttributeValueType(plain: Int8.self), options)
    }

    /// Makes an attribute of a whole number of 16 bits.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - options: What else is to be said about it.
    /// - Returns: The attribute.
    public static func int16(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .int16, valueType: AttributeValueType(plain: Int16.self), options)
    }

    /// Makes an attribute of a whole number of 32 bits.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - options: What else is to be said about it.
    /// - Returns: The attribute.
    public static func int32(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .int32, valueType: AttributeValueType(plain: Int32.self), options)
    }

    /// Makes an attribute of a whole number of 64 bits.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - options: What else is to be said about it.
    /// - Returns: The attribute.
    public static func int64(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .int64, valueType: AttributeValueType(plain: Int64.self), options)
    }

    /// Makes an attribute of a whole number of 64 bits, as `Int`.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - options: What else is to be said about it.
    /// - Returns: The attribute.
    public static func integer(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .int64, valueType: AttributeValueType(plain: Int.self), options)
    }

    /// Makes an attribute of a whole number of 8 bits without a sign.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - options: What else is to be said about it.
    /// - Returns: The attribute.
    public static func uint8(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .uint8, valueType: AttributeValueType(plain: UInt8.self), options)
    }

    /// Makes an attribute of a whole number of 16 bits without a sign.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - options: What else is to be said about it.
    /// - Returns: The attribute.
    public static func uint16(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .uint16, valueType: AttributeValueType(plain: UInt16.self), options)
    }

    /// Makes an attribute of a whole number of 32 bits without a sign.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - options: What else is to be said about it.
    /// - Returns: The attribute.
    public static func uint32(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .uint32, valueType: AttributeValueType(plain: UInt32.self), options)
    }

    /// Makes an attribute of a whole number of 63 bits without a sign, see ``AttributeType/uint64``.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - options: What else is to be said about it.
    /// - Returns: The attribute.
    public static func uint64(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .uint64, valueType: AttributeValueType(plain: UInt64.self), options)
    }

    /// Makes an attribute of a number of single precision.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - options: What else is to be said about it.
    /// - Returns: The attribute.
    public static func float(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .float, valueType: AttributeValueType(plain: Float.self), options)
    }

    /// Makes an attribute of a number of double precision.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - options: What else is to be said about it.
    /// - Returns: The attribute.
    public static func double(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .double, valueType: AttributeValueType(plain: Double.self), options)
    }

    /// Makes an attribute of a decimal number.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - options: What else is to be said about it.
    /// - Returns: The attribute.
    public static func decimal(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .decimal, valueType: AttributeValueType(plain: Decimal.self), options)
    }

    /// Makes an attribute of a truth value.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - options: What else is to be said about it.
    /// - Returns: The attribute.
    public static func boolean(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .boolean, valueType: AttributeValueType(plain: Bool.self), options)
    }

    /// Makes an attribute of a text.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - options: What else is to be said about it.
    /// - Returns: The attribute.
    public static func string(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .string, valueType: AttributeValueType(plain: String.self), options)
    }

    /// Makes an attribute of a point in time.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - options: What else is to be said about it.
    /// - Returns: The attribute.
    public static func date(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .date, valueType: AttributeValueType(plain: Date.self), options)
    }

    /// Makes an attribute of bytes.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - options: What else is to be said about it.
    /// - Returns: The attribute.
    public static func data(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .data, valueType: AttributeValueType(plain: Data.self), options)
    }

    /// Makes an attribute of a UUID.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - options: What else is to be said about it.
    /// - Returns: The attribute.
    public static func uuid(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .uuid, valueType: AttributeValueType(plain: UUID.self), options)
    }

    /// Makes an attribute of a URL.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - options: What else is to be said about it.
    /// - Returns: The attribute.
    public static func url(_ name: String, _ options: AttributeOption...) -> Self {
        Self(name, .url, valueType: AttributeValueType(plain: URL.self), options)
    }

    /// Makes an attribute of a plain type that a program declares.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - type: The Swift type of the values; it says how they are stored.
    ///   - options: What else is to be said about it.
    /// - Returns: The attribute.
    public static func plain<Value: PlainValue>(
        _ name: String,
        as type: Value.Type,
        _ options: AttributeOption...
    ) -> Self {
        Self(name, Value.attributeType, valueType: AttributeValueType(plain: type), options)
    }

    /// Makes an attribute of an enumeration or another type that a column holds by its raw value.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - type: The Swift type of the values.
    ///   - options: What else is to be said about it.
    /// - Returns: The attribute.
    public static func raw<Value: RawRepresentable & SendableMetatype>(
        _ name: String,
        as type: Value.Type,
        _ options: AttributeOption...
    ) -> Self where Value.RawValue: PlainValue {
        Self(name, Value.RawValue.attributeType, valueType: AttributeValueType(raw: type), options)
    }

    /// Makes an attribute that a transformer stores.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - transformer: The expression of a reversible transformer.
    ///   - type: The Swift type of the values.
    ///   - options: What else is to be said about it.
    /// - Returns: The attribute.
    public static func transformed<Value>(
        _ name: String,
        _ transformer: String,
        as type: Value.Type,
        _ options: AttributeOption...
    ) -> Self {
        Self(name, .transformed, transformer: transformer, valueType: AttributeValueType(transformed: type), options)
    }

    /// Makes an attribute that a transformer stores, of the type that the transformer takes.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - transformer: The expression of a reversible transformer.
    ///   - options: What else is to be said about it.
    /// - Returns: The attribute.
    public static func transformed(_ name: String, _ transformer: String, _ options: AttributeOption...) -> Self {
        Self(name, .transformed, transformer: transformer, options)
    }

    /// Makes an attribute that the default transformer stores: `keyed-archive`, which its plugin must provide.
    ///
    /// ```swift
    /// .transformed("tags", as: [String].self)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - type: The Swift type of the values: a value that an archive holds, or a `Codable` one.
    ///   - options: What else is to be said about it.
    /// - Returns: The attribute.
    public static func transformed<Value>(
        _ name: String,
        as type: Value.Type,
        _ options: AttributeOption...
    ) -> Self {
        Self(name, .transformed, valueType: AttributeValueType(transformed: type), options)
    }

    /// Makes an attribute that is kept in memory only.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - type: The Swift type of the values.
    /// - Returns: The attribute.
    public static func transient<Value>(_ name: String, as type: Value.Type) -> Self {
        Self(name, .undefined, valueType: AttributeValueType(transient: type), [.transient, .optional])
    }
}
