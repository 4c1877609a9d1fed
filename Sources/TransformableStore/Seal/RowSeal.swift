/// The tags of an entity's rows: the columns that they cover, and the SQL that computes, checks, and renews them.
///
/// A tag covers a row's number, its version, its tenant if it has one, and all of its cells: attributes, references,
/// positions, and projections. The article on the sealed format of the encryption plugin describes its bytes.
package struct RowSeal: Sendable {
    /// A column that a tag covers.
    package struct Column: Sendable {
        /// The number of the attribute that it stores or is computed from, or 0 for the tenant.
        package let number: UInt32
        let name: String
    }

    /// The names of the functions that an engine's connections must have.
    package enum Function {
        package static let tag = "_transformable_row_tag"
        package static let check = "_transformable_row_check"
        package static let verdict = "_transformable_row_verdict"
        package static let currentKey = "_transformable_row_key"
    }

    /// The number of bytes of a key's identifier and a tag.
    package static let sealCount = 24

    /// The column of the tags.
    package static let column = ColumnName("_mac")
    /// The declaration of the column, whose default makes room for the tag in each new row.
    static let definition = "\(column) BLOB DEFAULT X'\(String(repeating: "00", count: sealCount))'"

    package let entity: UInt32
    package let name: String
    /// The columns, in the order in which a tag covers them.
    package let columns: [Column]
    /// Whether functions and triggers compute and check the tags, rather than the store.
    let isInSQL: Bool
    /// Whether the rows belong to tenants.
    let belongsToTenant: Bool

    /// Creates the tags of an entity whose columns the file's metadata describes.
    init(_ name: String, _ entity: UInt32, _ metadata: Metadata, _ dialect: Dialect) {
        isInSQL = dialect.has(.rowTags)
        belongsToTenant = metadata.model.belongsToTenants(name)
        self.name = name
        self.entity = entity
        var columns = belongsToTenant ? [Column(number: 0, name: TenantColumn.name.name)] : []
        let projections = { (number: UInt32) in
            (metadata.projections[number] ?? [:]).keys.map { Column(number: number, name: $0) }
                .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        }
        let attributes = (metadata.attributes[entity] ?? [:]).map { Column(number: $0.value.id, name: $0.key) }
        for column in attributes { columns += [column] + projections(column.number) }
        // A compound projection has a number of its own, and its only column is that of what is computed.
        for number in (metadata.compounds[entity] ?? [:]).values { columns += projections(number) }
        let order = columns.enumerated().sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }
        self.columns = order.map(\.element)
    }

    /// Returns the tags of all entities that authenticate their rows.
    static func all(of metadata: Metadata, _ dialect: Dialect) -> [RowSeal] {
        metadata.model.entities.compactMap { entity in
            guard !entity.isAbstract, metadata.model.authenticatesRows(of: entity.name),
                let number = metadata.entities[entity.name]
            else { return nil }
            return RowSeal(entity.name, number, metadata, dialect)
        }
    }

    var table: TableName { TableName(name) }
    /// The names of the columns that a tag covers, beginning with those of the row's number and version.
    package var names: [String] { ["_id", "_version"] + columns.map(\.name) }

    /// Returns the tenant that a row belongs to, or `nil` if it belongs to none.
    ///
    /// - Parameter cells: The cells of the columns that a tag covers, beginning with the row's number and version.
    /// - Returns: The tenant.
    package func tenant(in cells: [ColumnValue]) -> Int64? {
        guard belongsToTenant, case .integer(let tenant) = cells[2] else { return nil }
        return tenant
    }

    /// Returns the arguments of a function that computes a tag.
    ///
    /// The prefix can be that of a row in a trigger.
    private func arguments(_ prefix: String = "") -> String {
        names.map { prefix + SQL.quoted($0) }.joined(separator: ", ")
    }

    /// Returns an expression for the key's identifier and a row's tag under the current key.
    private func tag(over cells: String) -> String { "\(Function.tag)(\(entity), \(cells))" }

    /// The expression for a row as it is.
    private var tag: String { tag(over: arguments()) }

    /// Returns how a statement that changes a row sets its tag, or `nil` if a trigger does.
    ///
    /// Where the store computes tags, the tag is a parameter.
    ///
    /// - Parameter changes: The columns that the statement sets, of which a tag need not cover all, and their expressions.
    /// - Returns: The assignment.
    func assignment(after changes: [(column: String, expression: String)]) -> String? {
        guard isSetByStatements else { return nil }
        guard isInSQL else { return "\(Self.column) = ?" }
        let new = Dictionary(changes.map { ($0.column, $0.expression) }) { first, _ in first }
        let cells = names.map { new[$0] ?? SQL.quoted($0) }
        return "\(Self.column) = \(tag(over: cells.joined(separator: ", ")))"
    }

    /// Returns the expression for a new row.
    ///
    /// - Parameter parameters: The parameters of the statement that are bound to the columns, including the row's number and
    ///   version. A column without one is empty in the new row, except for that of the current tenant.
    /// - Returns: The expression.
    func tag(of parameters: [String: String]) -> String {
        var parameters = parameters
        parameters[TenantColumn.name.name] = isInSQL ? TenantColumn.current : Self.currentTenant
        let cells = names.map { parameters[$0] ?? "NULL" }
        return tag(over: cells.joined(separator: ", "))
    }

    /// Returns an expression that is 1 for a row whose tag matches, and that otherwise ends the statement with an error.
    ///
    /// Where the store checks the tags, the expression is a row of the entity's number, the tag, and the cells that the
    /// statement does not select otherwise. The engine checks the tag and replaces the row with 1. The tag is thus
    /// compared with the very cells that the store gets. If the row has all cells, those that are selected otherwise must
    /// be equal.
    ///
    /// - Parameter listed: The names of the columns that the statement selects before the expression.
    /// - Returns: The expression.
    func check(besides listed: [String] = []) -> String {
        guard !isInSQL else { return check("") }
        let rest = names.filter { !listed.contains($0) }.map { SQL.quoted($0) }
        return Self.row([String(entity), Self.column.description] + rest)
    }

    /// The beginning of a row that is to be checked, up to the entity's number.
    package static let rowStart = "ARRAY[pg_catalog.record_send(ROW("

    /// Returns a row in a form that servers can send each other: an array of its bytes, because no attribute is one.
    private static func row(_ cells: [String]) -> String { "\(rowStart)\(cells.joined(separator: ", "))))]" }

    /// What stands for the current tenant in the tag of a new row, where the store computes the tag.
    package static let currentTenant = "?0"

    /// What a statement has in place of the row for rows without a tag.
    package static let exemption = "NULL::bytea[]"

    /// An expression that is 2 for a row whose tag matches, although the statement selects other cells, which are
    /// about to be written.
    ///
    /// Only where the store checks the tags.
    var checkOfPendingRow: String { Self.row(["-\(entity)", Self.column.description, arguments()]) }

    /// The beginning of the names of columns that check related rows.
    package static let relatedPrefix = "_related"
    /// What is added to the number of a related row's entity, before it is negated, so that a server cannot send such a
    /// row in place of one whose cells are compared.
    package static let relatedOffset: Int64 = 1 << 32

    /// Returns an expression that checks a row of a nested statement in the same way, of which the statement around it
    /// selects no cells.
    ///
    /// - Parameter alias: The name that the nested statement has for the entity's table.
    /// - Returns: The expression.
    func check(ofRelated alias: String) -> String {
        guard !isInSQL else { return check("\(alias).") }
        return Self.row(["-\(Self.relatedOffset + Int64(entity))", "\(alias).\(Self.column)", arguments("\(alias).")])
    }

    private func check(_ prefix: String) -> String {
        "\(Function.check)(\(entity), \(prefix)\(Self.column), \(arguments(prefix)))"
    }

    /// Returns an expression that is NULL for a row whose tag matches, and otherwise describes the fault.
    private func verdict(_ prefix: String = "") -> String {
        "\(Function.verdict)(\(entity), \(prefix)\(Self.column), \(arguments(prefix)))"
    }

    // MARK: - All rows of a table

    /// Checks every row.
    ///
    /// - Throws: `StoreError` with the code `unauthenticated-row` for the first row whose tag does not match.
    func checkAll(on connection: any EngineConnection) throws {
        guard isInSQL else { return try forEachPage(on: connection) { for row in $0 { try row.check() } } }
        try connection.run("SELECT 1 FROM \(SQL.main(table)) WHERE \(check()) = 0")
    }

    /// Returns an error for each row whose tag does not match.
    func faults(on connection: any EngineConnection) throws -> [StoreError] {
        guard isInSQL else { return try faultsOfRows(on: connection) }
        let sql = """
            SELECT "verdict" FROM (SELECT "_id", \(verdict()) AS "verdict" FROM \(SQL.main(table))) \
            WHERE "verdict" IS NOT NULL ORDER BY "_id"
            """
        return try connection.rows(sql, count: 1)
            .compactMap { row in row.text(0).flatMap(RowFault.init(text:)).map(StoreError.init(_:)) }
    }

    /// Computes the tag of every row without checking the old one.
    func renewAll(on connection: any EngineConnection) throws {
        guard isInSQL else { return try forEachPage(on: connection) { try renew($0, on: connection) } }
        try connection.run("UPDATE \(table) SET \(Self.column) = \(tag)")
    }

    /// Checks the tags under former keys, and replaces them with tags under the current key.
    ///
    /// - Returns: The number of rows.
    func renewOutdated(on connection: any EngineConnection) throws -> Int {
        guard isInSQL else { return try renewOutdatedRows(on: connection) }
        let isOutdated = "substr(\(Self.column), 1, 8) IS NOT \(Function.currentKey)()"
        let sql = "UPDATE \(table) SET \(Self.column) = \(tag) WHERE \(isOutdated) AND \(check())"
        try connection.run(sql)
        return connection.changedCount
    }

    /// Returns the number of rows for each key's identifier.
    func keys(on connection: any EngineConnection) throws -> [String: Int] {
        let bytes = "substr(\(Self.column), 1, 8)"
        let key = isInSQL ? "lower(hex(\(bytes)))" : "encode(\(bytes), 'hex')"
        let sql = "SELECT \(key), count(*) FROM \(SQL.main(table)) GROUP BY 1"
        let rows = try connection.rows(sql, count: 2).map { ($0.text(0) ?? "", Int($0.integer(1))) }
        return Dictionary(rows) { first, _ in first }
    }

    // MARK: - Every write

    private var triggers: [String] { ["check", "insert", "update"].map { SQL.quoted("_mac.\($0).\(entity)") } }

    /// Whether statements that change a row set its tag, rather than triggers.
    ///
    /// In the contexts of tenants, the name of a table stands for a view, and triggers cannot name the table otherwise.
    private var isSetByStatements: Bool { belongsToTenant || !isInSQL }

    /// Adds triggers that check each row before it changes and renew its tag afterward, whichever statement writes it.
    ///
    /// The triggers belong to the writing connection, because anyone could remove a trigger from the file.
    ///
    /// The store's own insertions include the tag, so that a new row is written once. SQLite may store a value in another
    /// form, so the tag is checked against the stored values. If statements set the tag, it is only checked, and if it does
    /// not match, the statement fails.
    func watchWrites(on connection: any EngineConnection) throws {
        guard isInSQL else { return }
        let list = arguments()
        let renewal =
            isSetByStatements
            ? "SELECT \(check("new."))" : "UPDATE \(table) SET \(Self.column) = \(tag) WHERE \"_id\" = new.\"_id\""
        let events = [
            ("BEFORE UPDATE OF \(list)", "", "SELECT \(check("old."))"),
            ("AFTER INSERT", isSetByStatements ? "" : "WHEN \(verdict("new.")) NOT NULL", renewal),
            ("AFTER UPDATE OF \(list)", "", renewal),
        ]
        for (trigger, (event, condition, body)) in zip(triggers, events) {
            try connection.run(
                """
                CREATE TEMP TRIGGER IF NOT EXISTS \(trigger) \(event) ON \(SQL.main(table)) \(condition)
                BEGIN \(body); END
                """
            )
        }
    }

    /// Removes the triggers, so that the table can be altered.
    func ignoreWrites(on connection: any EngineConnection) throws {
        guard isInSQL else { return }
        for trigger in triggers { try connection.run("DROP TRIGGER IF EXISTS temp.\(trigger)") }
    }
}
