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

@Suite struct EntityUpsertTests {
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
}
