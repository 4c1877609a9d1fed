internal import TransformableSQLite
internal import TransformableStore

/// A pass over the table of a root entity, which all entities that inherit from it share.
///
/// It reads whole rows, because the table of a damaged file can be endless, and only rows that are returned are
/// counted.
struct TableScan {
    /// The columns of a to-one reference in the rows of a scan.
    struct Reference {
        let column: EntityPlace.ReferenceColumn
        let value: Int
        /// The number of the related object's entity, or no value if the object does not exist.
        let target: Int
        let order: Int?
        /// The reference back, if the inverse is a to-one relationship.
        let back: Int?

        /// Returns the number of the related object's entity, or `nil` if there is no object that can be adopted.
        ///
        /// Rows whose numbers are not positive are not adopted.
        func entity(in row: PackedRow) -> Int64? {
            guard row.kind(value) == .integer, row.integer(value) > 0, row.kind(target) == .integer else { return nil }
            return row.integer(target)
        }
    }

    /// The columns of a to-many relationship without an inverse.
    struct Stray {
        let place: StrayPlace
        let value: Int
        let target: Int
        let order: Int?
    }

    static let number = 0
    /// The number of the row's entity.
    static let entity = 1
    static let saves = 2

    private let table: String
    /// The entities with objects in the table, by number.
    let entities: [Int64: EntityPlace]
    private(set) var strays: [Stray] = []
    private var expressions: [String]
    private var indexes: [String: Int] = [:]
    private let layout: CoreDataLayout
    private let tables: [String: Set<String>]

    /// Prepares a pass.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - layout: The layout of the store.
    ///   - tables: The columns that each table has. Others read as if they were empty.
    init(_ table: String, _ layout: CoreDataLayout, _ tables: [String: Set<String>]) {
        self.table = table
        self.layout = layout
        self.tables = tables
        let entity = layout.soleEntity(of: table).map(String.init) ?? "\"row\".\"Z_ENT\""
        expressions = ["\"row\".\"Z_PK\"", entity, "\"row\".\"Z_OPT\""]
        let places = layout.places.values.filter { $0.table == table }
        entities = Dictionary(places.map { ($0.number, $0) }) { first, _ in first }
        for stray in layout.strays where stray.table == table {
            guard let owner = layout.places[stray.entity]?.table else { continue }
            strays.append(
                Stray(
                    place: stray,
                    value: index(of: stray.column),
                    target: looked("Z_ENT", in: owner, by: stray.column),
                    order: stray.order.map { index(of: $0) }
                )
            )
        }
    }

    /// Returns the index of a column in the rows.
    mutating func index(of column: String) -> Int {
        if let index = indexes[column] { return index }
        let index = add(has(column, in: table) ? "\"row\".\(SQL.quoted(column))" : "NULL")
        indexes[column] = index
        return index
    }

    /// Returns the indexes of a reference's columns in the rows.
    mutating func reference(_ reference: EntityPlace.ReferenceColumn) -> Reference {
        let destination = layout.places[reference.relationship.destination]
        let table = destination?.table ?? table
        let back = destination?.references.first { $0.relationship.name == reference.relationship.inverse }
        return Reference(
            column: reference,
            value: index(of: reference.column),
            target: looked("Z_ENT", in: table, by: reference.column),
            order: reference.order.map { index(of: $0) },
            back: back.map { looked($0.column, in: table, by: reference.column) }
        )
    }

    /// Returns the index of a column of the row that a reference leads to.
    private mutating func looked(_ column: String, in other: String, by key: String) -> Int {
        guard has(key, in: table), has(column, in: other) else { return add("NULL") }
        let found = layout.entityOrCell(column, of: "other", in: other)
        let source = "SELECT \(found) FROM \(SQL.quoted(other)) AS \"other\""
        let expression = "(\(source) WHERE \"other\".\"Z_PK\" = \"row\".\(SQL.quoted(key)))"
        if let index = indexes[expression] { return index }
        let index = add(expression)
        indexes[expression] = index
        return index
    }

    /// Returns a Boolean value that indicates whether the store has a column that the layout expects.
    private func has(_ column: String, in table: String) -> Bool { tables[table]?.contains(column) ?? false }

    private mutating func add(_ expression: String) -> Int {
        expressions.append(expression)
        return expressions.count - 1
    }

    /// Passes all rows to a closure, in the order of their numbers.
    ///
    /// - Parameters:
    ///   - reader: Reads the store.
    ///   - body: A closure that receives the cells of a row, and returns whether to continue.
    /// - Throws: `CoreDataError` with the code `damaged-store` if the rows are out of order, and
    ///   errors thrown by the closure.
    func run(_ reader: ForeignReader, _ body: (PackedRow) throws -> Bool) throws {
        guard ["Z_PK", "Z_ENT", "Z_OPT"].allSatisfy({ has($0, in: table) }) else { return }
        let sql = """
            SELECT \(expressions.joined(separator: ", ")) FROM \(SQL.quoted(table)) AS "row" NOT INDEXED \
            ORDER BY "row"."Z_PK"
            """
        var last: Int64?
        try reader.forEachRow(sql, count: expressions.count) { row in
            let number = row.integer(Self.number)
            guard row.kind(Self.number) == .integer, last.map({ number > $0 }) ?? true else {
                throw CoreDataError(.damagedStore, "the rows of “\(table)” are out of order; restore a backup")
            }
            last = number
            return try body(row)
        }
    }
}

extension CoreDataLayout {
    /// Returns the expression for a cell of another row, or for the number of its entity.
    func entityOrCell(_ column: String, of alias: String, in table: String) -> String {
        let cell = "\"\(alias)\".\(SQL.quoted(column))"
        return column == "Z_ENT" ? soleEntity(of: table).map(String.init) ?? cell : cell
    }
}
