import Foundation
import Testing
import Transformable
import TransformableStore

/// Every way to reach an object, tried as tenant 2 on the objects of tenant 1.
@Suite(.eachEngine) struct TenantIsolationTests {
    private let fixture: TenantFixture
    private var store: Store { fixture.store }
    private var foreign: TenantFixture.IDs { fixture.first }
    private var own: TenantFixture.IDs { fixture.second }

    init() throws {
        fixture = try TenantFixture()
    }

    private static let missing = StoreError(code: .noSuchObject)
    private static let dangling = StoreError(code: .danglingReference)
    private static let entities = ["Patient", "Guest", "Ward", "Tag"]

    /// The foreign objects, which no test may change.
    private func requireUnchanged(sourceLocation: SourceLocation = #_sourceLocation) throws {
        try store.read(tenant: 1) { context in
            let patient = try context.object(foreign.patient)
            #expect(try patient.value("name", as: String.self) == "Ada 1", sourceLocation: sourceLocation)
            #expect(try patient.object("ward")?.id == foreign.ward, sourceLocation: sourceLocation)
            #expect(try patient.objects("tags").map(\.id) == [foreign.tag], sourceLocation: sourceLocation)
            #expect(try patient.objects("friends").map(\.id) == [foreign.friend], sourceLocation: sourceLocation)
            #expect(try context.count("Patient") == 2, sourceLocation: sourceLocation)
            #expect(try context.count("Ward") == 1, sourceLocation: sourceLocation)
        }
    }

    // MARK: - Reading

    @Test func objectsByIdentifierAreMissing() throws {
        try store.read(tenant: 2) { context in
            for id in [foreign.patient, foreign.friend, foreign.ward, foreign.tag] {
                #expect(throws: Self.missing) { try context.object(id) }
                #expect(try context.objectIfPresent(id) == nil)
                let fault = try context.fault(id)
                #expect(throws: Self.missing) { try fault.value("name", as: String.self) }
                #expect(throws: Self.missing) { try fault.storedValue("name") }
                #expect(try fault.primitiveValue("name", as: String?.self) == nil)
            }
            let faults = try [foreign.patient, own.patient].map(context.fault)
            try? context.prefetch(faults)
            #expect(throws: Self.missing) { try faults[0].value("name", as: String.self) }
            #expect(try faults[1].value("name", as: String.self) == "Ada 2")
        }
    }

    @Test func cellsOfAFaultAreMissing() throws {
        try store.read(tenant: 2) { context in
            let patient = try context.fault(foreign.patient)
            #expect(throws: Self.missing) { try patient.encodedBytes("ssn") }
            #expect(throws: Self.missing) { try patient.stream("scan") }
            #expect(throws: StoreError(code: .unsupported)) { try patient.fileURL("scan") }
            #expect(throws: StoreError(code: .unsupported)) { try patient.mappedBytes("scan") }
            #expect(throws: Self.missing) { try patient.anyValue("ssn") }
        }
    }

    @Test func relationshipsOfAFaultAreEmptyOrMissing() throws {
        try store.read(tenant: 2) { context in
            let (patient, ward, tag) = try (
                context.fault(foreign.patient), context.fault(foreign.ward), context.fault(foreign.tag)
            )
            #expect(throws: Self.missing) { try patient.object("ward") }
            #expect((try? patient.objects("friends"))?.isEmpty != false)
            #expect((try? patient.objects("tags"))?.isEmpty != false)
            #expect((try? ward.objects("patients"))?.isEmpty != false)
            #expect((try? tag.objects("patients"))?.isEmpty != false)
        }
    }

    @Test func fetchesFindOnlyOwnObjects() throws {
        try store.read(tenant: 2) { context in
            #expect(try context.fetch("Patient").map(\.id) == [own.patient, own.friend])
            #expect(try context.fetch("Ward").map(\.id) == [own.ward])
            #expect(try context.first("Tag")?.id == own.tag)
            #expect(try context.ids("Patient") == [own.patient, own.friend])
            for entity in Self.entities {
                #expect(try context.count(entity) == (entity == "Patient" ? 2 : 1))
            }
            #expect(try !context.exists("Patient", where: Field("name") == "Ada 1"))
            var names: [String] = []
            try context.forEach("Patient") { names.append(try $0.value("name", as: String.self)) }
            try context.forEachBatch("Patient", of: 10) { batch in
                names += try batch.map { try $0.value("name", as: String.self) }
            }
            #expect(names == ["Ada 2", "Ben", "Ada 2", "Ben"])
        }
    }

