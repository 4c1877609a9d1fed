import Foundation
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Inverse relationships with the objects of a parent entity on one side, and those of a child on the other.
@Suite(.eachEngine) struct ChildInverseTests {
    private static let animals = [
        EntityDescription("Dog", parent: "Animal"), EntityDescription("Puppy", parent: "Dog"),
        EntityDescription("Cat", parent: "Animal"),
    ]

    /// Every animal can have an owner, toys, and a collar, but only dogs are found from there.
    private static var model: Model {
        get throws {
            try Model(
                entities: animals + [
                    EntityDescription(
                        "Animal",
                        abstract: true,
                        attributes: [.string("name")],
                        relationships: [
                            .toOne("owner", "Person", inverse: "dogs"), .toMany("toys", "Toy", inverse: "users"),
                            .toOne("collar", "Collar", inverse: "wearer"),
                        ]
                    ),
                    EntityDescription(
                        "Person",
                        attributes: [.string("name")],
                        relationships: [.toMany("dogs", "Dog", ordered: true, inverse: "owner")]
                    ),
                    EntityDescription(
                        "Toy",
                        attributes: [.string("name")],
                        relationships: [.toMany("users", "Dog", inverse: "toys")]
                    ),
                    EntityDescription(
                        "Collar",
                        attributes: [.string("name")],
                        relationships: [.toOne("wearer", "Dog", inverse: "collar")]
                    ),
                ]
            )
        }
    }

    private static func ids(_ objects: [ManagedObject]) -> String {
        objects.map(\.id.description).sorted().joined(separator: " ")
    }

    /// Makes objects in a store, and checks them there and in another context.
    private func check(
        _ isEditing: Bool,
        _ make: (StoreContext) throws -> Void,
        _ test: (StoreContext) throws -> Void
    ) throws {
        let folder = try Folder()
        let store = try Store.trial(
            at: folder.url.appending(path: "s.sqlite"),
            model: Self.model,
            transformers: TransformerRegistry {}
        )
        if isEditing {
            let context = store.makeContext()
            try make(context)
            try test(context)
            try context.save()
        } else {
            try store.write { context in
                try make(context)
                try test(context)
            }
        }
        try store.read(test)
        try store.close()
    }

    private static func find(_ entity: String, _ context: StoreContext, _ number: Int64 = 1) throws -> ManagedObject {
        try context.object(ObjectID(entity: entity, number: number))
    }

    @Test(arguments: [true, false]) func aToOneRelationshipLeadsBackFromChildren(isEditing: Bool) throws {
        try check(isEditing) { context in
            let ada = try OrderTests.make("Person", "Ada", context)
            for kind in ["Dog", "Cat"] {
                try OrderTests.make(kind, kind, context).setObject(ada, for: "owner")
            }
            try ada.add(OrderTests.make("Puppy", "p", context), to: "dogs")
        } _: { context in
            let ada = try Self.find("Person", context)
            #expect(Self.ids(try ada.objects("dogs")) == "Dog/1 Puppy/1")
            for kind in ["Dog", "Cat", "Puppy"] { #expect(try Self.find(kind, context).object("owner") === ada) }
            #expect(try context.count("Animal", where: Condition("owner.name == 'Ada'")) == 3)
            #expect(try context.count("Person", where: Condition("dogs.@count == 2")) == 1)
        }
    }

    @Test(arguments: [true, false]) func aToManyRelationshipLeadsBackFromChildren(isEditing: Bool) throws {
        try check(isEditing) { context in
            let ball = try OrderTests.make("Toy", "ball", context)
            for kind in ["Dog", "Cat"] { try OrderTests.make(kind, kind, context).add(ball, to: "toys") }
            try ball.add(OrderTests.make("Puppy", "p", context), to: "users")
        } _: { context in
            let ball = try Self.find("Toy", context)
            #expect(Self.ids(try ball.objects("users")) == "Dog/1 Puppy/1")
            for kind in ["Dog", "Cat", "Puppy"] {
                #expect(Self.ids(try Self.find(kind, context).objects("toys")) == "Toy/1")
            }
        }
    }

    @Test(arguments: [true, false]) func aCollarHasOneWearerAndAnyNumberOfCats(isEditing: Bool) throws {
        try check(isEditing) { context in
            let collar = try OrderTests.make("Collar", "red", context)
            for kind in ["Dog", "Cat", "Cat", "Puppy"] {
                try OrderTests.make(kind, kind, context).setObject(collar, for: "collar")
            }
        } _: { context in
            let collar = try Self.find("Collar", context)
            #expect(try collar.object("wearer")?.id == ObjectID(entity: "Puppy", number: 1))
            #expect(try Self.find("Dog", context).object("collar") == nil)
            for number in [1, 2] as [Int64] {
                #expect(try Self.find("Cat", context, number).object("collar") === collar)
            }
        }
    }

    @Test(arguments: [true, false]) func referencesEndWithTheirObjects(isEditing: Bool) throws {
        try check(isEditing) { context in
            let ada = try OrderTests.make("Person", "Ada", context)
            let ball = try OrderTests.make("Toy", "ball", context)
            for kind in ["Dog", "Cat"] {
                let animal = try OrderTests.make(kind, kind, context)
                try animal.setObject(ada, for: "owner")
                try animal.add(ball, to: "toys")
            }
            try context.save()
            try context.delete(ada)
            try context.delete(ball)
            try context.save()
        } _: { context in
            for kind in ["Dog", "Cat"] {
                let animal = try Self.find(kind, context)
                #expect(try animal.object("owner") == nil)
                #expect(Self.ids(try animal.objects("toys")) == "")
            }
        }
    }

    @Test func otherChildrenDoNotFit() throws {
        try check(false) { context in
            let ada = try OrderTests.make("Person", "Ada", context)
            let cat = try OrderTests.make("Cat", "c", context)
            #expect(throws: StoreError(code: .wrongType)) { try ada.add(cat, to: "dogs") }
        } _: { context in
            let ada = try Self.find("Person", context)
            #expect(try ada.objects("dogs").isEmpty)
        }
    }

    @Test func anInverseThatAlsoLeadsToOthersIsRefused() throws {
        let person = EntityDescription("Person", relationships: [.toMany("animals", "Animal")])
        let animals = [
            EntityDescription("Animal"),
            EntityDescription("Dog", parent: "Animal", relationships: [.toOne("owner", "Person", inverse: "animals")]),
        ]
        let model = try Model(entities: animals + [person])
        let error = #expect(throws: StoreError(code: .unsupported)) {
            try Store.inMemory(model: model, transformers: TransformerRegistry {})
        }
        #expect(error?.entity == "Dog" && error?.attribute == "owner")
    }
}
