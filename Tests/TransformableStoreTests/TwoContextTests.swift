import Foundation
import Testing
import Transformable
import TransformableStore

/// Random edits in two contexts, beside a plain model of the same rules that knows nothing of SQL.
@Suite struct TwoContextTests {
    @Test(arguments: Array(0..<24).map { (UInt64($0), [ConflictPolicy.fail, .mine, .theirs][$0 % 3]) })
    func agreeWithAPlainModel(seed: UInt64, policy: ConflictPolicy) throws {
        let folder = try Folder()
        let place = seed % 2 == 0 ? Place.file : .memory
        let store = try place.store(Self.model(), in: folder)
        var run = Run(store: store, policy: policy, rule: [.fail, .mine, .theirs][Int(seed % 3)], seed: seed)
        for _ in 0..<120 { try run.step() }
        #expect(run.saves > 5)
    }

    private static func model() throws -> Model {
        try Model(entities: [
            EntityDescription(
                "Item",
                attributes: [.integer("a", .default(0)), .integer("b", .default(0))],
                relationships: [.toOne("parent", "Item"), .toMany("children", "Item", inverse: "parent")]
            )
        ])
    }
}

/// What a row holds.
private struct Entry: Equatable {
    var fields: [String: Int64] = [:]
    var version = 1
}

/// One context as the rules have it.
private struct Plain {
    /// The rows as they were read last.
    var seen: [Int64: Entry] = [:]
    var inserted: [Int64: [String: Int64?]] = [:]
    var set: [Int64: [String: Int64?]] = [:]
    var deleted: Set<Int64> = []

    var isEmpty: Bool { inserted.isEmpty && set.isEmpty && deleted.isEmpty }

    /// What it shows of an object; nil of one that it does not have.
    func view(_ id: Int64) -> [String: Int64]? {
        guard !deleted.contains(id) else { return nil }
        guard inserted[id] != nil || seen[id] != nil else { return nil }
        var fields = seen[id]?.fields ?? [:]
        for (name, value) in inserted[id] ?? set[id] ?? [:] { fields[name] = value }
        return fields
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

    /// What was set to something else than what was read.
    func net(_ id: Int64) -> [String: Int64?] {
        (set[id] ?? [:]).filter { seen[id]?.fields[$0.key] != $0.value }
    }
}

/// How a save fails by the rules.
private struct Expected: Error {
    let code: StoreError.Code
}

private enum Rule {
    case fail
    case mine
    case theirs
}

private struct Run {
    let store: Store
    let contexts: [StoreContext]
    let rule: Rule
    var generator: SplitMix
    var rows: [Int64: Entry] = [:]
    var plains = [Plain(), Plain()]
    var history: [[Plain]] = [[], []]
    var saves = 0

    init(store: Store, policy: ConflictPolicy, rule: Rule, seed: UInt64) {
        self.store = store
        self.rule = rule
        contexts = [store.makeContext(onConflict: policy), store.makeContext(onConflict: policy)]
        generator = SplitMix(state: seed)
    }

    mutating func step() throws {
        let side = Int.random(in: 0..<2, using: &generator)
        try compare(side)
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<4: try insert(side)
        case 4..<10: try set(side)
        case 10..<13: try lead(side)
        case 13..<15: try delete(side)
        case 15: try undo(side)
        case 16: rollback(side)
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
        let name = Bool.random(using: &generator) ? "a" : "b"
        try set(side, number, name, Int64.random(in: 0..<4, using: &generator))
    }

    private mutating func set(_ side: Int, _ number: Int64, _ name: String, _ value: Int64) throws {
        note(side)
        try contexts[side].object(id(number)).setValue(value, for: name)
        plains[side].change(number, name, value)
    }

    private mutating func lead(_ side: Int) throws {
        guard let number = anyone(side), let other = anyone(side) else { return }
        let target = Int.random(in: 0..<4, using: &generator) == 0 ? nil : other
        guard plains[side].view(number)?["parent"] != target else { return }
        note(side)
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
        for child in Set(plains[side].seen.keys).union(plains[side].inserted.keys) {
            if plains[side].view(child)?["parent"] == number { plains[side].change(child, "parent", nil) }
        }
    }

    private mutating func undo(_ side: Int) throws {
        #expect(try contexts[side].undo() == !history[side].isEmpty)
        guard var earlier = history[side].popLast() else { return }
        // What was read meanwhile stays read.
        earlier.seen.merge(plains[side].seen) { $1 }
        plains[side] = earlier
        plains[side].refresh(rows)
    }

