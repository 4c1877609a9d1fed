import Testing
import Transformable
import TransformableStore

/// Quantified conditions whose path continues after the to-many relationship.
@Suite(.eachEngine) struct QuantifiedPathTests {
    /// Four people and their pets, two of which have the same vet and one of which has none.
    private static func store() throws -> Store {
        let model = try Model(entities: [
            EntityDescription("Vet", attributes: [.string("name"), .integer("age")]),
            EntityDescription(
                "Person",
                attributes: [.string("name")],
                relationships: [.toMany("pets", "Animal", inverse: "owner")]
            ),
            EntityDescription(
                "Animal",
                abstract: true,
                attributes: [.string("name"), .integer("age")],
                relationships: [.toOne("owner", "Person"), .toOne("vet", "Vet")]
            ),
            EntityDescription("Cat", parent: "Animal"), EntityDescription("Dog", parent: "Animal"),
            EntityDescription("Puppy", parent: "Dog"),
        ])
        let store = try Store.trial(model: model, transformers: TransformerRegistry {})
        try store.write { context in
            func make(_ entity: String, _ name: String, age: Int? = nil) throws -> ManagedObject {
                let object = try context.insert(entity)
                try object.setValue(name, for: "name")
                if let age { try object.setValue(age, for: "age") }
                return object
            }
            let people = try ["Ada", "Bea", "Cy", "Dee"].map { try make("Person", $0) }
            let (zoe, yve) = (try make("Vet", "Zoe", age: 50), try make("Vet", "Yve", age: 30))
            let pets = [
                (try make("Cat", "Tom", age: 3), people[0], zoe), (try make("Dog", "Rex", age: 5), people[0], nil),
                (try make("Puppy", "Kit", age: 3), people[1], yve), (try make("Dog", "Max", age: 50), people[3], yve),
            ]
            for (pet, owner, vet) in pets {
                try pet.setObject(owner, for: "owner")
                try pet.setObject(vet, for: "vet")
            }
        }
        return store
    }

    private func names(_ condition: Condition) throws -> [String] {
        try Self.store()
            .read { context in
                try context.fetch("Person", where: condition).map { try $0.value("name", as: String.self) }
            }
    }

    @Test(arguments: [
        ("any pets.vet (age == 50)", ["Ada"]), ("none pets.vet (age == 50)", ["Bea", "Cy", "Dee"]),
        ("all pets.vet (age == 50)", ["Ada", "Cy"]), ("all pets.vet (age != 50)", ["Bea", "Cy", "Dee"]),
        ("not all pets.vet (age == 50)", ["Bea", "Dee"]),
        ("any pets.Dog (age == 3)", ["Bea"]), ("none pets.Dog (age == 3)", ["Ada", "Cy", "Dee"]),
        ("all pets.Dog (age == 3)", ["Bea", "Cy"]), ("all pets.Puppy (age == 9)", ["Ada", "Cy", "Dee"]),
        ("any pets.Dog.vet (name == \"Yve\")", ["Bea", "Dee"]), ("any pets.Dog.Puppy (age == 3)", ["Bea"]),
        // What only Swift can decide.
        ("any pets.vet (name like \"Z%\")", ["Ada"]), ("all pets.vet (name like \"Z%\")", ["Ada", "Cy"]),
        ("any pets.Dog (age + 1 == 4)", ["Bea"]), ("all pets.Dog (age + 1 == 4)", ["Bea", "Cy"]),
    ])
    func testsTheObjectsAtTheEndOfAPath(text: String, expected: [String]) throws {
        #expect(try names(Condition(text)) == expected)
    }

