import Foundation
import Testing
import Transformable
import TransformableStore
import _HostileInputs

/// Random trees that two contexts edit in turn, with each delete rule, compared with a reference model.
@Suite(.eachEngine) struct DeleteRulePropertyTests {
    static let cases: [(rule: DeleteRule, seed: UInt64)] = [DeleteRule.nullify, .cascade, .deny, .noAction]
        .flatMap { rule in (0..<2).map { (rule, $0) } }

    @Test(arguments: cases)
    func agreesWithAReferenceModel(rule: DeleteRule, seed: UInt64) throws {
        let folder = try Folder()
        let store = try (seed % 2 == 0 ? Place.file : .memory).store(Self.model(rule), in: folder)
        var forest = Forest(rule: rule, seed: seed, contexts: [store.makeContext(), store.makeContext()])
        for turn in 0..<40 {
            try forest.edit(turn % 2)
            let stored = try store.read { try $0.fetch("Node").map(Forest.row) }
            #expect(stored == forest.sorted(forest.rows), "turn \(turn)")
        }
        #expect(forest.saves > 10 && (forest.refusals > 0) == (rule == .deny))
    }

    private static func model(_ rule: DeleteRule) throws -> Model {
        try Model(entities: [
            EntityDescription(
                "Node",
                attributes: [.integer("value", .default(0))],
                relationships: [
                    .toOne("parent", "Node"), .toMany("children", "Node", inverse: "parent", deleteRule: rule),
                ]
            )
        ])
    }
}

private struct Forest {
    struct Row: Equatable {
        var number: Int64 = 0
        var value: Int64 = 0
        var parent: Int64?
    }

    /// The rows, and which of them were deleted.
    struct State {
        var rows: [Int64: Row]
        var deleted: Set<Int64> = []
    }

    let rule: DeleteRule
    let contexts: [StoreContext]
    private var generator: SeededGenerator
    private(set) var rows: [Int64: Row] = [:]
    private(set) var saves = 0
    private(set) var refusals = 0
    private var state = State(rows: [:])
    private var history: [State] = []

    init(rule: DeleteRule, seed: UInt64, contexts: [StoreContext]) {
        self.rule = rule
        self.contexts = contexts
        generator = SeededGenerator(seed: seed)
    }

    static func row(_ node: ManagedObject) throws -> Row {
        Row(
            number: node.id.number,
            value: try node.value("value", as: Int64.self),
            parent: try node.value("parent", as: Int64?.self)
        )
    }

    func sorted(_ rows: [Int64: Row]) -> [Row] { rows.values.sorted { $0.number < $1.number } }

    /// Edits objects that the other context has saved, and saves or discards the changes.
    mutating func edit(_ side: Int) throws {
        let context = contexts[side]
        context.refreshAll()
        (state, history) = (State(rows: rows), [])
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            try step(context)
            #expect(try context.fetch("Node").map(Self.row) == sorted(state.rows))
            #expect(Set(context.deletedObjects.map(\.id.number)) == state.deleted.intersection(rows.keys))
        }
        guard Int.random(in: 0..<6, using: &generator) > 0 else { return context.rollback() }
        try save(context)
    }

    private mutating func save(_ context: StoreContext) throws {
        let orphans = state.rows.values.filter { row in row.parent.map { state.rows[$0] == nil } ?? false }
        guard orphans.isEmpty else {
            refusals += 1
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.code == .deletionDenied)
            return context.rollback()
        }
        try context.save()
        rows = state.rows
        saves += 1
    }

    private mutating func step(_ context: StoreContext) throws {
        let numbers = state.rows.keys.sorted()
        let chosen = numbers.randomElement(using: &generator)
        let other = numbers.randomElement(using: &generator)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<3: try insert(context, under: other)
        case 3: try undo(context)
        case 4, 5: try delete(context, chosen)
        case 6..<8: try move(context, chosen, under: Bool.random(using: &generator) ? other : nil)
        default:
            guard let chosen else { return }
            history.append(state)
            let value = Int64.random(in: 0..<9, using: &generator)
            try context.object(id(chosen)).setValue(value, for: "value")
            state.rows[chosen]?.value = value
        }
    }

    private func id(_ number: Int64) -> ObjectID { ObjectID(entity: "Node", number: number) }

    private mutating func insert(_ context: StoreContext, under parent: Int64?) throws {
        history.append(state)
        try context.group {
            let node = try context.insert("Node")
            try node.setObject(parent.map { try context.object(id($0)) }, for: "parent")
            state.rows[node.id.number] = Row(number: node.id.number, parent: parent)
        }
    }

    private mutating func undo(_ context: StoreContext) throws {
        #expect(try context.undo() == !history.isEmpty)
        if let earlier = history.popLast() { state = earlier }
    }

    private mutating func move(_ context: StoreContext, _ number: Int64?, under parent: Int64?) throws {
        // Setting the same value is not a step that can be undone.
        guard let number, let row = state.rows[number], row.parent != parent else { return }
        history.append(state)
        let node = try context.object(id(number))
        if let parent {
            try context.object(id(parent)).add(node, to: "children")
        } else if let former = row.parent, state.rows[former] != nil, Bool.random(using: &generator) {
            try context.object(id(former)).remove(node, from: "children")
        } else {
            try node.setObject(nil, for: "parent")
        }
        state.rows[number]?.parent = parent
    }

    private mutating func delete(_ context: StoreContext, _ number: Int64?) throws {
        guard let number else { return }
        history.append(state)
        try context.delete(context.object(id(number)))
        remove(number)
    }

    private mutating func remove(_ number: Int64) {
        state.rows[number] = nil
        state.deleted.insert(number)
        for child in sorted(state.rows) where child.parent == number {
            switch rule {
            case .nullify, .noAction: state.rows[child.number]?.parent = nil
            case .cascade: if state.rows[child.number] != nil { remove(child.number) }
            default: break
            }
        }
    }
}
