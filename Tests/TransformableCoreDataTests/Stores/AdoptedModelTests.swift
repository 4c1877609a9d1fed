import Foundation
import Testing
import Transformable
import TransformableCoreData
import TransformableModel
import TransformableSQLite
import TransformableStore

/// What an adoption changes in the model: selected entities, derived attributes, and properties that objects lack.
struct AdoptedModelTests {
    @Test func makesRequiredPropertiesOptionalThatObjectsLack() throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        try fixture.run("UPDATE ZBOOK SET ZTITLE = NULL WHERE Z_PK = 7; UPDATE ZBOOK SET ZOWNER = 77 WHERE Z_PK = 9")
        var entities = StoreAdoptionTests.model.entities
        for index in entities[0].relationships.indices where entities[0].relationships[index].name == "owner" {
            entities[0].relationships[index].isOptional = false
        }
        let report = try fixture.adopt(model: Model(entities: entities))
        #expect(
            report.notes.map(\.description).prefix(2) == [
                "Book.owner: required, but 2 objects have none; made optional",
                "Book.title: required, but 1 object has none; made optional",
            ]
        )
        let store = try fixture.openAdopted()
        #expect(store.model.entity("Book")?.attribute("title")?.isOptional == true)
        let id = ObjectID(entity: "Book", number: 7)
        #expect(try store.read { try $0.object(id).value("title", as: String?.self) } == nil)
    }

    @Test func adoptsSelectedEntities() throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        let report = try fixture.adopt(CoreDataStore.AdoptionOptions(entities: ["Child", "Tag"], verifying: true))
        #expect(report.entities.map(\.name) == ["Child", "Tag"])
        let note = "Tag.hidden: dropped the relationship to “Book”, which was not selected"
        #expect(report.notes.map(\.description).contains(note))
        #expect(report.verification?.isSound == true)
        let error = #expect(throws: CoreDataError.self) {
            try fixture.adopt(CoreDataStore.AdoptionOptions(entities: ["Nobody"]))
        }
        #expect(error?.code == .unknownName)
    }

    @Test func selectionDropsWhatUsesDroppedRelationships() throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        var entities = StoreAdoptionTests.model.entities
        entities[4].transientRelationships = [TransientRelationship("last", to: "Book")]
        let requests = [
            FetchRequestDescription("titled", of: "Tag", where: "name != null and any books.title == $title"),
            FetchRequestDescription("popular", of: "Tag", where: "not (books.@count < 3)"),
            FetchRequestDescription("named", of: "Tag", where: "name == $name", sortedBy: [.ascending("name")]),
        ]
        let options = CoreDataStore.AdoptionOptions(entities: ["Tag"], verifying: true)
        let report = try fixture.adopt(options, model: Model(entities: entities, fetchRequests: requests))
        let dropped = "dropped the fetch request, because it uses “books”, which was dropped"
        #expect(
            report.notes.map(\.description).prefix(5) == [
                "Tag.books: dropped the relationship to “Book”, which was not selected",
                "Tag.hidden: dropped the relationship to “Book”, which was not selected",
                "Tag.last: dropped the relationship to “Book”, which was not selected", "Tag.titled: \(dropped)",
                "Tag.popular: \(dropped)",
            ]
        )
        let model = try fixture.openAdopted().model
        #expect(model.fetchRequests.map(\.name) == ["named"])
        #expect(model.entity("Tag")?.transientRelationships == [])
    }

    @Test func selectionDropsRequestsAboutChildrenThatWereNotSelected() throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        let requests = [
            FetchRequestDescription("young", of: "Book", where: "owner.Child.code == 1"),
            FetchRequestDescription("grown", of: "Book", where: "owner.Adult.code == 'x'"),
        ]
        let options = CoreDataStore.AdoptionOptions(entities: ["Book", "Adult"])
        let model = try Model(entities: StoreAdoptionTests.model.entities, fetchRequests: requests)
        let report = try fixture.adopt(options, model: model)
        let note = "Book.young: dropped the fetch request, because it uses “Adult.Child.code”, which was dropped"
        #expect(report.notes.map(\.description).contains(note))
        #expect(try fixture.openAdopted().model.fetchRequests.map(\.name) == ["grown"])
    }

    @Test func selectedChildrenForgetRelationshipsOfTheirParents() throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        var entities = StoreAdoptionTests.model.entities
        entities[2].attributes.append(.int64("bookCount", .derived(.count(of: "books"))))
        let options = CoreDataStore.AdoptionOptions(entities: ["Adult"], verifying: true)
        let report = try fixture.adopt(options, model: Model(entities: entities))
        #expect(report.entities.map(\.name) == ["Adult"])
        let note = "Adult.bookCount: dropped the attribute, because it uses “books”, which was dropped"
        #expect(report.notes.map(\.description).contains(note))
        #expect(try fixture.openAdopted().model.entity("Adult")?.attributes.map(\.name) == ["code"])
    }

    @Test func selectionNotesTheUniqueGroupsAndIndexesThatItDrops() throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        var entities = StoreAdoptionTests.model.entities
        entities[0].uniqueness = [["title", "owner"], ["title", "mark"]]
        entities[0].indexes = [[.ascending("owner"), .ascending("added")]]
        let options = CoreDataStore.AdoptionOptions(entities: ["Book"])
        let report = try fixture.adopt(options, model: Model(entities: entities))
        #expect(
            report.notes.map(\.description).prefix(4) == [
                "Book.owner: dropped the relationship to “Reader”, which was not selected",
                "Book.tags: dropped the relationship to “Tag”, which was not selected",
                "Book.title, owner: dropped the unique group, because it uses “owner”, which was dropped",
                "Book.owner, added: dropped the index, because it uses “owner”, which was dropped",
            ]
        )
        #expect(try fixture.openAdopted().model.entity("Book")?.uniqueness == [["title", "mark"]])
    }

    @Test func attributesDerivedFromAMissingOneBecomeOptional() throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        try fixture.run("UPDATE ZBOOK SET ZTITLE = NULL WHERE Z_PK = 7")
        var entities = StoreAdoptionTests.model.entities
        entities[0].attributes.append(.string("sortTitle", .derived(.folded("title"))))
        let report = try fixture.adopt(model: Model(entities: entities))
        let note = "Book.sortTitle: became optional, because it is derived from an optional attribute"
        #expect(report.notes.map(\.description).contains(note))
        let store = try fixture.openAdopted()
        #expect(store.model.entity("Book")?.attribute("sortTitle")?.isOptional == true)
        let titles = try store.read { context in
            let books = try [4, 7].map { try context.object(ObjectID(entity: "Book", number: $0)) }
            return try books.map { try $0.value("sortTitle", as: String?.self) }
        }
        #expect(titles == ["emma", nil])
    }

    @Test func computesDerivedAttributes() throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        try fixture.run("UPDATE ZBOOK SET ZTITLE = 'ÉMILE' WHERE Z_PK = 7")
        var entities = StoreAdoptionTests.model.entities
        entities[0].attributes += [
            .string("sortTitle", .derived(.folded("title"))), .date("changed", .derived(.dateOfChange)),
        ]
        let start = Date()
        let report = try fixture.adopt(model: Model(entities: entities))
        #expect(report.notes.isEmpty)
        #expect(report.verification?.isSound == true)
        let store = try fixture.openAdopted()
        #expect(store.model.entity("Book")?.attribute("sortTitle")?.isOptional == false)
        try store.read { context in
            let books = try [4, 7, 9, 12].map { try context.object(ObjectID(entity: "Book", number: $0)) }
            let titles = try books.map { try $0.value("sortTitle", as: String.self) }
            #expect(titles == ["emma", "emile", "ulysses", "dubliners"])
            let isRecent = try books.allSatisfy { try $0.value("changed", as: Date.self) >= start }
            #expect(isRecent)
        }
    }

    @Test func aRequiredAttributeDerivedFromWhatIsNoTextBecomesOptional() throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        try fixture.run("UPDATE ZBOOK SET ZTITLE = x'41' WHERE Z_PK = 7")
        var entities = StoreAdoptionTests.model.entities
        entities[0].attributes.append(.string("sortTitle", .derived(.folded("title"))))
        let report = try fixture.adopt(CoreDataStore.AdoptionOptions(), model: Model(entities: entities))
        let note = "Book.sortTitle: required, but 1 object has none; made optional"
        #expect(report.notes.map(\.description).contains(note))
    }

    @Test func providesRequiredPropertiesThatCoreDataLacks() throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        var entities = StoreAdoptionTests.model.entities
        entities[0].attributes += [
            .string("shelf", .default("A1")), .uuid("key", .unique, .default(.newUUID)), .int16("rating"),
            .string("label", .unique, .default("new")),
        ]
        entities[0].relationships.append(.toOne("editor", "Reader", optional: false))
        let model = try Model(entities: entities)
        let rehearsed = try fixture.adopt(CoreDataStore.AdoptionOptions(rehearsing: true), model: model)
        let report = try fixture.adopt(model: model)
        #expect(
            report.notes.map(\.description) == [
                "Book.editor: required, but 4 objects have none; made optional",
                "Book.label: required, but 4 objects have none; made optional",
                "Book.rating: required, but 4 objects have none; made optional",
                "Book.shelf: required, but not in Core Data's model; 4 objects got the default",
                "Book.key: required, but not in Core Data's model; 4 objects got the default",
            ]
        )
        #expect(rehearsed.notes == report.notes)
        #expect(report.verification?.isSound == true)
        let store = try fixture.openAdopted()
        #expect(store.model.entity("Book")?.attribute("shelf")?.isOptional == false)
        let id = ObjectID(entity: "Book", number: 7)
        try store.read { context in
            let book = try context.object(id)
            #expect(try book.value("shelf", as: String.self) == "A1")
            #expect(try book.value("label", as: String?.self) == nil)
        }
    }
}
