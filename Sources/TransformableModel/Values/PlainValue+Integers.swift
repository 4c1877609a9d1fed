// Integers, which are stored as they are.

extension Int8: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .int8 }

    /// Creates a value from the content of a cell.
    public init(column: ColumnValue) throws {
        self = try .whole(column)
    }

    /// Returns the content of the value's cell.
    public func column() -> ColumnValue { .integer(Int64(self)) }
}

extension Int16: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .int16 }

    /// Creates a value from the content of a cell.
    public init(column: ColumnValue) throws {
        self = try .whole(column)
    }

    /// Returns the content of the value's cell.
    public func column() -> ColumnValue { .integer(Int64(self)) }
}

extension Int32: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .int32 }

    /// Creates a value from the content of a cell.
    public init(column: ColumnValue) throws {
        self = try .whole(column)
    }

    /// Returns the content of the value's cell.
    public func column() -> ColumnValue { .integer(Int64(self)) }
}

extension Int64: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .int64 }

    /// Creates a value from the content of a cell.
    public init(column: ColumnValue) throws {
        self = try .whole(column)
    }

    /// Returns the content of the value's cell.
    public func column() -> ColumnValue { .integer(Int64(self)) }
}

extension Int: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .int64 }

    /// Creates a value from the content of a cell.
    public init(column: ColumnValue) throws {
        self = try .whole(column)
    }

    /// Returns the content of the value's cell.
    public func column() -> ColumnValue { .integer(Int64(self)) }
}

extension UInt8: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .uint8 }

    /// Creates a value from the content of a cell.
    public init(column: ColumnValue) throws {
        self = try .whole(column)
    }

    /// Returns the content of the value's cell.
    public func column() -> ColumnValue { .integer(Int64(self)) }
}

extension UInt16: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .uint16 }

    /// Creates a value from the content of a cell.
    public init(column: ColumnValue) throws {
        self = try .whole(column)
    }

    /// Returns the content of the value's cell.
    public func column() -> ColumnValue { .integer(Int64(self)) }
}

extension UInt32: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .uint32 }

    /// Creates a value from the content of a cell.
    public init(column: ColumnValue) throws {
        self = try .whole(column)
    }

    /// Returns the content of the value's cell.
    public func column() -> ColumnValue { .integer(Int64(self)) }
}

extension UInt64: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .uint64 }

    /// Creates a value from the content of a cell.
    public init(column: ColumnValue) throws {
        self = try .whole(column)
    }

    /// Returns the content of the value's cell, or throws an error if the number is above 9,223,372,036,854,775,807.
    public func column() throws -> ColumnValue { try .whole(self) }
}

extension UInt: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .uint64 }

    /// Creates a value from the content of a cell.
    public init(column: ColumnValue) throws {
        self = try .whole(column)
    }

    /// Returns the content of the value's cell, or throws an error if the number is above 9,223,372,036,854,775,807.
    public func column() throws -> ColumnValue { try .whole(self) }
}

extension FixedWidthInteger where Self: PlainValue {
    /// Returns the integer in a cell if it is in the type's range.
    fileprivate static func whole(_ column: ColumnValue) throws -> Self {
        guard case .integer(let number) = column, let value = Self(exactly: number) else {
            throw PlainValueError.unexpected(column, for: attributeType)
        }
        return value
    }
}

extension ColumnValue {
    fileprivate static func whole(_ number: some FixedWidthInteger) throws -> Self {
        guard let number = Int64(exactly: number) else {
            throw PlainValueError(
                description:
                    "a column stores integers up to \(Int64.max); use a transformer such as “uint64” for larger ones"
            )
        }
        return .integer(number)
    }
}
