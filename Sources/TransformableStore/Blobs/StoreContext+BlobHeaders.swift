internal import Foundation

extension StoreContext {
    /// Counts the external blobs that a column's cells refer to by some of their bytes.
    func countBlobs(
        _ column: String,
        _ table: TableName,
        by bytes: Range<Int>,
        into counts: inout [Data?: Int]
    ) throws {
        guard let blobs = schema.blobs, counts.keys.contains(nil) else { return }
        let sql = "SELECT \(column) FROM \(table) WHERE \(BlobRecord.isReference(column, try database().dialect))"
        let statement = try database().statement(sql, cached: false)
        defer { statement.reset() }
        let noBytes: Data? = nil
        while try statement.step() {
            guard let uuid = BlobRecord.uuid(in: statement.packedRow(from: 0, count: 1), 0) else { continue }
            guard let start = try start(of: uuid, in: blobs, count: bytes.upperBound) else { continue }
            counts[noBytes, default: 0] -= 1
            counts[Data(start.dropFirst(bytes.lowerBound)), default: 0] += 1
        }
        if counts[noBytes] == 0 { counts.removeValue(forKey: noBytes) }
    }

    /// Returns the first bytes of a blob, or `nil` if it is missing.
    private func start(of uuid: UUID, in blobs: BlobStorage, count: Int) throws -> Data? {
        guard case .folder(let folder) = blobs else {
            return try database().firstPiece(of: uuid).map { Data($0.prefix(count)) }
        }
        let path = folder.path(of: uuid)
        guard let descriptor = try FileSystem.openToRead(path) else { return nil }
        return try FileReader(descriptor, path: path).readAll(count: count)
    }
}
