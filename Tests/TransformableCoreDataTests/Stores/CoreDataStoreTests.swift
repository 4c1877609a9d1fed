import Foundation
import GRDB
import Testing
import TransformableCoreData
import TransformableModel

struct CoreDataStoreTests {
    private let rows = [
        "INSERT INTO ZREADER VALUES (1, 3, 2, NULL, 'Ada', 'x7'), (2, 4, 1, 12, 'Bo', NULL)",
        """
        INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZADDED, ZPRICE, ZPAGES, ZISLENT, ZOWNER, Z2_OWNER, ZPAGE, ZMARK)
        VALUES (4, 1, 7, 'Emma', 86400, 12.5, 300, 1, 2, 4, 'https://a.example/1', x'000102030405060708090A0B0C0D0E0F'),
        (9, 1, 1, 'Ulysses', 0.25, 'NaN', NULL, 0, 77, 3, NULL, NULL)
        """,
    ]

    @Test func readsRowsInTheOrderOfTheirNumbers() throws {
        let fixture = try StoreFixture.library(rows)
        defer { fixture.remove() }
        let store = try CoreDataStore(at: fixture.url, model: StoreFixture.model)
        var books: [CoreDataRow] = []
        try store.forEachRow(of: "Book") { books.append($0) }
        #expect(books.map(\.id) == [4, 9].map { ObjectID(entity: "Book", number: $0) })
        let emma = try #require(books.first)
        #expect(emma.saveCount == 7)
        #expect(try emma.value("title") == .string("Emma"))
        #expect(try emma.value("added") == .date(Date(timeIntervalSinceReferenceDate: 86400)))
        #expect(try emma.value("price") == .decimal(12.5))
        #expect(try emma.value("pages") == .integer(300))
        #expect(try emma.value("isLent") == .boolean(true))
        #expect(try emma.value("page") == .uri("https://a.example/1"))
        #expect(try emma.value("mark") == .uuid(#require(UUID(uuidString: "00010203-0405-0607-0809-0A0B0C0D0E0F"))))
        #expect(try emma.value("notes") == nil)
        #expect(try emma.reference("owner") == ObjectID(entity: "Child", number: 2))
        #expect(try books[1].value("price") == .decimal(.nan))
        let error = #expect(throws: CoreDataError.self) { try books[1].reference("owner") }
        #expect(error?.code == .danglingReference)
    }

    @Test func readsChildrenWithTheirOwnColumns() throws {
        let fixture = try StoreFixture.library(rows)
        defer { fixture.remove() }
        let store = try CoreDataStore(at: fixture.url, model: StoreFixture.model)
        var codes: [String: CoreDataValue?] = [:]
        try store.forEachRow(of: "Reader") { codes["\($0.id)"] = try $0.value("code") }
        #expect(codes == ["Adult/1": .string("x7"), "Child/2": .integer(12)])
        #expect(try store.count(of: "Adult") == 1)
        #expect(store.lastNumber(of: "Child") == 9)
    }

    @Test(arguments: [
        ("tags", "Book", ["Book/4 Tag/1 -", "Book/9 Tag/1 -"]), ("books", "Tag", ["Tag/1 Book/4 -", "Tag/1 Book/9 -"]),
        ("sequels", "Book", ["Book/9 Book/4 2048"]), ("prequels", "Book", ["Book/4 Book/9 -"]),
        ("hidden", "Tag", ["Tag/1 Book/4 4096"]), ("books", "Reader", ["Child/2 Book/4 2048"]),
    ])
    func readsReferencesOfToManyRelationships(_ name: String, _ entity: String, _ expected: [String]) throws {
        let more = [
            "INSERT INTO ZTAG VALUES (1, 5, 1, 'old')", "INSERT INTO Z_1TAGS VALUES (4, 1), (9, 1), (9, 50)",
            "INSERT INTO Z_1PREQUELS VALUES (9, 4, 2048)",
            "UPDATE ZBOOK SET Z5HIDDEN = 1, Z_FOK_5HIDDEN = 4096, Z_FOK_OWNER = 2048 WHERE Z_PK = 4",
        ]
        let fixture = try StoreFixture.library(rows + more)
        defer { fixture.remove() }
        let store = try CoreDataStore(at: fixture.url, model: StoreFixture.model)
        var found: [String] = []
        try store.forEachReference(of: name, in: entity) { reference in
            found.append("\(reference.object) \(reference.related) \(reference.position.map(String.init) ?? "-")")
        }
        #expect(found == expected)
    }

