/// Pairs that were added to or removed from many-to-many relationships and have not been written yet.
struct PairEdits {
    /// A pair in its table.
    struct Key: Hashable {
        let table: String
        let first: Int64
        let second: Int64

        /// Creates a key from the side whose column is `own`.
        init(_ table: String, own: String, _ number: Int64, _ other: Int64) {
            self.table = table
            let isFirst = own == "\"first\""
            first = isFirst ? number : other
            second = isFirst ? other : number
        }

        /// Returns the number on the side with the given column.
        func number(_ column: String) -> Int64 { column == "\"first\"" ? first : second }
    }

    /// A change to a pair.
    struct Edit {
        var isPresent: Bool
        /// The pair's positions, by column name.
        var positions: [String: Int64] = [:]
    }

    private struct Side: Hashable {
        let table: String
        let column: String
        let number: Int64
    }

    private(set) var edits: [Key: Edit] = [:]
    private var sides: [Side: Set<Key>] = [:]

    var isEmpty: Bool { edits.isEmpty }

    subscript(key: Key) -> Edit? {
        get { edits[key] }
        set {
            edits[key] = newValue
            for column in ["\"first\"", "\"second\""] {
                let side = Side(table: key.table, column: column, number: key.number(column))
                if newValue == nil { sides[side]?.remove(key) } else { sides[side, default: []].insert(key) }
            }
        }
    }

    /// Returns the edits of an object's pairs.
    func edits(_ table: String, own: String, _ number: Int64) -> [(other: Int64, edit: Edit)] {
        let side = Side(table: table, column: own, number: number)
        let other = own == "\"first\"" ? "\"second\"" : "\"first\""
        return (sides[side] ?? []).compactMap { key in edits[key].map { (key.number(other), $0) } }
    }
}

/// An ordered relationship of an object.
struct PositionKey: Hashable {
    private let entity: Int
    private let number: Int64
    private let relationship: Int

    init(_ object: ManagedObject, _ relationship: StoredRelationship) {
        entity = object.entity.index
        number = object.number
        self.relationship = relationship.index
    }
}

/// A table of pairs, with its meaning on both sides.
struct PairTable: Sendable {
    var first = ""
    var second = ""
    /// The relationships that read the table from either side.
    var names: [String: String] = [:]
    /// The columns that contain positions.
    var positions: [String] = []
}

extension StoreContext {
    /// Writes the pairs that were added, and deletes those that were removed.
    func writePairs() throws {
        for (key, edit) in pairs.edits {
            let values = [key.first, key.second] + (edit.isPresent ? edit.positions.values.map(\.self) : [])
            let statement = try statement(edit.isPresent ? Self.insertion(key, edit) : Self.removal(key))
            try statement.bind(values.map(ColumnValue.integer))
            try statement.run()
            try notePair(key)
        }
    }

    private static func removal(_ key: PairEdits.Key) -> String {
        "DELETE FROM \(key.table) WHERE \"first\" = ? AND \"second\" = ?"
    }

    private static func insertion(_ key: PairEdits.Key, _ edit: PairEdits.Edit) -> String {
        let columns = edit.positions.keys.map(\.self)
        let names = (["\"first\"", "\"second\""] + columns).joined(separator: ", ")
        let marks = Array(repeating: "?", count: columns.count + 2).joined(separator: ", ")
        let updates = columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
        let conflict = columns.isEmpty ? "DO NOTHING" : "DO UPDATE SET \(updates)"
        return "INSERT INTO \(key.table) (\(names)) VALUES (\(marks)) ON CONFLICT \(conflict)"
    }

    /// Records, for counts and observers, that a relationship has changed on both sides.
    private func notePair(_ key: PairEdits.Key) throws {
        guard let table = schema.pairTables[key.table] else { return }
        for (entity, column) in [(table.first, "\"first\""), (table.second, "\"second\"")] {
            let id = ObjectID(entity: entity, number: key.number(column))
            if schema.hasLimits { recount(id) }
            if isObserved, let name = table.names[column] { changes.update(id, [name]) }
        }
    }
}
