internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import Transformable
internal import TransformableStore

/// Computes and checks the tags of rows in SQL functions, which every connection of a store has.
///
/// Triggers and views in the file cannot call the functions. Otherwise, an attacker could obtain tags by adding a
/// trigger.
@safe
final class RowSealing: RowTagFunctions {
    private typealias Rows = RowAuthenticator.Rows

    private let authenticator: RowAuthenticator

    /// Creates the functions, or returns `nil` if there is no secret key.
    init?(_ registry: TransformerRegistry) {
        guard let authenticator = RowAuthenticator(registry) else { return nil }
        self.authenticator = authenticator
    }

    func take(_ seals: [RowSeal], of store: UUID, on connection: any EngineConnection) throws {
        let most = connection.argumentLimit - 4
        if let seal = seals.first(where: { $0.columns.count > most }) {
            let count = seal.columns.count
            let message = "it has \(count) columns, but only rows of at most \(most) columns can be authenticated"
            throw StoreError(.limitExceeded, message, entity: seal.name)
        }
        try authenticator.take(seals, of: store, on: connection)
    }

    /// Adds the functions to a connection, which keeps this object alive.
    func install(on database: Database) throws {
        try unsafe add(RowSeal.Function.tag, -1, to: database) {
            unsafe RowSealing.run($0, $1, $2) { try unsafe $0.giveTag($1, $2) }
        }
        try unsafe add(RowSeal.Function.check, -1, to: database) {
            unsafe RowSealing.run($0, $1, $2) { try unsafe $0.giveCheck($1, $2) }
        }
        try unsafe add(RowSeal.Function.verdict, -1, to: database) {
            unsafe RowSealing.run($0, $1, $2) { try unsafe $0.giveVerdict($1, $2) }
        }
        try unsafe add(RowSeal.Function.currentKey, 0, to: database) {
            unsafe RowSealing.run($0, $1, $2) { unsafe $0.giveKey($1, $2) }
        }
    }

    private func add(
        _ name: String,
        _ count: Int32,
        to database: Database,
        _ function: @convention(c) (OpaquePointer?, Int32, Values?) -> Void
    ) throws {
        let code = unsafe sqlite3_create_function_v2(
            database.sqliteConnection,
            name,
            count,
            SQLITE_UTF8 | SQLITE_DIRECTONLY,
            Unmanaged.passRetained(self).toOpaque(),
            function,
            nil,
            nil,
            { pointer in
                guard let pointer = unsafe pointer else { return }
                unsafe Unmanaged<RowSealing>.fromOpaque(pointer).release()
            }
        )
        guard code == SQLITE_OK else {
            throw StoreError(sqlite: code, message: "a function cannot be registered", path: database.path)
        }
    }
}

// MARK: - The functions

extension RowSealing {
    private typealias Values = UnsafeMutablePointer<OpaquePointer?>
    private typealias Function = (RowSealing, OpaquePointer?, UnsafeBufferPointer<OpaquePointer?>) throws -> Void

    private static func run(_ context: OpaquePointer?, _ count: Int32, _ values: Values?, _ body: Function) {
        guard let pointer = unsafe sqlite3_user_data(context) else { return }
        // The connection has a reference for as long as it has the function.
        let sealing = unsafe Unmanaged<RowSealing>.fromOpaque(pointer).takeUnretainedValue()
        do {
            try unsafe body(sealing, context, UnsafeBufferPointer(start: values, count: Int(count)))
        } catch let fault as RowFault {
            unsafe sqlite3_result_error(context, fault.text, -1)
            unsafe sqlite3_result_error_code(context, SQLITE_AUTH)
        } catch {
            unsafe sqlite3_result_error(context, "a row's tag cannot be computed: \(error)", -1)
        }
    }

    /// Arguments: the entity, then number, version and cells.
    private func giveTag(_ context: OpaquePointer?, _ values: UnsafeBufferPointer<OpaquePointer?>) throws {
        let rows = try unsafe rows(values, before: 3)
        let number = unsafe sqlite3_value_int64(values[1])
        guard let key = authenticator.currentKey else { throw RowFault(.missingKey, "", rows.seal, of: number) }
        let sealer = try authenticator.sealer(key, rows, of: number)
        let row = unsafe UnsafeBufferPointer(rebasing: values[1...])
        let tag = try unsafe RowMessage.withBytes(of: row, rows.seal.columns) { try unsafe sealer.tag(of: $0) }
        let bytes = unsafe withUnsafeBytes(of: key.bigEndian) { unsafe Data($0) } + tag
        unsafe Self.give(bytes, to: context)
    }

    /// Arguments: the entity, the tag, then number, version and cells.
    private func giveCheck(_ context: OpaquePointer?, _ values: UnsafeBufferPointer<OpaquePointer?>) throws {
        try unsafe check(values)
        unsafe sqlite3_result_int(context, 1)
    }

