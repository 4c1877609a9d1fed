internal import Foundation
internal import Glibc

/// A blob's file, open for reading: it stays readable even if a sweep removes its name.
struct BlobFile: Sendable {
    let record: BlobRecord
    let path: String
    let descriptor: FileDescriptor

    /// Opens a blob.
    ///
    /// - Throws: ``StoreError``: ``StoreError/Code/missingBlob``, or ``StoreError/Code/damagedBlob`` if it is no
    ///   file or has another length.
    init(_ record: BlobRecord, in folder: BlobFolder) throws(StoreError) {
        self.record = record
        path = folder.path(of: record.uuid)
        // Neither a link nor a pipe in its place must lead or hold the reader elsewhere.
        let number = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else {
            guard [ENOENT, ELOOP, ENOTDIR].contains(errno) else { throw FileSystem.failure("opened", path) }
            throw StoreError(.missingBlob, "its file “\(path)” is missing; restore it from a backup")
        }
        descriptor = FileDescriptor(number)
        var status = stat()
        guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == record.length
        else {
            throw StoreError(
                .damagedBlob,
                "its file “\(path)” has not the \(record.length) bytes that were written"
            )
        }
    }
}
