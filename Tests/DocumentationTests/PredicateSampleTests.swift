import Foundation
import Testing
import Transformable
import TransformableEntities
import TransformableSQLite
import TransformableStore

@Entity
final class Room {
    var floor = 0

    init() {}
}

@Entity
final class Stay {
    var cost = 0.0
    @Relationship var guest: Guest?

    init() {}
}

@Entity
final class Guest {
    var name = ""
    var age = 0
    @Relationship(inverse: \Stay.guest) var stays: [Stay]
    @Relationship var room: Room?

    init() {}
}

/// The samples of the article on predicates.
@Suite struct PredicateSampleTests {
    @Test func predicates() throws {
        let store = try Store.inMemory(
            for: Guest.self,
            Stay.self,
            Room.self,
            transformers: TransformerRegistry { Registration.text }
        )
        try store.write { context in
            for (name, age) in [("Zoë", 20), ("Ada", 40), ("Bea", 5)] {
                let guest = context.insert(Guest())
                guest.name = name
                guest.age = age
                guest.room = context.insert(Room())
                guest.room?.floor = age / 10
                for cost in [50.0, 101, 102, 103] where name == "Ada" {
                    let stay = context.insert(Stay())
                    stay.cost = cost
                    stay.guest = guest
                }
            }
        }
        try store.read { context in
            let adults = try context.fetch(
                Guest.self,
                where: #Predicate { $0.age >= 18 },
                sortedBy: [SortDescriptor(\.name)]
            )
            let regulars = try context.count(
                Guest.self,
                where: #Predicate { $0.stays.filter { $0.cost > 100 }.count > 2 }
            )
            let upstairs = try context.ids(Guest.self, where: #Predicate { $0.room?.floor == 4 }, limit: 10)
            #expect(adults.map(\.name) == ["Ada", "Zoë"])
            #expect(regulars == 1)
            #expect(upstairs.count == 1)
            let found = try context.fetch(Guest.self, where: \Guest.name == "Ada" && \Guest.age > 17)
            let folded = try context.fetch(Guest.self, where: (\Guest.name).contains("ZO", .caseInsensitive))
            let costly = (\Guest.stays).any(\Stay.cost > 102) || Field("room.floor") == 2
            #expect(found.map(\.age) == [40])
            #expect(folded.map(\.name) == ["Zoë"])
            #expect(try context.count(Guest.self, where: costly) == 2)
            let adult = #Predicate<Guest> { $0.age >= 18 }
            let either = try Condition(adult) || \Guest.room == nil
            #expect(try context.count(Guest.self, where: either) == 2)
            let id = found[0].persistentID
            let ids = upstairs
            let theirs = try context.fetch(Stay.self, where: #Predicate { $0.guest?.persistentID == id })
            let chosen = try context.fetch(Guest.self, where: #Predicate { ids.contains($0.persistentID) })
            #expect(theirs.map(\.cost) == [50, 101, 102, 103])
            #expect(chosen.map(\.name) == ["Ada"])
        }
    }
}
