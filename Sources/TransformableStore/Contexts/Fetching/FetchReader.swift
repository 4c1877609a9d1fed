/// Reads what a fetch finds in the tables of a family.
///
/// Rows are checked while they are read: what SQL could not decide is checked in Swift before rows are counted. If SQL
/// cannot sort them, they are sorted in Swift.
struct FetchReader {
    private let family: [BoundFetch]
    private let tables: [Table]
    /// Whether SQL alone decides which rows are found.
    private let isExact: Bool
    private let sortsInSQL: Bool

    /// What is computed in Swift for the rows of a table.
    private struct Table {
        let columns: ExpressionColumns
        let check: Expression.Evaluator?
        let keys: [Expression.Evaluator]

        init(_ fetch: BoundFetch, sortsInSQL: Bool) {
            var columns = ExpressionColumns()
            check = fetch.test.check.map { columns.evaluator(of: $0) }
            keys = sortsInSQL ? [] : fetch.order.map { columns.evaluator(of: $0.term) }
            self.columns = columns
        }

        /// Returns a Boolean value that indicates whether a row passes, given the columns that Swift needs.
        func passes(_ row: PackedRow) throws -> Bool {
            try check?(row).isTrue != false
        }
    }

    /// Creates a reader.
    ///
    /// - Parameter family: The fetches of the tables, which have the same limit and sort by the same keys.
    init(_ family: [BoundFetch]) {
        self.family = family
        let isExact = family.allSatisfy(\.test.isExact)
        // A statement over several tables cannot return the columns that are needed to check each of them.
        let sortsInSQL = family.allSatisfy { $0.sqlOrder != nil } && (isExact || family.count == 1)
        self.sortsInSQL = sortsInSQL
        tables = family.map { Table($0, sortsInSQL: sortsInSQL) }
        self.isExact = isExact && sortsInSQL
    }

    private var rowCut: RowCut {
        // SQL has already cut the rows.
        isExact ? RowCut(limit: nil, offset: 0) : RowCut(limit: family.first?.limit, offset: family.first?.offset ?? 0)
    }

    // MARK: - One table

    /// The fetch if it can be read as whole rows of a single table, in the order of SQL.
    var single: BoundFetch? { family.count == 1 && sortsInSQL ? family.first : nil }

    /// Calls a closure with a statement at each row that a fetch from a single table finds.
    ///
    /// - Parameters:
    ///   - list: The columns to select, which come first.
    ///   - count: The number of these columns.
    ///   - connection: The connection to read from.
    ///   - body: A closure that reads the row.
    /// - Throws: `StoreError`, and errors thrown by the closure.
    func forEachRow(
        selecting list: String,
        count: Int,
        on connection: any EngineConnection,
        _ body: (any EngineStatement) throws -> Void
    ) throws {
        guard let fetch = single, let order = fetch.sqlOrder else { return }
        let checks = fetch.namedChecks(fetch.checks.count, connection.dialect)
        let columns = [SQLFragment(list)] + checks + tables[0].columns.list
        let judged = count + checks.count
        var window = window(of: [fetch], on: connection)
        var cut = rowCut
        var mayHaveMore = true
        while mayHaveMore, !cut.isComplete {
            let statement = try connection.statement(
                """
                SELECT \(.list(columns)) FROM \(raw: fetch.entity.table) WHERE \(fetch.test.filter) \
                ORDER BY \(.list(order))\(isExact ? fetch.cut : window?.cut ?? "")
                """
            )
            defer { statement.reset() }
            var rowCount = 0
            while try !cut.isComplete && statement.step() {
                rowCount += 1
                guard try isExact || passes(statement, tables[0], from: judged), cut.takes() else { continue }
                try body(statement)
            }
            mayHaveMore = window?.advance(after: rowCount) == true
        }
    }

    /// Returns the first rows to ask a server for, or `nil` if it sends all rows that satisfy the condition in SQL.
    private func window(of fetches: [BoundFetch], on connection: any EngineConnection) -> RowWindow? {
        guard !isExact, connection.dialect.has(.server), fetches.count == 1, fetches[0].sqlOrder != nil else {
            return nil
        }
        return RowWindow(fetches[0])
    }

    private func passes(_ statement: any EngineStatement, _ table: Table, from first: Int) throws -> Bool {
        try table.check == nil || table.passes(statement.packedRow(from: first, count: table.columns.list.count))
    }

