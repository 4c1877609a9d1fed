import Foundation
import GRDB
import Testing
import Transformable
import TransformableStore

@Suite struct FamilyRelationshipTests {
    /// People own animals of several kinds.
    ///
    /// Animals have shared toys, and a friend of any kind.
    static func model(dogs: Bool = true, version: Int = 1) throws -> Model {
        var entities = [
            EntityDescription(
                "Animal",
                abstract: true,
                attributes: [.string("name")],
                relationships: [
                    .toOne("owner", "Person"),
                    .toMany("toys", "Toy", inverse: "users"),
                    .toOne("friend", "Animal"),
                ]
            ),
            EntityDescription("Cat", parent: "Animal"),
            EntityDescription(
                "Person",
                attributes: [.string("name")],
                relationships: [
                    .toMany("animals", "Animal", inverse: "owner", deleteRule: .cascade),
                    .toOne("favorite", "Animal", deleteRule: .nullify),
                ]
            ),
            EntityDescription("Toy", attributes: [.string("name")], relationships: [.toMany("users", "Animal")]),
            EntityDescription(
                "Collar",
                relationships: [.toOne("wearer", "Animal", optional: false)]
            ),
        ]
        if dogs { entities.append(EntityDescription("Dog", parent: "Animal")) }
        return try Model(version: version, entities: entities)
    }

    private func edit(_ isEditing: Bool, _ body: @Sendable (StoreContext) throws -> Void) throws {
        let folder = try Folder()
        let store = try Place.file.store(Self.model(), in: folder)
        if isEditing { try body(store.makeContext()) } else { try store.write(body) }
        try shell(folder.url.appending(path: "s.sqlite")) { database in
            let dangling = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check")
            #expect(dangling.isEmpty)
        }
    }

    private func ids(_ objects: [ManagedObject]) -> String { objects.map(\.id.description).joined(separator: " ") }

    @Test(arguments: [true, false]) func relationshipsCanHaveObjectsOfEveryEntityOfTheFamily(isEditing: Bool) throws {
        try edit(isEditing) { context in
            let ada = try OrderTests.make("Person", "Ada", context)
            let bea = try OrderTests.make("Person", "Bea", context)
            let cat = try OrderTests.make("Cat", "c", context)
            let dog = try OrderTests.make("Dog", "d", context)
            try ada.add(cat, to: "animals")
            try dog.setObject(ada, for: "owner")
            #expect(ids(try ada.objects("animals")) == "Cat/1 Dog/1")
            try ada.setObject(dog, for: "favorite")
            try cat.setObject(dog, for: "friend")
            try context.save()
            #expect(ids(try ada.objects("animals")) == "Cat/1 Dog/1")
            #expect(try ada.object("favorite") === dog)
            try ada.setObject(cat, for: "favorite")
            #expect(try ada.object("favorite") === cat)
            #expect(ada.changedAttributes == ["favorite"])
            try bea.add(dog, to: "animals")
            #expect(ids(try ada.objects("animals")) == "Cat/1")
            try context.save()
            try context.delete(cat)
            try context.save()
            #expect(try ada.object("favorite") == nil)
            #expect(ids(try ada.objects("animals")) == "")
            try context.delete(bea)
            try context.save()
            #expect(try context.count("Animal") == 0)
        }
    }

    @Test(arguments: [true, false]) func manyToManyRelationshipsLeadToAllEntities(isEditing: Bool) throws {
        try edit(isEditing) { context in
            let cat = try OrderTests.make("Cat", "c", context)
            let dog = try OrderTests.make("Dog", "d", context)
            let toys = try ["x", "y"].map { try OrderTests.make("Toy", $0, context) }
            for toy in toys { try cat.add(toy, to: "toys") }
            try toys[0].add(dog, to: "users")
            try context.save()
            #expect(ids(try toys[0].objects("users")) == "Cat/1 Dog/1")
            #expect(ids(try cat.objects("toys")) == "Toy/1 Toy/2")
            try context.delete(cat)
            try context.save()
            #expect(ids(try toys[0].objects("users")) == "Dog/1")
            #expect(ids(try toys[1].objects("users")) == "")
        }
    }

