import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

@Suite struct ExportTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    // Positions are in separate columns, which the model does not name.
    @Test func anExportContainsOrderedObjects() throws {
        let store = try Store(at: folder.file(), model: OrderTests.model(), transformers: Transformers().registry())
        try store.write { context in
            let track = try OrderTests.make("Track", "t", context)
            for name in ["b", "a"] { try track.add(OrderTests.make("Part", name, context), to: "parts") }
        }
        let url = folder.file("export")
        #expect(try store.export(to: url).objectCount == 3)
        let lines = try String(contentsOf: url.appending(path: "Part.jsonl"), encoding: .utf8)
        #expect(lines.contains("\"name\":\"b\",\"track\":1") && lines.contains("\"name\":\"a\",\"track\":1"))
    }

    @Test func anExportIsComplete() throws {
        let store = try Store.documents(in: folder)
        try store.addDocument("a \"b\"\n", data: Data.large, sealed: Data([1, 2]))
        try store.addDocument("c")
        let url = folder.file("export")
        #expect(try store.export(to: url).fileCount == 2)
        let lines = try String(contentsOf: url.appending(path: "Document.jsonl"), encoding: .utf8)
        #expect(
            lines == """
                {"_id":1,"name":"a \\"b\\"\\n","data":{"file":"Document/1.data"},"sealed":{"file":"Document/1.sealed"}}
                {"_id":2,"name":"c"}

                """
        )
        #expect(try Data(contentsOf: url.appending(path: "Document/1.data")) == Data.large)
        #expect(try Data(contentsOf: url.appending(path: "Document/1.sealed")) == Data([1, 2]))
        #expect(throws: StoreError(code: .fileExists)) { try store.export(to: url) }
    }

    @Test func anExportContainsPairsInOrder() throws {
        let store = try Store(at: folder.file(), model: OrderTests.model(), transformers: Transformers().registry())
        try store.write { context in
            let tracks = try ["a", "b", "c"].map { try OrderTests.make("Track", $0, context) }
            let list = try OrderTests.make("List", "l", context)
            for track in [tracks[2], tracks[0]] { try list.add(track, to: "tracks") }
            try tracks[0].add(tracks[1], to: "friends")
        }
        try store.export(to: folder.file("export"))
        func lines(_ name: String) throws -> [String] {
            let text = try String(contentsOf: folder.file("export").appending(path: name), encoding: .utf8)
            return text.split(separator: "\n").map(String.init)
        }
        #expect(
            try lines("List.tracks.jsonl") == [
                #"{"_id":1,"tracks":{"entity":"Track","_id":3}}"#, #"{"_id":1,"tracks":{"entity":"Track","_id":1}}"#,
            ]
        )
        #expect(
            try lines("Track.lists.jsonl") == [
                #"{"_id":1,"lists":{"entity":"List","_id":1}}"#, #"{"_id":3,"lists":{"entity":"List","_id":1}}"#,
            ]
        )
        #expect(try lines("Track.friends.jsonl").contains(#"{"_id":1,"friends":{"entity":"Track","_id":2}}"#))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("export").path)
        #expect(
            Set(names) == [
                "model.json", "Track.jsonl", "List.jsonl", "List.tracks.jsonl", "Track.lists.jsonl",
                "Track.friends.jsonl", "export.json",
            ]
        )
    }

    // A migration that orders a relationship gives no positions.
    @Test(.eachEngine) func anImportKeepsTheOrderOfAFamilyWithoutPositions() throws {
        func model(_ version: Int) throws -> Model {
            try Model(
                version: version,
                entities: [
                    EntityDescription(
                        "Animal",
                        abstract: true,
                        attributes: [.string("name")],
                        relationships: [.toMany("toys", "Toy", inverse: "users")]
                    ),
                    EntityDescription("Cat", parent: "Animal"), EntityDescription("Dog", parent: "Animal"),
                    EntityDescription(
                        "Toy",
                        attributes: [.string("name")],
                        relationships: [.toMany("users", "Animal", ordered: version > 1)]
                    ),
                ]
            )
        }
        func users(_ store: Store) throws -> [String] {
            try store.read { context in
                try context.fetch("Toy")
                    .map { try $0.objects("users").map { try $0.value("name", as: String.self) }.joined() }
            }
        }
        let registry = try Transformers().registry()
        let first = try Store.trial(at: folder.file(), model: model(1), transformers: registry)
        try first.write { context in
            let toys = try ["x", "y"].map { try OrderTests.make("Toy", $0, context) }
            for (name, kind) in [("a", "Cat"), ("b", "Cat"), ("c", "Dog")] {
                let animal = try OrderTests.make(kind, name, context)
                for toy in toys { try toy.add(animal, to: "users") }
            }
        }
        try first.close()
        let second = try Store.trial(at: folder.file(), model: model(2), transformers: registry)
        #expect(try users(second) == ["abc", "abc"])
        try second.export(to: folder.file("export"))
        let copy = try Store.trial(model: model(2), transformers: registry)
        try copy.importExport(from: folder.file("export"))
        #expect(try users(copy) == ["abc", "abc"])
    }

    @Test func anExportRescuesUndecodableValues() throws {
        let store = try Store.people(in: folder)
        try store.addPerson("a", age: 3, box: Box(width: 1, height: 2), secret: "alpha")
        try store.addPerson("b", box: Box(width: 1, height: 2))
        try store.close()
        try shell(folder.file()) { try $0.execute(sql: "UPDATE Person SET box = x'00FF' WHERE _id = 2") }
        let reopened = try Store.people(in: folder)
        let report = try reopened.export(to: folder.file("all"))
        #expect(report.undecodableCount == 1)
        let lines = try String(contentsOf: folder.file("all").appending(path: "Person.jsonl"), encoding: .utf8)
        #expect(
            lines == """
                {"_id":1,"name":"a","age":3,"box":"1x2","secret":"alpha"}
                {"_id":2,"name":"b","box":{"file":"Person/2.box","failure":"invalid-data"}}

                """
        )
        #expect(try reopened.export(to: folder.file("rescued"), contents: .undecodable).fileCount == 1)
        #expect(try Data(contentsOf: folder.file("rescued").appending(path: "Person/2.box")) == Data([0, 255]))
        let failures = try String(contentsOf: folder.file("rescued").appending(path: "failures.jsonl"), encoding: .utf8)
        #expect(
            failures == """
                {"entity":"Person","_id":2,"attribute":"box","file":"Person/2.box","reason":"invalid-data"}

                """
        )
    }

    // The name of each case is the raw value of the other one.
    enum Level: String, Sendable {
        case low = "high"
        case high = "low"
    }

    enum Grade: String, Codable, Sendable { case best = "A" }
    enum Rank: Int, Codable, Sendable { case first = 1 }

    @Test func anExportContainsTheRawValuesOfEnumerations() throws {
        let attributes: [AttributeDescription] = [
            .raw("level", as: Level.self), .raw("grade", as: Grade.self), .raw("rank", as: Rank.self), .integer("age"),
        ]
        let model = try Model(entities: [EntityDescription("Player", attributes: attributes)])
        let store = try Store(at: folder.file(), model: model, transformers: Transformers().registry())
        try store.write { context in
            let player = try context.insert("Player")
            try player.setValue(Level.high, for: "level")
            try player.setValue(Grade.best, for: "grade")
            try player.setValue(Rank.first, for: "rank")
            try player.setValue(7, for: "age")
        }
        try store.export(to: folder.file("export"))
        let lines = try String(contentsOf: folder.file("export").appending(path: "Player.jsonl"), encoding: .utf8)
        #expect(lines == "{\"_id\":1,\"level\":\"low\",\"grade\":\"A\",\"rank\":1,\"age\":7}\n")
        let copy = try Store.inMemory(model: model, transformers: Transformers().registry())
        try copy.importExport(from: folder.file("export"))
        try copy.read { context in
            let player = try #require(try context.first("Player"))
            #expect(try player.value("level", as: Level.self) == .high)
            #expect(try player.value("grade", as: Grade.self) == .best)
            #expect(try player.value("rank", as: Rank.self) == .first)
        }
    }

    // The text is a case that only another version of the program has.
    @Test(.eachEngine) func anImportStoresTextThatIsNoCaseOfAnEnumeration() throws {
        let plain = try Model(entities: [EntityDescription("Player", attributes: [.string("level")])])
        let typed = try Model(
            entities: [EntityDescription("Player", attributes: [.raw("level", as: Level.self)])]
        )
        let registry = try Transformers().registry()
        let first = try Store.trial(at: folder.file(), model: plain, transformers: registry)
        try first.write { try $0.insert("Player").setValue("middle", for: "level") }
        try first.close()
        let second = try Store.trial(at: folder.file(), model: typed, transformers: registry)
        #expect(try second.export(to: folder.file("export")).undecodableCount == 1)
        let copy = try Store.trial(model: plain, transformers: registry)
        try copy.importExport(from: folder.file("export"))
        #expect(try copy.read { try $0.first("Player")?.value("level", as: String.self) } == "middle")
    }

    @Test func anExportContainsTheTextFormOfATransformedNumber() throws {
        let form = HumanForm<Int>
            .text(
                parse: { text in
                    guard let amount = Double(text) else { throw TransformerError.invalidData("it is not an amount") }
                    return Int((amount * 100).rounded())
                },
                print: { cents in "\(cents / 100).\(cents % 100)" }
            )
        let cents = FunctionTransformer<Int, String>(
            encode: { String($0) },
            decode: { text in
                guard let cents = Int(text) else { throw TransformerError.invalidData("the text is not a number") }
                return cents
            }
        )
        let registry = try TransformerRegistry {
            Registration.text
            Registration("cents", form: form, cents)
        }
        let model = try Model(entities: [
            EntityDescription("Item", attributes: [.transformed("price", "cents", as: Int.self)])
        ])
        let store = try Store(at: folder.file(), model: model, transformers: registry)
        try store.write { try $0.insert("Item").setValue(1250, for: "price") }
        try store.export(to: folder.file("export"))
        let lines = try String(contentsOf: folder.file("export").appending(path: "Item.jsonl"), encoding: .utf8)
        #expect(lines == "{\"_id\":1,\"price\":\"12.50\"}\n")
        let copy = try Store.inMemory(model: model, transformers: registry)
        try copy.importExport(from: folder.file("export"))
        #expect(try copy.read { try $0.first("Item")?.value("price", as: Int.self) } == 1250)
    }

    // Another program may have a transformer that the one that exported the store lacks.
    @Test func anImportComputesTheProjectionsOfValuesThatTheExportCouldNotRead() throws {
        let store = try Store.people(in: folder)
        try store.addPerson("a", box: Box(width: 2, height: 3))
        try store.close()
        let poor = try Store(
            at: folder.file(),
            transformers: Transformers(hasBox: false).registry(),
            options: Store.Options(opening: .readOnly, unresolved: .keepBytes)
        )
        #expect(try poor.export(to: folder.file("export")).undecodableCount == 1)
        let copy = try Store.inMemory(model: Models.person(), transformers: Transformers().registry())
        try copy.importExport(from: folder.file("export"))
        #expect(try copy.names(where: Condition("area = 6 and box = '2x3'")) == ["a"])
        #expect(try copy.verify().isSound)
    }

    // Foundation's JSON has no NaN, so a type of a program may have values without a text form.
    @Test func anExportHasTheStoredBytesOfAValueWithoutATextForm() throws {
        let form = HumanForm<Box>
            .text(
                parse: { text in try BoxTransformer().decode(text) },
                print: { box in
                    guard box.width > 0 else {
                        throw EncodingError.invalidValue(box, .init(codingPath: [], debugDescription: ""))
                    }
                    return try BoxTransformer().encode(box)
                }
            )
        let registry = try TransformerRegistry {
            Registration.text
            Registration("box", form: form, BoxTransformer())
        }
        let model = try Model(entities: [
            EntityDescription("Crate", attributes: [.transformed("box", "box", as: Box.self)])
        ])
        let store = try Store(at: folder.file(), model: model, transformers: registry)
        try store.write { context in
            for width in [0, 1] { try context.insert("Crate").setValue(Box(width: width, height: 2), for: "box") }
        }
        let report = try store.export(to: folder.file("export"))
        #expect(report.objectCount == 2 && report.undecodableCount == 1)
        let lines = try String(contentsOf: folder.file("export").appending(path: "Crate.jsonl"), encoding: .utf8)
        #expect(
            lines == """
                {"_id":1,"box":{"file":"Crate/1.box","failure":"invalid-value"}}
                {"_id":2,"box":"1x2"}

                """
        )
        let copy = try Store.inMemory(model: model, transformers: registry)
        try copy.importExport(from: folder.file("export"))
        let boxes = try copy.read { try $0.fetch("Crate").map { try $0.value("box", as: Box.self) } }
        #expect(boxes == [Box(width: 0, height: 2), Box(width: 1, height: 2)])
    }

    // The checksum in the new store would match the damaged bytes.
    @Test func anImportDoesNotStoreTheBytesOfADamagedFile() throws {
        let store = try Store.documents(in: folder)
        try store.addDocument("a", data: Data.large)
        var damaged = Data.large
        damaged[100] ^= 1
        let name = try #require(folder.blobs().first)
        try damaged.write(to: folder.blob(name))
        #expect(try store.export(to: folder.file("export")).undecodableCount == 1)
        let copy = try Store.inMemory(model: Models.documents(), transformers: Transformers().registry())
        #expect(throws: StoreError(code: .undecodable)) { try copy.importExport(from: folder.file("export")) }
        let report = try copy.importExport(from: folder.file("export"), skippingUnreadable: true)
        #expect(report.objectCount == 1 && report.skippedCount == 1)
        #expect(try copy.read { try $0.count("Document", where: Condition("data == null")) } == 1)
    }

    // Without a value, the object could not be in a store with the model.
    @Test func anImportCannotSkipARequiredValue() throws {
        let model = try Model(entities: [
            EntityDescription("Note", attributes: [.transformed("secret", "text | bound", as: String.self)])
        ])
        let registry = try Transformers().registry()
        let store = try Store(at: folder.file(), model: model, transformers: registry)
        try store.write { try $0.insert("Note").setValue("alpha", for: "secret") }
        try store.close()
        try shell(folder.file()) { try $0.execute(sql: "UPDATE Note SET secret = x'00FF'") }
        let reopened = try Store(at: folder.file(), model: model, transformers: registry)
        #expect(try reopened.export(to: folder.file("export")).undecodableCount == 1)
        let copy = try Store.inMemory(model: model, transformers: registry)
        let error = #expect(throws: StoreError(code: .undecodable)) {
            try copy.importExport(from: folder.file("export"), skippingUnreadable: true)
        }
        #expect(error?.message.contains("make the attribute optional") == true, "\(error as Any)")
    }

    // The name of a file has at most 255 bytes, and those of an entity and a relationship at most 128 each.
    @Test func namesCanBeTooLongForAFileTogether() throws {
        let entity = String(repeating: "E", count: 128)
        let name = String(repeating: "r", count: 128)
        let model = try Model(entities: [
            EntityDescription(
                entity,
                attributes: [.string("name", .optional)],
                relationships: [.toMany(name, entity, ordered: true, inverse: name)]
            )
        ])
        let registry = try Transformers().registry()
        let store = try Store(at: folder.file(), model: model, transformers: registry)
        try store.write { context in
            let objects = try (0..<3).map { _ in try context.insert(entity) }
            for index in [2, 1] { try objects[0].add(objects[index], to: name) }
        }
        try store.export(to: folder.file("export"))
        let copy = try Store.inMemory(model: model, transformers: registry)
        try copy.importExport(from: folder.file("export"))
        let related = try copy.read { try $0.fetch(entity).map { try $0.objects(name).map(\.id.number) } }
        #expect(related == [[3, 2], [1], [1]])
    }

    @Test func anEntityCanBeNamedLikeTheListOfFailures() throws {
        let attributes: [AttributeDescription] = [.string("name"), .transformed("box", "box", as: Box.self)]
        let model = try Model(entities: [EntityDescription("failures", attributes: attributes)])
        let registry = try Transformers().registry()
        let store = try Store(at: folder.file(), model: model, transformers: registry)
        try store.write { context in
            for name in ["a", "b"] {
                let object = try context.insert("failures")
                try object.setValue(name, for: "name")
                try object.setValue(Box(width: 1, height: 2), for: "box")
            }
        }
        try shell(folder.file()) { try $0.execute(sql: "UPDATE failures SET box = x'00FF' WHERE _id = 2") }
        let report = try store.export(to: folder.file("all"))
        #expect(report.failuresFile == "_failures.jsonl")
        let listed = try String(contentsOf: folder.file("all").appending(path: "_failures.jsonl"), encoding: .utf8)
        #expect(
            listed == """
                {"entity":"failures","_id":2,"attribute":"box","file":"failures/2.box","reason":"invalid-data"}

                """
        )
        let copy = try Store.inMemory(model: model, transformers: registry)
        #expect(try copy.importExport(from: folder.file("all")).objectCount == 2)
        let (box, bytes) = try copy.read { context in
            let objects = try context.fetch("failures")
            return (try objects[0].value("box", as: Box.self), try objects[1].encodedBytes("box"))
        }
        #expect(box == Box(width: 1, height: 2) && bytes == Data([0, 255]))
    }
}
