/// Rows by the positions of their entities and their numbers.
typealias TaggedRows = [Int: [Int64: TaggedRow]]

/// What a save writes to an existing row.
struct RowUpdate {
    let object: ManagedObject
    let changed: [StoredAttribute]
    /// The cells of the attributes and of the columns computed from them.
    let cells: [ColumnValue]

    private var entity: StoredEntity { object.entity }

    /// Writes the cells, if the row is still the one that was read.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - rows: The rows whose tags the store computes itself.
    /// - Throws: `StoreError`, with the code `not-unique` if another row has the same unique value.
    func write(on connection: any EngineConnection, _ rows: TaggedRows? = nil) throws {
        guard !object.context.connection.isPipelined || entity.hasUniqueness else {
            return try send(on: connection, rows)
        }
        let statement = try object.context.statement(entity.statements.update(entity.columns(of: changed)))
        try statement.bind(values(rows))
        try object.located { try statement.run() }
        guard connection.changedCount > 0 else { throw object.conflict }
    }

    /// Does the same without waiting for an answer.
    func send(on connection: any EngineConnection, _ rows: TaggedRows? = nil) throws {
        try connection.change(entity.statements.update(entity.columns(of: changed)), values(rows), object.requireChange)
    }

    /// Returns the values of the statement's parameters.
    private func values(_ rows: TaggedRows?) throws -> [ColumnValue] {
        try cells + newTag(rows) + [.integer(object.number), .integer(object.version)]
    }

    /// Returns the cell of the row's new tag, or none if there are no tags or if the engine computes them.
    private func newTag(_ rows: TaggedRows?) throws -> [ColumnValue] {
        guard entity.rowSeal?.isInSQL == false else { return [] }
        guard let row = rows?[entity.index]?[object.number], row.version == object.version else {
            throw object.conflict
        }
        var changes = Dictionary(zip(entity.columns(of: changed), cells)) { first, _ in first }
        changes["_version"] = .integer(object.version &+ 1)
        return [try row.newTag(after: changes)]
    }

    /// Returns the update with blobs that have not been removed since.
    ///
    /// If a failed statement is rolled back to a savepoint, the blobs written since then are lost, even those of an
    /// editing context.
    func withBlobs() throws -> Self {
        let isSaved = object.context.isEditing && object.context.store.engine.dialect.has(.statementRollback)
        guard entity.storesBlobs, !isSaved else { return self }
        return try object.rowUpdate() ?? self
    }

    /// Replaces unique values with placeholders that no other row has, so that other rows can have these values.
    func park() throws {
        let columns = entity.uniqueColumns(of: changed)
        guard !columns.isEmpty else { return }
        let own = "\"_id\" = ?\(TenantColumn.isCurrent(entity.belongsToTenant))"
        let new = zip(columns, columns.indices.map { "CAST(?\($0 + 1) AS BLOB)" })
        let tag = [entity.rowSeal?.assignment(after: Array(new))].compactMap(\.self)
        let list = (new.map { "\(SQL.quoted($0)) = \($1)" } + tag).joined(separator: ", ")
        let statement = try object.context.statement("UPDATE \(entity.written) SET \(list) WHERE \(own)")
        try statement.bind(columns.map { _ in .text("_parked.\(object.number)") } + [.integer(object.number)])
        try object.located { try statement.run() }
    }

    /// Returns all cells of the row with the new ones and the next version.
    ///
    /// - Throws: `StoreError` with the code `conflict` if the row is not the one that was read.
    func newRow(on database: any EngineConnection) throws -> [ColumnValue] {
        let names = ["_id", "_version"] + entity.insertedColumns
        let check = entity.rowSeal?.check(besides: names)
        let list = (names.map(SQL.quoted) + [check].compactMap(\.self)).joined(separator: ", ")
        let sql = "SELECT \(list) FROM \(entity.table) WHERE \"_id\" = ? AND \"_version\" = ?"
        let key: [ColumnValue] = [.integer(object.number), .integer(object.version)]
        guard let row = try database.rows(sql, key, count: names.count).first else { throw object.conflict }
        guard row.value(0) == key[0], row.value(1) == key[1] else { throw StoreError.otherRow(than: object.id) }
        var new = Dictionary(zip(entity.columns(of: changed), cells)) { first, _ in first }
        new["_version"] = .integer(object.version &+ 1)
        return names.indices.map { new[names[$0]] ?? row.value($0) }
    }

    func didWrite() {
        if !entity.uniqueText.isEmpty {
            let columns = entity.columns(of: changed)
            object.context.noteTexts(cells, in: columns, of: entity, object.number)
            object.context.noteUnchangedText(object, beside: columns)
        }
        object.context.didWrite(object, .updated, changed)
    }
}

