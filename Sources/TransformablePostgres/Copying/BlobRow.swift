internal import Foundation
internal import TransformableModel
internal import TransformableSQLite
internal import TransformableStore

/// The record of a blob in a store's file.
struct BlobRow {
    let uuid: UUID
    let length: Int64
    let checksum: Data
    /// The numbers of the entity and the attribute, and the object's number.
    let place: (entity: Int64, attribute: Int64, object: Int64)

    init(_ row: PackedRow, of table: PostgresTable) throws(StoreError) {
        let cells = ["uuid", "length", "checksum", "entity", "attribute", "object"]
            .map { name in
                table.raw.columns.firstIndex { $0.name == name }.map(row.value) ?? .null
            }
        guard case .text(let text) = cells[0], let uuid = UUID(uuidString: text), case .integer(let length) = cells[1],
            case .blob(let checksum) = cells[2], case .integer(let entity) = cells[3],
            case .integer(let attribute) = cells[4], case .integer(let object) = cells[5]
        else { throw StoreError(.damagedBlob, "the store's record of a blob is damaged") }
        self.uuid = uuid
        self.length = length
        self.checksum = checksum
        place = (entity, attribute, object)
    }
}

/// Finds out which tenants the external values of a store's file belong to.
final class ExternalValueOwners {
    private let reader: RawReader
    private let layout: PostgresLayout
    /// The tables of entities, by the entities' numbers.
    private var tables: [Int64: TableDescription] = [:]
    /// The tenants of the objects of dropped entities, by the names of their tables.
    private var tenants: [String: [Int64: Int64]] = [:]

    init(_ reader: RawReader, _ layout: PostgresLayout) {
        self.reader = reader
        self.layout = layout
    }

    /// Returns the tenant of the object that a value belongs to, or `nil` if it is shared.
    ///
    /// - Throws: `StoreError` with the code `damaged-blob` if there is no such object.
    func tenant(of blob: BlobRow) throws -> Int64? {
        guard layout.hasTenants else { return nil }
        if tables.isEmpty { try readTables() }
        let (number, object) = (blob.place.entity, blob.place.object)
        guard let table = tables[number] else { throw Self.stray(nil, object) }
        guard table.hasTenantColumn else { return nil }
        let tenant = try table.role == .aside ? asideTenants(in: table)[object] : reader.tenant(of: object, in: table)
        guard let tenant else { throw Self.stray(table.entity, object) }
        return tenant
    }

    private func asideTenants(in table: TableDescription) throws -> [Int64: Int64] {
        if let known = tenants[table.name] { return known }
        let found = try reader.tenants(in: table)
        tenants[table.name] = found
        return found
    }

    /// Finds the tables of entities.
    ///
    /// A dropped entity may have the name of another one.
    private func readTables() throws {
        guard let entities = layout.table("_transformable_entity")?.raw,
            let name = entities.columns.firstIndex(where: { $0.name == "name" }),
            let state = entities.columns.firstIndex(where: { $0.name == "state" })
        else { return }
        let rows = try reader.rows(of: entities)
        while let row = try rows.next() {
            guard row.text(state) == "live" else { continue }
            tables[row.integer(0)] = reader.tables.first { $0.entity != nil && $0.entity == row.text(name) }
        }
        for table in reader.tables {
            if let number = reader.droppedEntities[table.name] { tables[number] = table }
        }
    }

    private static func stray(_ entity: String?, _ number: Int64) -> StoreError {
        let remedy = "run “store verify”, and remove the record"
        let message = "the store has a blob of an object that does not exist, so its tenant is unknown; \(remedy)"
        let object = entity.map { ObjectID(entity: $0, number: number) }
        return StoreError(.damagedBlob, message, entity: entity, object: object)
    }
}
