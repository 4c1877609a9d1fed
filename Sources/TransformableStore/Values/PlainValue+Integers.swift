// Whole numbers, which a cell holds as themselves.

extension Int8: PlainValue {
    /// The kind of attribute that holds such values.
    public static var attributeType: AttributeType { .int8 }

    /// Reads a cell.
    public init(column: ColumnValue) throws {
        self = try .whole(column)
    }

    /// What the cell of the value holds.
    public func column() -> ColumnValue { .integer(Int64(self)) }
}

extension Int16: PlainValue {
    /// The kind of attribute that holds such values.
    public static var attributeType: AttributeType { .int16 }

    /// Reads a cell.
    public init(column: ColumnValue) throws {
        self = try .whole(column)
    }

    /// What the cell of the value holds.
    public func column() -> ColumnValue { .integer(Int64(self)) }
}

extension Int32: PlainValue {
    /// The kind of attribute that holds such values.
    public static var attributeType: AttributeType { .int32 }

    /// Reads a cell.
    public init(column: ColumnValue) throws {
        self = try .whole(column)
    }

    /// What the cell of the value holds.
    public func column() -> ColumnValue { .integer(Int64(self)) }
}

extension Int64: PlainValue {
    /// The kind of attribute that holds such values.
    public static var attributeType: AttributeType { .int64 }

    /// Reads a cell.
    public init(column: ColumnValue) throws {
        self = try .whole(column)
    }

    /// What the cell of the value holds.
    public func column() -> ColumnValue { .integer(Int64(self)) }
}

extension Int: PlainValue {
    /// The kind of attribute that holds such values.
    public static var attributeType: AttributeType { .int64 }

    /// Reads a cell.
    public init(column: ColumnValue) throws {
        self = try .whole(column)
    }

    /// What the cell of the value holds.
    public func column() -> ColumnValue { .integer(Int64(self)) }
}

extension UInt8: PlainValue {
    /// The kind of attribute that holds such values.
    public static var attributeType: AttributeType { .uint8 }

    /// Reads a cell.
    public init(column: ColumnValue) throws {
        self = try .whole(column)
    }

    /// What the cell of the value holds.
    public func column() -> ColumnValue { .integer(Int64(self)) }
}

extension UInt16: PlainValue {
    /// The kind of attribute that holds such values.
    public static var attributeType: AttributeType { .uint16 }

    /// Reads a cell.
    public init(column: ColumnValue) throws {
        self = try .whole(column)
    }

    /// What the cell of the value holds.
    public func column() -> ColumnValue { .integer(Int64(self)) }
}

extension UInt32: PlainValue {
    /// The kind of attribute that holds such values.
    public static var attributeType: AttributeType { .uint32 }

    /// Reads a cell.
    public init(column: ColumnValue) throws {
        self = try .whole(column)
    }

    /// What the cell of the value holds.
    public func column() -> ColumnValue { .integer(Int64(self)) }
}

extension UInt64: PlainValue {
    /// The kind of attribute that holds such values.
    public static var attributeType: AttributeType { .uint64 }

    /// Reads a cell.
    public init(column: ColumnValue) throws {
        self = try .whole(column)
    }

    /// Throws for a number above 9,223,372,036,854,775,807, which a cell does not hold.
    public func column() throws -> ColumnValue { try .whole(self) }
}

extension UInt: PlainValue {
    /// The kind of attribute that holds such values.
    public static var attributeType: AttributeType { .uint64 }

    /// Reads a cell.
    public init(column: ColumnValue) throws {
        self = try .whole(column)
    }

    /// Throws for a number above 9,223,372,036,854,775,807, which a cell does not hold.
    public func column() throws -> ColumnValue { try .whole(self) }
}

extension FixedWidthInteger where Self: PlainValue {
    /// The whole number that a cell holds, if the type has it.
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
                    "a column holds whole numbers up to \(Int64.max); a transformer such as “uint64” keeps larger ones"
            )
        }
        return .integer(number)
    }
}