    @Test func conditionsReachOnlyOwnObjects() throws {
        try store.read(tenant: 2) { (context: StoreContext) throws in
            #expect(try context.names(where: Field("ssn") == "123-45-6789") == ["Ada 2"])
            #expect(try context.names(where: Field("ward.name") == "East") == ["Ada 2"])
            #expect(try context.names(where: Field("tags").any(Field("name") == "urgent")) == ["Ada 2"])
            #expect(try context.count("Ward", where: Field("patients").any(Field("name") == "Ada 1")) == 0)
            #expect(try context.count("Ward", where: Condition("patients.@count == 1")) == 1)
            #expect(try context.count("Patient", where: Field("friends").any(Field("name") == "Ben")) == 1)
        }
    }

    @Test func valuesAndAggregatesAreOfOwnObjects() throws {
        try store.read(tenant: 2) { context in
            let names = try context.values("Patient", of: ["name", "ssn"])
                .map { try $0.value("name", as: String.self) }
            #expect(names == ["Ada 2", "Ben"])
            let sums = try context.aggregate("Patient", [.sum("badge"), .count])
            #expect(try sums.first?.value(.count, as: Int.self) == 2)
            #expect(try sums.first?.value(.sum("badge"), as: Int.self) == 2)
        }
    }

    @Test func statementsSeeOnlyOwnRows() throws {
        try store.read(tenant: 2) { context in
            let rows = try context.rows("SELECT \"_id\", \"name\", \"ssn\" FROM \"Patient\"")
            #expect(try rows.map { try $0.value("name", as: String.self) } == ["Ada 2"])
            #expect(try rows.first?.decoded("ssn", as: String.self, of: "Patient") == "123-45-6789")
            #expect(try context.rows("SELECT * FROM \"_pairs.Patient.tags\"").count == 1)
        }
    }

    @Test func statementsAcrossTenantsNameTheTenant() throws {
        try store.readAcrossTenants { context in
            let rows = try context.rows("SELECT \"_id\", \"_tenant\", \"ssn\" FROM \"Patient\" WHERE \"_tenant\" = 2")
            #expect(try rows.map { try $0.decoded("ssn", as: String.self, of: "Patient") } == ["123-45-6789"])
            let row = try #require(try context.rows("SELECT \"_id\", \"ssn\" FROM \"Patient\"").first)
            let error = #expect(throws: StoreError.self) { try row.decoded("ssn", as: String.self, of: "Patient") }
            #expect(error?.code == .unsupported && error?.message.contains("_tenant") == true)
        }
    }

