import Foundation
import GRDB
import Synchronization
import Testing
import Transformable
import TransformableEntities

// Counts the statements of a block's own connection.
@testable import TransformableSQLite
@testable import TransformableStore

@Entity
final class Basket {
    @Relationship(inverse: \Apple.basket, isOrdered: true) var row: [Apple]
    @Relationship(inverse: \Apple.heapBasket) var heap: [Apple]
    @Relationship(inverse: \Apple.fans, isOrdered: true) var favorites: [Apple]
}

@Entity
final class Apple {
    var number: Int
    @Relationship var basket: Basket?
    @Relationship var heapBasket: Basket?
    @Relationship var fans: [Basket]

    init(_ number: Int, in basket: Basket? = nil) {
        self.number = number
        self.basket = basket
    }
}

/// Arrays of to-many relationships that are changed in place.
@Suite struct EntityListTests {
    enum List: CaseIterable, Sendable {
        case row
        case heap
        case favorites

        func read(_ basket: Basket) -> [Apple] {
            switch self {
            case .row: basket.row
            case .heap: basket.heap
            case .favorites: basket.favorites
            }
        }

        /// Changes the property itself, unlike a key path.
        func change(_ basket: Basket, _ body: (inout [Apple]) -> Void) {
            switch self {
            case .row: body(&basket.row)
            case .heap: body(&basket.heap)
            case .favorites: body(&basket.favorites)
            }
        }
    }

    static func store() throws -> Store {
        try Store.inMemory(for: Basket.self, Apple.self, transformers: Fixtures.registry())
    }

    private final class Counter: Sendable {
        private let count = Atomic<Int>(0)
        var value: Int { count.load(ordering: .relaxed) }
        func add() { count.add(1, ordering: .relaxed) }
    }

    @Test(arguments: List.allCases)
    func appendingReadsTheOthersOnce(list: List) throws {
        let store = try Self.store()
        try store.write { context in
            let basket = context.insert(Basket())
            list.change(basket) { $0 = (0..<500).map { Apple($0) } }
        }
        try store.write { context in
            let basket = try #require(try context.first(Basket.self))
            let count = try statements(inBlock: context) {
                for number in 500..<1000 {
                    list.change(basket) { $0.append(Apple(number)) }
                    #expect(list.read(basket).count == number + 1)
                }
            }
            #expect(list.read(basket).map(\.number) == Array(0..<1000))
            // The numbers of the other rows, and the first numbers of new rows and positions.
            #expect(count < 20)
        }
    }

    @Test func settingTheInverseReadsTheListOnce() throws {
        let store = try Self.store()
        try store.write { context in
            let basket = context.insert(Basket())
            basket.row = (0..<500).map { Apple($0) }
            basket.heap = basket.row
        }
        try store.write { context in
            let basket = try #require(try context.first(Basket.self))
            // In rows that are already read, so that only lists remain to be read.
            let apples = try context.fetch(Apple.self)
            let other = context.insert(Basket())
            let count = try statements(inBlock: context) {
                for (index, apple) in apples.enumerated() {
                    apple.basket = other
                    apple.heapBasket = nil
                    #expect(basket.row.count == 499 - index && other.row.count == index + 1)
                    #expect(basket.heap.count == 499 - index)
                    other.row.append(Apple(index, in: other))
                    other.row.removeLast()
                }
            }
            #expect(count < 20)
        }
    }

    /// Returns the number of statements that a closure runs on the connection of a block.
    private func statements(inBlock context: StoreContext, _ body: () throws -> Void) throws -> Int {
        let count = Counter()
        let connection = try context.database()
        connection.countStatements { count.add() }
        defer { connection.countStatements(nil) }
        try body()
        return count.value
    }

