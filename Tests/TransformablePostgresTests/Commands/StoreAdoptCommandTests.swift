import Foundation
import GRDB
import Testing
import TransformablePostgres
import _PostgresServer

/// The command `store adopt` with a store in a database, from a small Core Data store that was written by hand as SQL.
@Suite(.needsPostgres) struct StoreAdoptCommandTests {
    private static let xml = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Entry" representedClassName="Entry" syncable="YES">
                <attribute name="place" optional="YES" attributeType="String"/>
                <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
                <relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify"
                    destinationEntity="Person" inverseName="entries" inverseEntity="Person"/>
            </entity>
            <entity name="Person" representedClassName="Person" syncable="YES">
                <attribute name="name" attributeType="String"/>
                <relationship name="entries" optional="YES" toMany="YES" deletionRule="Nullify"
                    destinationEntity="Entry" inverseName="author" inverseEntity="Entry"/>
            </entity>
        </model>
        """

    // A photo begins with 1 if it is in the row, and with 2 if its file has the name that follows.
    private static let sql = """
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
        CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Entry', 0, 5), (2, 'Person', 0, 1);
        INSERT INTO Z_METADATA VALUES (1, '0A5B7C33-1F0E-4F6A-9D0B-5D4D2F0D8E11', NULL);
        CREATE TABLE ZENTRY (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHOR INTEGER, ZPLACE VARCHAR,
            ZPHOTO BLOB);
        CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
        INSERT INTO ZPERSON VALUES (1, 2, 1, 'Ada');
        INSERT INTO ZENTRY VALUES (2, 1, 1, 1, 'Paris', x'010203'),
            (5, 1, 1, NULL, 'Oslo', CAST(x'02' || '5C1A2B3C-0000-4000-8000-000000000001' || x'00' AS BLOB))
        """

    private let clinic: CommandClinic
    private var source: String { clinic.path("Journal.sqlite") }
    private var arguments: [String] {
        get throws {
            let model = clinic.path("Journal.xcdatamodeld")
            return [
                "store", "adopt", source, "--model", model, "--out", try CommandClinic.address(), "--schema",
                clinic.schema,
            ]
        }
    }

    init() throws {
        clinic = try CommandClinic(.server)
        let version = clinic.folder.appending(path: "Journal.xcdatamodeld/Journal.xcdatamodel")
        let files = clinic.folder.appending(path: ".Journal_SUPPORT/_EXTERNAL_DATA")
        for folder in [version, files] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        try Data(Self.xml.utf8).write(to: version.appending(path: "contents"))
        try Data(repeating: 7, count: 300_000).write(to: files.appending(path: "5C1A2B3C-0000-4000-8000-000000000001"))
        try sql(Self.sql)
    }

    private func sql(_ statements: String) throws {
        let queue = try DatabaseQueue(path: source)
        try queue.write { try $0.execute(sql: statements) }
        try queue.close()
    }

    @Test func createsAStoreInADatabase() throws {
        defer { clinic.remove() }
        let run = try clinic.run(arguments: arguments + ["--verify"])
        #expect(run.status == 0, "\(run.messages)")
        let place = "the schema “\(clinic.schema)” of “\(try CommandClinic.address())”"
        #expect(
            run.output.hasSuffix(
                "adopted 3 objects, 1 reference, and 1 file into \(place)\nevery value can be decoded\n"
            )
        )
        let shown = try clinic.run("show", "Entry", "--columns", "_id,place,author", "--csv")
        #expect(shown.output == "_id,place,author\r\n2,Paris,1\r\n5,Oslo,\r\n", "\(shown.messages)")
        #expect(try clinic.run("verify").output == "3 objects, 1 external blob: sound\n")
        // New objects get numbers that were never used.
        #expect(try clinic.run("insert", "Entry", "place=Rome").output == "6\n")
        let again = try clinic.run(arguments: arguments)
        #expect(again.status == 73)
        #expect(again.messages.contains("already contains a store"))
    }

    @Test func leavesNothingIfAValueCannotBeStored() throws {
        defer { clinic.remove() }
        try sql("UPDATE ZENTRY SET ZPLACE = CAST(x'610062' AS TEXT) WHERE Z_PK = 5")
        let run = try clinic.run(arguments: arguments)
        #expect(run.status == 65)
        #expect(run.messages.contains("Entry.place, object 5: the text contains the character U+0000"))
        // There is no such schema.
        try PostgresServer.connect().run(script: "CREATE SCHEMA \"\(clinic.schema)\"")
        let missing = try clinic.run(arguments: arguments + ["--dry-run"])
        #expect(missing.status == 0)
    }

    @Test func aSchemaNeedsADatabase() throws {
        defer { clinic.remove() }
        let model = clinic.path("Journal.xcdatamodeld")
        let adopting = ["store", "adopt", source, "--model", model, "--schema", "a"]
        #expect(try clinic.run(arguments: adopting + ["--out", clinic.path("new.sqlite")]).status == 64)
        #expect(try clinic.run(arguments: adopting + ["--dry-run"]).status == 64)
    }
}
