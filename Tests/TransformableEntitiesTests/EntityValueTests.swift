import Foundation
import Testing
import Transformable
import TransformableEntities
import TransformableStore

/// Aggregates, and values that are read without creating objects.
@Suite struct EntityValueTests {
    private let store: Store

    init() throws {
        store = try Hotel.empty()
        try store.write { context in
            let room = context.insert(Room())
            room.name = "blue"
            let rows: [(String, String?, Int?, Double, Grade, Decimal)] = [
                ("Ada", "a", 36, 50.5, .low, 0.1), ("Bea", nil, nil, 60, .high, 0.2), ("Cid", "c", 20, 70, .low, 0.3),
            ]
            for (name, nick, age, weight, grade, price) in rows {
                let guest = context.insert(Guest())
                (guest.name, guest.nick, guest.age, guest.weight, guest.grade) = (name, nick, age, weight, grade)
                guest.small = Int16.max
                guest.price = price
                guest.secret = name.uppercased()
                if name != "Bea" { guest.room = room }
            }
        }
    }

    @Test func aggregatesByKeyPaths() throws {
        try store.read { context in
            let (count, known, ages, mean) = try context.aggregate(
                Guest.self,
                .count,
                .count(of: \.age),
                .sum(\.age),
                .average(\.age)
            )
            #expect(count == 3 && known == 2 && ages == 56)
            #expect(mean == 28)
            // More than fits in an Int16.
            #expect(try context.aggregate(Guest.self, .sum(\.small)) == 98_301)
            #expect(try context.aggregate(Guest.self, .sum(\.weight)) == 180.5)
            let (price, meanPrice) = try context.aggregate(Guest.self, .sum(\.price), .average(\.price))
            #expect(price == Decimal(string: "0.6") && meanPrice == Decimal(string: "0.2"))
        }
    }

    @Test func findsTheExtremesOfValues() throws {
        try store.read { context in
            let (name, nick, age, grade) = try context.aggregate(
                Guest.self,
                .max(\.name),
                .max(\.nick),
                .min(\.age),
                .max(\.grade)
            )
            #expect(name == "Cid" && nick == "c" && age == 20 && grade == .high)
            let (none, sum) = try context.aggregate(Guest.self, .max(\.age), .sum(\.age), where: \Guest.name == "Zoe")
            #expect(none == nil && sum == 0)
        }
    }

    @Test func groupsByKeyPaths() throws {
        try store.read { context in
            let byGrade = try context.aggregate(Guest.self, .count, .sum(\.weight), groupedBy: \.grade)
            #expect(byGrade.map(\.key) == [Grade.low, .high])
            #expect(byGrade.map(\.value.0) == [2, 1])
            #expect(byGrade.map(\.value.1) == [120.5, 60])
            let byTwo = try context.aggregate(
                Guest.self,
                .max(\.name),
                groupedBy: \.nick,
                \.grade,
                where: #Predicate { $0.name != "Cid" }
            )
            #expect(byTwo.map(\.key.0) == [nil, "a"])
            #expect(byTwo.map(\.key.1) == [.high, .low])
            #expect(byTwo.map(\.value) == ["Bea", "Ada"])
        }
    }

    @Test func rejectsAggregatesOfUnstoredOrDifferentlyOrderedProperties() throws {
        try store.read { context in
            let computed = #expect(throws: StoreError.self) { try context.aggregate(Guest.self, .max(\.initials)) }
            #expect(computed?.code == .unknownAttribute)
            let ordered = #expect(throws: StoreError.self) { try context.aggregate(Guest.self, .max(\.rank)) }
            #expect(ordered?.code == .unsupported)
            // Each object would be a group of its own.
            let grouped = #expect(throws: StoreError.self) {
                try context.aggregate(Guest.self, .count, groupedBy: \.persistentID)
            }
            #expect(grouped?.code == .unknownAttribute)
        }
    }

    @Test func readsValuesByKeyPaths() throws {
        try store.read { context in
            let order = [SortDescriptor(\Guest.name, order: .reverse)]
            let rows = try context.values(Guest.self, of: \.persistentID, \.age, \.grade, \.secret, sortedBy: order)
            #expect(rows.map(\.0.number) == [3, 2, 1])
            #expect(rows.map(\.1) == [20, nil, 36])
            #expect(rows.map(\.2) == [.low, .high, .low])
            #expect(rows.map(\.3) == ["CID", "BEA", "ADA"])
            let names = try context.values(Guest.self, of: \.name, where: #Predicate { $0.age != nil }, limit: 1)
            #expect(names == ["Ada"])
            let error = #expect(throws: StoreError.self) { try context.values(Guest.self, of: \.initials) }
            #expect(error?.code == .unknownAttribute)
        }
    }

    @Test func prefetchesRelatedObjects() throws {
        try store.read { context in
            let guests = try context.fetch(Guest.self)
            try context.prefetch(guests)
            let rooms = try context.prefetch(guests, \.room)
            #expect(rooms.map(\.name) == ["blue"])
            #expect(guests[0].room === rooms[0])
            #expect(try context.prefetch(guests, \.stays).isEmpty)
        }
    }

    @Test func refreshesObjects() throws {
        let editor = store.makeContext()
        let guest = try editor.object(PersistentID<Guest>(number: 1))
        #expect(guest.name == "Ada")
        try store.write { try $0.object(PersistentID<Guest>(number: 1)).name = "Eve" }
        #expect(guest.name == "Ada")
        guest.age = 40
        try editor.refresh(guest, keepingChanges: true)
        #expect(guest.name == "Eve" && guest.age == 40)
        try editor.refresh(guest)
        #expect(guest.age == 36)
        let error = #expect(throws: StoreError.self) { try editor.refresh(Guest()) }
        #expect(error?.code == .misuse)
    }

    @Test func reportsChangesByClass() async throws {
        var changes = try store.changes(of: Guest.self).makeAsyncIterator()
        let id = try await store.write { context in
            context.insert(Room())
            try context.object(PersistentID<Guest>(number: 1)).nick = "x"
            try context.delete(context.object(PersistentID<Guest>(number: 3)))
            return context.insert(Guest()).persistentID
        }
        let change = try #require(await changes.next())
        #expect(change.inserted == [id])
        #expect(change.updated.map(\.number) == [1])
        #expect(change.deleted.map(\.number) == [3])
        #expect(change.hasChanged(\.nick, of: PersistentID(number: 1)))
        #expect(!change.hasChanged(\.name, of: PersistentID(number: 1)))
        #expect(!change.isIncomplete)
    }
}
