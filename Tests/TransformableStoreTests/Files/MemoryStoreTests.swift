import Foundation
import GRDB
import Glibc
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// The folder of the files of stores in memory.
@Suite struct MemoryStoreTests {
    private static func store(in folder: String, room: Int = 1 << 20, hasTenants: Bool = false) throws -> Store {
        var options = Store.Options(busyTimeout: .seconds(20))
        (options.memoryFolder, options.memoryRoom) = (folder, room)
        let note = EntityDescription(
            "Note",
            attributes: [
                .string("text"), .data("data", .optional, .externalStorage(over: 10)),
                .transformed("secret", "text | bound", as: String.self, .optional),
            ]
        )
        let model = try Model(hasTenants: hasTenants, entities: [note])
        return try .inMemory(model: model, transformers: Transformers().registry(), options: options)
    }

    private static func add(_ text: String, to store: Store) throws {
        try store.write { try $0.insert("Note").setValue(text, for: "text") }
    }

    private static func files(in folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
    }

    private static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func onlyTheOwnerCanReadTheFiles() throws {
        let folder = try Folder()
        let store = try Self.store(in: folder.url.path)
        try Self.add("a", to: store)
        let files = try Self.files(in: folder.url.path)
        #expect(files.count == 4)
        for file in files {
            let isFolder = !file.contains("/")
            #expect(try Self.mode("\(folder.url.path)/\(file)") == (isFolder ? 0o700 : 0o600), "\(file)")
        }
    }

    @Test func theFilesContainSealedValuesOnlySealed() throws {
        let folder = try Folder()
        let store = try Self.store(in: folder.url.path)
        try store.write { context in
            let note = try context.insert("Note")
            try note.setValue("plain words", for: "text")
            try note.setValue("hidden words", for: "secret")
        }
        var isPlainThere = false
        for file in try Self.files(in: folder.url.path) where file.contains("/") {
            let bytes = try Data(contentsOf: folder.file(file))
            isPlainThere = isPlainThere || bytes.range(of: Data("plain words".utf8)) != nil
            #expect(bytes.range(of: Data("hidden words".utf8)) == nil)
        }
        #expect(isPlainThere)
    }

    @Test func theFilesAreRemovedWithTheStore() throws {
        let folder = try Folder()
        do {
            let store = try Self.store(in: folder.url.path)
            try Self.add("a", to: store)
            #expect(try !Self.files(in: folder.url.path).isEmpty)
        }
        #expect(try Self.files(in: folder.url.path).isEmpty)
    }

    nonisolated(unsafe) private static var kept: Store?

    @Test func theFilesAreRemovedWithTheProcess() async throws {
        let folder = try Folder()
        await #expect(processExitsWith: .exitCode(3)) { [path = folder.url.path as String] in
            let store = try Self.store(in: path)
            try Self.add("a", to: store)
            // Nothing lets go of it before the end.
            Self.kept = store
            exit(3)
        }
        #expect(try Self.files(in: folder.url.path).isEmpty)
    }

    @Test func theNextProcessRemovesTheFilesOfAKilledOne() async throws {
        let folder = try Folder()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.url.path as String] in
            let store = try Self.store(in: path)
            try Self.add("a", to: store)
            kill(getpid(), SIGKILL)
        }
        #expect(try Self.files(in: folder.url.path).count == 4)
        let store = try Self.store(in: folder.url.path)
        #expect(try Self.files(in: folder.url.path).count == 4)
        #expect(try await store.read { try $0.count("Note") } == 0)
    }

    /// A store that needs no files works like any other.
    private func check(_ store: Store, _ folder: String) throws {
        try store.write { context in
            let note = try context.insert("Note")
            try note.setValue("a", for: "text")
            try note.setValue(Data(count: 1000), for: "data")
        }
        #expect(try store.read { try $0.first("Note")?.value("data", as: Data.self).count } == 1000)
        #expect(try store.verify().isSound)
        #expect(try Self.files(in: folder).filter { $0.hasPrefix(".transformable") }.isEmpty)
    }

    @Test func worksWithoutTheFolder() throws {
        let folder = try Folder()
        try check(Self.store(in: folder.file("none").path), folder.url.path)
    }

    @Test func worksWithoutFreeSpace() throws {
        let folder = try Folder()
        try check(Self.store(in: folder.url.path, room: .max), folder.url.path)
    }

    @Test func theRowsOfAllTenantsAreReadWithoutFreeSpace() throws {
        let folder = try Folder()
        let store = try Self.store(in: folder.url.path, room: .max, hasTenants: true)
        for tenant in 1...2 as ClosedRange<Int64> {
            try store.write(tenant: tenant) { context in
                let note = try context.insert("Note")
                try note.setValue("a", for: "text")
                try note.setValue("b", for: "secret")
            }
            #expect(try store.read(tenant: tenant) { try $0.count("Note") } == 1)
        }
        // The connection that the tenants used reads the tables themselves.
        #expect(try store.rehearse(Reencoding("secret", of: "Note")).cells == 2)
        #expect(try store.read(tenant: 2) { try $0.count("Note") } == 1)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "only root can mount a small disk"))
    func worksWithAReadOnlyFolder() throws {
        let disk = try #require(try SmallDisk())
        try #require(disk.lock())
        try check(Self.store(in: disk.url.path), disk.url.path)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "only root can mount a small disk"))
    func aFullDiskIsAnErrorAndChangesNothing() throws {
        let disk = try #require(try SmallDisk())
        let store = try Self.store(in: disk.url.path)
        try Self.add("a", to: store)
        disk.fill(leaving: 40_000)
        let error = #expect(throws: StoreError(code: .diskFull)) {
            try store.write { context in
                for _ in 0..<200 {
                    let note = try context.insert("Note")
                    try note.setValue("b", for: "text")
                    try note.setValue(Data(count: 4000), for: "data")
                }
            }
        }
        #expect(error?.message.contains("disk is full") == true)
        #expect(try store.read { try $0.count("Note") } == 1)
        try disk.free()
        try Self.add("c", to: store)
        #expect(try store.read { try $0.count("Note") } == 2)
        #expect(try store.verify().isSound)
    }
}
