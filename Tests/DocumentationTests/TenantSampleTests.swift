import EncryptionPlugin
import StandardPlugin
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

@Suite struct TenantSampleTests {
    @Test func tenants() throws {
        let model = try Model(
            hasTenants: true,
            entities: [
                EntityDescription("Country", attributes: [.string("code", .unique)], shared: true),
                EntityDescription(
                    "Patient",
                    attributes: [
                        .integer("badge", .unique),
                        .transformed(
                            "ssn",
                            "text | sealed",
                            as: String.self,
                            .projected("text | blind-index(bits: 12)")
                        ),
                    ],
                    relationships: [.toOne("country", "Country")]
                ),
            ]
        )
        let keys = try KeyRing.empty.addingKey(named: "clinic")
        let registry = try TransformerRegistry {
            StandardPlugin()
            EncryptionPlugin(keys: keys)
        }
        let store = try Store.inMemory(model: model, transformers: registry)
        try store.write(tenant: 7) { context in
            let patient = try context.insert("Patient")
            try patient.setValue(1, for: "badge")
            try patient.setValue("123-45-6789", for: "ssn")
        }
        let count = try store.read(tenant: 7) { try $0.count("Patient") }
        #expect(count == 1)
        let total = try store.readAcrossTenants { try $0.count("Patient") }
        #expect(total == 1)
    }
}
