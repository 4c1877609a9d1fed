internal import Foundation

/// Checks the blobs of values that migrations have set aside, which no object refers to.
///
/// A later version of the model may bring the values back.
struct BlobsSetAside {
    private let storage: BlobStorage
    private let connection: any EngineConnection
    /// The names of entities and attributes, by the attributes' numbers.
    private let names: [Int64: (entity: String, attribute: String)]

    init(_ storage: BlobStorage, on connection: any EngineConnection) throws {
        self.storage = storage
        self.connection = connection
        let sql = """
            SELECT "a"."id", "e"."name", "a"."name" FROM "_transformable_attribute" AS "a"
            JOIN "_transformable_entity" AS "e" ON "e"."id" = "a"."entity"
            """
        let rows = try connection.rows(sql, count: 3)
            .map { ($0.integer(0), (entity: $0.text(1) ?? "", attribute: $0.text(2) ?? "")) }
        names = Dictionary(rows) { first, _ in first }
    }

    /// Compares the bytes of every blob with their checksum.
    ///
    /// - Parameter report: A closure that receives the error of each blob that is missing or damaged.
    /// - Throws: `StoreError` if the database cannot be read.
    func check(_ report: (StoreError) -> Void) throws {
        let sql = """
            SELECT "length", "checksum", "uuid", "attribute", "object" FROM "_transformable_blob"
            WHERE \(try SetAside.blobs(on: connection))
            """
        for row in try connection.rows(sql, count: 5) {
            do {
                try connection.attempting(if: storage.folder == nil) { try check(row) }
            } catch let error as StoreError where !error.isTemporary {
                report(located(error, row))
            }
        }
    }

    private func check(_ row: PackedRow) throws {
        guard let uuid = row.text(2).flatMap(UUID.init(uuidString:)) else { throw BlobRecord.damaged }
        try BlobFile(BlobRecord(uuid, row), in: storage, on: connection).verify()
    }

    private func located(_ error: StoreError, _ row: PackedRow) -> StoreError {
        var error = error
        let owner = names[row.integer(3)]
        error.entity = owner?.entity
        error.attribute = owner?.attribute
        error.object = owner.map { ObjectID(entity: $0.entity, number: row.integer(4)) }
        error.message = "a migration has set the value aside, and \(error.message)"
        return error
    }
}
