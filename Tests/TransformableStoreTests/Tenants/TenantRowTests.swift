import EncryptionPlugin
import Foundation
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// The tags of rows that belong to tenants.
@Suite(.eachEngine) struct TenantRowTests {
    private let fixture: TenantFixture
    private var store: Store { fixture.store }
    private var url: URL { fixture.folder.file() }

    init() throws {
        fixture = try TenantFixture(authenticatesRows: true)
    }

    private func reopened(
        _ model: Model? = nil,
        _ keys: KeyRing? = nil,
        _ options: Store.Options = .mustExist,
        _ steps: MigrationStep...
    ) throws -> Store {
        try store.close()
        let registry = try TenantFixture.registry(keys ?? fixture.keys)
        return try .trial(at: url, model: model, transformers: registry, options: options, migrations: steps)
    }

    /// Expects that the tags of all rows are right, according to the store and to an independent program.
    private func requireGenuine(
        _ store: Store,
        at url: URL? = nil,
        _ keys: KeyRing? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try store.verify().faults.map(\.description) == [], sourceLocation: sourceLocation)
        guard RowFixture.hasPython else { return }
        let keys = keys ?? fixture.keys
        let registry = try TenantFixture.registry(keys)
        let result = try RowFixture.check(url ?? self.url, in: fixture.folder, keys, registry)
        let lines = result.split(separator: "\n")
        #expect(
            lines.count == 4 && lines.allSatisfy { $0.hasSuffix(" genuine") },
            "\(result)",
            sourceLocation: sourceLocation
        )
    }

    private func names(_ tenant: Int64, in store: Store? = nil) throws -> [String] {
        try (store ?? self.store).read(tenant: tenant) { try $0.names().sorted() }
    }

    // MARK: - Attacks

    /// A distributed table refuses such a change.
    @Test(.enabled(if: !Trial.isDistributed), arguments: ["Patient", "Ward"])
    func aRowIsNotMovedToAnotherTenant(entity: String) throws {
        let object = entity == "Patient" ? fixture.first.patient : fixture.first.ward
        // Otherwise, a constraint would prevent this.
        try RowFixture.change("DELETE FROM \"\(entity)\" WHERE \"_tenant\" = 2", in: url)
        try RowFixture.change("UPDATE \"\(entity)\" SET \"_tenant\" = 2 WHERE \"_id\" = \(object.number)", in: url)
        let error = #expect(throws: StoreError(code: .unauthenticatedRow)) {
            try store.read(tenant: 2) { _ = try $0.fetch(entity) }
        }
        #expect(error?.object == object)
        #expect(throws: StoreError(code: .unauthenticatedRow)) {
            try store.write(tenant: 2) { try $0.object(object).setValue("Eve", for: "name") }
        }
        #expect(try store.verify().faults.contains { $0.code == .unauthenticatedRow && $0.object == object })
    }

    @Test func aForgedRowConcernsItsTenant() throws {
        let change = "UPDATE \"Patient\" SET \"name\" = 'Eve' WHERE \"_id\" = \(fixture.second.patient.number)"
        try RowFixture.change(change + " AND \"_tenant\" = 2", in: url, of: 2)
        #expect(try names(1) == ["Ada 1", "Ben"])
        #expect(throws: StoreError(code: .unauthenticatedRow)) { try names(2) }
        #expect(throws: StoreError(code: .unauthenticatedRow)) {
            try store.readAcrossTenants { _ = try $0.fetch("Patient") }
        }
        #expect(throws: StoreError(code: .unauthenticatedRow)) {
            try store.write(tenant: 2) { context in
                try context.object(fixture.second.patient).setValue(7, for: "badge")
            }
        }
        #expect(throws: StoreError(code: .unauthenticatedRow)) { try store.reencode(Reencoding("ssn", of: "Patient")) }
        #expect(try store.verify().faults.map { $0.object } == [fixture.second.patient])
        let accepting = try reopened(nil, nil, Store.Options(acceptsUnauthenticatedRows: true))
        #expect(try names(2, in: accepting) == ["Ben", "Eve"])
        try requireGenuine(accepting)
    }

    @Test func valuesAcrossTenantsAreOpenedForTheirOwn() throws {
        #expect(try fixture.secretsAcrossTenants() == ["Ada 1 123-45-6789", "Ada 2 123-45-6789", "Ben -", "Ben -"])
    }

    // MARK: - Writing

    @Test func everyWriteRenewsTags() throws {
        for tenant in [1, 2] as [Int64] {
            try store.write(tenant: tenant) { context in
                _ = try context.insert(many: 0..<600, into: "Patient") { patient, number in
                    try patient.setValue("Patient \(number)", for: "name")
                    try patient.setValue(number + 10, for: "badge")
                    try patient.setValue("ssn \(number)", for: "ssn")
                }
            }
            try store.write(tenant: tenant) { context in
                for patient in try context.fetch("Patient", where: Field("badge") >= 300) {
                    try patient.setValue("Changed", for: "name")
                }
                let ward = try #require(try context.first("Ward"))
                try ward.setObjects(context.fetch("Patient", where: Field("badge") < 20), for: "patients")
            }
            // Each takes the badge of another one.
            try store.write(tenant: tenant) { context in
                for patient in try context.fetch("Patient", where: Field("badge") >= 600) {
                    let badge = try patient.value("badge", as: Int.self)
                    try patient.setValue(badge == 609 ? 600 : badge + 1, for: "badge")
                }
            }
        }
        try store.writeShared { try $0.object(fixture.country).setValue("NO", for: "code") }
        try requireGenuine(store)
        #expect(try names(1).count(where: { $0 == "Changed" }) == 310)
    }

    /// A database may store a value in another form than the one in which it was written.
    @Test func valuesOfEveryTypeAreCovered() throws {
        let url = fixture.folder.file("types.sqlite")
        let attributes: [AttributeDescription] = [
            .int16("small", .optional), .float("float", .optional), .double("double", .optional),
            .decimal("decimal", .optional), .boolean("flag", .optional), .string("text", .optional),
            .date("date", .optional), .data("bytes", .optional), .uuid("uuid", .optional), .url("url", .optional),
            .string("code", .optional, .unique),
            .transformed("lower", "text", as: String.self, .optional, .projected("lowercase", as: "found")),
        ]
        let model = try Model(
            hasTenants: true,
            entities: [EntityDescription("Sample", attributes: attributes, authenticatesRows: true)]
        )
        let store = try Store.trial(at: url, model: model, transformers: TenantFixture.registry(fixture.keys))
        let fill = { (sample: ManagedObject, number: Int) in
            try sample.setValue(-number, for: "small")
            try sample.setValue([-0.0, 1, .infinity, .leastNonzeroMagnitude][number] as Float, for: "float")
            try sample.setValue([-0.0, 7, -.infinity, 0x1p63][number] as Double, for: "double")
            try sample.setValue([0, 12, Decimal(string: "-0.50"), Decimal(string: "1e90")][number], for: "decimal")
            try sample.setValue(number % 2 == 0, for: "flag")
            try sample.setValue(["", "12", "1e3", "e\u{301}"][number], for: "text")
            try sample.setValue(Date(timeIntervalSinceReferenceDate: [-0.0, 1, 0.1, -1e9][number]), for: "date")
            try sample.setValue([Data(), Data("12".utf8), Data([0]), Data(count: 300)][number], for: "bytes")
            try sample.setValue(UUID(), for: "uuid")
            try sample.setValue(URL(string: "https://example.org/\(number)"), for: "url")
            try sample.setValue("\(number)", for: "code")
            try sample.setValue("ABC \(number)", for: "lower")
        }
        try store.write(tenant: 1) { context in
            for number in 0..<4 { try fill(context.insert("Sample"), number) }
        }
        try store.write(tenant: 1) { context in
            for (index, sample) in try context.fetch("Sample").enumerated() { try fill(sample, (index + 1) % 4) }
        }
        let registry = try TenantFixture.registry(fixture.keys)
        #expect(try store.verify().faults.map(\.description) == [])
        guard RowFixture.hasPython else { return }
        #expect(try RowFixture.check(url, in: fixture.folder, fixture.keys, registry) == "Sample 4 genuine")
    }

    @Test func aRotationReachesEveryTenant() throws {
        let keys = try fixture.keys.rotatingKey(named: "clinic")
        let newest = try #require(keys.generations(of: "clinic").last?.id)
        let store = try reopened(nil, keys)
        try store.write(tenant: 2) { try $0.object(fixture.second.patient).setValue("Cy", for: "name") }
        #expect(try store.rowKeys()["Patient"]?["\(newest)"] == 1)
        #expect(try store.reauthenticateRows() == 6)
        #expect(try store.rowKeys()["Patient"] == ["\(newest)": 2])
        try requireGenuine(store, keys)
    }

    @Test(arguments: [Reencoding.Target.same, .transformer("text | sealed(deterministic: true)"), .plain])
    func aReencodingKeepsRowsAuthentic(target: Reencoding.Target) throws {
        try store.reencode(Reencoding("ssn", of: "Patient", to: target))
        let store = try reopened()
        try requireGenuine(store)
        try store.write(tenant: 1) { try $0.object(fixture.first.patient).setValue(9, for: "badge") }
        try requireGenuine(store)
    }

    @Test func aMigrationTurnsTagsOnAndOff() throws {
        let step = MigrationStep(from: 2, to: 3) { migration in
            try migration.context.forEach("Patient") {
                try $0.setValue("\(migration.context.tenant ?? 0)", for: "name")
            }
        }
        try reopened(TenantFixture.model(version: 2)).close()
        let third = try TenantFixture.model(version: 3) { entities in
            TenantFixture.authenticateRows(of: &entities)
            entities[1].attributes.append(.integer("age", .default(0)))
        }
        let store = try reopened(third, nil, .mustExist, step)
        #expect(try names(2, in: store) == ["2", "2"])
        try requireGenuine(store)
    }

    @Test func anImportTagsEveryTenant() throws {
        let (file, copy) = (fixture.folder.file("export"), fixture.folder.file("copy.sqlite"))
        try store.export(to: file)
        let model = try TenantFixture.model(TenantFixture.authenticateRows)
        let imported = try Store.trial(at: copy, model: model, transformers: TenantFixture.registry(fixture.keys))
        try imported.importExport(from: file)
        #expect(try names(2, in: imported) == ["Ada 2", "Ben"])
        try requireGenuine(imported, at: copy)
    }
}
