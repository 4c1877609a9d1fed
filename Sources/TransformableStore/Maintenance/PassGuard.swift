/// Ends a pass over a table that would never end because the file is damaged.
///
/// In a damaged file, rows may not be in the order of their numbers, so a pass that continues after the last number
/// would start over. A number may also lead to a different row than the one that was read.
struct PassGuard {
    /// How often a row may be found changed although it reads the same.
    private static let repetitionsAtMost = 3

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

extension StoreError {
    fileprivate static func disordered(_ entity: String) -> Self {
        let ways = "restore it from a backup, or rescue its rows with “.recover” of the sqlite3 shell"
        return Self(.corruptFile, "the file is damaged: its rows are out of order; \(ways)", entity: entity)
    }
}
