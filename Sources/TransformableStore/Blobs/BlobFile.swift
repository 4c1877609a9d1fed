internal import Foundation
internal import Transformable

/// A blob's file, open for reading.
///
/// It stays readable even if a sweep removes its name.
struct BlobFile: Sendable {
    let record: BlobRecord
    let path: String
    let descriptor: FileDescriptor

    /// Opens a blob.
    ///
    /// - Throws: `StoreError` with the code `missing-blob`, or with the code `damaged-blob` if the
    ///   length is different.
    init(_ record: BlobRecord, in folder: BlobFolder) throws(StoreError) {
        self.record = record
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
