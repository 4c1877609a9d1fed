internal import Foundation
internal import GRDB
internal import GRDBSQLite

/// A Swift function that a statement calls for its rows.
///
/// Every connection has a single function in SQL, whose first argument is a pointer to this one. Only the function's
/// own statement can bind this pointer. If the Swift function throws an error, the statement ends and throws the same
/// error.
@safe
package final class SQLFunction {
    private static let name = "_transformable_call"
    // SQLite compares this type when the pointer is read, so no other argument is accepted.
    private static let kind: StaticString = "transformable.function"

    private let body: ([ColumnValue]) throws -> ColumnValue
    /// The error that the last call has thrown.
    private(set) var failure: (any Error)?

    init(_ body: @escaping ([ColumnValue]) throws -> ColumnValue) {
        self.body = body
    }

    /// Creates a function that returns a Boolean value.
    static func deciding(_ body: @escaping ([ColumnValue]) throws -> Bool) -> SQLFunction {
        SQLFunction { .integer(try body($0) ? 1 : 0) }
    }

    /// Returns the SQL that calls the function.
    func call(_ arguments: SQLFragment...) -> SQLFragment {
        "\(raw: Self.name)(\(self), \(.list(arguments)))"
    }

    /// Registers the SQL function with a connection.
    static func install(on database: Database) throws {
        let flags = SQLITE_UTF8 | SQLITE_DIRECTONLY
        let code = unsafe sqlite3_create_function_v2(
            database.sqliteConnection,
            name,
            -1,
            flags,
            nil,
            { unsafe SQLFunction.run($0, $1, $2) },
            nil,
            nil,
            nil
        )
        guard code == SQLITE_OK else {
            throw StoreError(sqlite: code, message: "a function cannot be registered", path: database.path)
        }
    }

    /// Binds the function to a parameter.
    ///
    /// SQLite retains it until the parameter is bound again.
    func bind(to statement: OpaquePointer, at index: Int) -> Int32 {
        unsafe Self.kind.utf8Start.withMemoryRebound(to: CChar.self, capacity: Self.kind.utf8CodeUnitCount) { kind in
            unsafe sqlite3_bind_pointer(
                statement,
                Int32(index),
                Unmanaged.passRetained(self).toOpaque(),
                kind,
                { pointer in
                    guard let pointer = unsafe pointer else { return }
                    unsafe Unmanaged<SQLFunction>.fromOpaque(pointer).release()
                }
            )
        }
    }

    private static func run(
        _ context: OpaquePointer?,
        _ count: Int32,
        _ values: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        let kind = unsafe UnsafeRawPointer(Self.kind.utf8Start).assumingMemoryBound(to: CChar.self)
        guard count > 0, let values = unsafe values, let pointer = unsafe sqlite3_value_pointer(values[0], kind) else {
            unsafe sqlite3_result_error(context, "only a statement of the store can call it", -1)
            return
        }
        // The running statement has bound the pointer, and with it a reference.
        let function = unsafe Unmanaged<SQLFunction>.fromOpaque(pointer).takeUnretainedValue()
        do {
            let arguments = (1..<Int(count)).map { unsafe ColumnValue(argument: values[$0]) }
            try unsafe function.body(arguments).give(to: context)
        } catch {
            function.failure = error
            unsafe sqlite3_result_error(context, "a function has failed", -1)
        }
    }
}

extension ColumnValue {
    /// Copies an argument.
    fileprivate init(argument: OpaquePointer?) {
        switch unsafe sqlite3_value_type(argument) {
        case SQLITE_INTEGER: self = unsafe .integer(sqlite3_value_int64(argument))
        case SQLITE_FLOAT: self = unsafe .real(sqlite3_value_double(argument))
        case SQLITE_TEXT:
            let bytes = unsafe Self.bytes(of: argument)
            self = unsafe String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .brokenText(Data(bytes))
        case SQLITE_BLOB: self = unsafe .blob(Data(Self.bytes(of: argument)))
        default: self = .null
        }
    }

    /// Returns the bytes of text or a blob, which are valid during the call.
    private static func bytes(of argument: OpaquePointer?) -> UnsafeRawBufferPointer {
        // Get the pointer first, because this determines the encoding that the length refers to.
        let start = unsafe sqlite3_value_blob(argument)
        return unsafe UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(argument)))
    }

    /// Sets a function's result.
    fileprivate func give(to context: OpaquePointer?) {
        switch self {
        case .integer(let number): unsafe sqlite3_result_int64(context, number)
        case .real(let number): unsafe sqlite3_result_double(context, number)
        case .text(var text):
            // SQLite copies the bytes before the call returns.
            let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type?.self)
            text.withUTF8 { bytes in
                guard let start = bytes.baseAddress else {
                    return unsafe sqlite3_result_text(context, "", 0, transient)
                }
                unsafe start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { characters in
                    let count = sqlite3_uint64(bytes.count)
                    unsafe sqlite3_result_text64(context, characters, count, transient, UInt8(SQLITE_UTF8))
                }
            }
        case .blob(let bytes):
            // An empty buffer may have no address, which SQLite would interpret as NULL.
            let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type?.self)
            unsafe bytes.withUnsafeBytes { buffer in
                guard let start = buffer.baseAddress else { return unsafe sqlite3_result_zeroblob(context, 0) }
                unsafe sqlite3_result_blob64(context, start, sqlite3_uint64(buffer.count), transient)
            }
        case .null, .brokenText: unsafe sqlite3_result_null(context)
        }
    }
}
