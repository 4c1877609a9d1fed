import Foundation
import Testing
import Transformable
import TransformableSQLite
import TransformableStore
import _HostileInputs

/// Random histories of models with data: every path from one version to another gives the same, as a model in Swift says.
@Suite(.eachEngine) struct MigrationHistoryTests {
    struct Case: CustomTestStringConvertible {
        let seed: UInt64
        /// Whether former names state versions, and names that became free are given to something else.
        let isStated: Bool

        var testDescription: String { "seed \(seed)\(isStated ? ", with versions" : "")" }
    }

    /// Thousands in a soak, else few.
    private static let count =
        ProcessInfo.processInfo.environment["TRANSFORMABLE_MIGRATION_HISTORIES"].flatMap(UInt64.init) ?? 8

    static let cases: [Case] = (0..<count).map { Case(seed: $0, isStated: $0 % 7 != 0) }

    @Test(arguments: cases) func everyPathGivesTheSameResult(test: Case) throws {
        // A store in PostgreSQL takes longer to create, especially a distributed one.
        guard EachEngine.current == .sqlite || test.seed < (Trial.isDistributed ? 2 : 4) else { return }
        var history = History(seed: test.seed, isStated: test.isStated)
        for _ in 2...6 { history.advance() }
        for first in [1, history.random(in: 2...4)] {
            let data = history.data(at: first)
            let last = history.versions.count
            let between = (first + 1..<last).filter { _ in history.random(in: 0...1) == 0 }
            for path in [[last], Array(first + 1...last), between + [last]] {
                let folder = try Folder()
                let store = try Self.migrate(data, [first] + path, history, isJSON: test.seed % 2 == 1, in: folder)
                #expect(try store.verify().isSound)
                try Self.compare(store, data, history.versions[last - 1], path)
                try store.close()
            }
        }
    }

    private static func migrate(
        _ data: Contents,
        _ path: [Int],
        _ history: History,
        isJSON: Bool,
        in folder: Folder
    ) throws -> Store {
        let registry = try Transformers().registry()
        func open(_ version: Int) throws -> Store {
            let model = try history.versions[version - 1].model(version, isStated: history.isStated)
            let same = isJSON ? try Model(json: model.json) : model
            return try Store.trial(at: folder.file(), model: same, transformers: registry)
        }
        let store = try open(path[0])
        try data.fill(store, history.versions[path[0] - 1])
        try store.close()
        for version in path.dropFirst().dropLast() { try open(version).close() }
        return try open(path.last ?? 1)
    }

    /// Compares a store with what the data must have become.
    private static func compare(_ store: Store, _ data: Contents, _ version: Version, _ path: [Int]) throws {
        try store.read { context in
            for entity in version.entities where !entity.isAbstract {
                let objects = try context.fetch(entity.name.current)
                #expect(objects.map(\.id.number) == (data.counts[entity.id].map { Array(1...$0) } ?? []), "\(path)")
                for object in objects {
                    for attribute in entity.attributes {
                        let key = Contents.Key(part: attribute.id, object: object.id.number)
                        let value = try object.value(attribute.name.current, as: String?.self)
                        #expect(value == data.values[key], "\(path) \(entity.name.current).\(attribute.name.current)")
                    }
                }
            }
            for relation in version.relations {
                let owner = try #require(version.entities.first { $0.id == relation.owner })
                for object in try context.fetch(owner.name.current) {
                    let key = Contents.Key(part: relation.id, object: object.id.number)
                    let found =
                        try relation.isToMany
                        ? object.objects(relation.name.current)
                        : [object.object(relation.name.current)].compactMap(\.self)
                    let expected = data.references[key] ?? []
                    let places = try found.map { object in
                        let entity = try #require(version.entities.first { $0.name.current == object.id.entity })
                        return Contents.Place(entity: entity.id, number: object.id.number)
                    }
                    let place = "\(path) \(owner.name.current).\(relation.name.current)"
                    #expect(relation.isOrdered ? places == expected : Set(places) == Set(expected), "\(place)")
                }
            }
        }
    }
}

// MARK: - Models

/// A name with the ones before it.
private struct Name {
    var current: String
    var former: [FormerNames.Name] = []
    let added: Int

    mutating func rename(to name: String, in version: Int) {
        former.append(.init(current, in: version))
        current = name
    }

    func stated(_ isStated: Bool) -> (former: FormerNames, added: Int?) {
        isStated ? (FormerNames(former), added) : (FormerNames(former.map { .init($0.name) }), nil)
    }
}

private struct Attribute {
    let id: Int
    var name: Name
}

