import EncryptionPlugin
import Foundation
import StandardPlugin
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

@Suite struct ChangingSampleTests {
    private let folder: URL
    private let registry: TransformerRegistry

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "changing-samples-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let keys = try KeyRing.empty.addingKey(named: "clinic")
        registry = try TransformerRegistry {
            StandardPlugin()
            EncryptionPlugin(keys: keys)
        }
    }

    private func remove() {
        try? FileManager.default.removeItem(at: folder)
    }

    private func patients(_ note: AttributeDescription, version: Int = 1) throws -> Model {
        try Model(
            version: version,
            entities: [
                EntityDescription(
                    "Patient",
                    attributes: [.transformed("ssn", "text | sealed", as: String.self, .default("0")), note]
                )
            ]
        )
    }

    private func insert(_ text: String, into store: Store) throws {
        try store.write { try $0.insert("Patient").setValue(text, for: "note") }
    }

    @Test func namesOfSeveralVersions() throws {
        defer { remove() }
        let url = folder.appending(path: "people.sqlite")
        let first = try Model(entities: [EntityDescription("Person", attributes: [.string("full")])])
        let store = try Store(at: url, model: first, transformers: registry)
        try store.write { try $0.insert("Person").setValue("Ada Lovelace", for: "full") }
        try store.close()
        let model = try Model(
            version: 4,
            entities: [
                EntityDescription(
                    "Person",
                    attributes: [
                        // “full” in version 1, “name” in 2 and 3.
                        .string("displayName", .renamed(from: "full", in: 2), .renamed(from: "name", in: 4)),
                        // Not the “full” of version 1.
                        .string("full", .optional, .added(in: 3)),
                    ]
                )
            ]
        )
        let newest = try Store(at: url, model: model, transformers: registry)
        try newest.read { context in
            let person = try #require(try context.first("Person"))
            #expect(try person.value("displayName", as: String.self) == "Ada Lovelace")
            #expect(try person.value("full", as: String?.self) == nil)
        }
    }

    @Test func reencoding() throws {
        defer { remove() }
        let url = folder.appending(path: "clinic.sqlite")
        let store = try Store(at: url, model: patients(.string("note")), transformers: registry)
        try insert("a secret note", into: store)
        do {
            let report = try store.reencode(Reencoding("ssn", of: "Patient"))
            print("\(report.cells) values rewritten, \(report.failureCount) left unchanged")
            #expect(report.cells == 1)
        }
        let sealing = Reencoding("note", of: "Patient", to: .transformer("text | sealed"))
        try store.reencode(sealing) { progress in
            print("\(progress.done) of \(progress.total)")
        }
        try store.close()
        do {
            let model = try patients(.transformed("note", "text | sealed(deterministic: true)", as: String.self))
            let options = Store.Options(changedTransformers: .reencode)
            let store = try Store(at: url, model: model, transformers: registry, options: options)
            let notes = try store.read { try $0.fetch("Patient").map { try $0.value("note", as: String.self) } }
            #expect(notes == ["a secret note"])
        }
    }

    @Test func scrubbing() throws {
        defer { remove() }
        let url = folder.appending(path: "clinic.sqlite")
        let store = try Store(at: url, model: patients(.string("note")), transformers: registry)
        try insert("a secret note", into: store)
        var sealing = Reencoding("note", of: "Patient", to: .transformer("text | sealed"))
        sealing.sampleCount = 1000
        let report = try store.reencode(sealing)
        let remains = try store.scrub(searchingFor: report.canaries)
        #expect(report.canaries.count == 1)
        #expect(remains == [:])
    }

    @Test func steps() throws {
        defer { remove() }
        let url = folder.appending(path: "clinic.sqlite")
        let old = try Model(entities: [EntityDescription("Patient", attributes: [.string("fullName")])])
        let first = try Store(at: url, model: old, transformers: registry)
        try first.write { try $0.insert("Patient").setValue("Ada Lovelace", for: "fullName") }
        try first.close()
        let attributes: [AttributeDescription] = [.string("lastName", .default(""))]
        let model = try Model(version: 2, entities: [EntityDescription("Patient", attributes: attributes)])
        let step = MigrationStep(from: 1, to: 2) { migration in
            try migration.context.forEach("Patient") { patient in
                let name = try migration.oldValue("fullName", of: patient, as: String.self)
                try patient.setValue(name.split(separator: " ").last.map(String.init) ?? name, for: "lastName")
            }
        }
        let plan = try Store.plan(at: url, model: model, transformers: registry)
        print(plan)
        guard plan.refusals.isEmpty else { return }
        let store = try Store(at: url, model: model, transformers: registry, migrations: [step])
        #expect(try store.read { try $0.fetch("Patient")[0].value("lastName", as: String.self) } == "Lovelace")
        print(try store.namesSetAside())
        try store.discardSetAside()
        #expect(try store.namesSetAside() == [])
    }

    @Test func referencesThatTheNewModelCannotStore() throws {
        defer { remove() }
        let url = folder.appending(path: "clinic.sqlite")
        func model(_ version: Int, _ relationship: RelationshipDescription) throws -> Model {
            let patient = EntityDescription("Patient", relationships: [relationship])
            let doctor = EntityDescription("Doctor", attributes: [.string("name")])
            return try Model(version: version, entities: [patient, doctor])
        }
        let first = try Store(at: url, model: model(1, .toMany("doctors", "Doctor")), transformers: registry)
        try first.write { context in
            let patient = try context.insert("Patient")
            for name in ["Ada", "Bea"] {
                let doctor = try context.insert("Doctor")
                try doctor.setValue(name, for: "name")
                try patient.add(doctor, to: "doctors")
            }
        }
        try first.close()
        let step = MigrationStep(from: 1, to: 2) { migration in
            try migration.context.forEach("Patient") { patient in
                let doctors = try migration.oldObjects("doctors", of: patient)
                try patient.setObject(doctors.first.map(migration.context.object), for: "doctor")
            }
        }
        var doctor = RelationshipDescription.toOne("doctor", "Doctor")
        doctor.renamedFrom = "doctors"
        let second = try model(2, doctor)
        let store = try Store(at: url, model: second, transformers: registry, migrations: [step])
        let name = try store.read { try $0.fetch("Patient")[0].object("doctor")?.value("name", as: String.self) }
        #expect(name == "Ada")
    }

    @Test func valuesThatTheNewModelRequires() throws {
        defer { remove() }
        let url = folder.appending(path: "clinic.sqlite")
        let first = try Store(
            at: url,
            model: Model(entities: [EntityDescription("Patient", attributes: [.string("name")])]),
            transformers: registry
        )
        try first.write { try $0.insert("Patient").setValue("Ada", for: "name") }
        try first.close()
        let patient = EntityDescription("Patient", attributes: [.string("name"), .string("code", .unique)])
        let model = try Model(version: 2, entities: [patient])
        #expect(throws: StoreError(.missingValue, "")) { try Store(at: url, model: model, transformers: registry) }
        let step = MigrationStep(from: 1, to: 2) { migration in
            try migration.context.forEach("Patient") { patient in
                try patient.setValue("P-\(patient.id.number)", for: "code")
            }
        }
        let store = try Store(at: url, model: model, transformers: registry, migrations: [step])
        #expect(try store.read { try $0.fetch("Patient")[0].value("code", as: String.self) } == "P-1")
    }

    @Test func renamedComposites() throws {
        defer { remove() }
        let url = folder.appending(path: "boxes.sqlite")
        func model(_ version: Int, _ composite: CompositeDescription) throws -> Model {
            try Model(version: version, entities: [EntityDescription("Box", composites: [composite])])
        }
        let size = CompositeDescription("size", as: CGSize.self)
        let first = try Store(at: url, model: model(1, size), transformers: registry)
        try first.write { try $0.insert("Box").setValue(CGSize(width: 4, height: 2), for: "size") }
        try first.close()
        var extent = CompositeDescription("extent", as: CGSize.self)
        extent.renamedFrom = "size"
        let store = try Store(at: url, model: model(2, extent), transformers: registry)
        #expect(try store.read { try $0.fetch("Box")[0].value("extent", as: CGSize.self).width } == 4)
    }

    @Test func oldValuesOfTypesDeclaredOnlyInCode() throws {
        struct Settings: Codable, Equatable {
            var beds: Int
        }
        defer { remove() }
        let url = folder.appending(path: "clinic.sqlite")
        let settings = AttributeDescription.transformed("settings", "json", as: Settings.self)
        let old = try Model(entities: [EntityDescription("Patient", attributes: [settings])])
        let first = try Store(at: url, model: old, transformers: registry)
        try first.write { try $0.insert("Patient").setValue(Settings(beds: 3), for: "settings") }
        try first.close()
        let beds = EntityDescription("Patient", attributes: [.integer("beds", .default(0))])
        let step = MigrationStep(from: 1, to: 2) { migration in
            try migration.context.forEach("Patient") { patient in
                let settings = try migration.oldValue("settings", of: patient, as: Settings.self)
                try patient.setValue(settings.beds, for: "beds")
            }
        }
        let model = try Model(version: 2, entities: [beds])
        let store = try Store(at: url, model: model, transformers: registry, migrations: [step])
        #expect(try store.read { try $0.fetch("Patient")[0].value("beds", as: Int.self) } == 3)
    }

    @Test func compoundProjections() throws {
        defer { remove() }
        let person = EntityDescription(
            "Person",
            attributes: [
                .transformed("name", "text | sealed", as: String.self),
                .transformed("born", "text | sealed", as: String.self),
            ],
            projections: [
                CompoundProjection(
                    "name_born",
                    of: [.init("name", through: "lowercase"), "born"],
                    "blind-index(bits: 16)"
                )
            ]
        )
        let store = try Store.inMemory(model: Model(entities: [person]), transformers: registry)
        try store.write { context in
            let ada = try context.insert("Person")
            try ada.setValue("Ada", for: "name")
            try ada.setValue("1815-12-10", for: "born")
        }
        let found = try store.read {
            try $0.count("Person", where: Condition("name == 'Ada' and born == '1815-12-10'"))
        }
        #expect(found == 1)
    }
}
