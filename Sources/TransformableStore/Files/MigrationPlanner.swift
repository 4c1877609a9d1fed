internal import GRDB
internal import Transformable

/// Finds out what a migration will do, by comparing models and counting rows.
struct MigrationPlanner {
    typealias Outcome = MigrationPlan.Outcome

    let succession: Succession
    let options: Store.Options
    let database: Database
    private let registry: TransformerRegistry
    private var resolver: SchemaResolver
    private var changes: [MigrationPlan.Change] = []

    init(
        _ succession: Succession,
        _ registry: TransformerRegistry,
        _ options: Store.Options,
        on database: Database
    ) {
        self.succession = succession
        self.registry = registry
        self.options = options
        self.database = database
        resolver = SchemaResolver(model: succession.model, registry: registry)
    }

    var old: Metadata { succession.old }
    var model: Model { succession.model }

    mutating func run() throws -> MigrationPlan {
        if let reason = versionFault { note(.model, "", nil, .refused(reason: reason)) }
        for entity in model.entities where !entity.isAbstract {
            try plan(entity)
        }
        for (name, _) in succession.droppedEntities { try planRemoval(of: name) }
        planPairs()
        return MigrationPlan(oldVersion: old.model.version, newVersion: model.version, changes: changes)
    }

    mutating func note(
        _ subject: MigrationPlan.Subject,
        _ entity: String,
        _ name: String?,
        _ outcome: Outcome,
        _ notes: [String?] = []
    ) {
        let notes = notes.compactMap(\.self)
        changes.append(.init(subject: subject, entity: entity, name: name, outcome: outcome, notes: notes))
    }

    /// Why the model as a whole cannot be the file's.
    private var versionFault: String? {
        do throws(StoreError) {
            try ModelComparison.check(model, against: old.model)
            return nil
        } catch {
            return error.description
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
            try plan(attributes, compounds, table)
            return
        }
        let count = try count("\(SQL.quoted(name))")
        note(.entity, entity.name, nil, name == entity.name ? .kept : .renamed(from: name), [count.counted("object")])
        let before = Succession.columns(of: name, in: old.model)
        let table = PlannedTable(entity: entity, former: former, count: count, before: before)
        try plan(attributes, compounds, table)
        planRemovals(attributes, compounds, table)
    }

    private mutating func plan(
        _ attributes: [StoredAttribute],
        _ compounds: [StoredCompound],
        _ table: PlannedTable
    ) throws {
        let destinations = destinations(in: model, table.entity.name)
        for attribute in attributes where !attribute.description.isInternal {
            let subject: MigrationPlan.Subject = destinations[attribute.name] == nil ? .attribute : .relationship
            let former = succession.predecessor(of: attribute.description, in: table.before)
            let (outcome, notes) = try AttributePlanner(self, attribute, former, table).run()
            note(subject, table.entity.name, attribute.name, outcome, notes)
            plan(attribute.projections, former?.projections ?? [], table)
        }
        let known = table.former.map { old.model.projections(of: $0.name) } ?? []
        for compound in compounds {
            let former = known.first { $0.name == compound.name }
            let isSame = former == compound.description
            note(.projection, table.entity.name, compound.name, computed(compound.projection, former != nil, isSame))
        }
        try planUniqueness(table)
    }

    private mutating func plan(
        _ projections: [StoredProjection],
        _ former: [ProjectionDescription],
        _ table: PlannedTable
    ) {
        for projection in projections {
            let known = former.first { $0.name == projection.name }
            let isSame = known?.transformer == projection.description.transformer
            note(.projection, table.entity.name, projection.name, computed(projection, known != nil, isSame))
        }
    }

    private func computed(_ projection: StoredProjection, _ isKnown: Bool, _ isSame: Bool) -> Outcome {
        if let failure = projection.failure, options.unresolved == .refuse {
            return .refused(reason: failure.underlying.map { "\($0)" } ?? failure.message)
        }
        return isSame ? .kept : isKnown ? .recomputed : .added
    }

