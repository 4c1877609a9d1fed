import Foundation
import GRDB
import Transformable
import TransformableCoreData
import TransformableModel
import TransformableSQLite
import TransformableStore

/// A store with the tables that Core Data creates, written by hand as SQL.
struct StoreFixture {
    let folder: URL
    var url: URL { folder.appending(path: "App.sqlite") }
    var target: URL { folder.appending(path: "adopted.sqlite") }

    /// Creates a store in a folder of its own.
    ///
    /// - Parameters:
    ///   - entities: The rows of `Z_PRIMARYKEY`: number, name, number of the parent, highest number of an object.
    ///   - metadata: The property list.
    ///   - statements: Statements that create tables and rows.
    /// - Throws: An error if the store cannot be created.
    init(
        entities: [(Int, String, Int, Int)],
        metadata: [String: Any] = [:],
        _ statements: [String]
    ) throws {
        folder = URL.temporaryDirectory.appending(path: UUID().uuidString, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let plist = try PropertyListSerialization.data(fromPropertyList: metadata, format: .binary, options: 0)
        let queue = try DatabaseQueue(path: url.path)
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
                    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)
                    """
            )
            let row: StatementArguments = [1, "0A5B7C33-1F0E-4F6A-9D0B-5D4D2F0D8E11", plist]
            try database.execute(sql: "INSERT INTO Z_METADATA VALUES (?, ?, ?)", arguments: row)
            for (number, name, parent, last) in entities {
                let row: StatementArguments = [number, name, parent, last]
                try database.execute(sql: "INSERT INTO Z_PRIMARYKEY VALUES (?, ?, ?, ?)", arguments: row)
            }
            for statement in statements { try database.execute(sql: statement) }
        }
        try queue.close()
    }

    /// Changes the store.
    func run(_ sql: String, _ arguments: StatementArguments = []) throws {
        let queue = try DatabaseQueue(path: url.path)
        try queue.write { try $0.execute(sql: sql, arguments: arguments) }
        try queue.close()
    }

    /// The names in the store's folder, sorted.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }
}

extension StoreFixture {
    /// A library with readers: children of an abstract entity, a to-one relationship to them, ordered and many-to-many
    /// relationships, and one without an inverse.
    static let model: CoreDataModel = {
        var title = CoreDataAttribute("title", .string)
        title.isOptional = false
        let book = CoreDataEntity(
            "Book",
            attributes: [
                title,
                CoreDataAttribute("added", .date, optional: true),
                CoreDataAttribute("price", .decimal, optional: true),
                CoreDataAttribute("pages", .integer16, optional: true),
                CoreDataAttribute("isLent", .boolean, optional: true),
                CoreDataAttribute("mark", .uuid, optional: true),
                CoreDataAttribute("page", .uri, optional: true),
                CoreDataAttribute("weight", .double, optional: true),
                external("cover", .binary),
                CoreDataAttribute("notes", .transformable, optional: true),
            ],
            relationships: [
                CoreDataRelationship("owner", to: "Reader", inverse: "books"),
                CoreDataRelationship("sequels", to: "Book", toMany: true, ordered: true, inverse: "prequels"),
                CoreDataRelationship("prequels", to: "Book", toMany: true, inverse: "sequels"),
                CoreDataRelationship("tags", to: "Tag", toMany: true, inverse: "books"),
            ]
        )
        let reader = CoreDataEntity(
            "Reader",
            abstract: true,
            attributes: [CoreDataAttribute("name", .string, optional: true)],
            relationships: [CoreDataRelationship("books", to: "Book", toMany: true, ordered: true, inverse: "owner")]
        )
        let (text, number) = (
            CoreDataAttribute("code", .string, optional: true), CoreDataAttribute("code", .integer64, optional: true)
        )
        let adult = CoreDataEntity("Adult", parent: "Reader", attributes: [text])
        let child = CoreDataEntity("Child", parent: "Reader", attributes: [number])
        let tag = CoreDataEntity(
            "Tag",
            attributes: [CoreDataAttribute("name", .string, optional: true)],
            relationships: [
                CoreDataRelationship("books", to: "Book", toMany: true, inverse: "tags"),
                CoreDataRelationship("hidden", to: "Book", toMany: true, ordered: true),
            ]
        )
        return CoreDataModel(entities: [book, reader, adult, child, tag])
    }()

    private static func external(_ name: String, _ type: CoreDataAttributeType) -> CoreDataAttribute {
        var attribute = CoreDataAttribute(name, type, optional: true)
        attribute.allowsExternalStorage = true
        return attribute
    }

    /// The tables of the library, by the rules in the documentation of `CoreDataLayout`.
    static let tables = [
        """
        CREATE TABLE ZBOOK (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISLENT INTEGER, ZPAGES INTEGER,
        ZOWNER INTEGER, Z2_OWNER INTEGER, Z_FOK_OWNER INTEGER, Z5HIDDEN INTEGER, Z_FOK_5HIDDEN INTEGER,
        ZADDED TIMESTAMP, ZWEIGHT FLOAT, ZPRICE DECIMAL, ZTITLE VARCHAR, ZPAGE VARCHAR, ZCOVER BLOB, ZMARK BLOB, ZNOTES BLOB)
        """,
        """
        CREATE TABLE ZREADER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCODE1 INTEGER, ZNAME VARCHAR,
        ZCODE VARCHAR)
        """,
        "CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR)",
        "CREATE TABLE Z_1TAGS (Z_1BOOKS INTEGER, Z_5TAGS INTEGER, PRIMARY KEY (Z_1BOOKS, Z_5TAGS))",
        """
        CREATE TABLE Z_1PREQUELS (Z_1PREQUELS INTEGER, Z_1SEQUELS INTEGER, Z_FOK_1SEQUELS INTEGER,
        PRIMARY KEY (Z_1PREQUELS, Z_1SEQUELS))
        """,
    ]

    static let entities = [
        (1, "Book", 0, 40), (2, "Reader", 0, 9), (3, "Adult", 2, 0), (4, "Child", 2, 0), (5, "Tag", 0, 2),
    ]

    /// Creates a library with the given rows.
    static func library(_ rows: [String] = []) throws -> Self {
        try Self(entities: entities, tables + rows)
    }
}

// MARK: - Adopting the library

extension StoreFixture {
    /// Two readers, four books, and two tags.
    static let books = [
        "INSERT INTO ZREADER VALUES (1, 3, 2, NULL, 'Ada', 'x7'), (2, 4, 1, 12, 'Bo', NULL)",
        """
        INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZADDED, ZPRICE, ZPAGES, ZISLENT, ZOWNER, Z2_OWNER, Z_FOK_OWNER)
        VALUES (4, 1, 7, 'Emma', 86400, 12.5, 300, 1, 2, 4, 4096), (7, 1, 1, 'Kim', NULL, NULL, NULL, NULL, 2, 4, 2048),
        (9, 1, 1, 'Ulysses', 0.25, 3, NULL, 0, 1, 3, 2048), (12, 1, 1, 'Dubliners', NULL, NULL, NULL, NULL, NULL, NULL, NULL)
        """,
        """
        UPDATE ZBOOK SET ZMARK = x'000102030405060708090A0B0C0D0E0F', ZPAGE = 'https://a.example/1', ZWEIGHT = 0.5,
        ZCOVER = x'01AABB', ZNOTES = x'6E6F7465' WHERE Z_PK = 4
        """,
        "UPDATE ZBOOK SET Z5HIDDEN = 1, Z_FOK_5HIDDEN = 4096 WHERE Z_PK = 4",
        "UPDATE ZBOOK SET Z5HIDDEN = 1, Z_FOK_5HIDDEN = 2048 WHERE Z_PK = 9",
        "INSERT INTO ZTAG VALUES (1, 5, 1, 'old'), (2, 5, 1, 'new')",
        "INSERT INTO Z_1TAGS VALUES (4, 1), (4, 2), (9, 2)",
        "INSERT INTO Z_1PREQUELS VALUES (12, 9, 3072), (12, 7, 2048)",
    ]

    /// Adopts the library and, by default, verifies the new store.
    func adopt(
        _ options: CoreDataStore.AdoptionOptions = CoreDataStore.AdoptionOptions(verifying: true),
        model: Model = StoreAdoptionTests.model
    ) throws -> AdoptionReport {
        let source = try CoreDataStore(at: url, model: Self.model)
        return try source.adopt(as: model, into: target, transformers: TransformerRegistry {}, options: options)
    }

    /// Opens the store that an adoption has made.
    func openAdopted() throws -> Store {
        try Store(at: target, transformers: TransformerRegistry {}, options: .readOnly)
    }
}
