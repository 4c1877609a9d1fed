internal import Foundation
internal import GRDB
internal import Glibc
internal import Transformable

/// A blob on its way: written under `unfinished`, and published when the row that names it is written.
///
/// For one thread at a time. A blob that is not published goes with the last reference to it.
final class PendingBlob {
    private let folder: BlobFolder
    // From before the file is there, so that no sweep takes it for what a crash has left.
    private let hold: BlobFolder.Hold
    private let uuid = UUID()
    private let descriptor: FileDescriptor
    private var digest = BlobDigest()
    private var isPublished = false
    private(set) var length: Int64 = 0

    private var path: String { "\(folder.unfinished)/\(uuid.uuidString)" }

    init(in folder: BlobFolder) throws(StoreError) {
        try folder.make()
        self.folder = folder
        hold = try folder.hold()
        let path = "\(folder.unfinished)/\(uuid.uuidString)"
        let number = unsafe open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, folder.mode)
        guard number >= 0 else { throw FileSystem.failure("made", path) }
        fchmod(number, folder.mode)
        descriptor = FileDescriptor(number)
    }

    deinit {
        if !isPublished { FileSystem.remove(path) }
    }

    /// Adds bytes.
    func write(_ bytes: Data) throws(StoreError) {
        digest.add(bytes)
        length += Int64(bytes.count)
        let failure = unsafe bytes.withUnsafeBytes { buffer -> Int32 in
            var rest = unsafe buffer[...]
            while unsafe !rest.isEmpty {
                let piece = unsafe UnsafeRawBufferPointer(rebasing: rest)
                let count = FileSystem.retrying {
                    unsafe Glibc.write(descriptor.number, piece.baseAddress, piece.count)
                }
                if count < 0 { return errno }
                unsafe rest = rest.dropFirst(count)
            }
            return 0
        }
        guard failure == 0 else { throw FileSystem.failure("written", path, failure) }
    }

    /// What was written, for a value that turned out to be small.
    func contents() throws(StoreError) -> Data {
        try reader.readAll(count: Int(length))
    }

    /// Reads what was written from its start.
    var reader: FileReader { FileReader(descriptor, path: path) }

    private func copy() throws -> PendingBlob {
        let copy = try PendingBlob(in: folder)
        var reader = FileReader(descriptor, path: path)
        while copy.length < length {
            let piece = try reader.read(upTo: 1 << 20)
            guard !piece.isEmpty else { throw FileSystem.failure("read", path, EIO) }
            try copy.write(piece)
        }
        return copy
    }

    /// Puts the file under a blob's name, its bytes on the disk.
    ///
    /// - Returns: The checksum.
    func place(as uuid: UUID) throws(StoreError) -> Data {
        guard FileSystem.retrying({ fsync(descriptor.number) }) == 0 else { throw FileSystem.failure("written", path) }
        try FileSystem.rename(path, to: folder.path(of: uuid))
        isPublished = true
        return digest.finish()
    }

    /// Puts the file where readers find it, and notes it in the database, within a transaction.
    ///
    /// - Returns: The cell that names it.
    func publish(at place: TransformContext, on database: Database) throws -> ColumnValue {
        // A save that failed has removed the file, and the bytes are there as long as it is open.
        if isPublished { return try copy().publish(at: place, on: database) }
        let session = try folder.session { try PublishingSession(folder, on: database) }
        session.add(uuid)
        let record = BlobRecord(uuid: uuid, length: length, checksum: try self.place(as: uuid))
        try record.insert(at: place, on: database)
        return record.cell
    }
}

@available(*, unavailable)
extension PendingBlob: Sendable {}
