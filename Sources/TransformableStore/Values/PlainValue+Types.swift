public import Foundation

extension Int16: PlainValue {
    public static var attributeType: AttributeType { .int16 }

    public init(column: ColumnValue) throws {
        guard case .integer(let number) = column, let value = Self(exactly: number) else {
            throw PlainValueError.unexpected(column, for: Self.attributeType)
        }
        self = value
    }

    public func column() -> ColumnValue { .integer(Int64(self)) }
}

extension Int32: PlainValue {
    public static var attributeType: AttributeType { .int32 }

    public init(column: ColumnValue) throws {
        guard case .integer(let number) = column, let value = Self(exactly: number) else {
            throw PlainValueError.unexpected(column, for: Self.attributeType)
        }
        self = value
    }

    public func column() -> ColumnValue { .integer(Int64(self)) }
}

extension Int64: PlainValue {
    public static var attributeType: AttributeType { .int64 }

    public init(column: ColumnValue) throws {
        guard case .integer(let number) = column, let value = Self(exactly: number) else {
            throw PlainValueError.unexpected(column, for: Self.attributeType)
        }
        self = value
    }

    public func column() -> ColumnValue { .integer(Int64(self)) }
}

extension Int: PlainValue {
    public static var attributeType: AttributeType { .int64 }

    public init(column: ColumnValue) throws {
        guard case .integer(let number) = column, let value = Self(exactly: number) else {
            throw PlainValueError.unexpected(column, for: Self.attributeType)
        }
        self = value
    }

    public func column() -> ColumnValue { .integer(Int64(self)) }
}

extension Float: PlainValue {
    public static var attributeType: AttributeType { .float }

    public init(column: ColumnValue) throws {
        switch column {
        case .real(let number): self = Self(number)
        case .integer(let number): self = Self(number)
        default: throw PlainValueError.unexpected(column, for: Self.attributeType)
        }
    }

    /// Throws for NaN, which SQLite would store as NULL.
    public func column() throws -> ColumnValue {
        guard !isNaN else { throw PlainValueError(description: "NaN cannot be stored in a plain number") }
        return .real(Double(self))
    }
}

extension Double: PlainValue {
    public static var attributeType: AttributeType { .double }

    public init(column: ColumnValue) throws {
        switch column {
        case .real(let number): self = number
        case .integer(let number): self = Self(number)
        default: throw PlainValueError.unexpected(column, for: Self.attributeType)
        }
    }

    /// Throws for NaN, which SQLite would store as NULL.
    public func column() throws -> ColumnValue {
        guard !isNaN else { throw PlainValueError(description: "NaN cannot be stored in a plain number") }
        return .real(self)
    }
}

extension Decimal: PlainValue {
    public static var attributeType: AttributeType { .decimal }

    public init(column: ColumnValue) throws {
        guard case .text(let text) = column, let value = PlainText.decimal(text) else {
            throw PlainValueError.unexpected(column, for: .decimal)
        }
        self = value
    }

    /// Throws for NaN, which is no number.
    public func column() throws -> ColumnValue {
        guard isFinite else { throw PlainValueError(description: "NaN is not a decimal number") }
        return .text(description)
    }
}

extension Bool: PlainValue {
    public static var attributeType: AttributeType { .boolean }

    public init(column: ColumnValue) throws {
        switch column {
        case .integer(0): self = false
        case .integer(1): self = true
        default: throw PlainValueError.unexpected(column, for: .boolean)
        }
    }

    public func column() -> ColumnValue { .integer(self ? 1 : 0) }
}

extension String: PlainValue {
    public static var attributeType: AttributeType { .string }

    public init(column: ColumnValue) throws {
        guard case .text(let text) = column else { throw PlainValueError.unexpected(column, for: .string) }
        self = text
    }

    public func column() -> ColumnValue { .text(self) }
}

extension Date: PlainValue {
    public static var attributeType: AttributeType { .date }

    /// Reads seconds since 2001-01-01 00:00 UTC.
    public init(column: ColumnValue) throws {
        switch column {
        case .real(let seconds): self.init(timeIntervalSinceReferenceDate: seconds)
        case .integer(let seconds): self.init(timeIntervalSinceReferenceDate: Double(seconds))
        default: throw PlainValueError.unexpected(column, for: .date)
        }
    }

    /// Throws for a date that is no number of seconds.
    public func column() throws -> ColumnValue {
        let seconds = timeIntervalSinceReferenceDate
        guard !seconds.isNaN else { throw PlainValueError(description: "a date of NaN seconds cannot be stored") }
        return .real(seconds)
    }
}

extension Data: PlainValue {
    public static var attributeType: AttributeType { .data }

    public init(column: ColumnValue) throws {
        guard case .blob(let bytes) = column else { throw PlainValueError.unexpected(column, for: .data) }
        self = bytes
    }

    public func column() -> ColumnValue { .blob(self) }
}

extension UUID: PlainValue {
    public static var attributeType: AttributeType { .uuid }

    public init(column: ColumnValue) throws {
        guard case .text(let text) = column, let value = UUID(uuidString: text) else {
            throw PlainValueError.unexpected(column, for: .uuid)
        }
        self = value
    }

    public func column() -> ColumnValue { .text(uuidString) }
}

extension URL: PlainValue {
    public static var attributeType: AttributeType { .url }

    public init(column: ColumnValue) throws {
        guard case .text(let text) = column, let value = URL(string: text, encodingInvalidCharacters: false) else {
            throw PlainValueError.unexpected(column, for: .url)
        }
        self = value
    }

    public func column() -> ColumnValue { .text(absoluteString) }
}
