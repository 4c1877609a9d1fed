import Foundation
import Testing
import Transformable
import TransformableModel
import TransformablePostgres
import TransformableStore

/// A store with tenants whose objects have tags.
struct TenantTags {
    private let store: Store
    private let address: PostgresAddress
    private let schema = "tags-\(UUID().uuidString.prefix(8))"

    init(
        _ registry: TransformerRegistry,
        at address: PostgresAddress,
        connections: PostgresOptions = PostgresOptions()
    ) throws {
        self.address = address
        let model = try Model(
            hasTenants: true,
            entities: [
                EntityDescription(
                    "Drug",
                    attributes: [.string("name"), .int16("dose", .optional)],
                    authenticatesRows: true,
                    shared: true
                ),
                EntityDescription(
                    "Patient",
                    attributes: [.string("name")],
                    relationships: [.toOne("drug", "Drug")],
                    authenticatesRows: true
                ),
            ]
        )
        store = try Store(
            postgres: address.description,
            schema: schema,
            model: model,
            transformers: registry,
            connections: connections
        )
    }

    /// Expects that the row of another tenant is noticed, although it has the tag that belongs to it.
    func exchangeRows() throws {
        let object = try store.write(tenant: 2) { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Eve", for: "name")
            return patient.id
        }
        let row = try store.readAcrossTenants { context in
            let entity = try context.rows("SELECT \"id\" FROM \"_transformable_entity\" WHERE \"name\" = 'Patient'")
            let stored = try context.rows("SELECT \"_version\", encode(\"_mac\", 'hex') AS \"tag\" FROM \"Patient\"")
            guard case .integer(let number) = try entity[0].column("id"),
                case .integer(let version) = try stored[0].column("_version"),
                case .text(let tag) = try stored[0].column("tag")
            else { throw StoreError(.misuse, "") }
            let cells = "\(object.number)::bigint, \(version)::bigint, 2::bigint, 'Eve'::text, NULL::bigint"
            return "SELECT ARRAY[pg_catalog.record_send(ROW(\(number), decode('\(tag)', 'hex'), \(cells)))]"
        }
        #expect(try store.read(tenant: 2) { try $0.rows(row).count } == 1)
        #expect(try store.readAcrossTenants { try $0.rows(row).count } == 1)
        let error = #expect(throws: StoreError.self) { try store.read(tenant: 1) { try $0.rows(row).count } }
        #expect(error?.code == .unauthenticatedRow)
        #expect(error?.object == object)
    }

    /// Writes and reads objects, changes one by SQL, and expects that this is noticed.
    func run() throws {
        let drug = try store.writeShared { context in
            let drug = try context.insert("Drug")
            try drug.setValue("Aspirin", for: "name")
            return drug.id
        }
        try store.writeShared { try $0.object(drug).setValue(100, for: "dose") }
        try store.write(tenant: 1) { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            try patient.setObject(context.object(drug), for: "drug")
        }
        let dose = {
            try store.read(tenant: 1) { try $0.first("Patient")?.object("drug")?.value("dose", as: Int.self) }
        }
        #expect(try dose() == 100)
        #expect(try store.verify().faults.map(\.description) == [])
        let connection = try PostgresConnection(address)
        try connection.run(script: "UPDATE \"\(schema)\".\"Drug\" SET \"dose\" = 1000")
        let error = #expect(throws: StoreError.self) { _ = try dose() }
        #expect(error?.code == .unauthenticatedRow)
        #expect(error?.object == drug)
        #expect(try store.verify().faults.map(\.code) == [.unauthenticatedRow])
    }
}
