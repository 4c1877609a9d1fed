import Foundation
import Testing
import Transformable
import TransformableStore
import _HostileInputs

/// Random edits in two contexts, compared with a reference model of the same rules without SQL.
@Suite(.eachEngine) struct TwoContextTests {
    /// The number of pairs of contexts: hundreds in a soak test, and a few otherwise.
    private static let count =
        ProcessInfo.processInfo.environment["TRANSFORMABLE_CONTEXTS"].flatMap(Int.init) ?? 8
    private static let cases = (0..<count)
        .map { (UInt64($0), [Rule.fail, .mine, .theirs, .merge][$0 % 4]) }

    @Test(arguments: cases)
    private func contextsAgreeWithAPlainModel(seed: UInt64, rule: Rule) throws {
        let folder = try Folder()
        let place = seed / 4 % 2 == 0 ? Place.file : .memory
        let store = try place.store(Self.model(), in: folder)
        var run = Run(store: store, rule: rule, seed: seed)
        for _ in 0..<120 { try run.step() }
        #expect(run.saves > 5)
    }

    private static func model() throws -> Model {
        try Model(entities: [
            EntityDescription(
                "Item",
                attributes: [
                    .integer("a", .default(0)), .integer("b", .default(0)),
                    .transformed("box", "box", as: Box.self, .optional, .projected("area", as: "area")),
                    .transformed("secret", "text | bound", as: String.self, .optional),
                ],
                relationships: [
                    .toOne("parent", "Item"), .toMany("children", "Item", inverse: "parent"),
                    .toMany("likes", "Item"), .toMany("likedBy", "Item", inverse: "likes"),
                ]
            )
        ])
    }
}

/// The contents of a row: numbers, which are also in boxes and secrets.
private struct Entry: Equatable {
    var fields: [String: Int64] = [:]
    var version = 1
    /// The number of the sealing that created the secret's bytes, or 0 if there are none.
    var seal = 0

    func differs(from base: Self, in name: String) -> Bool {
        fields[name] != base.fields[name] || (name == "secret" && seal != base.seal)
    }
}

/// A pair of objects, the first of which likes the second.
private struct Pair: Hashable {
    let first: Int64
    let second: Int64

    func contains(_ number: Int64) -> Bool { first == number || second == number }
}

/// A context in the reference model.
private struct Plain {
    /// The rows as last read.
    var seen: [Int64: Entry] = [:]
    var inserted: [Int64: [String: Int64?]] = [:]
    var set: [Int64: [String: Int64?]] = [:]
    var deleted: Set<Int64> = []
    var pairs: [Pair: Bool] = [:]
    /// The consequences of deletions, in order.
    var emptied: [Emptied] = []

    /// A reference or pair that was removed, and its earlier changes.
    struct Emptied {
        let object: Int64
        var pair: Pair?
        var isPresent: Bool?
        var child: Int64?
        var parent: Int64??
    }

    var isEmpty: Bool { inserted.isEmpty && set.isEmpty && deleted.isEmpty && pairs.isEmpty }

    /// The pairs that the context shows.
    func pairs(over stored: Set<Pair>) -> Set<Pair> {
        stored.filter { pairs[$0] == nil }.union(pairs.filter(\.value).keys)
    }

    /// The contents of an object that the context shows, or nil if the object does not exist there.
    func view(_ id: Int64) -> [String: Int64]? {
        guard !deleted.contains(id) else { return nil }
        guard inserted[id] != nil || seen[id] != nil else { return nil }
        var fields = seen[id]?.fields ?? [:]
        for (name, value) in inserted[id] ?? set[id] ?? [:] { fields[name] = value }
        return fields
    }

    /// Clears all references to an object, and removes its pairs.
    mutating func detach(_ number: Int64, _ stored: Set<Pair>) {
        for pair in pairs(over: stored).union(stored).filter({ $0.contains(number) }) {
            emptied.append(Emptied(object: number, pair: pair, isPresent: pairs[pair]))
            pairs[pair] = false
        }
        for child in Set(seen.keys).union(inserted.keys) where view(child)?["parent"] == number {
            let earlier = (inserted[child] ?? set[child])?["parent"]
            emptied.append(Emptied(object: number, child: child, parent: earlier))
            change(child, "parent", nil)
        }
    }

    /// Reverts the deletions of objects.
    mutating func revive(_ numbers: Set<Int64>) {
        deleted.subtract(numbers)
        for entry in emptied.reversed() where numbers.contains(entry.object) {
            if let pair = entry.pair { pairs[pair] = entry.isPresent }
            // A deletion that was reverted itself has no consequences.
            guard let child = entry.child, !numbers.contains(child) else { continue }
            inserted[child]?["parent"] = entry.parent
            set[child]?["parent"] = entry.parent
            if set[child]?.isEmpty == true { set[child] = nil }
        }
    }

