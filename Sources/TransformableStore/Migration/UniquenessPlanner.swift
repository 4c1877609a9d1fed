/// Plans the unique groups of an entity, including those that it inherits.
struct UniquenessPlanner {
    private let planner: MigrationPlanner
    private let table: PlannedTable
    /// The unique groups of the entity in the file.
    private let former: [[String]]

    init(_ planner: MigrationPlanner, _ table: PlannedTable) {
        self.planner = planner
        self.table = table
        let plan = RelationshipPlan(model: planner.old.model)
        former = table.former.map { plan.uniqueness(of: $0.name) } ?? []
    }

    /// The groups of the file that the new model lacks.
    var dropped: [[String]] {
        let groups = RelationshipPlan(model: planner.model).uniqueness(of: table.entity.name)
        let known = Set(groups.compactMap(oldColumns))
        return former.filter { !known.contains($0) }
    }

    /// Returns a Boolean value that indicates whether the file already enforces a group.
    ///
    /// A file that is not migrated stays as it is, even if it comes from an earlier version that did not enforce all groups.
    func isKept(_ group: [String]) -> Bool {
        guard let columns = oldColumns(group), former.contains(columns), let entity = table.former else { return false }
        let isMigrated = planner.old.model.version < planner.model.version
        return !isMigrated || planner.record.enforces(columns, of: entity.name)
    }

    /// Returns the reason why the values of a group cannot be unique, or `nil` if they can.
    func fault(of group: [String]) throws -> MigrationPlanner.Fault? {
        guard !isKept(group) else { return nil }
        // A column that is new and has no value is not equal to any other.
        let columns = group.compactMap { planner.oldColumn($0, of: table.entity.name) }
        guard columns.count == group.count else { return nil }
        return try planner.duplicates(of: columns, table).map { .init(.notUnique, $0) }
    }

    /// Returns the file's columns for a group, or `nil` if it lacks one.
    private func oldColumns(_ group: [String]) -> [String]? {
        let columns = group.compactMap(oldColumn)
        return columns.count == group.count ? columns : nil
    }

    /// Returns the file's column for an attribute, a to-one relationship, or a projection.
    private func oldColumn(_ name: String) -> String? {
        if let column = planner.oldColumn(name, of: table.entity.name) { return column }
        return table.before.flatMap(\.projections).first { $0.name == name }?.name
    }

    /// Returns a group as it appears in plans: `(ward, born)`.
    static func text(_ group: [String]) -> String {
        "(\(group.joined(separator: ", ")))"
    }
}
