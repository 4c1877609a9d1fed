import Foundation
import GRDB
import Testing
import TransformableCoreData

struct ModelFolderTests {
    private static let xml = "<model><entity name=\"E\"/></model>"

    /// Calls a closure with a folder in which files have been written, and removes it.
    private static func withFolder(_ name: String, _ files: [String: Data], _ body: (String) throws -> Void) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        defer { try? FileManager.default.removeItem(at: root) }
        let folder = root.appending(path: name)
        for (file, bytes) in files {
            let url = folder.appending(path: file)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try bytes.write(to: url)
        }
        try body(folder.path)
    }

    private static func list(_ contents: String) -> Data {
        Data("<?xml version=\"1.0\"?><plist version=\"1.0\"><dict>\(contents)</dict></plist>".utf8)
    }

    private static let current = list("<key>_XCCurrentVersionName</key><string>App v2.5.1.xcdatamodel</string>")

    @Test func readsTheCurrentVersion() throws {
        let files = [
            "App.xcdatamodel/contents": Data("<model/>".utf8), "App v2.5.1.xcdatamodel/contents": Data(Self.xml.utf8),
            ".xccurrentversion": Self.current,
        ]
        try Self.withFolder("App.xcdatamodeld", files) { path in
            let model = try CoreDataModel(contentsOf: path)
            #expect(model.name == "App v2.5.1" && model.entities.map(\.name) == ["E"])
            #expect(try CoreDataModel(contentsOf: "\(path)/").name == "App v2.5.1")
            #expect(try CoreDataModel(contentsOf: path, version: "App").entities.isEmpty)
            #expect(throws: CoreDataError(.unknownVersion, "")) { try CoreDataModel(contentsOf: path, version: "B") }
            let versions = try CoreDataModel.versions(at: path)
            #expect(versions.names == ["App", "App v2.5.1"] && versions.current == "App v2.5.1")
        }
    }

    @Test func readsTheOnlyVersion() throws {
        let files = ["App.xcdatamodel/contents": Data(Self.xml.utf8), ".xccurrentversion": Self.list("")]
        try Self.withFolder("App.xcdatamodeld", files) { path in
            let version = try CoreDataModel(contentsOf: "\(path)/App.xcdatamodel")
            #expect(version.name == "App" && version.entities.count == 1)
            #expect(try CoreDataModel(contentsOf: path) == version)
            #expect(try CoreDataModel(contentsOf: "\(path)/App.xcdatamodel/contents").entities == version.entities)
        }
    }

    /// `tar` on macOS writes the extended attributes of a file to a hidden file beside it.
    @Test func ignoresHiddenFiles() throws {
        let files = ["App.xcdatamodel/contents": Data(Self.xml.utf8), "._App.xcdatamodel": Data([0, 5, 0x16, 7])]
        try Self.withFolder("App.xcdatamodeld", files) { path in
            let model = try CoreDataModel(contentsOf: path)
            #expect(model.name == "App")
            #expect(try CoreDataModel.versions(at: path).names == ["App"])
        }
    }

    /// File systems of macOS store “é” as two characters, or leave it as it is.
    @Test(arguments: ["Caf\u{e9}", "Cafe\u{301}"], ["Caf\u{e9}", "Cafe\u{301}"])
    func findsVersionsWhoseNamesHaveAnotherNormalization(file: String, name: String) throws {
        let files = [
            "\(file).xcdatamodel/contents": Data(Self.xml.utf8), "B.xcdatamodel/contents": Data("<model/>".utf8),
            ".xccurrentversion": Self.list("<key>_XCCurrentVersionName</key><string>\(name).xcdatamodel</string>"),
        ]
        try Self.withFolder("App.xcdatamodeld", files) { path in
            let current = try CoreDataModel(contentsOf: path)
            #expect(current.entities.map(\.name) == ["E"])
            #expect(try CoreDataModel(contentsOf: path, version: name) == current)
        }
    }

    @Test func requiresAVersionIfThereAreSeveral() throws {
        let files = ["A.xcdatamodel/contents": Data(Self.xml.utf8), "B.xcdatamodel/contents": Data(Self.xml.utf8)]
        try Self.withFolder("App.xcdatamodeld", files) { path in
            let error = try #require(throws: CoreDataError.self) { try CoreDataModel(contentsOf: path) }
            #expect(error.code == .ambiguousVersion && error.message.contains("“A”, “B”"))
        }
    }

    @Test func rejectsCurrentVersionThatDoesNotExist() throws {
        let files = ["A.xcdatamodel/contents": Data(Self.xml.utf8), ".xccurrentversion": Self.current]
        try Self.withFolder("App.xcdatamodeld", files) { path in
            let error = try #require(throws: CoreDataError.self) { try CoreDataModel(contentsOf: path) }
            #expect(error.code == .unknownVersion && error.message.hasSuffix("choose one of “A”"))
            #expect(try CoreDataModel(contentsOf: path, version: "A").name == "A")
        }
    }

    @Test func rejectsModelsInTheOldFormat() throws {
        try Self.withFolder("App.xcdatamodeld", ["App.xcdatamodel/elements": Data()]) { path in
            let error = try #require(throws: CoreDataError.self) { try CoreDataModel(contentsOf: path) }
            #expect(error.code == .unsupportedModel && error.file?.hasSuffix("App.xcdatamodel") == true)
        }
    }

    @Test func readsVersionHashesOfCompiledModels() throws {
        let hash = Data(repeating: 7, count: 32)
        let info: [String: Any] = [
            "NSManagedObjectModel_CurrentVersionName": "Zoo 2",
            "NSManagedObjectModel_VersionHashes": ["Zoo": [:], "Zoo 2": ["Dog": hash, "Cat": Data([1])]],
        ]
        let list = try PropertyListSerialization.data(fromPropertyList: info, format: .binary, options: 0)
        let files = [
            "Zoo.mom": Data("x".utf8), "Zoo 2.mom": try ModelArchive.animalsInBinary, "VersionInfo.plist": list,
        ]
        try Self.withFolder("Zoo.momd", files) { path in
            let model = try CoreDataModel(contentsOf: path)
            #expect(model.name == "Zoo 2" && model.isCompiled && model.versionHashes == ["Dog": hash])
        }
    }

    @Test func errorsNameTheFile() throws {
        try Self.withFolder("App.xcdatamodel", ["contents": Data("<model>\n<entity/></model>".utf8)]) { path in
            let error = try #require(throws: CoreDataError.self) { try CoreDataModel(contentsOf: path) }
            #expect(error.description == "\(path)/contents:2:1: “entity” has no “name”")
        }
        #expect(throws: CoreDataError(.noSuchFile, "")) { try CoreDataModel(contentsOf: "/nowhere/App.mom") }
    }

    @Test func refusesDamagedStores() throws {
        let start = Data("SQLite format 3\0".utf8)
        for contents in [start, start + Data(repeating: 0xFF, count: 5000)] {
            try Self.withFolder("Files", ["Zoo.sqlite": contents]) { folder in
                let error = try #require(throws: CoreDataError.self) {
                    try CoreDataModel(storeAt: "\(folder)/Zoo.sqlite")
                }
                #expect([.damagedStore, .notAStore].contains(error.code))
                #expect(!error.description.contains("SELECT"))
            }
        }
    }

    /// SQLite removes the log of an empty file.
    @Test func keepsTheLogOfAnEmptyFile() throws {
        let log = Data([0x37, 0x7F, 0x06, 0x82] + [UInt8](repeating: 1, count: 4000))
        try Self.withFolder("Files", ["Zoo.sqlite": Data(), "Zoo.sqlite-wal": log, "Old.sqlite": Data()]) { folder in
            let error = try #require(throws: CoreDataError.self) {
                try CoreDataModel(storeAt: "\(folder)/Zoo.sqlite")
            }
            #expect(error.code == .damagedStore)
            #expect(error.message.hasSuffix("is not; copy both files again from where they came from"))
            let url = URL(filePath: "\(folder)/Zoo.sqlite")
            #expect(throws: CoreDataError(.damagedStore, "")) { try CoreDataStore(at: url) }
            #expect(try Data(contentsOf: URL(filePath: "\(folder)/Zoo.sqlite-wal")) == log)
            #expect(throws: CoreDataError(.notAModel, "")) { try CoreDataModel(contentsOf: "\(folder)/Old.sqlite") }
            let empty = try #require(throws: CoreDataError.self) { try CoreDataModel(storeAt: "\(folder)/Old.sqlite") }
            #expect(empty.code == .notAStore)
            #expect(empty.message == "the file is empty")
        }
    }

    @Test(arguments: ["{ \"transformableModel\": 1 }", "\u{89}PNG", "\u{FEFF}model"])
    func rejectsFilesThatAreNotModels(text: String) throws {
        try Self.withFolder("Files", ["Zoo.json": Data(text.utf8)]) { folder in
            let error = try #require(throws: CoreDataError.self) { try CoreDataModel(contentsOf: "\(folder)/Zoo.json") }
            #expect(error.code == .notAModel)
            #expect(error.message.hasPrefix("the file is not a Core Data model"))
        }
    }

    @Test func readsTheCopyInAStore() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appending(path: "Zoo.sqlite").path
        try StoreFile.create(at: path, cache: ModelArchive.deflated(ModelArchive.animals))
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(try CoreDataModel(storeAt: path).entities.map(\.name) == ["Animal", "Dog", "Person"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == before)
        try StoreFile.create(at: folder.appending(path: "Old.sqlite").path, cache: nil)
        #expect(throws: CoreDataError(.notAModel, "")) {
            try CoreDataModel(storeAt: folder.appending(path: "Old.sqlite").path)
        }
    }
}

/// A Core Data store that contains only a copy of its model.
private enum StoreFile {
    static func create(at path: String, cache: Data?) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { database in
            try database.execute(
                sql: "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)"
            )
            try database.execute(sql: "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
            if let cache { try database.execute(sql: "INSERT INTO Z_MODELCACHE VALUES (?)", arguments: [cache]) }
        }
        try queue.close()
    }
}
