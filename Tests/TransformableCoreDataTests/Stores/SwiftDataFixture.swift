import Foundation

/// A SwiftData store with posts and comments, written by hand as SQL and as a keyed archive.
///
/// No SwiftData store may be part of the tests. This one follows what was found in others: a structure is a composite
/// with an element for each field, an array in a structure is JSON, an enumeration with raw values is a composite with
/// one element of its own name, and one with associated values is a composite with an element for each case.
enum SwiftDataFixture {
    static let mark = "00010203-0405-0607-0809-0A0B0C0D0E0F"

    private static let tables = [
        "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
        """
        CREATE TABLE ZPOST (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZLEVEL INTEGER, ZSTATUS INTEGER,
        ZHAPPY VARCHAR, ZID VARCHAR, ZNAME VARCHAR, ZREASON VARCHAR, ZTITLE VARCHAR, ZID1 BLOB, ZPHOTO BLOB, ZTAGS BLOB,
        ZWORDS BLOB)
        """,
        """
        CREATE TABLE ZCOMMENT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPOST INTEGER, ZTEXT VARCHAR)
        """,
        """
        CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER,
        ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB)
        """,
        "CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP REAL)",
        "CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR)",
        """
        INSERT INTO ZPOST (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZID, ZNAME, ZTAGS, ZID1, ZREASON, ZLEVEL, ZSTATUS, ZPHOTO) VALUES
        (1, 2, 1, 'Hello', 'a1', 'Ada', CAST('["x","y"]' AS BLOB), x'000102030405060708090A0B0C0D0E0F', 'rain', 3, 2,
        x'01AABB')
        """,
        "INSERT INTO ZPOST (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZSTATUS, ZHAPPY) VALUES (2, 2, 1, 'Bare', 1, 'sun')",
        "INSERT INTO ZCOMMENT VALUES (1, 1, 1, 1, 'first'), (2, 1, 1, 1, 'second')",
        "INSERT INTO ACHANGE (Z_PK) VALUES (1), (2), (3)",
    ]

    static func store() throws -> StoreFixture {
        let metadata: [String: Any] = [
            "NSStoreType": "SQLite", "NSPersistenceFrameworkVersion": 1405,
            "NSStoreModelVersionIdentifiers": ["1.0.0"], "NSStoreModelVersionHashesVersion": 3,
        ]
        let cache = ModelArchive.deflated(model).map { String(format: "%02X", $0) }.joined()
        return try StoreFixture(
            entities: [
                (1, "Comment", 0, 2), (2, "Post", 0, 2), (16001, "CHANGE", 0, 3), (16002, "TRANSACTION", 0, 0),
                (16003, "TRANSACTIONSTRING", 0, 0),
            ],
            metadata: metadata,
            tables + ["INSERT INTO Z_MODELCACHE VALUES (x'\(cache)')"]
        )
    }

    // MARK: - The model

    private static var model: Data {
        var archive = ModelArchive()
        let (model, post, comment) = (archive.reserve(), archive.reserve(), archive.reserve())
        archive.setEntity(post, "Post", archive.postProperties())
        let text = archive.attribute("text", 700)
        let owner = archive.relationship("post", to: "Post", inverse: "comments", maximum: 1)
        archive.setEntity(comment, "Comment", archive.dictionary(["text": text, "post": owner]))
        let (first, second) = (ModelArchive.reference(comment), ModelArchive.reference(post))
        let all = archive.array([first, second])
        archive.set(
            model,
            "NSManagedObjectModel",
            [
                "NSEntities": archive.dictionary(["Comment": first, "Post": second]),
                "NSConfigurations": archive.dictionary(["default": all]),
                "NSVersionIdentifiers": archive.array([archive.string("1.0.0")], "NSSet"),
            ]
        )
        return archive.data(root: ModelArchive.reference(model))
    }
}

extension ModelArchive {
    fileprivate mutating func setEntity(_ number: Int, _ name: String, _ properties: String) {
        set(
            number,
            "NSEntityDescription",
            ["NSEntityName": string(name), "NSSuperentity": Self.null, "NSProperties": properties]
        )
    }

    fileprivate mutating func postProperties() -> String {
        let author = composite(
            "author",
            [attribute("id", 700), attribute("name", 700), attribute("tags", 1000)]
        )
        let isEnumeration = dictionary(["EnumType": "<true/>"])
        let status = composite("status", [attribute("status", 100)], isEnumeration)
        let cases = array([string("happy"), string("sad")])
        let sad = composite("sad", [attribute("reason", 700), attribute("level", 300)])
        let mood = composite(
            "mood",
            [attribute("happy", 700), sad],
            dictionary(["EnumType": "<true/>", "enum": cases])
        )
        let words = attribute(
            "words",
            1800,
            ["NSValueTransformerName": string("NSSecureUnarchiveFromData"), "NSIsOptional": "<true/>"]
        )
        return dictionary([
            "author": author, "comments": relationship("comments", to: "Comment", inverse: "post", maximum: 0),
            "id": attribute("id", 1100), "mood": mood,
            "photo": attribute("photo", 1000, ["NSFlagsKey": "<integer>4</integer>", "NSIsOptional": "<true/>"]),
            "status": status, "title": attribute("title", 700), "words": words,
        ])
    }

    private mutating func composite(_ name: String, _ elements: [String], _ userInfo: String = null) -> String {
        add(
            "NSCompositeAttributeDescription",
            [
                "NSPropertyName": string(name), "NSAttributeType": "<integer>2100</integer>",
                "NSIsOptional": "<true/>", "NSCompositeElements": array(elements), "NSUserInfo": userInfo,
            ]
        )
    }
}
