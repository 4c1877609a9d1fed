import Foundation
import Testing
import Transformable
import TransformableEntities

@Entity(isShared: true)
private final class Country {
    @Attribute(.unique) var code: String

    init(code: String) { self.code = code }
}

@Entity
private final class Customer {
    @Attribute(.unique) var number: Int
    @Relationship var country: Country?

    init(number: Int) { self.number = number }
}

@Suite struct TenantEntityTests {
    @Test func modelStatesWhoHasTheObjects() throws {
        let model = try Model(of: Country.self, Customer.self, hasTenants: true)
        #expect(model.hasTenants)
        #expect(model.belongsToTenants("Customer"))
        #expect(!model.belongsToTenants("Country"))
        // The names in JSON are those of the model file's documentation.
        let json = try #require(String(data: model.json, encoding: .utf8))
        #expect(json.contains("\"tenants\""))
        #expect(json.contains("\"shared\""))
    }

    @Test func sharedClassNeedsAModelWithTenants() throws {
        let error = #expect(throws: StoreError.self) { try Model(of: Country.self, Customer.self) }
        #expect(error?.code == .invalidModel)
        #expect(error?.faults == ["Country is shared, but the model has no tenants"])
        try Store.validate(Country.self, Customer.self, hasTenants: true, transformers: TransformerRegistry {})
    }

    @Test func objectsAreStoredForTheirTenant() throws {
        let store = try Store.inMemory(
            for: Country.self,
            Customer.self,
            hasTenants: true,
            transformers: TransformerRegistry {}
        )
        let denmark = try store.writeShared { $0.insert(Country(code: "DK")).persistentID }
        for tenant in [7, 8] as [Int64] {
            try store.write(tenant: tenant) { context in
                let customer = context.insert(Customer(number: 1))
                customer.country = try context.object(denmark)
            }
        }
        let codes = try store.read(tenant: 7) { context in
            try context.fetch(Customer.self).map { $0.country?.code }
        }
        #expect(codes == ["DK"])
        #expect(try store.read(tenant: 9) { try $0.fetch(Customer.self).isEmpty })
        #expect(try store.readAcrossTenants { try $0.fetch(Customer.self).count } == 2)
        let error = #expect(throws: StoreError.self) { try store.read { try $0.fetch(Customer.self).count } }
        #expect(error?.code == .tenantRequired)
    }

    /// The fetch would write the new object before the end of the block.
    @Test func tenantsInsertNoSharedObjects() throws {
        let store = try Store.inMemory(
            for: Country.self,
            Customer.self,
            hasTenants: true,
            transformers: TransformerRegistry {}
        )
        let error = #expect(throws: StoreError.self) {
            try store.write(tenant: 7) { context in
                context.insert(Country(code: "SE"))
                _ = try context.fetch(Customer.self)
            }
        }
        #expect(error?.code == .misuse)
        #expect(try store.writeShared { try $0.count(Country.self) } == 0)
    }
}

extension TenantEntityTests {
    private func store() throws -> Store {
        try Store.inMemory(for: Country.self, Customer.self, hasTenants: true, transformers: TransformerRegistry {})
    }

    @Test func changesAreThoseOfTheTenant() async throws {
        let store = try store()
        var changes = try store.changes(of: Customer.self, tenant: 7).makeAsyncIterator()
        try await store.write(tenant: 8) { _ = $0.insert(Customer(number: 1)) }
        let id = try await store.write(tenant: 7) { $0.insert(Customer(number: 1)).persistentID }
        #expect(await changes.next()?.inserted == [id])
        let error = #expect(throws: StoreError.self) { try store.changes(of: Customer.self) }
        #expect(error?.code == .tenantRequired)
    }

    @Test func resultsAreThoseOfTheTenant() async throws {
        let store = try store()
        var results = store.results(of: Customer.self, tenant: 7) { try $0.values(Customer.self, of: \.number) }
            .makeAsyncIterator()
        #expect(try await results.next() == [])
        try await store.write(tenant: 8) { _ = $0.insert(Customer(number: 1)) }
        try await store.write(tenant: 7) { _ = $0.insert(Customer(number: 2)) }
        #expect(try await results.next() == [2])
    }

    @Test func sectionsAreThoseOfTheTenant() async throws {
        let store = try store()
        for (tenant, number) in [(7, 2), (7, 1), (8, 3)] as [(Int64, Int)] {
            try await store.write(tenant: tenant) { _ = $0.insert(Customer(number: number)) }
        }
        var lists = try store.sections(of: Customer.self, tenant: 7, sortedBy: [SortDescriptor(\.number)], by: \.number)
            .makeAsyncIterator()
        let list = try #require(try await lists.next())
        #expect(try list.sections.map { try $0.value } == [1, 2])
        let predicate = #Predicate<Customer> { $0.number > 1 }
        var others = try store.sections(of: Customer.self, tenant: 7, where: predicate).makeAsyncIterator()
        #expect(try await others.next()?.count == 1)
    }

    @Test func sequencesAreInsertedForATenantOrAreShared() throws {
        let store = try store()
        try store.insert(many: 0..<5, into: Customer.self, tenant: 7) { Customer(number: $0) }
        try store.insert(many: ["DK"], into: Country.self) { Country(code: $0) }
        let counts = try [7, 8].map { tenant in try store.read(tenant: tenant) { try $0.count(Customer.self) } }
        #expect(counts == [5, 0])
        #expect(try store.read(tenant: 8) { try $0.count(Country.self) } == 1)
    }

    @Test func asynchronousSequencesAreInsertedForATenant() async throws {
        let store = try store()
        let (stream, feed) = AsyncStream.makeStream(of: Int.self)
        for number in 0..<5 { feed.yield(number) }
        feed.finish()
        let count = try await store.insert(many: stream, into: Customer.self, tenant: 7, batchSize: 2) {
            Customer(number: $0)
        }
        #expect(count == 5)
        let counts = try [7, 8].map { tenant in try store.read(tenant: tenant) { try $0.count(Customer.self) } }
        #expect(counts == [5, 0])
    }
}

@Entity(authenticatesRows: true)
final class Prescription {
    var drug: String

    init(drug: String) {
        self.drug = drug
    }
}

@Suite struct AuthenticatedEntityTests {
    @Test func theModelAuthenticatesRows() throws {
        #expect(try Model(of: Prescription.self).authenticatesRows(of: "Prescription"))
    }

    @Test func aStoreInMemoryRequiresNoKey() throws {
        let store = try Store.inMemory(for: Prescription.self, transformers: TransformerRegistry {})
        try store.write { context in _ = context.insert(Prescription(drug: "aspirin")) }
        #expect(try store.read { try $0.fetch(Prescription.self).map(\.drug) } == ["aspirin"])
    }
}
