import EncryptionPlugin
import Foundation
import GRDB
import Glibc
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

@Suite struct ScrubTests {
    private static let secret = "canary of a secret"

    /// The files next to the database that contain a text.
    private func files(with text: String, in folder: Folder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
            .filter { try Data(contentsOf: folder.file($0)).range(of: Data(text.utf8)) != nil }
    }

    private func sealed(_ fixture: ReencodingFixture) throws -> (store: Store, canaries: Canaries) {
        let store = try fixture.open(.string("text", .optional))
        try store.addNotes((0..<900).map { "\(Self.secret) \($0), and \($0 * 17)" })
        var reencoding = Reencoding("text", of: "Note", to: .transformer("text | bound"))
        reencoding.sampleCount = 100
        let report = try store.reencode(reencoding)
        #expect(report.cells == 900)
        #expect((50...100).contains(report.canaries.count))
        return (store, report.canaries)
    }

    // The control: without scrubbing, the old values are still there.
    @Test func sealingAloneLeavesThePlaintext() throws {
        let fixture = try ReencodingFixture()
        let (store, canaries) = try sealed(fixture)
        #expect(try files(with: Self.secret, in: fixture.folder) != [])
        #expect(canaries.count > 0)
        try store.close()
    }

    @Test func leavesNothingBehind() throws {
        let fixture = try ReencodingFixture()
        let (store, canaries) = try sealed(fixture)
        #expect(try store.scrub(searchingFor: canaries) == [:])
        #expect(try files(with: Self.secret, in: fixture.folder) == [])
        try store.close()
        #expect(try files(with: Self.secret, in: fixture.folder) == [])
        #expect(try fixture.open(ReencodingFixture.text("text | bound")).texts.count == 900)
    }