    /// A dog may be a puppy, but cats are never anything else.
    @Test(arguments: [
        ("all pets.Dog.age == 5", ["Ada", "Cy"]), ("all pets.Cat.age == 3", ["Ada", "Bea", "Cy", "Dee"]),
        ("any pets.Dog.age is null", []), ("any pets.Cat.age is null", []),
        ("none pets.Dog.age is null", ["Ada", "Bea", "Cy", "Dee"]), ("all pets.Dog.age > vet.age", ["Cy", "Dee"]),
        ("all pets.Dog.Puppy.age == 3", ["Ada", "Bea", "Cy", "Dee"]), ("any pets.Dog.Puppy.age == 3", ["Bea"]),
        ("pets.Dog.@count == 1", ["Ada", "Bea", "Dee"]), ("pets.Cat.@count == 1", ["Ada"]),
        ("pets.Dog.Puppy.@count == 0", ["Ada", "Cy", "Dee"]), ("pets.Dog.@sum.age == 5", ["Ada"]),
        // The first two tables, those of cats and dogs, have no values.
        ("pets.Dog.Puppy.@max.age == 3", ["Bea"]), ("pets.Dog.Puppy.@avg.age is null", ["Ada", "Cy", "Dee"]),
    ])
    func theNameOfAnEntitySelectsItsObjects(text: String, expected: [String]) throws {
        #expect(try names(Condition(text)) == expected)
    }

    @Test func testsTheObjectsAtTheEndOfAPathInCode() throws {
        #expect(try names(Field("pets.vet").any(Field("age") == 50)) == ["Ada"])
        #expect(try names(Field("pets.vet").all(Field("age") == 50)) == ["Ada", "Cy"])
        #expect(try names(Field("pets.Dog").none(Field("age") == 3)) == ["Ada", "Cy", "Dee"])
        #expect(try names(Field("pets.Dog").count(where: Field("age") > 4) == 1) == ["Ada", "Dee"])
    }

    @Test(arguments: [
        ("any pets.name (age == 3)", StoreError.Code.unknownAttribute, "name"),
        ("any pets.vet.age (age == 3)", .unknownAttribute, "age"),
        ("any pets.toy (age == 3)", .unknownAttribute, "toy"),
    ])
    func rejectsPathsThatDoNotEndAtObjects(text: String, code: StoreError.Code, attribute: String) throws {
        let error = #expect(throws: StoreError(code: code)) { try names(Condition(text)) }
        #expect(error?.attribute == attribute)
    }

    /// The other attribute belongs to the pet, as in parentheses.
    @Test(arguments: [
        ("any pets.vet.age > age", ["Ada", "Bea"]), ("all pets.vet.age > age", ["Bea", "Cy"]),
        ("any pets.age in (vet.age, 5)", ["Ada"]), ("none pets.age in (vet.age, 5)", ["Bea", "Cy", "Dee"]),
        ("all pets.age < vet.age", ["Bea", "Cy"]), ("any pets.age == vet.age + 20", ["Dee"]),
        ("any pets (vet.age > age)", ["Ada", "Bea"]), ("none pets (age in (vet.age, 5))", ["Bea", "Cy", "Dee"]),
        ("all pets (age < vet.age)", ["Bea", "Cy"]),
    ])
    func pathsAreComparedWithOtherAttributes(text: String, expected: [String]) throws {
        #expect(try names(Condition(text)) == expected)
    }

    /// A path that leads nowhere has no value, so a list with null contains it.
    @Test(arguments: [
        ("any pets.vet.name in (\"zz\", null)", ["Ada"]), ("any pets (vet.name in (\"zz\", null))", ["Ada"]),
        ("all pets.vet.name in (\"Zoe\", null)", ["Ada", "Cy"]),
        ("none pets.vet.name in (\"zz\", null)", ["Bea", "Cy", "Dee"]),
        ("any pets.vet.name not in (\"Zoe\", null)", ["Bea", "Dee"]),
        ("any pets.vet.name in[c] (\"zz\", null)", ["Ada"]), ("any pets.vet in (7, null)", ["Ada"]),
    ])
    func pathsCanEndWithoutAnObject(text: String, expected: [String]) throws {
        #expect(try names(Condition(text)) == expected)
    }
}
