internal import Foundation
package import Transformable

/// Opens the database of a store: creates its tables, or compares them with the program's model and migrates them.
package struct StoreOpening {
    /// The program's own model, or `nil` to use the one in the database.
    package let model: Model?
    package let registry: TransformerRegistry
    package var options: Store.Options
    let steps: MigrationSteps
    /// What ends re-encodings, in the same transaction as the migration, before the metadata is compared with the model.
    package internal(set) var prelude: ((any EngineConnection) throws -> Void)?

    /// Creates an opening with a program's model and steps.
    ///
    /// - Throws: `StoreError` with the code `misuse` if a step does not lead to a higher version, or if steps overlap.
    package init(
        model: Model?,
        registry: TransformerRegistry,
        options: Store.Options,
        migrations: [MigrationStep] = []
    ) throws(StoreError) {
        self.model = try model?.statingStages(by: registry)
        self.registry = registry
        self.options = options
        steps = try MigrationSteps(migrations)
    }

    /// An open database.
    package struct Opened {
        package let engine: any Engine
        let schema: StoreSchema
        var trust: StoreTrust
        /// SQLite's counter of changes to the tables, when the schema was read.
        var cookie: Int64?
        /// Removes what reading the database has left behind, after its connections are closed.
        package var cleanUp: (@Sendable () -> Void)?
        /// The folder with the files of a store in memory.
        package var folder: WorkingFolder?
    }

    /// The current tables of a database, and its previous metadata if it has been migrated.
    private struct Prepared {
        let schema: StoreSchema
        var trust: StoreTrust
        var migration: MigrationRecord?

        /// Returns the same for an open store.
        ///
        /// The cookie is read unless it is known.
        func opened(_ engine: any Engine, _ cookie: Int64? = nil, on connection: any EngineConnection) throws -> Opened
        {
            let cookie = try cookie ?? connection.schemaVersion()
            return Opened(engine: engine, schema: schema, trust: trust, cookie: cookie)
        }
    }

    /// Checks the program's model as far as the options require.
    package func validate() throws(StoreError) {
        if let model { try Store.validate(model, transformers: registry, options: options) }
    }

    /// Checks the program's model, and opens a database for reading or writing, as the options say.
    package func validateAndOpen(_ engine: any Engine) throws -> Opened {
        try validate()
        return try options.opening == .readOnly ? openForReading(engine) : open(engine)
    }

    /// Creates the tables of an empty database, or compares the model with the existing ones.
    package func open(_ engine: any Engine) throws -> Opened {
        try engine.write { connection in
            if prelude == nil, let known = try unchanged(engine, on: connection) {
                for seal in known.schema.rowSeals { try seal.watchWrites(on: connection) }
                return known
            }
            // A migration rebuilds tables that others refer to, and checks the references at its end.
            return try connection.tables.withoutReferences {
                try connection.committing(.immediate) { try change(engine, on: connection) }
            }
        }
    }

    /// Reads the tables, and changes nothing.
    package func openForReading(_ engine: any Engine) throws -> Opened {
        try engine.read { connection in
            guard try Metadata.kind(of: connection) == .store else { throw Self.empty }
            let found = try existing(on: connection)
            return try found.opened(engine, found.trust.cookie, on: connection)
        }
    }

    /// Removes the files of external values that a killed process has left behind.
    ///
    /// Files that are still in use are removed next time.
    package func sweep(_ opened: Opened) {
        guard let blobs = opened.schema.blobs?.folder else { return }
        let outcome = try? opened.engine.write { try BlobSweep(folder: blobs, connection: $0).run(.opening) }
        options.logger?.noteSweep(removing: outcome?.count ?? 0)
    }

    package static var empty: StoreError {
        StoreError(.notAStore, "the file is empty, so it is not a store")
    }

    /// Returns a database that already matches the model, or `nil` if it must be changed.
    ///
    /// This only reads, so opening such a database does not wait for writers.
    private func unchanged(_ engine: any Engine, on connection: any EngineConnection) throws -> Opened? {
        do {
            return try connection.readingOnly {
                try connection.committing(.deferred) {
                    guard try Metadata.kind(of: connection) == .store else { return nil }
                    let version = "SELECT \"model_version\" FROM \"_transformable_store\""
                    if let model, try connection.integer(version) < model.version { return nil }
                    let prepared = try existing(on: connection)
                    // Only a transaction that changes tables can accept rows: a server hides those of tenants from others.
                    guard !options.acceptsUnauthenticatedRows || prepared.schema.rowSeals.isEmpty else { return nil }
                    // Nothing has changed, so a genuine seal under the newest key is kept.
                    let isOutdated = prepared.trust.seal != nil && prepared.trust.isOutdated
                    guard !isOutdated || options.isRehearsal else { return nil }
                    return try prepared.opened(engine, prepared.trust.cookie, on: connection)
                }
            }
        } catch let error as StoreError where error.code == .readOnly {
            return nil
        }
    }

    private func change(_ engine: any Engine, on connection: any EngineConnection) throws -> Opened {
        if let prelude {
            try takeRows(Metadata(reading: connection), isMigration: false, on: connection)
            try prelude(connection)
        }
        var prepared = try prepare(connection)
        for seal in prepared.schema.rowSeals { try seal.watchWrites(on: connection) }
        if let record = prepared.migration {
            // The seal is renewed after the steps.
            let trust = StoreTrust(new: registry, isFile: false)
            let opened = Opened(engine: engine, schema: prepared.schema, trust: trust)
            let store = try Store(opened, registry, options: options, hooks: nil)
            try store.finish(record, on: connection)
        }
        try prepared.trust.renew(on: connection)
        return try prepared.opened(engine, on: connection)
    }

    private func prepare(_ connection: any EngineConnection) throws -> Prepared {
        switch try Metadata.kind(of: connection) {
        case .store: return try existing(on: connection)
        case .empty:
            guard let model else { throw Self.empty }
            try Self.requireRoom(for: connection)
            try RelationshipPlan(model: model).requireFewIndexes()
            var resolver = SchemaResolver(model: model, registry: registry)
            let metadata = try Metadata.create(model, resolver: &resolver, on: connection)
            let schema = try schema(metadata, keepsOutdated: false, connection.dialect)
            try BlobTriggers.install(schema, metadata, on: connection)
            try requireRowKeys(metadata, connection.dialect)
            try options.rowSealing?.take(schema.rowSeals, of: schema.uuid, on: connection)
            return Prepared(schema: schema, trust: StoreTrust(new: registry, isFile: !metadata.file.isEmpty))
        }
    }

    /// Checks that an empty file can become a store.
    ///
    /// - Throws: `StoreError` with the code `busy` if the process that has created the file has removed it again, or
    ///   with the code `file-exists` if the new store would take over, and then sweep, the external values of another
    ///   one whose file is missing.
    private static func requireRoom(for connection: any EngineConnection) throws(StoreError) {
        let path = connection.path
        guard !path.isEmpty else { return }
        guard !FileSystem.exists("/proc/self/fd") || FileSystem.openDescriptor(of: path) != nil else {
            throw StoreError(.busy, "another process has removed the file “\(path)” while it was empty; try again")
        }
        let folder = BlobFolder.path(of: path)
        guard FileSystem.names(in: folder).contains(where: { UUID(uuidString: $0) != nil }) else { return }
        let remedy = "restore its file, move the folder away, or choose another name"
        throw StoreError(.fileExists, "the folder “\(folder)” contains the values of another store; \(remedy)")
    }
}