    // MARK: - Several tables

    /// Calls a closure with each row that is found.
    ///
    /// - Parameters:
    ///   - more: The names of columns to select.
    ///   - seal: Returns one more column, which checks the tag of an entity's row.
    ///   - connection: The connection to read from.
    ///   - body: A closure that is called with the rows in order.
    /// - Throws: `StoreError`, and errors thrown by the closure.
    func forEach(
        selecting more: [String] = [],
        checking seal: ((StoredEntity) -> String)? = nil,
        on connection: any EngineConnection,
        _ body: (FoundRow) throws -> Void
    ) throws {
        guard let first = family.first else { return }
        var cut = rowCut
        guard !sortsInSQL else {
            guard !cut.isComplete else { return }
            return try forEachJudged(family, selecting: more, checking: seal, on: connection) { found, _, _ in
                if cut.takes() { try body(found) }
                // The search for one more row might read all others.
                return !cut.isComplete
            }
        }
        var sorted = SortedRows(first)
        for fetch in family {
            // Only the first rows of a table in this order can be part of the result.
            var left = fetch.sqlOrder == nil ? .max : sorted.most
            try forEachJudged([fetch], selecting: more, checking: seal, on: connection) { found, table, row in
                sorted.add(found, keys: try table.keys.map { try $0(row) })
                left -= 1
                return left > 0
            }
        }
        try sorted.forEach(body)
    }

    /// Calls a closure with each row that passes, until the closure returns `false`.
    private func forEachJudged(
        _ fetches: [BoundFetch],
        selecting more: [String],
        checking seal: ((StoredEntity) -> String)?,
        on connection: any EngineConnection,
        _ body: (_ found: FoundRow, _ table: Table, _ judged: PackedRow) throws -> Bool
    ) throws {
        var window = window(of: fetches, on: connection)
        while true {
            let count = try forEachJudged(fetches, selecting: more, checking: seal, in: window, on: connection, body)
            guard let count, window?.advance(after: count) == true else { return }
        }
    }

    /// Does the same with the rows of a single statement, and returns their number, or `nil` after the closure has returned
    /// `false`.
    private func forEachJudged(
        _ fetches: [BoundFetch],
        selecting more: [String],
        checking seal: ((StoredEntity) -> String)?,
        in window: RowWindow?,
        on connection: any EngineConnection,
        _ body: (_ found: FoundRow, _ table: Table, _ judged: PackedRow) throws -> Bool
    ) throws -> Int? {
        let places = Dictionary(uniqueKeysWithValues: zip(family.map(\.entity.index), tables))
        // All rows of a single fetch are checked in the same way.
        let only = fetches.count == 1 ? places[fetches[0].entity.index] : nil
        let checkCount = fetches.map(\.checks.count).max() ?? 0
        let checks = fetches.map { $0.namedChecks(checkCount, connection.dialect) }
        // The text of a statement that checks rows has to name them first.
        let isChecked = seal != nil || checkCount > 0
        let cutsParts = isExact && fetches.count > 1 && !isChecked && connection.dialect.has(.server)
        let rows = union(fetches, selecting: more, seal, checks, cutsParts: cutsParts)
        let sql: SQLFragment = "\(rows)\(isExact ? family[0].cut : window?.cut ?? "")"
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        let start = 2 + (sortsInSQL ? fetches[0].order.count : 0)
        let judged = start + more.count + (seal == nil ? 0 : 1) + checkCount
        var count = 0
        while try statement.step() {
            count += 1
            let place = Int(statement.integer(0))
            guard let table = only ?? places[place] else { continue }
            let row = cells(of: statement, from: judged, count: table.columns.list.count)
            guard try table.passes(row) else { continue }
            let cells = cells(of: statement, from: start, count: more.count)
            let found = FoundRow(place: place, number: statement.integer(1), cells: cells)
            guard try body(found, table, row) else { return nil }
        }
        return count
    }

    /// Packs cells of a statement's row, without an allocation if there are none.
    private func cells(of statement: any EngineStatement, from first: Int, count: Int) -> PackedRow {
        count == 0 ? .empty : statement.packedRow(from: first, count: count)
    }

