internal import Foundation

/// Verifies a store in one snapshot: the database, every cell, and every blob.
struct Verifier {
    /// Larger blobs are decoded only by the stages that process pieces.
    private static let wholeCount: Int64 = 256 << 20

    private let context: StoreContext
    private var result = Verification()
    /// The rows whose tags do not match or cannot be checked, by the index of their entity.
    private var refused: [Int: Set<Int64>] = [:]
    /// The unique indexes of the store, once they were read.
    private var uniqueIndexes: UniqueIndexes?

    init(_ context: StoreContext) {
        self.context = context
    }

    private var schema: StoreSchema { context.schema }

    mutating func run(progress: (Int) throws -> Void) throws -> Verification {
        // The model in memory was genuine when the store was opened, but the file may have been changed since then.
        try context.store.seal?.verify(on: context.database())
        try context.database().tenants?.requireAllRows()
        // The seal covers the definitions of tables. What a server does to them is a different matter.
        if context.store.seal != nil { for fault in try context.database().tableFaults() { result.add(fault) } }
        // A server checks its references itself, and its pages are not ours to check.
        if let embedded = try context.database().embedded {
            try checkDatabase(embedded)
            try notingDamage { try $0.checkReferences() }
        }
        for entity in schema.entities {
            // A damaged table does not affect the check of the others.
            try notingDamage(of: entity.name) { try $0.checkRows(of: entity) }
            try notingDamage(of: entity.name) { try $0.checkVersions(of: entity) }
            try notingDamage(of: entity.name) { try $0.checkUniqueness(of: entity) }
            try notingDamage(of: entity.name) { try $0.checkObjects(of: entity, progress) }
            noteOutdated(in: entity)
            for attribute in entity.columns where attribute.isExternal {
                try notingDamage(of: entity.name) { try $0.checkRecords(attribute, entity) }
            }
        }
        try notingDamage { try $0.countBlobs() }
        try notingDamage { try $0.checkBlobsSetAside() }
        try notingDamage { verifier in
            let unfinished = try UnfinishedReencoding.all(of: verifier.schema, on: verifier.context.database())
            verifier.result.unfinishedReencodings = unfinished.map(\.listed)
        }
        result.revealingProjections = PlainShadows.revealing(schema).map { "\($0.entity.name).\($0.name)" }
        return result
    }

    private mutating func countBlobs() throws {
        let database = try context.database()
        result.blobCount = Int(try database.integer("SELECT count(*) FROM \"_transformable_blob\""))
        guard let blobs = schema.blobs?.folder else { return }
        result.orphanedBlobCount = try BlobSweep(folder: blobs, connection: database).orphans().count
    }

    private mutating func noteOutdated(in entity: StoredEntity) {
        let simple = entity.projected.filter { $0.failure == nil }.flatMap(\.projections)
        for projection in simple + entity.compounds.map(\.projection) where projection.isOutdated {
            result.outdatedProjections.append("\(entity.name).\(projection.name)")
        }
    }

    /// Records the error of a closure as a fault if it indicates a damaged file.
    ///
    /// - Parameters:
    ///   - entity: The entity that the closure checks, if it is only one.
    ///   - body: A closure that receives the verifier.
    /// - Throws: Other errors thrown by the closure.
    private mutating func notingDamage(of entity: String? = nil, _ body: (inout Self) throws -> Void) throws {
        do {
            // After an error, a server refuses everything else in the transaction.
            try context.database().attempting(if: true) { try body(&self) }
        } catch var error as StoreError where error.code == .corruptFile {
            error.entity = error.entity ?? entity
            result.add(error)
        }
    }

    private mutating func checkDatabase(_ database: any EmbeddedConnection) throws {
        do {
            try checkPages(of: nil, database)
        } catch let error as StoreError where error.code == .corruptFile {
            // At a page that it cannot read, SQLite ends the check. The other tables can still be checked.
            let before = result.faultCount
            for entity in schema.entities {
                try notingDamage(of: entity.name) { try $0.checkPages(of: entity.table, database) }
            }
            for table in schema.pairTables.keys.sorted(by: { $0.name < $1.name }) {
                try notingDamage { try $0.checkPages(of: table, database) }
            }
            // The page belongs to a table of the store itself.
            if result.faultCount == before { result.add(error) }
        }
    }