    mutating func refresh(_ rows: [Int64: Entry]) {
        seen = seen.filter { rows[$0.key] != nil || set[$0.key] != nil || deleted.contains($0.key) }
        for (id, row) in rows where set[id] == nil && !deleted.contains(id) { seen[id] = row }
    }

    mutating func change(_ id: Int64, _ name: String, _ value: Int64?) {
        if inserted[id] != nil {
            inserted[id]?[name] = .some(value)
        } else {
            set[id, default: [:]][name] = .some(value)
        }
    }

    /// The attributes that were set to a different value than was read.
    func net(_ id: Int64) -> [String: Int64?] {
        (set[id] ?? [:]).filter { seen[id]?.fields[$0.key] != $0.value }
    }
}

/// The reason why a save fails according to the rules.
private struct Expected: Error {
    let code: StoreError.Code
}

private enum Rule: String, CustomTestStringConvertible {
    case fail
    case mine
    case theirs
    /// Merges with this context's value for one attribute, and the other's values for the rest. Deletions of the other
    /// apply.
    case merge

    var testDescription: String { rawValue }

    var policy: ConflictPolicy {
        switch self {
        case .fail: .fail
        case .mine: .mine
        case .theirs: .theirs
        case .merge:
            .merge { conflict in
                if conflict.kind == .deletedByOther { try conflict.takeTheirs() }
                guard conflict.kind == .changedByBoth else { return }
                for name in conflict.theirs where name != "a" { try conflict.takeTheirs(name) }
            }
        }
    }
}

private struct Run {
    let store: Store
    let contexts: [StoreContext]
    let rule: Rule
    var generator: SeededGenerator
    var rows: [Int64: Entry] = [:]
    var pairs: Set<Pair> = []
    var seals = 0
    var plains = [Plain(), Plain()]
    var history: [[Plain]] = [[], []]
    var saves = 0

    init(store: Store, rule: Rule, seed: UInt64) {
        self.store = store
        self.rule = rule
        contexts = [store.makeContext(onConflict: rule.policy), store.makeContext(onConflict: rule.policy)]
        generator = SeededGenerator(seed: seed)
    }

    mutating func step() throws {
        let side = Int.random(in: 0..<2, using: &generator)
        try compare(side)
        switch Int.random(in: 0..<25, using: &generator) {
        case 0..<4: try insert(side)
        case 4..<10: try set(side)
        case 10..<13: try lead(side)
        case 13..<15: try delete(side)
        case 15: try undo(side)
        case 16: rollback(side)
        case 20..<24: try like(side)
        // The objects without changes show what is stored anyway.
        case 24: contexts[side].refreshAll()
        default: try save(side)
        }
        try compare(side)
    }

    private mutating func note(_ side: Int) { history[side].append(plains[side]) }

    private func id(_ number: Int64) -> ObjectID { ObjectID(entity: "Item", number: number) }

    private mutating func anyone(_ side: Int) -> Int64? {
        let plain = plains[side]
        return Set(plain.seen.keys).union(plain.inserted.keys).filter { plain.view($0) != nil }.sorted()
            .randomElement(using: &generator)
    }

    // MARK: - Steps

    private mutating func insert(_ side: Int) throws {
        let object = try contexts[side].insert("Item")
        note(side)
        plains[side].inserted[object.id.number] = ["a": 0, "b": 0]
        for name in ["a", "b"] { try set(side, object.id.number, name, Int64.random(in: 0..<4, using: &generator)) }
    }

    private mutating func set(_ side: Int) throws {
        guard let number = anyone(side) else { return }
        let name = ["a", "b", "box", "secret"].randomElement(using: &generator) ?? "a"
        let isTaken = ["box", "secret"].contains(name) && Int.random(in: 0..<4, using: &generator) == 0
        try set(side, number, name, isTaken ? nil : Int64.random(in: 0..<4, using: &generator))
    }

    private mutating func set(_ side: Int, _ number: Int64, _ name: String, _ value: Int64?) throws {
        note(side)
        try contexts[side].object(id(number)).setNumber(value, for: name)
        plains[side].change(number, name, value)
    }

