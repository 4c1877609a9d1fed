import Foundation
import GRDB
import Synchronization
import Testing
import Transformable
import TransformablePostgres
import TransformableSQLite
import TransformableStore
import _PostgresServer

/// Runs each test of a suite on SQLite, and once more on PostgreSQL if it is installed.
///
/// With the address of a Citus cluster, the tests run only there, in distributed stores.
///
/// The tests open their stores with `Store.trial`. A test about something that a store in PostgreSQL refuses says so with
/// `.sqliteOnly`; the article StoresInPostgres lists what that is.
struct EachEngine: SuiteTrait, TestTrait, TestScoping {
    /// The engine of the stores that the current test opens.
    enum Engine {
        case sqlite
        case postgres
    }

    @TaskLocal static var current = Engine.sqlite
    /// Whether all objects of stores whose model has no tenants belong to a single one.
    @TaskLocal static var addsTenants = false

    var isRecursive: Bool { true }

    @concurrent func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        if !Trial.isDistributed { try await run(test, function) }
        guard PostgresServer.programs != nil, !test.traits.contains(where: { $0 is SQLiteOnly }) else { return }
        if Trial.isDistributed, test.traits.contains(where: { $0 is WithoutTenants }) { return }
        try await Self.$current.withValue(.postgres) {
            guard Trial.isDistributed else { return try await run(test, function) }
            let schemas = TrialSchemas()
            defer { schemas.drop() }
            try await TrialSchemas.$current.withValue(schemas) {
                try await Self.$addsTenants.withValue(true) { try await close(after: function) }
            }
        }
    }

    /// Runs a test, and once more with tenants if it asks for that.
    private func run(_ test: Test, _ function: @concurrent @Sendable () async throws -> Void) async throws {
        try await close(after: function)
        guard test.traits.contains(where: { $0 is AlsoWithTenants }) else { return }
        try await Self.$addsTenants.withValue(true) { try await close(after: function) }
    }

    /// Closes the stores that a test has left open.
    private func close(after function: @concurrent @Sendable () async throws -> Void) async throws {
        let stores = TrialStores()
        defer { stores.close() }
        try await TrialStores.$current.withValue(stores) { try await function() }
    }
}

/// Marks a test or a suite whose stores also have tenants, one of which then owns all objects.
struct AlsoWithTenants: SuiteTrait, TestTrait {
    var isRecursive: Bool { true }
}

extension Trait where Self == AlsoWithTenants {
    static var alsoWithTenants: Self { Self() }
}

/// Marks a test or a suite about something that only SQLite has, or that a store in PostgreSQL refuses.
struct SQLiteOnly: SuiteTrait, TestTrait {
    var isRecursive: Bool { true }
}

/// Marks a test or a suite about something that a store with tenants refuses, so that it cannot run in a distributed one.
struct WithoutTenants: SuiteTrait, TestTrait {
    var isRecursive: Bool { true }
}

extension Trait where Self == WithoutTenants {
    /// - Parameter reason: What the test is about.
    /// - Returns: The trait.
    static func withoutTenants(_ reason: Comment) -> Self { Self() }
}

extension Trait where Self == EachEngine {
    static var eachEngine: Self { Self() }
}

extension Trait where Self == SQLiteOnly {
    /// - Parameter reason: What the test is about.
    /// - Returns: The trait.
    static func sqliteOnly(_ reason: Comment) -> Self { Self() }
}

extension Store {
    /// Opens a store on the current test's engine.
    ///
    /// - Parameters:
    ///   - url: The store's file, or `nil` for a store in memory. In PostgreSQL, each file is a schema.
    ///   - model: The model, or `nil` to use the model in the store.
    ///   - registry: The transformers.
    ///   - options: The options.
    ///   - hooks: The hooks.
    ///   - migrations: The steps of migrations.
    /// - Returns: The store.
    /// - Throws: `StoreError` if the store cannot be opened.
    static func trial(
        at url: URL? = nil,
        model: Model? = nil,
        transformers registry: TransformerRegistry,
        options: Options = .createIfMissing,
        hooks: [String: EntityHooks] = [:],
        migrations: [MigrationStep] = []
    ) throws -> Store {
        let store = try opened(url, model, registry, options, hooks, migrations)
        TrialStores.current?.add(store)
        return store
    }

