internal import Transformable

/// Recomputes the projections whose expression differs from that in the file.
///
/// A projection is recomputed only if every value that it depends on can be read. If one cannot be read, because a key
/// is missing or a cell is damaged, the column and its fingerprint are left unchanged. In a migration, there is no
/// column to keep, so a missing key is an error.
struct ProjectionRebuild {
    let schema: StoreSchema
    let metadata: Metadata
    /// Whether the tables were rebuilt, without the columns of projections.
    let isMigration: Bool
    let connection: any EngineConnection

    /// The place of a row: its number, and the tenant that it belongs to, if any.
    private struct Place {
        let number: Int64
        let tenant: Int64?
    }

    /// Computes a cell of the column from a row whose cells begin after its number and version.
    private typealias Cell = (any EngineStatement, Place) throws -> ColumnValue

    /// An error that indicates that a value cannot be read, or that the projection cannot be computed from it.
    private struct Unreadable: Error {
        let failure: any Error

        /// The failure, if another key ring could read the value.
        var missingKey: StoreError? {
            guard let error = failure as? StoreError, error.lacksKey else { return nil }
            return error
        }
    }

    /// Recomputes projections.
    ///
    /// - Returns: Whether all of them now match the schema.
    func run() throws -> Bool {
        var isComplete = true
        for entity in schema.entities {
            for attribute in entity.projected where attribute.failure == nil {
                for index in attribute.projections.indices {
                    isComplete = try rebuild(index, of: attribute, entity) && isComplete
                }
            }
            for compound in entity.compounds { isComplete = try rebuild(compound, of: entity) && isComplete }
        }
        return isComplete
    }

    private func rebuild(_ index: Int, of attribute: StoredAttribute, _ entity: StoredEntity) throws -> Bool {
        try rebuild(attribute.projections[index], attribute.id, of: entity) { row, place in
            let slot = try slot(of: attribute, entity, row, place)
            let context = context(of: attribute, entity, place)
            return try readable { try attribute.project(slot, at: [index], in: context)[0] }
        }
    }

    private func rebuild(_ compound: StoredCompound, of entity: StoredEntity) throws -> Bool {
        try rebuild(compound.projection, compound.id, of: entity) { row, place in
            var slots: [Int: Slot] = [:]
            for part in compound.parts {
                slots[part.attribute.index] = try slot(of: part.attribute, entity, row, place)
            }
            let context = TransformContext(store: schema.uuid, entity: entity.id, tenant: place.tenant)
            return try readable { try compound.project(in: context) { slots[$0.index] ?? Slot() } }
        }
    }

    private func slot(
        of attribute: StoredAttribute,
        _ entity: StoredEntity,
        _ row: any EngineStatement,
        _ place: Place
    ) throws -> Slot {
        guard let cell = attribute.cell else { return Slot() }
        let row = row.packedRow(from: 2 + cell, count: 1)
        let context = context(of: attribute, entity, place)
        let slot = try attribute.load(row, 0, in: context, schema.blobs, on: connection)
        if let failure = slot.failure { throw Unreadable(failure: failure) }
        return slot
    }

    private func readable(_ body: () throws -> ColumnValue) throws -> ColumnValue {
        do {
            return try body()
        } catch {
            throw Unreadable(failure: error)
        }
    }

    private func context(of attribute: StoredAttribute, _ entity: StoredEntity, _ place: Place) -> TransformContext {
        TransformContext(
            store: schema.uuid,
            entity: entity.id,
            attribute: attribute.id,
            object: place.number,
            tenant: place.tenant
        )
    }

    /// Recomputes a projection if the file has a different expression, and returns `false` if it is left unchanged.
    private func rebuild(
        _ projection: StoredProjection,
        _ owner: UInt32,
        of entity: StoredEntity,
        _ cell: Cell
    ) throws -> Bool {
        guard projection.failure == nil, let entry = metadata.projections[owner]?[projection.name],
            entry.fingerprint != projection.fingerprint
        else { return true }
        if !isMigration, let keys = projection.keys, keys.current.isEmpty { return false }
        do {
            try connection.keeping {
                // A migration renews the tags of all rows at its end.
                if !isMigration { try entity.rowSeal?.checkAll(on: connection) }
                let groups = try groups(with: projection, of: entity)
                try replaceColumn(projection, in: groups, of: entity)
                try fill(projection, of: entity, cell)
                try makeIndexes(with: projection, in: groups, of: entity)
                try note(projection, entry)
                if !isMigration { try entity.rowSeal?.renewAll(on: connection) }
            }
            return true
        } catch let unreadable as Unreadable {
            guard isMigration, let failure = unreadable.missingKey else { return false }
            throw Self.refusal(of: projection, failure)
        }
    }

