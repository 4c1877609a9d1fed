import Foundation
import Testing
import Transformable
import TransformableEntities
import TransformableSQLite
import TransformableStore

@Entity(unique: [["shelf", "place"]])
final class Book {
    @Attribute(.unique) var isbn: String?
    var title: String
    var shelf: Grade?
    var place: Int?
    var copies = 1
    @Transient var isOpen = false
    @Relationship(inverse: \Loan.book) var loans: [Loan]
    @Relationship var room: Room?

    init(isbn: String?, title: String) {
        self.isbn = isbn
        self.title = title
    }
}

@Entity
final class Loan {
    var days = 0
    @Relationship var book: Book?
}

/// A class whose hook may reject a new object, with coupons that are deleted along with it.
@Entity
final class Carton {
    @Attribute(.unique) var code: String
    @Transient var isRefused = false
    @Relationship(deleteRule: .cascade, inverse: \Coupon.carton) var coupons: [Coupon]

    init(code: String) {
        self.code = code
    }

    func awakeFromInsert() throws {
        if isRefused { throw TooYoung() }
    }
}

@Entity
final class Coupon {
    @Relationship var carton: Carton?
}

/// A class whose hook rejects what was fetched.
@Entity
final class Ledger {
    @Attribute(.unique) var code: String
    var total = 0

    init(code: String, total: Int) {
        self.code = code
        self.total = total
    }

    func awakeFromFetch() throws {
        if total < 0 { throw TooYoung() }
    }
}

/// A class with a child, whose numbers are unique in a table of their own.
@Entity
class Account {
    @Attribute(.unique) var number: Int
    var owner = ""

    init(number: Int, owner: String) {
        self.number = number
        self.owner = owner
    }
}

@Entity
final class Savings: Account {}

/// A class that stores what it keeps in memory when it is saved.
@Entity
final class Slate {
    @Attribute(.unique) var number: Int
    private(set) var packed = 0
    @Transient var shade = 0

    init(number: Int, shade: Int) {
        self.number = number
        self.shade = shade
    }

    func awakeFromFetch() { shade = packed }

    func willSave() { packed = shade }
}

@Suite struct EntityUpsertTests {
    /// A way for an object to cease to exist.
    enum Removal: CaseIterable {
        case deletion
        case undo
        case rollback
    }

    private func store() throws -> Store {
        try Store.inMemory(for: Book.self, Loan.self, Room.self, transformers: TransformerRegistry {})
    }

    /// As in SwiftData, the existing row gets all values of the new object, including initial values and nil.
    @Test func updatesTheExistingObject() throws {
        let store = try store()
        let id = try store.write { context in
            let book = context.insert(Book(isbn: "1", title: "old"))
            book.copies = 5
            book.place = 3
            book.loans = [Loan()]
            return book.persistentID
        }
        try store.write { context in
            let new = Book(isbn: "1", title: "new")
            new.loans = [Loan()]
            let book = try context.upsert(new)
            #expect(book === new && book.persistentID == id)
            #expect(book.title == "new" && book.copies == 1 && book.place == nil)
            #expect(book.loans.count == 2)
            new.title = "newer"
        }
        try store.read { context in
            let rows = try context.values(Book.self, of: \.title, \.copies)
            #expect(rows.map(\.0) == ["newer"] && rows.map(\.1) == [1])
            #expect(try context.count(Loan.self) == 2)
        }
    }

    /// The coupon is neither deleted with the new carton, nor taken from the old one.
    @Test(arguments: [true, false]) func leavesExistingObjectsAloneIfAHookFails(isEditing: Bool) throws {
        let store = try Store.inMemory(for: Carton.self, Coupon.self, transformers: TransformerRegistry {})
        func fail(_ context: StoreContext) throws {
            let coupon = Coupon()
            context.insert(Carton(code: "a")).coupons = [coupon]
            try context.save()
            let new = Carton(code: "b")
            new.isRefused = true
            new.coupons = [coupon]
            #expect(throws: TooYoung.self) { try context.upsert(new) }
            try context.save()
        }
        try isEditing ? fail(store.makeContext()) : store.write { try fail($0) }
        let codes = try store.read { try $0.fetch(Coupon.self).map { $0.carton?.code } }
        #expect(codes == ["a"])
        #expect(try store.read { try $0.count(Carton.self) } == 1)
    }

