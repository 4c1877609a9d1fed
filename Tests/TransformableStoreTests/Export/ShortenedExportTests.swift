import Foundation
import Glibc
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Exports in which the file of a value was truncated, and what keeps that from happening.
@Suite struct ShortenedExportTests {
    private let folder: Folder
    private let export: URL

    init() throws {
        folder = try Folder()
        export = folder.url.appending(path: "export")
        let store = try Store.documents(in: folder)
        try store.addDocument("a", data: Data([1, 2, 3, 4]))
        try store.addDocument("b", data: Data(repeating: 7, count: 5000))
        try store.export(to: export)
    }

    private func load() throws -> Store {
        let store = try Store.inMemory(model: Models.documents(), transformers: Transformers().registry())
        try store.importExport(from: export)
        return store
    }

    @Test func aCompleteExportIsImported() throws {
        let again = folder.url.appending(path: "again")
        try load().export(to: again)
        #expect(FileManager.default.contentsEqual(atPath: export.path, andPath: again.path))
    }

    @Test(
        .enabled(if: UnwrittenPages.areKnown, "the files of tests are not on a disk"),
        arguments: ["model.json", "Document.jsonl", "Document/1.data", "Document/2.data", "export.json"]
    )
    func aCompleteExportSurvivesAPowerFailure(name: String) throws {
        #expect(try UnwrittenPages.size(of: export.appending(path: name)) == 0)
    }

    // After a power failure, a file that was never written to disk may exist without its contents.
    @Test(arguments: ["1.data", "2.data"]) func aTruncatedFileIsRejected(name: String) throws {
        let file = export.appending(path: "Document/\(name)")
        let bytes = try Data(contentsOf: file)
        try Data().write(to: file)
        let error = #expect(throws: StoreError(code: .invalidValue)) { try load() }
        let message = "2 files of values with \(5004 - bytes.count) bytes, but it was written with 2 files"
        #expect(error?.message.contains(message) == true, "\(error as Any)")
    }

    /// All of them have the same remedy.
    @Test(arguments: [("Document/1.data", nil), ("Document.jsonl", ""), ("export.json", "{")] as [(String, String?)])
    func aDamagedExportSaysWhatToDo(name: String, content: String?) throws {
        let file = export.appending(path: name)
        try FileManager.default.removeItem(at: file)
        if let content { try Data(content.utf8).write(to: file) }
        let error = #expect(throws: StoreError.self) { try load() }
        #expect(error?.message.hasSuffix("; copy or export all of it again") == true, "\(error as Any)")
    }

    @Test func anExportWithoutFileCountsIsImported() throws {
        let url = export.appending(path: "export.json")
        var manifest = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
        let files = try #require(manifest.removeValue(forKey: "files") as? [String: Int])
        #expect(files == ["count": 2, "bytes": 5004])
        try JSONSerialization.data(withJSONObject: manifest).write(to: url)
        #expect(try load().read { try $0.count("Document") } == 2)
    }
}

/// The pages of files that are only in memory, so that a power failure would lose them.
private enum UnwrittenPages {
    /// Whether the system tells which pages these are, and the files of tests are on a disk.
    static let areKnown = (try? probe()) ?? false

    private static func probe() throws -> Bool {
        let folder = try Folder()
        defer { withExtendedLifetime(folder) {} }
        let file = folder.file()
        let descriptor = open(file.path, O_CREAT | O_WRONLY, 0o600)
        defer { close(descriptor) }
        guard write(descriptor, [7], 1) == 1, try size(of: file) > 0 else { return false }
        return try fsync(descriptor) == 0 && size(of: file) == 0
    }

    /// Returns the size of the pages of a file, which must not be empty, in kilobytes.
    static func size(of file: URL) throws -> Int {
        let descriptor = open(file.path, O_RDONLY)
        defer { close(descriptor) }
        let count = Int(lseek(descriptor, 0, SEEK_END))
        guard count > 0, let start = mmap(nil, count, PROT_READ, MAP_SHARED, descriptor, 0),
            Int(bitPattern: start) != -1
        else { throw POSIXError(.EIO) }
        defer { munmap(start, count) }
        // The system lists pages only once they have been read.
        let sum = UnsafeRawBufferPointer(start: start, count: count).reduce(0) { $0 &+ Int($1) }
        let address = String(UInt(bitPattern: start), radix: 16)
        return try sum < 0 ? 0 : dirtySize(at: address)
    }

    private static func dirtySize(at address: String) throws -> Int {
        try String(contentsOfFile: "/proc/self/smaps", encoding: .utf8).split(separator: "\n")
            .drop { !$0.hasPrefix("\(address)-") }
            .prefix { !$0.hasPrefix("VmFlags:") }
            .filter { $0.contains("_Dirty:") }
            .compactMap { line in line.split(separator: " ").dropFirst().first.flatMap { Int($0) } }
            .reduce(0, +)
    }
}
