internal import Transformable

/// Plans a migration by comparing models and counting rows.
struct MigrationPlanner {
    typealias Outcome = MigrationPlan.Outcome

    let record: MigrationRecord
    let options: Store.Options
    private let connection: any EngineConnection
    let registry: TransformerRegistry
    private var resolver: SchemaResolver
    private var changes: [MigrationPlan.Change] = []
    /// The refused changes, as errors.
    private var faults: [StoreError] = []

    /// The reason why something cannot be migrated.
    struct Fault {
        let code: StoreError.Code
        let reason: String

        init(_ code: StoreError.Code, _ reason: String) {
            (self.code, self.reason) = (code, reason)
        }
    }

    init(
        _ record: MigrationRecord,
        _ registry: TransformerRegistry,
        _ options: Store.Options,
        on connection: any EngineConnection
    ) {
        self.record = record
        self.registry = registry
        self.options = options
        self.connection = connection
        resolver = SchemaResolver(model: record.succession.model, registry: registry)
    }

    var old: Metadata { record.old }
    var succession: Succession { record.succession }
    var model: Model { succession.model }

    mutating func run() throws -> MigrationPlan {
        if let fault = modelFault { refuse(.model, "", nil, Fault(fault.code, fault.description)) }
        if let fault = record.stepFault { refuse(.model, "", nil, Fault(fault.code, fault.message)) }
        for fault in succession.faults where fault.attribute == nil {
            refuse(.entity, fault.entity ?? "", nil, Fault(fault.code, fault.message))
        }
        try record.examine(connection)
        for entity in model.entities where !entity.isAbstract {
            try plan(entity)
        }
        for name in succession.droppedEntities { try planRemoval(of: name) }
        return MigrationPlan(oldVersion: old.model.version, newVersion: model.version, changes: changes)
    }

    private mutating func note(
        _ subject: MigrationPlan.Subject,
        _ entity: String,
        _ name: String?,
        _ outcome: Outcome,
        _ notes: [String?] = []
    ) {
        let notes = notes.compactMap(\.self)
        changes.append(.init(subject: subject, entity: entity, name: name, outcome: outcome, notes: notes))
    }

    private mutating func refuse(
        _ subject: MigrationPlan.Subject,
        _ entity: String,
        _ name: String?,
        _ fault: Fault
    ) {
        note(subject, entity, name, .refused(reason: fault.reason))
        faults.append(StoreError(fault.code, fault.reason, entity: entity.isEmpty ? nil : entity, attribute: name))
    }

    /// Throws an error if a change in the plan is refused.
    func requireNoFault() throws(StoreError) {
        try faults.throwFirst()
    }

    /// Returns the reason why the file cannot be migrated to the model at all.
    private var modelFault: StoreError? {
        do throws(StoreError) {
            try ModelComparison.check(model, against: old.model)
            try RelationshipPlan(model: model).requireRoomForColumns()
            try Unsupported.check(model)
            return nil
        } catch {
            return error
        }
    }
}

// MARK: - Entities

extension MigrationPlanner {
    private mutating func plan(_ entity: EntityDescription) throws {
        let attributes = resolver.attributes(of: entity) { _ in 0 }.filter { $0.cell != nil }
        let compounds = resolver.compounds(of: entity, attributes) { _ in 0 }
        guard let name = succession.oldName(of: entity), let former = old.model.entity(name) else {
            note(.entity, entity.name, nil, .added)
            let table = PlannedTable(entity: entity, former: nil, count: 0, before: [])
            planRowTags(table)
            try plan(attributes, compounds, table)
            return
        }
        let count = try count("\(SQL.quoted(name))")
        note(.entity, entity.name, nil, name == entity.name ? .kept : .renamed(from: name), [count.counted("object")])
        let before = Succession.columns(of: name, in: old.model)
        if let reason = record.tenancyFault(of: entity) {
            refuse(.entity, entity.name, nil, Fault(.unsupported, reason))
        }
        let table = PlannedTable(entity: entity, former: former, count: count, before: before)
        planRowTags(table)
        try plan(attributes, compounds, table)
        planRemovals(attributes, compounds, table)
    }

