internal import Foundation
internal import Transformable
public import TransformableCommands
internal import TransformablePostgres
internal import TransformableStore

extension TransformableCommand {
    /// Runs a closure in which commands accept the addresses of PostgreSQL databases in place of files.
    ///
    /// ```swift
    /// TransformableCommand.withPostgres {
    ///     TransformableCommand.main {
    ///         try TransformerRegistry { AcmePlugin() }
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter body: A closure that runs commands.
    /// - Returns: The result of the closure.
    /// - Throws: Any error thrown by the closure.
    public static func withPostgres<Result>(_ body: () throws -> Result) rethrows -> Result {
        try ConnectedServers.$current.withValue(PostgresServers(), operation: body)
    }
}

/// Opens stores in PostgreSQL databases for the command line, and copies stores there and back.
struct PostgresServers: StoreServers {
    func isAddress(_ text: String) -> Bool { PostgresAddress.isAddress(text) }

    func open(
        _ address: String,
        schema: String,
        model: Model?,
        _ registry: TransformerRegistry,
        _ options: Store.Options
    ) throws -> Store {
        try Store(
            postgres: address,
            schema: schema,
            model: model,
            transformers: registry,
            options: options,
            connections: connections()
        )
    }

    func create(
        _ address: String,
        schema: String,
        _ model: Model,
        _ registry: TransformerRegistry,
        isDistributed: Bool
    ) throws {
        let store = try Store(
            postgres: address,
            schema: schema,
            model: model,
            transformers: registry,
            options: .create,
            connections: connections(isDistributed: isDistributed)
        )
        try store.close()
    }

    /// Returns options for connections that may go through a pooler, which the user cannot be expected to know.
    private func connections(isDistributed: Bool = false) -> PostgresOptions {
        var options = PostgresOptions()
        options.detectsTransactionPooling = true
        if isDistributed { options.distribution = .byTenant }
        return options
    }

    func plan(
        _ address: String,
        schema: String,
        model: Model,
        _ registry: TransformerRegistry,
        _ options: Store.Options
    ) throws -> MigrationPlan {
        try Store.plan(
            postgres: address,
            schema: schema,
            model: model,
            transformers: registry,
            options: options,
            connections: connections()
        )
    }

    func copy(
        _ store: Store,
        to address: String,
        schema: String,
        isDistributed: Bool,
        progress: @escaping (Int) -> Void
    ) throws -> ServerCopyReport {
        let place = try PostgresAddress(address)
        let options = connections(isDistributed: isDistributed)
        return ServerCopyReport(try store.copy(to: place, schema: schema, options: options, progress: progress))
    }

    func requireRoom(_ address: String, schema: String) throws {
        try Store.requireRoom(at: PostgresAddress(address), schema: schema, options: connections())
    }

    func copyAtOnce(
        _ store: Store,
        to address: String,
        schema: String,
        progress: @escaping (Int) -> Void
    ) throws -> ServerCopyReport {
        let place = try PostgresAddress(address)
        let report = try store.copyAtOnce(to: place, schema: schema, options: connections(), progress: progress)
        return ServerCopyReport(report)
    }

    func copy(
        from address: String,
        schema: String,
        to url: URL,
        _ registry: TransformerRegistry,
        watch: any WorkingFolderWatch,
        progress: @escaping (Int) -> Void
    ) throws -> ServerCopyReport {
        let report = try Store.copy(
            from: PostgresAddress(address),
            schema: schema,
            to: url,
            registry,
            connections(),
            watch: watch,
            progress
        )
        return ServerCopyReport(report)
    }
}

extension ServerCopyReport {
    fileprivate init(_ report: PostgresCopyReport) {
        self.init(
            objectCount: report.objectCount,
            blobCount: report.blobCount,
            faults: report.faults,
            otherTables: report.otherTables,
            omittedIndexes: report.omittedIndexes,
            isContinuation: report.isContinuation
        )
    }
}
