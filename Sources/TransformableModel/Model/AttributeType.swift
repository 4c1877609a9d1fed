/// The type of an attribute, which determines how its values are stored in the database.
public enum AttributeType: String, Sendable, Hashable, CaseIterable {
    /// An 8-bit integer, stored as INTEGER.
    case int8
    /// A 16-bit integer, stored as INTEGER.
    case int16
    /// A 32-bit integer, stored as INTEGER.
    case int32
    /// A 64-bit integer, stored as INTEGER.
    case int64
    /// An unsigned 8-bit integer, stored as INTEGER.
    case uint8
    /// An unsigned 16-bit integer, stored as INTEGER.
    case uint16
    /// An unsigned 32-bit integer, stored as INTEGER.
    case uint32
    /// An unsigned integer up to 9,223,372,036,854,775,807, the largest value that an INTEGER column can hold.
    ///
    /// The number itself is stored, so conditions, sums, and SQLite's shell can use it. Storing a larger number is an
    /// error. To keep all 64 bits, use a transformer such as `uint64`, which stores numbers as bytes.
    case uint64
    /// A single-precision number, stored as REAL. As with ``double``, -0.0 is read back as 0.0.
    case float
    /// A double-precision number, stored as REAL.
    ///
    /// SQLite stores a REAL without a fraction as an integer, which has no negative zero, so -0.0 is read back as 0.0.
    /// Storing NaN is an error. Use a transformer to keep every bit.
    case double
    /// A decimal number, stored as TEXT.
    case decimal
    /// A Boolean value, stored as 0 or 1.
    case boolean
    /// Unicode text, stored as TEXT.
    case string
    /// A date, stored as REAL: the number of seconds since 2001-01-01 00:00 UTC.
    case date
    /// Bytes, stored as BLOB.
    case data
    /// A UUID, stored as uppercase TEXT.
    case uuid
    /// A URL, stored as TEXT. A URL that is relative to a base is stored as its own text, a space, and the base.
    case url
    /// A value that a transformer stores as a BLOB.
    case transformed
    /// A value of any type that is kept only in memory.
    case undefined
}

extension AttributeType {
    /// The integers that a column of the type can hold, or `nil` if the type is not an integer type.
    package var integers: ClosedRange<Int64>? {
        switch self {
        case .int8: Int64(Int8.min)...Int64(Int8.max)
        case .int16: Int64(Int16.min)...Int64(Int16.max)
        case .int32: Int64(Int32.min)...Int64(Int32.max)
        case .int64: .min ... .max
        case .uint8: 0...Int64(UInt8.max)
        case .uint16: 0...Int64(UInt16.max)
        case .uint32: 0...Int64(UInt32.max)
        case .uint64: 0 ... .max
        case .float, .double, .decimal, .boolean, .string, .date, .data, .uuid, .url, .transformed, .undefined: nil
        }
    }
}

/// The Swift type of an attribute's values, as declared in code.
public struct AttributeValueType: Sendable {
    /// The type.
    public let type: any Any.Type
    private let storage: any AttributeStorage

    /// Creates the type of an attribute that is stored by a transformer.
    package init<Value>(transformed type: Value.Type) {
        self.type = type
        storage = TransformedStorage()
    }

    /// Creates the type of an attribute that is kept only in memory.
    package init<Value>(transient type: Value.Type) {
        self.type = type
        storage = TransientStorage<Value>()
    }

    /// Creates the type of an attribute whose values are stored directly in its column.
    package init<Value: PlainValue>(plain type: Value.Type) {
        self.type = type
        storage = PlainStorage<Value>()
    }

    /// Creates the type of an attribute whose raw values are stored in its column.
    package init<Value: RawRepresentable & SendableMetatype>(raw type: Value.Type) where Value.RawValue: PlainValue {
        self.type = type
        storage = RawStorage<Value>()
    }

    /// Calls the visitor's method for the way in which values of the type are stored.
    ///
    /// - Parameter visitor: The visitor.
    /// - Returns: The visitor's result, or `nil` for a type that is stored by a transformer.
    package func accept<Visitor: AttributeTypeVisitor>(_ visitor: inout Visitor) -> Visitor.Result? {
        storage.accept(&visitor)
    }
}

extension AttributeValueType: Hashable {
    /// Returns a Boolean value that indicates whether two values refer to the same Swift type.
    public static func == (left: Self, right: Self) -> Bool {
        left.type == right.type
    }

    /// Hashes the type.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type))
    }
}

/// Creates a result for an attribute from the type of its values, which is known at compile time.
package protocol AttributeTypeVisitor {
    associatedtype Result

    /// Visits the type of an attribute that is kept only in memory.
    mutating func visit<Value>(transient type: Value.Type) -> Result
    /// Visits the type of an attribute whose values are stored directly in its column.
    mutating func visit<Value: PlainValue>(plain type: Value.Type) -> Result
    /// Visits the type of an attribute whose raw values are stored in its column.
    mutating func visit<Value: RawRepresentable & SendableMetatype>(raw type: Value.Type) -> Result
    where Value.RawValue: PlainValue
}

/// How an attribute's values are stored, along with their type.
private protocol AttributeStorage: Sendable {
    func accept<Visitor: AttributeTypeVisitor>(_ visitor: inout Visitor) -> Visitor.Result?
}

private struct TransformedStorage: AttributeStorage {
    func accept<Visitor: AttributeTypeVisitor>(_ visitor: inout Visitor) -> Visitor.Result? { nil }
}

private struct TransientStorage<Value>: AttributeStorage {
    func accept<Visitor: AttributeTypeVisitor>(_ visitor: inout Visitor) -> Visitor.Result? {
        visitor.visit(transient: Value.self)
    }
}

private struct PlainStorage<Value: PlainValue>: AttributeStorage {
    func accept<Visitor: AttributeTypeVisitor>(_ visitor: inout Visitor) -> Visitor.Result? {
        visitor.visit(plain: Value.self)
    }
}

private struct RawStorage<Value: RawRepresentable & SendableMetatype>: AttributeStorage
where Value.RawValue: PlainValue {
    func accept<Visitor: AttributeTypeVisitor>(_ visitor: inout Visitor) -> Visitor.Result? {
        visitor.visit(raw: Value.self)
    }
}