private struct Relation {
    let id: Int
    let owner: Int
    var destination: Int
    var name: Name
    var isToMany: Bool
    let isOrdered: Bool
    let isRequired: Bool
    /// The relationship that leads back; nil without one.
    var back: Name?
    var isBackToMany: Bool
}

private struct Entity {
    let id: Int
    var name: Name
    var attributes: [Attribute]
    var parent: Int?
    var isAbstract = false
}

/// One version of a model.
private struct Version {
    var entities: [Entity] = []
    var relations: [Relation] = []

    func model(_ version: Int, isStated: Bool) throws -> Model {
        let names = Dictionary(uniqueKeysWithValues: entities.map { ($0.id, $0.name.current) })
        return try Model(
            version: version,
            entities: entities.map { entity in
                var description = EntityDescription(
                    entity.name.current,
                    parent: entity.parent.flatMap { names[$0] },
                    abstract: entity.isAbstract,
                    attributes: entity.attributes.map { attribute in
                        var description = AttributeDescription.string(attribute.name.current, .optional)
                        (description.renamedFrom, description.addedIn) = attribute.name.stated(isStated)
                        return description
                    },
                    relationships: relations.flatMap { relation in
                        relationships(relation, of: entity, names, isStated: isStated)
                    }
                )
                (description.renamedFrom, description.addedIn) = entity.name.stated(isStated)
                return description
            }
        )
    }

    private func relationships(
        _ relation: Relation,
        of entity: Entity,
        _ names: [Int: String],
        isStated: Bool
    ) -> [RelationshipDescription] {
        var list: [RelationshipDescription] = []
        if relation.owner == entity.id {
            let (name, destination) = (relation.name.current, names[relation.destination] ?? "")
            let inverse = relation.back?.current
            var forward: RelationshipDescription =
                relation.isToMany
                ? .toMany(name, destination, ordered: relation.isOrdered, inverse: inverse)
                : .toOne(name, destination, optional: !relation.isRequired, inverse: inverse)
            (forward.renamedFrom, forward.addedIn) = relation.name.stated(isStated)
            list.append(forward)
        }
        if relation.destination == entity.id, let back = relation.back {
            let destination = names[relation.owner] ?? ""
            var backward: RelationshipDescription =
                relation.isBackToMany ? .toMany(back.current, destination) : .toOne(back.current, destination)
            (backward.renamedFrom, backward.addedIn) = back.stated(isStated)
            list.append(backward)
        }
        return list
    }

    /// The entities with objects that a relationship to an entity leads to.
    func members(_ entity: Int) -> [Int] {
        entities.filter { ($0.id == entity && !$0.isAbstract) || $0.parent == entity }.map(\.id)
    }

    /// The names that parts of an entity, of its parent, and of its children have.
    func names(in entity: Int) -> Set<String> {
        let parent = entities.first { $0.id == entity }?.parent
        let family = Set([entity] + members(entity) + [parent].compactMap(\.self))
        let attributes = entities.filter { family.contains($0.id) }.flatMap { $0.attributes.map(\.name.current) }
        let forward = relations.filter { family.contains($0.owner) }.map(\.name.current)
        let back = relations.filter { family.contains($0.destination) }.compactMap(\.back?.current)
        return Set(attributes + forward + back)
    }
}

// MARK: - Histories

private struct History {
    let isStated: Bool
    private(set) var versions: [Version] = []
    private var generator: SeededGenerator
    private var lastID = 0

    init(seed: UInt64, isStated: Bool) {
        self.isStated = isStated
        generator = SeededGenerator(seed: seed)
        var first = Version()
        for _ in 0..<2 { addEntity(&first, 1) }
        if random(in: 0...1) == 0 { putParent(&first, 1) }
        addEntity(&first, 1)
        for index in 0..<4 { addRelation(&first, 1, isRequired: index == 0) }
        versions = [first]
    }

    mutating func random(in range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    private mutating func pick<Element>(_ list: [Element]) -> Element? { list.randomElement(using: &generator) }

    private mutating func id() -> Int {
        lastID += 1
        return lastID
    }

    /// A name that is free: an earlier one again if versions are stated, else a new one.
    private mutating func free(_ pool: [String], _ taken: Set<String>) -> String? {
        guard isStated else { return "\(pool[0])\(id())" }
        return pick(pool.filter { !taken.contains($0) })
    }

    private static let entities = ["A", "B", "C", "D", "E", "F"]
    private static let parts = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]

    mutating func advance() {
        var next = versions[versions.count - 1]
        let version = versions.count + 1
        for _ in 0..<random(in: 2...4) { change(&next, version) }
        versions.append(next)
    }

