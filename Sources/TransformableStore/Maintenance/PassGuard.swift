/// Ends a pass over a table that a damaged file would never let end.
///
/// In a damaged file rows may come in another order than that of their numbers, so that a pass which goes on after
/// the last number begins anew, and a number may lead to another row than the one that was read.
struct PassGuard {
    /// How often a row may be found changed although it reads as before.
    private static let repetitionsAtMost = 3

    private let entity: String
    private var last: Int64
    private var conflict: (number: Int64, cells: [ColumnValue])?
    private var repetitions = 0

    /// Begins a pass.
    ///
    /// - Parameters:
    ///   - entity: The name of the entity whose table it goes through.
    ///   - position: The number that all rows come after.
    init(_ entity: String, after position: Int64 = .min) {
        self.entity = entity
        last = position
    }

    /// Takes the number of the next row.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/corruptFile`` unless it is larger than the one before.
    mutating func advance(to number: Int64) throws(StoreError) {
        guard number > last else { throw .disordered(entity) }
        last = number
    }

    /// Takes a row that was no longer there when it was to be written.
    ///
    /// - Throws: ``StoreError`` with ``StoreError/Code/corruptFile`` if it keeps being read as it was.
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
        return Self(.corruptFile, "the file is damaged: its rows do not follow their numbers; \(ways)", entity: entity)
    }
}
