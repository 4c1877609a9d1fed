public import Foundation
internal import Transformable

extension Float: PlainValue {
    /// The kind of attribute that holds such values.
    public static var attributeType: AttributeType { .float }

    /// Reads a cell.
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
    /// The kind of attribute that holds such values.
    public static var attributeType: AttributeType { .double }

    /// Reads a cell.
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
    /// The kind of attribute that holds such values.
    public static var attributeType: AttributeType { .decimal }

    /// Reads a cell.
    public init(column: ColumnValue) throws {
        guard case .text(let text) = column, let value = try? DecimalText.decimal(text) else {
            throw PlainValueError.unexpected(column, for: .decimal)
        }
        self = value
    }

    /// Throws for NaN, which is no number.
    public func column() throws -> ColumnValue {
        guard isFinite else { throw PlainValueError(description: "NaN is not a decimal number") }
        return .text(DecimalText.text(of: self))
    }
}

extension Bool: PlainValue {
    /// The kind of attribute that holds such values.
    public static var attributeType: AttributeType { .boolean }

    /// Reads a cell.
    public init(column: ColumnValue) throws {
        switch column {
        case .integer(0): self = false
        case .integer(1): self = true
        default: throw PlainValueError.unexpected(column, for: .boolean)
        }
    }

    /// What the cell of the value holds.
    public func column() -> ColumnValue { .integer(self ? 1 : 0) }
}

extension String: PlainValue {
    /// The kind of attribute that holds such values.
    public static var attributeType: AttributeType { .string }

    /// Reads a cell.
    public init(column: ColumnValue) throws {
        guard case .text(let text) = column else { throw PlainValueError.unexpected(column, for: .string) }
        self = text
    }

    /// What the cell of the value holds.
    public func column() -> ColumnValue { .text(self) }
}

extension Date: PlainValue {
    /// The kind of attribute that holds such values.
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
    /// The kind of attribute that holds such values.
    public static var attributeType: AttributeType { .data }

    /// Reads a cell.
    public init(column: ColumnValue) throws {
        guard case .blob(let bytes) = column else { throw PlainValueError.unexpected(column, for: .data) }
        self = bytes
    }

    /// What the cell of the value holds.
    public func column() -> ColumnValue { .blob(self) }
}

extension UUID: PlainValue {
    /// The kind of attribute that holds such values.
    public static var attributeType: AttributeType { .uuid }

    /// Reads a cell.
    public init(column: ColumnValue) throws {
        guard case .text(let text) = column, let value = UUID(uuidString: text) else {
            throw PlainValueError.unexpected(column, for: .uuid)
        }
        self = value
    }

    /// What the cell of the value holds.
    public func column() -> ColumnValue { .text(uuidString) }
}

extension URL: PlainValue {
    /// The kind of attribute that holds such values.
    public static var attributeType: AttributeType { .url }

    /// Reads a cell.
    public init(column: ColumnValue) throws {
        guard case .text(let text) = column, let value = URLText.url(text) else {
            throw PlainValueError.unexpected(column, for: .url)
        }
        self = value
    }

    /// What the cell of the value holds: its text, and after a space the base that it is relative to, if any.
    public func column() -> ColumnValue { .text(URLText.text(of: self)) }
}
