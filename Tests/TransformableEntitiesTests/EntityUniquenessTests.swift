import Testing
import Transformable
import TransformableEntities

@Entity(unique: [["row", "number"]])
final class Seat {
    @Attribute(.unique) var position: Int
    @Attribute(.unique) var label: String?
    var row = 0
    var number = 0

    init(position: Int) {
        self.position = position
        label = "L\(position)"
        number = position
    }
}

@Entity(isAbstract: true, unique: [["plate"]])
class Vehicle {
    var plate: String
    var seats = 4

    init(plate: String) {
        self.plate = plate
    }
}

@Entity
final class Truck: Vehicle {}

@Entity
final class Van: Vehicle {}

struct EntityUniquenessTests {
    private static func store() throws -> Store {
        let store = try Store.inMemory(for: Seat.self, transformers: TransformerRegistry {})
        try store.write { context in
            for position in 1...5 { context.insert(Seat(position: position)) }
        }
        return store
    }

    private static func seats(_ store: Store) throws -> [String] {
        try store.read { context in
            try context.fetch(Seat.self).map { "\($0.position) \($0.label ?? "") \($0.number)" }
        }
    }

    @Test func valuesSwapInOneSave() throws {
        let store = try Self.store()
        try store.write { context in
            let seats = try context.fetch(Seat.self)
            (seats[0].position, seats[1].position) = (seats[1].position, seats[0].position)
            (seats[2].label, seats[3].label) = (seats[3].label, seats[2].label)
            (seats[3].number, seats[4].number) = (seats[4].number, seats[3].number)
        }
        #expect(try Self.seats(store) == ["2 L1 1", "1 L2 2", "3 L4 3", "4 L3 5", "5 L5 4"])
    }

    @Test func positionsShiftByOne() throws {
        let store = try Self.store()
        try store.write { context in
            for seat in try context.fetch(Seat.self) { seat.position += 1 }
            let new = Seat(position: 1)
            (new.label, new.number) = ("new", 9)
            context.insert(new)
        }
        #expect(try store.read { try $0.fetch(Seat.self).map(\.position) } == [2, 3, 4, 5, 6, 1])
    }

    @Test func childrenInheritUniqueGroups() throws {
        let store = try Store.inMemory(for: Vehicle.self, Truck.self, Van.self, transformers: TransformerRegistry {})
        try store.write { context in
            context.insert(Truck(plate: "A 1"))
            context.insert(Van(plate: "A 1"))
        }
        let error = #expect(throws: StoreError.self) {
            try store.write { _ = $0.insert(Truck(plate: "A 1")) }
        }
        #expect(error?.code == .notUnique)
        try store.write { context in
            let truck = Truck(plate: "A 1")
            truck.seats = 2
            try context.upsert(truck)
        }
        #expect(try store.read { try $0.fetch(Truck.self).map(\.seats) } == [2])
    }

    @Test func aValueThatOccursTwiceIsAnError() throws {
        let store = try Self.store()
        let before = try Self.seats(store)
        let error = #expect(throws: StoreError.self) {
            try store.write { context in
                let seats = try context.fetch(Seat.self)
                (seats[0].position, seats[1].position) = (seats[1].position, seats[0].position)
                seats[3].position = 3
            }
        }
        #expect(error?.code == .notUnique)
        #expect(error?.object == ObjectID(entity: "Seat", number: 4))
        #expect(try Self.seats(store) == before)
    }
}
