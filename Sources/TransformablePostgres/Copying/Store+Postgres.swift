public import Foundation
public import Transformable
public import TransformableModel
internal import TransformableSQLite
public import TransformableStore

extension Store {
    /// Copies the store to a schema of a PostgreSQL database, concurrently with readers and writers.
    ///
    /// The copy has the same UUID, numbers, and bytes as the store, so sealed values and the seal of the model remain
    /// valid, and no key is needed. It is made from one snapshot, in transactions of up to 20,000 rows each. If the
    /// copy is interrupted, the next one to the same schema continues where it ended. At the end, both sides are read
    /// and compared. Until then, the schema contains a table with the name `_transformable_copy`.
    ///
    /// Before anything is created, all values are checked. PostgreSQL's text cannot contain the character U+0000.
    ///
    /// - Parameters:
    ///   - address: The address of the database.
    ///   - schema: The name of a schema that does not exist, is empty, or contains an unfinished copy of the store.
    ///   - options: How the connection is made, and how the tables are distributed.
    ///   - progress: A closure that receives the number of rows that have been copied so far.
    /// - Returns: What was copied, and the external values that are missing or damaged.
    /// - Throws: `StoreError` with the code `file-exists` if the schema contains anything else, `invalid-value` with
    ///   the entity, attribute, and object if PostgreSQL cannot store a value, `dangling-reference` if an object refers
    ///   to one that does not exist, `store-changed` if the store was changed between two parts of an interrupted copy,
    ///   `busy` if another program is creating a store in the same schema, `unsupported` if the store is in a database
    ///   itself, or with a code for a failed connection.
    @discardableResult
    public func copy(
        to address: PostgresAddress,
        schema: String,
        options: PostgresOptions = PostgresOptions(),
        progress: @escaping (Int) -> Void = { _ in }
    ) throws -> PostgresCopyReport {
        try PostgresName.check(schema)
        let connection = try PostgresConnection(address, options: options)
        try connection.transaction(.snapshot) {
            try options.distribution.require(model, on: connection)
            try options.distribution.requireSame(in: schema, connection)
        }
        return try readRaw { reader in
            try CopyToPostgres(reader, to: schema, connection, distribution: options.distribution, progress).run()
        }
    }

    /// Copies the store to a schema of a PostgreSQL database in a single transaction.
    ///
    /// - Parameters:
    ///   - address: The address of the database.
    ///   - schema: The name of a schema that does not exist or is empty.
    ///   - options: How the connection is made.
    ///   - progress: A closure that receives the number of rows that have been copied so far.
    /// - Returns: What was copied.
    /// - Throws: Any error that ``copy(to:schema:options:progress:)`` throws. In that case, nothing is left in the
    ///   database.
    package func copyAtOnce(
        to address: PostgresAddress,
        schema: String,
        options: PostgresOptions,
        progress: @escaping (Int) -> Void
    ) throws -> PostgresCopyReport {
        try Self.requireRoom(at: address, schema: schema, options: options)
        let connection = try PostgresConnection(address, options: options)
        return try readRaw { reader in
            try connection.transaction(.readCommitted) {
                try connection.liftTimeLimits()
                return try CopyToPostgres(reader, to: schema, connection, progress).run()
            }
        }
    }

    /// Throws an error unless a schema of a PostgreSQL database does not exist or is empty.
    package static func requireRoom(at address: PostgresAddress, schema: String, options: PostgresOptions) throws {
        try PostgresName.check(schema)
        let connection = try PostgresConnection(address, options: options)
        switch try connection.transaction(.snapshot, { try SchemaState(of: schema, connection) }) {
        case .missing, .empty: return
        case .store: throw StoreError.schemaExists(schema, "already contains a store")
        case .unfinishedCopy: throw StoreError.schemaExists(schema, "contains an unfinished copy of another store")
        case .other: throw StoreError.schemaExists(schema, "contains tables that belong to another program")
        }
    }

