/// Collects references before the tables of a file change, and writes them to the new tables.
struct ReferenceCarrier {
    /// A column of references, and the source of its cells.
    struct Column {
        /// The column of the file that it continues.
        let kept: ColumnName?
        /// The SQL that computes a cell for a row of the old table, or `nil` to copy the cell that it had.
        let computed: String?

        /// Whether its cells are those of the column that it continues.
        var isCopied: Bool { computed == nil }

        /// The SQL that provides a cell for a row of the old table.
        var sql: String { computed ?? kept?.description ?? "NULL" }
    }

    // These tables exist only within the migration's transaction. They are in the file, because a temporary table is
    // in memory as a whole.

    /// The references of new links, by link index.
    private static let carried = SQL.main(TableName("_transformable_carried"))
    /// The references of the file's links, by link index, for the steps of a migration.
    static let former = SQL.main(TableName("_transformable_former"))

    let record: MigrationRecord
    let connection: any EngineConnection

    private var references: ReferenceSuccession { record.references }

    private func run(_ sql: String) throws {
        try connection.run(sql)
    }

    // MARK: - Before the tables change

    func collect() throws {
        let model = """
            ("link" BIGINT NOT NULL, "first" BIGINT NOT NULL, "second" BIGINT NOT NULL, "first_order" BIGINT, \
            "second_order" BIGINT)
            """
        for table in [Self.carried, Self.former] { try run("CREATE TABLE \(table) \(model)") }
        try connection.tables.replicate("_transformable_carried")
        // Created before there are rows, because SQLite would sort them in memory.
        let columns = "(\"link\", \"first\")"
        try run("CREATE INDEX main.\"_transformable_carried_first\" ON \"_transformable_carried\" \(columns)")
        try run("CREATE INDEX main.\"_transformable_former_first\" ON \"_transformable_former\" \(columns)")
        let back = "(\"link\", \"second\")"
        try run("CREATE INDEX main.\"_transformable_former_second\" ON \"_transformable_former\" \(back)")
        for index in references.new.indices where !references.isKept(index) {
            try collect(references.selection(index), as: index, in: Self.carried)
        }
        for fault in record.faults where !fault.crowd.isEmpty { try dissolve(fault) }
        if !record.steps.isEmpty {
            for link in references.moved.sorted() {
                try collect(references.old[link].selection, as: link, in: Self.former)
            }
        }
    }

    private func collect(_ selection: String, as index: Int, in table: String) throws {
        let columns = "\"first\", \"second\", \"first_order\", \"second_order\""
        try run("INSERT INTO \(table) SELECT \(index), \(columns) FROM (\(selection)) AS \"references\"")
    }

    /// Removes references where only one of several can be kept, so that a step can choose.
    private func dissolve(_ fault: ReferenceFaults.Fault) throws {
        let links = "\"link\" IN (\(fault.crowd.map(String.init).joined(separator: ", ")))"
        let (side, other) = ("\"\(fault.side)\"", fault.side == "first" ? "\"second\"" : "\"first\"")
        let pairs = "SELECT DISTINCT \(side), \(other), \"link\" FROM \(Self.carried) WHERE \(links)"
        let crowd = "SELECT \(side) FROM (\(pairs)) AS \"pairs\" GROUP BY \(side) HAVING count(*) > 1"
        try run("DELETE FROM \(Self.carried) WHERE \(links) AND \(side) IN (\(crowd))")
    }

    /// Discards what was collected.
    func discard() throws {
        for table in [Self.carried, Self.former] { try run("DROP TABLE \(table)") }
    }

    // MARK: - Columns

    /// Returns the reference columns of an entity of the new model, by name.
    func columns(of entity: String) -> [String: Column] {
        let names = references.succession.model.relationships(of: entity).map(\.name)
        let lists = names.map { columns(references.group(of: $0, in: entity)) }
        return lists.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }

    private func columns(_ group: [Int]) -> [String: Column] {
        var columns: [String: Column] = [:]
        let cells = group.map { index in
            Column(
                kept: references.keptColumn(index).map(ColumnName.init),
                computed: references.isKept(index) ? nil : cell("\"second\"", of: [index])
            )
        }
        for (index, own) in zip(group, cells) {
            guard case .column(let name, let position) = references.new[index].place else { continue }
            columns[name] = index == group.first ? filled(own, cells, references.new[index].relationship) : own
            if let position { columns[position] = positions(group) }
        }
        return columns
    }