    /// Returns the number of objects.
    func count(on connection: any EngineConnection) throws -> Int {
        try zip(family, tables)
            .reduce(0) { count, member in
                let (fetch, table) = member
                let columns = table.check == nil ? "count(*)" : table.columns.selection
                let statement = try connection.statement(
                    "SELECT \(columns) FROM \(raw: fetch.entity.table) WHERE \(fetch.test.filter)"
                )
                defer { statement.reset() }
                var count = count
                while try statement.step() {
                    guard table.check != nil else { return count + Int(statement.integer(0)) }
                    if try passes(statement, table, from: 0) { count += 1 }
                }
                return count
            }
    }

    /// Returns a statement that selects the position of the entity, the number, the terms to sort by in SQL, further
    /// columns, those that check related rows, and the columns that Swift needs.
    ///
    /// SQLite merges tables that it reads by their indexes. PostgreSQL reads and sorts all rows, unless the statement limits
    /// the rows of each table as well.
    private func union(
        _ fetches: [BoundFetch],
        selecting more: [String],
        _ seal: ((StoredEntity) -> String)?,
        _ checks: [[SQLFragment]],
        cutsParts: Bool
    ) -> SQLFragment {
        let parts: [SQLFragment] = zip(fetches, checks)
            .map { fetch, checks in
                let head = ["\(fetch.entity.index) AS \"place\"", "\"_id\""].map { SQLFragment($0) }
                let order = sortsInSQL ? fetch.order.compactMap(\.term.sql) : []
                let sort: [SQLFragment] = order.enumerated().map { "\($1) AS \"sort\(raw: "\($0)")\"" }
                let rest = (more + [seal?(fetch.entity)].compactMap(\.self)).map { SQLFragment($0) }
                let judged = zip(family, tables).first { $0.0.entity === fetch.entity }?.1.columns.list ?? []
                let list = head + sort + rest + checks + judged
                let part: SQLFragment =
                    "SELECT \(.list(list)) FROM \(raw: fetch.entity.table) WHERE \(fetch.test.filter)"
                guard cutsParts, let cut = fetch.partCut else { return part }
                return "SELECT * FROM (\(part)\(raw: unionOrder)\(cut)) AS \"part\""
            }
        let rows: SQLFragment = "\(.list(parts, by: " UNION ALL "))\(raw: unionOrder)"
        guard !sortsInSQL, fetches.count == 1, fetches[0].limit != nil, let order = fetches[0].sqlOrder else {
            return rows
        }
        return "\(rows) ORDER BY \(.list(order))"
    }

    /// The columns to sort by, named by their positions, because any name may be that of another column.
    private var unionOrder: String {
        guard sortsInSQL else { return "" }
        let terms = family[0].order.indices.dropLast()
            .map { index in
                let hasNulls = family.contains { $0.order[index].hasNulls }
                return "\(index + 3)\(BoundFetch.direction(family[0].order[index].isDescending, hasNulls: hasNulls))"
            }
        // With several tables, the number identifies an object only along with its entity.
        let last = family.count > 1 ? ["1", "2"] : ["2"]
        return " ORDER BY " + (terms + last).joined(separator: ", ")
    }
}

/// Rows that are sorted in Swift.
private struct SortedRows {
    private let isDescending: [Bool]
    private let offset: Int
    /// The number of rows that can be part of the result.
    let most: Int
    private var rows: [(row: FoundRow, keys: [ColumnValue])] = []

    init(_ fetch: BoundFetch) {
        // The last term is the number, which follows the entity.
        isDescending = fetch.order.dropLast().map(\.isDescending)
        offset = fetch.offset
        most = fetch.limit.map { $0.addingReportingOverflow(fetch.offset) }.map { $1 ? .max : $0 } ?? .max
    }

    mutating func add(_ row: FoundRow, keys: [ColumnValue]) {
        rows.append((row, keys))
        // Keep memory use in proportion to the limit.
        guard rows.count > 1000, rows.count / 2 > most else { return }
        sort()
    }

    mutating func forEach(_ body: (FoundRow) throws -> Void) rethrows {
        sort()
        for (row, _) in rows.dropFirst(offset) { try body(row) }
    }

    private mutating func sort() {
        rows.sort { left, right in
            for index in isDescending.indices {
                let order = left.keys[index].order(to: right.keys[index])
                guard order == 0 else { return isDescending[index] ? order > 0 : order < 0 }
            }
            return (left.row.place, left.row.number) < (right.row.place, right.row.number)
        }
        if rows.count > most { rows.removeSubrange(most...) }
    }
}
