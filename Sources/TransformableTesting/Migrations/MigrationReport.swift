internal import Transformable
public import TransformableStore

/// A report about a migration: the numbers of objects and values that were kept, changed, added, and dropped.
public struct MigrationReport: Sendable, Hashable {
    /// The version before the migration.
    public var oldVersion: Int { plan.oldVersion }
    /// The version after the migration.
    public var newVersion: Int { plan.newVersion }
    /// The migration plan.
    public let plan: MigrationPlan
    /// The entries of each entity, followed by those of its attributes and relationships.
    ///
    /// Entities that the new version lacks come last.
    public let entries: [Entry]

    /// The outcome for the objects of an entity, or for the values of an attribute or a relationship.
    public struct Entry: Sendable, Hashable {
        /// The name of the entity in the new version, or in the old version if the new one lacks it.
        public let entity: String
        /// The name of the attribute or relationship, or nil if the entry is about the objects.
        public let name: String?
        /// The name in the old version, if it differs.
        public let formerName: String?
        /// The number of objects or values that are unchanged.
        public internal(set) var kept = 0
        /// The number of values that changed, which is always 0 for objects.
        ///
        /// A value that is only encoded by another transformer is unchanged.
        public internal(set) var changed = 0
        /// The number of objects or values that were added.
        public internal(set) var added = 0
        /// The number of objects or values that were dropped.
        public internal(set) var dropped = 0
    }
}

extension MigrationReport {
    /// Returns the entry for an entity, an attribute, or a relationship.
    ///
    /// - Parameters:
    ///   - entity: The name of the entity, in the new version if it exists there.
    ///   - name: The name of the attribute or relationship, or nil for the objects.
    /// - Returns: The entry, or nil if neither version has it.
    public func entry(_ entity: String, _ name: String? = nil) -> Entry? {
        entries.first { $0.entity == entity && $0.name == name }
    }
}

extension MigrationReport.Entry: CustomStringConvertible {
    /// The entry on one line, for example `Member.name, formerly fullName: 3 kept, 1 changed`.
    public var description: String {
        let place = [entity, name].compactMap(\.self).joined(separator: ".")
        let counts = [(kept, "kept"), (changed, "changed"), (added, "added"), (dropped, "dropped")]
            .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let former = formerName.map { ", formerly \($0)" } ?? ""
        return "\(place)\(former): \(counts.isEmpty ? "none" : counts.joined(separator: ", "))"
    }
}

extension MigrationReport: CustomStringConvertible {
    /// The versions and the entries, one per line.
    public var description: String {
        (["version \(oldVersion) to \(newVersion)"] + entries.map(\.description)).joined(separator: "\n")
    }
}

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

extension MigrationTest {
    /// Returns the contents of a store before its migration, in a form that can be compared with the contents after it.
    ///
    /// - Parameters:
    ///   - start: The store, which is not migrated.
    ///   - before: The contents in the form of the old version.
    ///   - plan: The migration plan.
    ///   - old: The old version.
    ///   - new: The new version.
    /// - Returns: The contents, with values in the form of the new version if it has other transformers.
    /// - Throws: `StoreError` if the store cannot be read.
    func comparable(
        _ start: StoreFolder,
        _ before: StoreContents,
        _ plan: MigrationPlan,
        from old: Model,
        to new: Model
    ) throws -> StoreContents {
        let succession = PlannedSuccession(plan, from: old, to: new)
        var changed: [String: [String: ResolvedTransformer]] = [:]
        for (entity, former) in succession.entities {
            let known = old.attributes(of: former)
            for attribute in new.attributes(of: entity) where attribute.type == .transformed {
                guard let name = succession.names[entity]?[attribute.name],
                    known.first(where: { $0.name == name })?.storedExpression != attribute.storedExpression
                else { continue }
                changed[former, default: [:]][name] = try? transformers.resolve(
                    attribute.storedExpression,
                    for: attribute.valueType?.type
                )
            }
        }
        guard !changed.isEmpty else { return before }
        return try withStore(start, old) { try StoreContents($0, comparedBy: changed) }
    }
}

/// The mapping of names between two versions, according to a migration plan.
private struct PlannedSuccession {
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
