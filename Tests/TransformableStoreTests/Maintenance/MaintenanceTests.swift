import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

@Suite struct MaintenanceTests {
    private let folder: Folder
    private static let large = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

    init() throws {
        folder = try Folder()
    }

    @Test func verifyFindsEachFault() throws {
        let store = try Store.people(in: folder)
        let ids = try (0..<4).map { try store.addPerson("\($0)", box: Box(width: $0, height: 2), secret: "s") }
        try store.close()
        try shell(folder.file()) { database in
            try database.execute(sql: "UPDATE Person SET box = x'00' WHERE _id = 2")
            try database.execute(sql: "UPDATE Person SET area = 99 WHERE _id = 3")
            try database.execute(sql: "UPDATE Person SET secret = x'01' WHERE _id = 4")
        }
        let found = try Store.people(in: folder).verify()
        #expect(found.objectCount == 4)
        #expect(found.faults.map(\.code) == [.undecodable, .wrongProjection, .undecodable])
        #expect(found.faults.map(\.attribute) == ["box", "box", "secret"])
        #expect(found.faults.map(\.object) == Array(ids[1...]))
        #expect(found.unreadable.isEmpty)
    }

    @Test func missingTransformersAndKeysAreNotFaults() throws {
        let store = try Store.people(in: folder)
        try store.addPerson("a", box: Box(width: 1, height: 2))
        try store.addPerson("b", box: Box(width: 1, height: 2))
        try store.close()
        let lenient = try Store(
            at: folder.file(),
            transformers: Transformers(hasBox: false).registry(),
            options: Store.Options(opening: .readOnly, unresolved: .keepBytes)
        )
        let found = try lenient.verify()
        #expect(found.isSound)
        #expect(found.unreadable.map(\.attribute) == ["box"])
        #expect(found.unreadable.map(\.count) == [2])
    }

    private struct NumberTransformer: OneWayTransformer {
        var traits: TransformerTraits { .plain }

        func encode(_ value: String, in context: TransformContext) throws -> Int64 {
            guard let number = Int64(value) else { throw TransformerError.invalidData("the text is not a number") }
            return number
        }
    }

    @Test func verifyFindsAValueThatCannotBeProjected() throws {
        let registry = try TransformerRegistry { Registration("number", NumberTransformer()) }
        let page = EntityDescription("Page", attributes: [.string("label", .projected("number", as: "place"))])
        let store = try Store(at: folder.file(), model: Model(entities: [page]), transformers: registry)
        let ids = try store.write { context in
            try ["1", "2", "3"]
                .map { label in
                    let page = try context.insert("Page")
                    try page.setValue(label, for: "label")
                    return page.id
                }
        }
        try shell(folder.file()) { database in
            try database.execute(sql: "UPDATE Page SET label = 'abc' WHERE _id = 1")
            try database.execute(sql: "UPDATE Page SET place = 9 WHERE _id = 3")
        }
        let found = try store.verify()
        #expect(found.objectCount == 3)
        #expect(found.faults.map(\.code) == [.wrongProjection, .wrongProjection])
        #expect(found.faults.map(\.object) == [ids[0], ids[2]])
    }

    @Test func verifyFindsADanglingReference() throws {
        try Store.documents(in: folder).close()
        try shell(folder.file()) { database in
            try database.execute(sql: "PRAGMA foreign_keys = OFF")
            try database.execute(sql: "INSERT INTO Document (name, shelf) VALUES ('a', 7)")
        }
        #expect(try Store.documents(in: folder).verify().faults.map(\.code) == [.danglingReference])
    }

