import EncryptionPlugin
import Foundation
import GRDB
import Testing
import Transformable
import TransformableStore

@Suite(.eachEngine) struct ConflictTests {
    /// Two contexts that have read the same person; the first has saved another name and age.
    private struct Case {
        let folder: Folder
        let store: Store
        let id: ObjectID
        let context: StoreContext
        let object: ManagedObject

        init(_ policy: ConflictPolicy, deleting: Bool = false) throws {
            folder = try Folder()
            store = try Store.people(in: folder)
            let id = try store.addPerson("base", age: 1, box: Box(width: 1, height: 1), secret: "s")
            self.id = id
            context = store.makeContext(onConflict: policy)
            object = try context.object(id)
            _ = try object.value("age", as: Int.self)
            try store.write { context in
                let person = try context.object(id)
                guard !deleting else { return try context.delete(person) }
                try person.setValue("theirs", for: "name")
                try person.setValue(10, for: "age")
            }
        }

        func stored() throws -> [String] {
            let id = id
            return try store.read { context in
                guard let person = try context.objectIfPresent(id) else { return [] }
                return [
                    try person.value("name", as: String.self), "\(try person.value("age", as: Int.self))",
                    "\(try person.value("box", as: Box.self).width)", try person.value("secret", as: String.self),
                ]
            }
        }
    }

    @Test func throwsAnErrorThatNamesTheObject() throws {
        let test = try Case(.fail)
        try test.object.setValue(2, for: "age")
        let error = #expect(throws: StoreError.self) { try test.context.save() }
        #expect(error?.code == .conflict)
        #expect(error?.object == test.id)
        #expect(error?.attribute == "age")
        #expect(try test.stored()[1] == "10")
        // It stays a conflict until it is resolved.
        #expect(throws: StoreError(code: .conflict)) { try test.context.save() }
        try test.context.refresh(test.object, keepingChanges: true)
        try test.context.save()
        #expect(try test.stored() == ["theirs", "2", "1", "s"])
    }

    /// The refresh has discarded the row with which the change would be compared.
    @Test func aChangeUndoneAfterARefreshStaysAConflict() throws {
        let test = try Case(.fail)
        for age in 2...3 { try test.object.setValue(age, for: "age") }
        try test.context.refresh(test.object)
        try test.context.undo()
        let id = test.id
        try test.store.write { try $0.object(id).setValue(11, for: "age") }
        for _ in 0..<2 {
            #expect(throws: StoreError(code: .conflict)) { try test.context.save() }
        }
        #expect(try test.stored()[1] == "11")
    }

    @Test func errorsNameADeletedLargeValue() throws {
        let folder = try Folder()
        let store = try Store.documents(in: folder)
        let large = Data(repeating: 7, count: 100_000)
        let id = try store.addDocument("a", data: large)
        let context = store.makeContext(onConflict: .mine)
        let document = try context.object(id)
        #expect(try document.value("name", as: String.self) == "a")
        try store.write { try $0.delete($0.object(id)) }
        try document.setValue("mine", for: "name")
        for _ in 0..<2 {
            let error = #expect(throws: StoreError(code: .conflict)) { try context.save() }
            #expect(error?.attribute == "data")
            #expect(error?.message.contains("replaceValue") == true)
        }
        try document.replaceValue(large, for: "data")
        try context.save()
        let stored = try store.read { try $0.object(id).value("data", as: Data?.self) }
        #expect(stored == large)
    }

    @Test func settingTheSameValueIsNotAConflict() throws {
        let test = try Case(.fail)
        try test.object.setValue("base", for: "name")
        try test.context.save()
        #expect(try test.stored()[0] == "theirs")
        #expect(try test.object.value("age", as: Int.self) == 10)
    }

