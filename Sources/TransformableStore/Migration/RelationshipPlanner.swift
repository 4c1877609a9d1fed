internal import Transformable

/// Plans the migration of a relationship.
struct RelationshipPlanner {
    private let planner: MigrationPlanner
    private let new: RelationshipDescription
    private let table: PlannedTable

    init(_ planner: MigrationPlanner, _ relationship: RelationshipDescription, _ table: PlannedTable) {
        self.planner = planner
        new = relationship
        self.table = table
    }

    private var references: ReferenceSuccession { planner.record.references }
    private var succession: Succession { planner.succession }

    /// The reason why the relationship cannot be migrated, or `nil` if it can.
    var fault: MigrationPlanner.Fault? {
        if let reason = succession.fault(of: new.name, in: table.entity.name) { return .init(.unsupported, reason) }
        guard let fault = faults.first, planner.record.steps.isEmpty else { return nil }
        return .init(fault.error.code, fault.error.message)
    }

    private var faults: [ReferenceFaults.Fault] {
        planner.record.faults.filter { $0.entity == table.entity.name && $0.relationship == new.name }
    }

    /// Returns what happens to a relationship that can be migrated.
    func run() throws -> (outcome: MigrationPlan.Outcome, notes: [String?]) {
        let leftToSteps: [String?] = faults.map { "\($0.reason): left to a migration step" }
        guard let former else { return (.added, try [arrival, missingName] + leftToSteps) }
        let outcome: MigrationPlan.Outcome = former.name == new.name ? .kept : .renamed(from: former.name)
        return (outcome, try notes(former) + leftToSteps)
    }

    /// The relationship in the file, or `nil` if it is new.
    private var former: RelationshipDescription? {
        let name = succession.oldName(ofRelationship: new.name, in: table.entity.name)
        return before.first { $0.name == name }
    }

    /// The entity's relationships in the file.
    private var before: [RelationshipDescription] {
        table.former.map { planner.old.model.relationships(of: $0.name) } ?? []
    }

    /// Returns a note about a new relationship's references: it receives the references of its inverse, or has none.
    private var arrival: String? {
        get throws {
            guard table.former != nil else { return nil }
            let count = try count(of: links.filter { !references.sources[$0].isEmpty })
            return count == 0 ? "has no references yet" : "receives \(count.counted("reference"))"
        }
    }

    /// Returns a note about former names that are not in the file.
    ///
    /// Either the relationship existed only in versions in between, or a name is misspelled.
    private var missingName: String? {
        guard table.former != nil else { return nil }
        return MigrationPlanner.missingNames(new.renamedFrom, among: before.map(\.name))
    }

    /// The new links that contain the relationship's references.
    private var links: [Int] {
        let entity = table.entity.name
        let links = references.group(of: new.name, in: entity) + references.inverseGroup(of: new.name, in: entity)
        return Set(links).sorted()
    }

    private func count(of links: [Int]) throws -> Int {
        try links.map { try planner.count("(\(references.selection($0))) AS \"references\"") }.reduce(0, +)
    }

    // MARK: - Notes

    private func notes(_ former: RelationshipDescription) throws -> [String?] {
        let moved = try count(of: links.filter { !references.isKept($0) })
        let isOne = !former.isToMany && !new.isToMany
        return [
            succession.newName(ofEntity: former.destination) == new.destination
                ? nil : "now refers to “\(new.destination)”",
            former.isToMany == new.isToMany
                ? nil : new.isToMany ? "now to-many" : "now to-one",
            former.isOrdered == new.isOrdered ? nil : new.isOrdered ? "gets an order" : "loses its order",
            !isOne || former.isOptional == new.isOptional
                ? nil : new.isOptional ? "becomes optional" : "no longer optional",
            inverseNote(former),
            moved > 0 ? "\(moved.counted("reference")) \(moved == 1 ? "moves" : "move")" : nil,
        ]
    }

    private func inverseNote(_ former: RelationshipDescription) -> String? {
        let plan = RelationshipPlan(model: planner.old.model)
        let old = plan.inverse(of: former, in: table.former?.name ?? "")
        let inverse = RelationshipPlan(model: planner.model).inverse(of: new, in: table.entity.name)
        switch (old, inverse) {
        case (nil, let inverse?): return "gets the inverse “\(inverse.name)”"
        case (let old?, nil): return "loses its inverse “\(old.name)”"
        default: return nil
        }
    }
}
