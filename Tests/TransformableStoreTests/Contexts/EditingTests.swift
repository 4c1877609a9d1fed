import Foundation
import Testing
import Transformable
import TransformableStore

@Suite(.eachEngine) struct EditingTests {
    private func people(_ place: Place, _ folder: Folder) throws -> Store {
        var person = try Models.person().entities[0]
        person.attributes.append(.transient("note", as: String.self))
        return try place.store(Model(entities: [person]), in: folder)
    }

    private func insert(_ name: String, age: Int? = nil, in context: StoreContext) throws -> ManagedObject {
        let person = try context.insert("Person")
        try person.setValue(name, for: "name")
        try person.setValue(age, for: "age")
        return person
    }

    private func names(_ context: StoreContext, _ condition: String = "name is not null") throws -> [String] {
        try context.fetch("Person", where: Condition(condition), sortedBy: [.ascending("name")])
            .map { try $0.value("name", as: String.self) }
    }

    @Test(arguments: Place.allCases) func showsItsOwnChangesBeforeTheyAreSaved(place: Place) throws {
        let folder = try Folder()
        let store = try people(place, folder)
        let bea = try store.addPerson("Bea", age: 2)
        try store.addPerson("Cid", age: 3)
        let context = store.makeContext()
        let ada = try insert("Ada", age: 1, in: context)
        try context.object(bea).setValue(20, for: "age")
        try context.delete(#require(try context.first("Person", where: Condition("name == 'Cid'"))))

        #expect(try names(context) == ["Ada", "Bea"])
        #expect(try names(context, "age > 10") == ["Bea"])
        #expect(try context.count("Person", where: Condition("age < 10")) == 1)
        #expect(try context.ids("Person", sortedBy: [.descending("age")]) == [bea, ada.id])
        #expect(try context.first("Person", where: Condition("age == 1")) === ada)
        #expect(try store.names(where: .all) == ["Bea", "Cid"])

        try context.save()
        #expect(try store.names(where: Condition("age > 10")) == ["Bea"])
        #expect(try store.names(where: .all).sorted() == ["Ada", "Bea"])
        #expect(!context.hasChanges)
    }

    @Test(arguments: Place.allCases) func findsPendingValuesByTheirProjections(place: Place) throws {
        let folder = try Folder()
        let store = try people(place, folder)
        let id = try store.addPerson("Ada", box: Box(width: 2, height: 3), secret: "old")
        let context = store.makeContext()
        let ada = try context.object(id)
        try ada.setValue(Box(width: 4, height: 5), for: "box")
        try ada.setValue("new", for: "secret")
        #expect(try names(context, "secret == 'new'") == ["Ada"])
        #expect(try names(context, "secret == 'old'") == [])
        #expect(try names(context, "box == '4x5'") == ["Ada"])
    }

    @Test(arguments: Place.allCases) func seesCommitsOfOthers(place: Place) throws {
        let folder = try Folder()
        let store = try people(place, folder)
        let id = try store.addPerson("Ada", age: 1)
        let context = store.makeContext()
        let ada = try context.object(id)
        #expect(try ada.value("age", as: Int.self) == 1)
        try store.write { try $0.object(id).setValue(2, for: "age") }
        // Values that were read stay until they are read again.
        #expect(try ada.value("age", as: Int.self) == 1)
        #expect(try context.fetch("Person").first === ada)
        #expect(try ada.value("age", as: Int.self) == 2)
        try store.write { try $0.object(id).setValue(3, for: "age") }
        context.refreshAll()
        #expect(try ada.value("age", as: Int.self) == 3)
    }

    @Test func findsInvalidObjectsBeforeSaving() throws {
        let folder = try Folder()
        let store = try people(.file, folder)
        let context = store.makeContext()
        let nameless = try context.insert("Person")
        #expect(try context.fetch("Person") == [nameless])
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .missingValue)
        #expect(context.insertedObjects == [nameless])
        try nameless.setValue("Ada", for: "name")
        try context.save()
        #expect(try store.names(where: .all) == ["Ada"])
    }

