internal import TransformableModel
internal import TransformableStore

/// The distribution of a store's tables over several servers.
public enum PostgresDistribution: Sendable, Hashable {
    /// All rows are on the server that the program connects to.
    case none
    /// The rows of each tenant are together on one of the servers of a Citus cluster, and all servers have the shared
    /// objects.
    case byTenant
}

extension PostgresDistribution {
    /// Throws an error unless a new store of a model can be distributed this way in a database.
    func require(_ model: Model, on connection: PostgresConnection) throws {
        guard self == .byTenant else { return }
        guard model.hasTenants else {
            throw StoreError(
                .unsupported,
                """
                a store without tenants cannot be distributed, because nothing says which rows belong on the same \
                server; declare tenants in the model, or create the store without a distribution
                """
            )
        }
        try requireStorage(for: model)
        guard try Self.hasCitus(connection) else {
            let remedy = "create it on the coordinator and on each worker"
            throw StoreError(.unsupported, "the database does not have the extension “citus”; \(remedy)")
        }
    }

    /// Throws an error if shared objects have external values, whose pieces would have to be on all servers.
    func requireStorage(for model: Model) throws(StoreError) {
        // A model without tenants is not that of a distributed store, which is another error.
        guard self == .byTenant, model.hasTenants else { return }
        for entity in model.entities where !model.belongsToTenants(entity.name) {
            let external = model.attributes(of: entity.name).first { $0.externalThreshold != nil }
            guard let external else { continue }
            let what = "a distributed store cannot keep external values of shared objects; remove the option"
            throw StoreError(.unsupported, what, entity: entity.name, attribute: external.name)
        }
    }

    /// Throws an error if a schema contains an unfinished copy that is distributed in another way.
    func requireSame(in schema: String, _ connection: PostgresConnection) throws {
        guard try SchemaState(of: schema, connection) == .unfinishedCopy,
            try PostgresDistribution(of: schema, connection) != self
        else { return }
        let how = self == .none ? "is distributed" : "is not distributed"
        throw StoreError(.unsupported, "the unfinished copy in the schema “\(schema)” \(how); drop the schema")
    }

    private static func hasCitus(_ connection: PostgresConnection) throws -> Bool {
        let sql = "SELECT count(*) FROM \"pg_catalog\".\"pg_extension\" WHERE \"extname\" = 'citus'"
        return try connection.rows(PostgresStatement(sql)) { try $0.value(0, as: Int64.self) } == [1]
    }

    /// Finds out how the tables of a schema are distributed.
    init(of schema: String, _ connection: PostgresConnection) throws {
        self = .none
        guard try Self.hasCitus(connection) else { return }
        let sql = """
            SELECT count(*) FROM "pg_catalog"."pg_dist_partition" AS "part"
            JOIN "pg_catalog"."pg_class" AS "table" ON "table"."oid" = "part"."logicalrelid"
            JOIN "pg_catalog"."pg_namespace" AS "schema" ON "schema"."oid" = "table"."relnamespace"
            WHERE "schema"."nspname" = $1 AND ("part"."partmethod" = 'h' OR "part"."repmodel" = 't')
            """
        let name = PostgresName.shortened(schema)
        let counts = try connection.rows(PostgresStatement(sql, .text), [.text(name)]) {
            try $0.value(0, as: Int64.self)
        }
        if counts != [0] { self = .byTenant }
    }
}

extension PostgresLayout {
    /// The statement that lets a transaction change a table more than once, because Citus then uses one connection for each
    /// worker.
    static let sequentialMode = "SET LOCAL citus.multi_shard_modify_mode TO 'sequential'"
    /// The statement that permits triggers, which Citus calls unsafe because they could change rows of other servers.
    static let triggerPermission = "SET LOCAL citus.enable_unsafe_triggers TO on"
    /// The statements that a transaction begins with that changes distributed tables.
    static let changeSettings = [sequentialMode, triggerPermission]

    /// The statements that distribute the tables of tenants, and copy those of shared objects to all servers.
    var distribution: [String] {
        // The tables of objects come first, so that the others are stored together with them.
        let owned = (tables + own).filter(\.isOwned).sorted { !$0.hasPieces && $1.hasPieces }
        let shared = tables.filter { !$0.isOwned && $0.raw.role != .metadata && $0.raw.role != .aside }
        let distributed = owned.enumerated()
            .map { index, table in table.distribution(with: index == 0 ? "'none'" : owned[0].literal) }
        return [Self.sequentialMode] + shared.map { PostgresTable.replication(of: $0.literal) } + distributed
    }
}

extension PostgresTable {
    /// The statement that distributes a table together with another one.
    ///
    /// All rows of a tenant are on the same server, so that references are enforced and its statements run there.
    func distribution(with partner: String) -> String {
        "SELECT create_distributed_table(\(literal), '\(TenantColumn.name.name)', colocate_with => \(partner))"
    }

    /// Returns the statement that copies a table to all servers.
    static func replication(of literal: String) -> String { "SELECT create_reference_table(\(literal))" }

    /// The statements that distribute a new table like those that the store has.
    var placement: [String] {
        guard isDistributed, raw.role != .metadata, raw.role != .aside else { return [] }
        let partner = Self.literal(PostgresLayout.blobTable, in: schema)
        return [isOwned ? distribution(with: partner) : Self.replication(of: literal)]
    }

    /// The name as a string in SQL.
    var literal: String { Self.literal(raw.name, in: schema) }

    static func literal(_ table: String, in schema: String) -> String {
        "'\(name(table, in: schema).replacing("'", with: "''"))'"
    }
}
