import Foundation
import Testing
import Transformable
import TransformableCoreData
import TransformableModel
import TransformableSQLite
import TransformableStore

/// Stores with values that are not unique, although the model says so.
struct DuplicateAdoptionTests {
    private static let rows = [
        "INSERT INTO ZREADER VALUES (1, 3, 1, NULL, 'Ada', 'x7'), (2, 4, 1, 12, 'Bo', NULL)",
        """
        INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZPAGES, ZOWNER, Z2_OWNER) VALUES (1, 1, 1, 'Emma', 300, 1, 3),
        (2, 1, 1, 'Kim', 300, 1, 3), (3, 1, 1, 'Emma', NULL, 2, 4), (4, 1, 1, 'Emma', NULL, NULL, NULL),
        (5, 1, 1, CAST(x'C3A9' AS TEXT), 1, NULL, NULL), (6, 1, 1, CAST(x'65CC81' AS TEXT), 2, NULL, NULL)
        """,
    ]

    /// The model of the library, in which the given groups of properties of books must be unique.
    private static func model(unique groups: [[String]], title: AttributeOption? = nil) throws -> Model {
        var entities = StoreAdoptionTests.model.entities
        entities[0].uniqueness = groups
        if let title { entities[0].attributes[0] = .string("title", title) }
        return try Model(entities: entities)
    }

    /// A transformer to lowercase.
    private struct SmallTransformer: OneWayTransformer {
        var traits: TransformerTraits { .plain }

        func encode(_ value: String, in context: TransformContext) -> String { value.lowercased() }
    }

    private static func registry() throws -> TransformerRegistry {
        try TransformerRegistry { Registration("small", SmallTransformer()) }
    }

    private static func adopt(_ fixture: StoreFixture, _ model: Model, rehearsing: Bool = false) throws
        -> AdoptionReport
    {
        let source = try CoreDataStore(at: fixture.url, model: StoreFixture.model)
        return try source.adopt(
            as: model,
            into: fixture.target,
            transformers: registry(),
            options: CoreDataStore.AdoptionOptions(rehearsing: rehearsing, verifying: !rehearsing)
        )
    }

    @Test(arguments: [
        // Three books are called Emma, and “é” is written in two ways.
        (["title"], 5), (["pages"], 2), (["owner"], 2), (["owner", "pages"], 2), (["pages", "title"], 0),
        (["mark"], 0),
    ])
    func dropsConstraintsThatObjectsBreak(names: [String], count: Int) throws {
        let fixture = try StoreFixture.library(Self.rows)
        defer { fixture.remove() }
        let model = try Self.model(unique: [names])
        let rehearsed = try Self.adopt(fixture, model, rehearsing: true)
        let report = try Self.adopt(fixture, model)
        let list = names.joined(separator: ", ")
        let note = "Book.\(list): unique, but \(count) objects have the same value as others; no longer unique"
        #expect(report.notes.map(\.description) == (count > 0 ? [note] : []))
        #expect(rehearsed.notes == report.notes)
        #expect(report.objectCount == 8)
        #expect(report.verification?.isSound == true)
        let store = try Store(at: fixture.target, transformers: TransformerRegistry {}, options: .readOnly)
        #expect(store.model.entity("Book")?.uniqueness == (count > 0 ? [] : [names]))
    }

    /// An attribute that is computed from the title, and the name of the column that must be unique.
    static let computed: [(AttributeDescription, String)] = [
        (.string("title", .projected("small", as: "titleKey")), "titleKey"),
        (.string("sortTitle", .derived(.lowercased("title")), .unique), "sortTitle"),
    ]

    @Test(arguments: computed) func computesWhatMustBeUnique(attribute: AttributeDescription, name: String) throws {
        let fixture = try StoreFixture.library(Self.rows + ["UPDATE ZBOOK SET ZTITLE = 'EMMA' WHERE Z_PK = 3"])
        defer { fixture.remove() }
        var entities = StoreAdoptionTests.model.entities
        entities[0].attributes.removeAll { $0.name == attribute.name }
        entities[0].attributes.append(attribute)
        if !attribute.isUnique { entities[0].uniqueness = [[name]] }
        let model = try Model(entities: entities)
        let rehearsed = try Self.adopt(fixture, model, rehearsing: true)
        let report = try Self.adopt(fixture, model)
        let note = "Book.\(name): unique, but 5 objects have the same value as others; no longer unique"
        #expect(report.notes.map(\.description) == [note])
        #expect(rehearsed.notes == report.notes)
        #expect(report.verification?.isSound == true)
    }

    @Test func keepsConstraintsOfProjectionsThatAreUnique() throws {
        let fixture = try StoreFixture.library(Self.rows + ["UPDATE ZBOOK SET ZTITLE = 'Book ' || Z_PK"])
        defer { fixture.remove() }
        let model = try Self.model(unique: [["titleKey"]], title: .projected("small", as: "titleKey"))
        #expect(try Self.adopt(fixture, model).notes.isEmpty)
        let store = try Store(at: fixture.target, transformers: Self.registry(), options: .readOnly)
        #expect(store.model.entity("Book")?.uniqueness == [["titleKey"]])
    }

    @Test(arguments: [0, 1, 700]) func findsTheDuplicatesAmongManyObjects(count: Int) throws {
        // Rows that are so small that many hashes share their place.
        let rows = (1...5000).map { "(\($0), 5, 1, '\($0 <= count ? $0 + 2500 : $0)')" }
        let fixture = try StoreFixture.library(["INSERT INTO ZTAG VALUES \(rows.joined(separator: ", "))"])
        defer { fixture.remove() }
        var entities = StoreAdoptionTests.model.entities
        let place = try #require(entities.firstIndex { $0.name == "Tag" })
        entities[place].uniqueness = [["name"]]
        let report = try Self.adopt(fixture, Model(entities: entities))
        let note = "Tag.name: unique, but \(count * 2) objects have the same value as others; no longer unique"
        #expect(report.notes.map(\.description) == (count > 0 ? [note] : []))
        #expect(report.objectCount == 5000)
    }

    @Test func aConstraintOfAParentAppliesToItsChildren() throws {
        let fixture = try StoreFixture.library(Self.rows)
        defer { fixture.remove() }
        var entities = StoreAdoptionTests.model.entities
        let place = try #require(entities.firstIndex { $0.name == "Reader" })
        entities[place].uniqueness = [["name"]]
        #expect(try Self.adopt(fixture, Model(entities: entities)).notes.isEmpty)
        let store = try Store(at: fixture.target, transformers: TransformerRegistry {})
        try store.write { try $0.insert("Child").setValue("Ada", for: "name") }
        let error = #expect(throws: StoreError.self) {
            try store.write { try $0.insert("Adult").setValue("Ada", for: "name") }
        }
        #expect(error?.code == .notUnique)
    }

    @Test func keepsTheIndexOfAUniqueAttribute() throws {
        let fixture = try StoreFixture.library(Self.rows)
        defer { fixture.remove() }
        _ = try Self.adopt(fixture, Self.model(unique: [["pages", "owner"]], title: .unique))
        let store = try Store(at: fixture.target, transformers: TransformerRegistry {}, options: .readOnly)
        let book = try #require(store.model.entity("Book"))
        #expect(book.attribute("title")?.isUnique == false && book.attribute("title")?.isIndexed == true)
        #expect(book.indexes == [[.ascending("pages"), .ascending("owner")]])
    }
}