    // A page of zeros is what a disk may return for a sector that it has lost.
    @Test(arguments: ["Shelf", "Document", "_transformable_blob"])
    func verifyChecksWhatIsNotDamaged(table: String) throws {
        let store = try Store.documents(in: folder)
        try store.insert(many: 0..<300, into: "Shelf") { try $0.setValue("shelf \($1)", for: "label") }
        try store.insert(many: 0..<300, into: "Document") { document, index in
            try document.setValue("document \(index)", for: "name")
            try document.setValue(Data(repeating: 7, count: index < 200 ? 5000 : 5), for: "data")
        }
        try store.close()
        try shell(folder.file()) { database in
            try database.execute(sql: "UPDATE Document SET sealed = x'00' WHERE _id = 1")
            try database.execute(sql: "UPDATE Shelf SET label = x'00' WHERE _id = 1")
        }
        try zeroLastLeaf(of: table)
        let damagedStore = try Store.documents(in: folder, options: .readOnly)
        let found = try damagedStore.verify()
        let damaged = found.faults.filter { $0.code == .corruptFile }
        #expect(!damaged.isEmpty)
        let others = found.faults.filter { $0.code == .undecodable }.compactMap(\.entity)
        #expect(others == ["Document", "Shelf"])
        let entities = Set(damaged.compactMap(\.entity))
        #expect(entities == [table == "Shelf" ? "Shelf" : "Document"])
        #expect(found.blobCount == 200)
        let first = ObjectID(entity: "Document", number: 1)
        #expect(try damagedStore.read { try $0.object(first).value("name", as: String.self) } == "document 0")
    }