    /// Whether the large value differs cannot be told, because the file contains only the newer one.
    @Test func settingTheSameValueBesideALargeOneIsNotAConflict() throws {
        let model = try Model(entities: [
            EntityDescription(
                "Note",
                attributes: [.data("data"), .string("title")],
                relationships: [.toOne("shelf", "Shelf")]
            ),
            EntityDescription("Shelf", relationships: [.toMany("notes", "Note", inverse: "shelf")]),
        ])
        let store = try Store.trial(model: model, transformers: Transformers().registry())
        let (id, shelf) = try store.write { context in
            let (note, shelf) = try (context.insert("Note"), context.insert("Shelf"))
            try note.setValue(Data(repeating: 1, count: 100_000), for: "data")
            try note.setValue("base", for: "title")
            try note.setObject(shelf, for: "shelf")
            return (note.id, shelf.id)
        }
        let context = store.makeContext(onConflict: .mine)
        let note = try context.object(id)
        try note.setValue(Data(repeating: 2, count: 100_000), for: "data")
        try note.setValue("base", for: "title")
        try note.setObject(nil, for: "shelf")
        try note.setObject(context.object(shelf), for: "shelf")
        try store.write { context in
            try context.object(id).setValue("theirs", for: "title")
            try context.delete(context.object(shelf))
        }
        try context.save()
        try store.read { context in
            let note = try context.object(id)
            #expect(try note.value("data", as: Data.self) == Data(repeating: 2, count: 100_000))
            #expect(try note.value("title", as: String.self) == "theirs")
            #expect(try note.object("shelf") == nil)
        }
    }

    @Test(arguments: [
        (ConflictPolicy.mine, ["theirs", "2", "5", "s"]), (.theirs, ["theirs", "10", "5", "s"]),
    ])
    func resolvesConflictsByAttribute(policy: ConflictPolicy, stored: [String]) throws {
        let test = try Case(policy)
        try test.object.setValue(2, for: "age")
        try test.object.setValue(Box(width: 5, height: 1), for: "box")
        try test.context.save()
        #expect(try test.stored() == stored)
        #expect(try test.object.value("name", as: String.self) == "theirs")
        #expect("\(try test.object.value("age", as: Int.self))" == stored[1])
        #expect(try test.store.names(where: Condition("area == 5")) == ["theirs"])
    }

    @Test func mergesWithACustomRule() throws {
        let test = try Case(
            .merge { conflict in
                #expect(conflict.kind == .changedByBoth)
                #expect(conflict.mine == ["name", "age"])
                #expect(conflict.theirs == ["name", "age"])
                let base = try conflict.base("age", as: Int?.self) ?? 0
                let theirs = try conflict.theirs("age", as: Int?.self) ?? 0
                let mine = try conflict.object.value("age", as: Int.self)
                try conflict.object.setValue(theirs + mine - base, for: "age")
                try conflict.takeTheirs("name")
            }
        )
        try test.object.setValue("mine", for: "name")
        try test.object.setValue(3, for: "age")
        try test.context.save()
        #expect(try test.stored() == ["theirs", "12", "1", "s"])
    }

    @Test func aMergeCanReadAnObjectThatWasDeletedHere() throws {
        let test = try Case(
            .merge { conflict in
                #expect(conflict.kind == .deletedHere)
                let name = try conflict.object.value("name", as: String.self)
                #expect(name == "theirs")
                try conflict.takeTheirs()
            }
        )
        try test.context.delete(test.object)
        try test.context.save()
        #expect(try test.stored()[0] == "theirs")
    }

    @Test func aMergeThatThrowsSavesNothing() throws {
        struct Undecided: Error {}
        let test = try Case(.merge { _ in throw Undecided() })
        try test.object.setValue(3, for: "age")
        #expect(throws: Undecided.self) { try test.context.save() }
        #expect(try test.stored()[1] == "10")
        #expect(test.object.changedAttributes == ["age"])
        test.context.onConflict = .mine
        try test.context.save()
        #expect(try test.stored()[1] == "3")
    }

    @Test(arguments: [false, true]) func aConflictThatIsNotDecidedRemains(isDeleted: Bool) throws {
        struct Undecided: Error {}
        let test = try Case(.merge { _ in throw Undecided() })
        if isDeleted { try test.context.delete(test.object) } else { try test.object.setValue(3, for: "age") }
        for _ in 0..<2 {
            #expect(throws: Undecided.self) { try test.context.save() }
        }
        #expect(try test.stored() == ["theirs", "10", "1", "s"])
        test.context.onConflict = .theirs
        try test.context.save()
        #expect(try test.stored() == ["theirs", "10", "1", "s"])
        #expect(!test.context.hasChanges)
    }