    private mutating func planUniqueness(_ table: PlannedTable) throws {
        let former = table.former?.uniqueness ?? []
        for group in table.entity.uniqueness {
            let columns = group.map { name in
                table.before.first { $0.name == name }?.name
                    ?? table.before.first { old in
                        model.attributes(of: table.entity.name).first { $0.name == name }?.renamedFrom == old.name
                    }?
                    .name
            }
            let name = "(\(group.joined(separator: ", ")))"
            let isNew = !former.contains(columns.compactMap(\.self))
            let known = columns.compactMap(\.self)
            // A column that is new and has no value is equal to none.
            if isNew, known.count == group.count, let fault = try duplicates(of: known, table) {
                note(.uniqueGroup, table.entity.name, name, .refused(reason: fault))
            } else {
                note(.uniqueGroup, table.entity.name, name, isNew ? .added : .kept)
            }
        }
        for group in former where !table.entity.uniqueness.contains(group) {
            note(.uniqueGroup, table.entity.name, "(\(group.joined(separator: ", ")))", .dropped)
        }
    }
}

// MARK: - What is dropped

extension MigrationPlanner {
    private mutating func planRemoval(of name: String) throws {
        note(.entity, name, nil, .keptAside, [try count(SQL.quoted(name)).counted("object")])
    }

    private mutating func planRemovals(
        _ attributes: [StoredAttribute],
        _ compounds: [StoredCompound],
        _ table: PlannedTable
    ) {
        guard let former = table.former else { return }
        let survivors = Set(
            attributes.compactMap { succession.predecessor(of: $0.description, in: table.before)?.name }
        )
        let destinations = destinations(in: old.model, former.name)
        for attribute in table.before where !attribute.isInternal && !survivors.contains(attribute.name) {
            let subject: MigrationPlan.Subject = destinations[attribute.name] == nil ? .attribute : .relationship
            note(subject, table.entity.name, attribute.name, .keptAside)
        }
        let names = attributes.flatMap { $0.projections.map(\.name) } + compounds.map(\.name)
        let known =
            table.before.flatMap { $0.projections.map(\.name) }
            + old.model.projections(of: former.name).map(\.name)
        for name in known where !names.contains(name) { note(.projection, table.entity.name, name, .dropped) }
    }

    /// References in tables of pairs, whose names are made of the entity's and the relationship's.
    private mutating func planPairs() {
        let (before, after) = (Succession.pairs(of: old.model), Succession.pairs(of: model))
        for table in Set(before.keys).union(after.keys).sorted() {
            let parts = table.dropFirst("\"_pairs.".count).dropLast().split(separator: ".", maxSplits: 1)
            let (entity, name) = (parts.first.map(String.init) ?? "", parts.last.map(String.init))
            switch (before[table], after[table]) {
            case (nil, _): note(.relationship, entity, name, .added, ["leads nowhere yet"])
            case (_, nil): note(.relationship, entity, name, .keptAside)
            case (let old?, let new?):
                note(.relationship, entity, name, .kept, [old == new ? nil : "its table is made again"])
            }
        }
    }
}

// MARK: - Counting

extension MigrationPlanner {
    /// The columns of references in an entity's table, with the entities that they lead to.
    func destinations(in model: Model, _ entity: String) -> [String: String] {
        let columns = RelationshipPlan(model: model).columns(of: entity)
        let pairs = columns.compactMap { column in column.destination.map { (column.description.name, $0) } }
        return Dictionary(pairs) { first, _ in first }
    }

    func count(_ rows: String) throws -> Int {
        try Int(SQLStatement.integer("SELECT count(*) FROM \(rows)", on: database))
    }

    /// Why values that are to occur once do not; nil if they do.
    func duplicates(of columns: [String], _ table: PlannedTable) throws -> String? {
        guard let former = table.former, !columns.isEmpty else { return nil }
        let names = columns.map(SQL.quoted)
        let present = names.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
        let list = names.joined(separator: ", ")
        let groups = "SELECT 1 FROM \(SQL.quoted(former.name)) WHERE \(present) GROUP BY \(list) HAVING count(*) > 1"
        let count = try count("(\(groups))")
        guard count > 0 else { return nil }
        return "\(count.counted("value")) would have to occur once, and \(count == 1 ? "occurs" : "occur") more often"
    }
}

/// An entity whose columns are planned.
struct PlannedTable {
    let entity: EntityDescription
    /// The entity as the file has it; nil for a new one.
    let former: EntityDescription?
    let count: Int
    /// The columns that it has in the file.
    let before: [AttributeDescription]
}
