internal import Foundation
internal import GRDB
internal import Glibc
internal import Transformable

/// Opens the file of a store, and creates it if it is missing.
enum StoreFile {
    struct Opened {
        let database: any DatabaseWriter
        let schema: StoreSchema
        var trust: StoreTrust
        /// SQLite's counter of changes to the tables, when the schema was read.
        var cookie: Int64?
        /// The file's path, if reading it has created files next to it that must be removed along with the connection.
        var quietPath: String?
        /// The folder with the files of a store in memory.
        var folder: WorkingFolder?
    }

    /// The current tables of a file, and its previous metadata if it has been migrated.
    private struct Prepared {
        let schema: StoreSchema
        var trust: StoreTrust
        var migration: MigrationRecord?

        /// Returns the same for an open store.
        ///
        /// The cookie is read unless it is known.
        func opened(_ writer: any DatabaseWriter, _ cookie: Int64? = nil, on database: Database) throws -> Opened {
            let cookie = try cookie ?? SQLStatement.integer("PRAGMA schema_version", on: database)
            return Opened(database: writer, schema: schema, trust: trust, cookie: cookie)
        }
    }

    static func open(
        _ url: URL,
        model: Model?,
        registry: TransformerRegistry,
        options: Store.Options,
        steps: MigrationSteps
    ) throws -> Opened {
        if let model { try Store.check(model, registry, options) }
        var options = options
        options.rowSealing = RowSealing(registry)
        let path = url.standardizedFileURL.path
        let isNew = try makeFile(path, options, hasModel: model != nil)
        do {
            if !isNew { try requireNoOrphanedLog(path) }
            guard options.opening != .readOnly else {
                return try openReadOnly(path, model: model, registry: registry, options: options)
            }
            if !isNew { try requireStore(path, mayBeEmpty: model != nil, options) }
            return try Failure.translate(at: path) {
                // WAL needs a file next to the database, so an obstacle to that shows here as well.
                let file = resolvingLinks(path)
                let database = try DatabasePool(path: file, configuration: configuration(options, log: file))
                let opened = try prepare(
                    database,
                    model: model,
                    registry: registry,
                    options: options,
                    steps: steps
                )
                if let blobs = opened.schema.blobs {
                    // Files that are still in use are removed next time.
                    let count = try? database.writeWithoutTransaction {
                        try BlobSweep(folder: blobs, database: $0).run(.opening)
                    }
                    options.logger?.noteSweep(removing: count ?? 0)
                }
                return opened
            }
        } catch {
            if isNew { removeIfEmpty(path) }
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
        let wasQuiet = isQuiet(path)
        do {
            return try Failure.translate(at: path) {
                let database = try readOnlyQueue(path, isBrief: options.isBrief, configuration)
                do {
                    var opened = try database.read { connection in
                        guard try Metadata.kind(of: connection) == .store else {
                            throw StoreError(.notAStore, "the file is empty, so it is not a store")
                        }
                        let found = try existing(model, registry: registry, options: options, on: connection)
                        return try found.opened(database, found.trust.cookie, on: connection)
                    }
                    opened.quietPath = wasQuiet ? path : nil
                    return opened
                } catch {
                    try? database.close()
                    throw error
                }
            }
        } catch {
            if wasQuiet { removeEmptyLog(path) }
            throw error
        }
    }

    /// Creates the file if it is missing and may be created, and returns whether it did.
    ///
    /// The caller removes the file if it does not become a store.
    private static func makeFile(_ path: String, _ options: Store.Options, hasModel: Bool) throws(StoreError) -> Bool {
        // Only a regular file is acceptable. SQLite would also put a journal next to a device.
        var status = stat()
        let exists = unsafe stat(path, &status) == 0
        guard !exists || status.st_mode & S_IFMT == S_IFREG else {
            let mayMake = options.opening == .create || options.opening == .createIfMissing
            let message = "“\(path)” is a folder or a device, not a file; choose another path"
            throw StoreError(mayMake ? .cannotCreate : .notAStore, message)
        }
        switch options.opening {
        case .create where exists: throw .fileExists(path)
        case .mustExist where !exists, .readOnly where !exists:
            throw StoreError(.noSuchFile, "there is no file “\(path)”")
        case .create where !hasModel, .createIfMissing where !exists && !hasModel:
            throw StoreError(.noSuchFile, "there is no file “\(path)”, and a model is required to create it")
        default: break
        }
        guard exists else { return try makeFile(path, isExclusive: options.opening == .create) }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw StoreError(.cannotOpen, "the file “\(path)” cannot be read: permission is denied")
        }
        if options.opening != .readOnly, let reason = unwritable(path) { throw .cannotWrite(path, reason) }
        return false
    }

