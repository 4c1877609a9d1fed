import Foundation
import Testing
import Transformable
import TransformableStore

/// Conditions on references that lead to objects of several entities.
@Suite struct FamilyConditionTests {
    /// Two people with animals of both kinds, a shared toy, and collars.
    private static func store(_ place: Place = .memory, in folder: Folder? = nil) throws -> Store {
        let folder = try folder ?? Folder()
        let store = try place.store(FamilyRelationshipTests.model(), in: folder)
        try store.write { context in
            let ada = try OrderTests.make("Person", "Ada", context)
            let bea = try OrderTests.make("Person", "Bea", context)
            _ = try OrderTests.make("Person", "Cy", context)
            let cat = try OrderTests.make("Cat", "Tom", context)
            let dog = try OrderTests.make("Dog", "Rex", context)
            let stray = try OrderTests.make("Dog", "Tom", context)
            for animal in [cat, dog] { try animal.setObject(ada, for: "owner") }
            try stray.setObject(cat, for: "friend")
            try cat.setObject(dog, for: "friend")
            try ada.setObject(dog, for: "favorite")
            try bea.setObject(cat, for: "favorite")
            let toy = try OrderTests.make("Toy", "ball", context)
            _ = try OrderTests.make("Toy", "bone", context)
            try toy.setObjects([cat, dog], for: "users")
            try context.insert("Collar").setObject(stray, for: "wearer")
        }
        return store
    }

    @Test(arguments: [
        ("favorite.name == \"Rex\"", ["Ada"]), ("favorite.name == \"Tom\"", ["Bea"]),
        ("favorite.name != \"Tom\"", ["Ada", "Cy"]), ("favorite.name in (\"Tom\", \"Rex\")", ["Ada", "Bea"]),
        ("favorite is null", ["Cy"]), ("favorite is not null", ["Ada", "Bea"]),
        ("favorite.name is null", ["Cy"]), ("favorite.owner.name == name", ["Ada"]),
        ("favorite.owner.name == \"Ada\"", ["Ada", "Bea"]), ("favorite.friend.name == \"Rex\"", ["Bea"]),
        ("favorite.friend is null", ["Ada", "Cy"]), ("favorite.name.@length == 3", ["Ada", "Bea"]),
        ("favorite.name startsWith[c] \"t\"", ["Bea"]), ("favorite.name > name", ["Ada", "Bea"]),
        ("animals.@count == 2", ["Ada"]), ("animals.@count == 0", ["Bea", "Cy"]),
        ("any animals.name == \"Tom\"", ["Ada"]), ("none animals.name == \"Tom\"", ["Bea", "Cy"]),
        ("all animals.name == \"Tom\"", ["Bea", "Cy"]),
        ("any animals (name == \"Tom\" and friend is not null)", ["Ada"]),
        ("any animals.toys.name == \"ball\"", ["Ada"]), ("any favorite.toys.name == \"ball\"", ["Ada", "Bea"]),
        ("none favorite.toys.name == \"ball\"", ["Cy"]), ("favorite.toys.@count == 1", ["Ada", "Bea"]),
        ("`favorite`.`name` == \"Tom\"", ["Bea"]), ("favorite.`name` == \"Rex\"", ["Ada"]),
        ("`animals`.@count == 2", ["Ada"]),
        ("favorite.Dog == 1", ["Ada"]), ("favorite.Cat == 1", ["Bea"]), ("`favorite.Cat` == 1", ["Bea"]),
        ("favorite.Dog != 1", ["Bea", "Cy"]), ("favorite.Dog in (1, 2)", ["Ada"]),
        ("favorite.Dog is null", ["Bea", "Cy"]), ("favorite.Dog.name == \"Rex\"", ["Ada"]),
        ("favorite.Dog.name is null", ["Bea", "Cy"]), ("favorite.Cat.friend.Dog == 1", ["Bea"]),
        ("favorite.Dog.name.@length == 3", ["Ada"]), ("1 == favorite.Dog", ["Ada"]),
        ("any animals.Cat.name == \"Tom\"", ["Ada"]), ("any animals.Dog == 1", ["Ada"]),
        ("animals.Dog.@count == 1", ["Ada"]), ("animals.Dog.@max.name == \"Rex\"", ["Ada"]),
        ("favorite._id == 1", ["Ada", "Bea"]),
        ("animals.@min.name == \"Rex\"", ["Ada"]), ("animals.@max.name == \"Tom\"", ["Ada"]),
    ])
    func conditionsFollowRelationshipsToFamilies(condition: String, names: [String]) throws {
        let found = try Self.store()
            .read { context in
                try context.fetch("Person", where: Condition(condition)).map { try $0.value("name", as: String.self) }
            }
        #expect(found == names)
    }

