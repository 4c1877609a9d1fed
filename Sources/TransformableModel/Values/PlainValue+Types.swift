public import Foundation
internal import Transformable

extension Float: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .float }

    /// Creates a value from the content of a cell.
    public init(column: ColumnValue) throws {
        switch column {
        case .real(let number): self = Self(number)
        case .integer(let number): self = Self(number)
        default: throw PlainValueError.unexpected(column, for: Self.attributeType)
        }
    }

    /// Returns the content of the value's cell, or throws an error for NaN, which SQLite would store as NULL.
    public func column() throws -> ColumnValue {
        guard !isNaN else { throw PlainValueError(description: "NaN cannot be stored in a plain number") }
        return .real(Double(self))
    }
}

extension Double: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .double }

    /// Creates a value from the content of a cell.
    public init(column: ColumnValue) throws {
        switch column {
        case .real(let number): self = number
        case .integer(let number): self = Self(number)
        default: throw PlainValueError.unexpected(column, for: Self.attributeType)
        }
    }

    /// Returns the content of the value's cell, or throws an error for NaN, which SQLite would store as NULL.
    public func column() throws -> ColumnValue {
        guard !isNaN else { throw PlainValueError(description: "NaN cannot be stored in a plain number") }
        return .real(self)
    }
}

extension Decimal: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .decimal }

    /// Creates a value from the content of a cell.
    public init(column: ColumnValue) throws {
        guard case .text(let text) = column, let value = try? DecimalText.decimal(text) else {
            throw PlainValueError.unexpected(column, for: .decimal)
        }
        self = value
    }

    /// Returns the content of the value's cell, or throws an error for NaN.
    public func column() throws -> ColumnValue {
        guard isFinite else { throw PlainValueError(description: "NaN is not a decimal number") }
        return .text(DecimalText.text(of: self))
    }
}

extension Bool: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .boolean }

    /// Creates a value from the content of a cell.
    public init(column: ColumnValue) throws {
        switch column {
        case .integer(0): self = false
        case .integer(1): self = true
        default: throw PlainValueError.unexpected(column, for: .boolean)
        }
    }

    /// Returns the content of the value's cell.
    public func column() -> ColumnValue { .integer(self ? 1 : 0) }
}

extension String: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .string }

    /// Creates a value from the content of a cell.
    public init(column: ColumnValue) throws {
        guard case .text(let text) = column else { throw PlainValueError.unexpected(column, for: .string) }
        self = text
    }

    /// Returns the content of the value's cell.
    public func column() -> ColumnValue { .text(self) }
}

extension Date: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .date }

    /// Creates a date from the number of seconds since 2001-01-01 00:00 UTC.
    public init(column: ColumnValue) throws {
        switch column {
        case .real(let seconds): self.init(timeIntervalSinceReferenceDate: seconds)
        case .integer(let seconds): self.init(timeIntervalSinceReferenceDate: Double(seconds))
        default: throw PlainValueError.unexpected(column, for: .date)
        }
    }

    /// Returns the content of the value's cell, or throws an error if the date's number of seconds is NaN.
    public func column() throws -> ColumnValue {
        let seconds = timeIntervalSinceReferenceDate
        guard !seconds.isNaN else { throw PlainValueError(description: "a date of NaN seconds cannot be stored") }
        return .real(seconds)
    }
}

extension Data: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .data }

    /// Creates a value from the content of a cell.
    public init(column: ColumnValue) throws {
        guard case .blob(let bytes) = column else { throw PlainValueError.unexpected(column, for: .data) }
        self = bytes
    }

    /// Returns the content of the value's cell.
    public func column() -> ColumnValue { .blob(self) }
}

extension UUID: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .uuid }

    /// Creates a value from the content of a cell.
    public init(column: ColumnValue) throws {
        guard case .text(let text) = column, let value = UUID(uuidString: text) else {
            throw PlainValueError.unexpected(column, for: .uuid)
        }
        self = value
    }

    /// Returns the content of the value's cell.
    public func column() -> ColumnValue { .text(uuidString) }
}

extension URL: PlainValue {
    /// The attribute type that stores these values.
    public static var attributeType: AttributeType { .url }

    /// Creates a value from the content of a cell.
    public init(column: ColumnValue) throws {
        guard case .text(let text) = column, let value = URLText.url(text) else {
            throw PlainValueError.unexpected(column, for: .url)
        }
        self = value
    }

    /// Returns the URL's text, followed by a space and its base if it is relative to one.
    public func column() -> ColumnValue { .text(URLText.text(of: self)) }
}
