import EncryptionPlugin
import Foundation
import GeometryPlugin
import ImagePlugin
import StandardPlugin
import Testing
import TransformableEntities

enum Severity: Int {
    case low
    case high
}

@Entity
final class Patient {
    var name: String
    @Attribute(.indexed) var admitted: Date
    @Attribute(transformer: .sealed, .projected("blind-index(bits: 12)")) var ssn: String?
    @Attribute(transformer: .rect) var bed: CGRect
    @Attribute(transformer: .png) var portrait: RasterImage?
    var severity: Severity = .low
    @Transient var isSelected = false
    @Relationship(deleteRule: .cascade, inverse: \Visit.patient) var visits: [Visit]

    init(name: String, admitted: Date, bed: CGRect) {
        self.name = name
        self.admitted = admitted
        self.bed = bed
    }
}

@Entity
final class Visit {
    var reason = "checkup"
    @Relationship var patient: Patient?
}

actor Ward {
    private let store: Store

    init(store: Store) { self.store = store }

    func admit(_ name: String) async throws -> PersistentID<Patient> {
        try await store.write { context in
            context.insert(Patient(name: name, admitted: .now, bed: .zero)).persistentID
        }
    }

    func name(of id: PersistentID<Patient>) async throws -> String? {
        try await store.read { context in try context.objectIfPresent(id)?.name }
    }
}

extension TypedExpression where Value == [Int] {
    static var numbers: Self { Self("json | gzip").sealed() }
}

/// What the class was before.
private enum Before {
    @Entity
    final class Member {
        var fullName: String

        init(_ fullName: String) { self.fullName = fullName }
    }
}

@Entity
final class Member {
    var lastName = ""
    var tags: [String] = []
    var marks: [String: Int] = [:]
}

@Suite struct EntitySampleTests {
    let url = URL.temporaryDirectory.appending(path: "\(UUID()).sqlite")
    let registry: TransformerRegistry

    init() throws {
        let ring = try KeyRing.empty.addingKey(named: "clinic")
        registry = try TransformerRegistry {
            StandardPlugin()
            GeometryPlugin()
            ImagePlugin()
            EncryptionPlugin(keys: ring)
        }
    }

