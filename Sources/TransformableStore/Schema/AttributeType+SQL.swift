extension AttributeType {
    /// The column's declared type in SQL.
    var columnType: String {
        switch self {
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .boolean: "INTEGER"
        case .float, .double, .date: "REAL"
        case .decimal, .string, .uuid, .url: "TEXT"
        case .data, .transformed, .undefined: "BLOB"
        }
    }
}
