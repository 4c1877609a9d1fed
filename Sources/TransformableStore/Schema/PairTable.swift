/// A table of pairs, with its meaning on both sides.
struct PairTable: Sendable {
    /// The entities of the objects on each side.
    var entities: [PairSide: String] = [:]
    /// The relationships that read the table from either side.
    var names: [PairSide: String] = [:]
    /// The sides with positions.
    var positions: Set<PairSide> = []
    /// Whether the pairs belong to tenants.
    var belongsToTenant = false
}

/// A side of a table of pairs, which stores a many-to-many relationship.
enum PairSide: Hashable, Sendable, CaseIterable {
    case first
    case second

    var opposite: PairSide { self == .first ? .second : .first }

    /// The column with the numbers of the objects on this side.
    var column: ColumnName { ColumnName(self == .first ? "first" : "second") }

    /// The column with the positions among the objects that are related to an object on this side.
    var positionColumn: ColumnName { ColumnName(self == .first ? "first_order" : "second_order") }
}
