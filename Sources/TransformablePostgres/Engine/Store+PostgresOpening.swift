internal import Foundation
public import Transformable
public import TransformableModel
internal import TransformableSQLite
public import TransformableStore

extension Store {
    /// Opens a store in a schema of a PostgreSQL database, or creates it.
    ///
    /// ```swift
    /// let store = try Store(postgres: "service=clinic", schema: "clinic", model: model, transformers: registry)
    /// ```
    ///
    /// The store works like one in a file, and other programs and machines can use it at the same time. If the
    /// transaction of a `write` conflicts with another one, the `write` runs again from the beginning, so its block
    /// must not have effects outside of its context. See <doc:StoresInPostgres> for the differences.
    ///
    /// - Parameters:
    ///   - address: The address of the database, as ``PostgresAddress`` describes it.
    ///   - schema: The name of the schema that contains the store's tables.
    ///   - model: The model, or `nil` to use the model in the database.
    ///   - registry: The registry that contains the model's transformers.
    ///   - options: Whether the store must exist, and other options.
    ///   - connections: How connections are made and shared.
    ///   - hooks: Code to run at certain points in the life of objects, by entity name. It runs after the hooks of
    ///     the entity's class, if there is one.
    ///   - migrations: Code to run when a store with an earlier version of the model is migrated.
    /// - Throws: `StoreError` if the database cannot be reached or the store cannot be opened or created; if the model
    ///   differs from that in the database; if a transformer cannot be resolved or did not write its column; with the
    ///   code `unsupported` if the model needs something that a store in PostgreSQL does not have; or with the code
    ///   `busy` if another program takes more than ten minutes to create the store.
    public convenience init(
        postgres address: String,
        schema: String,
        model: Model? = nil,
        transformers registry: TransformerRegistry,
        options: Options = .createIfMissing,
        connections: PostgresOptions = PostgresOptions(),
        hooks: [String: EntityHooks] = [:],
        migrations: [MigrationStep] = []
    ) throws {
        let place = try PostgresOpening(
            address: PostgresAddress(address),
            schema: schema,
            options: options,
            connections: connections
        )
        let found = try place.prepare(model, registry)
        let authenticator = RowAuthenticator(registry)
        var options = options
        options.rowSealing = authenticator
        let opening = try StoreOpening(model: model, registry: registry, options: options, migrations: migrations)
        let engine = place.engine(found, authenticator)
        do {
            let opened = try opening.run(isNew: found.isNew) {
                try Store(
                    postgres: address,
                    schema: schema,
                    model: $0,
                    transformers: registry,
                    options: $1,
                    connections: connections
                )
            } opened: {
                try $0.validateAndOpen(engine)
            }
            try self.init(opened, registry, options: options, hooks: hooks)
            if self.model.hasTenants { try engine.requireTenantPolicies() }
        } catch {
            engine.close()
            throw error
        }
    }
}

extension Store {
    /// Returns a plan of what opening a store in a PostgreSQL database with a newer model would do.
    ///
    /// Nothing is written, and others can read and write the store in the meantime. The plan does not include problems
    /// that are found only by decoding values.
    ///
    /// - Parameters:
    ///   - address: The address of the database, as ``PostgresAddress`` describes it.
    ///   - schema: The name of the schema that contains the store's tables.
    ///   - model: The new model.
    ///   - registry: The registry of transformers.
    ///   - options: The options that the store would be opened with.
    ///   - connections: How connections are made and shared.
    ///   - migrations: The steps that would run.
    /// - Returns: The plan.
    /// - Throws: `StoreError` if the database cannot be reached, the schema contains no store, or steps overlap; or with the
    ///   code `unsupported` if the store is distributed, and shared objects have external values in the new model.
    public static func plan(
        postgres address: String,
        schema: String,
        model: Model,
        transformers registry: TransformerRegistry,
        options: Options = Options(),
        connections: PostgresOptions = PostgresOptions(),
        migrations: [MigrationStep] = []
    ) throws -> MigrationPlan {
        let place = try PostgresOpening(
            address: PostgresAddress(address),
            schema: schema,
            options: options,
            connections: connections
        )
        try place.requireStorage(for: model)
        return try plan(for: model, transformers: registry, options: options, migrations: migrations) {
            try Store(
                postgres: address,
                schema: schema,
                transformers: registry,
                options: $0,
                connections: connections
            )
        }
    }
}

/// Makes sure that a schema contains a store before it is opened.
private struct PostgresOpening {
    /// What the schema contains.
    struct Found {
        var distribution = PostgresDistribution.none
        /// Whether the store has been created.
        var isNew = false
        /// The tables that refuse COPY.
        var restrictedTables: Set<String> = []
    }

    let address: PostgresAddress
    let schema: String
    let options: Store.Options
    let connections: PostgresOptions

    init(address: PostgresAddress, schema: String, options: Store.Options, connections: PostgresOptions) throws {
        try PostgresName.check(schema)
        self.address = address
        self.schema = schema
        self.options = options
        self.connections = connections
    }