    /// Plans the tags of an entity's rows, which a migration checks before it, and renews after it.
    private mutating func planRowTags(_ table: PlannedTable) {
        let isTagged = model.authenticatesRows(of: table.entity.name)
        let wasTagged = table.former.map { old.model.authenticatesRows(of: $0.name) } ?? false
        guard isTagged || wasTagged else { return }
        let verb = table.count == 1 ? "is" : "are"
        let rows = table.count > 0 ? "\(table.count.counted("row")) \(verb) read and written" : nil
        let notes = old.model.version < model.version ? [rows, "requires a secret key"] : []
        note(.rowTags, table.entity.name, nil, isTagged ? wasTagged ? .kept : .added : .dropped, notes)
    }

    private mutating func plan(
        _ attributes: [StoredAttribute],
        _ compounds: [StoredCompound],
        _ table: PlannedTable
    ) throws {
        let names = Set(model.attributes(of: table.entity.name).map(\.name))
        for attribute in attributes where names.contains(attribute.name) {
            let former = predecessor(of: attribute, in: table)
            let planner = AttributePlanner(self, attribute, former, table)
            if let fault = try planner.fault() {
                refuse(.attribute, table.entity.name, attribute.name, fault)
            } else {
                let (outcome, notes) = try planner.run()
                note(.attribute, table.entity.name, attribute.name, outcome, notes)
            }
            plan(attribute.projections, former?.projections ?? [], table)
        }
        for relationship in model.relationships(of: table.entity.name) {
            let planner = RelationshipPlanner(self, relationship, table)
            if let fault = planner.fault {
                refuse(.relationship, table.entity.name, relationship.name, fault)
            } else {
                let (outcome, notes) = try planner.run()
                note(.relationship, table.entity.name, relationship.name, outcome, notes)
            }
        }
        let known = table.former.map { old.model.projections(of: $0.name) } ?? []
        for compound in compounds {
            let former = known.first { $0.name == compound.name }
            let isSame = former == compound.description
            plan(compound.projection, compound.name, table, isKnown: former != nil, isSame: isSame)
        }
        try planUniqueness(attributes, table)
        planIndexes(table)
    }

    /// Returns an attribute's predecessor.
    ///
    /// If a step handles a change of type, there is none, unless the values are re-encoded before the step runs.
    func predecessor(of attribute: StoredAttribute, in table: PlannedTable) -> AttributeDescription? {
        let (description, entity) = (attribute.description, table.entity.name)
        if let former = succession.predecessor(of: description, in: entity, among: table.before) { return former }
        let name = succession.oldName(of: description.name, in: entity)
        return table.before.first { $0.name == name }
            .flatMap { AttributePlanner(self, attribute, $0, table).canBeReencoded ? $0 : nil }
    }

    private mutating func planIndexes(_ table: PlannedTable) {
        let former = table.former.map { old.model.indexes(of: $0.name) } ?? []
        var kept: Set<[SortKey]> = []
        for list in model.indexes(of: table.entity.name) {
            let known = list.map { key in
                SortKey(name: oldColumn(key.name, of: table.entity.name) ?? key.name, isDescending: key.isDescending)
            }
            kept.insert(known)
            note(.index, table.entity.name, CompoundIndex.text(list), former.contains(known) ? .kept : .added)
        }
        for list in former where !kept.contains(list) {
            note(.index, table.entity.name, CompoundIndex.text(list), .dropped)
        }
    }

    private mutating func plan(
        _ projections: [StoredProjection],
        _ former: [ProjectionDescription],
        _ table: PlannedTable
    ) {
        for projection in projections {
            let known = former.first { $0.name == projection.name }
            let isSame = known?.transformer == projection.description.transformer
            plan(projection, projection.name, table, isKnown: known != nil, isSame: isSame)
        }
    }

    private mutating func plan(
        _ projection: StoredProjection,
        _ name: String,
        _ table: PlannedTable,
        isKnown: Bool,
        isSame: Bool
    ) {
        if let failure = projection.failure,
            options.unresolved == .refuse || failure.code == .revealingProjection
        {
            let reason = failure.underlying.map { "\($0)" } ?? failure.message
            return refuse(.projection, table.entity.name, name, Fault(failure.code, reason))
        }
        note(.projection, table.entity.name, name, isSame ? .kept : isKnown ? .recomputed : .added)
    }