    @Test func reportsWhatHasChanged() throws {
        let folder = try Folder()
        let store = try people(.file, folder)
        let ids = [try store.addPerson("Ada"), try store.addPerson("Bea")]
        let context = store.makeContext()
        #expect(!context.hasChanges)
        let objects = try ids.map(context.object)
        try objects[0].setValue(5, for: "age")
        try context.delete(objects[1])
        let cid = try insert("Cid", in: context)
        #expect(context.hasChanges)
        #expect(context.updatedObjects == [objects[0]])
        #expect(objects[0].changedAttributes == ["age"])
        #expect(context.deletedObjects == [objects[1]])
        #expect(context.insertedObjects == [cid])
        context.rollback()
        #expect(!context.hasChanges)
        #expect(try objects[0].value("age", as: Int?.self) == nil)
        #expect(!objects[1].isDeleted)
        #expect(cid.isDeleted)
        #expect(try names(context) == ["Ada", "Bea"])
        try context.save()
        #expect(try store.names(where: .all) == ["Ada", "Bea"])
    }

    @Test func aFailedSaveKeepsEveryChange() throws {
        let folder = try Folder()
        let store = try people(.file, folder)
        let ada = try store.addPerson("Ada")
        let context = store.makeContext()
        let object = try context.object(ada)
        try object.setValue(9, for: "age")
        let nameless = try context.insert("Person")
        #expect(throws: StoreError(code: .missingValue)) { try context.save() }
        #expect(object.changedAttributes == ["age"])
        #expect(try store.read { try $0.object(ada).value("age", as: Int?.self) } == nil)
        try context.delete(nameless)
        try context.save()
        #expect(try store.read { try $0.object(ada).value("age", as: Int?.self) } == 9)
    }

    @Test func numbersAreReserved() throws {
        let folder = try Folder()
        let store = try people(.file, folder)
        let contexts = [store.makeContext(), store.makeContext()]
        let objects = try contexts.map { try insert("a", in: $0) }
        let third = try store.addPerson("b")
        #expect(Set(objects.map(\.id) + [third]).count == 3)
        for context in contexts { try context.save() }
        #expect(try store.read { try $0.count("Person") } == 3)
    }

    /// More objects than the numbers that are reserved at once, inserted by a hook while a fetch is running.
    @Test(arguments: Place.allCases, [true, false])
    func numbersAreReservedDuringAFetch(place: Place, hasPending: Bool) throws {
        let folder = try Folder()
        var hooks = EntityHooks()
        hooks.awakeFromFetch = { item in _ = try item.context.insert("Log") }
        let model = try Model(entities: [EntityDescription("Item"), EntityDescription("Log")])
        let store = try place.store(model, in: folder, hooks: ["Item": hooks])
        try store.write { context in
            for _ in 0..<100 { _ = try context.insert("Item") }
        }
        let context = store.makeContext()
        if hasPending { _ = try context.insert("Log") }
        for _ in 0..<2 {
            #expect(try context.fetch("Item").count == 100)
            _ = try context.insert("Log")
            context.refreshAll()
        }
        let other = try store.write { try $0.insert("Log").id }
        let ids = Set(context.insertedObjects.map(\.id))
        #expect(ids.count == context.insertedObjects.count && ids.count >= 202)
        #expect(!ids.contains(other))
        let count = ids.count
        try context.save()
        #expect(try store.read { try $0.count("Log") } == count + 1)
    }

    @Test(arguments: Place.allCases) func numbersAreReservedInAFailedSave(place: Place) throws {
        struct Failure: Error {}
        let folder = try Folder()
        let store = try people(place, folder)
        let id = try store.addPerson("Ada", age: 1)
        let context = store.makeContext(
            onConflict: .merge { conflict in
                let person = try conflict.object.context.insert("Person")
                try person.setValue("new", for: "name")
                throw Failure()
            }
        )
        try context.object(id).setValue(2, for: "age")
        try store.write { try $0.object(id).setValue(3, for: "age") }
        #expect(throws: Failure.self) { try context.save() }
        #expect(context.insertedObjects.count == 1)
        let other = try store.addPerson("Bea")
        _ = try insert("Cid", in: context)
        let ids = [id, other] + context.insertedObjects.map(\.id)
        #expect(Set(ids).count == 4)
        context.onConflict = .mine
        try context.save()
        #expect(try store.names(where: .all).sorted() == ["Ada", "Bea", "Cid", "new"])
    }

