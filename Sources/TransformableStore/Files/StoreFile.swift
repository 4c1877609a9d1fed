internal import Foundation
internal import GRDB
internal import Transformable

/// Opens the file of a store, and makes it where it is missing.
enum StoreFile {
    struct Opened {
        let database: any DatabaseWriter
        let schema: StoreSchema
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
        options: Store.Options
    ) throws -> Opened {
        if let model { try Store.check(model, registry, unresolved: options.unresolved) }
        let path = url.standardizedFileURL.path
        let exists = try checkFile(path, options, hasModel: model != nil)
        guard options.opening != .readOnly else {
            return try openReadOnly(path, model: model, registry: registry, options: options)
        }
        do {
            return try Failure.translate {
                // WAL needs a file beside the database, so a plain file in the way shows here as well.
                let database = try DatabasePool(path: path, configuration: configuration(options))
                let schema = try prepare(database, model: model, registry: registry, options: options)
                return Opened(database: database, schema: schema)
            }
        } catch {
            if !exists { removeFiles(path) }
            throw error
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
                return try existing(model, registry: registry, options: options, on: database)
            }
            return Opened(database: database, schema: schema)
        }
    }

    /// A connection that only reads.
    ///
    /// In a folder that cannot be written SQLite has no place for the
    /// files it coordinates by; if there is no log of unfinished writes it can do without.
    private static func readOnlyQueue(_ path: String, _ configuration: Configuration) throws -> DatabaseQueue {
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.read { _ = try SQLStatement.integer("SELECT count(*) FROM sqlite_master", on: $0) }
            return queue
        } catch let error {
            let log = (try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size]) as? Int ?? 0
            let folder = (path as NSString).deletingLastPathComponent
            guard log == 0, !FileManager.default.isWritableFile(atPath: folder) else { throw error }
            let characters = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#%"))
            guard let escaped = path.addingPercentEncoding(withAllowedCharacters: characters) else { throw error }
            return try DatabaseQueue(path: "file:\(escaped)?immutable=1", configuration: configuration)
        }
    }

    /// Says whether the file is there, or throws if that is not as asked.
    private static func checkFile(_ path: String, _ options: Store.Options, hasModel: Bool) throws(StoreError) -> Bool {
        let files = FileManager.default
        var isFolder: ObjCBool = false
        let exists = unsafe files.fileExists(atPath: path, isDirectory: &isFolder)
        guard !isFolder.boolValue else { throw StoreError(.notAStore, "“\(path)” is a folder") }
        switch options.opening {
        case .create where exists:
            throw StoreError(.fileExists, "“\(path)” is there already; remove it or give another name")
        case .mustExist where !exists, .readOnly where !exists:
            throw StoreError(.noSuchFile, "there is no file “\(path)”")
        case .create where !hasModel, .createIfMissing where !exists && !hasModel:
            throw StoreError(.noSuchFile, "there is no file “\(path)”, and making one needs a model")
        default: break
        }
        let folder = (path as NSString).deletingLastPathComponent
        guard exists || files.fileExists(atPath: folder) else {
            throw StoreError(.cannotCreate, "there is no folder “\(folder)”")
        }
        guard exists || files.isWritableFile(atPath: folder) else {
            throw StoreError(.cannotCreate, "the folder “\(folder)” cannot be written")
        }
        if exists, !files.isReadableFile(atPath: path) {
            throw StoreError(.inputOutput, "the file “\(path)” cannot be read: permission is denied")
        }
        return exists
    }

    private static func removeFiles(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
    }

    private static func configuration(_ options: Store.Options) -> Configuration {
        var configuration = Configuration()
        configuration.label = "TransformableStore"
        configuration.busyMode = .timeout(options.busyTimeout)
        return configuration
    }

    /// Makes the tables of an empty file, or compares the model with what is there.
    private static func prepare(
        _ writer: any DatabaseWriter,
        model: Model?,
        registry: TransformerRegistry,
        options: Store.Options
    ) throws -> StoreSchema {
        try writer.write { database in
            switch try Metadata.kind(of: database) {
            case .store:
                return try existing(model, registry: registry, options: options, on: database)
            case .empty:
                guard let model else { throw StoreError(.notAStore, "the file is empty, and not a store") }
                var resolver = SchemaResolver(model: model, registry: registry)
                let metadata = try Metadata.create(model, resolver: &resolver, on: database)
                return try StoreSchema(model, metadata, registry: registry, unresolved: options.unresolved)
            }
        }
    }

    private static func existing(
        _ model: Model?,
        registry: TransformerRegistry,
        options: Store.Options,
        on database: Database
    ) throws -> StoreSchema {
        let metadata = try Metadata(reading: database)
        if let model { try ModelComparison.check(model, against: metadata.model) }
        let schema = try StoreSchema(
            model ?? metadata.model,
            metadata,
            registry: registry,
            unresolved: options.unresolved
        )
        if options.opening != .readOnly { try metadata.refresh(schema, on: database) }
        return schema
    }
}