    private mutating func change(_ next: inout Version, _ version: Int) {
        switch random(in: 0...13) {
        case 12, 13: putParent(&next, version)
        case 0: addEntity(&next, version)
        case 1: dropEntity(&next)
        case 2, 3: renameEntity(&next, version)
        case 4: changeAttributes(&next, version)
        case 5, 6: renameAttribute(&next, version)
        case 7: swapAttributes(&next, version)
        case 8: addRelation(&next, version)
        case 9: if let index = pick(Array(next.relations.indices)) { next.relations.remove(at: index) }
        case 10: renameRelation(&next, version)
        default: loosen(&next)
        }
    }

    private mutating func addEntity(_ next: inout Version, _ version: Int) {
        guard let name = free(Self.entities, Set(next.entities.map(\.name.current))) else { return }
        let attributes = (0..<3)
            .map { Attribute(id: id(), name: Name(current: isStated ? Self.parts[$0] : "x\(id())", added: version)) }
        var entity = Entity(id: id(), name: Name(current: name, added: version), attributes: attributes)
        if let parent = pick(next.entities.filter(\.isAbstract)),
            next.names(in: parent.id).isDisjoint(with: attributes.map(\.name.current))
        {
            entity.parent = parent.id
        }
        next.entities.append(entity)
    }

    /// Puts a parent above an entity, and lets relationships lead to its whole family.
    private mutating func putParent(_ next: inout Version, _ version: Int) {
        guard let index = pick(next.entities.indices.filter { !next.entities[$0].isAbstract }),
            next.entities[index].parent == nil,
            let name = free(Self.entities, Set(next.entities.map(\.name.current)))
        else { return }
        let parent = Entity(id: id(), name: Name(current: name, added: version), attributes: [], isAbstract: true)
        next.entities[index].parent = parent.id
        for place in next.relations.indices where next.relations[place].destination == next.entities[index].id {
            // What leads to itself would have two sides that mean different objects.
            guard next.relations[place].owner != next.entities[index].id, random(in: 0...2) > 0 else { continue }
            next.relations[place].destination = parent.id
        }
        next.entities.append(parent)
    }

    private mutating func dropEntity(_ next: inout Version) {
        let concrete = next.entities.filter { !$0.isAbstract }
        guard concrete.count > 2, let entity = pick(concrete) else { return }
        next.entities.removeAll { $0.id == entity.id }
        next.relations.removeAll { $0.owner == entity.id || [entity.id, entity.parent].contains($0.destination) }
    }

    private mutating func renameEntity(_ next: inout Version, _ version: Int) {
        let free = free(Self.entities, Set(next.entities.map(\.name.current)))
        guard let index = pick(Array(next.entities.indices)), next.entities[index].name.isOld(in: version), let free
        else {
            return
        }
        next.entities[index].name.rename(to: free, in: version)
    }

    private mutating func changeAttributes(_ next: inout Version, _ version: Int) {
        guard let index = pick(next.entities.indices.filter { !next.entities[$0].isAbstract }) else { return }
        let entity = next.entities[index]
        if random(in: 0...1) == 0, entity.attributes.count > 1 {
            next.entities[index].attributes.remove(at: random(in: 0...entity.attributes.count - 1))
        } else if let name = free(Self.parts, next.names(in: entity.id)) {
            next.entities[index].attributes.append(Attribute(id: id(), name: Name(current: name, added: version)))
        }
    }

    private mutating func renameAttribute(_ next: inout Version, _ version: Int) {
        guard let index = pick(Array(next.entities.indices)),
            let place = pick(Array(next.entities[index].attributes.indices)),
            next.entities[index].attributes[place].name.isOld(in: version),
            let name = free(Self.parts, next.names(in: next.entities[index].id))
        else { return }
        next.entities[index].attributes[place].name.rename(to: name, in: version)
    }

    private mutating func swapAttributes(_ next: inout Version, _ version: Int) {
        guard isStated, let index = pick(Array(next.entities.indices)) else { return }
        let old = next.entities[index].attributes.indices
            .filter { next.entities[index].attributes[$0].name.isOld(in: version) }
        guard old.count > 1 else { return }
        let names = old.prefix(2).map { next.entities[index].attributes[$0].name.current }
        next.entities[index].attributes[old[0]].name.rename(to: names[1], in: version)
        next.entities[index].attributes[old[1]].name.rename(to: names[0], in: version)
    }

