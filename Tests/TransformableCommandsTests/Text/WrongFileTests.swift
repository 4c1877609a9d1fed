import Foundation
import Testing

/// What messages say about a file that is missing, or that is not what a command expects.
@Suite struct WrongFileTests {
    private let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    /// Runs a command, in whose arguments `/name` stands for the path of a file in the fixture's folder.
    private func run(_ words: [String]) throws -> CommandRun {
        try fixture.run(arguments: words.map { $0.hasPrefix("/") ? fixture.folder.path(String($0.dropFirst())) : $0 })
    }

    @Test(arguments: [
        ["inspect", "/none"], ["encode", "bytes", "--in", "/none"], ["model", "show", "/none"],
        ["model", "convert", "/none"], ["model", "diff", "/none", "/none"], ["store", "show", "/none"],
        ["model", "generate", "/none", "--out", "/new"], ["store", "create", "/new", "--model", "/none"],
        ["store", "adopt", "/none", "--out", "/new"], ["store", "import", "/new", "--folder", "/none"],
        ["store", "import", "/clinic.sqlite", "Patient", "/none", "--format", "csv"],
    ])
    func allCommandsReportAMissingFileInTheSameWords(words: [String]) throws {
        let refused = try run(words)
        #expect(refused.status == 66)
        let path = fixture.folder.path("none")
        #expect(refused.messages == "error: cannot read “\(path)”: no such file or directory\n")
    }

    /// A file in the place of a folder on its path is not the same as a missing file.
    @Test func saysWhyAFileCannotBeFound() throws {
        let path = "\(fixture.store)/model.json"
        let refused = try fixture.run("model", "show", path)
        #expect(refused.status == 66)
        #expect(refused.messages == "error: cannot read “\(path)”: not a directory\n")
    }

    @Test(arguments: ["old.json", "new.json"])
    func aComparisonNamesTheModelWithAFault(name: String) throws {
        for file in ["old.json", "new.json"] { try fixture.folder.write(Data(StoreFixture.model.utf8), file) }
        let path = try fixture.folder.write(Data("{".utf8), name)
        let refused = try run(["model", "diff", "/old.json", "/new.json"])
        #expect(refused.status == 65)
        #expect(refused.messages.hasPrefix("error: “\(path)”: the model is not valid JSON"), "\(refused.messages)")
    }

    @Test(arguments: [["/exported"], ["Patient", "/exported"]])
    func importingAFolderAsAFileNamesTheOption(words: [String]) throws {
        let export = ["store", "export", "/clinic.sqlite", "--out", "/exported", "--key-file", "/clinic.keys"]
        #expect(try run(export).status == 0)
        let refused = try run(["store", "import", "/clinic.sqlite"] + words)
        #expect(refused.status == 64)
        #expect(refused.messages.contains("is a folder; to import what “store export” wrote, use --folder"))
    }

    @Test(arguments: [
        ["store", "create", "/new.sqlite", "--model", "/App.xcdatamodeld"],
        ["store", "create", "/new.sqlite", "--model", "/clinic.sqlite"],
        ["store", "migrate", "/clinic.sqlite", "--model", "/App.xcdatamodeld"],
        ["store", "show", "/clinic.sqlite", "--model", "/App.xcdatamodeld"],
    ])
    func aModelThatIsNotJSONCanBeConverted(words: [String]) throws {
        let folder = fixture.folder.url.appending(path: "App.xcdatamodeld")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let refused = try run(words)
        #expect(refused.status == 65)
        #expect(refused.messages.hasSuffix("is not a model in JSON; convert it with “model convert”\n"))
        #expect(try !fixture.folder.names.contains("new.sqlite"))
    }

    /// The tables by which Core Data's stores are recognized.
    private static let coreDataTables = """
        CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
        INSERT INTO Z_METADATA VALUES (1, '8E430534-5F59-49DB-9479-C3290AE2713E', x'00');
        """

    @Test(arguments: [
        ["store", "show", "/app.sqlite"], ["store", "verify", "/app.sqlite"],
        ["store", "insert", "/app.sqlite", "Patient", "name=a"],
        ["store", "migrate", "/app.sqlite", "--model", "/clinic.json"],
        ["keys", "list", "/clinic.keys", "--store", "/app.sqlite"],
    ])
    func aCoreDataStoreCanBeAdopted(words: [String]) throws {
        try fixture.sqlite(Self.coreDataTables, in: fixture.folder.path("app.sqlite"))
        let refused = try run(words)
        #expect(refused.status == 65)
        #expect(refused.messages.contains("it is a Core Data store, whose objects “store adopt” copies to a new store"))
        #expect(refused.output == "")
    }

    @Test func anotherDatabaseIsNotTakenForACoreDataStore() throws {
        try fixture.sqlite("CREATE TABLE t (x)", in: fixture.folder.path("app.sqlite"))
        let refused = try run(["store", "show", "/app.sqlite"])
        #expect(refused.status == 65)
        #expect(!refused.messages.contains("adopt"))
    }

    @Test func theNameOfAFileIsNotItsContents() throws {
        let path = try fixture.folder.write(Data("{{1, 2}, {3, 4}}".utf8), "bed.txt")
        let set = try fixture.run("store", "insert", fixture.store, "Patient", "name=Ada", "bed=\(path)")
        #expect(set.status == 65)
        #expect(set.messages.hasSuffix("; to read it from a file, write “bed=@file”\n"), "\(set.messages)")
        let encoded = try fixture.run("encode", "rect", path)
        #expect(encoded.status == 65)
        #expect(encoded.messages.hasSuffix("; to read the value from a file, use --in\n"), "\(encoded.messages)")
        #expect(try !fixture.run("encode", "rect", "\(path).none").messages.contains("--in"))
    }
}