    /// Runs the database's own check, of the whole file or of one table.
    private mutating func checkPages(of table: TableName?, _ database: any EmbeddedConnection) throws {
        for text in try database.damage(of: table) {
            result.add(StoreError(.corruptFile, "the database is damaged: \(text)"))
        }
    }

    private mutating func checkReferences() throws {
        for fault in try ReferenceCheck.violations(schema, on: context.database()) { result.add(fault) }
    }

    // MARK: - Cells

    /// Compares every row with its tag.
    private mutating func checkRows(of entity: StoredEntity) throws {
        guard let seal = entity.rowSeal else { return }
        for fault in try seal.faults(on: context.database()) {
            result.add(fault)
            if let number = fault.object?.number { refused[entity.index, default: []].insert(number) }
        }
    }

    /// Finds objects that cannot be changed, because no version could follow theirs.
    private mutating func checkVersions(of entity: StoredEntity) throws {
        let isHighest = "\"_version\" = \(Int64.max)"
        let hasTypes = !context.store.engine.dialect.has(.dynamicTypes)
        let isWrong = hasTypes ? isHighest : "typeof(\"_version\") <> 'integer' OR \(isHighest)"
        let sql = "SELECT \"_id\" FROM \(entity.table) WHERE \(isWrong) ORDER BY \"_id\""
        for row in try context.database().rows(sql, count: 1) {
            let object = ObjectID(entity: entity.name, number: row.integer(0))
            let message = "its “_version” is not a number that can be increased, so the object cannot be changed"
            result.add(StoreError(.corruptFile, message, entity: entity.name, object: object))
        }
    }

    /// Finds objects with the same values where the tables do not prevent that, as in a store from an earlier version.
    private mutating func checkUniqueness(of entity: StoredEntity) throws {
        guard entity.hasUniqueness else { return }
        let indexes = try uniqueIndexes ?? UniqueIndexes(on: context.database())
        uniqueIndexes = indexes
        for columns in entity.uniqueLists where !indexes.contains(columns, of: entity.name) {
            let duplicates = Duplicates(
                columns: columns,
                table: entity.name,
                isWithinTenants: entity.belongsToTenant
            )
            let message = "another object has the same \(columns.joined(separator: " and "))"
            for number in try duplicates.objects(on: context.database()) {
                let object = ObjectID(entity: entity.name, number: number)
                result.add(
                    StoreError(.notUnique, message, entity: entity.name, attribute: columns.first, object: object)
                )
            }
        }
    }

    private mutating func checkObjects(of entity: StoredEntity, _ progress: (Int) throws -> Void) throws {
        let all = entity.projected.flatMap(\.projections) + entity.compounds.map(\.projection)
        let names = all.filter { $0.failure == nil }.map(\.name)
        // Rows whose tags do not match or cannot be checked were reported above.
        let list = ([entity.statements.uncheckedList] + names.map(SQL.quoted)).joined(separator: ", ")
        try context.forEachRow(of: entity, selecting: list) { statement in
            let object = try context.object(at: statement, entity)
            if refused[entity.index]?.contains(object.number) != true {
                let cells = statement.packedRow(from: 2 + entity.columns.count, count: names.count)
                let computed = Dictionary(zip(names, names.indices.map(cells.value))) { first, _ in first }
                let projections = ProjectionCheck(of: object, computed)
                for attribute in entity.columns { try check(attribute, of: object, projections) }
                for compound in entity.compounds { projections.check(compound, &result) }
            }
            result.objectCount += 1
            try progress(result.objectCount)
        }
    }

    private mutating func check(
        _ attribute: StoredAttribute,
        of object: ManagedObject,
        _ projections: ProjectionCheck
    ) throws {
        if let failure = try failure(of: attribute, of: object) {
            return result.note(failure, attribute, of: object, isAuthenticated: context.store.isAuthenticated)
        }
        try checkPresence(of: attribute, in: object)
        if !attribute.projections.isEmpty { try projections.check(attribute, &result) }
    }

    /// Finds a missing value where the table does not prevent it.
    ///
    /// In a file, triggers may take the place of `NOT NULL`, and the owner of a table on a server can change the table.
    private mutating func checkPresence(of attribute: StoredAttribute, in object: ManagedObject) throws {
        guard !attribute.description.isOptional, let cell = attribute.cell else { return }
        try object.requireRow()
        guard object.values.row.kind(cell) == .null else { return }
        let (entity, name) = (object.entity.name, attribute.name)
        let message = "it has no value, although it is not optional; set one"
        result.add(StoreError(.missingValue, message, entity: entity, attribute: name, object: object.id))
    }

