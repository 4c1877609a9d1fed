import Foundation
import GRDB
import Synchronization
import Testing
import Transformable
import _HostileInputs

// Counts the statements of a store's own connection.
@testable import TransformableStore

/// Repeated fetches with pending changes.
@Suite struct PendingFetchTests {
    private final class Counter: Sendable {
        private let count = Atomic<Int>(0)
        var value: Int { count.load(ordering: .relaxed) }
        func add() { count.add(1, ordering: .relaxed) }
    }

    private func statements(_ context: StoreContext, _ body: () throws -> Void) throws -> Int {
        let count = Counter()
        let connection = try #require(context.work.tables?.connection)
        try connection.write { $0.countStatements { count.add() } }
        try body()
        try connection.write { $0.countStatements(nil) }
        return count.value
    }

    private static func store(
        _ place: Place,
        in folder: Folder,
        hooks: [String: EntityHooks] = [:]
    ) throws -> Store {
        let model = try Model(entities: [
            EntityDescription(
                "Node",
                attributes: [.string("name", .default("n")), .integer("value", .default(0))],
                relationships: [
                    .toOne("parent", "Node"), .toMany("children", "Node", inverse: "parent", deleteRule: .cascade),
                    .toMany("friends", "Node", inverse: "friends"),
                ]
            )
        ])
        return try place.store(model, in: folder, hooks: hooks)
    }

    @Test func theCostOfAFetchDependsOnNewChanges() throws {
        let folder = try Folder()
        let store = try Self.store(.file, in: folder)
        let context = store.makeContext()
        var nodes = [try context.insert("Node")]
        #expect(try context.count("Node") == 1)
        for _ in 1..<1000 { nodes.append(try context.insert("Node")) }
        let first = try statements(context) { () throws in #expect(try context.count("Node") == 1000) }
        // Each of the new objects is removed and inserted.
        #expect((1998..<2100).contains(first))
        let second = try statements(context) { () throws in #expect(try context.count("Node") == 1000) }
        #expect(second < 20)
        let third = try statements(context) {
            try nodes[7].setValue(3, for: "value")
            try nodes[8].add(nodes[9], to: "friends")
            try context.delete(nodes[10])
            #expect(try context.count("Node", where: Condition("value == 3")) == 1)
            #expect(try context.count("Node", where: Condition("any friends (value == 0)")) == 2)
            #expect(try context.count("Node") == 999)
        }
        #expect(third < 80)
        try context.save()
        #expect(try context.count("Node") == 999)
    }

    @Test func seesCommitsToARefreshedRow() throws {
        let folder = try Folder()
        let store = try Self.store(.file, in: folder)
        let id = try store.write { try $0.insert("Node").id }
        let context = store.makeContext()
        _ = try context.insert("Node")
        let node = try context.object(id)
        try node.setValue(3, for: "value")
        #expect(try context.count("Node", where: Condition("value == 3")) == 1)
        try context.undo()
        context.refreshAll()
        try store.write { try $0.object(id).setValue(5, for: "value") }
        #expect(try context.count("Node", where: Condition("value == 5")) == 1)
    }

    @Test(arguments: Place.allCases) func hooksOfABlockProcessPendingChangesOnce(place: Place) throws {
        let folder = try Folder()
        var hooks = EntityHooks()
        hooks.willSave = { node in
            let name = try node.value("name", as: String.self)
            try node.setValue(name + "'", for: "name")
            #expect(try node.context.count("Node", where: Field("name") == name + "'") == 1)
        }
        hooks.validateForInsert = { node in
            let name = try node.value("name", as: String.self)
            #expect(try node.context.count("Node", where: Field("name") == name) == 1)
        }
        let store = try Self.store(place, in: folder, hooks: ["Node": hooks])
        let count = Counter()
        try store.write { context in
            for number in 0..<200 { try context.insert("Node").setValue("\(number)", for: "name") }
            try context.database().countStatements { count.add() }
            try context.save()
            try context.database().countStatements(nil)
            let tables = "SELECT count(*) FROM sqlite_temp_master WHERE name LIKE '%pending.%'"
            #expect(try context.database().integer(tables) == 0)
        }
        // Each fetch takes a few statements, and each object is written twice to the temporary tables.
        #expect((1000..<10_000).contains(count.value))
    }

    @Test(arguments: Place.allCases) func aFetchThatFailsDoesNotAffectTheNext(place: Place) throws {
        let folder = try Folder()
        let store = try Self.store(place, in: folder)
        let context = store.makeContext()
        let node = try context.insert("Node")
        // The first fetch creates temporary tables, and a later one updates them.
        for value in 1...2 {
            try node.setValue(value, for: "value")
            #expect(throws: StoreError.self) { try context.fetch("Node", where: Field("unknown") == 1) }
            #expect(try context.count("Node", where: Field("value") == value) == 1)
        }
    }

    @Test func tablesAreRemovedWithPendingChanges() throws {
        let folder = try Folder()
        let store = try Self.store(.file, in: folder)
        let context = store.makeContext()
        _ = try context.insert("Node")
        #expect(try context.count("Node") == 1)
        weak let connection = context.work.tables?.connection
        #expect(connection != nil)
        context.rollback()
        #expect(connection == nil)
        #expect(try context.count("Node") == 0)
    }

    @Test func aClosedStoreRejectsPendingFetches() throws {
        let folder = try Folder()
        let store = try Self.store(.file, in: folder)
        let context = store.makeContext()
        _ = try context.insert("Node")
        #expect(try context.count("Node") == 1)
        try store.close()
        #expect(throws: StoreError(code: .misuse)) { try context.count("Node") }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.hasSuffix("wal") } == []
        )
    }

    static let cases: [(seed: UInt64, place: Place)] = (0..<8).map { ($0, $0 % 2 == 0 ? .memory : .file) }

    @Test(arguments: cases)
    func agreesWithAReferenceModel(seed: UInt64, place: Place) throws {
        let folder = try Folder()
        let store = try Self.store(place, in: folder)
        var nodes = Nodes(store, seed: seed)
        for _ in 0..<150 {
            try nodes.edit()
            try nodes.check()
        }
    }
}

/// Nodes that two contexts edit, one of which fetches repeatedly.
private struct Nodes {
    private struct State {
        var values: [Int64: Int] = [:]
        var parents: [Int64: Int64] = [:]
    }

