// Integers, which are stored as they are.

extension PlainValue where Self: FixedWidthInteger {
    /// Creates a value from the content of a cell.
    public init(column: ColumnValue) throws {
        guard case .integer(let number) = column, let value = Self(exactly: number) else {
            throw PlainValueError.unexpected(column, for: Self.attributeType)
        }
        self = value
    }

    /// Returns the content of the value's cell, or throws an error if the number is above 9,223,372,036,854,775,807.
    public func column() throws -> ColumnValue {
        guard let number = Int64(exactly: self) else {
            throw PlainValueError(
                description:
                    "a column stores integers up to \(Int64.max); use a transformer such as “uint64” for larger ones"
            )
        }
        return .integer(number)
    }
}

extension Int8: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .int8 }
}

extension Int16: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .int16 }
}

extension Int32: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .int32 }
}

extension Int64: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .int64 }
}

extension Int: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .int64 }
}

extension UInt8: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .uint8 }
}

extension UInt16: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .uint16 }
}

extension UInt32: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .uint32 }
}

extension UInt64: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .uint64 }
}

extension UInt: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .uint64 }
}
