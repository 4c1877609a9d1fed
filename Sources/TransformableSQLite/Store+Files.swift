public import Foundation
public import Transformable
public import TransformableStore

extension Store {
    /// Opens a store, or creates it.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - model: The model, or `nil` to use the model in the file.
    ///   - registry: The registry that contains the model's transformers.
    ///   - options: Whether the file must exist, and other options.
    ///   - hooks: Code to run at certain points in the life of objects, by entity name. It runs after the hooks of
    ///     the entity's class, if there is one.
    ///   - migrations: Code to run when a file with an earlier version of the model is migrated.
    /// - Throws: `StoreError` if the file cannot be opened or created, is not a store, or was written by a newer
    ///   version; if the model differs from the file's model or cannot hold the file's data; or if a transformer cannot
    ///   be resolved or did not write its column. The code is `file-exists` if the file is missing, but its log or its
    ///   external values are still there, because the new store would remove them.
    public convenience init(
        at url: URL,
        model: Model? = nil,
        transformers registry: TransformerRegistry,
        options: Options = .createIfMissing,
        hooks: [String: EntityHooks] = [:],
        migrations: [MigrationStep] = []
    ) throws {
        let opening = try StoreOpening(model: model, registry: registry, options: options, migrations: migrations)
        let opened = try opening.run(isNew: StoreFile.isEmpty(url)) {
            try Store(at: url, model: $0, transformers: registry, options: $1)
        } opened: {
            try StoreFile.open(url, $0)
        }
        try self.init(opened, registry, url: url, options: options, hooks: hooks)
    }

    /// Creates a store in memory.
    ///
    /// Its data is lost when the store is deallocated.
    ///
    /// Transformers run as they do for a file, and readers see a snapshot while a writer works. The data is kept in files
    /// in `/dev/shm`, which is in memory. Only the user who runs the program can read them: their folder has mode `0700`,
    /// and the files have mode `0600`. They contain what a file on disk would contain, so sealed values are sealed there
    /// as well. Like any other memory, the files can be swapped out to disk.
    ///
    /// The files are removed when the store is deallocated, or at the latest when the process exits. If the process is
    /// killed, the next store in memory of the same user removes them.
    ///
    /// If `/dev/shm` is missing, cannot be written, or has less than 256 MB of free space, the data is kept in the
    /// process's own memory instead, and a read waits while a write is in progress. If `/dev/shm` fills up later, a write
    /// throws `StoreError` with the code `disk-full`, and the store keeps the data that it had.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - registry: The registry that contains the model's transformers.
    ///   - options: The options. Those that concern files are ignored.
    ///   - hooks: Code to run at certain points in the life of objects, by entity name. It runs after the hooks of
    ///     the entity's class, if there is one.
    /// - Returns: The store.
    /// - Throws: `StoreError` if a transformer cannot be resolved.
    public static func inMemory(
        model: Model,
        transformers registry: TransformerRegistry,
        options: Options = Options(),
        hooks: [String: EntityHooks] = [:]
    ) throws -> Store {
        let opening = try StoreOpening(model: model, registry: registry, options: options)
        let opened = try StoreFile.openInMemory(opening)
        return try Store(opened, registry, options: options, hooks: hooks)
    }
}

extension Store {
    /// Returns a plan of what ``init(at:model:transformers:options:hooks:migrations:)`` would do with the same
    /// arguments.
    ///
    /// Nothing is written. Others can read and write the store in the meantime, and the plan does not reflect their
    /// later changes. The plan does not include problems that are found only by decoding values, such as a cell that
    /// cannot be re-encoded. In that case, the migration fails and leaves the file unchanged.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - model: The new model.
    ///   - registry: The registry of transformers.
    ///   - options: The options that the store would be opened with. Only two of them affect the plan: what happens
    ///     to columns that a different transformer wrote, and what happens to attributes whose transformer is not
    ///     available in this program.
    ///   - migrations: The steps that would run.
    /// - Returns: The plan.
    /// - Throws: `StoreError` if the file does not exist, is not a store, or cannot be read, or if steps overlap.
    public static func plan(
        at url: URL,
        model: Model,
        transformers registry: TransformerRegistry,
        options: Options = Options(),
        migrations: [MigrationStep] = []
    ) throws -> MigrationPlan {
        try plan(for: model, transformers: registry, options: options, migrations: migrations) {
            try Store(at: url, transformers: registry, options: $0)
        }
    }
}

extension Store {
    /// Creates a store that appears as a whole or not at all.
    ///
    /// Nothing that already exists is replaced or removed, even if it appears while the store is being created.
    ///
    /// - Parameters:
    ///   - url: The store's file. It must not exist, and neither must a folder of external values or a log next to it.
    ///   - model: The model.
    ///   - registry: The registry that contains the model's transformers.
    ///   - unresolved: What to do about transformers that the registry does not contain.
    ///   - watch: Removes what is unfinished when the process is interrupted.
    ///   - fill: A closure that fills the store before it appears.
    /// - Returns: The result of the closure.
    /// - Throws: `StoreError` with the code `file-exists`, errors of opening a store, and errors thrown by the closure.
    package static func create<Result>(
        at url: URL,
        model: Model,
        transformers registry: TransformerRegistry,
        unresolved: Options.Unresolved = .refuse,
        watch: (any WorkingFolderWatch)?,
        filling fill: (Store) throws -> Result
    ) throws -> Result {
        let path = url.standardizedFileURL.path
        let working = try NewFile.folder(for: NewFile.storeFiles(path), watch: watch)
        return try NewFile.build(path, in: working) {
            let unfinished = URL(filePath: working.result)
            var options = Options.create
            options.unresolved = unresolved
            let store = try Store(at: unfinished, model: model, transformers: registry, options: options)
            let result = Swift.Result { try fill(store) }
            try store.close()
            let filled = try result.get()
            try NewFile.publish(working, as: path, suffixes: [BlobFolder.path(of: "")])
            return filled
        }
    }
}
