internal import Foundation

/// A context's pending changes as common table expressions, for an engine without views of them.
///
/// An expression has the name of a table and takes precedence over it. It contains the table's pending rows, which are
/// sent along with each statement, and all other rows of the table. Unlike a view, it needs no privilege and no
/// transaction that writes.
struct PendingExpressions {
    // Engines limit the number of parameters of a statement to 65,535.
    private static let mostValues = 60_000

    /// The tables with pending changes.
    private(set) var tables: Set<TableName> = []
    private var expressions: [SQLFragment] = []

    /// Creates the expressions of a context's pending changes.
    ///
    /// - Throws: `StoreError` with the code `limit-exceeded` if there are too many changes to send.
    init(_ context: StoreContext) throws {
        for (index, objects) in Dictionary(grouping: context.work.changed, by: \.entity.index) {
            add(objects.filter { $0.state != .gone }, of: context.schema.entities[index])
        }
        // Conditions do not see the positions of pairs.
        let edits = context.work.pairs.edits.filter { !$0.value.isStored }
        for (table, edits) in Dictionary(grouping: edits, by: \.key.table) {
            let visible = context.schema.visiblePairs(table)
            add(edits.map { (pair: $0.key, isPresent: $0.value.isPresent) }, to: table, visible)
        }
        guard list.values.count <= Self.mostValues else {
            throw StoreError(.limitExceeded, "there are too many unsaved changes for a fetch; save them first")
        }
    }

    /// The expressions, as they follow `WITH` in a statement that uses them.
    var list: SQLFragment { .list(expressions) }

    private mutating func add(_ objects: [ManagedObject], of entity: StoredEntity) {
        guard !objects.isEmpty else { return }
        let columns = ["_id", "_version"] + entity.insertedColumns
        let own = columns.map(SQL.quoted).joined(separator: ", ")
        // Citus uses the names in the first of several queries instead of those of the expression.
        let list = entity.rowSeal.map { "\(own), \($0.check()) AS \(RowSeal.column)" } ?? own
        let numbers = objects.map { "\($0.number)" }.joined(separator: ", ")
        let unchanged: SQLFragment =
            "SELECT \(raw: list) FROM \(raw: entity.visible) WHERE \"_id\" NOT IN (\(raw: numbers))"
        let rows = PendingRows(of: entity, columns)
        define(
            entity.table,
            entity.rowSeal == nil ? own : "\(own), \(RowSeal.column)",
            [unchanged] + rows.new(objects.filter { $0.state == .inserted })
                + rows.changed(objects.filter { $0.state == .stored })
        )
    }

    private mutating func add(
        _ edits: [(pair: PairEdits.Key, isPresent: Bool)],
        to table: TableName,
        _ visible: String
    ) {
        let list = "\"first\", \"second\""
        let pairs = edits.map { "(\($0.pair.first), \($0.pair.second))" }.joined(separator: ", ")
        let unchanged = "SELECT \(list) FROM \(visible) WHERE (\(list)) NOT IN (VALUES \(pairs))"
        let added = edits.filter(\.isPresent).map { "(\($0.pair.first), \($0.pair.second))" }
        let values = added.isEmpty ? [] : ["VALUES \(added.joined(separator: ", "))"]
        define(table, list, ([unchanged] + values).map { SQLFragment($0) })
    }

    private mutating func define(_ table: TableName, _ list: String, _ parts: [SQLFragment]) {
        tables.insert(table)
        expressions.append("\(raw: table) (\(raw: list)) AS (\(.list(parts, by: " UNION ALL ")))")
    }
}

/// A connection whose statements see pending changes in place of the tables that have any.
///
/// A statement that names the table of the database itself sees that.
final class PendingConnection: EngineConnection {
    private let base: any EngineConnection
    private let expressions: PendingExpressions
    private let list: SQLFragment

    init(_ base: any EngineConnection, _ expressions: PendingExpressions) {
        self.base = base
        self.expressions = expressions
        list = expressions.list
    }

    func statement(_ sql: String, cached isCached: Bool) throws -> any EngineStatement {
        guard sql.hasPrefix("SELECT "), expressions.tables.contains(where: { Self.reads($0, sql) }) else {
            return try base.statement(sql, cached: isCached)
        }
        return try prepare("WITH \(list.text) \(sql)")
    }

