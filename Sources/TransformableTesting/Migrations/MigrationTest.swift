public import Foundation
public import Testing
public import Transformable
internal import TransformableSQLite
public import TransformableStore

/// A test of the migrations between the versions of a model, with data of each version.
///
/// Every version that has data is migrated to every newer one: directly, through all versions in between, and with the
/// process being killed on the way. ``run()`` returns the results, and ``assertMigrations(_:sourceLocation:)`` records
/// violations in Swift Testing.
///
/// ```swift
/// let test = MigrationTest([first, second, third], transformers: registry, migrations: [step]) { context, version in
///     try context.insert("Member").setValue("Ada Lovelace", for: version == 1 ? "fullName" : "name")
/// }
/// ```
///
/// ## Topics
/// ### Preparing
/// - ``init(_:transformers:migrations:tenants:fill:)``
/// - ``addFile(_:)``
/// - ``options``
/// - ``unpredictable``
/// - ``killCount``
/// ### Testing
/// - ``run()``
/// - ``migrate(from:to:)``
public struct MigrationTest: Sendable {
    /// A closure that adds data to a new store of a given version.
    public typealias Fill = @Sendable (_ context: StoreContext, _ version: Int) throws -> Void

    /// The versions of the model, oldest first.
    public let models: [Model]
    /// The options for opening stores.
    ///
    /// The `opening` option is ignored.
    public var options = Store.Options()
    /// Attributes, such as `Member.token`, whose values differ each time that a migration computes them.
    ///
    /// New attributes that default to a new UUID or the current time are included automatically, and so are derived dates
    /// of change that the migration has set.
    public var unpredictable: Set<String> = []
    /// The number of points during each migration at which to simulate a kill.
    ///
    /// Set it to 0 to skip this check.
    public var killCount = 24

    let transformers: TransformerRegistry
    private let migrations: [MigrationStep]
    private let tenants: [Int64]
    private let fill: Fill?
    private var files: [Int: URL] = [:]

    /// Creates a test.
    ///
    /// - Parameters:
    ///   - models: The versions of the model, which must all be different.
    ///   - transformers: The transformers that the models use.
    ///   - migrations: The custom migration steps of the program.
    ///   - tenants: The tenants to add data for, if the models have tenants. The closure is called once for the shared
    ///     objects and then once for each tenant, which is the `tenant` of its context.
    ///   - fill: A closure that adds data to a new store of each version except the last, or nil to test only existing
    ///     files.
    public init(
        _ models: [Model],
        transformers: TransformerRegistry,
        migrations: [MigrationStep] = [],
        tenants: [Int64] = [],
        fill: Fill?
    ) {
        precondition(Set(models.map(\.version)).count == models.count, "the versions of the models must be different")
        self.models = models.sorted { $0.version < $1.version }
        self.transformers = transformers
        self.migrations = migrations
        self.tenants = tenants
        self.fill = fill
    }

    /// Adds a store that was written by an earlier release of the program, in place of one that the test fills.
    ///
    /// If the file can be opened only with certain ``options``, such as those for a file that has no seal yet, set them
    /// first.
    ///
    /// - Parameter url: The store's file, which is copied. Its model must be one of the test's models.
    /// - Throws: `StoreError` if the file is not a store, with the code `model-mismatch` if the test has no model of its
    ///   version, or with the code `misuse` if the test already has a file of the same version.
    public mutating func addFile(_ url: URL) throws {
        var options = options
        (options.opening, options.unresolved) = (.readOnly, .keepBytes)
        let store = try Store(at: url, transformers: transformers, options: options)
        let version = store.model.version
        try store.close()
        _ = try model(version)
        guard files[version] == nil else {
            let message = "the test already has a file of version \(version); add this one to a test of its own"
            throw StoreError(.misuse, message)
        }
        files[version] = url
    }

    /// Migrates a store of one version, including its data, to another version.
    ///
    /// - Parameters:
    ///   - old: The version to create the store with.
    ///   - new: The version to migrate to.
    /// - Returns: The migrated store and a report.
    /// - Throws: Any error thrown while the store is created or migrated.
    public func migrate(from old: Int, to new: Int) throws -> MigratedStore {
        let folder = try makeStart(old)
        let before = try withStore(folder, model(old)) { try StoreContents($0) }
        let plan = try plan(folder, model(new))
        let comparable = try comparable(folder, before, plan, from: model(old), to: model(new))
        let store = try open(folder, model(new))
        let report = try MigrationReport(plan, from: (model(old), comparable), to: (model(new), StoreContents(store)))
        return MigratedStore(store: store, report: report, folder: folder)
    }

