internal import Transformable

/// Plans the unique groups of an entity, including those that it inherits.
struct UniquenessPlanner {
    /// The values of a member of a group after the migration, before its steps.
    private enum Member {
        /// Those of the file's column, with the same value for all objects that have none, if it is filled.
        case column(String, filling: ColumnValue?)
        /// The same value for all objects.
        case constant
    }

    private let planner: MigrationPlanner
    private let attributes: [StoredAttribute]
    private let table: PlannedTable
    /// The unique groups of the entity in the file.
    private let former: [[String]]

    init(_ planner: MigrationPlanner, _ attributes: [StoredAttribute], _ table: PlannedTable) {
        self.planner = planner
        self.attributes = attributes
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

    /// Returns the reason why the values of a group would not be unique, or `nil` if they would.
    func fault(of group: [String]) throws -> MigrationPlanner.Fault? {
        let members = try group.compactMap(member)
        // A value that is missing, or that is not known yet, is not equal to any other.
        guard members.count == group.count else { return nil }
        var columns: [String] = []
        var fillings: [String: ColumnValue] = [:]
        for case .column(let name, let filling) in members {
            columns.append(name)
            fillings[name] = filling
        }
        let getsDefault = columns.count < group.count || !fillings.isEmpty
        guard getsDefault || !isKept(group),
            let reason = try planner.duplicates(of: columns, filledWith: fillings, table)
        else { return nil }
        return .init(.notUnique, getsDefault ? "\(reason), because objects get the same default" : reason)
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

// MARK: - Members

extension UniquenessPlanner {
    /// Returns the values of a member of a group, or `nil` if they are missing, not known yet, or different for each object.
    private func member(_ name: String) throws -> Member? {
        if let owner = attributes.first(where: { $0.projections.contains { $0.name == name } }) {
            return isComputedAsBefore(name, of: owner) ? .column(name, filling: nil) : nil
        }
        guard let attribute = attributes.first(where: { $0.name == name }),
            !planner.model.relationships(of: table.entity.name).contains(where: { $0.name == name })
        else {
            return planner.oldColumn(name, of: table.entity.name).map { .column($0, filling: nil) }
        }
        guard let former = predecessor(of: attribute) else {
            return try attribute.description.isOptional || sharedValue(of: attribute) == nil ? nil : .constant
        }
        let isFilled = former.isOptional && !attribute.description.isOptional
        return .column(former.name, filling: try isFilled ? sharedValue(of: attribute) : nil)
    }

    private func predecessor(of attribute: StoredAttribute) -> AttributeDescription? {
        planner.predecessor(of: attribute, in: table)
    }

    /// Returns a Boolean value that indicates whether the file's column of a projection contains what will be computed.
    private func isComputedAsBefore(_ name: String, of owner: StoredAttribute) -> Bool {
        let new = owner.projections.first { $0.name == name }?.description.transformer
        let old = predecessor(of: owner)?.projections.first { $0.name == name }?.transformer
        return new == old
    }

    /// Returns the cell that all objects without a value of an attribute get, or `nil` if there is none or if each object gets
    /// another one.
    private func sharedValue(of attribute: StoredAttribute) throws -> ColumnValue? {
        guard attribute.description.derivation == nil,
            let initial = TableRebuild.initialValue(of: attribute, in: table.entity), !initial.differs
        else { return nil }
        return try attribute.encode(initial.make(), in: .none, checkingRules: false)
    }
}
