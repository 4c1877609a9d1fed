internal import TransformableModel
internal import TransformableStore

/// The type of a column in PostgreSQL.
enum ColumnType: Sendable, Hashable {
    case smallint, integer, bigint
    case boolean
    /// Numbers, and dates as seconds since 2001, so that they are the same bit for bit.
    case double
    /// Decimals with all of their digits.
    case numeric
    /// Text that is compared by its bytes.
    case text
    case bytea
    case uuid
    /// A cell of any kind: a byte with SQLite's number of the kind, and 8 bytes of a number, or the bytes.
    case cell

    /// Returns the type for the content of a column in SQLite.
    init(_ content: TableDescription.Column.Content) {
        switch content {
        case .attribute(let type): self.init(type)
        case .integer: self = .bigint
        case .real: self = .double
        case .text: self = .text
        case .bytes: self = .bytea
        case .uuid: self = .uuid
        case .any: self = .cell
        }
    }

    /// Returns the smallest type that holds all values of an attribute.
    init(_ type: AttributeType) {
        switch type {
        case .int8, .int16, .uint8: self = .smallint
        case .int32, .uint16: self = .integer
        case .int64, .uint32, .uint64: self = .bigint
        case .boolean: self = .boolean
        case .float, .double, .date: self = .double
        case .decimal: self = .numeric
        case .string, .url: self = .text
        case .uuid: self = .uuid
        case .data, .transformed, .undefined: self = .bytea
        }
    }

    /// Returns the expression for a cell of any kind with the content of a column, or `nil` for an unknown type.
    ///
    /// - Parameters:
    ///   - column: The column's quoted name.
    ///   - type: The name of the column's type.
    /// - Returns: The expression in SQL.
    static func anyCell(_ column: String, of type: String) -> String? {
        func cell(_ kind: PackedRow.Kind, _ content: String) -> String {
            "'\\x0\(kind.rawValue)'::bytea || \(content)"
        }
        return switch type {
        case "smallint", "integer", "bigint": cell(.integer, "int8send(\(column)::bigint)")
        case "double precision": cell(.real, "float8send(\(column))")
        case "text": cell(.text, "convert_to(\(column), 'UTF8')")
        case "bytea":
            """
            CASE WHEN NOT (\(BlobName.isBeginning(of: column))) THEN \(cell(.blob, column))
            WHEN octet_length(\(column)) = \(BlobName.length) THEN \(cell(.text, column))
            ELSE \(cell(.blob, "substr(\(column), 1, octet_length(\(column)) - 1)")) END
            """
        default: nil
        }
    }

    /// The type in SQL, for a new column.
    var sql: String { self == .text ? "text COLLATE \"C\"" : name }

    /// The type's name.
    var name: String {
        switch self {
        case .smallint: "smallint"
        case .integer: "integer"
        case .bigint: "bigint"
        case .boolean: "boolean"
        case .double: "double precision"
        case .numeric: "numeric"
        case .text: "text"
        case .bytea, .cell: "bytea"
        case .uuid: "uuid"
        }
    }
}