    @Test func insertsObjectsWithoutConflicts() throws {
        let store = try store()
        try store.write { context in
            try context.upsert(Book(isbn: "1", title: "a"))
            try context.upsert(Book(isbn: "2", title: "b"))
            try context.upsert(Book(isbn: nil, title: "c"))
            try context.upsert(Book(isbn: nil, title: "d"))
        }
        #expect(try store.read { try $0.values(Book.self, of: \.title) } == ["a", "b", "c", "d"])
    }

    @Test func returnsTheObjectThatTheProgramHolds() throws {
        let store = try store()
        try store.write { context in
            let held = context.insert(Book(isbn: "1", title: "old"))
            held.isOpen = true
            var new: Book? = Book(isbn: "1", title: "new")
            new?.room = Room()
            let kept = try context.upsert(#require(new))
            #expect(kept === held)
            #expect(held.title == "new" && held.room != nil && held.isOpen)
            // Both have the row's values, so that nothing is lost.
            new?.copies = 9
            #expect(held.copies == 9)
            new = nil
            #expect(try context.object(held.persistentID) === held)
        }
        #expect(try store.read { try $0.values(Book.self, of: \.copies) } == [9])
    }

    @Test func anObjectOfAChildDoesNotConflict() throws {
        let store = try Store.inMemory(for: Account.self, Savings.self, transformers: TransformerRegistry {})
        try store.write { _ = $0.insert(Savings(number: 17, owner: "Ada")) }
        try store.write { context in
            let new = Account(number: 17, owner: "Bob")
            let inserted = try context.upsert(new)
            let updated = try context.upsert(Account(number: 17, owner: "Eve"))
            #expect(inserted === new && updated === new)
        }
        let accounts = try store.read { try $0.fetch(Account.self).map { "\(type(of: $0)) \($0.owner)" } }
        #expect(accounts == ["Account Eve", "Savings Ada"])
    }

    @Test func findsByGroupsAndEnumerations() throws {
        let store = try store()
        try store.write { context in
            let first = context.insert(Book(isbn: "1", title: "a"))
            (first.shelf, first.place) = (.high, 2)
            let second = Book(isbn: "2", title: "b")
            (second.shelf, second.place) = (.high, 2)
            let found = try context.upsert(second)
            #expect(found === first)
        }
        let isbns: [String?] = try store.read { try $0.values(Book.self, of: \.isbn) }
        #expect(isbns == ["2"])
    }

    @Test func rejectsClassesWithoutUniqueProperties() throws {
        let error = #expect(throws: StoreError.self) { try store().write { _ = try $0.upsert(Loan()) } }
        #expect(error?.code == .misuse)
    }

    /// The second import of the same rows only changes values that differ.
    @Test func importsTwice() throws {
        let store = try store()
        for round in 0..<2 {
            try store.write { context in
                for number in 0..<300 { try context.upsert(Book(isbn: "\(number)", title: "\(round)")) }
            }
        }
        let (count, least) = try store.read { try $0.aggregate(Book.self, .count, .min(\.title)) }
        #expect(count == 300 && least == "1")
    }

    @Test(arguments: [true, false]) func upsertIsOneUndoStep(isHeld: Bool) throws {
        let store = try store()
        try store.write { _ = $0.insert(Book(isbn: "1", title: "old")) }
        let context = store.makeContext()
        let held = try isHeld ? context.first(Book.self) : nil
        let new = Book(isbn: "1", title: "new")
        (new.room, new.loans) = (Room(), [Loan()])
        let book = try context.upsert(new)
        #expect(book === (held ?? new) && book.title == "new")
        try context.undo()
        #expect(book.title == "old" && book.room == nil && book.loans.isEmpty)
        #expect(!context.canUndo && !context.hasChanges)
        try context.redo()
        try context.save()
        let counts = try store.read { (try $0.count(Room.self), try $0.count(Loan.self, where: \Loan.book != nil)) }
        #expect(counts == (1, 1))
    }

    @Test(arguments: [true, false], [true, false])
    func changesNothingIfItFails(isEditing: Bool, isHeld: Bool) throws {
        let (store, other) = (try store(), try self.store().makeContext())
        try store.write { _ = $0.insert(Book(isbn: "1", title: "old")) }
        let stranger = other.insert(Room())
        func upsert(_ context: StoreContext) throws {
            let held = try isHeld ? context.first(Book.self) : nil
            let (new, loan) = (Book(isbn: "1", title: "new"), Loan())
            (new.room, new.loans) = (stranger, [loan])
            #expect(throws: StoreError(.misuse, "")) { try context.upsert(new) }
            #expect(new.managedObject == nil && loan.managedObject == nil && new.title == "new")
            let titles = try context.values(Book.self, of: \.title)
            #expect(titles == ["old"] && held.map { $0.title == "old" } != false)
            new.room = Room()
            #expect(try context.upsert(new) === held ?? new)
            try context.save()
        }
        if isEditing { try upsert(store.makeContext()) } else { try store.write { try upsert($0) } }
        let counts = try store.read { context in
            let book = try #require(try context.first(Book.self))
            return (book.title, book.loans.count, try context.count(Loan.self), try context.count(Room.self))
        }
        #expect(counts == ("new", 1, 1, 1))
    }

    @Test(arguments: [true, false]) func storesWhatTheNewObjectKeepsInMemory(isEditing: Bool) throws {
        let store = try Store.inMemory(for: Slate.self, transformers: TransformerRegistry {})
        try store.write { _ = $0.insert(Slate(number: 1, shade: 5)) }
        func upsert(_ context: StoreContext) throws {
            let new = Slate(number: 1, shade: 9)
            let slate = try context.upsert(new)
            #expect(slate === new && slate.shade == 9)
            try context.save()
        }
        try isEditing ? upsert(store.makeContext()) : store.write { try upsert($0) }
        #expect(try store.read { try $0.fetch(Slate.self).map { [$0.packed, $0.shade] } } == [[9, 9]])
    }

    @Test func aRefreshThatKeepsChangesKeepsWhatTheNewObjectKeepsInMemory() throws {
        let store = try Store.inMemory(for: Slate.self, transformers: TransformerRegistry {})
        try store.write { _ = $0.insert(Slate(number: 1, shade: 5)) }
        let context = store.makeContext()
        let slate = try context.upsert(Slate(number: 1, shade: 9))
        try context.refresh(slate, keepingChanges: true)
        #expect(slate.shade == 9)
        try context.save()
        #expect(try store.read { try $0.values(Slate.self, of: \.packed) } == [9])
    }

    @Test(arguments: [true, false]) func storesNothingOfAnUpsertThatIsTakenBack(isUndone: Bool) throws {
        let store = try Store.inMemory(for: Slate.self, transformers: TransformerRegistry {})
        try store.write { _ = $0.insert(Slate(number: 1, shade: 5)) }
        let context = store.makeContext()
        let slate = try context.upsert(Slate(number: 1, shade: 9))
        if isUndone { try context.undo() } else { context.rollback() }
        #expect(!context.hasChanges && (isUndone || slate.shade == 5))
        try context.save()
        #expect(try store.read { try $0.values(Slate.self, of: \.packed) } == [5])
    }

    @Test func aFailedHookLeavesTheNewObjectAsItWas() throws {
        let store = try Store.inMemory(for: Ledger.self, transformers: TransformerRegistry {})
        try store.write { _ = $0.insert(Ledger(code: "a", total: 5)) }
        let context = store.makeContext()
        let new = Ledger(code: "a", total: -1)
        #expect(throws: TooYoung.self) { try context.upsert(new) }
        #expect(new.managedObject == nil && new.total == -1 && !context.hasChanges)
        new.total = 6
        #expect(try context.upsert(new) === new)
        try context.save()
        #expect(try store.read { try $0.values(Ledger.self, of: \.total) } == [6])
    }

    @Test func aFailedHookChangesNothingInABlock() throws {
        let store = try Store.inMemory(for: Ledger.self, transformers: TransformerRegistry {})
        try store.write { _ = $0.insert(Ledger(code: "a", total: 5)) }
        try store.write { context in
            let new = Ledger(code: "a", total: -1)
            #expect(throws: TooYoung.self) { try context.upsert(new) }
            #expect(new.managedObject == nil && new.total == -1)
        }
        #expect(try store.read { try $0.values(Ledger.self, of: \.total) } == [5])
    }

    @Test(arguments: Removal.allCases) func aRemovedObjectCannotBeInsertedAgain(_ removal: Removal) throws {
        let context = try store().makeContext()
        let book = context.insert(Book(isbn: "1", title: "a"))
        switch removal {
        case .deletion: try context.delete(book)
        case .undo: try context.undo()
        case .rollback: context.rollback()
        }
        let error = #expect(throws: StoreError.self) { try context.upsert(book) }
        #expect(error?.code == .misuse && error?.message.hasPrefix("the object has been deleted; undo") == true)
        context.insert(book)
        #expect(throws: StoreError(.misuse, "")) { try context.save() }
        context.rollback()
        try context.save()
    }
}
