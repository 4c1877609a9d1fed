import EncryptionPlugin
import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Migrating, re-encoding, exporting, and importing stores whose models have tenants.
@Suite(.eachEngine) struct TenantMaintenanceTests {
    private let fixture: TenantFixture
    private var store: Store { fixture.store }

    init() throws {
        fixture = try TenantFixture()
    }

    private func reopened(_ model: Model, _ keys: KeyRing? = nil) throws -> Store {
        try store.close()
        let registry = try TenantFixture.registry(keys ?? fixture.keys)
        return try .trial(at: fixture.folder.file(), model: model, transformers: registry)
    }

    private func requireContents(of store: Store, sourceLocation: SourceLocation = #_sourceLocation) throws {
        for (tenant, ids) in [(1 as Int64, fixture.first), (2, fixture.second)] {
            try store.read(tenant: tenant) { context in
                let patient = try context.object(ids.patient)
                #expect(try patient.value("name", as: String.self) == "Ada \(tenant)", sourceLocation: sourceLocation)
                #expect(try patient.value("ssn", as: String.self) == "123-45-6789", sourceLocation: sourceLocation)
                #expect(
                    try patient.value("scan", as: Data.self) == Data(repeating: UInt8(tenant), count: 500),
                    sourceLocation: sourceLocation
                )
                #expect(try patient.object("ward")?.id == ids.ward, sourceLocation: sourceLocation)
                #expect(try patient.objects("tags").map(\.id) == [ids.tag], sourceLocation: sourceLocation)
                #expect(try patient.objects("friends").map(\.id) == [ids.friend], sourceLocation: sourceLocation)
                #expect(
                    try context.names(where: Field("ssn") == "123-45-6789") == ["Ada \(tenant)"],
                    sourceLocation: sourceLocation
                )
                #expect(try context.count("Patient") == 2, sourceLocation: sourceLocation)
            }
        }
        #expect(try store.verify().faults.isEmpty, sourceLocation: sourceLocation)
    }

    @Test func opensAgain() throws {
        let store = try reopened(TenantFixture.model())
        try requireContents(of: store)
    }

    @Test func opensForReading() throws {
        try store.close()
        let registry = try TenantFixture.registry(fixture.keys)
        let store = try Store.trial(
            at: fixture.folder.file(),
            model: nil,
            transformers: registry,
            options: Store.Options(opening: .readOnly)
        )
        try requireContents(of: store)
        #expect(throws: StoreError(code: .readOnly)) { try store.write(tenant: 1) { _ in } }
    }

    // MARK: - Migration

    @Test func migrationKeepsTenants() throws {
        let model = try TenantFixture.model(version: 2) { entities in
            entities[1].attributes.append(.string("note", .default("new")))
            entities[1].attributes.append(.transformed("pin", "text | sealed", as: String.self, .optional))
            entities.append(EntityDescription("Room", attributes: [.string("name", .unique)]))
        }
        let store = try reopened(model)
        try requireContents(of: store)
        for tenant in 1...2 as ClosedRange<Int64> {
            try store.write(tenant: tenant) { context in
                let room = try context.insert("Room")
                try room.setValue("A", for: "name")
                let patient = try #require(try context.first("Patient", where: Field("note") == "new"))
                try patient.setValue("0000", for: "pin")
            }
        }
        #expect(try store.readAcrossTenants { try $0.count("Room") } == 2)
    }

    @Test func newProjectionIsComputedForEachTenant() throws {
        let model = try TenantFixture.model(version: 2) { entities in
            entities[1].attributes[2].projections
                .append(
                    ProjectionDescription("ssn_short", "text | blind-index(bits: 16)", indexed: true)
                )
        }
        let store = try reopened(model)
        try requireContents(of: store)
        let rows = try store.readAcrossTenants { context in
            try context.rows("SELECT \"ssn_short\" FROM \"Patient\"").map { try $0.column("ssn_short") }
        }
        #expect(Set(rows.map { "\($0)" }).count == 2)
    }

    @Test func droppedValuesNeedTheirKey() throws {
        let store = try reopened(TenantFixture.model(version: 2) { $0[1].attributes.remove(at: 2) })
        #expect(try store.namesSetAside().contains("Patient.ssn"))
        let key = try #require(fixture.keys.generations(of: "clinic").first?.id)
        #expect(try KeyUsage(of: [store]).setAside == [key: 2])
        #expect(throws: TransformerError(.keyInUse, "")) {
            try fixture.keys.rotatingKey().retiring(key, checking: [store])
        }
    }

    @Test func anEntityCannotBecomeSharedOrBelongToTenants() throws {
        try store.close()
        let registry = try TenantFixture.registry(fixture.keys)
        let shared = try TenantFixture.model(version: 2) { entities in
            entities.removeLast()
            entities[1].relationships.removeLast()
            // Shared objects in a distributed store cannot have external values, which is another error.
            entities[1].attributes.removeAll { $0.externalThreshold != nil }
            entities[1].isShared = true
            entities[3].isShared = true
        }
        let none = try Model(version: 2, entities: TenantFixture.model { $0[0].isShared = false }.entities)
        for model in [shared, none] {
            let error = #expect(throws: StoreError.self) {
                try Store.trial(at: fixture.folder.file(), model: model, transformers: registry)
            }
            #expect(error?.code == .unsupported)
            #expect(error?.message.contains("export") == true)
        }
    }

    @Test func sameVersionMustHaveTheSameTenants() throws {
        try store.close()
        let registry = try TenantFixture.registry(fixture.keys)
        let model = try Model(entities: TenantFixture.model { $0[0].isShared = false }.entities)
        let error = #expect(throws: StoreError.self) {
            try Store.trial(at: fixture.folder.file(), model: model, transformers: registry)
        }
        #expect(error?.code == .modelMismatch)
        #expect(error?.faults.contains("the model no longer has tenants") == true)
    }

    // MARK: - Re-encoding

    @Test func everyTenantIsReencodedWithAnotherTransformer() throws {
        let other = "reversed | text | sealed"
        try store.reencode(Reencoding("ssn", of: "Patient", to: .transformer(other)))
        for tenant in 1...2 as ClosedRange<Int64> {
            #expect(throws: StoreError(code: .storeChanged)) { try store.read(tenant: tenant) { _ in } }
        }
        let changed = try reopened(TenantFixture.model { $0[1].attributes[2].transformer = other })
        try requireContents(of: changed)
    }

    @Test func rotatedKeysReencodeEveryTenant() throws {
        let keys = try fixture.keys.rotatingKey(named: "clinic")
        let store = try reopened(TenantFixture.model(), keys)
        try store.reencode(Reencoding("ssn", of: "Patient"))
        try requireContents(of: store)
        let usage = try KeyUsage(of: [store])
        let old = try #require(fixture.keys.generations(of: "clinic").first?.id)
        // The scans still have the old key.
        #expect(usage.values[old] == 2)
    }

    @Test func rotatedKeysReencodeExternalValues() throws {
        let keys = try fixture.keys.rotatingKey(named: "clinic")
        let store = try reopened(TenantFixture.model(), keys)
        try store.reencode(Reencoding("ssn", of: "Patient"))
        try store.reencode(Reencoding("scan", of: "Patient"))
        try requireContents(of: store)
        let usage = try KeyUsage(of: [store])
        let old = try #require(fixture.keys.generations(of: "clinic").first?.id)
        #expect(usage.values[old] == nil)
        #expect(usage.values.values.reduce(0, +) == 4)
    }

    // MARK: - Export

    @Test func exportKeepsTenants() throws {
        let folder = fixture.folder.url.appending(path: "exported")
        let report = try store.export(to: folder)
        #expect(report.undecodableCount == 0)
        let lines = try String(contentsOf: folder.appending(path: "Patient.jsonl"), encoding: .utf8)
            .split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.map { $0.contains("\"_tenant\":1,") } == [true, false])
        let copy = try Store.trial(
            at: fixture.folder.file("copy.sqlite"),
            model: TenantFixture.model(),
            transformers: TenantFixture.registry(fixture.keys)
        )
        try copy.importExport(from: folder)
        try requireContents(of: copy)
    }

    @Test(arguments: ["", "\"_tenant\":\"x\",", "\"_tenant\":1.5,"]) func importNeedsTenants(tenant: String) throws {
        let folder = fixture.folder.url.appending(path: "exported")
        try store.export(to: folder)
        let file = folder.appending(path: "Ward.jsonl")
        let text = try String(contentsOf: file, encoding: .utf8)
        try Data(text.replacingOccurrences(of: "\"_tenant\":2,", with: tenant).utf8).write(to: file)
        let copy = try Store.trial(
            at: fixture.folder.file("copy.sqlite"),
            model: TenantFixture.model(),
            transformers: TenantFixture.registry(fixture.keys)
        )
        let error = #expect(throws: StoreError.self) { try copy.importExport(from: folder) }
        #expect(error?.code == .invalidValue)
        #expect(error?.message.ranges(of: "Ward.jsonl").count == 1)
        #expect(error?.message.hasSuffix("add the number of the object's tenant") == true)
        #expect(try copy.readAcrossTenants { try $0.count("Patient") } == 0)
    }

    @Test(.sqliteOnly("A store on a server is not a file.")) func fileCanBeCopied() throws {
        let url = fixture.folder.file("copy.sqlite")
        #expect(try store.copy(to: url).isEmpty)
        let registry = try TenantFixture.registry(fixture.keys)
        try requireContents(of: Store(at: url, transformers: registry))
    }
}