    @Test func aRequiredReferenceMustHaveAnObject() throws {
        let folder = try Folder()
        let store = try Place.file.store(Self.model(), in: folder)
        let error = #expect(throws: StoreError.self) { try store.write { _ = try $0.insert("Collar") } }
        #expect(error?.code == .missingValue)
        #expect(error?.attribute == "wearer")
        try store.write { context in
            let collar = try context.insert("Collar")
            try collar.setObject(OrderTests.make("Dog", "d", context), for: "wearer")
        }
        #expect(throws: StoreError(code: .missingValue)) {
            try store.write { try $0.delete($0.object(ObjectID(entity: "Dog", number: 1))) }
        }
    }

    @Test func theDatabaseEnforcesReferences() throws {
        let folder = try Folder()
        let store = try Place.file.store(Self.model(), in: folder)
        try store.write { context in
            let ada = try OrderTests.make("Person", "Ada", context)
            try ada.setObject(OrderTests.make("Dog", "d", context), for: "favorite")
            _ = try OrderTests.make("Cat", "c", context)
        }
        try store.close()
        try shell(folder.url.appending(path: "s.sqlite")) { database in
            #expect(throws: DatabaseError.self) { try database.execute(sql: "DELETE FROM Dog") }
            #expect(throws: DatabaseError.self) { try database.execute(sql: "UPDATE Person SET \"favorite.Cat\" = 1") }
            #expect(throws: DatabaseError.self) { try database.execute(sql: "UPDATE Person SET \"favorite.Dog\" = 9") }
        }
    }

    @Test func rejectsOtherEntities() throws {
        let folder = try Folder()
        let store = try Place.file.store(Self.model(), in: folder)
        try store.write { context in
            let ada = try OrderTests.make("Person", "Ada", context)
            #expect(throws: StoreError(code: .wrongType)) { try ada.add(ada, to: "animals") }
        }
    }

    @Test func aNewKindJoinsTheFamily() throws {
        let folder = try Folder()
        let first = try Place.file.store(Self.model(dogs: false), in: folder)
        try first.write { context in
            let ada = try OrderTests.make("Person", "Ada", context)
            let cat = try OrderTests.make("Cat", "c", context)
            try ada.add(cat, to: "animals")
            try ada.setObject(cat, for: "favorite")
            try cat.add(OrderTests.make("Toy", "x", context), to: "toys")
        }
        try first.close()
        let store = try Place.file.store(Self.model(version: 2), in: folder)
        try store.write { context in
            let ada = try context.object(ObjectID(entity: "Person", number: 1))
            #expect(try ada.object("favorite")?.id.description == "Cat/1")
            #expect(ids(try ada.objects("animals")) == "Cat/1")
            let dog = try OrderTests.make("Dog", "d", context)
            try ada.add(dog, to: "animals")
            try context.object(ObjectID(entity: "Toy", number: 1)).add(dog, to: "users")
            try context.save()
            #expect(ids(try ada.objects("animals")) == "Cat/1 Dog/1")
            #expect(ids(try context.object(ObjectID(entity: "Toy", number: 1)).objects("users")) == "Cat/1 Dog/1")
        }
    }

    @Test func anEntityBecomesAFamily() throws {
        let folder = try Folder()
        func model(_ version: Int) throws -> Model {
            var entities = [
                EntityDescription("Pet", attributes: [.string("name")]),
                EntityDescription("Person", attributes: [.string("name")], relationships: [.toOne("pet", "Pet")]),
            ]
            if version == 2 { entities.append(EntityDescription("Cat", parent: "Pet")) }
            return try Model(version: version, entities: entities)
        }
        let first = try Place.file.store(model(1), in: folder)
        try first.write { context in
            let ada = try OrderTests.make("Person", "Ada", context)
            try ada.setObject(OrderTests.make("Pet", "p", context), for: "pet")
        }
        try first.close()
        let store = try Place.file.store(model(2), in: folder)
        let pet = try store.read { try $0.first("Person")?.object("pet")?.id.description }
        #expect(pet == "Pet/1")
    }
}
