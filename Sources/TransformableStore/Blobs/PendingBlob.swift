package import Foundation
internal import Glibc
internal import Synchronization
internal import Transformable

/// A blob in progress.
///
/// It is written in `unfinished`, or in a temporary file if blobs are kept in a table, and published when the row that
/// refers to it is written.
///
/// A pending blob must be used by one thread at a time. If it is not published, it is removed along with the last
/// reference to it.
package final class PendingBlob {
    private let folder: BlobFolder?
    // Taken before the file exists, so that no sweep considers it the remains of a crash.
    private let hold: BlobFolder.Hold?
    private let uuid = UUID()
    private let descriptor: FileDescriptor
    private var digest = BlobDigest()
    private var isPublished = false
    private(set) var length: Int64 = 0

    private let path: String

    package convenience init(in folder: BlobFolder) throws(StoreError) {
        try self.init(in: .folder(folder))
    }

    init(in storage: BlobStorage) throws(StoreError) {
        guard case .folder(let folder) = storage else {
            let file = try TemporaryFile()
            (folder, hold, path, descriptor) = (nil, nil, file.formerPath, file.descriptor)
            return
        }
        try folder.make()
        self.folder = folder
        hold = try folder.hold()
        path = "\(folder.unfinished)/\(uuid.uuidString)"
        // Until the file has its group, only its owner may open it.
        descriptor = try FileSystem.create(path)
        folder.giveRights(to: descriptor, mode: folder.mode)
    }

    deinit {
        if folder != nil, !isPublished { FileSystem.remove(path) }
    }

    /// Appends bytes.
    package func write(_ bytes: Data) throws(StoreError) {
        digest.add(bytes)
        length += Int64(bytes.count)
        try descriptor.write(bytes, path: path)
    }

    /// Lengthens a copy by a hole as in a sparse file, whose zeros are not included in the checksum.
    func leaveHole(to length: Int64) throws(StoreError) {
        guard length > self.length else { return }
        let (number, end) = (descriptor.number, off_t(length))
        guard ftruncate(number, end) == 0, lseek(number, end, SEEK_SET) == end else {
            throw FileSystem.failure("written", path)
        }
        self.length = length
    }

    /// A cell that refers to the blob before it is published.
    var cell: ColumnValue { BlobRecord(uuid: uuid, length: length, checksum: Data()).cell }

    /// Returns what was written, for a value that turned out to be small.
    func contents() throws(StoreError) -> Data {
        try reader.readAll(count: Int(length))
    }

    /// Reads what was written, from its start.
    var reader: FileReader { FileReader(descriptor, path: path) }

    private func copy(in folder: BlobFolder) throws -> PendingBlob {
        let copy = try PendingBlob(in: .folder(folder))
        var reader = FileReader(descriptor, path: path)
        while copy.length < length {
            let piece = try reader.read(upTo: 1 << 20)
            guard !piece.isEmpty else { throw FileSystem.failure("read", path, EIO) }
            try copy.write(piece)
        }
        return copy
    }

    /// Moves the file to a blob's name, with its bytes synchronized to disk.
    ///
    /// - Returns: The checksum.
    package func place(as uuid: UUID, in folder: BlobFolder) throws(StoreError) -> Data {
        guard FileSystem.retrying({ fsync(descriptor.number) }) == 0 else { throw FileSystem.failure("written", path) }
        try FileSystem.rename(path, to: folder.path(of: uuid))
        isPublished = true
        return digest.finish()
    }

    /// Moves the bytes to where readers find them, and records them in the database, within a transaction.
    ///
    /// - Returns: The cell that refers to them.
    func publish(at place: TransformContext, on connection: any EngineConnection) throws -> ColumnValue {
        guard let folder else { return try insert(at: place, on: connection) }
        // A failed save has removed the file, but its bytes remain as long as it is open.
        if isPublished { return try copy(in: folder).publish(at: place, on: connection) }
        let session = try folder.session { try PublishingSession(folder, on: connection) }
        session.add(uuid)
        let record = BlobRecord(uuid: uuid, length: length, checksum: try self.place(as: uuid, in: folder))
        try record.insert(at: place, on: connection)
        return record.cell
    }

    /// Writes the bytes to a table of the database.
    ///
    /// Each attempt has a name of its own, because an earlier one may have been rolled back only in part.
    private func insert(at place: TransformContext, on connection: any EngineConnection) throws -> ColumnValue {
        let record = BlobRecord(uuid: UUID(), length: length, checksum: digest.finish())
        try record.insert(at: place, on: connection)
        var reader = reader
        try connection.requirePieces().insert(record.uuid) { count throws(StoreError) in try reader.read(upTo: count) }
        return record.cell
    }
}

@available(*, unavailable)
extension PendingBlob: Sendable {}

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
