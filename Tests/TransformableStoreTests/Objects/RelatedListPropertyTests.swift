import Foundation
import Testing
import Transformable
import TransformableStore
import _HostileInputs

/// Random edits of relationships of each kind, compared with a reference model after each edit.
@Suite(.eachEngine) struct RelatedListPropertyTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let seed: UInt64
        let isEditing: Bool

        var testDescription: String { "seed \(seed), \(isEditing ? "editing" : "block")" }
    }

    /// The number of edits in each case, which `make soak` increases.
    private static let edits = Int(ProcessInfo.processInfo.environment["TRANSFORMABLE_EDITS"] ?? "") ?? 200
    // A distributed store takes longer.
    static let cases = (0..<(Trial.isDistributed ? 4 : 6)).map { Case(seed: $0, isEditing: $0 % 2 == 0) }

    @Test(arguments: cases)
    func agreesWithAReferenceModel(_ test: Case) throws {
        let folder = try Folder()
        let store = try (test.seed % 3 == 0 ? Place.memory : .file).store(Self.model(), in: folder)
        if test.isEditing {
            var shelves = try Shelves(store.makeContext(), seed: test.seed)
            for _ in 0..<Self.edits { try shelves.edit() }
            #expect(shelves.undone > 5)
        } else {
            try store.write { context in
                var shelves = try Shelves(context, seed: test.seed)
                for _ in 0..<Self.edits { try shelves.edit() }
            }
        }
        #expect(try store.verify().faults.isEmpty)
    }

    private static func model() throws -> Model {
        try Model(entities: [
            EntityDescription(
                "Shelf",
                relationships: [
                    .toMany("row", "Book", ordered: true, inverse: "rowShelf"),
                    .toMany("heap", "Book", inverse: "heapShelf"),
                    .toMany("marks", "Book", ordered: true, inverse: "markedBy"),
                    .toMany("tags", "Book", inverse: "taggedBy"),
                    .toMany("peers", "Shelf", inverse: "peers"),
                ]
            ),
            EntityDescription(
                "Book",
                relationships: [
                    .toOne("rowShelf", "Shelf"), .toOne("heapShelf", "Shelf"),
                    .toMany("markedBy", "Shelf", ordered: true), .toMany("taggedBy", "Shelf"),
                ]
            ),
        ])
    }
}

/// Shelves of books in a context, and the reference model: lists of numbers by relationship and number.
private struct Shelves {
    private struct Kind {
        let entity: String
        let name: String
        let inverse: String
        let isOrdered: Bool
        /// Whether an object can be in only one list of the kind.
        let isExclusive: Bool
    }

    private struct Key: Hashable {
        let name: String
        let number: Int64
    }

    private struct State {
        var lists: [Key: [Int64]] = [:]
        var shelves: [Int64] = []
        var books: [Int64] = []
    }

    private static let kinds = [
        Kind(entity: "Shelf", name: "row", inverse: "rowShelf", isOrdered: true, isExclusive: true),
        Kind(entity: "Shelf", name: "heap", inverse: "heapShelf", isOrdered: false, isExclusive: true),
        Kind(entity: "Shelf", name: "marks", inverse: "markedBy", isOrdered: true, isExclusive: false),
        Kind(entity: "Book", name: "markedBy", inverse: "marks", isOrdered: true, isExclusive: false),
        Kind(entity: "Shelf", name: "tags", inverse: "taggedBy", isOrdered: false, isExclusive: false),
        Kind(entity: "Book", name: "taggedBy", inverse: "tags", isOrdered: false, isExclusive: false),
        Kind(entity: "Shelf", name: "peers", inverse: "peers", isOrdered: false, isExclusive: false),
    ]

    private let context: StoreContext
    private var generator: SeededGenerator
    private var state = State()
    private var saved = State()
    private var done: [State] = []
    private var redoable: [State] = []
    private(set) var undone = 0

    init(_ context: StoreContext, seed: UInt64) throws {
        self.context = context
        generator = SeededGenerator(seed: seed)
        state.shelves = try (0..<4).map { _ in try context.insert("Shelf").id.number }
        state.books = try (0..<12).map { _ in try context.insert("Book").id.number }
        try context.save()
        saved = state
    }

    private func object(_ entity: String, _ number: Int64) throws -> ManagedObject {
        try context.object(ObjectID(entity: entity, number: number))
    }

    private mutating func pick<Element>(_ list: [Element]) throws -> Element {
        try #require(list.randomElement(using: &generator))
    }

    mutating func edit() throws {
        let before = state
        switch Int.random(in: 0..<40, using: &generator) {
        case 0 where state.books.count < 20:
            state.books.append(try context.insert("Book").id.number)
        case 1 where state.books.count > 8:
            let book = try pick(state.books)
            try context.delete(object("Book", book))
            forget(book)
        case 2:
            try context.save()
            if context.isEditing { (saved, done, redoable) = (state, [], []) }
            return try check()
        case 3 where context.isEditing:
            context.rollback()
            (state, done, redoable) = (saved, [], [])
            return try check()
        case 4...6 where context.isEditing: return try undo()
        default: try change()
        }
        // A change without effect leaves nothing to undo, but canUndo cannot distinguish it.
        if context.isEditing { (done, redoable) = (done + [before], []) }
        try check()
    }

