/// Pairs that were added to or removed from many-to-many relationships and have not been written yet.
struct PairEdits {
    /// A pair in its table.
    struct Key: Hashable {
        let table: TableName
        let first: Int64
        let second: Int64

        /// Creates a key from the side that `number` is on.
        init(_ table: TableName, own: PairSide, _ number: Int64, _ other: Int64) {
            self.table = table
            first = own == .first ? number : other
            second = own == .first ? other : number
        }

        /// The number of the object on a side.
        subscript(side: PairSide) -> Int64 { side == .first ? first : second }
    }

    /// A change to a pair.
    struct Edit {
        var isPresent: Bool
        /// Whether the file contained the pair already, so that only its positions are written.
        ///
        /// If another context has removed the pair since, it stays removed.
        var isStored = false
        /// The pair's positions in the relationships of the objects on each side.
        var positions: [PairSide: Int64] = [:]
    }

    /// An object on a side of a table.
    private struct Member: Hashable {
        let table: TableName
        let side: PairSide
        let number: Int64
    }

    private(set) var edits: [Key: Edit] = [:]
    private var members: [Member: Set<Key>] = [:]

    var isEmpty: Bool { edits.isEmpty }

    subscript(key: Key) -> Edit? {
        get { edits[key] }
        set {
            edits[key] = newValue
            for side in PairSide.allCases {
                let member = Member(table: key.table, side: side, number: key[side])
                if newValue == nil { members[member]?.remove(key) } else { members[member, default: []].insert(key) }
            }
        }
    }

    /// Returns the edits of an object's pairs.
    func edits(_ table: TableName, own: PairSide, _ number: Int64) -> [(other: Int64, edit: Edit)] {
        (members[Member(table: table, side: own, number: number)] ?? [])
            .compactMap { key in edits[key].map { (key[own.opposite], $0) } }
    }
}

extension StoreContext {
    /// Writes the pairs that were added, and deletes those that were removed.
    func writePairs() throws {
        for (key, edit) in work.pairs.edits {
            let (numbers, positions) = ([key.first, key.second], edit.positions.values.map(\.self))
            let values = edit.isStored ? positions + numbers : numbers + positions
            let sql = edit.isStored ? move(key, edit) : edit.isPresent ? insertion(key, edit) : removal(key)
            if connection.isPipelined {
                try database().change(sql, values.map(ColumnValue.integer)) { _ = try $0.get() }
            } else {
                let statement = try statement(sql)
                try statement.bind(values.map(ColumnValue.integer))
                try statement.run()
            }
            try notePair(key)
        }
    }

    private func removal(_ key: PairEdits.Key) -> String {
        let isOwned = schema.pairTables[key.table]?.belongsToTenant == true
        let (table, isCurrent) = (TenantColumn.written(key.table, isOwned), TenantColumn.isCurrent(isOwned))
        return "DELETE FROM \(table) WHERE \"first\" = ? AND \"second\" = ?\(isCurrent)"
    }

    private func move(_ key: PairEdits.Key, _ edit: PairEdits.Edit) -> String {
        let isOwned = schema.pairTables[key.table]?.belongsToTenant == true
        let (table, isCurrent) = (TenantColumn.written(key.table, isOwned), TenantColumn.isCurrent(isOwned))
        let list = edit.positions.keys.map { "\($0.positionColumn) = ?" }.joined(separator: ", ")
        return "UPDATE \(table) SET \(list) WHERE \"first\" = ? AND \"second\" = ?\(isCurrent)"
    }

    /// Returns a Boolean value that indicates whether the file contains a pair.
    func hasStoredPair(_ key: PairEdits.Key) throws -> Bool {
        let sql = "SELECT 1 FROM \(schema.visiblePairs(key.table)) WHERE \"first\" = ? AND \"second\" = ?"
        return try !rows(sql, [.integer(key.first), .integer(key.second)], count: 1).isEmpty
    }

    private func insertion(_ key: PairEdits.Key, _ edit: PairEdits.Edit) -> String {
        let isOwned = schema.pairTables[key.table]?.belongsToTenant == true
        let columns = edit.positions.keys.map(\.positionColumn)
        let all = PairSide.allCases.map(\.column) + columns + (isOwned ? [TenantColumn.name] : [])
        let names = all.map(\.description).joined(separator: ", ")
        let values = Array(repeating: "?", count: columns.count + 2) + (isOwned ? [TenantColumn.current] : [])
        let marks = values.joined(separator: ", ")
        let updates = columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        let conflict = columns.isEmpty ? "DO NOTHING" : "DO UPDATE SET \(updates)"
        let table = TenantColumn.written(key.table, isOwned)
        let key = TenantColumn.pairKey(isOwned, store.engine.dialect)
        return "INSERT INTO \(table) (\(names)) VALUES (\(marks)) ON CONFLICT (\(key)) \(conflict)"
    }

    /// Records, for counts and observers, that a relationship has changed on both sides.
    private func notePair(_ key: PairEdits.Key) throws {
        guard let table = schema.pairTables[key.table] else { return }
        for (side, entity) in table.entities {
            let id = ObjectID(entity: entity, number: key[side])
            if schema.hasLimits { work.recount(id) }
            if saving.record.isObserved, let name = table.names[side] { saving.record.noteUpdate(id, [name]) }
        }
    }
}
