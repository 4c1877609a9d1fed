import Foundation
import StandardPlugin
import Transformable
import TransformableModel
import TransformablePostgres
import TransformableStore
import _PostgresServer

/// A clinic in PostgreSQL whose tenants 1 and 2 each have a ward with a patient and a tag.
struct TenantClinic {
    let schema = "tenants-\(UUID().uuidString.prefix(8))"
    let store: Store
    /// The numbers of the wards of tenants 1 and 2.
    let wards: [Int64]

    init(at address: PostgresAddress? = nil, connections: PostgresOptions = PostgresOptions()) throws {
        let address = try address ?? PostgresServer.boundAddress.get()
        let hasFlags = connections.distribution == .none
        let model = try Self.model(hasFlags: hasFlags)
        store = try Self.open(address, schema, model: model, connections: connections)
        wards = try Self.fill(store, hasFlags: hasFlags)
    }

    /// Inserts a shared country, and a ward with a patient and a tag for tenants 1 and 2, and returns the wards' numbers.
    @discardableResult
    static func fill(_ store: Store, hasFlags: Bool = true) throws -> [Int64] {
        let country = try store.writeShared { context in
            let country = try context.insert("Country")
            try country.setValue("DK", for: "code")
            if hasFlags { try country.setValue(Data(repeating: 9, count: 500), for: "flag") }
            return country.id
        }
        return try [1, 2].map { try fill(store, $0, country) }
    }

    static func open(
        _ address: PostgresAddress,
        _ schema: String,
        model: Model? = nil,
        options: Store.Options = .createIfMissing,
        connections: PostgresOptions = PostgresOptions(),
        registry: TransformerRegistry? = nil
    ) throws -> Store {
        try Store(
            postgres: address.description,
            schema: schema,
            model: model,
            transformers: registry ?? TransformerRegistry { StandardPlugin() },
            options: options,
            connections: connections
        )
    }

    /// The bytes of the patient of a tenant.
    static func scan(_ tenant: Int64) -> Data { Data(repeating: UInt8(tenant), count: 500) }

    // Shared objects have flags, which are external values, unless the store is distributed.
    static func model(hasFlags: Bool = true) throws -> Model {
        let flag = hasFlags ? [AttributeDescription.data("flag", .optional, .externalStorage(over: 100))] : []
        return try Model(
            hasTenants: true,
            entities: [
                EntityDescription("Country", attributes: [.string("code", .unique)] + flag, shared: true),
                EntityDescription(
                    "Ward",
                    attributes: [.string("name", .unique)],
                    relationships: [.toMany("patients", "Patient", inverse: "ward")]
                ),
                EntityDescription(
                    "Patient",
                    attributes: [.integer("badge", .unique), .data("scan", .optional, .externalStorage(over: 100))],
                    relationships: [
                        .toOne("ward", "Ward", inverse: "patients"), .toOne("country", "Country"),
                        .toMany("tags", "Tag"),
                    ]
                ),
                EntityDescription("Tag", attributes: [.string("name", .indexed)]),
            ]
        )
    }

    private static func fill(_ store: Store, _ tenant: Int64, _ country: ObjectID) throws -> Int64 {
        try store.write(tenant: tenant) { context in
            let ward = try context.insert("Ward")
            try ward.setValue("East", for: "name")
            let patient = try context.insert("Patient")
            try patient.setValue(1, for: "badge")
            try patient.setValue(scan(tenant), for: "scan")
            try patient.setObject(ward, for: "ward")
            try patient.setObject(context.object(country), for: "country")
            let tag = try context.insert("Tag")
            try tag.setValue("urgent", for: "name")
            try patient.add(tag, to: "tags")
            return ward.id.number
        }
    }

    // MARK: - Statements of other programs

    /// Connects as a role other than the owner, which can read and write all tables.
    func otherProgram() throws -> PostgresConnection {
        let role = "program-\(schema)"
        try administer(
            """
            CREATE ROLE "\(role)" LOGIN; GRANT USAGE ON SCHEMA @ TO "\(role)";
            GRANT ALL ON ALL TABLES IN SCHEMA @ TO "\(role)"; GRANT ALL ON ALL SEQUENCES IN SCHEMA @ TO "\(role)"
            """
        )
        return try PostgresConnection(PostgresServer.shared.get().address(of: role))
    }

    /// Connects as the owner of the tables.
    func owner() throws -> PostgresConnection {
        try PostgresConnection(PostgresServer.boundAddress.get())
    }

    /// Runs statements as a superuser, in which the schema’s name is `@`.
    func administer(_ script: String) throws {
        try PostgresServer.connect().run(script: named(script))
    }

    func named(_ sql: String) -> String { sql.replacing("@", with: "\"\(schema)\"") }

    /// Runs a statement in a transaction for a tenant, and returns how many rows it changed or returned.
    func count(_ sql: String, tenant: Int64?, on connection: PostgresConnection) throws -> Int {
        try connection.transaction(.readCommitted) {
            // Without this, Citus would not tell its workers. It has no effect elsewhere.
            try connection.run(script: "SET LOCAL citus.propagate_set_commands TO 'local'")
            if let tenant { try connection.run(script: "SET LOCAL transformable.tenant TO '\(tenant)'") }
            return try connection.execute(PostgresStatement(named(sql)))
        }
    }
}
