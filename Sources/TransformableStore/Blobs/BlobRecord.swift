internal import CBLAKE2
internal import Foundation
internal import Transformable

/// The database's record of a blob.
struct BlobRecord: Sendable {
    let uuid: UUID
    let length: Int64
    let checksum: Data

    private static let prefix = "blob:"
    /// The number of bytes of a cell that refers to a blob: the prefix and a UUID.
    private static let cellLength = 41

    /// The cell that refers to the blob.
    var cell: ColumnValue { .text(Self.prefix + uuid.uuidString) }

    /// Returns the expression for the cell that refers to a blob.
    ///
    /// Where a column has a single type, it contains the bytes of the text.
    static func cell(referringTo uuid: String, _ dialect: Dialect) -> String {
        guard !dialect.has(.dynamicTypes) else { return "'\(prefix)' || \(uuid)" }
        return "CAST('\(prefix)' || upper(CAST(\(uuid) AS text)) AS bytea)"
    }

    /// Returns the condition that a cell refers to a blob.
    ///
    /// Where a column has a single type, the engine makes sure that no value is such bytes.
    static func isReference(_ column: String, _ dialect: Dialect) -> String {
        guard !dialect.has(.dynamicTypes) else { return "typeof(\(column)) = 'text'" }
        let start = "substr(\(column), 1, \(prefix.utf8.count)) = CAST('\(prefix)' AS bytea)"
        return "octet_length(\(column)) = \(cellLength) AND \(start)"
    }

    /// Returns the blob that a cell refers to, or `nil` if there is none.
    ///
    /// This is used only for cells of data and transformed attributes, whose values are never text.
    static func uuid(in row: PackedRow, _ cell: Int) -> UUID? {
        guard row.kind(cell) == .text, let text = row.text(cell), text.hasPrefix(prefix) else { return nil }
        return UUID(uuidString: String(text.dropFirst(prefix.count)))
    }

    /// Finds the record of the blob that a cell refers to.
    ///
    /// - Throws: `StoreError` with the code `missing-blob` if there is no record for this cell.
    static func find(_ uuid: UUID, at place: TransformContext, on connection: any EngineConnection) throws -> Self {
        let statement = try connection.statement(
            """
            SELECT "length", "checksum" FROM "_transformable_blob"
            WHERE "uuid" = ? AND "entity" = ? AND "attribute" = ? AND "object" = ?
            """
        )
        try statement.bind([.text(uuid.uuidString)] + identity(of: place))
        defer { statement.reset() }
        guard try statement.step() else { throw missing }
        return try Self(uuid, statement.packedRow(from: 0, count: 2))
    }

    /// Finds the records of the blobs that cells of an attribute refer to.
    ///
    /// - Parameters:
    ///   - blobs: The blobs, by the numbers of their objects.
    ///   - place: The entity and the attribute.
    ///   - connection: The connection.
    /// - Returns: The records, or the errors of those that are missing or damaged.
    /// - Throws: `StoreError` if the records cannot be read.
    static func find(
        _ blobs: [Int64: UUID],
        at place: TransformContext,
        on connection: any EngineConnection
    ) throws -> [Int64: Result<Self, StoreError>] {
        guard !blobs.isEmpty else { return [:] }
        let marks = blobs.map { _ in "?" }.joined(separator: ", ")
        let sql = """
            SELECT "length", "checksum", "object", "uuid" FROM "_transformable_blob"
            WHERE "entity" = ? AND "attribute" = ? AND "uuid" IN (\(marks))
            """
        let values = identity(of: place).prefix(2) + blobs.values.map { .text($0.uuidString) }
        var records = blobs.mapValues { _ in Result<Self, StoreError>.failure(missing) }
        for row in try connection.rows(sql, Array(values), count: 4) where row.kind(2) == .integer {
            let object = row.integer(2)
            guard let uuid = blobs[object], row.text(3).flatMap(UUID.init(uuidString:)) == uuid else { continue }
            records[object] = Result { () throws(StoreError) in try Self(uuid, row) }
        }
        return records
    }

    private static var missing: StoreError {
        StoreError(.missingBlob, "its cell refers to a blob that the store has no record of")
    }

    static var damaged: StoreError {
        StoreError(.damagedBlob, "the store's record of its blob is damaged")
    }

    /// Reads a record from a row that begins with its length and checksum.
    init(_ uuid: UUID, _ row: PackedRow) throws(StoreError) {
        guard row.kind(0) == .integer, row.kind(1) == .blob else { throw Self.damaged }
        self.init(uuid: uuid, length: row.integer(0), checksum: row.data(1))
    }

    init(uuid: UUID, length: Int64, checksum: Data) {
        (self.uuid, self.length, self.checksum) = (uuid, length, checksum)
    }

    func insert(at place: TransformContext, on connection: any EngineConnection) throws {
        let values = [ColumnValue.text(uuid.uuidString)] + Self.identity(of: place)
        let sql = "INSERT INTO \"_transformable_blob\" VALUES (?, ?, ?, ?, ?, ?)"
        try connection.change(sql, values + [.integer(length), .blob(checksum)]) { _ = try $0.get() }
    }

    private static func identity(of place: TransformContext) -> [ColumnValue] {
        [.integer(Int64(place.entity ?? 0)), .integer(Int64(place.attribute ?? 0)), .integer(place.object ?? 0)]
    }
}

/// Computes a blob's checksum: a 32-byte BLAKE2b digest, the same as that of `b2sum -l 256`.
///
/// The checksum must detect damage, and also a file that was replaced by someone who cannot write the database. A CRC
/// does not detect the latter. Of the digests that do, this is the fastest in portable C.
struct BlobDigest {
    private var state = tfb_state()

    init() {
        unsafe tfb_begin(&state)
    }

    mutating func add(_ bytes: Data) {
        unsafe bytes.withUnsafeBytes { unsafe tfb_add(&state, $0.baseAddress, $0.count) }
    }

    /// Finishes the digest.
    consuming func finish() -> Data {
        var digest = Data(count: Int(TFB_DIGEST_SIZE))
        unsafe digest.withUnsafeMutableBytes { digest in
            guard let base = digest.baseAddress else { return }
            unsafe tfb_end(&state, base)
        }
        return digest
    }
}
