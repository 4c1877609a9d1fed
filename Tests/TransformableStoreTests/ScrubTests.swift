import Foundation
import GRDB
import Testing
import Transformable
import TransformableStore

@Suite struct ScrubTests {
    private static let secret = "canary of a secret"

    /// The files beside the database that hold a text.
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

    // The control: without it the old values are still there.
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

    @Test func findsWhatIsStillThere() throws {
        let fixture = try ReencodingFixture()
        let (store, canaries) = try sealed(fixture)
        // The first byte that the sample ends before is at 32; the number's end lies behind it.
        try shell(fixture.folder.file()) {
            try $0.execute(sql: "UPDATE Note SET title = 'see \(Self.secret) 0, and 0'")
        }
        #expect(try store.scrub(searchingFor: canaries).values.reduce(0, +) == 1)
        #expect(try store.scrub(searchingFor: Canaries([Data("short".utf8)])) == [:])
    }

    /// What a projection makes of a value, or a column that no model names, has the value in another form.
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

    /// Samples are of values, not only of the bytes that they were stored as.
    @Test func samplesWhatTheStoredBytesMean() throws {
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
        // The stand-in for a sealed value begins with the store's UUID, so that its beginnings are still there, too.
        let path = fixture.folder.file().standardizedFileURL.path
        #expect(try store.scrub(searchingFor: report.canaries) == [path: 31])
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

    /// Where a file is opened and closed beside SQLite, the process's locks on it are gone, and another process
    /// would take the store for one that nobody uses.
    @Test func keepsTheLocksOfAnOpenStore() throws {
        let fixture = try ReencodingFixture()
        let (store, canaries) = try sealed(fixture)
        let database = fixture.folder.file().resolvingSymlinksInPath().path
        let before = try locks(of: [database, database + "-shm"])
        try #require(!before.isEmpty)
        try store.scrub(searchingFor: canaries)
        #expect(try locks(of: [database, database + "-shm"]) == before)
    }

    /// The inodes of files that this process has locks on, as the system lists them.
    ///
    /// A list that is read while other tests lock files may lack some, so it is read several times.
    private func locks(of paths: [String]) throws -> Set<String> {
        try (0..<20).reduce(into: []) { found, _ in try found.formUnion(listedLocks(of: paths)) }
    }

    private func listedLocks(of paths: [String]) throws -> Set<String> {
        let inodes = try paths.map { path in
            try String(#require(FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int))
        }
        let fields = try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
            .map { $0.split(separator: " ") }
        let own = fields.filter { $0.contains(Substring(String(getpid()))) }
        return Set(own.flatMap { line in inodes.filter { inode in line.contains { $0.hasSuffix(":\(inode)") } } })
    }

    @Test func showsNoCanary() {
        let canaries = Canaries([Data(Self.secret.utf8)])
        var dumped = ""
        dump(canaries, to: &dumped)
        #expect(!"\(canaries)\(String(reflecting: canaries))\(dumped)".contains("secret"))
    }
}