// MARK: - Existing tables

extension StoreOpening {
    private func existing(on connection: any EngineConnection) throws -> Prepared {
        let trust = try StoreTrust(model, registry, options, on: connection)
        if let warning = trust.warning { options.logger?.noteUnchecked(warning) }
        var metadata = try trust.tables.map { try Metadata($0, on: connection) } ?? Metadata(reading: connection)
        if let model { try ModelComparison.check(model, against: metadata.model, isPinned: options.pinsModel) }
        let newer = model.flatMap { $0.version > metadata.model.version ? $0 : nil }
        try takeRows(metadata, isMigration: newer != nil, on: connection)
        var record: MigrationRecord?
        if let newer {
            guard trust.mayChange || options.opening == .readOnly else { throw StoreError.sealedAgainstChanges }
            let wanted = steps.applicable(from: metadata.model.version, to: newer.version)
            let migration = MigrationRecord(from: metadata, to: newer, wanted)
            record = migration
            metadata = try migrate(migration, on: connection)
            try requireRowKeys(metadata, connection.dialect)
            let seals = RowSeal.all(of: metadata, connection.dialect)
            try options.rowSealing?.take(seals, of: metadata.uuid, on: connection)
        }
        let mayWrite = trust.mayChange && options.opening != .readOnly
        let mayChange = mayWrite && !options.isRehearsal && !options.precedesMigration
        var schema = try schema(metadata, keepsOutdated: !mayChange, connection.dialect)
        if mayChange {
            schema = try refreshed(schema, &metadata, isMigration: record != nil, on: connection)
        } else if mayWrite, options.precedesMigration {
            // Projections are recomputed along with the values that are re-encoded.
            try metadata.refreshKeys(schema, acceptingLostKey: options.givesUpLostKey, on: connection)
        } else if mayWrite {
            schema.rehearseKeys(acceptingLostKey: options.givesUpLostKey)
        }
        return Prepared(schema: schema, trust: trust, migration: record)
    }

