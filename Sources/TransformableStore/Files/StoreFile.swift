internal import Foundation
internal import GRDB
internal import Glibc
internal import Transformable

/// Opens the file of a store, and makes it where it is missing.
enum StoreFile {
    struct Opened {
        let database: any DatabaseWriter
        let schema: StoreSchema
    }

    /// What a file's tables are now, and what they were if it has been migrated.
    private struct Prepared {
        let schema: StoreSchema
        var former: Metadata?
    }

    static func openInMemory(
        model: Model,
        registry: TransformerRegistry,
        options: Store.Options
    ) throws -> Opened {
        try Store.check(model, registry, unresolved: options.unresolved)
        return try Failure.translate {
            let database = try DatabaseQueue(configuration: configuration(options))
            let schema = try prepare(database, model: model, registry: registry, options: options)
            return Opened(database: database, schema: schema)
        }
    }

    static func open(
        _ url: URL,
        model: Model?,
        registry: TransformerRegistry,
        options: Store.Options,
        migrations: [MigrationStep]
    ) throws -> Opened {
        if let model { try Store.check(model, registry, unresolved: options.unresolved) }
        let path = url.standardizedFileURL.path
        let isNew = try makeFile(path, options, hasModel: model != nil)
        do {
            guard options.opening != .readOnly else {
                return try openReadOnly(path, model: model, registry: registry, options: options)
            }
            if !isNew { try requireStore(path, mayBeEmpty: model != nil, options) }
            return try Failure.translate {
                // WAL needs a file beside the database, so a plain file in the way shows here as well.
                let database = try DatabasePool(path: path, configuration: configuration(options))
                let schema = try prepare(
                    database,
                    model: model,
                    registry: registry,
                    options: options,
                    migrations: migrations
                )
                if let blobs = schema.blobs {
                    // What cannot be removed now, as somebody reads or writes, is next time.
                    let count = try? database.writeWithoutTransaction {
                        try BlobSweep(folder: blobs, database: $0).run(.opening)
                    }
                    options.logger?.noteSweep(removing: count ?? 0)
                }
                return Opened(database: database, schema: schema)
            }
        } catch {
            if isNew { removeFiles(path) }
            throw (error as? StoreError)?.explained(path, isReading: options.opening == .readOnly) ?? error
        }
    }

    private static func openReadOnly(
        _ path: String,
        model: Model?,
        registry: TransformerRegistry,
        options: Store.Options
    ) throws -> Opened {
        var configuration = configuration(options)
        configuration.readonly = true
        return try Failure.translate {
            let database = try readOnlyQueue(path, configuration)
            let schema = try database.read { database in
                guard try Metadata.kind(of: database) == .store else {
                    throw StoreError(.notAStore, "the file is empty, and not a store")
                }
                return try existing(model, registry: registry, options: options, on: database).schema
            }
            return Opened(database: database, schema: schema)
        }
    }