    private let store: Store
    private let context: StoreContext
    private var generator: SeededGenerator
    private var state = State()
    private var saved = State()
    private var done: [State] = []
    private var touched: Set<Int64> = []

    init(_ store: Store, seed: UInt64) {
        self.store = store
        context = store.makeContext(onConflict: .mine)
        generator = SeededGenerator(seed: seed)
    }

    private mutating func pick() -> Int64? { state.values.keys.sorted().randomElement(using: &generator) }

    private func node(_ number: Int64) throws -> ManagedObject {
        try context.object(ObjectID(entity: "Node", number: number))
    }

    mutating func edit() throws {
        let before = state
        let value = Int.random(in: 1..<6, using: &generator)
        switch Int.random(in: 0..<16, using: &generator) {
        case 0...3:
            let node = try context.insert("Node")
            state.values[node.id.number] = 0
        case 4...6:
            guard let number = pick(), state.values[number] != value else { return }
            try node(number).setValue(value, for: "value")
            state.values[number] = value
            touched.insert(number)
        case 7...8:
            guard let number = pick(), let parent = pick(), number > parent, state.parents[number] != parent else {
                return
            }
            try node(number).setObject(node(parent), for: "parent")
            state.parents[number] = parent
            touched.formUnion([number, parent])
        case 9:
            guard let number = pick() else { return }
            try context.delete(node(number))
            remove(number)
        case 10:
            try context.save()
            (saved, done, touched) = (state, [], [])
            return
        case 11:
            context.rollback()
            (state, done, touched) = (saved, [], [])
            return
        case 12...13:
            guard let last = done.popLast() else { return }
            #expect(try context.undo())
            state = last
            return
        default: return try editElsewhere(value)
        }
        done.append(before)
    }

    /// Commits changes of another context to nodes that this context has not changed.
    private mutating func editElsewhere(_ value: Int) throws {
        let free = saved.values.keys.filter { !touched.contains($0) && state.values[$0] != nil && $0 % 3 == 0 }.sorted()
        let number = free.randomElement(using: &generator)
        let added = try store.write { context in
            if let number { try context.object(ObjectID(entity: "Node", number: number)).setValue(value, for: "value") }
            return try context.insert("Node").id.number
        }
        func note(_ state: inout State) {
            state.values[added] = 0
            if let number { state.values[number] = value }
        }
        note(&state)
        note(&saved)
        for index in done.indices { note(&done[index]) }
    }

    private mutating func remove(_ number: Int64) {
        state.values[number] = nil
        touched.insert(number)
        for child in state.parents.filter({ $0.value == number }).map(\.key) { remove(child) }
        state.parents[number] = nil
    }

    mutating func check() throws {
        let value = Int.random(in: 0..<6, using: &generator)
        let found = try context.ids("Node", where: Condition("value == \(value)")).map(\.number)
        try #require(found == state.values.filter { $0.value == value }.map(\.key).sorted())
        let parents = try context.ids("Node", where: Condition("any children (value == \(value))")).map(\.number)
        let expected = Set(state.parents.filter { state.values[$0.key] == value }.values)
        try #require(parents == expected.sorted())
        #expect(try context.count("Node") == state.values.count)
    }
}
