internal import GRDB

/// What a save writes of a row that is there already.
struct RowUpdate {
    let object: ManagedObject
    let changed: [StoredAttribute]
    /// The cells of the attributes, and of what is computed of them.
    let cells: [ColumnValue]

    private var entity: StoredEntity { object.entity }

    /// Writes the cells, if the row is still the one that was read.
    ///
    /// - Throws: ``StoreError``, with ``StoreError/Code/notUnique`` if another row has a value that occurs once.
    func write(on database: Database) throws {
        let statement = try object.context.statement(entity.update(changed))
        try statement.bind(cells)
        try statement.bind(object.number, at: cells.count + 1)
        try statement.bind(object.version, at: cells.count + 2)
        try object.located { try statement.run() }
        guard database.changesCount > 0 else { throw object.conflict }
        guard entity.hasUniqueText else { return }
        object.context.noteTexts(cells, in: entity.columns(of: changed), of: entity, object.number)
    }

    /// Puts something that no row has in place of the values that occur once, so that other rows can have them.
    func park() throws {
        let columns = entity.uniqueColumns(of: changed)
        guard !columns.isEmpty else { return }
        let list = columns.map { "\(SQL.quoted($0)) = CAST(? AS BLOB)" }.joined(separator: ", ")
        let statement = try object.context.statement("UPDATE \(entity.table) SET \(list) WHERE \"_id\" = ?")
        try statement.bind(columns.map { _ in .text("_parked.\(object.number)") } + [.integer(object.number)])
        try object.located { try statement.run() }
    }

    func didWrite() {
        object.context.didWrite(object, .updated, changed)
    }
}

extension StoreContext {
    /// Writes the rows of objects that have changed.
    ///
    /// SQLite judges uniqueness row by row, and a save is judged at its end: rows whose new values others have
    /// wait until these have got theirs.
    func writeUpdates(of objects: [ManagedObject], _ database: Database) throws {
        var waiting: [RowUpdate] = []
        for object in objects {
            guard let update = try object.rowUpdate() else { continue }
            do {
                try update.write(on: database)
            } catch let error as StoreError where error.code == .notUnique {
                waiting.append(update)
                continue
            }
            update.didWrite()
        }
        guard !waiting.isEmpty else { return }
        try database.keeping {
            for update in waiting { try update.park() }
            for update in waiting { try update.write(on: database) }
        }
        for update in waiting { update.didWrite() }
    }

    /// Writes what is pending, unless a value then occurs twice that may occur once: this stays pending.
    ///
    /// - Parameter write: Writes it.
    /// - Returns: Whether all of it is written.
    /// - Throws: What `write` throws, but for ``StoreError/Code/notUnique``.
    func succeedsIfUnique(_ write: () throws -> Void) throws -> Bool {
        do {
            try write()
            return true
        } catch let error as StoreError where error.code == .notUnique {
            changed.removeAll { !$0.isNoted }
            return false
        }
    }
}
