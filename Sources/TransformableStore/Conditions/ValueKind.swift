/// The kind of a term's value, as far as comparisons are concerned.
enum ValueKind: Hashable {
    case integer
    case float
    case double
    case boolean
    case text
    case date
    case decimal
    case data
    case uuid
    case url
    /// The number of an object of an entity.
    case object(String)
    /// No value except null.
    case nothing

    init?(_ type: AttributeType) {
        switch type {
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64: self = .integer
        case .float: self = .float
        case .double: self = .double
        case .boolean: self = .boolean
        case .string: self = .text
        case .date: self = .date
        case .decimal: self = .decimal
        case .data: self = .data
        case .uuid: self = .uuid
        case .url: self = .url
        case .transformed, .undefined: return nil
        }
    }

    /// Creates the kind of a projection's column.
    init(columnType: String) {
        switch columnType {
        case "INTEGER": self = .integer
        case "REAL": self = .double
        case "TEXT": self = .text
        default: self = .data
        }
    }

    var isNumber: Bool { self == .integer || self == .float || self == .double }

    /// Returns a Boolean value that indicates whether values of both kinds can be compared.
    func compares(with other: Self) -> Bool {
        switch (self, other) {
        case (.nothing, _), (_, .nothing): true
        case (.object, let other), (let other, .object): other.isNumber || self == other
        default: self == other || isNumber && other.isNumber
        }
    }

    /// Returns the kind of a value that may be of either kind, or `nil` if their values cannot be compared.
    func common(with other: Self) -> Self? {
        guard compares(with: other) else { return nil }
        return switch (self, other) {
        case (.nothing, _), (.integer, .float), (.integer, .double), (.float, .double): other
        default: self
        }
    }

    /// The storage class of a cell with such a value in SQLite.
    var storageClass: String {
        switch self {
        case .integer, .boolean, .object: "integer"
        case .float, .double, .date: "real"
        case .text, .decimal, .uuid, .url: "text"
        case .data: "blob"
        case .nothing: "null"
        }
    }

    /// The type of such values in a database whose values have types, or `nil` for null.
    var typeName: String? {
        switch self {
        case .integer, .object: "bigint"
        case .float, .double, .date: "double precision"
        case .boolean: "boolean"
        case .text, .url: "text"
        case .decimal: "numeric"
        case .data: "bytea"
        case .uuid: "uuid"
        case .nothing: nil
        }
    }

    /// The kind in words, for messages.
    var words: String {
        switch self {
        case .integer, .float, .double: "a number"
        case .decimal: "a decimal number"
        case .boolean: "a Boolean value"
        case .text: "text"
        case .date: "a date"
        case .data: "bytes"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .object(let entity): "an object of \(entity)"
        case .nothing: "null"
        }
    }
}
