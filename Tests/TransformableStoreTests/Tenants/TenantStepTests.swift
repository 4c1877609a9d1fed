import Foundation
import Synchronization
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// The steps of migrations, in stores whose models have tenants.
@Suite(.eachEngine) struct TenantStepTests {
    private let fixture: TenantFixture

    init() throws {
        fixture = try TenantFixture()
        try fixture.store.close()
    }

    private func open(_ model: Model?, _ steps: MigrationStep...) throws -> Store {
        try .trial(
            at: fixture.folder.file(),
            model: model,
            transformers: TenantFixture.registry(fixture.keys),
            migrations: steps
        )
    }

    /// The second version: `initials` and `digits` replace `name` and `ssn`, the scan and the entity `Tag` are gone.
    private static func second() throws -> Model {
        try TenantFixture.model(version: 2) { entities in
            entities[0].attributes.append(.string("label", .default("")))
            entities[1].attributes = [
                .string("initials", .default("")), .integer("badge", .unique), .string("note", .optional),
                .transformed("digits", "text | sealed", as: String.self, .optional),
            ]
            entities[1].uniqueness = []
            entities[1].relationships.removeLast()
            entities.removeLast()
        }
    }

    @Test func runsForEachTenant() throws {
        let tenants = Mutex<[Int64?]>([])
        let step = MigrationStep(from: 1, to: 2) { migration in
            let tenant = migration.context.tenant
            tenants.withLock { $0.append(tenant) }
            try migration.context.forEach("Patient") { patient in
                let name = try migration.oldValue("name", of: patient, as: String.self)
                try patient.setValue(String(name.prefix(1)) + (tenant.map { "\($0)" } ?? ""), for: "initials")
                let scan = try migration.oldValue("scan", of: patient, as: Data?.self)
                try patient.setValue(scan.map { "\($0.count) times \($0[0])" }, for: "note")
                let ssn = try migration.oldValue("ssn", of: patient, as: String?.self)
                try patient.setValue(ssn.map { String($0.suffix(4)) }, for: "digits")
            }
        }
        let store = try open(Self.second(), step)
        #expect(tenants.withLock(\.self) == [1, 2])
        for (tenant, ids) in [(1 as Int64, fixture.first), (2, fixture.second)] {
            try store.read(tenant: tenant) { context in
                let patient = try context.object(ids.patient)
                #expect(try patient.value("initials", as: String.self) == "A\(tenant)")
                #expect(try patient.value("note", as: String.self) == "500 times \(tenant)")
                #expect(try patient.value("digits", as: String.self) == "6789")
                #expect(try context.object(ids.friend).value("initials", as: String.self) == "B\(tenant)")
                #expect(try patient.object("ward")?.id == ids.ward)
            }
        }
        #expect(try store.verify().faults.isEmpty)
        try store.discardSetAside()
        #expect(try store.verify().faults.isEmpty)
    }

    @Test(.enabled(if: !Trial.isDistributed, "A distributed store has no external values of shared objects."))
    func externalValuesOfSharedObjectsBelongToNoTenant() throws {
        let model = try TenantFixture.model(version: 2) { entities in
            entities[0].attributes.append(.data("flag", .optional, .externalStorage(over: 100)))
            entities[1].attributes.append(.data("photo", .optional, .externalStorage(over: 100)))
        }
        let (flag, photo) = (Data(repeating: 7, count: 1000), Data(repeating: 8, count: 1000))
        let owned = MigrationStep(from: 1, to: 2) { migration in
            try migration.context.forEach("Patient") { try $0.setValue(photo, for: "photo") }
        }
        let shared = MigrationStep.shared(from: 1, to: 2) { migration in
            try migration.context.forEach("Country") { try $0.setValue(flag, for: "flag") }
        }
        let store = try open(model, owned, shared)
        for (tenant, ids) in [(1 as Int64, fixture.first), (2, fixture.second)] {
            let found = try store.read(tenant: tenant) { context in
                let objects = try [fixture.country, ids.patient].map(context.object)
                return try zip(objects, ["flag", "photo"]).map { try $0.value($1, as: Data.self) }
            }
            #expect(found == [flag, photo])
        }
        #expect(try store.verify().isSound)
    }

    @Test func seesOnlyObjectsOfItsTenant() throws {
        let names = Mutex<[Int64: [String]]>([:])
        let (first, second) = (fixture.first, fixture.second)
        let step = MigrationStep(from: 1, to: 2) { migration in
            let tenant = try #require(migration.context.tenant)
            let other = tenant == 1 ? second.patient : first.patient
            #expect(throws: StoreError(code: .noSuchObject)) { try migration.context.object(other) }
            #expect(try migration.context.count("Patient") == 2)
            #expect(try migration.context.count("Country") == 1)
            let own = "-- The tenant's own\nSELECT * FROM \"Patient\""
            #expect(try migration.context.rows(own).count == 1)
            try migration.forEachDropped("Tag") { tag in
                #expect(tag.number == (tenant == 1 ? first : second).tag.number)
                let name = try tag.value("name", as: String?.self) ?? ""
                names.withLock { $0[tenant, default: []].append(name) }
            }
            // What a step inserts belongs to its tenant.
            try migration.context.insert("Ward").setValue("North", for: "name")
        }
        let store = try open(Self.second(), step)
        #expect(names.withLock(\.self) == [1: ["urgent"], 2: ["urgent"]])
        for tenant in 1...2 as ClosedRange<Int64> {
            #expect(try store.read(tenant: tenant) { try $0.count("Ward") } == 2)
        }
    }

