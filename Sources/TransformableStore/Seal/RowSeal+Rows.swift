internal import Foundation

/// A row with its tag, for an engine that does not compute tags in SQL.
struct TaggedRow {
    private let seal: RowSeal
    private let tag: ColumnValue
    private let authenticator: RowAuthenticator
    /// The row's number, its version, and the cells of the columns that the tag covers.
    private let cells: [ColumnValue]

    /// - Parameters:
    ///   - row: The cells, followed by the tag.
    ///   - seal: The columns that the tag covers.
    ///   - authenticator: The keys.
    fileprivate init(_ row: PackedRow, _ seal: RowSeal, _ authenticator: RowAuthenticator) {
        self.seal = seal
        self.authenticator = authenticator
        cells = seal.names.indices.map(row.value)
        tag = row.value(cells.count)
    }

    var number: Int64 { if case .integer(let number) = cells[0] { number } else { 0 } }
    var version: Int64 { if case .integer(let version) = cells[1] { version } else { 0 } }
    /// The tenant that the row belongs to, or `nil` if it belongs to none.
    var tenant: Int64? { seal.tenant(in: cells) }

    /// Checks the tag.
    ///
    /// - Throws: `StoreError` with the code `unauthenticated-row` if it does not match.
    func check() throws {
        try StoreError.describingRows { try authenticator.check(tag, of: seal.entity, cells) }
    }

    /// Returns the tag of the row after some of its columns have changed.
    ///
    /// - Parameter changes: The new cells by the names of their columns, which may include some that no tag covers.
    /// - Returns: The cell of the tag.
    /// - Throws: `StoreError` with the code `unauthenticated-row` if the key is missing.
    func newTag(after changes: [String: ColumnValue] = [:]) throws -> ColumnValue {
        let new = zip(seal.names, cells).map { changes[$0] ?? $1 }
        return try StoreError.describingRows { .blob(try authenticator.tag(of: seal.entity, new)) }
    }
}

// What functions and triggers do elsewhere.

extension RowSeal {
    // The number of rows that one statement reads.
    private static let rowsAtOnce = 256

    private var list: String { (names + [Self.column.name]).map(SQL.quoted).joined(separator: ", ") }

    private func authenticator(_ connection: any EngineConnection) throws -> RowAuthenticator {
        guard let authenticator = connection.rowAuthenticator else { throw RowAuthenticator.misuse }
        return authenticator
    }

    /// Reads rows that are about to be changed, and checks their tags.
    ///
    /// - Parameters:
    ///   - numbers: The numbers of the rows.
    ///   - connection: The connection that changes them in the same transaction.
    /// - Returns: The rows that exist, by their numbers.
    /// - Throws: `StoreError` with the code `unauthenticated-row` for the first row whose tag does not match.
    func rows(_ numbers: [Int64], on connection: any EngineConnection) throws -> [Int64: TaggedRow] {
        let authenticator = try authenticator(connection)
        var found: [Int64: TaggedRow] = [:]
        for start in stride(from: 0, to: numbers.count, by: Self.rowsAtOnce) {
            let values = StoreContext.padded(Array(numbers[start..<min(start + Self.rowsAtOnce, numbers.count)]))
            let marks = values.map { _ in "?" }.joined(separator: ", ")
            let visible = TenantColumn.visible(table, belongsToTenant)
            let sql = "SELECT \(list) FROM \(visible) WHERE \"_id\" IN (\(marks))"
            for row in try connection.rows(sql, values.map(ColumnValue.integer), count: names.count + 1) {
                let row = TaggedRow(row, self, authenticator)
                try row.check()
                found[row.number] = row
            }
        }
        return found
    }

    /// Returns how a statement sets the tag of a row, of which it sets some columns.
    ///
    /// - Parameters:
    ///   - row: The row, where the store computes the tags, or `nil` if there is none.
    ///   - columns: The columns that the statement's first parameters are for, or `nil` for one that no tag covers.
    ///   - cells: Their new cells.
    /// - Returns: The assignment, and the values of its own parameters, or `nil` if the tag does not change.
    /// - Throws: `StoreError` with the code `unauthenticated-row` if the key is missing.
    func renewal(
        of row: TaggedRow?,
        setting columns: [String?],
        to cells: [ColumnValue]
    ) throws -> (assignment: String, values: [ColumnValue])? {
        let places = zip(columns, columns.indices).compactMap { name, index in name.map { ($0, index) } }
        guard !places.isEmpty, isInSQL || row != nil,
            let assignment = assignment(after: places.map { ($0, "?\($1 + 1)") })
        else { return nil }
        let new = Dictionary(places.map { ($0, cells[$1]) }) { first, _ in first }
        return (assignment, try row.map { [try $0.newTag(after: new)] } ?? [])
    }

    /// Calls a closure with all rows, some at a time.
    func forEachPage(
        where condition: String = "1 = 1",
        _ values: [ColumnValue] = [],
        on connection: any EngineConnection,
        _ body: ([TaggedRow]) throws -> Void
    ) throws {
        let authenticator = try authenticator(connection)
        var order = PassGuard(name)
        var next: Int64? = .min
        let sql = """
            SELECT \(list) FROM \(SQL.main(table)) WHERE "_id" >= ? AND \(condition) ORDER BY "_id" LIMIT \(Self.rowsAtOnce)
            """
        while let start = next {
            let rows = try connection.rows(sql, [.integer(start)] + values, count: names.count + 1)
                .map { TaggedRow($0, self, authenticator) }
            for row in rows { try order.advance(to: row.number) }
            next = rows.last.flatMap { $0.number == .max ? nil : $0.number + 1 }
            try body(rows)
        }
    }

    func faultsOfRows(on connection: any EngineConnection) throws -> [StoreError] {
        var faults: [StoreError] = []
        try forEachPage(on: connection) { rows in
            for row in rows {
                do {
                    try row.check()
                } catch let error as StoreError where error.code == .unauthenticatedRow {
                    faults.append(error)
                }
            }
        }
        return faults
    }

    /// Computes the tags of rows without checking the old ones.
    func renew(_ rows: [TaggedRow], on connection: any EngineConnection) throws {
        let owner = belongsToTenant ? " AND \(TenantColumn.name) = ?" : ""
        let sql = "UPDATE \(table) SET \(Self.column) = ? WHERE \"_id\" = ?\(owner)"
        for row in rows {
            try connection.own(row.tenant)
            let place = [ColumnValue.integer(row.number)] + [row.tenant.map(ColumnValue.integer)].compactMap(\.self)
            try connection.change(sql, [row.newTag()] + place) { _ = try $0.get() }
        }
        try connection.settle()
    }

    func renewOutdatedRows(on connection: any EngineConnection) throws -> Int {
        guard let key = try authenticator(connection).currentKey else { return 0 }
        var count = 0
        let keys = "substr(\(Self.column), 1, \(RowAuthenticator.keyCount))"
        let isOutdated = "\(keys) \(connection.dialect.differs) ?"
        let bytes = unsafe withUnsafeBytes(of: key.bigEndian) { unsafe Data($0) }
        try forEachPage(where: isOutdated, [.blob(bytes)], on: connection) { rows in
            for row in rows { try row.check() }
            try renew(rows, on: connection)
            count += rows.count
        }
        return count
    }
}

extension StoreError {
    /// Runs a closure, and turns a row's fault into an error.
    package static func describingRows<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let fault as RowFault {
            throw Self(fault)
        }
    }
}
