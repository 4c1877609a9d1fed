package import Foundation

/// A PostgreSQL type, by the number that the server knows it by (`pg_type.oid`).
package enum PostgresType: UInt32, Sendable, Hashable {
    case bool = 16
    case bytea = 17
    case int8 = 20
    case int2 = 21
    case int4 = 23
    case text = 25
    case float8 = 701
    /// An array of `bytea`, which a parameter cannot have.
    case byteaArray = 1001
    /// An array of `int8`, for conditions such as `number = ANY($1)`.
    case int8Array = 1016
    case numeric = 1700
    case uuid = 2950
}

/// A value of any type, or NULL.
package enum PostgresValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case int2(Int16)
    case int4(Int32)
    case int8(Int64)
    case float8(Double)
    case text(String)
    case bytea(Data)
    case numeric(PostgresNumeric)
    case uuid(UUID)
    case int8Array([Int64])

    /// The value's type, or `nil` for NULL, which belongs to every type.
    package var type: PostgresType? {
        codable.map { Swift.type(of: $0).postgresType }
    }

    /// The value that is read and written, or `nil` for NULL.
    var codable: (any PostgresCodable)? {
        switch self {
        case .null: nil
        case .bool(let value): value
        case .int2(let value): value
        case .int4(let value): value
        case .int8(let value): value
        case .float8(let value): value
        case .text(let value): value
        case .bytea(let value): value
        case .numeric(let value): value
        case .uuid(let value): value
        case .int8Array(let value): value
        }
    }
}

/// An SQL statement and the types of its parameters, which it calls `$1`, `$2`, and so on.
///
/// A connection prepares a statement the first time that it runs, and uses the prepared statement from then on.
package struct PostgresStatement: Sendable, Hashable {
    package let sql: String
    package let parameters: [PostgresType]
    /// Whether the server keeps the statement, because it will run again.
    package var isPrepared = true

    package init(_ sql: String, _ parameters: PostgresType...) {
        self.init(sql, parameters: parameters)
    }

    package init(_ sql: String, parameters: [PostgresType]) {
        self.sql = sql
        self.parameters = parameters
    }
}

/// A message that another connection sent with NOTIFY.
package struct PostgresNotification: Sendable, Hashable {
    package let channel: String
    package let payload: String
    /// The process that serves the connection that sent the message.
    package let process: Int32
}