    private static func opened(
        _ url: URL?,
        _ model: Model?,
        _ registry: TransformerRegistry,
        _ options: Options,
        _ hooks: [String: EntityHooks],
        _ migrations: [MigrationStep]
    ) throws -> Store {
        let schema = url.map(Trial.schema) ?? UUID().uuidString
        let model = try Trial.adapted(model, in: schema)
        let options = Trial.options(options, in: schema)
        guard EachEngine.current == .postgres else {
            guard let url else {
                let model = try #require(model)
                return try .inMemory(model: model, transformers: registry, options: options, hooks: hooks)
            }
            return try Store(
                at: url,
                model: model,
                transformers: registry,
                options: options,
                hooks: hooks,
                migrations: migrations
            )
        }
        TrialSchemas.current?.add(schema)
        return try Store(
            postgres: Trial.address(),
            schema: schema,
            model: model,
            transformers: registry,
            options: options,
            connections: Trial.connections(for: model),
            hooks: hooks,
            migrations: migrations
        )
    }

    /// Returns the plan of a migration on the current test's engine.
    ///
    /// - Parameters:
    ///   - url: The store's file.
    ///   - model: The new model.
    ///   - registry: The transformers.
    ///   - options: The options.
    ///   - migrations: The steps.
    /// - Returns: The plan.
    /// - Throws: `StoreError` if the store cannot be opened.
    static func trialPlan(
        at url: URL,
        model: Model,
        transformers registry: TransformerRegistry,
        options: Options = Options(),
        migrations: [MigrationStep] = []
    ) throws -> MigrationPlan {
        let schema = Trial.schema(url)
        let model = try Trial.adapted(model, in: schema) ?? model
        let options = Trial.options(options, in: schema)
        guard EachEngine.current == .postgres else {
            return try plan(
                at: url,
                model: model,
                transformers: registry,
                options: options,
                migrations: migrations
            )
        }
        return try plan(
            postgres: Trial.address(),
            schema: schema,
            model: model,
            transformers: registry,
            options: options,
            connections: Trial.connections(),
            migrations: migrations
        )
    }
}

/// The schemas of the distributed stores that a test opens.
///
/// The more tables there are, the longer it takes Citus to change any of them, so the schemas are dropped when the test ends.
private final class TrialSchemas: Sendable {
    @TaskLocal static var current: TrialSchemas?

    private let names = Mutex<Set<String>>([])

    func add(_ name: String) {
        names.withLock { _ = $0.insert(name) }
    }

    /// Drops the schemas, except for those that a transaction still uses.
    func drop() {
        guard let connection = try? PostgresConnection(PostgresAddress(Trial.address())) else { return }
        for name in names.withLock(\.self) {
            try? connection.run(script: "SET lock_timeout TO '2s'")
            try? connection.run(script: "DROP SCHEMA IF EXISTS \"\(name)\" CASCADE")
        }
    }
}

/// The database of a test's store, as another program sees it.
enum Trial {
    /// The address of a Citus cluster, if the tests run on one.
    private static let citus = ProcessInfo.processInfo.environment["TRANSFORMABLE_CITUS"]

    /// Whether stores with tenants are distributed.
    static var isDistributed: Bool { citus != nil }

    /// Runs a closure whose stores several tests use, so that the first one to end does not drop them.
    static func keepingStores<Result>(_ body: () throws -> Result) rethrows -> Result {
        try TrialSchemas.$current.withValue(nil) { try TrialStores.$current.withValue(nil, operation: body) }
    }

    static func connections(for model: Model? = nil) -> PostgresOptions {
        var connections = PostgresOptions()
        connections.maximumConnections = 4
        if citus != nil, model?.hasTenants == true { connections.distribution = .byTenant }
        return connections
    }

