import Foundation
import Testing
import Transformable
import TransformableCoreData
import TransformableEntities
import TransformableModel
import TransformableSQLite
import TransformableStore

/// What is generated from a model.
private enum Generated {
    @Entity
    nonisolated final class Patient {
        @Attribute(.indexed) var name: String
        var born: Date?
        var severity: Int16 = 0
        @Relationship(deleteRule: .cascade, inverse: \Visit.patient) var visits: [Visit]

        init(name: String) {
            self.name = name
        }
    }

    @Entity
    final class Visit {
        @Relationship var patient: Patient?
    }

    enum ClinicSchema {
        static func store(at url: URL, transformers: TransformerRegistry) throws -> Store {
            try Store(at: url, for: Patient.self, Visit.self, transformers: transformers)
        }
    }
}

@Suite struct CoreDataSampleTests {
    @Test func opensAStoreForGeneratedClasses() throws {
        typealias ClinicSchema = Generated.ClinicSchema
        let url = FileManager.default.temporaryDirectory.appending(path: "clinic-\(UUID()).sqlite")
        defer { try? FileManager.default.removeItem(at: url) }
        let registry = try TransformerRegistry {}
        let store = try ClinicSchema.store(at: url, transformers: registry)
        let names = try store.write { context in
            context.insert(Generated.Patient(name: "Ada"))
            return try context.fetch(Generated.Patient.self).map(\.name)
        }
        #expect(names == ["Ada"])
    }

    // The files of the samples do not exist here.
    @Test func aModelThatDoesNotExistIsAnError() {
        #expect(throws: CoreDataError(.noSuchFile, "")) {
            let model = try CoreDataModel(contentsOf: "App.xcdatamodeld")
            for note in model.notes { print(note) }
        }
        #expect(throws: CoreDataError(.noSuchFile, "")) {
            let store = try CoreDataStore(at: URL(filePath: "App.sqlite"))
            for note in store.notes { print(note) }
        }
    }

    @Test func aStoreThatDoesNotExistIsAnError() throws {
        let registry = try TransformerRegistry {}
        let model = try Model(entities: [EntityDescription("Entry", attributes: [.string("place", .optional)])])
        #expect(throws: CoreDataError(.noSuchFile, "")) {
            let store = try CoreDataStore(at: URL(filePath: "Journal.sqlite"))
            try store.forEachRow(of: "Entry") { entry in
                guard case .string(let place)? = try entry.value("place") else { return }
                print(entry.id, place)
            }
            let report = try store.adopt(as: model, into: URL(filePath: "journal.sqlite"), transformers: registry)
            print(report.objectCount, report.referenceCount)
            for note in report.notes { print(note) }
        }
    }
}