    @Test(arguments: [(ConflictPolicy.mine, ["base", "2", "1", "s"]), (.theirs, [])])
    func resolvesConflictsWithDeletionsByOthers(policy: ConflictPolicy, stored: [String]) throws {
        let test = try Case(policy, deleting: true)
        try test.object.setValue(2, for: "age")
        try test.context.save()
        // Sealed values are bound to the number, and can be opened in the restored row.
        #expect(try test.stored() == stored)
        #expect(test.object.isDeleted == stored.isEmpty)
        #expect(!test.context.hasChanges)
    }

    @Test(arguments: [(ConflictPolicy.mine, []), (.theirs, ["theirs", "10", "1", "s"])])
    func resolvesConflictsWithItsOwnDeletions(policy: ConflictPolicy, stored: [String]) throws {
        let test = try Case(policy)
        try test.context.delete(test.object)
        try test.context.save()
        #expect(try test.stored() == stored)
        #expect(test.object.isDeleted == stored.isEmpty)
    }

    @Test func deletingADeletedObjectIsNotAConflict() throws {
        let test = try Case(.fail, deleting: true)
        try test.context.delete(test.object)
        try test.context.save()
        #expect(test.object.isDeleted)
        #expect(!test.context.hasChanges)
    }

    @Test func changingADeletedObjectFailsByDefault() throws {
        let test = try Case(.fail, deleting: true)
        try test.object.setValue(2, for: "age")
        let error = #expect(throws: StoreError.self) { try test.context.save() }
        #expect(error?.code == .conflict)
        #expect(error?.message.contains("deleted") == true)
    }

    @Test func resolvesConflictsOfLargeValues() throws {
        let folder = try Folder()
        let model = try Model(entities: [
            EntityDescription("File", attributes: [.data("bytes", .optional), .integer("n", .default(0))])
        ])
        let store = try Store.trial(at: folder.file(), model: model, transformers: Transformers().registry())
        let id = try store.write { context in
            let file = try context.insert("File")
            try file.setValue(Data(repeating: 1, count: 200_000), for: "bytes")
            return file.id
        }
        let context = store.makeContext(onConflict: .mine)
        let object = try context.object(id)
        try object.setValue(Data(repeating: 2, count: 200_000), for: "bytes")
        try store.write { try $0.object(id).setValue(Data(repeating: 3, count: 200_000), for: "bytes") }
        try context.save()
        #expect(try store.read { try $0.object(id).value("bytes", as: Data.self) }.first == 2)
    }

    @Test func aSecondStoreOnTheFileCausesTheSameConflicts() throws {
        let folder = try Folder()
        let store = try Store.people(in: folder)
        let other = try Store.people(in: folder)
        let id = try store.addPerson("base", age: 1)
        let contexts = [store.makeContext(), other.makeContext()]
        for context in contexts { try context.object(id).setValue(5, for: "age") }
        let objects = try contexts.map { try $0.object(id) }
        try objects[0].setValue(6, for: "age")
        try objects[1].setValue(7, for: "age")
        try contexts[0].save()
        #expect(throws: StoreError(code: .conflict)) { try contexts[1].save() }
        #expect(try store.read { try $0.object(id).value("age", as: Int.self) } == 6)
    }

    /// A person whose age a context has set, and whose row SQL has changed in the meantime without changing its
    /// version.
    private func overwritten(_ policy: ConflictPolicy, by sql: String) throws -> (Folder, Store, ManagedObject) {
        let folder = try Folder()
        let store = try Store.people(in: folder)
        let id = try store.addPerson("base", age: 1, box: Box(width: 1, height: 1), secret: "s")
        let person = try store.makeContext(onConflict: policy).object(id)
        _ = try person.value("age", as: Int.self)
        try person.setValue(2, for: "age")
        try shell(folder.file()) { try $0.execute(sql: "UPDATE Person SET \(sql)") }
        return (folder, store, person)
    }

