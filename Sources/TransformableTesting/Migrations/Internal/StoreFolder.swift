internal import Foundation

/// A folder with the file of a store, which goes with the last reference to it.
final class StoreFolder: Sendable {
    private let url: URL

    /// The store's file.
    var file: URL { url.appending(path: "test.sqlite") }
    /// The log that writers add to.
    var log: URL { url.appending(path: "test.sqlite-wal") }
    /// The folder of values in files of their own.
    var blobs: URL { url.appending(path: "test.sqlite-blobs") }

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "migration-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// Copies a store's file, which nobody writes meanwhile, with what lies beside it.
    convenience init(copying file: URL) throws {
        try self.init()
        for suffix in ["", "-wal", "-blobs"] {
            let source = URL(filePath: file.path + suffix)
            guard suffix.isEmpty || FileManager.default.fileExists(atPath: source.path) else { continue }
            try FileManager.default.copyItem(at: source, to: URL(filePath: self.file.path + suffix))
        }
    }

    func copy() throws -> StoreFolder {
        try StoreFolder(copying: file)
    }

    /// Adds the files of values that another store has and this one lacks.
    func addBlobs(of other: StoreFolder) throws {
        let manager = FileManager.default
        guard manager.fileExists(atPath: other.blobs.path) else { return }
        try manager.createDirectory(at: blobs, withIntermediateDirectories: true)
        for name in try manager.contentsOfDirectory(atPath: other.blobs.path) {
            let target = blobs.appending(path: name)
            guard !manager.fileExists(atPath: target.path) else { continue }
            try manager.copyItem(at: other.blobs.appending(path: name), to: target)
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