extension StoreContext {
    /// Writes the rows of changed objects.
    ///
    /// SQLite checks uniqueness row by row, but a save may be valid only as a whole. Rows whose new values are still
    /// used by other rows are therefore written after those.
    func writeUpdates(of objects: [ManagedObject], _ connection: any EngineConnection) throws {
        var waiting: [RowUpdate] = []
        for start in stride(from: 0, to: objects.count, by: Self.batch) {
            let part = objects[start..<min(start + Self.batch, objects.count)]
            let tagged = try taggedRows(of: part, connection)
            guard try !sendUpdates(of: part, tagged, connection) else { continue }
            for object in part {
                if let update = try write(object, tagged, connection) { waiting.append(update) }
            }
        }
        guard !waiting.isEmpty else { return }
        try connection.keeping {
            guard connection.dialect.has(.statementRollback) else { return try rewrite(waiting, on: connection) }
            for update in waiting { try update.park() }
            for update in waiting { try update.withBlobs().write(on: connection) }
        }
        for update in waiting { update.didWrite() }
    }

    /// Sends the rows of changed objects to a server without waiting for each of them.
    ///
    /// - Returns: `false` if nothing was written, because a unique value is still used by another row.
    private func sendUpdates(
        of objects: ArraySlice<ManagedObject>,
        _ tagged: TaggedRows,
        _ database: any EngineConnection
    ) throws -> Bool {
        guard connection.isPipelined, objects.count > 1, objects.contains(where: \.entity.hasUniqueness),
            !objects.contains(where: \.entity.storesBlobs)
        else { return false }
        var updates: [RowUpdate] = []
        do {
            try database.keeping {
                for object in objects {
                    guard let update = try object.rowUpdate() else { continue }
                    try update.send(on: database, tagged)
                    updates.append(update)
                }
                try database.settle()
            }
        } catch let error as StoreError where error.code == .notUnique {
            return false
        }
        for update in updates { update.didWrite() }
        return true
    }

    /// Writes the row of a changed object, and returns the update if a unique value is still used by another row.
    private func write(
        _ object: ManagedObject,
        _ tagged: TaggedRows,
        _ database: any EngineConnection
    ) throws -> RowUpdate? {
        var update: RowUpdate?
        do {
            try database.attempting(if: object.entity.hasUniqueness) {
                try keepingBlobs(of: object.entity) {
                    update = try object.rowUpdate()
                    try update?.write(on: database, tagged)
                }
            }
        } catch let error as StoreError where error.code == .notUnique {
            guard let update else { throw error }
            return update
        }
        update?.didWrite()
        return nil
    }

    /// Reads the rows of objects whose tags the store computes itself.
    private func taggedRows(
        of objects: ArraySlice<ManagedObject>,
        _ connection: any EngineConnection
    ) throws -> TaggedRows {
        let sealed = objects.filter { $0.entity.rowSeal?.isInSQL == false }
        return try Dictionary(grouping: sealed, by: \.entity.index)
            .mapValues { try $0[0].entity.rowSeal?.rows($0.map(\.number), on: connection) ?? [:] }
    }

    /// Runs a closure that writes a row, and removes the blobs that it has published if it throws an error.
    ///
    /// A block may catch the error and go on. A context for editing rolls back its whole transaction.
    func keepingBlobs(of entity: StoredEntity, if isNeeded: Bool = true, _ body: () throws -> Void) throws {
        guard isNeeded, entity.storesBlobs, schema.blobs != nil, !isEditing else { return try body() }
        try database().keeping(body)
    }

    /// Writes the changes made in a block, unless objects are not complete or valid yet.
    ///
    /// In that case, what was not written stays pending, because the rest of the block may resolve that. If it does
    /// not, the end of the block throws the error.
    ///
    /// - Returns: Whether all changes were written.
    /// - Throws: Other errors of a save.
    func flushIfPossible() throws -> Bool {
        var isRefused = false
        do {
            return try succeedsIfAllowed { try flush { isRefused = true } }
        } catch let error where !(error is CancellationError) && (isRefused || Self.concernsValues(error)) {
            // After an error of its own, a server ends the transaction.
            let survives = store.engine.dialect.has(.statementRollback)
            guard survives || (try? database().integer("SELECT 1")) != nil else { throw error }
            forgetWritten()
            return false
        }
    }

    /// Forgets the pending objects that were written before an error.
    private func forgetWritten() {
        let objects = work.changed
        work.forgetUnchanged()
        release(objects)
    }

    /// Returns a Boolean value that indicates whether an object lacks a value, or has one that breaks a rule.
    private static func concernsValues(_ error: any Error) -> Bool {
        let code = (error as? StoreError)?.code
        return code == .missingValue || code == .invalidValue
    }

    /// Writes pending changes, unless a unique value would then occur twice, or a deletion is denied.
    ///
    /// In that case they stay pending, because the changes that follow may resolve that.
    ///
    /// - Parameter write: Writes the changes.
    /// - Returns: Whether all of them were written.
    /// - Throws: The errors thrown by `write`, except for `not-unique` and `deletion-denied`.
    func succeedsIfAllowed(_ write: () throws -> Void) throws -> Bool {
        do {
            try write()
            return true
        } catch let error as StoreError where [.notUnique, .deletionDenied].contains(error.code) {
            forgetWritten()
            return false
        }
    }
}