    private func schema(_ metadata: Metadata, keepsOutdated: Bool, _ dialect: Dialect) throws -> StoreSchema {
        try StoreSchema(
            model ?? metadata.model,
            metadata,
            registry: registry,
            options: options,
            dialect: dialect,
            keepsOutdated: keepsOutdated
        )
    }

    /// Brings everything that follows from the model and the transformers up to date.
    private func refreshed(
        _ schema: StoreSchema,
        _ metadata: inout Metadata,
        isMigration: Bool,
        on connection: any EngineConnection
    ) throws -> StoreSchema {
        var schema = schema
        try metadata.refresh(schema, acceptingLostKey: options.givesUpLostKey, on: connection)
        try BlobTriggers.install(schema, metadata, on: connection)
        let rebuild = ProjectionRebuild(
            schema: schema,
            metadata: metadata,
            isMigration: isMigration,
            connection: connection
        )
        if try !rebuild.run() {
            options.logger?.noteOutdatedProjections()
            schema = try self.schema(
                metadata.readingProjections(connection),
                keepsOutdated: true,
                connection.dialect
            )
        }
        try TextIndex.install(schema, on: connection)
        if isMigration { for seal in schema.rowSeals { try seal.renewAll(on: connection) } }
        return schema
    }

    private func migrate(_ record: MigrationRecord, on connection: any EngineConnection) throws -> Metadata {
        let (metadata, model) = (record.old, record.succession.model)
        guard options.opening != .readOnly, !options.isRehearsal else {
            throw StoreError(
                .modelMismatch,
                """
                the file has version \(metadata.model.version) of the model, but the program has version \(model.version); \
                open it for writing once
                """
            )
        }
        let resolver = SchemaResolver(model: model, registry: registry)
        try BlobTriggers.drop(on: connection)
        var migration = Migration(record: record, resolver: resolver, connection: connection)
        try migration.run()
        options.logger?.noteMigration(from: metadata.model.version, to: model.version)
        var migrated = try Metadata(reading: connection)
        migrated.externalAttributes = metadata.externalAttributes
        migrated.externalEntities = metadata.externalEntities
        return migrated
    }

    // MARK: Authenticated rows

    /// Checks that there is a key if entities authenticate their rows.
    ///
    /// No one else can change the rows of a store in memory.
    private func requireRowKeys(_ metadata: Metadata, _ dialect: Dialect) throws {
        guard options.rowSealing == nil, !metadata.file.isEmpty || dialect.has(.server),
            let first = RowSeal.all(of: metadata, dialect).first
        else { return }
        guard options.opening == .readOnly else { throw StoreError.unwritableRows(of: first.name) }
        options.logger?.noteUncheckedRows(of: first.name)
    }

    /// Checks the rows that a migration is about to rewrite, or accepts them as they are if the options say so.
    private func takeRows(_ metadata: Metadata, isMigration: Bool, on connection: any EngineConnection) throws {
        try requireRowKeys(metadata, connection.dialect)
        guard let sealing = options.rowSealing else { return }
        let seals = RowSeal.all(of: metadata, connection.dialect)
        try sealing.take(seals, of: metadata.uuid, on: connection)
        guard options.opening != .readOnly else { return }
        for seal in seals where options.acceptsUnauthenticatedRows { try seal.renewAll(on: connection) }
        for seal in seals where isMigration && !options.acceptsUnauthenticatedRows { try seal.checkAll(on: connection) }
    }
}
