internal import Foundation
internal import Transformable

/// The database's record of a blob.
struct BlobRecord: Sendable {
    let uuid: UUID
    let length: Int64
    let checksum: Data

    private static let prefix = "blob:"

    /// The cell that refers to the blob.
    var cell: ColumnValue { .text(Self.prefix + uuid.uuidString) }

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
        guard try statement.step() else {
            throw StoreError(.missingBlob, "its cell refers to a blob that the store has no record of")
        }
        let row = statement.packedRow(from: 0, count: 2)
        guard row.kind(0) == .integer, row.kind(1) == .blob else {
            throw StoreError(.damagedBlob, "the store's record of its blob is damaged")
        }
        return Self(uuid: uuid, length: row.integer(0), checksum: row.data(1))
    }

    func insert(at place: TransformContext, on connection: any EngineConnection) throws {
        let statement = try connection.statement("INSERT INTO \"_transformable_blob\" VALUES (?, ?, ?, ?, ?, ?)")
        let values = [ColumnValue.text(uuid.uuidString)] + Self.identity(of: place)
        try statement.bind(values + [.integer(length), .blob(checksum)])
        try statement.run()
    }

    private static func identity(of place: TransformContext) -> [ColumnValue] {
        [.integer(Int64(place.entity ?? 0)), .integer(Int64(place.attribute ?? 0)), .integer(place.object ?? 0)]
    }
}