    @Test func takesLittleMemory() async throws {
        let folder = try Folder()
        let path = folder.url.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            let url = URL(filePath: path).appending(path: "test.sqlite")
            let note = EntityDescription("Note", attributes: [.data("bytes")])
            let store = try Store(at: url, model: Model(entities: [note]), transformers: TransformerRegistry {})
            try shell(url) { database in
                let numbers = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 100)"
                try database.execute(sql: "\(numbers) INSERT INTO Note (bytes) SELECT randomblob(1000000) FROM n")
            }
            let before = try PeakMemory.bytes
            try store.scrub()
            guard try PeakMemory.bytes - before < 50_000_000 else { exit(3) }
        }
    }

    /// The triggers that authenticate rows belong to a connection.
    @Test func rowsAreStillAuthenticated() throws {
        let ring = try KeyRing.empty.addingKey()
        let registry = try TransformerRegistry { EncryptionPlugin(keys: ring) }
        let note = EntityDescription("Note", attributes: [.string("text")], authenticatesRows: true)
        let folder = try Folder()
        let store = try Store(at: folder.file(), model: Model(entities: [note]), transformers: registry)
        try store.write { try $0.insert("Note").setValue("a", for: "text") }
        try store.scrub()
        try store.write { context in
            try context.insert("Note").setValue("b", for: "text")
            try context.fetch("Note").first?.setValue("c", for: "text")
        }
        let found = try store.verify()
        #expect(found.isSound)
        #expect(found.objectCount == 2)
    }

    @Test func findsRemainingValues() throws {
        let fixture = try ReencodingFixture()
        let (store, canaries) = try sealed(fixture)
        // The sample ends before byte 32, and the number ends after it.
        try shell(fixture.folder.file()) {
            try $0.execute(sql: "UPDATE Note SET title = 'see \(Self.secret) 0, and 0'")
        }
        #expect(try store.scrub(searchingFor: canaries).values.reduce(0, +) == 1)
        #expect(try store.scrub(searchingFor: Canaries([Data("short".utf8)])) == [:])
    }

    // Anyone can put a link to anything among temporary files.
    @Test func doesNotFollowLinksAmongTemporaryFiles() throws {
        let fixture = try ReencodingFixture()
        let store = try fixture.open(.string("text", .optional))
        let secret = Data(Self.secret.utf8)
        try secret.write(to: fixture.folder.file("elsewhere"))
        let link = FileManager.default.temporaryDirectory.appending(path: "etilqs_\(UUID().uuidString)")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: fixture.folder.file("elsewhere"))
        defer { try? FileManager.default.removeItem(at: link) }
        #expect(try store.scrub(searchingFor: Canaries([secret])) == [:])
    }

    /// SQLite ends a name at a quotation mark, regardless of what follows.
    @Test func searchesTablesWhoseNamesLookQuoted() throws {
        let fixture = try ReencodingFixture()
        let (store, canaries) = try sealed(fixture)
        try shell(fixture.folder.file()) { database in
            try database.execute(sql: "CREATE TABLE \"a\"\"\u{301}; b\" (\"c\"\"\u{301}\" TEXT)")
            try database.execute(sql: "INSERT INTO \"a\"\"\u{301}; b\" VALUES ('SEE: CANARY-OF-A-SECRET 0 AND 0')")
        }
        #expect(try store.scrub(searchingFor: canaries) == ["a\"\u{301}; b.c\"\u{301}": 1])
    }

    /// Projections, and columns that no model contains, have the value in another form.
    @Test func findsOtherFormsInColumns() throws {
        let fixture = try ReencodingFixture()
        let (store, canaries) = try sealed(fixture)
        try shell(fixture.folder.file()) { database in
            try database.execute(sql: "UPDATE Note SET title = 'SEE: CANARY-OF-A-SECRET 0 AND 0' WHERE _id = 3")
        }
        #expect(try store.scrub(searchingFor: canaries) == ["Note.title": 1])
        try shell(fixture.folder.file()) { database in
            try database.execute(sql: "UPDATE Note SET title = ''; ALTER TABLE Note ADD COLUMN \"_dropped.9\" TEXT")
            try database.execute(sql: "UPDATE Note SET \"_dropped.9\" = 'Canary of a Secret 0, and 0'")
        }
        #expect(try store.scrub(searchingFor: canaries) == ["Note._dropped.9": 1])
    }

    /// Samples are taken of values, not only of their stored bytes.
    @Test func samplesDecodedValues() throws {
        let fixture = try ReencodingFixture()
        let store = try fixture.open(ReencodingFixture.text("text | bound"))
        try store.addNotes((0..<30).map { "\(Self.secret) \($0), and \($0 * 17)" })
        try shell(fixture.folder.file()) { database in
            try database.execute(sql: "UPDATE Note SET title = '\(Self.secret) 0, and 0' WHERE _id = 3")
        }
        var reencoding = Reencoding("text", of: "Note")
        reencoding.sampleCount = 100
        let report = try store.reencode(reencoding)
        #expect(report.canaries.count == 60)
        // The mock sealed value begins with the store's UUID, so its prefixes are still there.
        let path = fixture.folder.file().standardizedFileURL.path
        #expect(try store.scrub(searchingFor: report.canaries) == [path: 31])
    }

    /// Reading a terabyte would take a quarter of an hour.
    @Test(.timeLimit(.minutes(1))) func skipsTheHolesOfSparseFiles() throws {
        let folder = try Folder()
        let store = try Store.documents(in: folder)
        try store.addDocument("a", data: Data("\(Self.secret), and a thousand bytes".utf8) + Data(count: 1000))
        let file = try folder.blob(#require(folder.blobs().first))
        let handle = try FileHandle(forUpdating: file)
        try handle.truncate(atOffset: 1 << 40)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("the end of a hole".utf8))
        try handle.truncate(atOffset: 2 << 40)
        try handle.close()
        let pieces = [
            Data(Self.secret.utf8), Data([0]) + Data("the end of a hole".utf8),
            Data("the end of a hole".utf8) + Data(count: 15),
        ]
        #expect(try store.scrub(searchingFor: Canaries(pieces))[file.path] == pieces.count)
        #expect(try store.scrub(searchingFor: Canaries([Data("another secret".utf8)])) == [:])
        #expect(try store.verify().faults.count == 1)
    }

    @Test func searchesTheFilesOfBlobs() throws {
        let folder = try Folder()
        let store = try Store.documents(in: folder)
        try store.addDocument("a", data: Data("\(Self.secret), and a thousand bytes".utf8) + Data(count: 1000))
        #expect(try folder.unfinished() == [])
        let file = try folder.blob(#require(folder.blobs().first)).path
        #expect(try store.scrub(searchingFor: Canaries([Data(Self.secret.utf8)])) == [file: 1])
        #expect(try store.scrub(searchingFor: Canaries([Data("another secret".utf8)])) == [:])
    }

    /// Opening and closing a file without SQLite releases the process's locks on it, and another process would then
    /// consider the store unused.
    @Test func keepsTheLocksOfAnOpenStore() throws {
        let fixture = try ReencodingFixture()
        let (store, canaries) = try sealed(fixture)
        let database = fixture.folder.file().resolvingSymlinksInPath().path
        // Closing these also releases the locks, so they are closed after the store.
        let files = try [database, database + "-shm"].map { try LockedFile($0) }
        try #require(files.allSatisfy { try $0.isLocked })
        try store.scrub(searchingFor: canaries)
        #expect(try files.allSatisfy { try $0.isLocked })
        try store.close()
    }

    @Test func doesNotShowCanaries() {
        let canaries = Canaries([Data(Self.secret.utf8)])
        var dumped = ""
        dump(canaries, to: &dumped)
        #expect(!"\(canaries)\(String(reflecting: canaries))\(dumped)".contains("secret"))
    }
}

/// A file whose locks are queried through a separate open file description, for which the locks of this process belong
/// to another owner (fcntl(2), “Open file description locks”).
private final class LockedFile {
    // F_OFD_GETLK of <fcntl.h>, which is declared only for _GNU_SOURCE.
    private static let query: Int32 = 36
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = open(path, O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
    }

    deinit {
        close(descriptor)
    }

    var isLocked: Bool {
        get throws {
            var lock = flock()
            lock.l_type = Int16(F_WRLCK)
            lock.l_whence = Int16(SEEK_SET)
            let status = fcntl(descriptor, Self.query, &lock)
            try #require(status == 0)
            return lock.l_type != Int16(F_UNLCK)
        }
    }
}