    /// Adds or removes a pair, from either side.
    private mutating func like(_ side: Int) throws {
        guard let first = anyone(side), let second = anyone(side) else { return }
        let pair = Pair(first: first, second: second)
        let isThere = plains[side].pairs(over: pairs).contains(pair)
        note(side)
        let objects = try [first, second].map { try contexts[side].object(id($0)) }
        let (owner, other, name) =
            Bool.random(using: &generator) ? (objects[0], objects[1], "likes") : (objects[1], objects[0], "likedBy")
        if isThere { try owner.remove(other, from: name) } else { try owner.add(other, to: name) }
        let isUnchanged = !isThere && plains[side].pairs[pair] == false && pairs.contains(pair)
        plains[side].pairs[pair] = isUnchanged ? nil : !isThere
    }

    private mutating func lead(_ side: Int) throws {
        guard let number = anyone(side), let other = anyone(side) else { return }
        let target = Int.random(in: 0..<4, using: &generator) == 0 ? nil : other
        guard plains[side].view(number)?["parent"] != target else { return }
        note(side)
        plains[side].emptied.removeAll { $0.child == number }
        let object = try contexts[side].object(id(number))
        if let target, Bool.random(using: &generator) {
            try contexts[side].object(id(target)).add(object, to: "children")
        } else {
            try object.setObject(target.map { try contexts[side].object(id($0)) }, for: "parent")
        }
        plains[side].change(number, "parent", target)
    }

    private mutating func delete(_ side: Int) throws {
        guard let number = anyone(side) else { return }
        note(side)
        try contexts[side].delete(contexts[side].object(id(number)))
        remove(number, side)
    }

    private mutating func remove(_ number: Int64, _ side: Int) {
        if plains[side].inserted.removeValue(forKey: number) == nil { plains[side].deleted.insert(number) }
        plains[side].set[number] = nil
        plains[side].detach(number, pairs)
    }

    /// Undoes the last change, and sometimes makes it again.
    private mutating func undo(_ side: Int) throws {
        #expect(try contexts[side].undo() == !history[side].isEmpty)
        guard let earlier = history[side].popLast() else { return }
        let later = plains[side]
        go(to: earlier, side)
        guard Bool.random(using: &generator) else { return }
        try compare(side)
        #expect(try contexts[side].redo())
        history[side].append(earlier)
        go(to: later, side)
    }

    private mutating func go(to plain: Plain, _ side: Int) {
        // Values that were read in the meantime stay.
        let seen = plains[side].seen
        plains[side] = plain
        plains[side].seen.merge(seen) { $1 }
        plains[side].refresh(rows)
    }

    private mutating func rollback(_ side: Int) {
        contexts[side].rollback()
        plains[side] = Plain()
        history[side] = []
    }

    private mutating func save(_ side: Int) throws {
        do {
            let (result, resultingPairs) = try saved(side)
            try contexts[side].save()
            (rows, pairs) = (result, resultingPairs)
            saves += 1
            plains[side] = Plain()
            history[side] = []
        } catch let expected as Expected {
            #expect(throws: StoreError(code: expected.code)) { try contexts[side].save() }
            rollback(side)
        }
        let stored = try store.read { context in
            try context.fetch("Item").map { [$0.id.number: try $0.numbers()] }
        }
        #expect(stored == rows.sorted { $0.key < $1.key }.map { [$0.key: $0.value.fields] })
    }

    /// The rows after a save of one side.
    private mutating func saved(_ side: Int) throws -> (rows: [Int64: Entry], pairs: Set<Pair>) {
        var plain = plains[side]
        var result = rows
        var gone: Set<Int64> = []
        let lost = plain.deleted.filter { number in
            rows[number].map { $0.version != plain.seen[number]?.version } ?? false
        }
        if rule == .fail, !lost.isEmpty { throw Expected(code: .conflict) }
        if rule == .theirs { plain.revive(lost) }
        for number in plain.deleted where rows[number] != nil {
            gone.insert(number)
            result[number] = nil
        }
        for (number, _) in plain.set.sorted(by: { $0.key < $1.key }) {
            try result.update(number, plain, rows[number], rule, &seals)
        }
        for (number, fields) in plain.inserted {
            result[number] = Entry(fields: fields.compactMapValues(\.self))
            result[number]?.noteSeal(&seals)
        }
        // References to a deleted object are cleared, wherever they come from.
        for (number, row) in result where gone.contains(row.fields["parent"] ?? 0) {
            result[number]?.fields["parent"] = nil
            if plain.inserted[number] == nil { result[number]?.version += 1 }
        }
        // The other context may have deleted the parent of an object that is inserted again.
        for (number, row) in result where rows[number] == nil && plain.inserted[number] == nil {
            guard plain.net(number)["parent"] == nil, let parent = row.fields["parent"] else { continue }
            if result[parent] == nil { result[number]?.fields["parent"] = nil }
        }
        for row in result.values {
            if let parent = row.fields["parent"], result[parent] == nil { throw Expected(code: .danglingReference) }
        }
        let resultingPairs = plain.pairs(over: pairs).filter { pair in !gone.contains { pair.contains($0) } }
        for pair in resultingPairs where result[pair.first] == nil || result[pair.second] == nil {
            throw Expected(code: .danglingReference)
        }
        return (result, resultingPairs)
    }