    @Test func conditionsFollowRelationshipsToAbstractEntities() throws {
        let store = try Self.store()
        let count = { (entity: String, condition: Condition) in
            try store.read { try $0.count(entity, where: condition) }
        }
        #expect(try count("Animal", Condition("friend.friend.name == \"Rex\"")) == 1)
        #expect(try count("Animal", Condition("owner.favorite.name == \"Rex\"")) == 2)
        #expect(try count("Toy", Condition("any users.name == \"Rex\"")) == 1)
        #expect(try count("Toy", Condition("users.@count == 2")) == 1)
        #expect(try count("Collar", Condition("wearer.friend.name == \"Tom\"")) == 1)
        #expect(try count("Person", Field("favorite") == ObjectID(entity: "Dog", number: 1)) == 1)
        #expect(try count("Person", Field("favorite") != ObjectID(entity: "Cat", number: 1)) == 2)
        #expect(try count("Person", Field("favorite") == nil) == 1)
        #expect(try count("Person", Field("favorite.Dog") == ObjectID(entity: "Dog", number: 1)) == 1)
        #expect(throws: StoreError(code: .wrongType)) {
            try count("Person", Field("favorite.Dog") == ObjectID(entity: "Cat", number: 1))
        }
        #expect(throws: StoreError(code: .invalidCondition)) { try count("Person", Field("favorite") == 1) }
        let ids = [ObjectID(entity: "Cat", number: 1), ObjectID(entity: "Dog", number: 1)]
        #expect(try count("Person", Field("favorite").isIn(ids)) == 2)
    }

    @Test func conditionsSeeUnsavedObjects() throws {
        let store = try Self.store()
        let context = store.makeContext()
        let cy = try #require(try context.first("Person", where: Field("name") == "Cy"))
        try cy.setObject(context.first("Dog"), for: "favorite")
        try context.first("Dog")?.setValue("Max", for: "name")
        #expect(try context.count("Person", where: Field("favorite.name") == "Max") == 2)
        let sorted = try context.fetch("Person", sortedBy: [.descending("favorite.name"), .descending("name")])
        #expect(try sorted.map { try $0.value("name", as: String.self) } == ["Bea", "Cy", "Ada"])
    }

    @Test func sortKeysFollowRelationshipsToFamilies() throws {
        let store = try Self.store()
        let names = { (entity: String, order: SortKey...) in
            try store.read { context in
                try context.fetch(entity, sortedBy: order).map { try $0.value("name", as: String.self) }
            }
        }
        #expect(try names("Person", .ascending("favorite.name")) == ["Cy", "Ada", "Bea"])
        #expect(try names("Person", .descending("favorite.name")) == ["Bea", "Ada", "Cy"])
        #expect(try names("Animal", .descending("owner.name"), .ascending("name")) == ["Rex", "Tom", "Tom"])
        #expect(throws: StoreError(code: .unsupported)) { try names("Person", .ascending("animals.name")) }
        #expect(throws: StoreError(code: .unknownAttribute)) { try names("Person", .ascending("favorite.x")) }
    }

    /// Each relationship to two entities doubles the number of subqueries.
    @Test func limitsPathsThroughFamilies() throws {
        let store = try Self.store()
        func friend(_ count: Int) -> String { String(repeating: "friend.", count: count) + "name" }
        let found = try store.read { try $0.count("Animal", where: Field(friend(6)) == nil) }
        #expect(found == 3)
        #expect(throws: StoreError(code: .limitExceeded)) {
            try store.read { try $0.count("Animal", where: Field(friend(31)) == "x") }
        }
        #expect(throws: StoreError(code: .limitExceeded)) {
            try store.read { try $0.ids("Animal", sortedBy: [.ascending(friend(31))]) }
        }
        #expect(throws: StoreError(code: .unsupported)) {
            try store.read { try $0.count("Animal", where: Condition("any \(friend(31)) == \"x\"")) }
        }
    }

    @Test(arguments: [
        ("favorite == name", StoreError.Code.unsupported), ("favorite.bark == 1", .unknownAttribute),
        ("favorite == 1", .invalidCondition), ("favorite != 1", .invalidCondition),
        ("2 > favorite", .invalidCondition),
        ("favorite in (1, null)", .invalidCondition), ("any animals == 1", .invalidCondition),
        ("all favorite.toys == 1 and favorite == 1", .invalidCondition), ("favorite.Person == 1", .unknownAttribute),
        ("animals.name == \"x\"", .unsupported), ("any favorite.name == \"x\"", .unsupported),
    ])
    func rejectsMeaninglessConditions(condition: String, code: StoreError.Code) throws {
        #expect(throws: StoreError(code: code)) {
            try Self.store().read { try $0.count("Person", where: Condition(condition)) }
        }
    }
}
