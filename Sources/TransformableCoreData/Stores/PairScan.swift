internal import TransformableSQLite
internal import TransformableStore

/// A pass over the table of a many-to-many relationship.
struct PairScan {
    /// An object of a pair.
    struct Object {
        let number: Int64
        /// The number of the object's entity, or `nil` if the object does not exist.
        let entity: Int64?
    }

    /// A reference from one object to another.
    struct Pair {
        let owner: Object
        let related: Object
        /// The related object's position, or `nil` if it has none.
        let position: Int64?
        /// The owner's position among those of the related object, or `nil` if it has none.
        let backPosition: Int64?

        /// The reference of the inverse relationship.
        var reversed: Self {
            Self(owner: related, related: owner, position: backPosition, backPosition: position)
        }
    }

    private static let columnCount = 6
    private let sql: String?

    /// Prepares a pass.
    ///
    /// - Parameters:
    ///   - pair: The table.
    ///   - layout: The layout of the store.
    ///   - tables: The columns that each table has. Others read as if they were empty.
    init(_ pair: PairPlace, _ layout: CoreDataLayout, _ tables: [String: Set<String>]) {
        guard let columns = tables[pair.names[0]], let owners = layout.places[pair.first.entity]?.table,
            let members = layout.places[pair.second.entity]?.table, tables[owners] != nil, tables[members] != nil
        else {
            sql = nil
            return
        }
        func column(_ name: PairPlace.Name?) -> String {
            guard let name = name?.text, columns.contains(name) else { return "NULL" }
            return "\"pair\".\(SQL.quoted(name))"
        }
        func entity(_ table: String, _ key: String) -> String {
            let number = layout.entityOrCell("Z_ENT", of: "row", in: table)
            let table = SQL.quoted(table)
            return "(SELECT \(number) FROM \(table) AS \"row\" WHERE \"row\".\"Z_PK\" = \(key))"
        }
        let (owner, member) = (column(pair.second.column), column(pair.first.column))
        let expressions = [
            owner, member, entity(owners, owner), entity(members, member), column(pair.first.order),
            column(pair.second.order),
        ]
        let table = SQL.quoted(pair.names[0])
        sql = "SELECT \(expressions.joined(separator: ", ")) FROM \(table) AS \"pair\" NOT INDEXED"
    }

    /// Passes all pairs to a closure.
    func run(_ reader: ForeignReader, _ body: (Pair) throws -> Void) throws {
        guard let sql else { return }
        try reader.forEachRow(sql, count: Self.columnCount) { row in
            let cells = (0..<Self.columnCount).map { row.kind($0) == .integer ? row.integer($0) : nil }
            guard let owner = cells[0], let related = cells[1] else { return true }
            try body(
                Pair(
                    owner: Object(number: owner, entity: cells[2]),
                    related: Object(number: related, entity: cells[3]),
                    position: cells[4],
                    backPosition: cells[5]
                )
            )
            return true
        }
    }
}