    @Test func readsReferencesThatTheModelCannotHold() throws {
        // Each tenant gets a second friend, so that the new relationship cannot hold both.
        let store = try open(nil)
        for (tenant, ids) in [(1 as Int64, fixture.first), (2, fixture.second)] {
            try store.write(tenant: tenant) { context in
                let ben = try context.insert("Patient")
                try ben.setValue("Cleo \(tenant)", for: "name")
                try ben.setValue(2, for: "badge")
                try context.object(ids.patient).add(ben, to: "friends")
            }
        }
        try store.close()
        let model = try TenantFixture.model(version: 2) { entities in
            entities[1].relationships[2] = .toOne("friend", "Patient")
            entities[1].relationships[2].renamedFrom = ["friends"]
        }
        let step = MigrationStep(from: 1, to: 2) { migration in
            try migration.context.forEach("Patient") { patient in
                let friends = try migration.oldObjects("friends", of: patient)
                try patient.setObject(friends.last.map(migration.context.object), for: "friend")
            }
        }
        let changed = try open(model, step)
        for (tenant, ids) in [(1 as Int64, fixture.first), (2, fixture.second)] {
            try changed.read(tenant: tenant) { context in
                let patient = try context.object(ids.patient)
                #expect(try patient.object("friend")?.value("name", as: String.self) == "Cleo \(tenant)")
            }
        }
        #expect(try changed.verify().faults.isEmpty)
    }

    @Test func aFailureForOneTenantLeavesAllUnchanged() throws {
        struct Stop: Error {}
        let step = MigrationStep(from: 1, to: 2) { migration in
            try migration.context.forEach("Ward") { try $0.setValue("West", for: "name") }
            if migration.context.tenant == 2 { throw Stop() }
        }
        #expect(throws: Stop.self) { try open(Self.second(), step) }
        let store = try open(nil)
        #expect(store.model.version == 1)
        for tenant in 1...2 as ClosedRange<Int64> {
            let ward = try store.read(tenant: tenant) { try $0.first("Ward")?.value("name", as: String.self) }
            #expect(ward == "East")
        }
        #expect(try store.verify().faults.isEmpty)
    }

    // MARK: - Shared objects

    @Test func aSharedStepChangesSharedObjects() throws {
        let runs = Mutex(0)
        let shared = MigrationStep.shared(from: 1, to: 2) { migration in
            runs.withLock { $0 += 1 }
            #expect(migration.context.tenant == nil)
            let country = try #require(try migration.context.first("Country"))
            try country.setValue("Denmark", for: "label")
            #expect(throws: StoreError(code: .tenantRequired)) { try migration.context.count("Patient") }
            #expect(try migration.context.rows("SELECT * FROM \"Patient\"").isEmpty)
            #expect(throws: StoreError(code: .tenantRequired)) { try migration.forEachDropped("Tag") { _ in } }
        }
        let owned = MigrationStep(from: 1, to: 2) { migration in
            let country = try #require(try migration.context.first("Country"))
            #expect(try country.value("label", as: String.self) == "Denmark")
        }
        let store = try open(Self.second(), shared, owned)
        #expect(runs.withLock(\.self) == 1)
        let label = try store.read(tenant: 2) { try $0.first("Country")?.value("label", as: String.self) }
        #expect(label == "Denmark")
    }

    @Test func aStepCannotChangeSharedObjects() throws {
        let step = MigrationStep(from: 1, to: 2) { migration in
            try migration.context.first("Country")?.setValue("Norway", for: "label")
        }
        let error = #expect(throws: StoreError(code: .misuse)) { try open(Self.second(), step) }
        #expect(error?.message.contains("use “MigrationStep.shared”") == true)
        #expect(try open(nil).model.version == 1)
    }

    @Test func everyStepReadsDroppedSharedObjects() throws {
        let model = try TenantFixture.model(version: 2) { entities in
            entities[1].relationships.remove(at: 1)
            entities[1].attributes.append(.string("country", .optional))
            entities.removeFirst()
        }
        let step = MigrationStep(from: 1, to: 2) { migration in
            try migration.forEachDropped("Country") { country in
                let code = try country.value("code", as: String?.self)
                try migration.context.forEach("Patient") { try $0.setValue(code, for: "country") }
            }
        }
        let store = try open(model, step)
        for tenant in 1...2 as ClosedRange<Int64> {
            #expect(try store.read(tenant: tenant) { try $0.count("Patient", where: Field("country") == "DK") } == 2)
        }
    }

    @Test func aSharedStepRequiresTenants() throws {
        let folder = try Folder()
        let registry = try Transformers().registry()
        let entity = EntityDescription("Log", attributes: [.string("text", .default(""))])
        try Store(at: folder.file(), model: Model(entities: [entity]), transformers: registry).close()
        let model = try Model(version: 2, entities: [entity])
        let step = MigrationStep.shared(from: 1, to: 2) { _ in }
        let error = #expect(throws: StoreError(code: .misuse)) {
            try Store(at: folder.file(), model: model, transformers: registry, migrations: [step])
        }
        #expect(error?.message.contains("shared objects") == true)
        let plan = try Store.plan(at: folder.file(), model: model, transformers: registry, migrations: [step])
        #expect(plan.refusals.count == 1)
    }
}
