import Foundation
import GRDB
import Glibc
import Testing
import Transformable
import TransformableSQLite

@testable import TransformableStore  // What happens at the end of a transaction is internal.

/// A writer of external blobs that is killed or cannot write.
@Suite struct BlobCrashTests {
    private static let length = 20_000

    /// Five documents of a round, with bytes that depend on the round.
    private static func bytes(_ round: Int, _ number: Int) -> Data {
        Data(repeating: UInt8(truncatingIfNeeded: round &* 5 &+ number), count: length)
    }

    /// Adds five documents per transaction, and changes and deletes others, until the process is killed.
    private static func writeForever(_ url: URL) throws {
        let store = try Store(at: url, model: Models.documents(), transformers: Transformers().registry())
        for round in 0..<Int.max {
            try store.write { context in
                for number in 0..<5 {
                    let document = try context.insert("Document")
                    try document.setValue("\(round)", for: "name")
                    try document.setValue(bytes(round, number), for: "data")
                }
                try context.delete("Document", where: Field("name") == "\(round - 3)")
                for document in try context.fetch("Document", where: Field("name") == "\(round - 1)") {
                    try document.setValue(document.value("data", as: Data.self), for: "sealed")
                }
            }
        }
    }

    /// The number of kills: 200 in a soak test, and a few otherwise.
    private static let moments: [UInt32] = {
        let count = ProcessInfo.processInfo.environment["TRANSFORMABLE_CRASH_RUNS"].flatMap(Int.init)
        guard let count else { return [3, 20, 45, 80, 130, 200] }
        return (0..<count).map { _ in UInt32.random(in: 1...400) }
    }()

    // The delay is intended: the kill comes at a random moment of opening, writing, publishing, or sweeping.
    @Test(arguments: moments.indices)
    func aKillLosesNothingAndLeavesOnlyOrphans(index: Int) async throws {
        let milliseconds = Self.moments[index]
        let folder = try Folder()
        let path = folder.file().path
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, milliseconds = milliseconds as UInt32] in
            killThisProcess(after: milliseconds)
            try Self.writeForever(URL(filePath: path))
        }
        let store = try Store.documents(in: folder)
        let names = try await store.read { context in
            try context.fetch("Document")
                .map { document in
                    let name = try document.value("name", as: String.self)
                    let number = (Int(document.id.number) - 1) % 5
                    let expected = Self.bytes(Int(name) ?? -1, number)
                    #expect(try document.value("data", as: Data.self) == expected)
                    if let sealed = try document.value("sealed", as: Data?.self) { #expect(sealed == expected) }
                    return name
                }
        }
        for name in Set(names) { #expect(names.filter { $0 == name }.count == 5) }
        #expect(try store.verify().isSound)
        // Opening the store has swept, so a second sweep finds nothing.
        #expect(try store.removeOrphanedBlobs() == 0)
        let cells = try await store.read { context in
            try context.fetch("Document")
                .flatMap { [try $0.storedValue("data"), try $0.storedValue("sealed")] }.filter { $0 != .null }.count
        }
        #expect(try folder.blobs().count == cells)
        if FileManager.default.fileExists(atPath: folder.blobFolder.path) { #expect(try folder.unfinished().isEmpty) }
    }

    @Test func aFileSizeLimitIsATypedErrorAndChangesNothing() async throws {
        let folder = try Folder()
        let path = folder.file().path
        let kept = try Store.documents(in: folder)
        try kept.addDocument("a", data: Self.bytes(1, 1))
        try kept.close()
        await #expect(processExitsWith: .success) { [path = path as String] in
            signal(SIGXFSZ, SIG_IGN)
            let store = try Store(
                at: URL(filePath: path),
                model: Models.documents(),
                transformers: Transformers().registry()
            )
            var limit = rlimit(rlim_cur: 300_000, rlim_max: 300_000)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            do {
                try store.addDocument("b", data: Data(repeating: 7, count: 400_000))
                exit(3)
            } catch let error as StoreError where error.code == .limitExceeded {
                try store.addDocument("c", data: Data(repeating: 7, count: 200_000))
            }
        }
        let store = try Store.documents(in: folder)
        let names = try await store.read { try $0.fetch("Document").map { try $0.value("name", as: String.self) } }
        #expect(names == ["a", "c"])
        #expect(try store.verify().isSound)
        #expect(try folder.blobs().count == 2)
        #expect(try folder.unfinished().isEmpty)
    }

    @Test func aFileInPlaceOfTheFolderIsATypedError() throws {
        let folder = try Folder()
        let store = try Store.documents(in: folder)
        try Data().write(to: folder.blobFolder)
        let error = #expect(throws: StoreError.self) { try store.addDocument("a", data: Self.bytes(1, 1)) }
        #expect(error?.code == .inputOutput)
        try store.addDocument("b")
        #expect(try store.read { try $0.count("Document") } == 1)
    }

    /// Another program can discard a blob right after the commit, when readers may have begun to read it.
    @Test func onlyASweepRemovesABlobThatIsGarbage() throws {
        let folder = try Folder()
        let store = try Store.documents(in: folder)
        let id = try store.addDocument("a", data: Self.bytes(1, 1))
        let name = try #require(folder.blobs().first)
        let blobs = try #require(store.schema.blobs?.folder)
        let reader = try blobs.hold()
        try store.write { try $0.delete($0.object(id)) }
        try store.engine.write { connection in
            let session = try PublishingSession(blobs, on: connection)
            session.add(try #require(UUID(uuidString: name)))
            session.didCommit(on: connection)
        }
        #expect(try folder.blobs() == [name])
        withExtendedLifetime(reader) {}
    }
}