    /// The arguments are the same; the result is NULL if the tag matches, and a fault as text otherwise.
    private func giveVerdict(_ context: OpaquePointer?, _ values: UnsafeBufferPointer<OpaquePointer?>) throws {
        do {
            try unsafe check(values)
            unsafe sqlite3_result_null(context)
        } catch let fault as RowFault {
            let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type?.self)
            unsafe sqlite3_result_text(context, fault.text, -1, transient)
        }
    }

    private func giveKey(_ context: OpaquePointer?, _ values: UnsafeBufferPointer<OpaquePointer?>) {
        guard let key = authenticator.currentKey else { return unsafe sqlite3_result_null(context) }
        unsafe Self.give(withUnsafeBytes(of: key.bigEndian) { unsafe Data($0) }, to: context)
    }

    private func check(_ values: UnsafeBufferPointer<OpaquePointer?>) throws {
        let rows = try unsafe rows(values, before: 4)
        let (seal, number) = unsafe (values[1], sqlite3_value_int64(values[2]))
        guard unsafe sqlite3_value_type(seal) == SQLITE_BLOB, let start = unsafe sqlite3_value_blob(seal),
            unsafe sqlite3_value_bytes(seal) == RowSeal.sealCount
        else { throw RowFault(.forged, "", rows.seal, of: number) }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: RowSeal.sealCount)
        let key = unsafe UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        // A row that never had a tag.
        let hasTag = unsafe bytes.contains { $0 != 0 }
        guard hasTag else { throw RowFault(.forged, "", rows.seal, of: number) }
        let sealer = try authenticator.sealer(key, rows, of: number)
        let row = unsafe UnsafeBufferPointer(rebasing: values[2...])
        let isRight = try unsafe RowMessage.withBytes(of: row, rows.seal.columns) { message in
            try unsafe sealer.isTag(UnsafeRawBufferPointer(rebasing: bytes[RowAuthenticator.keyCount...]), of: message)
        }
        guard isRight else { throw RowFault(.forged, "", rows.seal, of: number) }
    }

    /// Returns the entity of a call, which has some arguments before the cells.
    private func rows(_ values: UnsafeBufferPointer<OpaquePointer?>, before count: Int) throws -> Rows {
        // A program's own SQL may call the functions, too.
        guard values.count > count - 1 else { throw RowAuthenticator.misuse }
        let number = unsafe UInt32(truncatingIfNeeded: sqlite3_value_int64(values[0]))
        guard let rows = authenticator.rows(of: number), rows.seal.columns.count == values.count - count else {
            throw RowAuthenticator.misuse
        }
        return rows
    }

    private static func give(_ bytes: Data, to context: OpaquePointer?) {
        let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type?.self)
        unsafe bytes.withUnsafeBytes { unsafe sqlite3_result_blob(context, $0.baseAddress, Int32($0.count), transient) }
    }
}

extension RowMessage {
    /// Calls a closure with the bytes of a row.
    ///
    /// - Parameters:
    ///   - values: The row's number, its version, and its cells, which are arguments of a function.
    ///   - columns: The columns.
    ///   - body: A closure that receives the bytes.
    /// - Returns: The result of the closure.
    /// - Throws: Errors thrown by the closure.
    fileprivate static func withBytes<Result>(
        of values: UnsafeBufferPointer<OpaquePointer?>,
        _ columns: [RowSeal.Column],
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        let cells = unsafe values.reduce(0) { unsafe $0 + byteCount(of: $1) }
        let size = byteCount(columns: columns.count, cells: cells)
        return try unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { buffer in
            unsafe write(columns, to: buffer) { unsafe append(values[$0], to: $1, &$2) }
            return try unsafe body(UnsafeRawBufferPointer(buffer))
        }
    }

    private static func byteCount(of value: OpaquePointer?) -> Int {
        let kind = unsafe kind(of: value)
        switch kind {
        case .integer, .real, .null: return byteCount(kind: kind)
        case .text, .blob: return unsafe byteCount(kind: kind, content: bytes(of: value).count)
        }
    }

    private static func kind(of value: OpaquePointer?) -> PackedRow.Kind {
        unsafe PackedRow.Kind(rawValue: UInt8(truncatingIfNeeded: sqlite3_value_type(value))) ?? .null
    }

    private static func bytes(of value: OpaquePointer?) -> UnsafeRawBufferPointer {
        // Get the pointer first, because this determines the encoding that the length refers to.
        let start = unsafe sqlite3_value_blob(value)
        return unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }

    private static func append(_ value: OpaquePointer?, to buffer: UnsafeMutableRawBufferPointer, _ end: inout Int) {
        let kind = unsafe kind(of: value)
        switch kind {
        case .integer: unsafe append(sqlite3_value_int64(value), to: buffer, &end)
        case .real: unsafe append(sqlite3_value_double(value), to: buffer, &end)
        case .text, .blob: unsafe append(kind, bytes(of: value), to: buffer, &end)
        case .null: unsafe appendNull(to: buffer, &end)
        }
    }
}