    /// Tests every migration for which there is data.
    ///
    /// - Returns: Reports about the migrated data, and the violations.
    /// - Throws: `StoreError` with the code `misuse` if there are several versions but no data of an older one, and any
    ///   error thrown while a store of an old version is created.
    public func run() throws -> MigrationTestResult {
        guard models.count < 2 || !startVersions.isEmpty else {
            let remedy = "pass a closure that fills a store, or add a file of an earlier version"
            throw StoreError(.misuse, "the test has no data to migrate; \(remedy)")
        }
        var run = MigrationTestRun(self)
        try run.run()
        return run.result
    }
}

// MARK: - Stores

extension MigrationTest {
    /// The versions for which there is data, and that can be migrated to another version.
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

    /// Creates a store of an old version, fills it, and closes it.
    func makeStart(_ version: Int) throws -> StoreFolder {
        if let file = files[version] { return try StoreFolder(copying: file) }
        let folder = try StoreFolder()
        try withStore(folder, model(version)) { try fill($0, version) }
        return folder
    }

    private func fill(_ store: Store, _ version: Int) throws {
        guard let fill else { return }
        guard store.model.hasTenants else { return try store.write { try fill($0, version) } }
        try store.writeShared { try fill($0, version) }
        for tenant in tenants { try store.write(tenant: tenant) { try fill($0, version) } }
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

    /// Opens a store, passes it to a closure, and closes it.
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

/// Checks that the data of each model version survives the migration to every newer version, on every path.
///
/// Each violation is recorded as an issue of the current test.
///
/// - Parameters:
///   - test: The model versions and their data.
///   - sourceLocation: The source location to which issues are attributed.
/// - Returns: Reports about the migrated data.
/// - Throws: `StoreError` with the code `misuse` if there are several versions but no data of an older one, and any error
///   thrown while a store of an old version is created.
@discardableResult
public func assertMigrations(
    _ test: MigrationTest,
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> [MigrationReport] {
    let result = try test.run()
    for violation in result.violations {
        Issue.record(Comment(rawValue: violation.description), sourceLocation: sourceLocation)
    }
    return result.reports
}

/// A requirement that every migration must meet.
public enum MigrationLaw: String, Sendable, Hashable, CaseIterable {
    /// A store of an older version can be opened with a newer model.
    case opens
    /// The migration fails if and only if the plan contains a refusal.
    case plan
    /// The migrated store is sound: its tables, references, values, projections, and files.
    case soundness
    /// Opening the store again changes nothing.
    case repetition
    /// The result does not depend on the path of versions that leads to it.
    case paths
    /// If the process is killed, the store has either the old or the new version, and the migration can be completed.
    case kills
}

/// A violation of a migration law.
public struct MigrationViolation: Sendable, Hashable {
    /// The law.
    public let law: MigrationLaw
    /// The version before the migration.
    public let oldVersion: Int
    /// The version after the migration.
    public let newVersion: Int
    /// A description of what happened.
    ///
    /// It contains names and numbers, but never values.
    public let message: String
}

extension MigrationViolation: CustomStringConvertible {
    /// The versions, the law, and the message.
    public var description: String {
        "from version \(oldVersion) to \(newVersion), \(law.rawValue): \(message)"
    }
}

/// The result of a migration test.
public struct MigrationTestResult: Sendable, Hashable {
    /// Reports about the data of each version after its migration to each newer version.
    public internal(set) var reports: [MigrationReport] = []
    /// The violations that were found.
    public internal(set) var violations: [MigrationViolation] = []
}

/// A store after a migration.
///
/// Its file is removed when the object is deallocated.
public final class MigratedStore {
    /// The store, opened with the new model.
    public let store: Store
    /// A report about the migrated data.
    public let report: MigrationReport
    private let folder: StoreFolder

    init(store: Store, report: MigrationReport, folder: StoreFolder) {
        self.store = store
        self.report = report
        self.folder = folder
    }

    deinit {
        try? store.close()
    }
}

@available(*, unavailable)
extension MigratedStore: Sendable {}