    private mutating func undo() throws {
        guard let last = done.popLast() else { return }
        undone += 1
        #expect(try context.undo())
        redoable.append(state)
        state = last
        try check()
        guard Bool.random(using: &generator), let next = redoable.popLast() else { return }
        #expect(try context.redo())
        done.append(state)
        state = next
        try check()
    }

    private mutating func forget(_ book: Int64) {
        state.books.removeAll { $0 == book }
        for kind in Self.kinds {
            if kind.entity == "Book" { state.lists[Key(name: kind.name, number: book)] = nil }
            guard kind.entity == "Shelf", kind.name != "peers" else { continue }
            for shelf in state.shelves { state.lists[Key(name: kind.name, number: shelf)]?.removeAll { $0 == book } }
        }
    }

    /// Changes the objects of a relationship until something has changed.
    private mutating func change() throws {
        let known = state.lists
        var turns = 0
        while state.lists == known, turns < 50 {
            turns += 1
            try changeOne()
        }
    }

    private mutating func changeOne() throws {
        let kind = try pick(Self.kinds)
        let owner = try pick(kind.entity == "Shelf" ? state.shelves : state.books)
        let others = kind.entity == "Book" || kind.name == "peers" ? state.shelves : state.books
        let partner = kind.entity == "Book" || kind.name == "peers" ? "Shelf" : "Book"
        let key = Key(name: kind.name, number: owner)
        let list = state.lists[key] ?? []
        let object = try object(kind.entity, owner)
        let member = try pick(others)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0:
            guard !list.contains(member) else { return }
            try object.add(self.object(partner, member), to: kind.name)
            set(kind, owner, list + [member])
        case 1:
            guard list.contains(member) else { return }
            try object.remove(self.object(partner, member), from: kind.name)
            set(kind, owner, list.filter { $0 != member })
        case 2 where kind.isOrdered:
            var rest = list.filter { $0 != member }
            let index = Int.random(in: 0...rest.count, using: &generator)
            rest.insert(member, at: index)
            guard rest != list else { return }
            try object.insert(self.object(partner, member), into: kind.name, at: index)
            set(kind, owner, rest)
        case 3 where kind.isExclusive:
            guard !list.contains(member) else { return }
            try self.object(partner, member).setObject(object, for: kind.inverse)
            set(kind, owner, list + [member])
        case 4 where kind.isOrdered:
            let shuffled = list.shuffled(using: &generator)
            guard shuffled != list else { return }
            try object.setObjects(shuffled.map { try self.object(partner, $0) }, for: kind.name)
            set(kind, owner, shuffled)
        default:
            let count = Int.random(in: 0...min(6, others.count), using: &generator)
            let wanted = Array(others.shuffled(using: &generator).prefix(count))
            guard kind.isOrdered ? wanted != list : Set(wanted) != Set(list) else { return }
            try object.setObjects(wanted.map { try self.object(partner, $0) }, for: kind.name)
            set(kind, owner, wanted)
        }
    }

    /// Replaces a list and updates the inverse lists, in which new objects come last.
    private mutating func set(_ kind: Kind, _ owner: Int64, _ list: [Int64]) {
        let key = Key(name: kind.name, number: owner)
        let earlier = state.lists[key] ?? []
        state.lists[key] = kind.isOrdered ? list : list.sorted()
        if kind.isExclusive {
            for shelf in state.shelves where shelf != owner {
                state.lists[Key(name: kind.name, number: shelf)]?.removeAll(where: list.contains)
            }
            return
        }
        for other in earlier where !list.contains(other) {
            state.lists[Key(name: kind.inverse, number: other)]?.removeAll { $0 == owner }
        }
        for other in list where !earlier.contains(other) {
            let back = Key(name: kind.inverse, number: other)
            if state.lists[back]?.contains(owner) == true { continue }
            state.lists[back, default: []].append(owner)
            if !kind.isOrdered { state.lists[back]?.sort() }
        }
    }

    /// Compares some relationships with the model, and occasionally all, so that some are changed before they are read.
    private mutating func check() throws {
        let share = try pick([0.1, 0.3, 1])
        for kind in Self.kinds {
            for number in kind.entity == "Shelf" ? state.shelves : state.books {
                guard Double.random(in: 0..<1, using: &generator) < share else { continue }
                let found = try object(kind.entity, number).objects(kind.name).map(\.id.number)
                let expected = state.lists[Key(name: kind.name, number: number)] ?? []
                try #require(found == expected, "\(kind.name) of \(number)")
            }
        }
    }
}