    // MARK: - Comparing

    private mutating func compare(_ side: Int) throws {
        plains[side].refresh(rows)
        let plain = plains[side]
        let objects = try contexts[side].fetch("Item")
        let visible = Set(rows.keys).union(plain.inserted.keys).filter { plain.view($0) != nil }
        #expect(Set(objects.map(\.id.number)) == visible)
        for object in objects {
            #expect(try object.numbers() == plain.view(object.id.number))
        }
        try comparePairs(side, objects)
        #expect(contexts[side].hasChanges == !plain.isEmpty)
        try compareConditions(side)
    }

    private func comparePairs(_ side: Int, _ objects: [ManagedObject]) throws {
        let shown = plains[side].pairs(over: pairs)
        for object in objects {
            let number = object.id.number
            let known = Set(objects.map(\.id.number))
            let likes = Set(try object.objects("likes").map(\.id.number)).intersection(known)
            #expect(likes == Set(shown.filter { $0.first == number }.map(\.second)).intersection(known))
            let likedBy = Set(try object.objects("likedBy").map(\.id.number)).intersection(known)
            #expect(likedBy == Set(shown.filter { $0.second == number }.map(\.first)).intersection(known))
        }
    }

    private mutating func compareConditions(_ side: Int) throws {
        let plain = plains[side]
        let name = ["a", "box", "secret"].randomElement(using: &generator) ?? "a"
        let wanted = Int64.random(in: 0..<4, using: &generator)
        // A fetch sees the committed state, with this context's changes on top.
        let found = Set(rows.keys).union(plain.inserted.keys)
            .filter { number in
                guard !plain.deleted.contains(number) else { return false }
                var fields = rows[number]?.fields ?? [:]
                for (name, value) in plain.inserted[number] ?? plain.set[number] ?? [:] { fields[name] = value }
                return fields[name] == wanted
            }
        let condition =
            switch name {
            case "box": Field("box") == Box(width: Int(wanted), height: 1)
            case "secret": Field("secret") == "\(wanted)"
            default: Field(name) == wanted
            }
        let ids = try contexts[side].ids("Item", where: condition).map(\.number)
        #expect(ids == found.sorted())
    }
}

extension [Int64: Entry] {
    /// Saves the changes of an object.
    fileprivate mutating func update(
        _ number: Int64,
        _ plain: Plain,
        _ row: Entry?,
        _ rule: Rule,
        _ seals: inout Int
    ) throws {
        let net = plain.net(number)
        guard !net.isEmpty, let base = plain.seen[number] else { return }
        let isConflict = row?.version != base.version
        if isConflict, rule == .fail { throw Expected(code: .conflict) }
        guard var row else {
            guard rule == .mine else { return }
            var entry = base
            for (name, value) in net { entry.fields[name] = value }
            entry.version += 1
            if net["secret"] != nil { entry.noteSeal(&seals) }
            self[number] = entry
            return
        }
        var isChanged = false
        for (name, value) in net {
            let isTheirs = rule == .theirs || (rule == .merge && name != "a")
            if isConflict, isTheirs, row.differs(from: base, in: name) { continue }
            guard row.fields[name] != value else { continue }
            isChanged = true
            row.fields[name] = value
            if name == "secret" { row.noteSeal(&seals) }
        }
        if isChanged { row.version += 1 }
        self[number] = row
    }
}

extension Entry {
    /// Records that the secret was resealed or removed.
    fileprivate mutating func noteSeal(_ seals: inout Int) {
        seals += 1
        seal = fields["secret"] == nil ? 0 : seals
    }
}

extension ManagedObject {
    fileprivate func setNumber(_ number: Int64?, for name: String) throws {
        switch name {
        case "box": try setValue(number.map { Box(width: Int($0), height: 1) }, for: name)
        case "secret": try setValue(number.map { "\($0)" }, for: name)
        default: try setValue(number, for: name)
        }
    }

    fileprivate func numbers() throws -> [String: Int64] {
        var numbers: [String: Int64] = [:]
        for name in ["a", "b", "parent"] { numbers[name] = try value(name, as: Int64?.self) }
        numbers["box"] = try value("box", as: Box?.self).map { Int64($0.width) }
        numbers["secret"] = try value("secret", as: String?.self).flatMap { Int64($0) }
        return numbers
    }
}