    @Test func anUninsertedObjectIsChangedInPlace() throws {
        let basket = Basket()
        for number in 0..<1000 { basket.row.append(Apple(number)) }
        basket.row.removeFirst()
        basket.row.swapAt(0, 998)
        let store = try Self.store()
        try store.write { _ = $0.insert(basket) }
        let numbers = try store.read { try #require(try $0.first(Basket.self)).row.map(\.number) }
        #expect(numbers == [999] + Array(2..<999) + [1])
    }

    @Test func unreadableArraysAreNotReplaced() throws {
        let store = try Self.store()
        try store.write { context in context.insert(Basket()).row = [Apple(1)] }
        #expect(throws: StoreError(.readOnly, "")) {
            try store.read { try $0.first(Basket.self)?.row.append(Apple(2)) }
        }
        #expect(throws: StoreError(.misuse, "")) {
            try store.write { context in
                let basket = try #require(try context.first(Basket.self))
                try context.delete(basket)
                basket.row.append(Apple(3))
            }
        }
        #expect(try store.read { try $0.first(Basket.self)?.row.map(\.number) } == [1])
    }

    @Test func readingDuringAChangeReturnsTheOldList() throws {
        try Self.store()
            .write { context in
                let basket = context.insert(Basket())
                basket.row = [Apple(0), Apple(1)]
                func replace(_ list: inout [Apple]) {
                    list.append(Apple(2))
                    #expect(basket.row.map(\.number) == [0, 1])
                    basket.row.append(Apple(3))
                    #expect(basket.row.map(\.number) == [0, 1, 3])
                }
                replace(&basket.row)
                #expect(basket.row.map(\.number) == [0, 1, 2])
            }
    }

    /// The new object is likely to get the address of the one that was removed, which nothing else keeps alive.
    @Test(arguments: List.allCases, [0, 1, 2])
    func replacingAnObjectInOneAccessIsSaved(list: List, position: Int) throws {
        let store = try Self.store()
        try store.write { context in
            let basket = context.insert(Basket())
            list.change(basket) { $0 = (0..<3).map { Apple($0) } }
        }
        try store.write { context in
            let basket = try #require(try context.first(Basket.self))
            #expect(list.read(basket).count == 3)
            list.change(basket) { Self.replace(position, in: &$0, with: 3) }
            #expect(Set(list.read(basket).map(\.number)) == Set(0...3).subtracting([position]))
        }
        let saved = try store.read { try Set(list.read(#require(try $0.first(Basket.self))).map(\.number)) }
        #expect(saved == Set(0...3).subtracting([position]))
    }

    /// Replaces an apple by a new one, if possible at the same address.
    private static func replace(_ position: Int, in apples: inout [Apple], with number: Int) {
        let address = ObjectIdentifier(apples[position])
        apples.remove(at: position)
        var others: [Apple] = []
        while others.count < 1000, others.last.map(ObjectIdentifier.init) != address { others.append(Apple(number)) }
        if let last = others.last { apples.insert(last, at: position) }
    }

    // MARK: - Beside arrays of Swift

    static let cases = (0..<8).map { (seed: UInt64) in (seed: seed, isEditing: seed.isMultiple(of: 2)) }

    @Test(arguments: cases)
    func behavesLikeAnArray(seed: UInt64, isEditing: Bool) throws {
        let store = try Self.store()
        if isEditing {
            var baskets = try Baskets(store.makeContext(), seed: seed)
            for _ in 0..<300 { try baskets.edit() }
        } else {
            try store.write { context in
                var baskets = try Baskets(context, seed: seed)
                for _ in 0..<300 { try baskets.edit() }
            }
        }
        #expect(try store.verify().faults.isEmpty)
    }
}

/// A change of an array.
private enum Edit {
    case append
    case insert(Double)
    case remove(Double)
    case swap(Double, Double)
    case reverse
    case repeatFirst
    case removeAll
    case replaceHalf

    static func random(_ generator: inout Xorshift) -> Self {
        let (place, other) = (Double.random(in: 0..<1, using: &generator), Double.random(in: 0..<1, using: &generator))
        let edits: [Self] = [
            .append, .append, .append, .insert(place), .insert(0), .remove(place), .swap(place, other), .reverse,
            .repeatFirst, .removeAll, .replaceHalf,
        ]
        return edits.randomElement(using: &generator) ?? .append
    }

    func apply<Element>(_ list: inout [Element], _ element: Element) {
        func place(_ share: Double) -> Int { Int(share * Double(list.count)) }
        switch self {
        case .insert(let share): list.insert(element, at: place(share))
        case .remove(let share) where !list.isEmpty: list.remove(at: place(share))
        case .swap(let first, let second) where !list.isEmpty: list.swapAt(place(first), place(second))
        case .reverse: list.reverse()
        case .repeatFirst where !list.isEmpty: list.append(list[0])
        case .removeAll: list.removeAll()
        case .replaceHalf: list.replaceSubrange(..<(list.count / 2), with: [element])
        default: list.append(element)
        }
    }
}

/// Baskets of apples in a context, and arrays of the same numbers.
private struct Baskets {
    private typealias List = EntityListTests.List

    private struct State {
        var lists: [[List: [Int]]] = []
        var apples: [Int: Apple] = [:]
    }

    private let context: StoreContext
    private var generator: Xorshift
    private var baskets: [Basket] = []
    private var state = State()
    private var saved = State()
    private var done: [State] = []
    private var next = 0

    init(_ context: StoreContext, seed: UInt64) throws {
        self.context = context
        generator = Xorshift(state: seed + 1)
        baskets = (0..<3).map { _ in context.insert(Basket()) }
        state.lists = baskets.map { _ in [:] }
        try context.save()
        saved = state
    }

    mutating func edit() throws {
        let before = state
        switch Int.random(in: 0..<30, using: &generator) {
        case 0:
            try context.save()
            if context.isEditing { (saved, done) = (state, []) }
        case 1 where context.isEditing:
            context.rollback()
            (state, done) = (saved, [])
        case 2...4 where context.isEditing:
            guard let last = done.popLast() else { return }
            #expect(try context.undo())
            state = last
        case 5:
            guard let apple = apple() else { return }
            try context.delete(apple)
            state.apples[apple.number] = nil
            for index in state.lists.indices {
                state.lists[index] = state.lists[index].mapValues { $0.filter { $0 != apple.number } }
            }
            done.append(before)
        case 6...9: lead()
        default: change()
        }
        try check()
    }

    private mutating func apple() -> Apple? {
        state.apples.keys.sorted().randomElement(using: &generator).flatMap { state.apples[$0] }
    }

    private func list(_ basket: Int, _ list: List) -> [Int] { state.lists[basket][list] ?? [] }

    /// Sets the other side of a relationship.
    private mutating func lead() {
        let basket = Int.random(in: 0..<3, using: &generator)
        let kind: List = Bool.random(using: &generator) ? .row : .heap
        guard let apple = apple(), !list(basket, kind).contains(apple.number) else { return }
        done.append(state)
        if kind == .row { apple.basket = baskets[basket] } else { apple.heapBasket = baskets[basket] }
        set(basket, kind, list(basket, kind) + [apple.number])
    }

    private mutating func change() {
        let basket = Int.random(in: 0..<3, using: &generator)
        let (kind, edit) = (List.allCases.randomElement(using: &generator) ?? .row, Edit.random(&generator))
        var numbers = list(basket, kind)
        let isNew = Bool.random(using: &generator) || state.apples.isEmpty
        // A new apple is already in this basket, or in none.
        let leadsHere = Bool.random(using: &generator) && kind == .row
        guard let element = isNew ? Apple(next, in: leadsHere ? baskets[basket] : nil) : apple() else { return }
        edit.apply(&numbers, element.number)
        let before = state
        set(basket, kind, numbers)
        guard state.lists != before.lists else {
            state = before
            return
        }
        done.append(before)
        if isNew, numbers.contains(next) { state.apples[next] = element }
        next += 1
        kind.change(baskets[basket]) { edit.apply(&$0, element) }
    }

    /// Replaces a list.
    ///
    /// For a repeated element, the last position counts.
    private mutating func set(_ basket: Int, _ kind: List, _ numbers: [Int]) {
        var seen: Set<Int> = []
        let settled = numbers.reversed().filter { seen.insert($0).inserted }.reversed()
        state.lists[basket][kind] = kind == .heap ? settled.sorted() : Array(settled)
        guard kind != .favorites else { return }
        for other in baskets.indices where other != basket {
            state.lists[other][kind] = list(other, kind).filter { !seen.contains($0) }
        }
    }

    private mutating func check() throws {
        for (index, basket) in baskets.enumerated() {
            for kind in List.allCases where Int.random(in: 0..<3, using: &generator) > 0 {
                let found = kind.read(basket)
                try #require(found.map(\.number) == list(index, kind), "\(kind) of \(index)")
                guard kind != .favorites else { continue }
                #expect(found.allSatisfy { (kind == .row ? $0.basket : $0.heapBasket) === basket })
            }
        }
    }
}
