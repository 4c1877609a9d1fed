import Foundation
import Testing
import Transformable
import TransformableCoreData
import TransformableModel
import TransformableSQLite
import TransformableStore

/// Adopted objects whose new model lacks some relationships of Core Data's.
struct PartialModelAdoptionTests {
    private func numbers(_ objects: [ManagedObject]) -> [Int64] { objects.map(\.id.number) }

    /// Returns our model of the library without some relationships, and without inverses that lead to them.
    private static func reducedModel(without names: Set<String>) throws -> Model {
        let entities = StoreAdoptionTests.model.entities.map { entity in
            var copy = entity
            copy.relationships.removeAll { names.contains("\(entity.name).\($0.name)") }
            for index in copy.relationships.indices {
                let relationship = copy.relationships[index]
                let inverse = relationship.inverse.map { "\(relationship.destination).\($0)" }
                if inverse.map(names.contains) == true { copy.relationships[index].inverse = nil }
            }
            return copy
        }
        return try Model(entities: entities)
    }

    /// Core Data stores the references of all of these with the other direction.
    @Test func keepsRelationshipsWithoutTheirInverses() throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        let model = try Self.reducedModel(without: ["Book.owner", "Book.tags", "Book.sequels"])
        let rehearsed = try fixture.adopt(CoreDataStore.AdoptionOptions(rehearsing: true), model: model)
        let report = try fixture.adopt(model: model)
        #expect(report.notes.isEmpty && rehearsed.notes.isEmpty)
        #expect(report.referenceCount == 10 && rehearsed.referenceCount == 10)
        let store = try fixture.openAdopted()
        try store.read { context in
            let child = try context.object(ObjectID(entity: "Child", number: 2))
            #expect(try numbers(child.objects("books")) == [7, 4])
            let tag = try context.object(ObjectID(entity: "Tag", number: 2))
            #expect(try Set(numbers(tag.objects("books"))) == [4, 9])
            let kim = try context.object(ObjectID(entity: "Book", number: 7))
            #expect(try numbers(kim.objects("prequels")) == [12])
        }
    }

    @Test func reportsReferencesThatTheNewModelHasNoRelationshipFor() throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        let names: Set = ["Book.owner", "Reader.books", "Book.tags", "Tag.books", "Tag.hidden"]
        let model = try Self.reducedModel(without: names)
        let report = try fixture.adopt(model: model)
        let text = "for which the new model has no relationship"
        #expect(
            report.notes.map(\.description) == [
                "Book.owner: left out 3 references \(text)", "Book.tags: left out 3 references \(text)",
                "Tag.hidden: left out 2 references \(text)",
            ]
        )
    }

    /// One object stores the references of both directions: an object of `B`, if our model has only `B.a`, and none, if
    /// `B.a` is the inverse of a relationship that Core Data does not have.
    @Test(
        arguments: [
            (EntityDescription("A"), ["A.b: left out 1 reference for"], 1),
            (
                EntityDescription("A", relationships: [.toOne("other", "B", inverse: "a")]),
                ["A.b: left out 2 references for", "B.a: left out 1 reference for"], nil
            ),
        ] as [(EntityDescription, [String], Int64?)]
    )
    func keepsOneDirectionOfAOneToOneRelationship(
        entity: EntityDescription,
        notes: [String],
        number: Int64?
    ) throws {
        let fixture = try StoreFixture(
            entities: [(1, "A", 0, 2), (2, "B", 0, 2)],
            [
                "CREATE TABLE ZA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZB INTEGER)",
                "CREATE TABLE ZB (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZA INTEGER)",
                // The second objects do not refer to each other.
                "INSERT INTO ZA VALUES (1, 1, 1, 1), (2, 1, 1, 2)",
                "INSERT INTO ZB VALUES (1, 2, 1, 1), (2, 2, 1, NULL)",
            ]
        )
        defer { fixture.remove() }
        let source = CoreDataModel(entities: [
            CoreDataEntity("A", relationships: [CoreDataRelationship("b", to: "B", inverse: "a")]),
            CoreDataEntity("B", relationships: [CoreDataRelationship("a", to: "A", inverse: "b")]),
        ])
        let inverse = entity.relationships.first?.name
        let other = EntityDescription("B", relationships: [.toOne("a", "A", inverse: inverse)])
        let report = try CoreDataStore(at: fixture.url, model: source)
            .adopt(
                as: Model(entities: [entity, other]),
                into: fixture.target,
                transformers: TransformerRegistry {}
            )
        #expect(report.notes.map(\.description) == notes.map { "\($0) which the new model has no relationship" })
        let store = try fixture.openAdopted()
        let found = try store.read { context in
            try context.object(ObjectID(entity: "B", number: 1)).object("a")?.id.number
        }
        #expect(found == number)
    }

    /// Core Data stores these references only with objects of `A`, because `B.a` is a to-many relationship there.
    @Test func reportsReferencesWhoseInverseIsAToOneRelationshipOnlyInTheNewModel() throws {
        let fixture = try StoreFixture(
            entities: [(1, "A", 0, 1), (2, "B", 0, 1)],
            [
                "CREATE TABLE ZA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZB INTEGER)",
                "CREATE TABLE ZB (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER)",
                "INSERT INTO ZA VALUES (1, 1, 1, 1)", "INSERT INTO ZB VALUES (1, 2, 1)",
            ]
        )
        defer { fixture.remove() }
        let source = CoreDataModel(entities: [
            CoreDataEntity("A", relationships: [CoreDataRelationship("b", to: "B", inverse: "a")]),
            CoreDataEntity("B", relationships: [CoreDataRelationship("a", to: "A", toMany: true, inverse: "b")]),
        ])
        let model = try Model(entities: [
            EntityDescription("A"), EntityDescription("B", relationships: [.toOne("a", "A")]),
        ])
        let report = try CoreDataStore(at: fixture.url, model: source)
            .adopt(as: model, into: fixture.target, transformers: TransformerRegistry {})
        let note = "A.b: left out 1 reference for which the new model has no relationship"
        #expect(report.notes.map(\.description) == [note])
    }
}