    /// The sample, which is not asynchronous.
    private func storeObjects() throws -> (Store, PersistentID<Patient>, names: [String]) {
        let store = try Store(at: url, for: Patient.self, Visit.self, transformers: registry)

        let id = try store.write { context in
            let bed = CGRect(x: 0, y: 0, width: 2, height: 1)
            let patient = context.insert(Patient(name: "Ada", admitted: .now, bed: bed))
            patient.ssn = "123-45-6789"
            patient.visits.append(Visit())
            return patient.persistentID
        }
        let names = try store.read { context in
            try context.fetch(Patient.self, where: #Predicate { $0.ssn == "123-45-6789" }).map(\.name)
        }
        return (store, id, names)
    }

    @Test func storesObjects() async throws {
        let (store, id, names) = try storeObjects()
        #expect(names == ["Ada"])
        #expect(try await Ward(store: store).name(of: id) == "Ada")
        #expect(try await Ward(store: store).admit("Bea") != id)
        try await store.read { context in
            let (portrait, damaged) = try portrait(of: context.object(id))
            #expect(portrait == nil && damaged == nil)
            #expect(try context.object(id).severity == .low)
        }
        try await store.write { context in
            try context.delete(context.object(id))
            try context.save()
            #expect(try context.count(Visit.self) == 0)
        }
    }

    @Test func observes() async throws {
        let store = try Store.inMemory(for: Patient.self, Visit.self, transformers: registry)
        let ward = Ward(store: store)
        _ = try await ward.admit("Ada")
        _ = try await ward.admit("Bea")
        var shown: [[String]] = []
        for try await names in store.results(of: Patient.self, { try $0.fetch(Patient.self).map(\.name) }) {
            shown.append(names)
            if names.count == 2 { break }
        }
        #expect(shown == [["Ada", "Bea"]])
        try await store.read { context in
            var report = ""
            try context.forEach(Patient.self, sortedBy: [SortDescriptor(\.admitted)]) { patient in
                report.append("\(patient.name)\n")
            }
            #expect(report == "Ada\nBea\n")
        }
    }

    @Test func migrates() async throws {
        try await Store(at: url, for: Before.Member.self, transformers: registry)
            .write { _ = $0.insert(Before.Member("Ada Lovelace")) }
        let step = MigrationStep(from: 1, to: 2) { migration in
            try migration.context.forEach(Member.self) { member in
                let name = try migration.oldValue("fullName", of: member, as: String.self)
                member.lastName = name.split(separator: " ").last.map(String.init) ?? name
            }
        }
        let store = try Store(at: url, for: Member.self, version: 2, transformers: registry, migrations: [step])
        try await store.read { context in
            let member = try #require(try context.first(Member.self))
            #expect((member.lastName, member.tags, member.marks) == ("Lovelace", [], [:]))
        }
    }

    @Test func sections() async throws {
        let store = try Store.inMemory(for: Patient.self, Visit.self, transformers: registry)
        try await store.write { _ = $0.insert(Visit()) }
        var titles: [String] = []
        for try await list in try store.sections(of: Visit.self, sortedBy: [SortDescriptor(\.reason)], by: \.reason) {
            titles = try list.sections.map { try $0.value }
            if list.changes.inserted.count == 1 { break }
        }
        #expect(titles == ["checkup"])
    }

    @Test func computes() async throws {
        let store = try Store.inMemory(for: Patient.self, Visit.self, transformers: registry)
        let changes = try store.changes(of: Patient.self)
        let id = try await Ward(store: store).admit("Ada")
        var inserted: Set<PersistentID<Patient>> = []
        for await change in changes {
            inserted.formUnion(change.inserted)
            if !change.isIncomplete { break }
        }
        #expect(inserted == [id])
        try await store.read { context in
            var report = ""
            var names: [PersistentID<Patient>: String] = [:]
            let (count, latest) = try context.aggregate(Patient.self, .count, .max(\.admitted))
            for (severity, count) in try context.aggregate(Patient.self, .count, groupedBy: \.severity) {
                report.append("\(severity): \(count)\n")
            }
            for (id, name) in try context.values(Patient.self, of: \.persistentID, \.name) {
                names[id] = name
            }
            #expect(try count == 1 && latest == context.object(id).admitted)
            #expect(report == "low: 1\n" && names == [id: "Ada"])
            let visits = try context.fetch(Visit.self)
            let patients = try context.prefetch(visits, \.patient)
            #expect(patients.isEmpty)
        }
    }

    @Test func insertsMany() async throws {
        let store = try Store.inMemory(for: Patient.self, Visit.self, transformers: registry)
        let patient = try await Ward(store: store).admit("Ada")
        let reasons = ["checkup", "x-ray"]
        try Self.insert(reasons, of: patient, into: store)
        try await store.read { context in
            let visits = try context.object(patient).visits
            #expect(visits.map(\.reason) == reasons)
            let order = [SortDescriptor(\Visit.patient?.name), SortDescriptor(\Visit.reason, order: .reverse)]
            #expect(try context.fetch(Visit.self, sortedBy: order).map(\.reason) == ["x-ray", "checkup"])
        }
    }

    private static func insert(_ reasons: [String], of patient: PersistentID<Patient>, into store: Store) throws {
        let ids = try store.insert(many: reasons, into: Visit.self) { reason in
            let visit = Visit()
            visit.reason = reason
            try visit.setReference(\.patient, to: patient)
            return visit
        }
        #expect(ids.map(\.number) == [1, 2])
    }

    private func portrait(of patient: Patient) throws -> (RasterImage?, Data?) {
        var damaged: Data?
        func portrait() throws -> RasterImage? {
            do {
                return try patient.$portrait.value()
            } catch {
                damaged = try patient.$portrait.encodedBytes()
                return nil
            }
        }
        return (try portrait(), damaged)
    }

    @Test func checksClasses() throws {
        try Store.validate(Patient.self, Visit.self, transformers: registry)
        let numbers = try registry.transformer(TypedExpression<[Int]>.numbers.text, for: [Int].self)
        #expect(try numbers.decode(numbers.encode([1, 2])) == [1, 2])
    }
}