    /// Copies a store in a PostgreSQL database to a new file, concurrently with readers and writers.
    ///
    /// The file has the same UUID, numbers, and bytes as the store in the database. If the store in the database was
    /// copied from a file, all cells and the seal of the model are the same as in the original. The content of the
    /// database is not trusted: the file is checked as it is created, and compared with the database at the end. If its
    /// model is sealed, the seal is verified when the file is opened with its key.
    ///
    /// The file appears as a whole or not at all. Only its owner can read it.
    ///
    /// - Parameters:
    ///   - address: The address of the database.
    ///   - schema: The name of the schema that contains the store.
    ///   - url: The file. It must not exist, and neither must a folder of external values or a log next to it.
    ///   - transformers: The transformers to open the file with for the comparison. Attributes that need others keep
    ///     their bytes.
    ///   - options: How the connection is made.
    ///   - progress: A closure that receives the number of rows that have been copied so far.
    /// - Returns: What was copied, and the external values that are missing or damaged.
    /// - Throws: `StoreError` with the code `no-such-file` if the schema does not exist or is empty, `not-a-store` if it
    ///   contains tables of another program, `busy` if it contains an unfinished copy, `file-exists` or `cannot-create`
    ///   if the file cannot be created, `access-denied` if the role lacks a privilege or row-level security may hide rows
    ///   from it, `corrupt-file` if the database does not contain a valid store, or with a code for a failed connection.
    @discardableResult
    public static func copy(
        from address: PostgresAddress,
        schema: String,
        to url: URL,
        transformers: TransformerRegistry,
        options: PostgresOptions = PostgresOptions(),
        progress: @escaping (Int) -> Void = { _ in }
    ) throws -> PostgresCopyReport {
        try copy(from: address, schema: schema, to: url, transformers, options, watch: nil, progress)
    }

    /// Copies a store in a PostgreSQL database to a new file.
    ///
    /// - Parameters:
    ///   - address: The address of the database.
    ///   - schema: The name of the schema that contains the store.
    ///   - url: The file.
    ///   - transformers: The transformers to open the file with for the comparison.
    ///   - options: How the connection is made.
    ///   - watch: Removes what is unfinished when the process is interrupted.
    ///   - progress: A closure that receives the number of rows that have been copied so far.
    /// - Returns: What was copied.
    /// - Throws: `StoreError` if the store cannot be copied.
    package static func copy(
        from address: PostgresAddress,
        schema: String,
        to url: URL,
        _ transformers: TransformerRegistry,
        _ options: PostgresOptions,
        watch: (any WorkingFolderWatch)?,
        _ progress: @escaping (Int) -> Void
    ) throws -> PostgresCopyReport {
        try PostgresName.check(schema)
        let writer = try RawWriter(at: url, watch: watch)
        let connection = try PostgresConnection(address, options: options)
        let copy = CopyFromPostgres(
            schema: schema,
            connection: connection,
            transformers: transformers,
            progress: progress
        )
        return try copy.run(writer)
    }
}

extension PostgresName {
    /// Throws an error unless a name can be that of a schema of a store.
    static func check(_ schema: String) throws(StoreError) {
        // In a search path, “$user” stands for the schema with the name of the role.
        let isReserved = schema.hasPrefix("pg_") || ["information_schema", "$user"].contains(schema)
        guard !schema.isEmpty, !schema.utf8.contains(0), !isReserved else {
            throw StoreError(.invalidValue, "“\(schema)” cannot be the name of a schema; choose another one")
        }
    }
}

/// A report about a copy between a file and a PostgreSQL database.
public struct PostgresCopyReport: Sendable {
    /// The number of objects.
    public internal(set) var objectCount = 0
    /// The number of external values.
    public internal(set) var blobCount = 0
    /// The external values that are missing or damaged, both in the original and in the copy.
    public internal(set) var faults: [StoreError] = []
    /// The tables in the store's file that do not belong to the store, and were not copied.
    public internal(set) var otherTables: [String] = []
    /// The indexes that were left out, because a PostgreSQL index cannot hold values of more than about 2,700 bytes.
    public internal(set) var omittedIndexes: [String] = []
    /// Whether the copy continued one that was interrupted.
    public internal(set) var isContinuation = false
}