    @Test func aClosureCanSaveDuringIteration() throws {
        let folder = try Folder()
        let store = try people(.file, folder)
        for name in ["a", "b", "c"] { try store.addPerson(name, age: 0) }
        let context = store.makeContext()
        try context.forEach("Person", where: Condition("age == 0")) { person in
            try person.setValue(1, for: "age")
            try context.save()
        }
        #expect(try store.names(where: Condition("age == 1")).count == 3)
    }

    @Test(arguments: Place.allCases) func concurrentContextsLoseNoUpdate(place: Place) async throws {
        let folder = try Folder()
        let store = try people(place, folder)
        let id = try await store.write { context in
            let person = try context.insert("Person")
            try person.setValue("counter", for: "name")
            try person.setValue(0, for: "age")
            return person.id
        }
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    let context = store.makeContext()
                    let person = try context.object(id)
                    for _ in 0..<10 { try Self.increment(person) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.read { try $0.object(id).value("age", as: Int.self) } == 40)
    }

    /// Increments a counter, and retries after a conflict.
    private static func increment(_ person: ManagedObject) throws {
        while true {
            try person.setValue(person.value("age", as: Int.self) + 1, for: "age")
            do {
                return try person.context.save()
            } catch let error as StoreError where error.code == .conflict {
                try person.context.refresh(person)
            }
        }
    }

    @Test(arguments: [true, false]) func detectsInPlaceChanges(isEditing: Bool) throws {
        let folder = try Folder()
        let model = try Model(entities: [
            EntityDescription("Page", attributes: [.transformed("note", "note", as: Note.self)])
        ])
        let registry = try TransformerRegistry { Registration("note", NoteTransformer()) }
        let store = try Store.trial(at: folder.file(), model: model, transformers: registry)
        let id = try store.write { context in
            let page = try context.insert("Page")
            try page.setValue(Note("a"), for: "note")
            return page.id
        }
        func change(_ context: StoreContext) throws {
            try context.object(id).value("note", as: Note.self).text = "b"
            if isEditing {
                #expect(context.hasChanges)
                try context.save()
                #expect(!context.hasChanges)
            }
        }
        if isEditing { try change(store.makeContext()) } else { try store.write { try Self.change($0, id) } }
        #expect(try store.read { try $0.object(id).value("note", as: Note.self).text } == "b")
        let context = store.makeContext()
        let page = try context.object(id)
        try page.value("note", as: Note.self).text = "c"
        context.rollback()
        #expect(try page.value("note", as: Note.self).text == "b")
        for text in ["d", "e"] {
            try page.value("note", as: Note.self).text = text
            try context.save()
            #expect(try store.read { try $0.object(id).value("note", as: Note.self).text } == text)
        }
    }

    private static func change(_ context: StoreContext, _ id: ObjectID) throws {
        try context.object(id).value("note", as: Note.self).text = "b"
    }

    @Test func anActorCanOwnAContext() async throws {
        actor Editor {
            let context: StoreContext
            init(_ context: sending StoreContext) { self.context = context }
            func add(_ name: String) throws -> Int {
                try context.insert("Person").setValue(name, for: "name")
                try context.save()
                return try context.count("Person")
            }
        }
        let folder = try Folder()
        let editor = Editor(try people(.file, folder).makeContext())
        #expect(try await editor.add("Ada") == 1)
        #expect(try await editor.add("Bea") == 2)
    }

    @Test func aClosedStoreIsAnError() throws {
        let folder = try Folder()
        let store = try people(.file, folder)
        let id = try store.addPerson("Ada")
        let context = store.makeContext()
        let fault = try context.fault(id)
        try store.close()
        #expect(throws: StoreError(code: .misuse)) { try fault.value("name", as: String.self) }
        #expect(throws: StoreError(code: .misuse)) { try context.fetch("Person") }
        #expect(throws: StoreError(code: .misuse)) { _ = try context.insert("Person") }
    }

