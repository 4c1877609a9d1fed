/// The kind of an attribute: how its values lie in the database file.
public enum AttributeType: String, Sendable, Hashable, CaseIterable {
    /// A whole number of 16 bits, stored as INTEGER.
    case int16
    /// A whole number of 32 bits, stored as INTEGER.
    case int32
    /// A whole number of 64 bits, stored as INTEGER.
    case int64
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
    /// A URL, stored as TEXT.
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
        case .int16, .int32, .int64, .boolean: "INTEGER"
        case .float, .double, .date: "REAL"
        case .decimal, .string, .uuid, .url: "TEXT"
        case .data, .transformed, .undefined: "BLOB"
        }
    }

    /// Whether equal values always have equal bytes in the column.
    var isDeterministic: Bool {
        self != .transformed && self != .undefined
    }
}
