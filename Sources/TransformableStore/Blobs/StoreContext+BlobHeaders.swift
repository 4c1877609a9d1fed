internal import Foundation

extension StoreContext {
    /// Counts the external blobs that a column's cells refer to by some of their bytes.
    func countBlobs(
        _ column: String,
        _ table: String,
        by bytes: Range<Int>,
        into counts: inout [Data?: Int]
    ) throws {
        guard let blobs = schema.blobs, counts.keys.contains(nil) else { return }
        let sql = "SELECT \(column) FROM \(table) WHERE \(BlobRecord.isReference(column, try database().dialect))"
        let names = try database().rows(sql, count: 1).compactMap { BlobRecord.uuid(in: $0, 0) }
        let noBytes: Data? = nil
        for first in stride(from: 0, to: names.count, by: Self.blobsAtOnce) {
            let some = Array(names[first..<min(first + Self.blobsAtOnce, names.count)])
            for start in try starts(of: some, in: blobs, count: bytes.upperBound) {
                counts[noBytes, default: 0] -= 1
                counts[Data(start.dropFirst(bytes.lowerBound)), default: 0] += 1
            }
        }
        if counts[noBytes] == 0 { counts.removeValue(forKey: noBytes) }
    }

    /// The number of blobs whose first bytes are read together.
    private static let blobsAtOnce = 512

    /// Returns the first bytes of blobs, without those that are missing.
    private func starts(of uuids: [UUID], in blobs: BlobStorage, count: Int) throws -> [Data] {
        guard case .folder(let folder) = blobs else {
            let first = try database().firstBytes(of: Array(Set(uuids)), count: count)
            return uuids.compactMap { first[$0] }
        }
        return try uuids.compactMap { uuid in
            let path = folder.path(of: uuid)
            guard let descriptor = try FileSystem.openToRead(path) else { return nil }
            return try FileReader(descriptor, path: path).readAll(count: count)
        }
    }
}
