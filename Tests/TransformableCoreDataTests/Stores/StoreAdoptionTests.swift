import Foundation
import GRDB
import KeyedArchivePlugin
import Testing
import Transformable
import TransformableCoreData
import TransformableModel
import TransformableSQLite
import TransformableStore

struct StoreAdoptionTests {
    /// Our model of the library in `StoreFixture`.
    static let model: Model = {
        var cover = AttributeDescription.data("cover", .optional)
        cover.externalThreshold = 100
        let book = EntityDescription(
            "Book",
            attributes: [
                .string("title"), .date("added", .optional), .decimal("price", .optional), .int16("pages", .optional),
                .boolean("isLent", .optional), .uuid("mark", .optional), .url("page", .optional),
                .double("weight", .optional), cover, .data("notes", .optional),
            ],
            relationships: [
                .toOne("owner", "Reader", inverse: "books"),
                .toMany("sequels", "Book", ordered: true, inverse: "prequels"),
                .toMany("prequels", "Book", inverse: "sequels"),
                .toMany("tags", "Tag", inverse: "books"),
            ]
        )
        let reader = EntityDescription(
            "Reader",
            abstract: true,
            attributes: [.string("name", .optional)],
            relationships: [.toMany("books", "Book", ordered: true, inverse: "owner")]
        )
        let adult = EntityDescription("Adult", parent: "Reader", attributes: [.string("code", .optional)])
        let child = EntityDescription("Child", parent: "Reader", attributes: [.int64("code", .optional)])
        let tag = EntityDescription(
            "Tag",
            attributes: [.string("name", .optional)],
            relationships: [.toMany("books", "Book", inverse: "tags"), .toMany("hidden", "Book", ordered: true)]
        )
        // The model is a constant of the tests.
        // swift-format-ignore: NeverUseForceTry
        return try! Model(entities: [book, reader, adult, child, tag])
    }()

    private func numbers(_ objects: [ManagedObject]) -> [Int64] { objects.map(\.id.number) }