    private mutating func rollback(_ side: Int) {
        contexts[side].rollback()
        plains[side] = Plain()
        history[side] = []
    }

    private mutating func save(_ side: Int) throws {
        do {
            let result = try saved(side)
            try contexts[side].save()
            rows = result
            saves += 1
            plains[side] = Plain()
            history[side] = []
        } catch let expected as Expected {
            #expect(throws: StoreError(code: expected.code)) { try contexts[side].save() }
            rollback(side)
        }
        let stored = try store.read { context in
            try context.fetch("Item")
                .map { item in
                    var fields = ["a": try item.value("a", as: Int64.self), "b": try item.value("b", as: Int64.self)]
                    fields["parent"] = try item.value("parent", as: Int64?.self)
                    return [item.id.number: fields]
                }
        }
        #expect(stored == rows.sorted { $0.key < $1.key }.map { [$0.key: $0.value.fields] })
    }

    /// The rows after a save of one side.
    private mutating func saved(_ side: Int) throws -> [Int64: Entry] {
        let plain = plains[side]
        var result = rows
        var gone: Set<Int64> = []
        for number in plain.deleted.sorted() {
            guard let row = rows[number] else { continue }
            if row.version != plain.seen[number]?.version {
                if rule == .fail { throw Expected(code: .conflict) }
                if rule == .theirs { continue }
            }
            gone.insert(number)
            result[number] = nil
        }
        for (number, _) in plain.set.sorted(by: { $0.key < $1.key }) {
            try result.update(number, plain, rows[number], rule)
        }
        for (number, fields) in plain.inserted { result[number] = Entry(fields: fields.compactMapValues(\.self)) }
        // A reference to what is deleted is emptied, wherever it comes from.
        for (number, row) in result where gone.contains(row.fields["parent"] ?? 0) {
            result[number]?.fields["parent"] = nil
            if plain.inserted[number] == nil { result[number]?.version += 1 }
        }
        for row in result.values {
            if let parent = row.fields["parent"], result[parent] == nil { throw Expected(code: .danglingReference) }
        }
        return result
    }

    // MARK: - Comparing

    private mutating func compare(_ side: Int) throws {
        plains[side].refresh(rows)
        let plain = plains[side]
        let objects = try contexts[side].fetch("Item")
        let visible = Set(rows.keys).union(plain.inserted.keys).filter { plain.view($0) != nil }
        #expect(Set(objects.map(\.id.number)) == visible)
        for object in objects {
            var fields: [String: Int64] = [:]
            for name in ["a", "b", "parent"] { fields[name] = try object.value(name, as: Int64?.self) }
            #expect(fields == plain.view(object.id.number))
        }
        #expect(contexts[side].hasChanges == !plain.isEmpty)
        try compareConditions(side)
    }

    private mutating func compareConditions(_ side: Int) throws {
        let plain = plains[side]
        let wanted = Int64.random(in: 0..<4, using: &generator)
        // A fetch looks at what is committed now, with what was set here over it.
        let found = Set(rows.keys).union(plain.inserted.keys)
            .filter { number in
                guard !plain.deleted.contains(number) else { return false }
                var fields = rows[number]?.fields ?? [:]
                for (name, value) in plain.inserted[number] ?? plain.set[number] ?? [:] { fields[name] = value }
                return fields["a"] == wanted
            }
        let ids = try contexts[side].ids("Item", where: Field("a") == wanted).map(\.number)
        #expect(ids == found.sorted())
    }
}

extension [Int64: Entry] {
    /// Saves what was set of one object.
    fileprivate mutating func update(_ number: Int64, _ plain: Plain, _ row: Entry?, _ rule: Rule) throws {
        let net = plain.net(number)
        guard !net.isEmpty, let base = plain.seen[number] else { return }
        let isConflict = row?.version != base.version
        if isConflict, rule == .fail { throw Expected(code: .conflict) }
        guard var row else {
            guard rule == .mine else { return }
            var fields = base.fields
            for (name, value) in net { fields[name] = value }
            self[number] = Entry(fields: fields, version: base.version + 1)
            return
        }
        var isChanged = false
        for (name, value) in net {
            if isConflict, rule == .theirs, row.fields[name] != base.fields[name] { continue }
            if row.fields[name] != value { isChanged = true }
            row.fields[name] = value
        }
        if isChanged { row.version += 1 }
        self[number] = row
    }
}

/// Small and the same everywhere.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
