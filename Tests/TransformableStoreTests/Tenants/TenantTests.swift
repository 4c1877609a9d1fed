import EncryptionPlugin
import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Reading and writing as a tenant.
@Suite(.eachEngine) struct TenantTests {
    private let fixture: TenantFixture
    private var store: Store { fixture.store }

    init() throws {
        fixture = try TenantFixture()
    }

    @Test func tenantSeesItsOwnObjects() throws {
        for (tenant, ids) in [(1 as Int64, fixture.first), (2, fixture.second)] {
            try store.read(tenant: tenant) { context in
                #expect(context.tenant == tenant)
                let patient = try context.object(ids.patient)
                #expect(try patient.value("name", as: String.self) == "Ada \(tenant)")
                #expect(try patient.value("ssn", as: String.self) == "123-45-6789")
                #expect(try patient.value("scan", as: Data.self) == Data(repeating: UInt8(tenant), count: 500))
                #expect(try patient.object("ward")?.id == ids.ward)
                #expect(try patient.object("country")?.value("code", as: String.self) == "DK")
                #expect(try patient.objects("friends").map(\.id) == [ids.friend])
                #expect(try patient.objects("tags").map(\.id) == [ids.tag])
                #expect(try context.names().sorted() == ["Ada \(tenant)", "Ben"])
                #expect(try context.names(where: Field("ssn") == "123-45-6789") == ["Ada \(tenant)"])
                #expect(try context.tenant(of: patient) == tenant)
            }
        }
    }

    @Test func worksInMemory() throws {
        let fixture = try TenantFixture(inMemory: true)
        #expect(try fixture.store.read(tenant: 2) { try $0.names().sorted() } == ["Ada 2", "Ben"])
    }

    @Test func awaitedBlocksSeeTheirTenant() async throws {
        let names = try await store.read(tenant: 1) { try $0.names().sorted() }
        #expect(names == ["Ada 1", "Ben"])
        let (count, ward) = (3, fixture.second.ward)
        try await store.write(tenant: 2) { try $0.object(ward).setValue("West \(count)", for: "name") }
        let wards = try await store.readAcrossTenants { context in
            try context.fetch("Ward").map { try $0.value("name", as: String.self) }
        }
        #expect(wards == ["East", "West 3"])
    }

    @Test func plainCallsAskForATenant() async throws {
        let required = StoreError(code: .tenantRequired)
        let error = #expect(throws: required) { try store.read { try $0.count("Patient") } }
        #expect(error?.message.contains("read(tenant:)") == true)
        #expect(throws: required) { try store.write { _ = try $0.insert("Patient") } }
        #expect(throws: required) { try store.rehearse { try $0.delete("Patient", where: .all) } }
        #expect(throws: required) { try store.changes() }
        #expect(throws: required) { try store.sections(of: "Patient") }
        await #expect(throws: required) { try await store.read { try $0.count("Patient") } }
        await #expect(throws: required) { try await store.write { _ = try $0.insert("Patient") } }
        let context = store.makeContext()
        #expect(throws: required) { try context.count("Patient") }
        #expect(throws: StoreError(code: .misuse)) { try context.insert("Patient") }
        let bytes = store.bytes("scan", of: fixture.first.patient)
        await #expect(throws: required) { for try await _ in bytes {} }
    }

