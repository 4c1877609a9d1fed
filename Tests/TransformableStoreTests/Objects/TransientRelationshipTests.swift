import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Relationships that are kept only in memory.
@Suite struct TransientRelationshipTests {
    private let folder: Folder
    private let store: Store

    private static func model() throws -> Model {
        try Model(entities: [
            EntityDescription(
                "Person",
                attributes: [.string("name")],
                relationships: [.toMany("visits", "Visit", inverse: "person")],
                transientRelationships: [
                    TransientRelationship("last", to: "Visit"), .init("shown", to: "Visit", many: true),
                ]
            ),
            EntityDescription("Visit", relationships: [.toOne("person", "Person")]),
            EntityDescription("Checkup", parent: "Visit"),
        ])
    }

    init() throws {
        folder = try Folder()
        store = try Store(at: folder.file(), model: Self.model(), transformers: TransformerRegistry {})
    }

    private func person(_ context: StoreContext) throws -> ManagedObject {
        let person = try context.insert("Person")
        try person.setValue("Ada", for: "name")
        return person
    }

    @Test func relationshipsKeepObjectsUntilTheContextEnds() throws {
        let id = try store.write { context in
            let (person, visit, checkup) = (
                try person(context), try context.insert("Visit"), try context.insert("Checkup")
            )
            try person.setObject(visit, for: "last")
            try person.setObjects([checkup, visit, checkup], for: "shown")
            #expect(try person.object("last") === visit)
            #expect(try person.objects("shown").map(\.id) == [checkup.id, visit.id])
            try person.remove(checkup, from: "shown")
            try person.add(checkup, to: "shown")
            #expect(try person.objects("shown").map(\.id) == [visit.id, checkup.id])
            try context.save()
            #expect(try person.object("last") === visit)
            try person.setObject(nil, for: "last")
            #expect(try person.object("last") == nil)
            return person.id
        }
        try store.read { context in
            let person = try context.object(id)
            #expect(try person.object("last") == nil)
            #expect(try person.objects("shown") == [])
        }
    }

    @Test func deletedObjectsDisappear() throws {
        try store.write { context in
            let (person, visit) = (try person(context), try context.insert("Visit"))
            try person.setObjects([visit], for: "shown")
            try context.delete(visit)
            #expect(try person.objects("shown") == [])
        }
    }

    @Test func transientRelationshipsHaveNoColumn() throws {
        let columns = try shell(folder.file()) { database in
            try String.fetchSet(database, sql: "SELECT name FROM pragma_table_info('Person')")
        }
        #expect(columns == ["_id", "_version", "name"])
        #expect(try store.attributes(of: "Person").map(\.name) == ["name"])
    }

    @Test func acceptsOnlyObjectsOfTheDestination() throws {
        let context = store.makeContext()
        let person = try person(context)
        let kind = #expect(throws: StoreError.self) { try person.setObject(person, for: "last") }
        #expect(kind?.code == .wrongType)
        let count = #expect(throws: StoreError.self) { try person.objects("last") }
        #expect(count?.code == .wrongType)
        let other = store.makeContext()
        let visit = try other.insert("Visit")
        let foreign = #expect(throws: StoreError.self) { try person.add(visit, to: "shown") }
        #expect(foreign?.code == .misuse)
    }

    @Test(arguments: [
        "last is null", "last.person is null", "any shown.person is null", "shown.@count > 0", "_id == last",
        "_id == last.person",
    ])
    func conditionsCannotUseTransientRelationships(condition: String) throws {
        let error = #expect(throws: StoreError.self) {
            try store.read { try $0.count("Person", where: Condition(condition)) }
        }
        #expect(error?.code == .unsupported)
        #expect(error?.message == "it is kept only in memory, so the database does not know about it")
    }

    @Test(arguments: ["last", "last.person"]) func objectsCannotBeSortedByTransientRelationships(key: String) throws {
        #expect(throws: StoreError(code: .unsupported)) {
            try store.read { try $0.fetch("Person", sortedBy: [.ascending(key)]).count }
        }
    }

    @Test func changesCanBeUndone() throws {
        let context = store.makeContext()
        let (person, visit) = (try person(context), try context.insert("Visit"))
        try context.save()
        try person.setObject(visit, for: "last")
        try context.undo()
        #expect(try person.object("last") == nil)
        try context.redo()
        #expect(try person.object("last") === visit)
    }

    @Test func modelAndItsFileKeepTransientRelationships() throws {
        let model = try Self.model()
        #expect(
            try Model(json: model.json).entity("Person")?.transientRelationships
                == model.entities[0].transientRelationships
        )
        #expect(store.model.transientRelationships(of: "Person").map(\.name) == ["last", "shown"])
    }

    @Test func transientRelationshipsCanChangeWithoutANewVersion() throws {
        try store.close()
        let model = try Model(entities: [
            EntityDescription(
                "Person",
                attributes: [.string("name")],
                relationships: [.toMany("visits", "Visit", inverse: "person")]
            ),
            EntityDescription("Visit", relationships: [.toOne("person", "Person")]),
            EntityDescription("Checkup", parent: "Visit"),
        ])
        let opened = try Store(at: folder.file(), model: model, transformers: TransformerRegistry {})
        #expect(opened.model.transientRelationships(of: "Person") == [])
    }

    @Test func rejectsUnknownDestinationsAndUsedNames() {
        let error = #expect(throws: StoreError.self) {
            try Model(entities: [
                EntityDescription(
                    "A",
                    attributes: [.string("x")],
                    transientRelationships: [TransientRelationship("x", to: "A"), .init("y", to: "B")]
                )
            ])
        }
        #expect(error?.faults.count == 2)
    }
}
