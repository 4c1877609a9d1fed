package import ArgumentParser
internal import Foundation
internal import Transformable
internal import TransformableSQLite
internal import TransformableStore

/// Where a store is: in a file, or in a schema of a database on a server.
package enum StoreAddress: CustomStringConvertible {
    case file(String)
    case server(any StoreServers, address: String, schema: String)

    /// The address, for messages.
    package var description: String {
        switch self {
        case .file(let path): "“\(path)”"
        case .server(_, let address, let schema): "the schema “\(schema)” of “\(address)”"
        }
    }

    /// The schema of a database that contains a store unless another one is named.
    package static let defaultSchema = "transformable"

    /// The help for the option that names the schema, which is hidden in a program that connects to no server.
    package static var schemaHelp: ArgumentHelp {
        ArgumentHelp(
            "The schema that contains the store in a database. (default: \(defaultSchema))",
            valueName: "name",
            visibility: ConnectedServers.current == nil ? .hidden : .default
        )
    }

    /// Creates an address.
    ///
    /// - Parameters:
    ///   - text: The path of a file, or the address of a database if ``ConnectedServers`` accepts it.
    ///   - schema: The schema that contains the store, or `nil` for ``defaultSchema``.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/usage`` if a schema is named for a file.
    package init(_ text: String, schema: String?) throws(CommandError) {
        guard let servers = ConnectedServers.current, servers.isAddress(text) else {
            guard schema == nil else {
                let example = "such as “postgres:service=clinic”"
                throw CommandError(.usage, "--schema requires the address of a database, \(example)")
            }
            self = .file(text)
            return
        }
        self = .server(servers, address: text, schema: schema ?? Self.defaultSchema)
    }

    /// Creates the addresses of several stores.
    ///
    /// - Parameters:
    ///   - texts: The paths of files and the addresses of databases.
    ///   - schema: The schema that contains the store in each of the databases, or `nil` for ``defaultSchema``.
    /// - Returns: The addresses.
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/usage`` if a schema is named, but no database.
    package static func list(_ texts: [String], schema: String?) throws(CommandError) -> [Self] {
        let isServer = { ConnectedServers.current?.isAddress($0) == true }
        guard texts.contains(where: isServer) else {
            return try texts.map { text throws(CommandError) in try Self(text, schema: schema) }
        }
        return try texts.map { text throws(CommandError) in try Self(text, schema: isServer(text) ? schema : nil) }
    }

    /// Whether the store is in a file.
    var isFile: Bool {
        if case .file = self { true } else { false }
    }

    /// The files that belong to the store, whether they exist or not.
    ///
    /// A folder stands for all of its files.
    var files: [String] {
        switch self {
        case .file(let path): ["", "-wal", "-shm", "-journal", "-blobs", "-blobs/unfinished"].map { path + $0 }
        case .server: []
        }
    }

    /// Ensures that the store's file can be read.
    ///
    /// A database is only reached when it is opened.
    ///
    /// - Throws: ``CommandError`` with the code ``CommandError/Code/noInput`` if it cannot be read.
    func requireReadable() throws(CommandError) {
        guard case .file(let path) = self, access(path, R_OK) != 0 else { return }
        throw CommandError.cannotRead(path, errno)
    }

    /// Opens the store.
    ///
    /// - Parameters:
    ///   - model: The model, or `nil` to use the one in the store.
    ///   - registry: The transformers.
    ///   - options: The options.
    /// - Returns: The store.
    /// - Throws: `StoreError` if the store cannot be opened.
    func open(model: Model? = nil, _ registry: TransformerRegistry, _ options: Store.Options) throws -> Store {
        switch self {
        case .file(let path):
            try Self.recognizingCoreData(path) {
                try Store(at: URL(filePath: path), model: model, transformers: registry, options: options)
            }
        case .server(let servers, let address, let schema):
            try servers.open(address, schema: schema, model: model, registry, options)
        }
    }

    /// Returns a plan of what opening the store with a newer model would do.
    ///
    /// - Parameters:
    ///   - model: The new model.
    ///   - registry: The transformers.
    ///   - options: The options that the store would be opened with.
    /// - Returns: The plan.
    /// - Throws: `StoreError` if the store cannot be opened.
    func plan(_ model: Model, _ registry: TransformerRegistry, _ options: Store.Options) throws -> MigrationPlan {
        switch self {
        case .file(let path):
            try Self.recognizingCoreData(path) {
                try Store.plan(at: URL(filePath: path), model: model, transformers: registry, options: options)
            }
        case .server(let servers, let address, let schema):
            try servers.plan(address, schema: schema, model: model, registry, options)
        }
    }

    /// Adds to the error for a file that is not a store how to read it if Core Data wrote it.
    private static func recognizingCoreData<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch var error as StoreError where error.code == .notAStore && CoreDataSummary(path: path) != nil {
            error.message += "; it is a Core Data store, whose objects “store adopt” copies to a new store"
            throw error
        }
    }

    /// Creates a store, and closes it.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - registry: The transformers.
    ///   - isDistributed: Whether the tables are distributed over several servers.
    ///   - watch: Removes what is unfinished when the process is interrupted.
    /// - Throws: `StoreError` with the code `file-exists`, and errors of opening a store.
    func create(
        _ model: Model,
        _ registry: TransformerRegistry,
        isDistributed: Bool,
        watch: any WorkingFolderWatch
    ) throws {
        switch self {
        case .file(let path):
            try Store.create(at: URL(filePath: path), model: model, transformers: registry, watch: watch) { _ in }
        case .server(let servers, let address, let schema):
            try servers.create(address, schema: schema, model, registry, isDistributed: isDistributed)
        }
    }

    /// Throws an error unless old values can be removed from where the store is.
    ///
    /// - Throws: `StoreError` with the code `unsupported` if the store is in a database.
    func requireScrubbing() throws(StoreError) {
        guard !isFile else { return }
        throw StoreError(
            .unsupported,
            """
            old values cannot be removed from a database here, because its server keeps them on its disk until VACUUM FULL, \
            and in its log and backups; run the command without --scrub
            """
        )
    }
}