    /// The names of tables in a program's own statement need not be quoted, so it gets all expressions.
    func ownStatement(_ sql: String) throws -> any EngineStatement {
        let first = FirstWord(of: sql[...])
        switch first.text {
        case "SELECT", "VALUES": return try prepareOwn("WITH \(list.text) \(sql)")
        case "WITH":
            let second = FirstWord(of: first.rest)
            guard second.text == "RECURSIVE" else { return try prepareOwn("WITH \(list.text), \(first.rest)") }
            return try prepareOwn("WITH RECURSIVE \(list.text), \(second.rest)")
        // The plan of EXPLAIN contains no rows.
        default: return try base.ownStatement(sql)
        }
    }

    private func prepare(_ sql: String) throws -> any EngineStatement {
        try PendingStatement(base.statement(sql, cached: false), list.values)
    }

    private func prepareOwn(_ sql: String) throws -> any EngineStatement {
        try PendingStatement(base.ownStatement(sql), list.values)
    }

    /// Returns a Boolean value that indicates whether a statement names a table without the database.
    private static func reads(_ table: TableName, _ sql: String) -> Bool {
        sql.replacing(SQL.main(table), with: "").contains(table.description)
    }

    var path: String { base.path }
    var dialect: Dialect { base.dialect }
    var changedCount: Int { base.changedCount }
    var totalChangedCount: Int { base.totalChangedCount }
    var lastInsertedNumber: Int64 { base.lastInsertedNumber }
    var argumentLimit: Int { base.argumentLimit }
    var mayHaveDanglingReferences: Bool { base.mayHaveDanglingReferences }
    var rowAuthenticator: RowAuthenticator? { base.rowAuthenticator }
    var embedded: (any EmbeddedConnection)? { base.embedded }
    var tables: any TableEditor { base.tables }
    var pieces: (any PieceStorage)? { base.pieces }
    var tenants: (any TenantLimiter)? { base.tenants }

    func cell(_ column: String, of table: String, number: Int64) throws(StoreError) -> any EngineCell {
        try base.cell(column, of: table, number: number)
    }

    func transaction(_ kind: EngineTransaction.Kind?, _ body: () throws -> EngineTransaction.Completion) throws {
        try base.transaction(kind, body)
    }

    func readingOnly<Result>(_ body: () throws -> Result) throws -> Result {
        try base.readingOnly(body)
    }

    func notify(_ observer: any TransactionEndObserver) {
        base.notify(observer)
    }

    func header() throws -> EngineHeader { try base.header() }
    func filePath() throws -> String { try base.filePath() }
    func computedTables() throws -> [(table: String, column: String?)] { try base.computedTables() }
    func tableFaults() throws -> [StoreError] { try base.tableFaults() }
    func schemaVersion() throws -> Int64 { try base.schemaVersion() }
    func advanceSchemaVersion() throws { try base.advanceSchemaVersion() }

    func lastNumber(of table: String) throws -> Int64 { try base.lastNumber(of: table) }

    func recordNumber(_ last: Int64, of table: String) throws {
        try base.recordNumber(last, of: table)
    }

    func reserveNumbers(_ count: Int64, of table: String) throws -> Int64? {
        try base.reserveNumbers(count, of: table)
    }

    func countStatements(_ body: (@Sendable () -> Void)?) {
        base.countStatements(body)
    }
}

/// A statement whose first parameters have their values already.
private final class PendingStatement: EngineStatement {
    private let base: any EngineStatement
    private let count: Int

    init(_ base: any EngineStatement, _ values: [ColumnValue]) throws {
        self.base = base
        count = values.count
        for (index, value) in values.enumerated() { try base.bind(value, at: index + 1) }
    }

    var isReadOnly: Bool { base.isReadOnly }
    var parameterCount: Int { base.parameterCount - count }
    var columnNames: [String] { base.columnNames }

    func step() throws -> Bool { try base.step() }
    func reset() { base.reset() }
    func bind(_ value: ColumnValue, at index: Int) throws { try base.bind(value, at: count + index) }
    func bind(_ number: Int64, at index: Int) throws { try base.bind(number, at: count + index) }
    func bind(_ text: String, at index: Int) throws { try base.bind(text, at: count + index) }
    func integer(_ index: Int) -> Int64 { base.integer(index) }
    func packedRow(from first: Int, count: Int) -> PackedRow { base.packedRow(from: first, count: count) }
}
