internal import Foundation
internal import Transformable

/// A blob's file, open for reading.
///
/// It stays readable even if a sweep removes its name, or a transaction deletes its pieces.
struct BlobFile: Sendable {
    let record: BlobRecord
    let path: String
    let descriptor: FileDescriptor
    /// Whether the file belongs to the store, rather than being a temporary copy of pieces in a table.
    let isStored: Bool

    /// Opens a blob.
    ///
    /// - Throws: `StoreError` with the code `missing-blob`, or with the code `damaged-blob` if the
    ///   length is different.
    init(_ record: BlobRecord, in storage: BlobStorage, on connection: any EngineConnection) throws {
        switch storage {
        case .folder(let folder): try self.init(record, in: folder)
        case .table: try self.init(record, copying: connection)
        }
    }

    /// Copies the pieces of a blob to a temporary file without a name.
    private init(_ record: BlobRecord, copying connection: any EngineConnection) throws {
        let file = try TemporaryFile()
        try connection.readPieces(of: record.uuid) { piece throws(StoreError) in
            guard file.length + Int64(piece.count) <= record.length else { throw Self.wrongLength(record) }
            try file.write(piece)
        }
        guard file.length > 0 || record.length == 0 else {
            throw StoreError(.missingBlob, "its pieces are missing; restore them from a backup")
        }
        guard file.length == record.length else { throw Self.wrongLength(record) }
        (self.record, path, descriptor, isStored) = (record, file.path, file.descriptor, false)
    }

    private static func wrongLength(_ record: BlobRecord) -> StoreError {
        StoreError(.damagedBlob, "its pieces are not the \(record.length.counted("byte")) that were written")
    }

    private init(_ record: BlobRecord, in folder: BlobFolder) throws(StoreError) {
        self.record = record
        isStored = true
        path = folder.path(of: record.uuid)
        guard let descriptor = try FileSystem.openToRead(path) else {
            throw StoreError(.missingBlob, "its file “\(path)” is missing; restore it from a backup")
        }
        guard FileSystem.length(of: descriptor) == record.length else {
            let count = record.length
            let written = "\(count.counted("byte")) that were written"
            throw StoreError(.damagedBlob, "its file “\(path)” does not have the \(written)")
        }
        self.descriptor = descriptor
    }
}
