internal import Foundation
internal import Synchronization

/// The blobs that a transaction publishes.
///
/// They are kept if it commits, and removed otherwise.
final class PublishingSession: TransactionEndObserver {
    private let folder: BlobFolder
    private let hold: BlobFolder.Hold
    private let mark: String
    private let uuids = Mutex<[UUID]>([])

    init(_ folder: BlobFolder, on connection: any EngineConnection) throws {
        self.folder = folder
        hold = try folder.hold()
        mark = try folder.mark()
        connection.notify(self)
    }

    func add(_ uuid: UUID) {
        uuids.withLock { $0.append(uuid) }
    }

    /// Ensures that the files' names are on disk before the rows are.
    func willCommit() throws {
        try FileSystem.synchronize(folder: folder.path)
    }

    func didCommit(on connection: any EngineConnection) {
        // Blobs whose savepoint was rolled back have no row. If a blob is garbage, another program may have discarded
        // it since the commit, and a reader may have begun in between, which only a sweep waits for.
        end { uuid in
            let sql = """
                SELECT EXISTS (SELECT 1 FROM "_transformable_blob" WHERE "uuid" = ?)
                OR EXISTS (SELECT 1 FROM "_transformable_garbage" WHERE "uuid" = ?)
                """
            return try connection.integer(sql, [.text(uuid.uuidString), .text(uuid.uuidString)]) == 1
        }
    }

    func didRollBack() {
        end { _ in false }
    }

    private func end(isKept: (UUID) throws -> Bool) {
        folder.endSession()
        do {
            let discarded = try uuids.withLock(\.self).filter { try !isKept($0) }
            let remaining = discarded.filter { !FileSystem.remove(folder.path(of: $0)) }
            if remaining.isEmpty { FileSystem.remove(mark) }
        } catch {
            // The mark remains, so the next sweep examines every file.
        }
    }
}