    @Test(arguments: [
        "SELECT * FROM main.Patient", "SELECT * FROM \"MAIN\".Patient", "SELECT * FROM [main] . Patient",
        "SELECT * FROM `main`.`Patient`", "SELECT * FROM 'main'.Patient", "SELECT * FROM _transformable_blob",
        "SELECT * FROM \"_dropped.Patient.1\"", "SELECT * FROM/**/main/**/.Patient", "SELECT * FROM dbstat",
    ]) func statementsCannotNameTheTables(sql: String) throws {
        #expect(throws: StoreError(code: .invalidStatement)) {
            try store.read(tenant: 2) { _ = try $0.rows(sql) }
        }
    }

    // MARK: - Writing

    @Test func faultsCannotBeChanged() throws {
        #expect(throws: Self.missing) {
            try store.write(tenant: 2) { try $0.fault(foreign.ward).setValue("West", for: "name") }
        }
        #expect(throws: Self.missing) {
            try store.write(tenant: 2) { try $0.fault(foreign.patient).setContents(Data([1]), for: "scan") }
        }
        #expect(throws: Self.missing) {
            try store.write(tenant: 2) { try $0.fault(foreign.ward).replaceValue("West", for: "name") }
        }
        try requireUnchanged()
    }

    @Test func faultsCannotBeDeleted() throws {
        for id in [foreign.patient, foreign.ward, foreign.tag] {
            #expect(throws: Self.missing) { try store.write(tenant: 2) { try $0.delete($0.fault(id)) } }
        }
        try requireUnchanged()
        #expect(try store.write(tenant: 2) { try $0.delete("Tag", where: .all) } == 1)
        #expect(try store.write(tenant: 2) { try $0.delete("Ward", where: .all) } == 1)
        try requireUnchanged()
    }

    @Test func objectsCannotReferToObjectsOfOtherTenants() throws {
        #expect(throws: Self.dangling) {
            try store.write(tenant: 2) { try $0.object(own.patient).setObject($0.fault(foreign.ward), for: "ward") }
        }
        #expect(throws: Self.dangling) {
            try store.write(tenant: 2) { try $0.object(own.patient).add($0.fault(foreign.friend), to: "friends") }
        }
        #expect(throws: Self.dangling) {
            try store.write(tenant: 2) { try $0.object(own.patient).add($0.fault(foreign.tag), to: "tags") }
        }
        #expect(throws: Self.missing) {
            try store.write(tenant: 2) { try $0.object(own.ward).add($0.fault(foreign.patient), to: "patients") }
        }
        #expect(throws: Self.dangling) {
            try store.write(tenant: 2) {
                try $0.fault(foreign.tag).setObjects([$0.object(own.patient)], for: "patients")
            }
        }
        #expect(throws: Self.dangling) {
            let ward = foreign.ward.number
            _ = try store.write(tenant: 2) { context in
                try context.insert(many: [1], into: "Patient") { object, badge in
                    try object.setValue("Eve", for: "name")
                    try object.setValue(badge + 10, for: "badge")
                    try object.setValue(ward, for: "ward")
                }
            }
        }
        try requireUnchanged()
        #expect(try store.verify().faults.isEmpty)
    }

    @Test func upsertsFindOnlyOwnObjects() throws {
        try store.write(tenant: 2) { context in
            let ward = try context.upsert("Ward", ["name": "East"])
            #expect(ward.object.id == own.ward)
            #expect(!ward.isNew)
            let found = try context.findOrInsert("Patient", ["badge": 1, "name": "Ada 2"])
            #expect(found.object.id == own.patient)
        }
        try requireUnchanged()
    }

    @Test func bulkWorkConcernsOnlyOwnObjects() throws {
        try store.write(tenant: 2) { context in
            let count = try context.update("Tag", where: .all) { try $0.setValue("late", for: "name") }
            #expect(count == 1)
            try context.insert(many: ["a", "b"], into: "Tag") { try $0.setValue($1, for: "name") }
        }
        #expect(try store.read(tenant: 1) { try $0.count("Tag", where: Field("name") == "urgent") } == 1)
        #expect(try store.read(tenant: 2) { try $0.count("Tag") } == 3)
        try requireUnchanged()
    }

    @Test func rehearsalsConcernOnlyOwnObjects() throws {
        let trial = try store.rehearse(tenant: 2) { try $0.delete("Patient", where: .all) }
        #expect(trial.result == 2)
        #expect(trial.changes.deleted == [own.patient, own.friend])
        try requireUnchanged()
    }

    // MARK: - Editing

    @Test func pendingChangesDoNotRevealRowsOfOtherTenants() throws {
        let context = try store.makeContext(tenant: 2)
        let ward = try context.object(own.ward)
        try ward.setValue("West", for: "name")
        let patient = try context.insert("Patient")
        try patient.setValue("Eve", for: "name")
        try patient.setValue(3, for: "badge")
        try patient.setObject(ward, for: "ward")
        try patient.add(context.object(own.tag), to: "tags")
        try context.object(own.patient).removeValue(for: "ssn")
        for _ in 0..<2 {
            #expect(try context.names().sorted() == ["Ada 2", "Ben", "Eve"])
            #expect(try context.count("Ward") == 1)
            #expect(try context.names(where: Field("ward.name") == "West").sorted() == ["Ada 2", "Eve"])
            #expect(
                try context.names(where: Field("tags").any(Field("name") == "urgent")).sorted() == ["Ada 2", "Eve"]
            )
            #expect(try context.names(where: Field("ssn") == "123-45-6789").isEmpty)
            #expect(throws: Self.missing) { try context.object(foreign.ward) }
        }
        try context.save()
        #expect(try store.read(tenant: 2) { try $0.count("Patient") } == 3)
        try context.undo()
        try context.save()
        try requireUnchanged()
        #expect(try store.verify().faults.isEmpty)
    }

    @Test func conflictsAndMergesStayWithinATenant() throws {
        let context = try store.makeContext(tenant: 2, onConflict: .mine)
        let ward = try context.object(own.ward)
        try ward.setValue("West", for: "name")
        try store.write(tenant: 2) { try $0.object(own.tag).setValue("seen", for: "name") }
        try store.write(tenant: 1) { try $0.object(foreign.tag).setValue("urgent", for: "name") }
        try store.write(tenant: 2) { try $0.object(own.patient).setObject(nil, for: "ward") }
        try context.save()
        context.refreshAll()
        #expect(try context.object(own.ward).value("name", as: String.self) == "West")
        #expect(throws: Self.missing) {
            try context.delete(context.fault(foreign.ward))
            try context.save()
        }
        try requireUnchanged()
    }
}