    /// Returns a column whose missing references are filled in.
    ///
    /// A step may set them, so until then they contain a number that no object has.
    private func filled(_ own: Column, _ all: [Column], _ relationship: RelationshipDescription) -> Column {
        guard !relationship.isOptional, !record.steps.isEmpty else { return own }
        let any = (all.map(\.sql) + ["NULL"]).joined(separator: ", ")
        return Column(kept: own.kept, computed: "CASE WHEN coalesce(\(any)) IS NULL THEN 0 ELSE \(own.sql) END")
    }

    private func positions(_ group: [Int]) -> Column {
        guard group.allSatisfy(references.isKept) else {
            return Column(kept: nil, computed: cell("\"second_order\"", of: group))
        }
        let kept = group.lazy.flatMap { references.sources[$0] }
            .compactMap { source in
                guard case .column(_, let position) = references.old[source.link].place else { return nil as String? }
                return position
            }
            .first
        return Column(kept: kept.map(ColumnName.init), computed: nil)
    }

    private func cell(_ column: String, of links: [Int]) -> String {
        let list = links.map(String.init).joined(separator: ", ")
        return """
            (SELECT \(column) FROM \(Self.carried) AS "c" WHERE "c"."link" IN (\(list)) AND "c"."first" = "_id" LIMIT 1)
            """
    }

    /// Returns the columns of an entity of the file from which all references were moved.
    func emptied(of entity: String) -> Set<String> {
        var columns: Set<String> = []
        for (index, link) in references.old.enumerated() where link.first == entity && isEmptied(index) {
            guard case .column(let name, let position) = link.place else { continue }
            columns.formUnion([name, position].compactMap(\.self))
        }
        return columns
    }

    private func isEmptied(_ link: Int) -> Bool {
        (references.isCarried(link) || references.livesOn(link)) && !record.faults.contains { $0.links.contains(link) }
    }

    // MARK: - Tables of pairs

    /// Returns the tables of pairs that are dropped from the file, and whether all of their references were moved.
    var departing: [(table: String, isEmptied: Bool)] {
        let kept = keptTables
        return references.old.enumerated()
            .compactMap { index, link -> (table: String, isEmptied: Bool)? in
                guard case .pairs(let table, _, _) = link.place, !kept.contains(table) else { return nil }
                return (table, isEmptied(index))
            }
    }

    private var keptTables: Set<String> {
        let tables = references.new.indices.filter(references.isTableKept)
            .compactMap { index in
                guard case .pairs(let table, _, _) = references.new[index].place else { return nil as String? }
                return table
            }
        return Set(tables)
    }

    /// Creates the new tables of pairs, and fills them.
    func makeTables() throws {
        let plan = RelationshipPlan(model: references.succession.model)
        let made = plan.model.entities.filter { !$0.isAbstract }.flatMap(plan.pairTables)
        let statements = Dictionary(made.map { ($0.name, $0.statements) }) { first, _ in first }
        let kept = keptTables
        for (index, link) in references.new.enumerated() {
            guard case .pairs(let table, let isFirstOrdered, let isSecondOrdered) = link.place, !kept.contains(table)
            else { continue }
            for statement in statements[TableName(table)] ?? [] { try connection.tables.define(statement) }
            guard !references.sources[index].isEmpty else { continue }
            let orders = (isFirstOrdered ? ["first_order"] : []) + (isSecondOrdered ? ["second_order"] : [])
            let isOwned = plan.model.belongsToTenants(link.first)
            try fill(table, (["first", "second"] + orders).map(SQL.quoted), index, isOwned: isOwned)
        }
    }

    /// Writes the references of a new link to its table of pairs.
    private func fill(_ table: String, _ columns: [String], _ index: Int, isOwned: Bool) throws {
        // Without its object, a reference has no tenant, which the table does not accept. A server has no such references.
        let join = connection.dialect.has(.server) ? "JOIN" : "LEFT JOIN"
        let first = SQL.quoted(references.new[index].first)
        let owners = isOwned ? " \(join) \(first) AS \"own\" ON \"own\".\"_id\" = \"carried\".\"first\"" : ""
        let owner = isOwned ? [TenantColumn.name.description] : []
        let cells = columns.map { "\"carried\".\($0)" } + owner.map { "\"own\".\($0)" }
        try run(
            """
            INSERT INTO \(SQL.quoted(table)) (\((columns + owner).joined(separator: ", "))) \
            SELECT \(cells.joined(separator: ", ")) FROM \(Self.carried) AS "carried"\(owners) \
            WHERE "carried"."link" = \(index)
            """
        )
    }
}