    @Test func keepsValuesNumbersAndOrder() throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        let report = try fixture.adopt()
        #expect(report.objectCount == 8)
        #expect(report.entities.map(\.name) == ["Adult", "Book", "Child", "Tag"])
        // Book: 4 titles, 2 dates, 2 prices, 1 number of pages, 2 of isLent, and 5 more of Emma.
        #expect(report.entities.map(\.values) == [2, 16, 2, 2])
        #expect(report.notes.isEmpty)
        #expect(report.verification?.isSound == true)
        let store = try fixture.openAdopted()
        try store.read { context in
            let emma = try context.object(ObjectID(entity: "Book", number: 4))
            #expect(try emma.value("title", as: String.self) == "Emma")
            #expect(try emma.value("added", as: Date?.self) == Date(timeIntervalSinceReferenceDate: 86400))
            #expect(try emma.value("price", as: Decimal?.self) == Decimal(string: "12.5"))
            #expect(try emma.value("pages", as: Int16?.self) == 300)
            #expect(try emma.value("isLent", as: Bool?.self) == true)
            #expect(try emma.value("weight", as: Double?.self) == 0.5)
            #expect(try emma.value("page", as: URL?.self) == URL(string: "https://a.example/1"))
            #expect(try emma.value("mark", as: UUID?.self)?.uuidString == "00010203-0405-0607-0809-0A0B0C0D0E0F")
            #expect(try emma.value("cover", as: Data?.self) == Data([0xAA, 0xBB]))
            #expect(try emma.value("notes", as: Data?.self) == Data("note".utf8))
            #expect(try emma.object("owner")?.id == ObjectID(entity: "Child", number: 2))
            let child = try context.object(ObjectID(entity: "Child", number: 2))
            #expect(try child.value("code", as: Int64?.self) == 12)
            #expect(try numbers(child.objects("books")) == [7, 4])
            #expect(try Set(numbers(emma.objects("tags"))) == [1, 2])
            let dubliners = try context.object(ObjectID(entity: "Book", number: 12))
            #expect(try numbers(dubliners.objects("sequels")) == [7, 9])
            let tag = try context.object(ObjectID(entity: "Tag", number: 1))
            #expect(try numbers(tag.objects("hidden")) == [9, 4])
        }
    }

    @Test func countsReferences() throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        let report = try fixture.adopt()
        let counts = Dictionary(
            uniqueKeysWithValues: report.relationships.map { ("\($0.entity).\($0.name)", $0.references) }
        )
        #expect(counts == ["Book.owner": 3, "Book.tags": 3, "Book.sequels": 2, "Tag.hidden": 2])
    }

    @Test func givesNewObjectsUnusedNumbers() throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        _ = try fixture.adopt()
        let store = try Store(at: fixture.target, transformers: TransformerRegistry {}, options: .mustExist)
        // Core Data's record says that 40 books and 9 readers have existed.
        let numbers = try store.write { context in
            let book = try context.insert("Book")
            try book.setValue("New", for: "title")
            return try [book.id.number, context.insert("Adult").id.number]
        }
        #expect(numbers == [41, 10])
        try store.close()
    }

    @Test func copiesValuesFromFilesOfTheirOwn() throws {
        let name = "0A5B7C33-1F0E-4F6A-9D0B-5D4D2F0D8E11"
        let missing = "1A5B7C33-1F0E-4F6A-9D0B-5D4D2F0D8E11"
        let small = "2A5B7C33-1F0E-4F6A-9D0B-5D4D2F0D8E11"
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        let folder = fixture.folder.appending(path: ".App_SUPPORT/_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let large = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0) })
        try large.write(to: folder.appending(path: name))
        try Data("small".utf8).write(to: folder.appending(path: small))
        for (number, file) in [(4, name), (7, missing), (9, small)] {
            let cell = Data([2]) + Data(file.utf8) + Data([0])
            try fixture.run("UPDATE ZBOOK SET ZCOVER = ? WHERE Z_PK = ?", [cell, number])
        }
        let report = try fixture.adopt()
        #expect(report.fileCount == 2)
        let reason = "the files of 1 value are not in “.App_SUPPORT/_EXTERNAL_DATA” next to the store"
        #expect(report.notes.map(\.description) == ["Book.cover: \(reason); reading these values is an error"])
        let store = try fixture.openAdopted()
        try store.read { context in
            let books = try [4, 7, 9].map { try context.object(ObjectID(entity: "Book", number: $0)) }
            #expect(try books[0].value("cover", as: Data?.self) == large)
            #expect(try books[2].value("cover", as: Data?.self) == Data("small".utf8))
            let error = #expect(throws: StoreError.self) { try books[1].value("cover", as: Data?.self) }
            #expect(error?.code == .missingBlob)
        }
        #expect(try fixture.names.contains("adopted.sqlite-blobs"))
    }

    /// A folder or a symbolic link is not a file of a value.
    @Test func rehearsesWhichFilesCanBeCopied() throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        let folder = fixture.folder.appending(path: ".App_SUPPORT/_EXTERNAL_DATA")
        let names = [4: "0A5B7C33", 7: "1A5B7C33", 9: "2A5B7C33"].mapValues { "\($0)-1F0E-4F6A-9D0B-5D4D2F0D8E11" }
        try FileManager.default.createDirectory(
            at: folder.appending(path: names[4] ?? ""),
            withIntermediateDirectories: true
        )
        try Data("value".utf8).write(to: folder.appending(path: names[7] ?? ""))
        let link = folder.appending(path: names[9] ?? "").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: fixture.url.path)
        for (number, file) in names {
            let cell = Data([2]) + Data(file.utf8) + Data([0])
            try fixture.run("UPDATE ZBOOK SET ZCOVER = ? WHERE Z_PK = ?", [cell, number])
        }
        let rehearsed = try fixture.adopt(CoreDataStore.AdoptionOptions(rehearsing: true))
        let report = try fixture.adopt()
        #expect(report.fileCount == 1 && rehearsed.fileCount == 1)
        #expect(report.notes.count == 1 && rehearsed.notes == report.notes)
    }

    @Test func findsTheFolderOfFilesBehindASymbolicLink() throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        let place = fixture.folder.appending(path: "elsewhere", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let link = place.appending(path: "Link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: fixture.url)
        let expected = fixture.folder.appending(path: ".App_SUPPORT/_EXTERNAL_DATA").resolvingSymlinksInPath()
        let store = try CoreDataStore(at: link, model: StoreFixture.model)
        #expect(store.externalDataFolder.path == expected.path)
    }

    @Test func reportsDanglingReferences() throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        try fixture.run("UPDATE ZBOOK SET ZOWNER = 77 WHERE Z_PK = 9; INSERT INTO Z_1TAGS VALUES (4, 99)")
        let report = try fixture.adopt()
        #expect(report.danglingCount == 2)
        #expect(
            report.notes.map(\.description) == [
                "Book.owner: left out 1 reference to objects that do not exist (of object 9)",
                "Book.tags: left out 1 reference to objects that do not exist (of object 4)",
            ]
        )
        #expect(report.verification?.isSound == true)
        try FileManager.default.removeItem(at: fixture.target)
        let before = try fixture.names
        let error = #expect(throws: CoreDataError.self) {
            try fixture.adopt(CoreDataStore.AdoptionOptions(dangling: .fail))
        }
        #expect(error?.code == .danglingReference)
        #expect(try fixture.names == before)
    }

    @Test func rehearsesWithoutWriting() throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        let before = try fixture.names
        let rehearsed = try fixture.adopt(CoreDataStore.AdoptionOptions(rehearsing: true))
        #expect(try fixture.names == before)
        let report = try fixture.adopt()
        #expect(rehearsed.entities == report.entities)
        #expect(rehearsed.relationships == report.relationships)
        #expect(rehearsed.notes == report.notes)
    }

    @Test func reportsRowsOfUnknownEntities() throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        try fixture.run("INSERT INTO ZREADER (Z_PK, Z_ENT) VALUES (3, 9), (4, NULL), (5, 2), (-1, 3)")
        let report = try fixture.adopt()
        #expect(
            report.notes.map(\.description) == [
                "1 row of “ZREADER” left out, of no entity",
                "Reader: 1 row left out, although the entity is abstract",
                "Adult: 1 row left out, whose numbers are not positive",
                "1 row of “ZREADER” left out, of an unknown entity, 9",
            ]
        )
        #expect(report.objectCount == 8)
    }

    /// References to rows whose numbers are not positive, and the relationship that is reported.
    @Test(arguments: [
        ("UPDATE ZBOOK SET ZOWNER = -1 WHERE Z_PK = 9", "Book.owner", "9"),
        ("INSERT INTO Z_1TAGS VALUES (9, 0)", "Book.tags", "9"),
        ("INSERT INTO Z_1TAGS VALUES (-2, 1)", "Book.tags", "-2"),
        ("UPDATE ZBOOK SET Z5HIDDEN = 0 WHERE Z_PK = 9", "Tag.hidden", "0"),
    ])
    func leavesOutReferencesToRowsWithoutAPositiveNumber(change: String, name: String, object: String) throws {
        let strangers = [
            "INSERT INTO ZREADER (Z_PK, Z_ENT) VALUES (-1, 3)", "INSERT INTO ZTAG (Z_PK, Z_ENT) VALUES (0, 5)",
            "INSERT INTO ZBOOK (Z_PK, Z_ENT, ZTITLE) VALUES (-2, 1, 'Ghost')",
        ]
        let fixture = try StoreFixture.library(StoreFixture.books + strangers + [change])
        defer { fixture.remove() }
        let rehearsed = try fixture.adopt(CoreDataStore.AdoptionOptions(rehearsing: true))
        let report = try fixture.adopt()
        #expect(report.objectCount == 8)
        #expect(report.danglingCount == 1)
        let note = "\(name): left out 1 reference to objects that do not exist (of object \(object))"
        #expect(report.notes.map(\.description).contains(note))
        #expect(report.verification?.isSound == true)
        #expect(rehearsed.notes == report.notes)
    }

    @Test func aRequiredReferenceMustLeadToAPositiveNumber() throws {
        let stranger = "INSERT INTO ZREADER (Z_PK, Z_ENT) VALUES (-1, 3)"
        let fixture = try StoreFixture.library(
            StoreFixture.books + [stranger, "UPDATE ZBOOK SET ZOWNER = -1 WHERE Z_PK = 9"]
        )
        defer { fixture.remove() }
        var entities = Self.model.entities
        for index in entities[0].relationships.indices where entities[0].relationships[index].name == "owner" {
            entities[0].relationships[index].isOptional = false
        }
        let report = try fixture.adopt(model: Model(entities: entities))
        // One book has no owner, and the owner of another one is not adopted.
        let note = "Book.owner: required, but 2 objects have none; made optional"
        #expect(report.notes.map(\.description).contains(note))
        #expect(report.verification?.isSound == true)
    }

    @Test func ignoresARecordThatLeavesNoNumbers() throws {
        let change = "UPDATE Z_PRIMARYKEY SET Z_MAX = \(Int64.max) WHERE Z_NAME = 'Book'"
        let fixture = try StoreFixture.library(StoreFixture.books + [change])
        defer { fixture.remove() }
        let rehearsed = try fixture.adopt(CoreDataStore.AdoptionOptions(rehearsing: true))
        let report = try fixture.adopt()
        let note = "Book: ignored the highest number on record, \(Int64.max), which leaves too few for new objects"
        #expect(report.notes.map(\.description) == [note])
        #expect(rehearsed.notes == report.notes)
        let store = try Store(at: fixture.target, transformers: TransformerRegistry {}, options: .mustExist)
        let number = try store.write { context in
            let book = try context.insert("Book")
            try book.setValue("New", for: "title")
            return book.id.number
        }
        #expect(number == 13)
        try store.close()
    }

    @Test func reportsObjectsWithoutAnEntityInTheNewModel() throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        let model = try Model(entities: [EntityDescription("Tag", attributes: [.string("name", .optional)])])
        let report = try fixture.adopt(model: model)
        #expect(report.entities.map(\.name) == ["Tag"])
        let notes = report.notes.map(\.description)
        #expect(notes.contains("Book: 4 rows left out, because the new model has no entity for their objects"))
        #expect(notes.contains("Adult: 1 row left out, because the new model has no entity for their objects"))
        #expect(notes.contains("Child: 1 row left out, because the new model has no entity for their objects"))
    }

    @Test func takesEveryRowOfATableWithOneEntity() throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        // As Core Data does, which looks at the number only if several entities share a table.
        try fixture.run("UPDATE ZTAG SET Z_ENT = 1 WHERE Z_PK = 2")
        let report = try fixture.adopt()
        #expect(report.objectCount == 8)
        #expect(report.relationships.first { $0.name == "tags" }?.references == 3)
        #expect(report.notes.isEmpty)
    }

    @Test func reportsTheHistoryOfChanges() throws {
        let history = ["CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY)", "INSERT INTO ACHANGE VALUES (1), (2)"]
        let fixture = try StoreFixture.library(StoreFixture.books + history)
        defer { fixture.remove() }
        #expect(try fixture.adopt().notes.map(\.description) == ["left out the history of 2 changes"])
    }

    @Test func leavesNothingBehindIfInterrupted() throws {
        struct Stop: Error {}
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        let values = (1...600).map { "(\($0 + 100), 5, 1, 'tag')" }.joined(separator: ", ")
        try fixture.run("INSERT INTO ZTAG VALUES \(values)")
        let before = try fixture.names
        let source = try CoreDataStore(at: fixture.url, model: StoreFixture.model)
        #expect(throws: Stop.self) {
            try source.adopt(as: Self.model, into: fixture.target, transformers: TransformerRegistry {}) { _ in
                throw Stop()
            }
        }
        #expect(try fixture.names == before)
    }

    @Test func doesNotReplaceAFile() throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        try Data("mine".utf8).write(to: fixture.target)
        let error = #expect(throws: StoreError.self) { try fixture.adopt() }
        #expect(error?.code == .fileExists)
        #expect(try Data(contentsOf: fixture.target) == Data("mine".utf8))
    }

    @Test func refusesAModelThatCannotHoldTheValues() throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        let model = try Model(entities: [EntityDescription("Tag", attributes: [.int64("name", .optional)])])
        let error = #expect(throws: CoreDataError.self) { try fixture.adopt(model: model) }
        #expect(error?.code == .modelMismatch)
    }

    /// A transformer whose values can be decoded only for the object that they were encoded for.
    private struct BoundTransformer: Transformer {
        var traits: TransformerTraits { [.plain, .contextual] }

        func encode(_ value: Data, in context: TransformContext) -> Data {
            Data("\(context.object ?? 0) ".utf8) + value
        }

        func decode(_ encoded: Data, in context: TransformContext) throws -> Data {
            let mark = Data("\(context.object ?? 0) ".utf8)
            guard encoded.starts(with: mark) else { throw TransformerError.invalidData("not bound to this object") }
            return encoded.dropFirst(mark.count)
        }
    }

    @Test(arguments: [true, false]) func refusesATransformerThatBindsValuesToTheirPlaces(isRehearsal: Bool) throws {
        let fixture = try StoreFixture.library(StoreFixture.books)
        defer { fixture.remove() }
        let notes = AttributeDescription.transformed("notes", "bound", as: Data.self, .optional)
        let source = try CoreDataStore(at: fixture.url, model: StoreFixture.model)
        let registry = try TransformerRegistry { Registration("bound", BoundTransformer()) }
        let error = try #require(throws: CoreDataError.self) {
            try source.adopt(
                as: Model(entities: [EntityDescription("Book", attributes: [notes])]),
                into: fixture.target,
                transformers: registry,
                options: CoreDataStore.AdoptionOptions(rehearsing: isRehearsal)
            )
        }
        #expect(error.code == .modelMismatch)
        let reason = "“bound” binds values to their places in a store, so it cannot read those of Core Data"
        let remedy = "adopt them unchanged first, and then convert them with “store reseal --to … --scrub”"
        #expect("\(error)".hasSuffix("Book.notes: \(reason); \(remedy)"))
        #expect(try fixture.names == ["App.sqlite"])
    }
}