    @Test(
        .sqliteOnly("it changes the file with SQL"),
        arguments: ["age = 10", "name = 'theirs'", "box = NULL", "name = 'theirs', _version = _version + 1"]
    )
    func detectsChangesMadeBySQL(sql: String) throws {
        let (folder, store, person) = try overwritten(.fail, by: sql)
        let id = person.id
        let error = #expect(throws: StoreError(code: .conflict)) { try person.context.save() }
        #expect(error?.object == id)
        #expect(try store.read { try $0.object(id).value("age", as: Int.self) } != 2)
        try person.context.refresh(person, keepingChanges: true)
        try person.context.save()
        #expect(try store.read { try $0.object(id).value("age", as: Int.self) } == 2)
        withExtendedLifetime(folder) {}
    }

    @Test(.sqliteOnly("it changes the file with SQL"), arguments: [(ConflictPolicy.mine, 2), (.theirs, 10)])
    func resolvesConflictsWithChangesMadeBySQL(policy: ConflictPolicy, age: Int) throws {
        let (folder, store, person) = try overwritten(policy, by: "age = 10, name = 'theirs'")
        let id = person.id
        try person.context.save()
        let found = try store.read { context in
            let person = try context.object(id)
            return try (person.value("age", as: Int.self), person.value("name", as: String.self))
        }
        #expect(found == (age, "theirs"))
        withExtendedLifetime(folder) {}
    }

    @Test(.sqliteOnly("it changes the file with SQL")) func doesNotDeleteObjectsChangedBySQL() throws {
        let (folder, store, person) = try overwritten(.fail, by: "age = 10")
        try person.context.delete(person)
        #expect(throws: StoreError(code: .conflict)) { try person.context.save() }
        #expect(try store.read { try $0.count("Person") } == 1)
        withExtendedLifetime(folder) {}
    }

    @Test func encodingTheSameValueAgainIsNotAConflict() throws {
        let folder = try Folder()
        let note = EntityDescription(
            "Note",
            attributes: [.transformed("text", "text | sealed", as: String.self), .string("title")]
        )
        let ring = try KeyRing.empty.addingKey()
        let registry = try TransformerRegistry {
            Registration.text
            EncryptionPlugin(keys: ring)
        }
        let store = try Store.trial(at: folder.file(), model: Model(entities: [note]), transformers: registry)
        try store.write { context in
            let note = try context.insert("Note")
            try note.setValue("secret", for: "text")
            try note.setValue("a", for: "title")
        }
        let context = store.makeContext(onConflict: .fail)
        let object = try #require(try context.fetch("Note").first)
        _ = try object.value("text", as: String.self)
        try object.setValue("b", for: "title")
        #expect(try store.reencode(Reencoding("text", of: "Note")).cells == 1)
        try context.save()
        #expect(try store.read { try $0.fetch("Note").map { try $0.value("title", as: String.self) } } == ["b"])
    }

    /// Two contexts, one of which has deleted an object that the other one has saved again since.
    @Test func anObjectThatAnotherContextRestoredExistsAgain() throws {
        let folder = try Folder()
        let store = try Store.people(in: folder)
        let id = try store.addPerson("base", age: 1)
        let other = store.makeContext(onConflict: .mine)
        try other.object(id).setValue(2, for: "age")
        let context = store.makeContext()
        let deleted = try context.object(id)
        try context.delete(deleted)
        try context.save()
        try other.save()
        #expect(deleted.isDeleted)
        let fetched = try #require(try context.fetch("Person").first)
        #expect(fetched === deleted && !deleted.isDeleted)
        #expect(try fetched.value("age", as: Int.self) == 2)
        #expect(try context.object(id) === fetched)
        try fetched.setValue(3, for: "age")
        try context.save()
        #expect(try store.read { try $0.object(id).value("age", as: Int.self) } == 3)
    }

    @Test func aDeletedObjectStaysDeletedWhileItsRowIsStillRead() throws {
        let folder = try Folder()
        let store = try Store.people(in: folder)
        for number in 1...600 { try store.addPerson("name \(number)", age: number) }
        let context = store.makeContext()
        var last: ManagedObject?
        try context.forEach("Person") { person in
            if person.id.number == 1 {
                last = try context.object(ObjectID(entity: "Person", number: 600))
                try last.map(context.delete)
                try context.save()
            }
        }
        #expect(last?.isDeleted == true)
    }
}
