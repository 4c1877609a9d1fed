import EncryptionPlugin
import Foundation
import StandardPlugin
import Testing
import Transformable
import TransformableEntities
import TransformableSQLite
import TransformableStore

@Entity(isShared: true)
final class Country {
    @Attribute(.unique) var code: String

    init(code: String) { self.code = code }
}

@Entity
final class Customer {
    @Attribute(.unique) var number: Int
    @Relationship var country: Country?

    init(number: Int) { self.number = number }
}

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

    @Test func tenantsOfClasses() throws {
        let registry = try TransformerRegistry {}
        let url = FileManager.default.temporaryDirectory.appending(path: "tenants-\(UUID().uuidString).sqlite")
        defer { try? FileManager.default.removeItem(at: url) }
        let store = try Store(at: url, for: Country.self, Customer.self, hasTenants: true, transformers: registry)
        let denmark = try store.writeShared { $0.insert(Country(code: "DK")).persistentID }
        try store.write(tenant: 7) { context in
            let customer = context.insert(Customer(number: 1))
            customer.country = try context.object(denmark)
        }
        let count = try store.read(tenant: 7) { try $0.count(Customer.self) }
        #expect(count == 1)
        try store.close()
    }
}
