internal import TransformableStore

extension MigrationReport {
    typealias Side = (model: Model, contents: StoreContents)

    /// Compares the contents of a store before and after a migration.
    init(_ plan: MigrationPlan, from old: Side, to new: Side) {
        let succession = PlannedSuccession(plan, from: old.model, to: new.model)
        var entries: [Entry] = []
        for entity in new.model.entities where !entity.isAbstract {
            let former = succession.entities[entity.name]
            let before = former.flatMap { old.contents.objects[$0] } ?? [:]
            let after = new.contents.objects[entity.name] ?? [:]
            entries.append(Self.objects(entity.name, former, before, after))
            for name in new.contents.names[entity.name] ?? [] {
                let formerName = succession.names[entity.name]?[name]
                var entry = Entry(entity: entity.name, name: name, formerName: formerName == name ? nil : formerName)
                for number in Set(before.keys).union(after.keys) {
                    let was = formerName.flatMap { before[number]?[$0] }.map(succession.renewed)
                    entry.count(was, after[number]?[name])
                }
                entries.append(entry)
            }
            let gone = (former.flatMap { old.contents.names[$0] } ?? [])
                .filter { name in !(succession.names[entity.name] ?? [:]).values.contains(name) }
            for name in gone {
                var entry = Entry(entity: entity.name, name: name, formerName: nil)
                for object in before.values { entry.count(object[name], nil) }
                entries.append(entry)
            }
        }
        for (name, objects) in old.contents.objects.sorted(by: { $0.key < $1.key })
        where !succession.entities.values.contains(name) {
            entries.append(Self.objects(name, nil, objects, [:]))
        }
        self.init(plan: plan, entries: entries)
    }

    private static func objects(
        _ entity: String,
        _ former: String?,
        _ before: [Int64: StoreContents.Object],
        _ after: [Int64: StoreContents.Object]
    ) -> Entry {
        var entry = Entry(entity: entity, name: nil, formerName: former == entity ? nil : former)
        entry.kept = before.keys.count { after[$0] != nil }
        entry.added = after.count - entry.kept
        entry.dropped = before.count - entry.kept
        return entry
    }
}

extension MigrationReport.Entry {
    fileprivate mutating func count(_ before: StoreContents.Value?, _ after: StoreContents.Value?) {
        switch (before, after) {
        case (nil, nil): break
        case (nil, _): added += 1
        case (_, nil): dropped += 1
        case (let before?, let after?): if before == after { kept += 1 } else { changed += 1 }
        }
    }
}

/// The mapping of names between two versions, according to a migration plan.
struct PlannedSuccession {
    /// The names of entities in the old version, keyed by their names in the new version.
    private(set) var entities: [String: String] = [:]
    /// The names of attributes and relationships in the old version, keyed by entity and name in the new version.
    private(set) var names: [String: [String: String]] = [:]

    init(_ plan: MigrationPlan, from old: Model, to new: Model) {
        let outcomes = Dictionary(plan.changes.map { (Place($0), $0.outcome) }) { first, _ in first }
        let tables = new.entities.filter { !$0.isAbstract }
        let formerTables = old.entities.filter { !$0.isAbstract }.map(\.name)
        entities = Self.formers(of: tables.map { ($0.name, $0.renamedFrom) }, among: formerTables) { name in
            outcomes[Place(subject: .entity, entity: name, name: nil)]
        }
        for entity in tables {
            guard let former = entities[entity.name] else { continue }
            let attributes = new.attributes(of: entity.name).map { ($0.name, $0.renamedFrom) }
            let references = new.relationships(of: entity.name).map { ($0.name, $0.renamedFrom) }
            let known = old.attributes(of: former).map(\.name) + old.relationships(of: former).map(\.name)
            names[entity.name] = Self.formers(of: attributes + references, among: known) { name in
                outcomes[Place(subject: .attribute, entity: entity.name, name: name)]
                    ?? outcomes[Place(subject: .relationship, entity: entity.name, name: name)]
            }
        }
    }

    /// Returns the former names, without using any of them twice.
    ///
    /// Renamings in the plan come first, followed by equal names (as when a step changes the type), and then by what
    /// the model says about anything that is not new according to the plan.
    private static func formers(
        of names: [(name: String, renamed: FormerNames)],
        among known: [String],
        _ outcome: (String) -> MigrationPlan.Outcome?
    ) -> [String: String] {
        var found: [String: String] = [:]
        var free = Set(known)
        for (name, _) in names {
            guard case .renamed(let former)? = outcome(name), free.remove(former) != nil else { continue }
            found[name] = former
        }
        for (name, _) in names where found[name] == nil && free.remove(name) != nil { found[name] = name }
        for (name, renamed) in names where found[name] == nil && outcome(name) != .added {
            found[name] = renamed.names.map(\.name).last { free.contains($0) }.flatMap { free.remove($0) }
        }
        return found
    }

    private struct Place: Hashable {
        let subject: MigrationPlan.Subject
        let entity: String
        let name: String?

        init(_ change: MigrationPlan.Change) {
            self.init(subject: change.subject, entity: change.entity, name: change.name)
        }

        init(subject: MigrationPlan.Subject, entity: String, name: String?) {
            self.subject = subject
            self.entity = entity
            self.name = name
        }
    }

    /// Replaces the entity names in references to objects with those of the new version.
    func renewed(_ value: StoreContents.Value) -> StoreContents.Value {
        guard case .references(let ids) = value else { return value }
        return .references(
            ids.map { id in
                let name = entities.first { $0.value == id.entity }?.key ?? id.entity
                return ObjectID(entity: name, number: id.number)
            }
        )
    }
}
