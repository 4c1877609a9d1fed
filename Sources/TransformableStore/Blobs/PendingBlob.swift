package import Foundation
internal import Glibc
internal import Transformable

/// A blob in progress.
///
/// It is written in `unfinished`, and published when the row that refers to it is written.
///
/// A pending blob must be used by one thread at a time. If it is not published, it is removed along with the last
/// reference to it.
package final class PendingBlob {
    private let folder: BlobFolder
    // Taken before the file exists, so that no sweep considers it the remains of a crash.
    private let hold: BlobFolder.Hold
    private let uuid = UUID()
    private let descriptor: FileDescriptor
    private var digest = BlobDigest()
    private var isPublished = false
    private(set) var length: Int64 = 0

    private var path: String { "\(folder.unfinished)/\(uuid.uuidString)" }

    package init(in folder: BlobFolder) throws(StoreError) {
        try folder.make()
        self.folder = folder
        hold = try folder.hold()
        let path = "\(folder.unfinished)/\(uuid.uuidString)"
        let number = unsafe open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, folder.mode)
        guard number >= 0 else { throw FileSystem.failure("created", path) }
        fchmod(number, folder.mode)
        descriptor = FileDescriptor(number)
    }

    deinit {
        if !isPublished { FileSystem.remove(path) }
    }

    /// Appends bytes.
    package func write(_ bytes: Data) throws(StoreError) {
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

    /// Returns what was written, for a value that turned out to be small.
    func contents() throws(StoreError) -> Data {
        try reader.readAll(count: Int(length))
    }

    /// Reads what was written, from its start.
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

    /// Moves the file to a blob's name, with its bytes synchronized to disk.
    ///
    /// - Returns: The checksum.
    package func place(as uuid: UUID) throws(StoreError) -> Data {
        guard FileSystem.retrying({ fsync(descriptor.number) }) == 0 else { throw FileSystem.failure("written", path) }
        try FileSystem.rename(path, to: folder.path(of: uuid))
        isPublished = true
        return digest.finish()
    }

    /// Moves the file to where readers find it, and records it in the database, within a transaction.
    ///
    /// - Returns: The cell that refers to it.
    func publish(at place: TransformContext, on connection: any EngineConnection) throws -> ColumnValue {
        // A failed save has removed the file, but its bytes remain as long as it is open.
        if isPublished { return try copy().publish(at: place, on: connection) }
        let session = try folder.session { try PublishingSession(folder, on: connection) }
        session.add(uuid)
        let record = BlobRecord(uuid: uuid, length: length, checksum: try self.place(as: uuid))
        try record.insert(at: place, on: connection)
        return record.cell
    }
}

@available(*, unavailable)
extension PendingBlob: Sendable {}