    /// Creates an empty file, unless another process does so first.
    private static func makeFile(_ path: String, isExclusive: Bool) throws(StoreError) -> Bool {
        let descriptor = unsafe Glibc.open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o644)
        if descriptor >= 0 {
            Glibc.close(descriptor)
            return true
        }
        let code = errno
        guard code == EEXIST else {
            guard ![ENOSPC, EDQUOT].contains(code) else { throw FileSystem.failure("created", path, code) }
            throw .cannotCreate(path, code)
        }
        guard !isExclusive else { throw .fileExists(path) }
        return false
    }

    /// Resolves symbolic links, because SQLite puts its log next to the file that they lead to.
    static func resolvingLinks(_ path: String) -> String {
        guard let resolved = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// Removes a new file that has not become a store, unless another process is using it or has made it a store.
    private static func removeIfEmpty(_ path: String) {
        guard let connection = try? BareConnection(uri(path, "mode=rw")), connection.locks(),
            connection.integer("SELECT count(*) FROM sqlite_master") == 0
        else { return }
        // The connection holds the lock.
        withExtendedLifetime(connection) {
            for suffix in ["", "-wal", "-shm", "-journal"] { FileSystem.remove(path + suffix) }
        }
    }

    /// Checks that an empty file can become a store.
    ///
    /// - Throws: `StoreError` with the code `busy` if the process that has created the file has removed it again, or
    ///   with the code `file-exists` if the new store would take over, and then sweep, the external values of another
    ///   one whose file is missing.
    private static func requireRoom(for database: Database) throws(StoreError) {
        let path = database.path
        guard !path.isEmpty else { return }
        guard !FileSystem.exists("/proc/self/fd") || FileSystem.openDescriptor(of: path) != nil else {
            throw StoreError(.busy, "another process has removed the file “\(path)” while it was empty; try again")
        }
        let folder = BlobFolder.path(of: path)
        guard FileSystem.names(in: folder).contains(where: { UUID(uuidString: $0) != nil }) else { return }
        let remedy = "restore its file, move the folder away, or choose another name"
        throw StoreError(.fileExists, "the folder “\(folder)” contains the values of another store; \(remedy)")
    }

    /// Returns the configuration of connections.
    ///
    /// Those that write to a file with a log need the file's path, with symbolic links resolved.
    static func configuration(_ options: Store.Options, log path: String? = nil) -> Configuration {
        var configuration = Configuration()
        configuration.label = "TransformableStore"
        configuration.busyMode = Interruption.busyMode(options.busyTimeout)
        configuration.prepareDatabase { database in
            try SQLFunction.install(on: database)
            DecimalSum.install(on: database)
            try options.rowSealing?.install(on: database)
            // Keep the pending changes that a context lays over the tables out of the file system.
            try SQLStatement.run("PRAGMA temp_store = MEMORY", on: database)
            if let path, !database.configuration.readonly { try WriteAheadLog.fillIfEmpty(of: database, at: path) }
        }
        return configuration
    }

    /// Creates the tables of an empty file, or compares the model with the existing ones.
    static func prepare(
        _ writer: any DatabaseWriter,
        model: Model?,
        registry: TransformerRegistry,
        options: Store.Options,
        steps: MigrationSteps? = nil
    ) throws -> Opened {
        try writer.writeWithoutTransaction { database in
            let known = try unchanged(writer, model: model, registry: registry, options: options, on: database)
            if let known {
                for seal in known.schema.rowSeals { try seal.watchWrites(on: database) }
                return known
            }
            // A migration rebuilds tables that others refer to, and checks the references at its end.
            try SQLStatement.run("PRAGMA foreign_keys = OFF", on: database)
            defer { try? SQLStatement.run("PRAGMA foreign_keys = ON", on: database) }
            return try database.committing(.immediate) {
                var prepared = try prepare(
                    database,
                    model: model,
                    registry: registry,
                    options: options,
                    steps: steps
                )
                for seal in prepared.schema.rowSeals { try seal.watchWrites(on: database) }
                if let record = prepared.migration {
                    // The seal is renewed after the steps.
                    let trust = StoreTrust(new: registry, isFile: false)
                    let opened = Opened(database: writer, schema: prepared.schema, trust: trust)
                    let store = try Store(opened, registry, options: options, hooks: [:])
                    try store.finish(record, on: database)
                }
                try prepared.trust.renew(on: database)
                return try prepared.opened(writer, on: database)
            }
        }
    }

    /// Returns a file that already matches the model, or `nil` if it must be changed.
    ///
    /// This only reads the file, so opening such a file does not wait for writers.
    private static func unchanged(
        _ writer: any DatabaseWriter,
        model: Model?,
        registry: TransformerRegistry,
        options: Store.Options,
        on database: Database
    ) throws -> Opened? {
        try SQLStatement.run("PRAGMA query_only = ON", on: database)
        defer { try? SQLStatement.run("PRAGMA query_only = OFF", on: database) }
        do {
            return try database.committing(.deferred) {
                guard try Metadata.kind(of: database) == .store else { return nil }
                let version = "SELECT \"model_version\" FROM \"_transformable_store\""
                if let model, try SQLStatement.integer(version, on: database) < model.version { return nil }
                let prepared = try existing(model, registry: registry, options: options, on: database)
                // Nothing has changed, so a genuine seal under the newest key is kept.
                guard prepared.trust.seal == nil || !prepared.trust.isOutdated else { return nil }
                return try prepared.opened(writer, prepared.trust.cookie, on: database)
            }
        } catch let error as StoreError where error.code == .readOnly {
            return nil
        }
    }

    private static func prepare(
        _ database: Database,
        model: Model?,
        registry: TransformerRegistry,
        options: Store.Options,
        steps: MigrationSteps?
    ) throws -> Prepared {
        switch try Metadata.kind(of: database) {
        case .store:
            return try existing(model, registry: registry, options: options, steps: steps, on: database)
        case .empty:
            guard let model else { throw StoreError(.notAStore, "the file is empty, so it is not a store") }
            try requireRoom(for: database)
            var resolver = SchemaResolver(model: model, registry: registry)
            let metadata = try Metadata.create(model, resolver: &resolver, on: database)
            let schema = try StoreSchema(model, metadata, registry: registry, options: options)
            try BlobTriggers.install(schema, metadata, on: database)
            try requireRowKeys(metadata, options)
            try options.rowSealing?.take(schema.rowSeals, of: schema.uuid, on: database)
            return Prepared(schema: schema, trust: StoreTrust(new: registry, isFile: !metadata.file.isEmpty))
        }
    }

    /// Checks that there is a key if entities authenticate their rows.
    ///
    /// No one else can change the rows of a store in memory.
    private static func requireRowKeys(_ metadata: Metadata, _ options: Store.Options) throws {
        guard options.rowSealing == nil, !metadata.file.isEmpty, let first = RowSeal.all(of: metadata).first else {
            return
        }
        guard options.opening == .readOnly else { throw StoreError.unwritableRows(of: first.name) }
        options.logger?.noteUncheckedRows(of: first.name)
    }

    /// Checks the rows that a migration is about to rewrite, or accepts them as they are if the options say so.
    private static func takeRows(
        _ metadata: Metadata,
        isMigration: Bool,
        _ options: Store.Options,
        on database: Database
    ) throws {
        try requireRowKeys(metadata, options)
        guard let sealing = options.rowSealing else { return }
        let seals = RowSeal.all(of: metadata)
        try sealing.take(seals, of: metadata.uuid, on: database)
        guard options.opening != .readOnly else { return }
        for seal in seals where options.acceptingRows { try seal.renewAll(on: database) }
        for seal in seals where isMigration && !options.acceptingRows { try seal.checkAll(on: database) }
    }

    private static func migrate(
        _ record: MigrationRecord,
        registry: TransformerRegistry,
        options: Store.Options,
        on database: Database
    ) throws -> Metadata {
        let (metadata, model) = (record.old, record.succession.model)
        guard options.opening != .readOnly else {
            throw StoreError(
                .modelMismatch,
                """
                the file has version \(metadata.model.version) of the model, but the program has version \(model.version); \
                open it for writing once
                """
            )
        }
        let resolver = SchemaResolver(model: model, registry: registry)
        try BlobTriggers.drop(on: database)
        var migration = Migration(record: record, resolver: resolver, database: database)
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
        steps: MigrationSteps? = nil,
        on database: Database
    ) throws -> Prepared {
        let trust = try StoreTrust(model, registry, options, on: database)
        if let warning = trust.warning { options.logger?.noteUnchecked(warning) }
        var metadata = try trust.tables.map { try Metadata($0, on: database) } ?? Metadata(reading: database)
        var record: MigrationRecord?
        if let model { try ModelComparison.check(model, against: metadata.model, isPinned: options.pinsModel) }
        let isMigration = model.map { $0.version > metadata.model.version } ?? false
        try takeRows(metadata, isMigration: isMigration, options, on: database)
        if let model {
            if model.version > metadata.model.version {
                guard trust.mayChange || options.opening == .readOnly else { throw StoreError.sealedAgainstChanges }
                let wanted = steps?.applicable(from: metadata.model.version, to: model.version) ?? []
                let migration = MigrationRecord(from: metadata, to: model, wanted)
                record = migration
                metadata = try migrate(migration, registry: registry, options: options, on: database)
                try requireRowKeys(metadata, options)
                try options.rowSealing?.take(RowSeal.all(of: metadata), of: metadata.uuid, on: database)
            }
        }
        let mayChange = trust.mayChange && options.opening != .readOnly
        let make = { metadata, keepsOutdated in
            try StoreSchema(
                model ?? metadata.model,
                metadata,
                registry: registry,
                options: options,
                keepsOutdated: keepsOutdated
            )
        }
        var schema = try make(metadata, !mayChange)
        if mayChange {
            try metadata.refresh(schema, on: database)
            try BlobTriggers.install(schema, metadata, on: database)
            let rebuild = ProjectionRebuild(
                schema: schema,
                metadata: metadata,
                isMigration: record != nil,
                database: database
            )
            if try !rebuild.run() {
                options.logger?.noteOutdatedProjections()
                schema = try make(metadata.readingProjections(database), true)
            }
            try TextIndex.install(schema, on: database)
            if record != nil { for seal in schema.rowSeals { try seal.renewAll(on: database) } }
        }
        return Prepared(schema: schema, trust: trust, migration: record)
    }
}

extension StoreError {
    fileprivate static func fileExists(_ path: String) -> Self {
        Self(.fileExists, "“\(path)” already exists; choose another name")
    }
}
