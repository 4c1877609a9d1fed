import Foundation
import Glibc
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

@Suite struct FullDiskTests {
    private static let large = Data(repeating: 7, count: 400_000)

    /// Expects a message that states where the disk is full, what happened to the change, and what to do.
    private func expectARemedy(
        _ error: StoreError?,
        _ disk: SmallDisk,
        _ outcome: String = "nothing was changed",
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let message = error?.message ?? ""
        for part in ["the disk is full", outcome, "free some space", "“\(disk.url.path)/", "try again"] {
            #expect(message.contains(part), "\(message)", sourceLocation: sourceLocation)
        }
        #expect(!message.contains(".transformable-"), "\(message)", sourceLocation: sourceLocation)
    }

    private static func store(_ url: URL) throws -> Store {
        try Store(at: url, model: Models.documents(), transformers: Transformers().registry())
    }

    @Test(.enabled(if: SmallDisk.isPossible, "only root can mount a small disk"), arguments: [10, 400_000])
    func aFullDiskIsATypedErrorAndChangesNothing(count: Int) throws {
        let disk = try #require(try SmallDisk())
        let store = try Self.store(disk.url.appending(path: "test.sqlite"))
        try store.addDocument("kept", data: Self.large)
        disk.fill()
        let bytes = Self.large.prefix(count)
        let code = #expect(throws: StoreError.self) {
            // The log has some space left, which small rows fill first.
            for number in 0..<100_000 { try store.addDocument("full \(number)", data: bytes) }
        }
        #expect(code?.code == .diskFull)
        expectARemedy(code, disk)
        let before = try store.read { try $0.count("Document") }
        #expect(try store.verify().isSound)
        try disk.free()
        try store.addDocument("after", data: Self.large)
        #expect(try store.read { try $0.count("Document") } == before + 1)
        #expect(try store.verify().isSound)
        #expect(try store.removeOrphanedBlobs() == 0)
        try store.close()
        let reopened = try Self.store(disk.url.appending(path: "test.sqlite"))
        #expect(try reopened.read { try $0.count("Document") } == before + 1)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: disk.url.path + "/test.sqlite-blobs/unfinished") == []
        )
    }

    @Test(.enabled(if: SmallDisk.isPossible, "only root can mount a small disk"))
    func aFullDiskOnlyInterruptsAReencoding() throws {
        let disk = try #require(try SmallDisk())
        let url = disk.url.appending(path: "test.sqlite")
        let store = try Self.store(url)
        for number in 0..<4 { try store.addDocument("\(number)", data: Self.large) }
        let reencoding = Reencoding("data", of: "Document", to: .transformer("bound"))
        let error = #expect(throws: StoreError.self) { try store.reencode(reencoding) }
        #expect(error?.code == .diskFull)
        expectARemedy(error, disk, "the values that were already re-encoded are kept")
        #expect(try store.verify().isSound)
        _ = try store.write { try $0.delete("Document", where: Field("name") != "3") }
        #expect(try store.reencode(reencoding).failureCount == 0)
        try store.close()
        let sealed = try Store(at: url, transformers: Transformers().registry())
        #expect(
            try sealed.read { try $0.fetch("Document").map { try $0.value("data", as: Data.self) } } == [Self.large]
        )
        #expect(try sealed.verify().isSound)
        #expect(try sealed.removeOrphanedBlobs() == 0)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "only root can mount a small disk"))
    func copiesAndExportsLeaveNothingOnAFullDisk() throws {
        let disk = try #require(try SmallDisk())
        let folder = try Folder()
        let store = try Store.documents(in: folder)
        for number in 0..<10 { try store.addDocument("\(number)", data: Self.large) }
        let copy = disk.url.appending(path: "copy.sqlite")
        expectARemedy(#expect(throws: StoreError(code: .diskFull)) { try store.copy(to: copy) }, disk)
        let export = disk.url.appending(path: "export")
        expectARemedy(#expect(throws: StoreError(code: .diskFull)) { try store.export(to: export) }, disk)
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.url.path) == [])
    }

    @Test func aFullDiskOfTemporaryFilesIsNotThatOfTheResult() {
        let folder = FileManager.default.temporaryDirectory.path
        let file = FileManager.default.temporaryDirectory.appending(path: "transformable-\(UUID().uuidString)").path
        let error = #expect(throws: StoreError(code: .diskFull)) {
            try StoreError.explainingFullDisk(at: "/srv/clinic", "the values are unchanged") { () throws -> Void in
                throw FileSystem.failure("written", file, ENOSPC)
            }
        }
        #expect(error?.message.contains("“\(folder)”") == true, "\(error as Any)")
        #expect(error?.message.contains("the values are unchanged") == true)
    }

    @Test func aFullDiskOfAServerIsNotThatOfTheResult() {
        let error = #expect(throws: StoreError(code: .diskFull)) {
            try StoreError.explainingFullDisk(at: "/srv/export") { () throws -> Void in
                throw StoreError(.diskFull, "the server's disk is full", underlying: POSIXError(.ENOSPC))
            }
        }
        #expect(error?.message == "the server's disk is full, and nothing was changed")
    }

    @Test(.enabled(if: SmallDisk.isPossible, "only root can mount a small disk"))
    func automaticRollbacksLeaveNoFiles() throws {
        let disk = try #require(try SmallDisk())
        let url = disk.url.appending(path: "test.sqlite")
        let store = try Self.store(url)
        try store.addDocument("kept", data: Self.large)
        #expect(throws: StoreError(code: .diskFull)) {
            try store.write { context in
                for number in 0..<100_000 {
                    let document = try context.insert("Document")
                    try document.setValue("\(number)", for: "name")
                    // First files, and then cells until there is no space for the log.
                    try document.setValue(number < 3 ? Self.large : Data(repeating: 1, count: 999), for: "data")
                    if number % 500 == 0 { try context.save() }
                }
            }
        }
        let blobs = url.path + "-blobs"
        #expect(try FileManager.default.contentsOfDirectory(atPath: blobs + "/unfinished") == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: blobs).count == 2)
        try store.addDocument("after", data: Self.large)
        _ = try store.write { try $0.delete("Document", where: Field("name") == "kept") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: blobs).count == 2)
        #expect(try store.verify().isSound)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "only root can mount a small disk"), arguments: [false, true])
    func aFullDiskThatPreventsReadingIsReported(isReadOnly: Bool) throws {
        let disk = try #require(try SmallDisk())
        let url = disk.url.appending(path: "test.sqlite")
        try Self.store(url).close()
        disk.fill()
        let options = Store.Options(opening: isReadOnly ? .readOnly : .mustExist)
        let error = #expect(throws: StoreError.self) {
            try Store(at: url, transformers: Transformers().registry(), options: options)
        }
        #expect(error?.code == .diskFull)
        #expect(error?.message.contains("free some space") == true)
        #expect(error?.message.contains("“\(url.path)”") == true)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "only root can mount a small disk"))
    func aDiskWithoutFreeInodesIsFull() throws {
        let disk = try #require(try SmallDisk(fileLimit: 1))
        let error = #expect(throws: StoreError.self) {
            _ = try Self.store(disk.url.appending(path: "test.sqlite"))
        }
        #expect(error?.code == .diskFull)
        expectARemedy(error, disk)
    }

    /// Returns a store whose rows take more space than SQLite keeps in memory.
    private static func storeWithManyRows(_ url: URL) throws -> Store {
        let store = try Self.store(url)
        try store.write { context in
            for number in 0..<6000 {
                let document = try context.insert("Document")
                try document.setValue("\(number)", for: "name")
                try document.setValue(Data(repeating: 1, count: 999), for: "data")
            }
        }
        return store
    }

    // SQLite reads the variable when a process first uses it.
    @Test(.enabled(if: SmallDisk.isPossible, "only root can mount a small disk"))
    func aFullFolderOfTemporaryFilesIsNamedWhenScrubbing() async throws {
        let disk = try #require(try SmallDisk())
        disk.fill()
        let folder = try Folder()
        let (temporary, path) = (disk.url.path, folder.file().path)
        await #expect(processExitsWith: .success) { [temporary = temporary as String, path = path as String] in
            setenv("SQLITE_TMPDIR", temporary, 1)
            let store = try Self.storeWithManyRows(URL(filePath: path))
            do {
                try store.scrub()
                exit(3)
            } catch let error as StoreError {
                guard error.code == .diskFull else { exit(4) }
                guard error.message.contains("SQLITE_TMPDIR"), error.message.contains(path) else { exit(5) }
            }
            guard try store.verify().isSound else { exit(6) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.url.path) == ["filler"])
    }

    // Root can write anywhere, so a process without its privileges is required.
    @Test func anUnwritableFolderIsATypedError() async throws {
        let folder = try Folder()
        let store = try Store.documents(in: folder)
        try store.addDocument("kept", data: Self.large)
        try store.close()
        chmod(folder.url.path, 0o555)
        chmod(folder.blobFolder.path, 0o555)
        defer { chmod(folder.url.path, 0o755) }
        let path = folder.file().path
        await #expect(processExitsWith: .success) { [path = path as String] in
            if getuid() == 0 { setuid(65_534) }
            let url = URL(filePath: path)
            let options = Store.Options(opening: .readOnly)
            let reader = try Store(at: url, transformers: Transformers().registry(), options: options)
            guard try reader.read({ try $0.count("Document") }) == 1 else { exit(3) }
            do {
                try Self.store(url).addDocument("new", data: Self.large)
                exit(4)
            } catch let error as StoreError {
                guard [.readOnly, .cannotCreate, .inputOutput].contains(error.code) else { exit(5) }
            }
            do {
                _ = try Self.store(url.deletingLastPathComponent().appending(path: "other.sqlite"))
                exit(6)
            } catch let error as StoreError {
                guard error.code == .cannotCreate else { exit(7) }
            }
        }
        chmod(folder.blobFolder.path, 0o755)
        chmod(folder.url.path, 0o755)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(names == ["test.sqlite", "test.sqlite-blobs"])
        #expect(try Store.documents(in: folder).verify().isSound)
    }
}
