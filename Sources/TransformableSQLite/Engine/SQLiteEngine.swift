internal import Foundation
internal import GRDB
internal import Synchronization
internal import TransformableStore

/// The embedded engine: an SQLite database, opened through GRDB.
final class SQLiteEngine: Engine {
    private let writer: any DatabaseWriter
    // Whether any connection may still have the views of a limited context.
    private let mayHaveViews = Atomic(false)

    init(_ writer: any DatabaseWriter) {
        self.writer = writer
    }

    var path: String { writer.path }
    var dialect: Dialect { .sqlite }
    var hasReaders: Bool { writer is DatabasePool }

    func read<Result>(for use: ConnectionUse, _ body: (any EngineConnection) throws -> Result) throws -> Result {
        try Failure.translate(at: path) { try writer.read { try body(connection($0, for: use)) } }
    }

    func read<Result: Sendable>(
        for use: ConnectionUse,
        _ body: @escaping @Sendable (any EngineConnection) throws -> Result
    ) async throws -> Result {
        try await Failure.translateAsync(at: path) {
            try await writer.read { [self] in try body(connection($0, for: use)) }
        }
    }

    func write<Result>(for use: ConnectionUse, _ body: (any EngineConnection) throws -> Result) throws -> Result {
        try Failure.translate(at: path) {
            try writer.writeWithoutTransaction { try body(connection($0, for: use)) }
        }
    }

    func write<Result: Sendable>(
        for use: ConnectionUse,
        _ body: @escaping @Sendable (any EngineConnection) throws -> Result
    ) async throws -> Result {
        try await Failure.translateAsync(at: path) {
            try await writer.writeWithoutTransaction { [self] in try body(connection($0, for: use)) }
        }
    }

    /// Returns a connection, without the views of a limited context if it is lent for something else.
    private func connection(_ database: Database, for use: ConnectionUse) throws -> SQLiteConnection {
        // A single connection that can write could not remove them while it is lent for reading.
        let canRemoveViews = hasReaders || writer.configuration.readonly
        let connection = SQLiteConnection(database, keepsViews: use == .limitedContext && canRemoveViews)
        switch use {
        case .limitedContext: mayHaveViews.store(true, ordering: .relaxed)
        case .tables where mayHaveViews.load(ordering: .relaxed): try TenantViews.remove(from: connection)
        case .tables: break
        }
        return connection
    }

    func enqueue(_ body: @escaping @Sendable (any EngineConnection) -> Void) {
        writer.asyncWriteWithoutTransaction { body(SQLiteConnection($0)) }
    }

    func askDataVersion(_ answer: @escaping @Sendable (Int64?) -> Void) {
        enqueue { connection in answer(try? connection.integer("PRAGMA data_version")) }
    }

    func makeReader() throws -> (any Engine)? {
        guard hasReaders else { return nil }
        var configuration = writer.configuration
        configuration.readonly = true
        return try Failure.translate(at: path) {
            SQLiteEngine(try DatabaseQueue(path: path, configuration: configuration))
        }
    }

    func copy(to path: String) throws -> any Engine {
        try Failure.translate(at: path) {
            let copy = try DatabaseQueue(path: path)
            try writer.backup(to: copy)
            return SQLiteEngine(copy)
        }
    }

    /// Changing the place of temporary tables drops them, so this takes a connection of its own.
    ///
    /// SQLite writes all rows to a temporary file first. In memory, they would take as much of it as the file is large.
    func rewriteFile() throws {
        try Failure.translate(at: path) {
            let queue = try DatabaseQueue(path: path, configuration: writer.configuration)
            defer { try? queue.close() }
            try queue.writeWithoutTransaction { database in
                let connection = SQLiteConnection(database)
                for statement in ["PRAGMA secure_delete = ON", "PRAGMA temp_store = FILE"] {
                    try connection.run(statement)
                }
                try explainingRoom { try connection.run("VACUUM") }
            }
        }
    }

    /// Runs a closure that rewrites the file, and says in errors of the disk how much room that takes, and where.
    ///
    /// SQLite does not say whether the error is about its temporary file.
    private func explainingRoom(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch var error as StoreError where [.diskFull, .inputOutput, .cannotOpen].contains(error.code) {
            let cause = error.code == .diskFull ? "the disk is full, and nothing was changed" : error.message
            error.message = """
                \(cause); scrubbing needs as much room as the file “\(path)” takes, both on its own volume and in the \
                folder of temporary files; free some space, or choose another folder with the environment variable \
                SQLITE_TMPDIR
                """
            throw error
        }
    }

    func close() throws {
        // Close the readers first. SQLite removes its files next to the database only if the last connection can write.
        (writer as? DatabasePool)?.invalidateReadOnlyConnections()
        try Failure.translate(at: path) { try writer.close() }
    }
}

extension Dialect {
    static let sqlite = Self(
        name: "SQLite",
        features: [
            .rowTags, .temporaryViews, .lengthsOfCells, .exclusiveWriter, .statementRollback,
            .externalFiles,
            .dynamicTypes,
        ],
        definitions: "\"sqlite_master\"",
        text: .sqlite
    )
}

extension TextSQL {
    fileprivate static let sqlite = Self(
        // SQLite counts characters only up to a NUL.
        isASCII: { "length(\($0)) = length(CAST(\($0) AS BLOB))" },
        contains: { "instr(\($0), \(.text($1))) > 0" },
        begins: range,
        ends: { "substr(CAST(\($0) AS BLOB), \(.integer(-Int64($1.utf8.count)))) = \(.blob(Data($1.utf8)))" },
        mayDiffer: TextIndex.mayDiffer
    )

    /// Returns a range for a prefix, which can use an index because bytes compare like the text.
    private static func range(_ column: SQLFragment, _ text: String) -> SQLFragment {
        var end = Data(text.utf8)
        // UTF-8 never contains the byte 255, so the last byte has a successor.
        if let last = end.popLast() { end.append(last + 1) }
        return "(\(column) >= \(.text(text)) AND \(column) < \(.brokenText(end)))"
    }
}
