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

    @Test func observesATenant() async throws {
        let registry = try TransformerRegistry {}
        let store = try Store.inMemory(for: Country.self, Customer.self, hasTenants: true, transformers: registry)
        let changes = try store.changes(of: Customer.self, tenant: 7)
        try await store.write(tenant: 7) { _ = $0.insert(Customer(number: 2)) }
        var iterator = changes.makeAsyncIterator()
        #expect(await iterator.next()?.inserted.count == 1)
    }

    @Test func migrationSteps() throws {
        let keys = try KeyRing.empty.addingKey(named: "clinic")
        let registry = try TransformerRegistry {
            StandardPlugin()
            EncryptionPlugin(keys: keys)
        }
        func model(_ version: Int, _ country: [AttributeDescription], _ patient: AttributeDescription) throws -> Model {
            try Model(
                version: version,
                hasTenants: true,
                entities: [
                    EntityDescription("Country", attributes: [.string("code")] + country, shared: true),
                    EntityDescription("Patient", attributes: [patient]),
                ]
            )
        }
        let url = FileManager.default.temporaryDirectory.appending(path: "tenants-\(UUID().uuidString).sqlite")
        defer { try? FileManager.default.removeItem(at: url) }
        let sealed = AttributeDescription.transformed("ssn", "text | sealed", as: String.self)
        let old = try Store(at: url, model: model(1, [], sealed), transformers: registry)
        try old.writeShared { try $0.insert("Country").setValue("DK", for: "code") }
        try old.write(tenant: 7) { try $0.insert("Patient").setValue("123-45-6789", for: "ssn") }
        try old.close()

        let step = MigrationStep(from: 1, to: 2) { migration in
            try migration.context.forEach("Patient") { patient in
                let ssn = try migration.oldValue("ssn", of: patient, as: String.self)
                try patient.setValue(String(ssn.suffix(4)), for: "lastDigits")
            }
        }
        let sharedStep = MigrationStep.shared(from: 1, to: 2) { migration in
            try migration.context.forEach("Country") { country in
                let code = try country.value("code", as: String.self)
                try country.setValue(code.lowercased(), for: "domain")
            }
        }
        let store = try Store(
            at: url,
            model: model(2, [.string("domain", .default(""))], .string("lastDigits", .default(""))),
            transformers: registry,
            migrations: [sharedStep, step]
        )
        try store.read(tenant: 7) { context in
            let digits = try context.first("Patient")?.value("lastDigits", as: String.self)
            let domain = try context.first("Country")?.value("domain", as: String.self)
            #expect(digits == "6789" && domain == "dk")
        }
        try store.close()
    }
}
