internal import Foundation
internal import GRDB
internal import Synchronization

/// The blobs that a transaction publishes.
///
/// They are kept if it commits, and removed otherwise.
final class PublishingSession: TransactionObserver, Sendable {
    private let folder: BlobFolder
    private let hold: BlobFolder.Hold
    private let mark: String
    private let uuids = Mutex<[UUID]>([])

    init(_ folder: BlobFolder, on database: Database) throws {
        self.folder = folder
        hold = try folder.hold()
        mark = try folder.mark()
        database.add(transactionObserver: self, extent: .nextTransaction)
    }

    func add(_ uuid: UUID) {
        uuids.withLock { $0.append(uuid) }
    }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }

    func databaseDidChange(with event: DatabaseEvent) {}

    /// Ensures that the files' names are on disk before the rows are.
    func databaseWillCommit() throws {
        try FileSystem.synchronize(folder: folder.path)
    }

    func databaseDidCommit(_ database: Database) {
        // Blobs whose savepoint was rolled back have no row.
        end { uuid in
            let sql = "SELECT EXISTS (SELECT 1 FROM \"_transformable_blob\" WHERE \"uuid\" = ?)"
            return try SQLStatement.integer(sql, [.text(uuid.uuidString)], on: database) == 1
        }
    }

    func databaseDidRollback(_ database: Database) {
        end { _ in false }
    }

    private func end(isKept: (UUID) throws -> Bool) {
        folder.endSession()
        do {
            for uuid in uuids.withLock({ $0 }) where try !isKept(uuid) {
                FileSystem.remove(folder.path(of: uuid))
            }
            FileSystem.remove(mark)
        } catch {
            // The mark remains, so the next sweep examines every file.
        }
    }
}