    private mutating func planUniqueness(_ attributes: [StoredAttribute], _ table: PlannedTable) throws {
        let planner = UniquenessPlanner(self, attributes, table)
        for group in RelationshipPlan(model: model).uniqueness(of: table.entity.name) {
            let name = UniquenessPlanner.text(group)
            if let fault = try planner.fault(of: group) {
                refuse(.uniqueGroup, table.entity.name, name, fault)
            } else {
                note(.uniqueGroup, table.entity.name, name, planner.isKept(group) ? .kept : .added)
            }
        }
        for group in planner.dropped {
            note(.uniqueGroup, table.entity.name, UniquenessPlanner.text(group), .dropped)
        }
    }
}

// MARK: - What is dropped

extension MigrationPlanner {
    /// Returns the file's column that an attribute or a to-one reference continues.
    func oldColumn(_ name: String, of entity: String) -> String? {
        let references = record.references
        return succession.oldName(of: name, in: entity)
            ?? references.group(of: name, in: entity).first.flatMap(references.keptColumn)
    }

    private mutating func planRemoval(of name: String) throws {
        note(.entity, name, nil, .setAside, [try count(SQL.quoted(name)).counted("object")])
    }

    private mutating func planRemovals(
        _ attributes: [StoredAttribute],
        _ compounds: [StoredCompound],
        _ table: PlannedTable
    ) {
        guard let former = table.former else { return }
        let survivors = Set(attributes.compactMap { predecessor(of: $0, in: table)?.name })
        for attribute in table.before where !survivors.contains(attribute.name) {
            note(.attribute, table.entity.name, attribute.name, .setAside)
        }
        for relationship in old.model.relationships(of: former.name)
        where succession.newName(ofRelationship: relationship.name, in: table.entity.name) == nil {
            note(.relationship, table.entity.name, relationship.name, .setAside)
        }
        let names = attributes.flatMap { $0.projections.map(\.name) } + compounds.map(\.name)
        let known =
            table.before.flatMap { $0.projections.map(\.name) }
            + old.model.projections(of: former.name).map(\.name)
        for name in known where !names.contains(name) { note(.projection, table.entity.name, name, .dropped) }
    }
}

// MARK: - Counting

extension MigrationPlanner {
    /// Returns a note that the file has none of some former names.
    ///
    /// Either they existed only in versions in between, or one of them is misspelled.
    static func missingNames(_ former: FormerNames, among known: [String]) -> String? {
        let names = former.names.map(\.name)
        guard !names.isEmpty, !names.contains(where: known.contains) else { return nil }
        let list = names.map { "“\($0)”" }.joined(separator: " and ")
        return "\(list), which it was renamed from, \(names.count == 1 ? "is" : "are") not in the file"
    }

    func count(_ rows: String) throws -> Int {
        try Int(connection.integer("SELECT count(*) FROM \(rows)"))
    }

    /// Returns the reason why values that must be unique are not, or `nil` if they are.
    ///
    /// - Parameters:
    ///   - columns: The columns of the file. If there are none, all objects have the same values.
    ///   - fillings: The cells that replace missing ones, by column.
    ///   - table: The entity.
    /// - Returns: The reason, or `nil` if there are no duplicates.
    /// - Throws: `StoreError` if the file cannot be read.
    func duplicates(
        of columns: [String],
        filledWith fillings: [String: ColumnValue] = [:],
        _ table: PlannedTable
    ) throws -> String? {
        guard let former = table.former else { return nil }
        let count = try Duplicates(
            columns: columns,
            fillings: fillings,
            table: former.name,
            isWithinTenants: old.model.belongsToTenants(former.name)
        )
        .count(on: connection)
        return count > 0 ? Duplicates.reason(count) : nil
    }
}

/// An entity whose columns are being planned.
struct PlannedTable {
    let entity: EntityDescription
    /// The entity in the file, or `nil` if the entity is new.
    let former: EntityDescription?
    let count: Int
    /// The entity's columns in the file.
    let before: [AttributeDescription]
}
