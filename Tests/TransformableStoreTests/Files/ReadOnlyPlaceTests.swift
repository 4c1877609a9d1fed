import Foundation
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Stores in locations without write permission, with the files that the last writer has left behind.
@Suite struct ReadOnlyPlaceTests {
    enum Remains: CaseIterable {
        case nothing
        case log
        case logAndIndex

        var suffixes: [String] {
            switch self {
            case .nothing: [""]
            case .log: ["", "-wal"]
            case .logAndIndex: ["", "-wal", "-shm"]
            }
        }
    }

    private static let large = Data(repeating: 7, count: 100_000)

    /// A store with the leftovers of a killed writer, in a location that is then made read-only.
    private static func place(_ remains: Remains, on disk: SmallDisk, journal: Data? = nil) throws -> URL {
        let folder = try Folder()
        let store = try Store.documents(in: folder)
        try store.addDocument("first", data: large)
        if remains == .nothing { try store.close() }
        let url = disk.url.appending(path: "test #1?.sqlite")
        for suffix in remains.suffixes + ["-blobs"] {
            try FileManager.default.copyItem(atPath: folder.file().path + suffix, toPath: url.path + suffix)
        }
        try journal?.write(to: URL(filePath: "\(url.path)-journal"))
        try #require(disk.lock())
        return url
    }

    @Test(.enabled(if: SmallDisk.isPossible, "only root can mount a small disk"), arguments: Remains.allCases)
    func everythingCanBeRead(remains: Remains) throws {
        let disk = try #require(try SmallDisk())
        let url = try Self.place(remains, on: disk)
        let options = Store.Options(opening: .readOnly)
        let store = try Store(
            at: url,
            model: Models.documents(),
            transformers: Transformers().registry(),
            options: options
        )
        let values = try store.read { context in
            try context.fetch("Document", where: Field("name") == "first").map { try $0.value("data", as: Data.self) }
        }
        #expect(values == [Self.large])
        #expect(try store.verify().isSound)
        #expect(throws: StoreError(code: .readOnly)) { try store.addDocument("new") }
        let folder = try Folder()
        #expect(try store.copy(to: folder.file()) == [])
        try store.close()
        #expect(try Store.documents(in: folder).read { try $0.count("Document") } == 1)
    }