    func engine(_ found: Found, _ authenticator: RowAuthenticator?) -> PostgresEngine {
        PostgresEngine(
            address,
            schema: schema,
            options: connections,
            lockTimeout: options.busyTimeout,
            isDistributed: found.distribution == .byTenant,
            restrictedTables: found.restrictedTables,
            rowAuthenticator: authenticator,
            noteRefusal: { [options] in options.noteUnheard($0) }
        )
    }

    /// Throws an error if the schema contains a distributed store that cannot keep all values that a model describes.
    func requireStorage(for model: Model) throws {
        let connection = try PostgresConnection(address, options: connections)
        let distribution = try connection.transaction(.snapshot) { try PostgresDistribution(of: schema, connection) }
        try distribution.requireStorage(for: model)
    }

    /// Creates the store unless the schema contains one, or replaces its functions of earlier versions, and returns what the
    /// schema contains.
    func prepare(_ model: Model?, _ registry: TransformerRegistry) throws -> Found {
        let connection = try PostgresConnection(address, options: connections)
        var found = Found()
        found.isNew = try createIfNeeded(model, registry, connection)
        let functions = BlobFunctions(schema: schema)
        var replacements: [String] = []
        var restricted: Set<String> = []
        found.distribution = try connection.transaction(.snapshot) {
            if options.opening != .readOnly, !options.isRehearsal {
                try functions.findOutdated(on: connection) { replacements.append($0) }
            }
            try TenantPolicies(schema).findRestricted(on: connection) { restricted.insert($0) }
            return try PostgresDistribution(of: schema, connection)
        }
        found.restrictedTables = restricted
        guard connections.distribution == .none || found.distribution == connections.distribution else {
            let remedy = "create a distributed store in a different schema, and import an export of this one"
            throw StoreError(.unsupported, "the tables of the store are not distributed; \(remedy)")
        }
        if let model { try found.distribution.requireStorage(for: model) }
        try functions.replace(replacements, on: connection)
        return found
    }

    /// Returns whether the store has been created.
    private func createIfNeeded(
        _ model: Model?,
        _ registry: TransformerRegistry,
        _ connection: PostgresConnection
    ) throws -> Bool {
        // If the connection is lost, it is certain that nothing has been created.
        let isNeeded = try connection.transaction(.snapshot) {
            guard try !isStore(connection, model), let model else { return false }
            if model.hasTenants { try TenantPolicies.requireBoundRole(on: connection) }
            try connections.distribution.require(model, on: connection)
            return true
        }
        guard isNeeded, let model else { return false }
        // In a single transaction, so that a crash leaves nothing behind.
        return try connection.transaction(.readCommitted) {
            // Another program may be creating the same store, which takes long if the store is large and distributed.
            try SchemaState.lockCreation(in: schema, connection, waiting: .seconds(600))
            guard try !isStore(connection, model) else { return false }
            try create(model, registry, connection)
            return true
        }
    }

    /// Returns a Boolean value that indicates whether the schema contains a store.
    ///
    /// - Throws: `StoreError` if that is not what the options ask for.
    private func isStore(_ connection: PostgresConnection, _ model: Model?) throws -> Bool {
        let state = try SchemaState(of: schema, connection)
        switch (state, options.opening) {
        case (.store, .create):
            throw StoreError.schemaExists(schema, "already contains a store", option: "--schema")
        case (.store, _): return true
        case (.unfinishedCopy, _):
            throw StoreError(.busy, "the schema “\(schema)” contains an unfinished copy; finish it, or drop the schema")
        case (.other, _):
            let message = "the schema “\(schema)” contains tables that belong to another program; choose another schema"
            throw StoreError(.notAStore, message)
        case (.missing, .mustExist), (.missing, .readOnly), (.empty, .mustExist), (.empty, .readOnly):
            let remedy = "use the schema that contains it (“--schema” on the command line), or create the store first"
            throw StoreError(.noSuchFile, "there is no store in the schema “\(schema)”; \(remedy)")
        case (.missing, _), (.empty, _):
            guard model != nil else {
                let remedy = "a model is required to create a store"
                throw StoreError(.noSuchFile, "the schema “\(schema)” is empty, and \(remedy)")
            }
            return false
        }
    }

    /// Creates the tables as a copy of an empty file, so that both have the same metadata and the same seal.
    private func create(_ model: Model, _ registry: TransformerRegistry, _ connection: PostgresConnection) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "transformable-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        var options = options
        options.opening = .create
        let url = folder.appending(path: "empty.sqlite")
        let empty = try Store(at: url, model: model, transformers: registry, options: options)
        defer { try? empty.close() }
        let distribution = connections.distribution
        _ = try empty.readRaw { reader in
            try CopyToPostgres(reader, to: schema, connection, distribution: distribution) { _ in }.run()
        }
    }
}
