import Foundation
import Testing
import Transformable
import TransformableEntities
import TransformableSQLite
import TransformableStore

enum Paint: UInt8, Sendable {
    case red = 1
    case blue = 200
}

@Entity
final class Counter {
    var tiny: Int8 = -1
    var byte: UInt8 = 7
    var port: UInt16 = 80
    var word: UInt32 = 1
    @Attribute(.indexed) var long: UInt64 = 0
    var size: UInt?
    var color: Paint = .blue

    init() {}
}

/// Integers of every width in classes.
@Suite struct EntityIntegerTests {
    private func store(_ longs: [UInt64]) throws -> Store {
        let store = try Store.inMemory(for: Counter.self, transformers: TransformerRegistry { Registration.text })
        try store.write { context in
            for long in longs {
                let counter = context.insert(Counter())
                counter.long = long
                counter.size = UInt(long) + 1
            }
        }
        return store
    }

    @Test func integersArePlainColumns() throws {
        let store = try store([])
        let types = try #require(store.model.entity("Counter")).attributes.map(\.type.rawValue)
        #expect(types == ["int8", "uint8", "uint16", "uint32", "uint64", "uint64", "uint8"])
        let defaults = try #require(store.model.entity("Counter")).attributes.map(\.defaultValue)
        #expect(defaults == [.integer(-1), 7, 80, 1, 0, nil, 200])
    }

    @Test func integersRoundTrip() throws {
        let store = try store([0, UInt64(Int64.max) - 1])
        try store.read { context in
            let counters = try context.fetch(Counter.self, sortedBy: [SortDescriptor(\.long)])
            #expect(counters.map(\.long) == [0, UInt64(Int64.max) - 1])
            #expect(counters.map(\.size) == [1, UInt(Int.max)])
            #expect(counters.map(\.tiny) == [-1, -1] && counters[0].byte == 7 && counters[0].color == .blue)
        }
    }

    @Test func predicatesMatchIntegersAsSwiftDoes() throws {
        let store = try store([0, 5, 300, 1 << 40])
        try store.read { context in
            let limit: UInt64 = 1_099_511_627_776
            #expect(try context.count(Counter.self, where: #Predicate { $0.long >= 5 && $0.long < limit }) == 2)
            #expect(try context.count(Counter.self, where: #Predicate { $0.long + 1 == 6 }) == 1)
            #expect(try context.count(Counter.self, where: #Predicate { $0.byte == 7 && $0.tiny < 0 }) == 4)
            let most = UInt64.max
            #expect(try context.count(Counter.self, where: #Predicate { $0.long <= most }) == 4)
            #expect(try context.count(Counter.self, where: \Counter.long == 300) == 1)
            // In Swift, 0 - 1 would trap.
            let error = #expect(throws: StoreError.self) {
                try context.count(Counter.self, where: #Predicate { $0.long - 1 == 4 })
            }
            #expect(error?.code == .arithmeticFailure)
            // In Swift, 0 and 5 match. As real numbers, all differences are 2⁶⁴.
            #expect(throws: StoreError(.arithmeticFailure, "")) {
                try context.count(Counter.self, where: #Predicate { most - $0.long > most - 10 })
            }
            let (sum, largest) = try context.aggregate(Counter.self, .sum(\.long), .max(\.size))
            #expect(sum == 1_099_511_628_081 && largest == 1_099_511_627_777)
        }
    }

    @Test func rejectsNumbersThatNoColumnCanStore() throws {
        let store = try store([])
        let error = #expect(throws: StoreError.self) {
            try store.write { context in
                let counter = context.insert(Counter())
                counter.long = UInt64.max
            }
        }
        #expect(error?.code == .invalidValue)
        #expect(try store.read { try $0.count(Counter.self) } == 0)
    }
}
