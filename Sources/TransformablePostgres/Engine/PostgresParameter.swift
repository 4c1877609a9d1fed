internal import Foundation
internal import TransformableModel

/// A cell as the value of a parameter.
struct PostgresParameter {
    let type: PostgresType
    let value: PostgresValue

    /// Converts a cell to the type that the server expects.
    ///
    /// A number that does not fit the type keeps its own, so that a comparison with a column of smaller numbers is false
    /// rather than an error.
    ///
    /// - Throws: `StoreError` with the code `wrong-type` or `invalid-value` if the type cannot hold the cell.
    init(_ cell: ColumnValue, as oid: UInt32) throws(StoreError) {
        let expected = PostgresType(rawValue: oid)
        switch cell {
        case .null: (type, value) = (expected ?? .text, .null)
        case .integer(let number): (type, value) = try Self.integer(number, expected)
        // Like SQLite, which has no -0. Otherwise, a copy as a file would differ.
        case .real(let number): (type, value) = (.float8, .float8(number == 0 ? 0 : number))
        case .text(let text): (type, value) = try Self.text(text, expected)
        case .blob(let bytes): (type, value) = (.bytea, .bytea(BlobName.escape(bytes)))
        case .brokenText: throw StoreError(.invalidValue, "the text is not valid UTF-8, which PostgreSQL refuses")
        }
    }

    private static func integer(
        _ number: Int64,
        _ expected: PostgresType?
    ) throws(StoreError) -> (PostgresType, PostgresValue) {
        switch expected {
        case .int2: Int16(exactly: number).map { (.int2, .int2($0)) } ?? (.int8, .int8(number))
        case .int4: Int32(exactly: number).map { (.int4, .int4($0)) } ?? (.int8, .int8(number))
        case .bool where 0...1 ~= number: (.bool, .bool(number == 1))
        case .float8: Double(exactly: number).map { (.float8, .float8($0)) } ?? (.int8, .int8(number))
        case .numeric: (.numeric, .numeric(try PostgresNumeric("\(number)")))
        default: (.int8, .int8(number))
        }
    }

    private static func text(
        _ text: String,
        _ expected: PostgresType?
    ) throws(StoreError) -> (PostgresType, PostgresValue) {
        switch expected {
        case .uuid:
            guard let uuid = UUID(uuidString: text) else { throw StoreError(.wrongType, "the text is not a UUID") }
            return (.uuid, .uuid(uuid))
        case .numeric: return (.numeric, .numeric(try PostgresNumeric(text)))
        case .bytea: return (.bytea, .bytea(Data(text.utf8)))
        default: return (.text, .text(text))
        }
    }
}