    /// Returns an error if the failure is due to a missing key.
    ///
    /// The value would otherwise be omitted, and could not be found once the key is available.
    private static func refusal(of projection: StoredProjection, _ failure: StoreError) -> StoreError {
        StoreError(
            failure.code,
            "“\(projection.name)” must be recomputed, which requires the keys of all values; open the store with "
                + "a key ring that contains them",
            entity: failure.entity,
            attribute: failure.attribute,
            object: failure.object,
            underlying: failure.underlying
        )
    }

    private func note(_ projection: StoredProjection, _ entry: Metadata.Projection) throws {
        try connection.run(
            """
            UPDATE "_transformable_projection" SET "expression" = ?, "fingerprint" = ?, "keys" = ? WHERE "id" = ?
            """,
            [
                .text(projection.description.transformer), .text(projection.fingerprint),
                .text(projection.currentKeys), .integer(Int64(entry.id)),
            ]
        )
    }

    /// Returns the unique groups that the column is part of, except for those that the file does not enforce yet.
    private func groups(with projection: StoredProjection, of entity: StoredEntity) throws -> [[String]] {
        let groups = entity.uniqueGroups.filter { $0.contains(projection.name) }
        guard !groups.isEmpty else { return [] }
        let indexes = try UniqueIndexes(on: connection)
        return groups.filter { indexes.contains($0, of: entity.name) }
    }

    /// Replaces the column, because the new expression may return a different type.
    private func replaceColumn(
        _ projection: StoredProjection,
        in groups: [[String]],
        of entity: StoredEntity
    ) throws {
        let column = SQL.quoted(projection.name)
        try TableDefinition.dropIndexes(with: projection.name, in: groups, of: entity, on: connection)
        try connection.tables.define("ALTER TABLE \(entity.table) DROP COLUMN \(column)")
        let type = projection.columnType
        try connection.tables.define("ALTER TABLE \(entity.table) ADD COLUMN \(column) \(type)")
        guard projection.description.isIndexed, !groups.contains([projection.name]) else { return }
        let statement = TableDefinition.index(entity.name, [projection.name], isUnique: false, entity.belongsToTenant)
        try connection.tables.define(statement)
    }

    /// Creates the indexes of the lists and unique groups that the column is part of, after it is filled.
    private func makeIndexes(
        with projection: StoredProjection,
        in groups: [[String]],
        of entity: StoredEntity
    ) throws {
        for names in groups {
            let statement = TableDefinition.index(entity.name, names, isUnique: true, entity.belongsToTenant)
            try connection.tables.define(statement)
        }
        try CompoundIndex.restore(projection.name, of: entity, besides: groups, on: connection)
    }

    /// Computes the column for every row.
    ///
    /// In a migration, a missing key is an error and a damaged value is not. All rows are therefore looked at, so that the
    /// result does not depend on their order.
    private func fill(
        _ projection: StoredProjection,
        of entity: StoredEntity,
        _ cell: Cell
    ) throws {
        var damage: Unreadable?
        // A distributed table finds the row by its tenant.
        let owner = entity.belongsToTenant ? " AND \(TenantColumn.name) = ?" : ""
        let update = "UPDATE \(entity.table) SET \(SQL.quoted(projection.name)) = ? WHERE \"_id\" = ?\(owner)"
        // An engine may keep all rows of a statement in memory.
        try connection.forEachRow(of: entity, entity.statements.selectWhole, inPages: true) { row in
            let tenant = entity.belongsToTenant ? row.integer(2 + entity.columns.count) : nil
            let place = Place(number: row.integer(0), tenant: tenant)
            do {
                let value = try cell(row, place)
                guard value != .null else { return }
                let own = [place.number, place.tenant].compactMap { $0.map(ColumnValue.integer) }
                try connection.change(update, [value] + own) { _ = try $0.get() }
            } catch let unreadable as Unreadable where isMigration && unreadable.missingKey == nil {
                damage = damage ?? unreadable
            }
        }
        try connection.settle()
        if let damage { throw damage }
    }
}