    private func failure(of attribute: StoredAttribute, of object: ManagedObject) throws -> StoreError? {
        guard attribute.isExternal else { return try object.slot(attribute).failure }
        do {
            return try context.database()
                .attempting(if: isInPieces(attribute, of: object)) { try externalFailure(of: attribute, of: object) }
        } catch let error as StoreError where !error.isTemporary {
            return error
        }
    }

    /// Returns a Boolean value that indicates whether the bytes of a value are in another table of a server.
    private func isInPieces(_ attribute: StoredAttribute, of object: ManagedObject) throws -> Bool {
        guard try context.database().dialect.has(.externalPieces) else { return false }
        let (row, cell) = try object.stored(attribute)
        return BlobRecord.uuid(in: row, cell) != nil
    }

    private func externalFailure(of attribute: StoredAttribute, of object: ManagedObject) throws -> StoreError? {
        let failure = try valueFailure(of: attribute, of: object)
        // Even without a key, the bytes can be compared with their checksum.
        if failure?.isOfThisProgram == true, let blob = try object.openBlob(attribute) {
            do {
                try blob.verify()
            } catch {
                throw attribute.located(error, .undecodable, number: object.number)
            }
        }
        return failure
    }

    private func valueFailure(of attribute: StoredAttribute, of object: ManagedObject) throws -> StoreError? {
        guard attribute.failure == nil else { return try object.slot(attribute).failure }
        guard let source = try object.bytesSource(attribute.name) else { return nil }
        guard case .file(let blob) = source.bytes, blob.record.length > Self.wholeCount else {
            return try object.slot(attribute).failure
        }
        do {
            let stream = try ValueStream(source)
            while try stream.next() != nil {}
            return nil
        } catch let error as StoreError where error.isOfThisProgram {
            return error
        }
    }

    // MARK: - Blobs

    private mutating func checkBlobsSetAside() throws {
        guard let blobs = schema.blobs else { return }
        try BlobsSetAside(blobs, on: context.database()).check { result.add($0) }
    }

    /// Finds blobs that no cell refers to.
    ///
    /// Nothing would ever remove them.
    private mutating func checkRecords(_ attribute: StoredAttribute, _ entity: StoredEntity) throws {
        var columns = [SQL.quoted(attribute.name)]
        if try ShadowColumn.exists(for: attribute.id, of: entity, on: context.database()) {
            columns.append(SQL.quoted(ShadowColumn.name(of: attribute.id)))
        }
        let cell = BlobRecord.cell(referringTo: "\"blob\".\"uuid\"", try context.database().dialect)
        let sql = """
            SELECT "uuid", "object" FROM "_transformable_blob" AS "blob" WHERE "entity" = ? AND "attribute" = ? AND NOT
            EXISTS (SELECT 1 FROM \(SQL.main(entity.table)) AS "row" WHERE "row"."_id" = "blob"."object"
            AND \(cell) IN (\(columns.map { "\"row\".\($0)" }.joined(separator: ", ")))\(try tenantCondition(of: entity)))
            """
        let place: [ColumnValue] = [.integer(Int64(entity.id)), .integer(Int64(attribute.id))]
        for row in try context.database().rows(sql, place, count: 2) {
            let object = ObjectID(entity: entity.name, number: row.kind(1) == .integer ? row.integer(1) : 0)
            let message = "the store has a blob for it that its cell does not refer to"
            result.add(
                StoreError(.damagedBlob, message, entity: entity.name, attribute: attribute.name, object: object)
            )
        }
    }
}

extension Verifier {
    /// Returns the condition that a blob belongs to the tenant of its row, where blobs are in a table with tenants.
    private func tenantCondition(of entity: StoredEntity) throws -> String {
        guard entity.belongsToTenant, try context.database().dialect.has(.externalPieces) else { return "" }
        return " AND \"row\".\(TenantColumn.name) = \"blob\".\(TenantColumn.name)"
    }
}

extension StoreError {
    /// The codes of errors that a server may not report the next time.
    private static let temporaryCodes: Set<Code> = [
        .accessDenied, .busy, .canceled, .connectionLost, .transactionConflict,
    ]

    /// Whether an error that occurred while a value was read says nothing about the value.
    var isTemporary: Bool { TemporaryFile.isMentioned(in: self) || Self.temporaryCodes.contains(code) }
}
