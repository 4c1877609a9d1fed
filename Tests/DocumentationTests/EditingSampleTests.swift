import Foundation
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

@Suite struct EditingSampleTests {
    private struct Unpaid: Error {}

    private func store(_ hooks: [String: EntityHooks] = [:]) throws -> Store {
        let model = try Model(entities: [
            EntityDescription("Patient", attributes: [.string("name"), .integer("count", .default(0))]),
            EntityDescription(
                "Visit",
                attributes: [
                    .date("made", .optional), .date("changed", .optional), .boolean("paid", .default(false)),
                ]
            ),
        ])
        return try Store.inMemory(model: model, transformers: TransformerRegistry {}, hooks: hooks)
    }

    @Test func contexts() throws {
        let store = try store()
        let context = store.makeContext()
        let patient = try context.insert("Patient")
        try patient.setValue("Ada", for: "name")
        let unsaved = try context.fetch("Patient", where: Condition("name == \"Ada\""))
        try context.save()
        #expect(unsaved == [patient])

        let visit = try context.insert("Visit")
        try context.save()
        try context.group {
            try patient.setValue("Bea", for: "name")
            try context.delete(visit)
        }
        try context.undo()
        #expect(try patient.value("name", as: String.self) == "Ada")
        #expect(!visit.isDeleted)

        context.onConflict = .merge { conflict in
            guard conflict.kind == .changedByBoth, conflict.theirs.contains("count") else { return }
            let base = try conflict.base("count", as: Int?.self) ?? 0
            let theirs = try conflict.theirs("count", as: Int?.self) ?? 0
            let mine = try conflict.object.value("count", as: Int.self)
            try conflict.object.setValue(theirs + mine - base, for: "count")
        }
        try patient.setValue(2, for: "count")
        let id = patient.id
        try store.write { try $0.object(id).setValue(5, for: "count") }
        try context.save()
        #expect(try patient.value("count", as: Int.self) == 7)
    }

    @Test func hooks() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "editing-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "clinic.sqlite")
        let model = try store().model
        let registry = try TransformerRegistry {}
        var hooks = EntityHooks()
        hooks.awakeFromInsert = { visit in try visit.setValue(Date(), for: "made") }
        hooks.willSave = { visit in try visit.setValue(Date(), for: "changed") }
        hooks.validateForDelete = { visit in
            guard try visit.value("paid", as: Bool.self) else { throw Unpaid() }
        }
        let store = try Store(at: url, model: model, transformers: registry, hooks: ["Visit": hooks])
        let context = store.makeContext()
        let visit = try context.insert("Visit")
        try context.save()
        #expect(try visit.value("changed", as: Date?.self) != nil)
        try context.delete(visit)
        #expect(throws: Unpaid.self) { try context.save() }
    }

    @Test func sections() async throws {
        final class Table {
            var ids: [ObjectID] = []
            var sections = 0
            func insert(_ id: ObjectID, _ position: SectionPosition) { ids.append(id) }
            func remove(_ position: SectionPosition) { ids.removeAll() }
            func insertSection(_ index: Int) { sections += 1 }
            func removeSection(_ index: Int) { sections -= 1 }
        }
        let model = try Model(entities: [
            EntityDescription("Patient", attributes: [.string("name"), .integer("ward", .optional)])
        ])
        let store = try Store.inMemory(model: model, transformers: TransformerRegistry {})
        try await store.write { context in
            for ward in [4, nil] {
                let patient = try context.insert("Patient")
                try patient.setValue("Ada", for: "name")
                try patient.setValue(ward, for: "ward")
            }
        }
        let table = Table()
        var titles: [Int?] = []
        let order: [SortKey] = [.ascending("ward"), .ascending("name")]
        for try await list in try store.sections(of: "Patient", sortedBy: order, by: "ward") {
            let changes = list.changes
            let removed = changes.deleted.map(\.position) + changes.moved.map(\.from)
            for position in removed.sorted().reversed() { table.remove(position) }
            for index in changes.deletedSections.reversed() { table.removeSection(index) }
            for index in changes.insertedSections { table.insertSection(index) }
            let added = changes.inserted.map { ($0.id, $0.position) } + changes.moved.map { ($0.id, $0.to) }
            for (id, position) in added.sorted(by: { $0.1 < $1.1 }) { table.insert(id, position) }
            titles = try list.sections.map { try $0.value(as: Int?.self) }
            break
        }
        #expect(titles == [nil, 4] && table.ids.map(\.number) == [2, 1] && table.sections == 2)
    }

    @Test func observation() async throws {
        final class List {
            var ids: Set<ObjectID> = []
            func update(_ inserted: Set<ObjectID>, _ deleted: Set<ObjectID>) {
                ids.formUnion(inserted)
                ids.subtract(deleted)
            }
        }
        let list = List()
        let store = try store()
        let changes = try store.changes(of: "Patient")
        try await store.write { try $0.insert("Patient").setValue("Ada", for: "name") }
        for await change in changes {
            list.update(change.inserted, change.deleted)
            break
        }
        #expect(list.ids.count == 1)
        try await store.write { try $0.insert("Patient").setValue("Bea", for: "name") }
        var counts: [Int] = []
        for try await count in store.results(of: "Patient", { try $0.count("Patient") }) {
            counts.append(count)
            if count == 2 { break }
        }
        #expect(counts == [2])
        let observer = Task {
            var count = 0
            for await change in try store.changes(of: "Patient") {
                count += change.inserted.count
            }
            return count
        }
        observer.cancel()
        #expect(try await observer.value == 0)
    }
}
