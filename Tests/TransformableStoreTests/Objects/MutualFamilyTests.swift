import Foundation
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Relationships to a family that are their own inverse.
@Suite struct MutualFamilyTests {
    private static func model(ordered: Bool) throws -> Model {
        try Model(entities: [
            EntityDescription(
                "Animal",
                abstract: true,
                attributes: [.string("name")],
                relationships: [
                    .toMany("friends", "Animal", ordered: ordered, inverse: "friends"),
                    .toOne("partner", "Animal", inverse: "partner"),
                ]
            ),
            // Its columns are in different positions from those of a cat.
            EntityDescription(
                "Dog",
                parent: "Animal",
                attributes: [.string("breed", .optional), .string("trick", .optional)]
            ),
            EntityDescription("Cat", parent: "Animal"),
        ])
    }

    private static let dog = ObjectID(entity: "Dog", number: 1)
    private static let cat = ObjectID(entity: "Cat", number: 1)
    private static let other = ObjectID(entity: "Cat", number: 2)

    /// Makes a dog and two cats, of whom one has the dog's number, and changes them.
    private func change(
        _ isOrdered: Bool,
        _ isEditing: Bool,
        _ body: @Sendable (StoreContext) throws -> Void
    ) throws -> [String] {
        let folder = try Folder()
        let url = folder.url.appending(path: "s.sqlite")
        let store = try Store(at: url, model: Self.model(ordered: isOrdered), transformers: TransformerRegistry {})
        try store.write { context in
            for (entity, name) in [("Dog", "d"), ("Cat", "c"), ("Cat", "e")] {
                try context.insert(entity).setValue(name, for: "name")
            }
        }
        if isEditing {
            let context = store.makeContext()
            try body(context)
            try context.save()
        } else {
            try store.write(body)
        }
        try store.close()
        let reopened = try Store(at: url, transformers: TransformerRegistry {})
        return try reopened.read { context in
            try [Self.dog, Self.cat, Self.other]
                .compactMap { id in
                    guard let object = try context.objectIfPresent(id) else { return nil }
                    return try "\(id): \(Self.list(object))"
                }
        }
    }

    private static func list(_ object: ManagedObject) throws -> String {
        try (object.objects("friends") + [object.object("partner")].compactMap(\.self))
            .map(\.id.description).joined(separator: " ")
    }

    @Test(arguments: [true, false], [true, false]) func relationshipsAreMutual(isOrdered: Bool, isEditing: Bool) throws
    {
        let found = try change(isOrdered, isEditing) { context in
            let (dog, cat) = try (context.object(Self.dog), context.object(Self.cat))
            try dog.setObjects([cat], for: "friends")
            try context.object(Self.other).add(dog, to: "friends")
            #expect(try Self.list(cat) == "Dog/1")
            #expect(try Self.list(dog) == "Cat/1 Cat/2")
        }
        #expect(found == ["Dog/1: Cat/1 Cat/2", "Cat/1: Dog/1", "Cat/2: Dog/1"])
    }

    @Test(arguments: [true, false], [true, false]) func removalAffectsBothSides(isOrdered: Bool, isEditing: Bool) throws
    {
        let found = try change(isOrdered, isEditing) { context in
            let (dog, cat) = try (context.object(Self.dog), context.object(Self.cat))
            try dog.setObjects([cat, context.object(Self.other)], for: "friends")
            try context.save()
            try cat.remove(dog, from: "friends")
            #expect(try Self.list(dog) == "Cat/2")
        }
        #expect(found == ["Dog/1: Cat/2", "Cat/1: ", "Cat/2: Dog/1"])
    }

    @Test(arguments: [true, false], [true, false]) func relationshipsEndWithTheirObjects(
        isOrdered: Bool,
        isEditing: Bool
    ) throws {
        let found = try change(isOrdered, isEditing) { context in
            let (dog, cat) = try (context.object(Self.dog), context.object(Self.cat))
            try cat.setObjects([dog, context.object(Self.other)], for: "friends")
            try context.save()
            try context.delete(cat)
            #expect(try Self.list(dog) == "")
        }
        #expect(found == ["Dog/1: ", "Cat/2: "])
    }

    @Test(arguments: [true, false]) func partnersAreMutual(isEditing: Bool) throws {
        let found = try change(false, isEditing) { context in
            let (dog, cat) = try (context.object(Self.dog), context.object(Self.cat))
            try dog.setObject(context.object(Self.other), for: "partner")
            try cat.setObject(dog, for: "partner")
            #expect(try dog.object("partner") === cat)
        }
        #expect(found == ["Dog/1: Cat/1", "Cat/1: Dog/1", "Cat/2: "])
    }
}
