/// Ends a pass over a table that would never end because the file is damaged.
///
/// In a damaged file, rows may not be in the order of their numbers, so a pass that continues after the last number
/// would start over. A number may also lead to a different row than the one that was read.
struct PassGuard {
    /// How often a row may be found changed although it reads the same.
    private static let repetitionsAtMost = 3
    /// The number of rows that a statement returns if others run in the meantime.
    fileprivate static let rowsAtOnce = 1000

    private let entity: String
    private var last: Int64?
    private var conflict: (number: Int64, cells: [ColumnValue])?
    private var repetitions = 0

    /// Begins a pass.
    ///
    /// - Parameters:
    ///   - entity: The name of the entity whose table is processed.
    ///   - position: The number that all rows must exceed, or `nil` if there is none.
    init(_ entity: String, after position: Int64? = nil) {
        self.entity = entity
        last = position
    }

    /// Checks the number of the next row.
    ///
    /// - Throws: `StoreError` with the code `corrupt-file` unless it is larger than the previous one.
    mutating func advance(to number: Int64) throws(StoreError) {
        guard last.map({ number > $0 }) ?? true else { throw .disordered(entity) }
        last = number
    }

    /// Records a row that was no longer there when it was to be written.
    ///
    /// - Throws: `StoreError` with the code `corrupt-file` if the row is still read as before.
    mutating func noteConflict(at number: Int64, _ cells: [ColumnValue]) throws(StoreError) {
        let isSame = conflict.map { $0.number == number && zip($0.cells, cells).allSatisfy { $0.isIdentical(to: $1) } }
        repetitions = isSame == true ? repetitions + 1 : 1
        conflict = (number, cells)
        guard repetitions <= Self.repetitionsAtMost else { throw .disordered(entity) }
    }
}

extension EngineConnection {
    /// Calls a closure with each row of an entity, in the order of their numbers.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - selection: The statement that selects the rows, without a condition. The number is the first column.
    ///   - isPaged: Whether each statement returns only some of the rows, because other statements run in the meantime.
    ///   - body: A closure that is called with the statement at each row.
    /// - Throws: `StoreError` if the rows cannot be read or are out of order, and errors thrown by the closure.
    func forEachRow(
        of entity: StoredEntity,
        _ selection: String,
        inPages isPaged: Bool,
        _ body: (any EngineStatement) throws -> Void
    ) throws {
        let (start, end) = isPaged ? (" WHERE \"_id\" >= ?", " LIMIT \(PassGuard.rowsAtOnce)") : ("", "")
        let statement = try statement("\(selection)\(start) ORDER BY \"_id\"\(end)", cached: false)
        var order = PassGuard(entity.name)
        var next: Int64? = .min
        while let first = next {
            next = nil
            defer { statement.reset() }
            if isPaged { try statement.bind(first, at: 1) }
            while try statement.step() {
                let number = statement.integer(0)
                try order.advance(to: number)
                try body(statement)
                next = isPaged && number != .max ? number + 1 : nil
            }
        }
    }
}

extension StoreContext {
    /// Calls a closure with each row of an entity, in the order of their numbers.
    ///
    /// The rows of a server's statement would wait in memory when another statement runs.
    func forEachRow(
        of entity: StoredEntity,
        selecting list: String,
        _ body: (any EngineStatement) throws -> Void
    ) throws {
        let selection = "SELECT \(list) FROM \(entity.table)"
        try database().forEachRow(of: entity, selection, inPages: connection.isPipelined, body)
    }
}

extension StoreError {
    fileprivate static func disordered(_ entity: String) -> Self {
        let ways = "restore it from a backup, or rescue its rows with “.recover” of the sqlite3 shell"
        return Self(.corruptFile, "the file is damaged: its rows are out of order; \(ways)", entity: entity)
    }
}