    /// Overwrites the last page with rows of a table.
    private func zeroLastLeaf(of table: String) throws {
        var bytes = try Data(contentsOf: folder.file())
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        let root = try shell(folder.file()) { database in
            try Int.fetchOne(database, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [table])
        }
        var start = (try #require(root) - 1) * size
        // An inner page has the type 5, and the number of its last child at byte 8 (SQLite file format, 1.6).
        while bytes[start] == 5 {
            let child = bytes[start + 8..<start + 12].reduce(0) { $0 << 8 | Int($1) }
            start = (child - 1) * size
        }
        #expect(bytes[start] == 13)
        bytes.replaceSubrange(start..<start + size, with: Data(count: size))
        try bytes.write(to: folder.file())
    }

    @Test func aCopyIsComplete() throws {
        let store = try Store.documents(in: folder)
        let ids = try (0..<3).map { try store.addDocument("\($0)", data: Self.large + [UInt8($0)], sealed: Self.large) }
        let url = folder.file("copy.sqlite")
        #expect(try store.copy(to: url).isEmpty)
        _ = try store.write { try $0.delete("Document", where: .all) }
        try store.close()
        let copy = try Store(at: url, transformers: Transformers().registry(), options: .mustExist)
        #expect(copy.uuid == store.uuid)
        try copy.read { context in
            for (number, id) in ids.enumerated() {
                let document = try context.object(id)
                let data = try document.value("data", as: Data.self)
                let sealed = try document.value("sealed", as: Data.self)
                #expect(data == Self.large + [UInt8(number)])
                #expect(sealed == Self.large)
            }
        }
        #expect(try copy.verify().isSound)
        try copy.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(names == ["copy.sqlite", "copy.sqlite-blobs", "test.sqlite", "test.sqlite-blobs"])
    }

    @Test(arguments: [0o600, 0o640, 0o644])
    func aCopyHasThePermissionsOfTheFile(mode: Int) throws {
        let note = EntityDescription("Note", attributes: [.string("text")])
        let url = folder.file()
        let store = try Store(at: url, model: Model(entities: [note]), transformers: Transformers().registry())
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
        let copy = folder.file("copy.sqlite")
        #expect(try store.copy(to: copy) == [])
        #expect(try FileManager.default.attributesOfItem(atPath: copy.path)[.posixPermissions] as? Int == mode)
    }

    @Test func aCopyDuringWritesIsASnapshot() async throws {
        let store = try Store.documents(in: folder)
        let url = folder.file("copy.sqlite")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for round in 0..<40 {
                    let bytes = Self.large + [UInt8(round)]
                    try await store.write { context in
                        try context.delete("Document", where: .all)
                        for _ in 0..<3 {
                            let document = try context.insert("Document")
                            try document.setValue("\(round)", for: "name")
                            try document.setValue(bytes, for: "data")
                        }
                    }
                }
            }
            group.addTask {
                try await Task.sleep(for: .milliseconds(30))
                #expect(try store.copy(to: url).isEmpty)
            }
            try await group.waitForAll()
        }
        let copy = try Store(at: url, transformers: Transformers().registry(), options: .mustExist)
        let found = try copy.verify()
        #expect(found.isSound)
        #expect(found.objectCount == 3 || found.objectCount == 0)
        let names = try await copy.read { try $0.fetch("Document").map { try $0.value("name", as: String.self) } }
        #expect(Set(names).count <= 1)
        #expect(try store.removeOrphanedBlobs() == 0)
        #expect(try folder.blobs().count == 3)
    }

    @Test func aCopyReplacesNothing() throws {
        let store = try Store.documents(in: folder)
        let url = folder.file("copy.sqlite")
        try Data([1]).write(to: url)
        #expect(throws: StoreError(code: .fileExists)) { try store.copy(to: url) }
        #expect(try Data(contentsOf: url) == Data([1]))
    }

    /// SQLite would replay the log of an earlier file into the copy.
    @Test(arguments: ["-wal", "-shm", "-journal"])
    func aCopyIsNotCreatedNextToAnExistingLog(suffix: String) throws {
        let store = try Store.documents(in: folder)
        let url = folder.file("copy.sqlite")
        try Data([1]).write(to: folder.file("copy.sqlite\(suffix)"))
        #expect(throws: StoreError(code: .fileExists)) { try store.copy(to: url) }
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test func aCopyReportsMissingBlobs() throws {
        let store = try Store.documents(in: folder)
        let id = try store.addDocument("a", data: Self.large)
        try FileManager.default.removeItem(at: folder.blob(try #require(try folder.blobs().first)))
        let faults = try store.copy(to: folder.file("copy.sqlite"))
        #expect(faults.map(\.code) == [.missingBlob])
        #expect(faults.first?.object == id)
        #expect(faults.first?.attribute == "data")
    }

    @Test(arguments: [("uuid", 0), ("checksum", 1)])
    func aCopyReportsDamagedRecordsOfBlobs(column: String, count: Int) throws {
        let store = try Store.documents(in: folder)
        let id = try store.addDocument("a", data: Self.large)
        try shell(folder.file()) { try $0.execute(sql: "UPDATE _transformable_blob SET \"\(column)\" = 'x'") }
        let faults = try store.copy(to: folder.file("copy.sqlite"))
        #expect(faults.map(\.code) == [.damagedBlob])
        #expect(faults.first?.object == id)
        #expect(faults.first?.attribute == "data")
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.file("copy.sqlite-blobs").path)
        #expect((names ?? []).filter { UUID(uuidString: $0) != nil }.count == count)
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
        try store.addDocument("a \"b\"\n", data: Self.large, sealed: Data([1, 2]))
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
        #expect(try Data(contentsOf: url.appending(path: "Document/1.data")) == Self.large)
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

    @Test func logsContainOnlyNamesAndNumbers() throws {
        try Store.documents(in: folder).addDocument("a", data: Self.large)
        let store = try Store.people(in: try Folder())
        try store.close()
        let recorder = LogRecorder()
        let other = try Folder()
        let people = try Store(
            at: other.file(),
            model: Models.person(),
            transformers: Transformers().registry(),
            options: Store.Options(quarantine: .report, logger: recorder.logger)
        )
        let id = try people.addPerson("a", secret: "alpha")
        try people.close()
        try shell(other.file()) { try $0.execute(sql: "UPDATE Person SET secret = x'414243'") }
        let reopened = try Store(
            at: other.file(),
            transformers: Transformers().registry(),
            options: Store.Options(quarantine: .report, logger: recorder.logger)
        )
        #expect(try reopened.read { try $0.object(id).failure(of: "secret")?.code } == .undecodable)
        #expect(recorder.lines.count == 1)
        let line = try #require(recorder.lines.first)
        #expect(line.contains("\"attribute\": secret") && line.contains("undecodable"))
        #expect(!line.contains("ABC") && !line.contains("alpha"))
    }

    @Test func migrationsAndSweepsAreLogged() throws {
        let recorder = LogRecorder()
        func store(_ version: Int, _ name: String) throws -> Store {
            try Store(
                at: folder.file(),
                model: Models.documents(version: version, data: name),
                transformers: Transformers().registry(),
                options: Store.Options(logger: recorder.logger)
            )
        }
        let first = try store(1, "data")
        let id = try first.addDocument("a name", data: Self.large, sealed: Self.large)
        try first.write { try $0.object(id).setValue(nil as Data?, for: "data") }
        try first.close()
        #expect(recorder.lines == ["info removed the files of unreferenced blobs [\"count\": 1]"])
        try store(2, "contents").close()
        #expect(recorder.lines.count == 2)
        let line = try #require(recorder.lines.last)
        #expect(line.contains("migrated") && line.contains("\"from\": 1") && line.contains("\"to\": 2"))
        #expect(!recorder.lines.joined().contains("a name"))
    }
}
