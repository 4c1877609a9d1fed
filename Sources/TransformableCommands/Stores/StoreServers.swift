package import Foundation
package import Transformable
package import TransformableStore

/// Opens stores in databases on servers, and copies stores between files and databases.
///
/// This module links no client of a server. A module that does makes its own conforming type ``current`` while a program
/// runs.
package protocol StoreServers: Sendable {
    /// Returns a Boolean value that indicates whether a string is the address of a database rather than the path of a
    /// file.
    func isAddress(_ text: String) -> Bool

    /// Opens a store in a database.
    ///
    /// - Parameters:
    ///   - address: The address of the database.
    ///   - schema: The schema that contains the store.
    ///   - model: The model, or `nil` to use the one in the database.
    ///   - registry: The transformers.
    ///   - options: The options.
    /// - Returns: The store.
    /// - Throws: `StoreError` if the store cannot be opened.
    func open(
        _ address: String,
        schema: String,
        model: Model?,
        _ registry: TransformerRegistry,
        _ options: Store.Options
    ) throws -> Store

    /// Creates a store in a database, and closes it.
    ///
    /// - Parameters:
    ///   - address: The address of the database.
    ///   - schema: The schema that is to contain the store.
    ///   - model: The model.
    ///   - registry: The transformers.
    ///   - isDistributed: Whether the tables are distributed over several servers.
    /// - Throws: `StoreError` if the store cannot be created.
    func create(
        _ address: String,
        schema: String,
        _ model: Model,
        _ registry: TransformerRegistry,
        isDistributed: Bool
    ) throws

    /// Returns a plan of what opening a store in a database with a newer model would do.
    ///
    /// - Parameters:
    ///   - address: The address of the database.
    ///   - schema: The schema that contains the store.
    ///   - model: The new model.
    ///   - registry: The transformers.
    ///   - options: The options that the store would be opened with.
    /// - Returns: The plan.
    /// - Throws: `StoreError` if the store cannot be opened.
    func plan(
        _ address: String,
        schema: String,
        model: Model,
        _ registry: TransformerRegistry,
        _ options: Store.Options
    ) throws -> MigrationPlan

    /// Copies a store to a database.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - address: The address of the database.
    ///   - schema: The schema that is to contain the store.
    ///   - isDistributed: Whether the tables are distributed over several servers.
    ///   - progress: A closure that receives the number of rows that have been copied.
    /// - Returns: What was copied.
    /// - Throws: `StoreError` if the store cannot be copied.
    func copy(
        _ store: Store,
        to address: String,
        schema: String,
        isDistributed: Bool,
        progress: @escaping (Int) -> Void
    ) throws -> ServerCopyReport

    /// Throws an error unless a schema of a database can receive a new store.
    ///
    /// - Parameters:
    ///   - address: The address of the database.
    ///   - schema: The schema.
    /// - Throws: `StoreError` with the code `file-exists` if the schema contains anything, or an error of connecting.
    func requireRoom(_ address: String, schema: String) throws

    /// Copies a new store to a database, where it appears as a whole or not at all.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - address: The address of the database.
    ///   - schema: The schema that is to contain the store.
    ///   - progress: A closure that receives the number of rows that have been copied.
    /// - Returns: What was copied.
    /// - Throws: `StoreError` if the store cannot be copied.
    func copyAtOnce(
        _ store: Store,
        to address: String,
        schema: String,
        progress: @escaping (Int) -> Void
    ) throws -> ServerCopyReport

    /// Copies a store in a database to a new file.
    ///
    /// - Parameters:
    ///   - address: The address of the database.
    ///   - schema: The schema that contains the store.
    ///   - url: The file.
    ///   - registry: The transformers.
    ///   - watch: Removes what is unfinished when the process is interrupted.
    ///   - progress: A closure that receives the number of rows that have been copied.
    /// - Returns: What was copied.
    /// - Throws: `StoreError` if the store cannot be copied.
    func copy(
        from address: String,
        schema: String,
        to url: URL,
        _ registry: TransformerRegistry,
        watch: any WorkingFolderWatch,
        progress: @escaping (Int) -> Void
    ) throws -> ServerCopyReport
}

/// The servers whose databases commands accept in place of files.
package enum ConnectedServers {
    /// The servers, or `nil` if the program links no client.
    @TaskLocal package static var current: (any StoreServers)?
}

/// What a copy between a file and a database consists of.
package struct ServerCopyReport {
    package let objectCount: Int
    package let blobCount: Int
    /// The external values that are missing or damaged.
    package let faults: [StoreError]
    /// The tables that do not belong to the store, and were not copied.
    package let otherTables: [String]
    /// The indexes that were left out.
    package let omittedIndexes: [String]
    /// Whether the copy continued one that was interrupted.
    package let isContinuation: Bool

    package init(
        objectCount: Int,
        blobCount: Int,
        faults: [StoreError],
        otherTables: [String],
        omittedIndexes: [String],
        isContinuation: Bool
    ) {
        self.objectCount = objectCount
        self.blobCount = blobCount
        self.faults = faults
        self.otherTables = otherTables
        self.omittedIndexes = omittedIndexes
        self.isContinuation = isContinuation
    }
}