    /// Stores of the framework's version 419 have such tables, although the entity of the relationship is the later one.
    @Test func readsTablesOfPairsWithTheNameOfTheInverse() throws {
        let table = "CREATE TABLE Z_5BOOKS (Z_1BOOKS INTEGER, Z_5TAGS INTEGER, PRIMARY KEY (Z_1BOOKS, Z_5TAGS))"
        let tables = StoreFixture.tables.filter { !$0.contains("Z_1TAGS") } + [table]
        let more = ["INSERT INTO ZTAG VALUES (1, 5, 1, 'old')", "INSERT INTO Z_5BOOKS VALUES (4, 1), (9, 1)"]
        let fixture = try StoreFixture(entities: StoreFixture.entities, tables + rows + more)
        defer { fixture.remove() }
        let store = try CoreDataStore(at: fixture.url, model: StoreFixture.model)
        var found: [String] = []
        try store.forEachReference(of: "books", in: "Tag") { found.append("\($0.object) \($0.related)") }
        #expect(found == ["Tag/1 Book/4", "Tag/1 Book/9"])
    }

    @Test func leavesNothingBehindAndSeesTheLog() throws {
        let fixture = try StoreFixture.library()
        defer { fixture.remove() }
        let copy = fixture.folder.appending(path: "copy")
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: false)
        let writer = try DatabasePool(path: fixture.url.path)
        try writer.write { try $0.execute(sql: "INSERT INTO ZTAG VALUES (1, 5, 1, 'new')") }
        for suffix in ["", "-wal"] {
            let (from, to) = ("\(fixture.url.path)\(suffix)", copy.appending(path: "App.sqlite\(suffix)").path)
            try FileManager.default.copyItem(atPath: from, toPath: to)
        }
        try writer.close()
        let store = try CoreDataStore(at: copy.appending(path: "App.sqlite"), model: StoreFixture.model)
        #expect(try store.count(of: "Tag") == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: copy.path).sorted()
        #expect(names == ["App.sqlite", "App.sqlite-wal"])
    }

    /// A change of the log that SQLite writes, by the format in sqlite.org/fileformat2.html, section 4: a header of 32
    /// bytes, and frames of 24 bytes and a page.
    struct LogChange: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let note: String?
        let apply: @Sendable (inout Data) -> Void

        init(_ name: String, _ note: String?, _ apply: @escaping @Sendable (inout Data) -> Void) {
            (testDescription, self.note, self.apply) = (name, note, apply)
        }
    }

    private static let frame = 24 + 4096
    private static let invalidHeader = "its header is invalid, so none of its changes were read"

    static let logChanges = [
        LogChange("sound", nil) { _ in },
        LogChange("a salt", invalidHeader) { $0[17] ^= 4 },
        LogChange("the magic number", invalidHeader) { $0[0] = 0 },
        LogChange("part of a header", invalidHeader) { $0 = $0.prefix(20) },
        LogChange("a page", "frame 1 is invalid, so later changes were not read") { $0[32 + 24 + 100] ^= 1 },
        LogChange("a salt of a frame", "frame 2 is invalid, so later changes were not read") {
            $0[32 + frame + 9] ^= 1
        },
        LogChange("cut off", "it ends in the middle of frame 2") { $0 = $0.prefix(32 + frame + 500) },
        // The traces of an earlier run through the log.
        LogChange("other salts at the end", nil) { $0 += Data(repeating: 7, count: frame) },
        LogChange("part of another run at the end", nil) { $0 += Data(repeating: 7, count: 50) },
        LogChange("a single byte", nil) { $0 = Data([0]) }, LogChange("empty", nil) { $0 = Data() },
    ]

    @Test(arguments: logChanges) func notesDamageToTheLog(_ change: LogChange) throws {
        let fixture = try StoreFixture.library()
        defer { fixture.remove() }
        let copy = fixture.folder.appending(path: "copy.sqlite")
        let writer = try DatabasePool(path: fixture.url.path)
        for number in 1...3 {
            try writer.write { try $0.execute(sql: "INSERT INTO ZTAG VALUES (\(number), 5, 1, 'new')") }
        }
        try FileManager.default.copyItem(at: fixture.url, to: copy)
        var log = try Data(contentsOf: URL(filePath: "\(fixture.url.path)-wal"))
        try writer.close()
        // The first change also switches the file to the log.
        #expect(log.count >= 32 + 3 * Self.frame)
        change.apply(&log)
        try log.write(to: URL(filePath: "\(copy.path)-wal"))
        let notes = try CoreDataStore(at: copy, model: StoreFixture.model).notes
        #expect(notes.map(\.text) == (change.note.map { ["the write-ahead log is damaged: \($0)"] } ?? []))
        #expect(try Data(contentsOf: URL(filePath: "\(copy.path)-wal")) == log)
    }

    /// Without its log, a store looks complete: here, it has the tables and no row.
    @Test func notesALogThatWasNotCopied() throws {
        let fixture = try StoreFixture.library()
        defer { fixture.remove() }
        #expect(try CoreDataStore(at: fixture.url, model: StoreFixture.model).notes.isEmpty)
        let copy = fixture.folder.appending(path: "copy.sqlite")
        let writer = try DatabasePool(path: fixture.url.path)
        try writer.write { try $0.execute(sql: "INSERT INTO ZTAG VALUES (1, 5, 1, 'new')") }
        try FileManager.default.copyItem(at: fixture.url, to: copy)
        try writer.close()
        let store = try CoreDataStore(at: copy, model: StoreFixture.model)
        #expect(try store.count(of: "Tag") == 0)
        let remedy = "if there is one where the store comes from, copy it too, because it contains the newest rows"
        #expect(
            store.notes.map(\.text) == ["there is no write-ahead log “copy.sqlite-wal” next to the store; \(remedy)"]
        )
    }

    @Test func refusesAStoreThatChangesWhileItIsRead() throws {
        let fixture = try StoreFixture.library(["INSERT INTO ZTAG VALUES (1, 5, 1, 'old')"])
        defer { fixture.remove() }
        let store = try CoreDataStore(at: fixture.url, model: StoreFixture.model)
        let error = #expect(throws: CoreDataError.self) {
            try store.forEachRow(of: "Tag") { _ in try fixture.run("INSERT INTO ZTAG VALUES (2, 5, 1, 'new')") }
        }
        #expect(error?.code == .busy)
    }

    @Test(arguments: [
        "DROP TABLE ZTAG", "ALTER TABLE ZBOOK DROP COLUMN ZPRICE", "ALTER TABLE ZBOOK ADD COLUMN ZMORE INTEGER",
        "CREATE TABLE ZMORE (Z_PK INTEGER PRIMARY KEY)", "UPDATE Z_PRIMARYKEY SET Z_ENT = 6 WHERE Z_NAME = 'Tag'",
        "INSERT INTO Z_PRIMARYKEY VALUES (6, 'More', 0, 0)",
        "UPDATE Z_PRIMARYKEY SET Z_SUPER = 1 WHERE Z_NAME = 'Adult'",
        "DROP TABLE ZTAG; CREATE VIEW ZTAG AS SELECT 1 AS Z_PK, 5 AS Z_ENT, 1 AS Z_OPT, 'x' AS ZNAME",
    ])
    func refusesTablesThatAreNotThoseOfTheModel(_ change: String) throws {
        let fixture = try StoreFixture.library()
        defer { fixture.remove() }
        try fixture.run(change)
        let error = #expect(throws: CoreDataError.self) {
            try CoreDataStore(at: fixture.url, model: StoreFixture.model)
        }
        #expect(error?.code == .modelMismatch)
        let options = CoreDataStore.Options(acceptsDifferences: true)
        let store = try CoreDataStore(at: fixture.url, model: StoreFixture.model, options: options)
        #expect(!store.notes.isEmpty)
        for entity in ["Book", "Reader", "Tag"] { try store.forEachRow(of: entity) { _ in } }
        try store.forEachReference(of: "hidden", in: "Tag") { _ in }
        try store.forEachReference(of: "tags", in: "Book") { _ in }
    }

    /// Without an entity of the store, the model would give other entities lower numbers.
    @Test func readsRowsByTheNumbersThatTheStoreStates() throws {
        let fixture = try StoreFixture(
            entities: [
                (1, "Book", 0, 0), (2, "Reader", 0, 2), (3, "Adult", 2, 0), (4, "Child", 2, 0), (5, "Tag", 0, 1),
            ],
            [
                "CREATE TABLE ZREADER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER)",
                "CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER)",
                "CREATE TABLE Z_2TAGS (Z_2READERS INTEGER, Z_5TAGS INTEGER, PRIMARY KEY (Z_2READERS, Z_5TAGS))",
                "INSERT INTO ZREADER VALUES (1, 3, 1), (2, 4, 1)", "INSERT INTO ZTAG VALUES (1, 5, 1)",
                "INSERT INTO Z_2TAGS VALUES (2, 1)",
            ]
        )
        defer { fixture.remove() }
        let tags = CoreDataRelationship("tags", to: "Tag", toMany: true, inverse: "readers")
        let readers = CoreDataRelationship("readers", to: "Reader", toMany: true, inverse: "tags")
        let model = CoreDataModel(entities: [
            CoreDataEntity("Reader", relationships: [tags]), CoreDataEntity("Adult", parent: "Reader"),
            CoreDataEntity("Child", parent: "Reader"), CoreDataEntity("Tag", relationships: [readers]),
        ])
        let options = CoreDataStore.Options(acceptsDifferences: true)
        let store = try CoreDataStore(at: fixture.url, model: model, options: options)
        var rows: [ObjectID] = []
        try store.forEachRow(of: "Reader") { rows.append($0.id) }
        #expect(rows == [ObjectID(entity: "Adult", number: 1), ObjectID(entity: "Child", number: 2)])
        var objects: [ObjectID] = []
        try store.forEachReference(of: "tags", in: "Reader") { objects.append($0.object) }
        #expect(objects == [ObjectID(entity: "Child", number: 2)])
    }

    @Test func checksTheDigestOfVersionHashes() throws {
        // Computed with Python: base64(sha512(b"A" + b"\x01" * 32 + b"B" + b"\x02" * 32)).
        let digest = "Vk/GpflUxzw26DJs0XXfr42zjyupM6aZbe8IYhHn+jJ1sZIic/jFn0paYwMTqmCw4wm2iMeOaqOYx2wbng5jqA=="
        let hashes = ["B": Data(repeating: 2, count: 32), "A": Data(repeating: 1, count: 32)]
        let entity = CoreDataEntity("A")
        let table = "CREATE TABLE ZA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER)"
        for (stated, isRight) in [(digest, true), ("\(digest.dropLast(4))AA==", false)] {
            let metadata: [String: Any] = [
                "NSStoreModelVersionHashes": hashes, "NSStoreModelVersionHashesDigest": stated,
                "NSPersistenceFrameworkVersion": 1344,
            ]
            let fixture = try StoreFixture(entities: [(1, "A", 0, 0)], metadata: metadata, [table])
            defer { fixture.remove() }
            let model = CoreDataModel(entities: [entity])
            guard isRight else {
                let error = #expect(throws: CoreDataError.self) { try CoreDataStore(at: fixture.url, model: model) }
                #expect(error?.code == .modelMismatch)
                continue
            }
            let store = try CoreDataStore(at: fixture.url, model: model)
            #expect(store.metadata.frameworkVersion == 1344)
            #expect(store.metadata.versionHashes == hashes)
        }
    }

    /// A store with the animals of `ModelArchive`, whose model it contains, and the version hash of dogs.
    private func animals() throws -> StoreFixture {
        let cache = ModelArchive.deflated(ModelArchive.animals).map { String(format: "%02X", $0) }.joined()
        return try StoreFixture(
            entities: [(1, "Animal", 0, 1), (2, "Dog", 1, 0), (3, "Person", 0, 0)],
            metadata: ["NSStoreModelVersionHashes": ["Dog": Data(repeating: 1, count: 32)]],
            [
                """
                CREATE TABLE ZANIMAL (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZOWNER INTEGER,
                ZBORN TIMESTAMP, ZNAME VARCHAR, ZPHOTO BLOB)
                """,
                "CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER)",
                "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)", "INSERT INTO Z_MODELCACHE VALUES (x'\(cache)')",
                "INSERT INTO ZANIMAL (Z_PK, Z_ENT, Z_OPT, ZPHOTO) VALUES (1, 2, 1, x'01AABB')",
            ]
        )
    }

    /// The tables are the same, but the byte before each photo would become part of it.
    @Test(
        arguments: [
            (.binary, false, "“Dog.photo” has external storage, unlike in the model"),
            (.transformable, true, "“Dog.photo” is of type Binary, not Transformable"),
        ] as [(CoreDataAttributeType, Bool, String)]
    )
    func refusesAModelThatContradictsTheOneInTheStore(
        type: CoreDataAttributeType,
        isExternal: Bool,
        difference: String
    ) throws {
        let fixture = try animals()
        defer { fixture.remove() }
        var model = try CoreDataModel(storeAt: fixture.url.path)
        #expect(try CoreDataStore(at: fixture.url, model: model).notes.isEmpty)
        let dog = try #require(model.entities.firstIndex { $0.name == "Dog" })
        let photo = try #require(model.entities[dog].attributes.firstIndex { $0.name == "photo" })
        model.entities[dog].attributes[photo].type = type
        model.entities[dog].attributes[photo].allowsExternalStorage = isExternal
        let other = model
        let error = try #require(throws: CoreDataError.self) { try CoreDataStore(at: fixture.url, model: other) }
        #expect(error.code == .modelMismatch)
        #expect(error.message.contains(difference))
        let options = CoreDataStore.Options(acceptsDifferences: true)
        let store = try CoreDataStore(at: fixture.url, model: model, options: options)
        #expect(store.notes.map(\.text) == ["\(difference), accepted"])
    }

    @Test func comparesTheVersionHashesOfACompiledModel() throws {
        let fixture = try animals()
        defer { fixture.remove() }
        var model = try CoreDataModel(storeAt: fixture.url.path)
        // The store does not state the hash of people.
        model.versionHashes = ["Dog": Data(repeating: 1, count: 32), "Person": Data(repeating: 3, count: 32)]
        #expect(try CoreDataStore(at: fixture.url, model: model).notes.isEmpty)
        model.versionHashes["Dog"] = Data(repeating: 2, count: 32)
        let other = model
        let error = try #require(throws: CoreDataError.self) { try CoreDataStore(at: fixture.url, model: other) }
        #expect(error.code == .modelMismatch)
        #expect(error.message.contains("“Dog” has a different version hash"))
    }

    @Test func namesWhatIsWrongWithOtherFiles() throws {
        let fixture = try StoreFixture.library()
        defer { fixture.remove() }
        let other = fixture.folder.appending(path: "other.sqlite")
        func code(_ url: URL) -> CoreDataError.Code? {
            let error = #expect(throws: CoreDataError.self) { try CoreDataStore(at: url, model: StoreFixture.model) }
            return error?.code
        }
        #expect(code(other) == .noSuchFile)
        let missing = #expect(throws: CoreDataError.self) { try CoreDataStore(at: URL(filePath: "none.sqlite")) }
        #expect(missing?.description == "none.sqlite: there is no file “none.sqlite”")
        try Data("not a database, but long enough to be read as one".utf8).write(to: other)
        #expect(code(other) == .notAStore)
        #expect(code(fixture.folder) == .notAStore)
        try FileManager.default.removeItem(at: other)
        let queue = try DatabaseQueue(path: other.path)
        try queue.write { try $0.execute(sql: "CREATE TABLE t (a)") }
        try queue.close()
        #expect(code(other) == .notAStore)
        let journal = Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7, 0, 0, 0, 1])
        try journal.write(to: URL(filePath: "\(fixture.url.path)-journal"))
        #expect(code(fixture.url) == .busy)
    }
}