    // A journal begins with these bytes until its change is complete.
    @Test(.enabled(if: SmallDisk.isPossible, "only root can mount a small disk"))
    func anInterruptedChangeIsNotReadAsData() throws {
        let disk = try #require(try SmallDisk())
        let journal = Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7] + Array(repeating: 0, count: 504))
        let url = try Self.place(.nothing, on: disk, journal: journal)
        let error = #expect(throws: StoreError(code: .busy)) {
            try Store(at: url, transformers: Transformers().registry(), options: .readOnly)
        }
        #expect(error?.message.contains("-journal") == true)
    }

    /// The link is in a folder that can be written, and the log is next to the file that it leads to.
    @Test(.enabled(if: SmallDisk.isPossible, "only root can mount a small disk"), arguments: Remains.allCases)
    func everythingCanBeReadThroughALink(remains: Remains) throws {
        let disk = try #require(try SmallDisk())
        let url = try Self.place(remains, on: disk)
        let folder = try Folder()
        try FileManager.default.createSymbolicLink(at: folder.file(), withDestinationURL: url)
        let registry = try Transformers().registry()
        let store = try Store(at: folder.file(), transformers: registry, options: Store.Options(opening: .readOnly))
        #expect(try store.read { try $0.count("Document") } == 1)
        try store.close()
    }

    @Test(.enabled(if: SmallDisk.isPossible, "only root can mount a small disk"), arguments: Remains.allCases)
    func openingForWritingExplainsWhatToDo(remains: Remains) throws {
        let disk = try #require(try SmallDisk())
        let url = try Self.place(remains, on: disk)
        let error = #expect(throws: StoreError.self) { try Store(at: url, transformers: Transformers().registry()) }
        #expect(
            error?.description
                == "“\(url.path)” cannot be written: Read-only file system; open the store as read-only, or copy it "
                + "to a writable folder"
        )
    }

    // Root can write anywhere, so a process without its privileges is required.
    @Test(arguments: [Remains.nothing, .log]) func aFolderOfAnotherUserCanBeRead(remains: Remains) async throws {
        let folder = try Folder()
        let store = try Store.documents(in: folder)
        try store.addDocument("first", data: Self.large)
        if remains == .nothing { try store.close() }
        let place = try Folder()
        for suffix in remains.suffixes + ["-blobs"] {
            let path = place.file().path + suffix
            try FileManager.default.copyItem(atPath: folder.file().path + suffix, toPath: path)
            if suffix != "-blobs" { chmod(path, 0o666) }
        }
        chmod(place.url.path, 0o555)
        defer { chmod(place.url.path, 0o755) }
        let path = place.file().path
        await #expect(processExitsWith: .success) { [path = path as String] in
            if getuid() == 0 { setuid(65_534) }
            let registry = try Transformers().registry()
            let url = URL(filePath: path)
            let reader = try Store(at: url, transformers: registry, options: .readOnly)
            guard try reader.read({ try $0.count("Document") }) == 1 else { exit(3) }
            try reader.close()
            do {
                _ = try Store(at: url, transformers: registry)
                exit(4)
            } catch let error as StoreError {
                guard error.code == .readOnly, error.message.contains("Permission denied") else { exit(5) }
            }
        }
        #expect(try await Store.documents(in: place).read { try $0.count("Document") } == 1)
    }

    /// A user who only reads leaves the index of the log to the owner of the store, who may not change it.
    @Test func namesTheIndexOfAnotherUser() async throws {
        let folder = try Folder()
        let store = try Store.documents(in: folder)
        try store.addDocument("first", data: Self.large)
        let place = try Folder()
        let path = place.file().path
        for suffix in Remains.logAndIndex.suffixes {
            try FileManager.default.copyItem(atPath: folder.file().path + suffix, toPath: path + suffix)
            chmod(path + suffix, suffix == "-shm" ? 0o444 : 0o666)
        }
        try store.close()
        chmod(place.url.path, 0o777)
        await #expect(processExitsWith: .success) { [path = path as String] in
            if getuid() == 0 { setuid(65_534) }
            do {
                let store = try Store(at: URL(filePath: path), transformers: Transformers().registry())
                _ = try store.addDocument("second")
                exit(3)
            } catch let error as StoreError {
                guard error.code == .readOnly, error.message.hasPrefix("the file “\(path)-shm” cannot") else { exit(4) }
                guard error.message.contains("chmod g+w") else { exit(5) }
            }
        }
    }

    // Without its bytes, an import of the export would lose the value.
    @Test func aFileThatCannotBeReadIsNotExportedAsDamaged() async throws {
        let folder = try Folder()
        let store = try Store.documents(in: folder)
        try store.addDocument("first", data: Self.large)
        try store.close()
        let blob = folder.blob(try #require(try folder.blobs().first)).path
        chmod(blob, 0)
        chmod(folder.url.path, 0o555)
        defer { chmod(folder.url.path, 0o755) }
        let place = try Folder()
        chmod(place.url.path, 0o777)
        let (path, export) = (folder.file().path, place.file("export").path)
        await #expect(processExitsWith: .success) {
            [path = path as String, export = export as String, blob = blob as String] in
            if getuid() == 0 { setuid(65_534) }
            let registry = try Transformers().registry()
            let store = try Store(at: URL(filePath: path), transformers: registry, options: .readOnly)
            do {
                try store.export(to: URL(filePath: export))
                exit(3)
            } catch let error as StoreError {
                guard error.code == .cannotOpen else { exit(4) }
                guard error.message.hasPrefix("“\(blob)” cannot be opened: Permission denied; allow") else { exit(5) }
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.url.path) == [])
    }
}