    @Test func manyObjectsAreInsertedForATenantOrAreShared() throws {
        try store.insert(many: ["North", "South"], into: "Ward", tenant: 2) { try $0.setValue($1, for: "name") }
        try store.insert(many: ["SE"], into: "Country") { try $0.setValue($1, for: "code") }
        #expect(throws: StoreError(code: .tenantRequired)) {
            try store.insert(many: ["West"], into: "Ward") { try $0.setValue($1, for: "name") }
        }
        let wards = try [1, 2].map { tenant in try store.read(tenant: tenant) { try $0.count("Ward") } }
        #expect(wards == [1, 3])
        #expect(try store.read(tenant: 1) { try $0.count("Country") } == 2)
    }

    @Test func aStoreWithoutTenantsRejectsTenantOperations() throws {
        let store = try Store.inMemory(model: Models.person(), transformers: Transformers().registry())
        #expect(throws: StoreError(code: .misuse)) { try store.read(tenant: 1) { _ in } }
        #expect(throws: StoreError(code: .misuse)) { try store.write(tenant: 1) { _ in } }
        #expect(throws: StoreError(code: .misuse)) { try store.readAcrossTenants { _ in } }
        #expect(throws: StoreError(code: .misuse)) { try store.writeShared { _ in } }
    }

    @Test func uniquenessHoldsWithinATenant() throws {
        let error = #expect(throws: StoreError.self) {
            try store.write(tenant: 1) { context in
                let ward = try context.insert("Ward")
                try ward.setValue("East", for: "name")
            }
        }
        #expect(error?.code == .notUnique)
        #expect(error?.attribute == "name")
        #expect(error?.message == "another object has the same name")
    }

    @Test func everythingIsReadForItsOwnTenant() throws {
        try store.readAcrossTenants { context in
            #expect(try context.count("Patient") == 4)
            for (tenant, ids) in [(1 as Int64, fixture.first), (2, fixture.second)] {
                let patient = try context.object(ids.patient)
                #expect(try context.tenant(of: patient) == tenant)
                #expect(try patient.value("ssn", as: String.self) == "123-45-6789")
                #expect(try patient.value("scan", as: Data.self).first == UInt8(tenant))
                #expect(try patient.objects("friends").map(\.id) == [ids.friend])
            }
            #expect(try context.tenant(of: context.object(fixture.country)) == nil)
            #expect(throws: StoreError(code: .unsupported)) {
                try context.count("Patient", where: Field("ssn") == "123-45-6789")
            }
            #expect(try context.count("Patient", where: Condition("ssn == null")) == 2)
            #expect(try context.count("Patient", where: Condition("ssn != null")) == 2)
        }
    }

    /// The cells of the index differ for each tenant, and the values do not.
    @Test(arguments: [Field("email") == "a@b", Field("email").isIn(["a@b", "c"])])
    func valuesWithAnIndexAreComparedAcrossTenants(condition: Condition) throws {
        let email = AttributeDescription.transformed(
            "email",
            "text",
            as: String.self,
            .optional,
            .projected("text | blind-index")
        )
        let model = try Model(hasTenants: true, entities: [EntityDescription("Patient", attributes: [email])])
        let store = try Store.trial(model: model, transformers: TenantFixture.registry(KeyRing.empty.addingKey()))
        for tenant in [1, 2] as [Int64] {
            try store.write(tenant: tenant) { context in
                try context.insert("Patient").setValue("a@b", for: "email")
                try context.insert("Patient").setValue("d", for: "email")
            }
        }
        #expect(try store.read(tenant: 2) { try $0.count("Patient", where: condition) } == 1)
        #expect(try store.readAcrossTenants { try $0.count("Patient", where: condition) } == 2)
        #expect(try store.readAcrossTenants { try $0.count("Patient", where: !condition) } == 2)
    }

    @Test func valuesAcrossTenantsAreOpenedForTheirOwn() throws {
        #expect(try fixture.secretsAcrossTenants() == ["Ada 1 123-45-6789", "Ada 2 123-45-6789", "Ben -", "Ben -"])
    }

    @Test func storeVerifies() throws {
        let result = try store.verify()
        #expect(result.faults.isEmpty)
        #expect(result.objectCount == 9)
    }

    @Test func onlySharedBlocksChangeSharedObjects() throws {
        let misuse = StoreError(code: .misuse)
        #expect(throws: misuse) { try store.write(tenant: 1) { _ = try $0.insert("Country") } }
        #expect(throws: misuse) {
            try store.write(tenant: 1) { try $0.object(fixture.country).setValue("SE", for: "code") }
        }
        #expect(throws: misuse) { try store.write(tenant: 1) { try $0.delete($0.object(fixture.country)) } }
        #expect(throws: misuse) { try store.writeShared { _ = try $0.insert("Patient") } }
        #expect(throws: StoreError(code: .noSuchObject)) {
            try store.writeShared { try $0.object(fixture.first.ward).id }
        }
        try store.writeShared { try $0.object(fixture.country).setValue("SE", for: "code") }
        #expect(try store.read(tenant: 2) { try $0.object(fixture.country).value("code", as: String.self) } == "SE")
        #expect(throws: StoreError(code: .readOnly)) {
            try store.readAcrossTenants { try $0.object(fixture.country).setValue("NO", for: "code") }
        }
    }

    @Test func nothingOfAScopeStaysOnTheConnections() throws {
        for _ in 0..<3 {
            #expect(throws: StoreError(code: .noSuchObject)) {
                try store.write(tenant: 1) { try $0.object(fixture.second.ward).id }
            }
            #expect(try store.read(tenant: 2) { try $0.count("Patient") } == 2)
            #expect(try store.read(tenant: 3) { try $0.count("Patient") } == 0)
            #expect(try store.readAcrossTenants { try $0.count("Patient") } == 4)
        }
    }

    @Test func observersSeeTheirTenantAndSharedObjects() async throws {
        let (first, second, country) = (fixture.first.ward, fixture.second.ward, fixture.country)
        var changes = try store.changes(tenant: 1).makeAsyncIterator()
        try await store.write(tenant: 2) { try $0.object(second).setValue("West", for: "name") }
        try await store.write(tenant: 1) { try $0.object(first).setValue("North", for: "name") }
        #expect(await changes.next()?.updated == [first: ["name"]])
        try store.writeShared { try $0.object(country).setValue("SE", for: "code") }
        #expect(await changes.next()?.updated == [country: ["code"]])
    }

    @Test func sectionsFollowOneTenant() async throws {
        var sections = try store.sections(of: "Patient", tenant: 2, sortedBy: [.ascending("name")], by: "name")
            .makeAsyncIterator()
        #expect(try await sections.next()?.sections.count == 2)
    }

    @Test func bytesAreReadForATenant() async throws {
        var own = Data()
        for try await piece in try store.bytes("scan", of: fixture.first.patient, tenant: 1) { own += piece }
        #expect(own == Data(repeating: 1, count: 500))
        await #expect(throws: StoreError(code: .noSuchObject)) {
            for try await _ in try store.bytes("scan", of: fixture.first.patient, tenant: 2) {}
        }
    }

    // MARK: - The file

    @Test(.sqliteOnly("It opens the file with SQLite.")) func sealedBytesNameTheTenantAndDiffer() throws {
        let rows = try shell(fixture.folder.file()) { database in
            try Row.fetchAll(
                database,
                sql: "SELECT \"_tenant\", \"ssn\", \"ssn_blind_index\" FROM \"Patient\" ORDER BY \"_tenant\""
            )
        }
        #expect(rows.map { $0[0] as Int64 } == [1, 2])
        // Store, entity, attribute, object, and tenant.
        #expect(rows.map { ($0[1] as Data)[7] } == [0b11111, 0b11111])
        #expect(rows[0][2] as Int64 != rows[1][2] as Int64)
    }

    @Test(.sqliteOnly("It opens the file with SQLite.")) func fileRejectsAReferenceToAnotherTenant() throws {
        let (patient, ward) = (fixture.first.patient.number, fixture.second.ward.number)
        #expect(throws: DatabaseError.self) {
            try shell(fixture.folder.file()) { database in
                try database.execute(
                    sql: "UPDATE \"Patient\" SET \"ward\" = ? WHERE \"_id\" = ?",
                    arguments: [ward, patient]
                )
            }
        }
    }

    @Test(.sqliteOnly("It opens the file with SQLite.")) func rowMovedToAnotherTenantDoesNotOpen() throws {
        let patient = fixture.first.patient
        try shell(fixture.folder.file()) { database in
            try database.execute(sql: "PRAGMA foreign_keys = OFF")
            let sql = "UPDATE \"Patient\" SET \"_tenant\" = 2, \"badge\" = 7 WHERE \"_id\" = ?"
            try database.execute(sql: sql, arguments: [patient.number])
        }
        try store.read(tenant: 2) { context in
            let error = #expect(throws: StoreError.self) { try context.object(patient).value("ssn", as: String.self) }
            #expect((error?.underlying as? TransformerError)?.code == .authenticationFailed)
        }
    }
}
