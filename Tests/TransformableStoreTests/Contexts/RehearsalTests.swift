import Foundation
import Synchronization
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Changes that are made, reported, and rolled back.
@Suite struct RehearsalTests {
    private func clinic() throws -> Store {
        let model = try Model(entities: [
            EntityDescription("Patient", attributes: [.string("name", .unique), .string("ward", .optional)])
        ])
        let store = try Store.inMemory(model: model, transformers: Transformers().registry())
        try store.write { context in
            for (name, ward) in [("Ada", "East"), ("Bob", "East"), ("Cid", "West")] {
                let patient = try context.insert("Patient")
                try patient.setValue(name, for: "name")
                try patient.setValue(ward, for: "ward")
            }
        }
        return store
    }

    @Test func reportsWhatWouldChange() throws {
        let store = try clinic()
        let trial = try store.rehearse { context in
            try context.delete("Patient", where: Field("ward") == "East")
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            try context.fetch("Patient", where: Field("name") == "Cid")[0].setValue("North", for: "ward")
            return try context.count("Patient")
        }
        #expect(trial.result == 2)
        #expect(trial.changes.deleted.map(\.number).sorted() == [1, 2])
        #expect(trial.changes.inserted.map(\.number) == [4])
        #expect(trial.changes.updated.map(\.key.number) == [3])
        #expect(trial.changes.updated.first?.value == ["ward"])
        #expect(try store.names(of: "Patient") == ["Ada", "Bob", "Cid"])
        // The number of the rolled-back object is available again.
        let id = try store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Dot", for: "name")
            return patient.id.number
        }
        #expect(id == 4)
    }

    @Test func failsLikeTheChange() throws {
        let store = try clinic()
        #expect(throws: StoreError(code: .notUnique)) {
            _ = try store.rehearse { try $0.insert("Patient").setValue("Ada", for: "name") }
        }
        #expect(try store.read { try $0.count("Patient") } == 3)
    }

    @Test func notifiesNoObservers() throws {
        let saved = Mutex<[String]>([])
        var hooks = EntityHooks()
        hooks.willSave = { _ in saved.withLock { $0.append("will") } }
        hooks.didSave = { _ in saved.withLock { $0.append("did") } }
        let model = try Model(entities: [EntityDescription("Patient", attributes: [.string("name", .optional)])])
        let store = try Store.inMemory(
            model: model,
            transformers: Transformers().registry(),
            hooks: ["Patient": hooks]
        )
        _ = try store.rehearse { _ = try $0.insert("Patient") }
        #expect(saved.withLock { $0 } == ["will"])
    }

    @Test func listsManyInsertions() throws {
        let store = try clinic()
        let trial = try store.rehearse { context in
            try context.insert(many: 0..<10_001, into: "Patient") { try $0.setValue("\($1)", for: "name") }
        }
        #expect(trial.result.count == 10_001)
        #expect(trial.changes.inserted.count == 10_001)
        #expect(try store.read { try $0.count("Patient") } == 3)
    }
}

extension Store {
    fileprivate func names(of entity: String) throws -> [String] {
        try read { try $0.fetch(entity).map { try $0.value("name", as: String.self) } }
    }
}