    // What calls see that name no tenant, by the schemas of stores, or nil if the store's test is about tenants.
    private static let scopes = Mutex<[String: TenantScope?]>([:])

    /// Returns a model in which all objects belong to one tenant, if the test's stores have tenants, as distributed ones do.
    ///
    /// A test whose first model has tenants can go on with one that has none.
    static func adapted(_ model: Model?, in schema: String) throws -> Model? {
        guard EachEngine.addsTenants, let model else { return model }
        let isComplete = scopes.withLock { scopes in
            guard !model.hasTenants else {
                if scopes[schema] == nil { scopes.updateValue(nil, forKey: schema) }
                return true
            }
            if let known = scopes[schema], known == nil { return true }
            scopes.updateValue(.tenant(1), forKey: schema)
            return false
        }
        guard !isComplete else { return model }
        return try Model(
            version: model.version,
            hasTenants: true,
            entities: model.entities,
            fetchRequests: model.fetchRequests
        )
    }

    /// Returns options with which calls need not name a tenant, if the store's test knows nothing of tenants.
    static func options(_ options: Store.Options, in schema: String) -> Store.Options {
        var options = options
        options.implicitScope = scopes.withLock { $0[schema] ?? nil }
        return options
    }

    static func address() throws -> String { try citus ?? PostgresServer.boundAddress.get().description }

    /// Returns the name of the schema that stands for a file.
    static func schema(_ url: URL) -> String { url.pathComponents.suffix(2).joined(separator: "/") }

    /// Runs statements without parameters, in which names are quoted.
    ///
    /// In a distributed store, they concern the rows of one tenant.
    static func run(_ sql: String, in url: URL, of tenant: Int64 = 1) throws {
        guard EachEngine.current == .postgres else { return try shell(url) { try $0.execute(sql: sql) } }
        let path = "SET search_path TO \"\(schema(url))\""
        guard isDistributed else { return try PostgresServer.connect().run(script: "\(path); \(sql)") }
        let connection = try PostgresConnection(PostgresAddress(address()))
        let settings = [
            "SET LOCAL citus.propagate_set_commands TO 'local'", "SET LOCAL transformable.tenant TO '\(tenant)'",
        ]
        for statement in ["BEGIN", path] + settings + [sql, "COMMIT"] { try connection.run(script: statement) }
    }

    /// Returns SQL for bytes, which are in hexadecimal digits.
    static func bytes(_ digits: String) -> String {
        EachEngine.current == .postgres ? "'\\x\(digits)'::bytea" : "x'\(digits)'"
    }

    /// Returns the cells of a query's rows.
    static func cells(_ sql: String, in url: URL) throws -> [[ColumnValue]] {
        let store = try Store.trial(
            at: url,
            transformers: TransformerRegistry {},
            options: Store.Options(opening: .readOnly, unresolved: .keepBytes)
        )
        defer { try? store.close() }
        let read = { (context: StoreContext) throws in
            try context.rows(sql).map { row in try row.columns.map { try row.column($0) } }
        }
        return try store.model.hasTenants ? store.readAcrossTenants(read) : store.read(read)
    }

    /// Returns the bytes of a file, or none if the store is in PostgreSQL.
    static func content(of url: URL) throws -> Data {
        EachEngine.current == .postgres ? Data() : try Data(contentsOf: url)
    }

    /// Returns the columns of a table, without the one for tenants, of which most tests know nothing.
    static func columns(of table: String, in url: URL) throws -> [String] {
        let sql =
            EachEngine.current == .postgres
            ? """
            SELECT "attname"::text FROM "pg_attribute" WHERE "attrelid" = to_regclass('"\(table)"')
            AND "attnum" > 0 AND NOT "attisdropped" AND "attname" <> '_tenant' ORDER BY "attnum"
            """ : "SELECT \"name\" FROM pragma_table_info('\(table)', 'main') WHERE \"name\" <> '_tenant'"
        return try cells(sql, in: url).compactMap { if case .text(let name) = $0.first { name } else { nil } }
    }
}