    /// Makes the file if it is missing and may be made; true if it was.
    ///
    /// Whoever makes the file removes it if it does not become a store.
    private static func makeFile(_ path: String, _ options: Store.Options, hasModel: Bool) throws(StoreError) -> Bool {
        // Nothing but a file: SQLite would put a journal beside a device, too.
        var status = stat()
        let exists = unsafe stat(path, &status) == 0
        guard !exists || status.st_mode & S_IFMT == S_IFREG else {
            let mayMake = options.opening == .create || options.opening == .createIfMissing
            throw StoreError(mayMake ? .cannotCreate : .notAStore, "“\(path)” is a folder or a device, and no file")
        }
        switch options.opening {
        case .create where exists: throw .fileExists(path)
        case .mustExist where !exists, .readOnly where !exists:
            throw StoreError(.noSuchFile, "there is no file “\(path)”")
        case .create where !hasModel, .createIfMissing where !exists && !hasModel:
            throw StoreError(.noSuchFile, "there is no file “\(path)”, and making one needs a model")
        default: break
        }
        guard exists else { return try makeFile(path, isExclusive: options.opening == .create) }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw StoreError(.cannotOpen, "the file “\(path)” cannot be read: permission is denied")
        }
        if options.opening != .readOnly, let reason = unwritable(path) { throw .cannotWrite(path, reason) }
        return false
    }

    /// Makes an empty file, unless another process has been quicker.
    private static func makeFile(_ path: String, isExclusive: Bool) throws(StoreError) -> Bool {
        let descriptor = unsafe Glibc.open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o644)
        if descriptor >= 0 {
            Glibc.close(descriptor)
            return true
        }
        let code = errno
        guard code == EEXIST else {
            let reason = unsafe String(cString: strerror(code))
            throw StoreError(.cannotCreate, "the file “\(path)” cannot be made: \(reason)")
        }
        guard !isExclusive else { throw .fileExists(path) }
        return false
    }

    private static func removeFiles(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
    }

    static func configuration(_ options: Store.Options) -> Configuration {
        var configuration = Configuration()
        configuration.label = "TransformableStore"
        configuration.busyMode = .timeout(options.busyTimeout)
        configuration.prepareDatabase { database in
            try SQLFunction.install(on: database)
            DecimalSum.install(on: database)
            // What a context lays over the tables stays out of the file system.
            try SQLStatement.run("PRAGMA temp_store = MEMORY", on: database)
        }
        return configuration
    }

    /// Makes the tables of an empty file, or compares the model with what is there.
    private static func prepare(
        _ writer: any DatabaseWriter,
        model: Model?,
        registry: TransformerRegistry,
        options: Store.Options,
        migrations: [MigrationStep] = []
    ) throws -> StoreSchema {
        try writer.writeWithoutTransaction { database in
            // A migration makes tables anew that others refer to; it checks the references at its end.
            try SQLStatement.run("PRAGMA foreign_keys = OFF", on: database)
            defer { try? SQLStatement.run("PRAGMA foreign_keys = ON", on: database) }
            return try database.committing(.immediate) {
                let prepared = try prepare(
                    database,
                    model: model,
                    registry: registry,
                    options: options,
                    hasSteps: !migrations.isEmpty
                )
                if let old = prepared.former, !migrations.isEmpty {
                    let opened = Opened(database: writer, schema: prepared.schema)
                    try Store(opened, registry, options: options, hooks: [:]).run(migrations, from: old, on: database)
                }
                return prepared.schema
            }
        }
    }

    private static func prepare(
        _ database: Database,
        model: Model?,
        registry: TransformerRegistry,
        options: Store.Options,
        hasSteps: Bool
    ) throws -> Prepared {
        switch try Metadata.kind(of: database) {
        case .store:
            return try existing(model, registry: registry, options: options, hasSteps: hasSteps, on: database)
        case .empty:
            guard let model else { throw StoreError(.notAStore, "the file is empty, and not a store") }
            var resolver = SchemaResolver(model: model, registry: registry)
            let metadata = try Metadata.create(model, resolver: &resolver, on: database)
            let schema = try StoreSchema(model, metadata, registry: registry, options: options)
            try BlobTriggers.install(schema, metadata, on: database)
            return Prepared(schema: schema)
        }
    }

    private static func migrate(
        _ metadata: Metadata,
        to model: Model,
        registry: TransformerRegistry,
        options: Store.Options,
        hasSteps: Bool,
        on database: Database
    ) throws -> Metadata {
        guard options.opening != .readOnly else {
            throw StoreError(
                .modelMismatch,
                """
                the file has version \(metadata.model.version) of the model, and the program \(model.version); open it \
                for writing once
                """
            )
        }
        let resolver = SchemaResolver(model: model, registry: registry)
        try BlobTriggers.drop(on: database)
        var migration = Migration(old: metadata, model: model, resolver: resolver, database: database)
        migration.hasSteps = hasSteps
        try migration.run()
        options.logger?.noteMigration(from: metadata.model.version, to: model.version)
        var migrated = try Metadata(reading: database)
        migrated.externalAttributes = metadata.externalAttributes
        migrated.externalEntities = metadata.externalEntities
        return migrated
    }

    private static func existing(
        _ model: Model?,
        registry: TransformerRegistry,
        options: Store.Options,
        hasSteps: Bool = false,
        on database: Database
    ) throws -> Prepared {
        var metadata = try Metadata(reading: database)
        var former: Metadata?
        if let model {
            try ModelComparison.check(model, against: metadata.model)
            if model.version > metadata.model.version {
                former = metadata
                metadata = try migrate(
                    metadata,
                    to: model,
                    registry: registry,
                    options: options,
                    hasSteps: hasSteps,
                    on: database
                )
            }
        }
        let schema = try StoreSchema(model ?? metadata.model, metadata, registry: registry, options: options)
        if options.opening != .readOnly {
            try metadata.refresh(schema, on: database)
            try BlobTriggers.install(schema, metadata, on: database)
            try ProjectionRebuild.run(schema, metadata, on: database)
            try TextIndex.install(schema, on: database)
        }
        return Prepared(schema: schema, former: former)
    }
}

extension StoreError {
    fileprivate static func fileExists(_ path: String) -> Self {
        Self(.fileExists, "“\(path)” is there already; remove it or give another name")
    }
}
