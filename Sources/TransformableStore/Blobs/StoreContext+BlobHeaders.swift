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
        let sql = "SELECT \(column) FROM \(table) WHERE typeof(\(column)) = 'text'"
        let statement = try database().statement(sql, cached: false)
        defer { statement.reset() }
        let noBytes: Data? = nil
        while try statement.step() {
            guard let uuid = BlobRecord.uuid(in: statement.packedRow(from: 0, count: 1), 0) else { continue }
            let path = blobs.path(of: uuid)
            guard let descriptor = try FileSystem.openToRead(path) else { continue }
            let start = try FileReader(descriptor, path: path).readAll(count: bytes.upperBound)
            counts[noBytes, default: 0] -= 1
            counts[Data(start.dropFirst(bytes.lowerBound)), default: 0] += 1
        }
        if counts[noBytes] == 0 { counts.removeValue(forKey: noBytes) }
    }
}
