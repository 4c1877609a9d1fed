/// The kind of an attribute: how its values lie in the database file.
public enum AttributeType: String, Sendable, Hashable, CaseIterable {
    /// A whole number of 8 bits, stored as INTEGER.
    case int8
    /// A whole number of 16 bits, stored as INTEGER.
    case int16
    /// A whole number of 32 bits, stored as INTEGER.
    case int32
    /// A whole number of 64 bits, stored as INTEGER.
    case int64
    /// A whole number of 8 bits without a sign, stored as INTEGER.
    case uint8
    /// A whole number of 16 bits without a sign, stored as INTEGER.
    case uint16
    /// A whole number of 32 bits without a sign, stored as INTEGER.
    case uint32
    /// A whole number without a sign, stored as INTEGER, which holds those up to 9,223,372,036,854,775,807.
    ///
    /// Each number lies in the file as itself, for conditions, sums and a database's shell. One that is larger is
    /// refused when it is stored; a transformer such as `uint64` keeps all 64 bits as bytes.
    case uint64
    /// A number of single precision, stored as REAL; -0.0 comes back as 0.0, as for ``double``.
    case float
    /// A number of double precision, stored as REAL.
    ///
    /// SQLite keeps a REAL without fraction as an integer, which has no negative zero: -0.0 comes back as 0.0. NaN
    /// is refused. A transformer keeps every bit of both.
    case double
    /// A decimal number, stored as TEXT.
    case decimal
    /// A truth value, stored as 0 or 1.
    case boolean
    /// Unicode text, stored as TEXT.
    case string
    /// A point in time, stored as REAL seconds since 2001-01-01 00:00 UTC.
    case date
    /// Bytes, stored as BLOB.
    case data
    /// A UUID, stored as upper-case TEXT.
    case uuid
    /// A URL, stored as TEXT; of one that is relative to a base, its own text, a space and the base.
    case url
    /// A value that a transformer stores as BLOB.
    case transformed
    /// A value of any type that is kept in memory only.
    case undefined
}

extension AttributeType {
    /// The type of the column, as SQLite's shell shows it.
    var columnType: String {
        switch self {
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .boolean: "INTEGER"
        case .float, .double, .date: "REAL"
        case .decimal, .string, .uuid, .url: "TEXT"
        case .data, .transformed, .undefined: "BLOB"
        }
    }

    /// The whole numbers that a column of the type holds; nil for a type of other values.
    var integers: ClosedRange<Int64>? {
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

    /// Whether equal values always have equal bytes in the column.
    var isDeterministic: Bool {
        self != .transformed && self != .undefined
    }
}
