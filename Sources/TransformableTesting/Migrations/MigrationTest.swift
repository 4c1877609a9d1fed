public import Foundation
public import Transformable
public import TransformableStore

/// The versions of a model and the steps between them, to be tested with data of each version.
///
/// Every version with data is brought to every newer one: directly, by way of all versions between them, and killed on
/// the way. ``run()`` says what came of it, and ``assertMigrations(_:sourceLocation:)`` records in Swift Testing what must
/// not be.
///
/// ```swift
/// let test = MigrationTest([first, second, third], transformers: registry, migrations: [step]) { context, version in
///     try context.insert("Member").setValue("Ada Lovelace", for: version == 1 ? "fullName" : "name")
/// }
/// ```
///
/// ## Topics
/// ### Preparing
/// - ``init(_:transformers:migrations:fill:)``
/// - ``addFile(_:)``
/// - ``options``
/// - ``unpredictable``
/// - ``killCount``
/// ### Testing
/// - ``run()``
/// - ``migrate(from:to:)``
public struct MigrationTest: Sendable {
    /// Gives a new store of a version its data.
    public typealias Fill = @Sendable (_ context: StoreContext, _ version: Int) throws -> Void

    /// The versions of the model, the oldest first.
    public let models: [Model]
    /// How stores are opened; whether a file must be there does not matter.
    public var options = Store.Options()
    /// The attributes, as in `Member.token`, whose values are another one each time that a migration makes them.
    ///
    /// New attributes with a new UUID or the present time as their default count without being named.
    public var unpredictable: Set<String> = []
    /// How many moments of each migration a kill is tried at; 0 tries none.
    public var killCount = 24

    let transformers: TransformerRegistry
    let migrations: [MigrationStep]
    private let fill: Fill?
    private var files: [Int: URL] = [:]

    /// Prepares a test.
    ///
    /// - Parameters:
    ///   - models: The versions of the model, each with a version of its own.
    ///   - transformers: The transformers that the models name.
    ///   - migrations: The steps that the program gives when it opens a store.
    ///   - fill: Gives a new store of each version but the last its data; nil where only files are tested.
    public init(
        _ models: [Model],
        transformers: TransformerRegistry,
        migrations: [MigrationStep] = [],
        fill: Fill?
    ) {
        precondition(Set(models.map(\.version)).count == models.count, "each model has a version of its own")
        self.models = models.sorted { $0.version < $1.version }
        self.transformers = transformers
        self.migrations = migrations
        self.fill = fill
    }

    /// Takes a store that an earlier release of the program has written, in place of one that is filled.
    ///
    /// - Parameter url: The store's file, which is copied and stays as it is; its model must be one of the test's.
    /// - Throws: `StoreError` if it is no store, or `model-mismatch` if the test has no model of its version.
    public mutating func addFile(_ url: URL) throws {
        let options = Store.Options(opening: .readOnly, unresolved: .keepBytes)
        let store = try Store(at: url, transformers: transformers, options: options)
        let version = store.model.version
        try store.close()
        _ = try model(version)
        files[version] = url
    }

    /// Brings a store of one version, with its data, to another one.
    ///
    /// - Parameters:
    ///   - old: The version that the store is made by.
    ///   - new: The version that it is brought to.
    /// - Returns: The store that came of it, with a report.
    /// - Throws: What making the store and opening it by the new version throws.
    public func migrate(from old: Int, to new: Int) throws -> MigratedStore {
        let folder = try makeStart(old)
        let before = try withStore(folder, model(old)) { try StoreContents($0) }
        let plan = try plan(folder, model(new))
        let store = try open(folder, model(new))
        let report = try MigrationReport(plan, from: (model(old), before), to: (model(new), StoreContents(store)))
        return MigratedStore(store: store, report: report, folder: folder)
    }

    /// Tests every migration that there is data for.
    ///
    /// - Returns: What became of the data, and what must not be.
    /// - Throws: What making a store of an old version throws.
    public func run() throws -> MigrationTestResult {
        var run = MigrationTestRun(self)
        try run.run()
        return run.result
    }
}

// MARK: - Stores

extension MigrationTest {
    /// The versions that there is data of, and that can be brought to another one.
    var startVersions: [Int] {
        models.dropLast().map(\.version).filter { fill != nil || files[$0] != nil }
    }

    func model(_ version: Int) throws -> Model {
        guard let model = models.first(where: { $0.version == version }) else {
            let versions = models.map { "\($0.version)" }.joined(separator: ", ")
            throw StoreError(.modelMismatch, "the test has no model of version \(version); it has \(versions)")
        }
        return model
    }

    /// Makes a store of an old version with its data, which is closed then.
    func makeStart(_ version: Int) throws -> StoreFolder {
        if let file = files[version] { return try StoreFolder(copying: file) }
        let folder = try StoreFolder()
        try withStore(folder, model(version)) { store in
            try store.write { try fill?($0, version) }
        }
        return folder
    }

    func plan(_ folder: StoreFolder, _ model: Model) throws -> MigrationPlan {
        try Store.plan(
            at: folder.file,
            model: model,
            transformers: transformers,
            options: options,
            migrations: migrations
        )
    }

    func open(_ folder: StoreFolder, _ model: Model) throws -> Store {
        var options = options
        options.opening = .createIfMissing
        return try Store(
            at: folder.file,
            model: model,
            transformers: transformers,
            options: options,
            migrations: migrations
        )
    }

    /// Opens a store for as long as a body runs.
    func withStore<Result>(_ folder: StoreFolder, _ model: Model, _ body: (Store) throws -> Result) throws -> Result {
        let store = try open(folder, model)
        do {
            let result = try body(store)
            try store.close()
            return result
        } catch {
            try? store.close()
            throw error
        }
    }
}