    private mutating func addRelation(_ next: inout Version, _ version: Int, isRequired: Bool = false) {
        guard let owner = pick(next.entities.filter { !$0.isAbstract })?.id,
            let destination = pick(next.entities.filter { !next.members($0.id).isEmpty })?.id,
            let name = free(Self.parts, next.names(in: owner))
        else { return }
        let isToMany = !isRequired && random(in: 0...1) == 0
        var relation = Relation(
            id: id(),
            owner: owner,
            destination: destination,
            name: Name(current: name, added: version),
            isToMany: isToMany,
            isOrdered: isToMany && random(in: 0...1) == 0,
            isRequired: isRequired,
            back: nil,
            isBackToMany: true
        )
        let taken = next.names(in: destination).union([name])
        // What leads back from the own family would have two sides that mean different objects.
        let isApart = owner == destination || !next.members(destination).contains(owner)
        if isApart, random(in: 0...2) > 0, let back = free(Self.parts, taken) {
            relation.back = Name(current: back, added: version)
            relation.isBackToMany = !isToMany || random(in: 0...1) == 0
        }
        next.relations.append(relation)
    }

    private mutating func renameRelation(_ next: inout Version, _ version: Int) {
        guard let index = pick(Array(next.relations.indices)) else { return }
        let relation = next.relations[index]
        if let back = relation.back, back.isOld(in: version), random(in: 0...1) == 0,
            let name = free(Self.parts, next.names(in: relation.destination))
        {
            next.relations[index].back?.rename(to: name, in: version)
        } else if relation.name.isOld(in: version), let name = free(Self.parts, next.names(in: relation.owner)) {
            next.relations[index].name.rename(to: name, in: version)
        }
    }

    /// One becomes many, on either side.
    private mutating func loosen(_ next: inout Version) {
        guard let index = pick(Array(next.relations.indices)) else { return }
        if next.relations[index].isToMany {
            next.relations[index].isBackToMany = true
        } else if !next.relations[index].isRequired {
            next.relations[index].isToMany = true
        }
    }
}

extension Name {
    /// A name is given in one version and changed in a later one.
    func isOld(in version: Int) -> Bool {
        added < version && former.last?.version != version
    }
}

// MARK: - Data

/// What a store has, by what stays the same under all names.
private struct Contents {
    struct Key: Hashable {
        let part: Int
        let object: Int64
    }

    struct Place: Hashable {
        let entity: Int
        let number: Int64
    }

    var counts: [Int: Int64] = [:]
    var values: [Key: String] = [:]
    var references: [Key: [Place]] = [:]

    func fill(_ store: Store, _ version: Version) throws {
        try store.write { context in
            var objects: [Int: [ManagedObject]] = [:]
            for entity in version.entities where !entity.isAbstract {
                for number in 1...(counts[entity.id] ?? 1) {
                    let object = try context.insert(entity.name.current)
                    for attribute in entity.attributes {
                        let value = values[Key(part: attribute.id, object: number)]
                        try object.setValue(value, for: attribute.name.current)
                    }
                    objects[entity.id, default: []].append(object)
                }
            }
            for relation in version.relations {
                for (index, object) in (objects[relation.owner] ?? []).enumerated() {
                    let places = references[Key(part: relation.id, object: Int64(index) + 1)] ?? []
                    let others = places.compactMap { objects[$0.entity]?[Int($0.number) - 1] }
                    if relation.isToMany {
                        try object.setObjects(others, for: relation.name.current)
                    } else {
                        try object.setObject(others.first, for: relation.name.current)
                    }
                }
            }
        }
    }
}

extension History {
    /// Random data for a version.
    mutating func data(at version: Int) -> Contents {
        var contents = Contents()
        let version = versions[version - 1]
        for entity in version.entities where !entity.isAbstract {
            let count = Int64(random(in: 1...4))
            contents.counts[entity.id] = count
            for attribute in entity.attributes {
                for number in 1...count where random(in: 0...4) > 0 {
                    contents.values[.init(part: attribute.id, object: number)] =
                        "\(entity.id).\(attribute.id).\(number)"
                }
            }
        }
        for relation in version.relations { refer(relation, version.members(relation.destination), &contents) }
        return contents
    }

    private mutating func refer(_ relation: Relation, _ members: [Int], _ contents: inout Contents) {
        var free = members.flatMap { entity in
            (1...(contents.counts[entity] ?? 1)).map { Contents.Place(entity: entity, number: $0) }
        }
        for number in 1...(contents.counts[relation.owner] ?? 1) {
            let count = relation.isToMany ? random(in: 0...free.count) : relation.isRequired ? 1 : random(in: 0...1)
            let others = Array(free.shuffled(seed: random(in: 0...1_000_000)).prefix(count))
            contents.references[.init(part: relation.id, object: number)] = others
            let isTaken = relation.back != nil && !relation.isBackToMany
            if isTaken { free.removeAll(where: others.contains) }
        }
    }
}

extension Array {
    fileprivate func shuffled(seed: Int) -> Self {
        var generator = SeededGenerator(seed: UInt64(seed))
        return shuffled(using: &generator)
    }
}