    /// A fetch that includes pending changes of a file uses a connection of its own.
    @Test(arguments: [false, true]) func aClosedStoreIsNotOpenedAgain(hasFetched: Bool) throws {
        let folder = try Folder()
        let store = try people(.file, folder)
        let id = try store.addPerson("Ada")
        let context = store.makeContext()
        try context.object(id).setValue("Bea", for: "name")
        if hasFetched { #expect(try context.count("Person", where: Condition("name == 'Bea'")) == 1) }
        try store.close()
        #expect(throws: StoreError(code: .misuse)) { try context.fetch("Person") }
        #expect(throws: StoreError(code: .misuse)) { try context.fetch("Person") }
    }

    @Test(arguments: Place.allCases) func editingContextsCannotBeUsedInsideABlock(place: Place) throws {
        let folder = try Folder()
        let store = try people(place, folder)
        let id = try store.addPerson("Ada")
        try store.read { _ in
            let context = store.makeContext()
            #expect(throws: StoreError(code: .misuse)) { try context.object(id) }
        }
    }

    @Test func aReadOnlyStoreHasReadOnlyContexts() throws {
        let folder = try Folder()
        let url = folder.url.appending(path: "s.sqlite")
        let id = try people(.file, folder).addPerson("Ada")
        let store = try Store.trial(at: url, model: nil, transformers: Transformers().registry(), options: .readOnly)
        let context = store.makeContext()
        #expect(try names(context) == ["Ada"])
        #expect(!context.isWritable)
        #expect(throws: StoreError(code: .readOnly)) { try context.object(id).setValue("x", for: "name") }
        #expect(throws: StoreError(code: .readOnly)) { _ = try context.insert("Person") }
    }

    @Test func aFaultIsNotReadUntilItIsUsed() throws {
        let folder = try Folder()
        let store = try people(.file, folder)
        let ids = try (0..<600).map { try store.addPerson("\($0)") }
        let context = store.makeContext()
        let faults = try ids.map(context.fault)
        #expect(faults.map(\.id) == ids)
        #expect(try faults[7].primitiveValue("name", as: String?.self) == nil)
        try context.prefetch(faults)
        try store.close()
        #expect(try faults[599].value("name", as: String.self) == "599")
        #expect(try context.fault(ids[3]) === faults[3])
    }

    @Test func aRefreshedObjectCanBeDeleted() throws {
        let folder = try Folder()
        let store = try people(.file, folder)
        let id = try store.addPerson("Ada", age: 1)
        let context = store.makeContext()
        let ada = try context.object(id)
        try store.write { try $0.object(id).setValue(2, for: "age") }
        try context.refresh(ada)
        try context.delete(ada)
        try context.save()
        #expect(try store.read { try $0.count("Person") } == 0)
    }

    @Test func aFaultWithoutARowThrows() throws {
        let folder = try Folder()
        let context = try people(.file, folder).makeContext()
        let fault = try context.fault(ObjectID(entity: "Person", number: 99))
        #expect(throws: StoreError(code: .noSuchObject)) { try fault.value("name", as: String.self) }
        #expect(throws: StoreError(code: .noSuchObject)) { try context.delete(fault) }
        #expect(throws: StoreError(code: .noSuchObject)) { try fault.setValue("x", for: "name") }
        #expect(!context.hasChanges)
    }

    @Test func refreshingDiscardsTransientValues() throws {
        let folder = try Folder()
        let store = try people(.file, folder)
        let id = try store.addPerson("Ada", age: 1)
        let context = store.makeContext()
        let ada = try context.object(id)
        try ada.setValue("note", for: "note")
        try ada.setValue(2, for: "age")
        try context.refresh(ada)
        #expect(!context.hasChanges)
        #expect(try ada.value("note", as: String?.self) == nil)
        #expect(try ada.value("age", as: Int.self) == 1)
    }

    @Test func primitiveAccessDoesNotNotify() throws {
        let folder = try Folder()
        let store = try people(.file, folder)
        let id = try store.addPerson("Ada", age: 1)
        let context = store.makeContext()
        let ada = try context.object(id)
        try ada.setPrimitiveValue(2, for: "age")
        #expect(try ada.value("age", as: Int.self) == 2)
        #expect(!context.hasChanges)
        #expect(!context.canUndo)
        // It is released with the next change.
        try ada.setValue("Ida", for: "name")
        try context.save()
        #expect(try store.read { try $0.object(id).value("age", as: Int.self) } == 2)
    }
}
