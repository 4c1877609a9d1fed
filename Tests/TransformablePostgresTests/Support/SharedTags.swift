import Foundation
import Testing
import Transformable
import TransformableModel
import TransformablePostgres
import TransformableStore

/// A store with tenants whose shared objects have tags.
struct SharedTags {
    private let store: Store
    private let address: PostgresAddress
    private let schema = "shared-\(UUID().uuidString.prefix(8))"

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
                    relationships: [.toOne("drug", "Drug")]
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
