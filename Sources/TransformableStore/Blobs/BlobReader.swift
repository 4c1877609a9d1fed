package import Foundation

/// Reads the bytes of a blob's file, whatever its record says.
package struct BlobReader {
    private var reader: FileReader
    private var digest = BlobDigest()
    private var length: Int64 = 0

    fileprivate init(_ reader: FileReader) {
        self.reader = reader
    }

    /// Returns the next bytes: as many as requested, except at the end.
    package mutating func read(upTo count: Int) throws -> Data {
        let piece = try reader.read(upTo: count)
        digest.add(piece)
        length += Int64(piece.count)
        return piece
    }

    /// Returns whether what was read has the length and the checksum of the blob's record.
    package consuming func matches(length: Int64, checksum: Data) -> Bool {
        self.length == length && digest.finish() == checksum
    }
}

extension Store {
    /// Returns the file of a blob, or `nil` if it is missing or the store has no folder of blobs.
    ///
    /// - Parameter uuid: The blob's UUID.
    /// - Returns: What reads the file.
    /// - Throws: `StoreError` if the file cannot be opened.
    package func blobReader(_ uuid: UUID) throws -> BlobReader? {
        guard let folder = schema.blobs?.folder else { return nil }
        let path = folder.path(of: uuid)
        return try FileSystem.openToRead(path).map { BlobReader(FileReader($0, path: path)) }
    }
}
