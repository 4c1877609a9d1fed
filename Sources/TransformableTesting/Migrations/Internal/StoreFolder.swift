internal import Foundation

/// A temporary folder that contains a store.
///
/// It is removed when the last reference to it is released.
final class StoreFolder: Sendable {
    private let url: URL

    /// The store's file.
    var file: URL { url.appending(path: "test.sqlite") }
    /// The write-ahead log.
    var log: URL { url.appending(path: "test.sqlite-wal") }
    /// The folder of external values.
    var blobs: URL { url.appending(path: "test.sqlite-blobs") }

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "migration-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// Copies a store and its companion files.
    ///
    /// The store must not be written to in the meantime.
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

    /// Adds the external values of another store that this one lacks.
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
