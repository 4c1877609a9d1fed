import Foundation
import Synchronization
import Testing
import Transformable
import TransformableEntities
import TransformableStore

/// Predicates in SQL, compared with Foundation's evaluation.
@Suite struct PredicateTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let predicate: Predicate<Guest>

        init(_ name: String, _ predicate: Predicate<Guest>) {
            self.name = name
            self.predicate = predicate
        }

        var testDescription: String { name }
    }

    private static let day = Date(timeIntervalSinceReferenceDate: 86_400)
    private static let names = ["a", "é", "bz"]
    private static let ages: [Int?] = [1, 2, nil]
    private static let high = Grade.high

    // One statement for each, because the compiler checks a statement as a whole.
    static let comparisons: [Case] = {
        var cases: [Case] = []
        let (name, day, middle, high) = ("a", Self.day, Grade.middle, Self.high)
        let tenth = Decimal(string: "0.1") ?? 0
        cases.append(Case("equal", #Predicate { $0.name == name }))
        cases.append(Case("not equal", #Predicate { $0.name != "a" }))
        cases.append(Case("equal, optional", #Predicate { $0.nick == name }))
        cases.append(Case("not equal, optional", #Predicate { $0.nick != name }))
        cases.append(Case("nil", #Predicate { $0.age == nil }))
        cases.append(Case("not nil", #Predicate { $0.age != nil && $0.nick == nil }))
        cases.append(Case("two properties", #Predicate { $0.name == ($0.nick ?? "-") }))
        cases.append(Case("order", #Predicate { $0.small > 2 || $0.weight <= 1.25 }))
        cases.append(Case("order of text", #Predicate { $0.name < "b" }))
        cases.append(Case("order of two strings", #Predicate { ($0.nick ?? "") >= $0.name }))
        cases.append(Case("dates", #Predicate { $0.born >= day }))
        cases.append(Case("decimals", #Predicate { $0.price == tenth * 12 || $0.price > 3 }))
        cases.append(Case("single precision", #Predicate { $0.ratio == 0.1 || $0.ratio > 1.5 }))
        cases.append(Case("enumeration", #Predicate { $0.grade == high }))
        cases.append(Case("order of an enumeration", #Predicate { $0.grade >= middle && $0.grade < high }))
        cases.append(Case("raw value of another order", #Predicate { $0.rank.rawValue > "l" }))
        cases.append(Case("raw value", #Predicate { $0.grade.rawValue < 1 }))
        cases.append(Case("truth value", #Predicate { $0.isActive }))
        cases.append(Case("not a truth value", #Predicate { !$0.isActive && $0.isActive == false }))
        cases.append(Case("truth values compared", #Predicate { $0.isActive == ($0.small > 2) }))
        cases.append(Case("conditional", #Predicate { ($0.isActive ? $0.small : 3) == 3 }))
        cases.append(Case("not", #Predicate { !($0.name == "a" || $0.small > 1) }))
        cases.append(Case("true", #Predicate { _ in true }))
        return cases
    }()

    static let ranges: [Case] = {
        var cases: [Case] = []
        let (names, ages, set, span) = (Self.names, Self.ages, Set<Int16>([1, 3]), 1.0..<2.5)
        let closed = Int16(1)...Int16(2)
        cases.append(Case("closed range", #Predicate { (1...3).contains($0.age ?? 0) }))
        cases.append(Case("range", #Predicate { (1..<3).contains($0.age ?? 0) }))
        cases.append(Case("captured range", #Predicate { span.contains($0.weight) }))
        cases.append(Case("captured closed range", #Predicate { closed.contains($0.small) }))
        cases.append(Case("range of properties", #Predicate { ($0.small...4).contains(3) }))
        cases.append(Case("list", #Predicate { names.contains($0.name) }))
        cases.append(Case("list with nil", #Predicate { ages.contains($0.age) }))
        cases.append(Case("set", #Predicate { set.contains($0.small) }))
        cases.append(
            Case("list that contains where", #Predicate { guest in names.contains { guest.name.contains($0) } })
        )
        cases.append(Case("all of a list", #Predicate { guest in names.allSatisfy { $0 != guest.name } }))
        return cases
    }()

    static let numbers: [Case] = {
        var cases: [Case] = []
        cases.append(Case("sum", #Predicate { ($0.age ?? 0) + 1 > 3 }))
        cases.append(Case("product", #Predicate { $0.small * 2 - 1 == 3 }))
        cases.append(Case("negative", #Predicate { -$0.small < -2 }))
        cases.append(Case("whole division", #Predicate { ($0.age ?? 1) / 2 == -1 }))
        cases.append(Case("remainder", #Predicate { ($0.age ?? 1) % 3 == -2 }))
        cases.append(Case("division", #Predicate { $0.weight / 2 > 1.2 }))
        cases.append(Case("division by zero", #Predicate { 1 / $0.weight > 1 }))
        cases.append(Case("division by negative zero", #Predicate { 1 / -$0.weight > 1 }))
        cases.append(Case("single precision sum", #Predicate { $0.ratio + 0.2 == 0.3 }))
        cases.append(Case("decimal product", #Predicate { $0.price * 2 > 5 }))
        cases.append(Case("guarded division", #Predicate { $0.small != 0 && 6 / $0.small == 3 }))
        return cases
    }()

    static let texts: [Case] = {
        var cases: [Case] = []
        cases.append(Case("contains", #Predicate { $0.name.contains("é") }))
        cases.append(Case("starts", #Predicate { $0.name.starts(with: "a") }))
        cases.append(Case("contains nothing", #Predicate { $0.name.contains("") }))
        cases.append(Case("contains a property", #Predicate { $0.name.contains($0.nick ?? "-") }))
        cases.append(Case("empty", #Predicate { $0.name.isEmpty }))
        cases.append(Case("count", #Predicate { $0.name.count > 1 }))
        cases.append(Case("optional contains", #Predicate { $0.nick?.contains("a") ?? false }))
        cases.append(Case("optional contains, else true", #Predicate { $0.nick?.contains("a") ?? true }))
        cases.append(Case("optional starts", #Predicate { $0.nick?.starts(with: "É") == true }))
        cases.append(Case("optional is not", #Predicate { $0.nick?.contains("a") != true }))
        cases.append(Case("optional is unknown", #Predicate { $0.nick?.contains("a") == nil }))
        cases.append(Case("optional count", #Predicate { $0.nick?.count == 2 }))
        return cases
    }()

    static let optionals: [Case] = {
        var cases: [Case] = []
        cases.append(Case("flatMap", #Predicate { $0.age.flatMap { $0 > 3 } ?? false }))
        cases.append(Case("if let", #Predicate { if let age = $0.age { age > 3 } else { true } }))
        cases.append(
            Case("flatMap of two", #Predicate { guest in guest.age.flatMap { $0 > guest.stays.count } == true })
        )
        cases.append(Case("flatMap to a constant", #Predicate { $0.age.flatMap { _ in 3 } == 3 }))
        cases.append(Case("nil coalescing", #Predicate { ($0.nick ?? $0.name) == "a" }))
        // swift-format-ignore: NeverForceUnwrap
        cases.append(Case("guarded unwrapping", #Predicate { $0.age != nil && $0.age! > 3 }))
        return cases
    }()

    static let related: [Case] = {
        var cases: [Case] = []
        cases.append(Case("path", #Predicate { $0.room?.name == "a" }))
        cases.append(Case("path, not equal", #Predicate { $0.room?.name != "a" }))
        cases.append(Case("longer path", #Predicate { $0.room?.annex?.floor == 3 }))
        cases.append(Case("nil at the end of a path", #Predicate { $0.room?.annex == nil }))
        cases.append(Case("path to a number", #Predicate { ($0.room?.floor ?? -1) + 1 > 4 }))
        cases.append(Case("paths compared", #Predicate { ($0.room?.name ?? "-") == $0.name }))
        cases.append(Case("contains where", #Predicate { $0.stays.contains { $0.cost > 12 } }))
        cases.append(Case("not contains where", #Predicate { !$0.stays.contains { $0.note == nil } }))
        cases.append(Case("all satisfy", #Predicate { $0.stays.allSatisfy { $0.cost > 3 && $0.days < 4 } }))
        cases.append(Case("outer object", #Predicate { guest in guest.stays.contains { $0.cost > guest.weight * 3 } }))
        cases.append(
            Case(
                "two of an outer object",
                #Predicate { guest in
                    guest.stays.contains { one in guest.stays.contains { $0.cost > one.cost * 2 } }
                }
            )
        )
        cases.append(
            Case(
                "count within those of an outer object",
                #Predicate { guest in
                    guest.stays.contains { one in guest.stays.filter { $0.cost * 2 < one.cost }.count == 1 }
                }
            )
        )
        cases.append(Case("count", #Predicate { $0.stays.count > 1 }))
        cases.append(Case("empty", #Predicate { $0.stays.isEmpty }))
        cases.append(Case("filter count", #Predicate { $0.stays.filter { $0.cost > 5 }.count == 1 }))
        cases.append(Case("filter empty", #Predicate { $0.stays.filter { $0.cost > 5 }.isEmpty }))
        cases.append(
            Case("filter contains", #Predicate { $0.stays.filter { $0.days > 2 }.contains { $0.note == "a" } })
        )
        cases.append(Case("back again", #Predicate { $0.stays.contains { $0.guest?.name == "a" } }))
        return cases
    }()

    static let transformed: [Case] = {
        var cases: [Case] = []
        let secrets = ["a", "é"]
        cases.append(Case("transformed", #Predicate { $0.secret == "a" }))
        cases.append(Case("transformed, not", #Predicate { $0.secret != "a" }))
        cases.append(Case("transformed, nil", #Predicate { $0.secret == nil }))
        cases.append(Case("transformed, starts", #Predicate { $0.secret?.starts(with: "a") == true }))
        cases.append(Case("transformed, order", #Predicate { $0.secret.flatMap { $0 > "b" } ?? false }))
        cases.append(Case("transformed, list", #Predicate { $0.secret.flatMap { secrets.contains($0) } == true }))
        cases.append(Case("transformed and computed", #Predicate { $0.secret == "a" || $0.small + 1 == 2 }))
        return cases
    }()

    static let ids: [Case] = {
        var cases: [Case] = []
        let (guest, room) = (PersistentID<Guest>(number: 7), PersistentID<Room>(number: 3))
        let guests = [2, 5, 10_000].map { PersistentID<Guest>(number: $0) }
        let rooms: Set<PersistentID<Room>> = [room, PersistentID(number: 1)]
        cases.append(Case("id", #Predicate { $0.persistentID == guest }))
        cases.append(Case("not the id", #Predicate { $0.persistentID != guest }))
        cases.append(Case("one of some ids", #Predicate { guests.contains($0.persistentID) }))
        cases.append(Case("id of another", #Predicate { $0.room?.persistentID == room }))
        cases.append(Case("not the id of another", #Predicate { $0.room?.persistentID != room }))
        cases.append(Case("no id of another", #Predicate { $0.room?.persistentID == nil }))
        cases.append(
            Case(
                "one of some ids of another",
                #Predicate { $0.room.flatMap { rooms.contains($0.persistentID) } == true }
            )
        )
        cases.append(Case("id further on", #Predicate { $0.room?.annex?.persistentID == room }))
        cases.append(Case("two ids", #Predicate { $0.room?.persistentID == $0.room?.annex?.persistentID }))
        cases.append(Case("ids of many", #Predicate { $0.stays.contains { $0.guest?.persistentID == guest } }))
        return cases
    }()

    /// Values that a predicate captures, as in a search form.
    struct Form: Codable, Sendable {
        var name = "a"
        var names = ["a", "é"]
        var none: [String] = []
        var nick: String?
        var span = 1.0...2.5
        var inner = Inner()

        struct Inner: Codable, Sendable {
            var grade = Grade.high
            var least: Int? = 2
        }
    }

    static let captured: [Case] = {
        var cases: [Case] = []
        let form = Form()
        let given: Form? = form
        let missing: Form? = nil
        cases.append(Case("property of a value", #Predicate { $0.name == form.name }))
        cases.append(Case("property of a property", #Predicate { $0.grade == form.inner.grade }))
        cases.append(Case("missing property", #Predicate { $0.nick == form.nick }))
        cases.append(Case("property, else", #Predicate { ($0.age ?? 0) >= (form.inner.least ?? 0) }))
        cases.append(Case("list of a value", #Predicate { form.names.contains($0.name) }))
        cases.append(Case("list of a value, where", #Predicate { guest in form.names.contains { $0 == guest.name } }))
        cases.append(Case("range of a value", #Predicate { form.span.contains($0.weight) }))
        cases.append(Case("empty list", #Predicate { form.none.isEmpty || form.none.contains($0.name) }))
        cases.append(Case("list that is not empty", #Predicate { form.names.isEmpty || form.names.contains($0.name) }))
        cases.append(Case("count of a list", #Predicate { form.names.count > ($0.age ?? 0) }))
        cases.append(Case("length of a string", #Predicate { $0.name.count == form.name.count }))
        cases.append(Case("optional value", #Predicate { $0.nick == given?.name }))
        cases.append(Case("missing value", #Predicate { $0.nick == missing?.name }))
        return cases
    }()

    @Test(arguments: comparisons + ranges + numbers + texts + optionals + related + transformed + ids + captured)
    func matchesFoundation(_ test: Case) throws {
        let predicate = test.predicate
        try Hotel.store.get()
            .read { context in
                let expected = try context.fetch(Guest.self).filter { try predicate.evaluate($0) }
                let found = try context.fetch(Guest.self, where: predicate)
                #expect(found.map(\.persistentID) == expected.map(\.persistentID))
                #expect(try context.count(Guest.self, where: predicate) == expected.count)
                #expect(try context.exists(Guest.self, where: predicate) == !expected.isEmpty)
            }
    }

    @Test func sortsAndLimits() throws {
        try Hotel.store.get()
            .read { context in
                let order = [SortDescriptor(\Guest.age, order: .reverse), SortDescriptor(\Guest.name)]
                let predicate = #Predicate<Guest> { $0.small > 1 }
                let expected = try context.fetch(Guest.self).filter { $0.small > 1 }.sorted(using: order)
                let found = try context.fetch(Guest.self, where: predicate, sortedBy: order, limit: 20, offset: 5)
                #expect(found.map(\.name) == expected.dropFirst(5).prefix(20).map(\.name))
                #expect(try context.first(Guest.self, where: predicate, sortedBy: order)?.name == expected.first?.name)
                #expect(try context.ids(Guest.self, where: predicate).count == expected.count)
                var count = 0
                try context.forEach(Guest.self, where: predicate) { _ in count += 1 }
                #expect(count == expected.count)
            }
    }

    @Test func deletesAndUpdates() throws {
        let store = try Hotel.empty()
        try store.write { (context: StoreContext) throws in
            for number in 0..<10 { context.insert(Guest()).small = Int16(number) }
            #expect(try context.update(Guest.self, where: #Predicate { $0.small > 6 }) { $0.small = -1 } == 3)
            #expect(try context.delete(Guest.self, where: #Predicate { $0.small < 2 }) == 5)
        }
        #expect(try store.read { try $0.fetch(Guest.self).map(\.small) } == [2, 3, 4, 5, 6])
    }

    static let refused: [Case] = {
        var cases: [Case] = []
        let (rank, size, counts, names) = (Rank.high, Size(rawValue: 1), ["a": Int16(1)], ["a", "b"])
        let ranks = Rank.low...Rank.middle
        cases.append(Case("Comparison", #Predicate { $0.rank < rank }))
        cases.append(Case("Comparison", #Predicate { $0.size.flatMap { $0 >= size } ?? false }))
        cases.append(Case("range", #Predicate { ranks.contains($0.rank) }))
        cases.append(Case("DictionaryKeySubscript", #Predicate { counts[$0.name] == 1 }))
        cases.append(Case("DictionaryKeyDefaultValueSubscript", #Predicate { counts[$0.name, default: 2] == $0.small }))
        cases.append(Case("CollectionIndexSubscript", #Predicate { names[$0.age ?? 0] == "a" }))
        cases.append(Case("SequenceMaximum", #Predicate { $0.tags.max() == "a" }))
        cases.append(Case("TypeCheck", #Predicate { ($0.secret as (any Sendable)?) is String }))
        cases.append(Case("StringContainsRegex", #Predicate { $0.name.contains(/a+/) }))
        cases.append(Case("a computed property (String)", #Predicate { $0.initials == "a" }))
        cases.append(Case("SequenceContains", #Predicate { $0.tags.contains("a") }))
        // swift-format-ignore: NeverForceUnwrap
        cases.append(Case("KeyPath", #Predicate { $0.room!.name == "a" }))
        cases.append(Case("KeyPath", #Predicate { $0.stays.first?.cost == 3 }))
        cases.append(Case("secret", #Predicate { ($0.secret ?? "") == "a" }))
        cases.append(Case("secret", #Predicate { $0.secret?.count == 2 }))
        return cases
    }()

    @Test(arguments: refused)
    func rejectsExpressionsThatSQLCannotExpress(_ test: Case) throws {
        let error = #expect(throws: StoreError.self) {
            _ = try Hotel.store.get().read { try $0.count(Guest.self, where: test.predicate) }
        }
        #expect(error?.code == .unsupported || error?.code == .unknownAttribute)
        #expect(error?.description.contains(test.name) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        Case("division", #Predicate { 10 / $0.small > 2 }), Case("overflow", #Predicate { $0.small * 20_000 > 0 }),
        Case("no number", #Predicate { 0 / $0.weight > 1 }),
    ])
    func expressionsThatTrapInSwiftThrow(_ test: Case) throws {
        #expect(throws: StoreError(.arithmeticFailure, "")) {
            _ = try Hotel.store.get().read { try $0.count(Guest.self, where: test.predicate) }
        }
    }

    @Test func unwrappingNilThrows() throws {
        #expect(throws: StoreError(.missingValue, "")) {
            // swift-format-ignore: NeverForceUnwrap
            _ = try Hotel.store.get().read { try $0.count(Guest.self, where: #Predicate { $0.age! > 3 }) }
        }
    }

    @Test func verifiesOnlyObjectsThatTheIndexFinds() throws {
        let store = try Hotel.empty()
        try store.write { context in
            for number in 0..<100 { context.insert(Guest()).secret = "\(number)" }
        }
        let before = CountedText.reads.withLock { $0 }
        #expect(try store.read { try $0.count(Guest.self, where: #Predicate { $0.secret == "71" }) } == 1)
        // Eleven begin with a 7. Tests that run at the same time may read others.
        #expect(CountedText.reads.withLock { $0 } - before >= 11)
    }

    @Test func textIsComparedByCharactersRegardlessOfNormalization() throws {
        let store = try Hotel.empty()
        try store.write { context in
            for name in ["e\u{301}", "é", "\r\n"] { context.insert(Guest()).name = name }
        }
        try store.read { (context: StoreContext) throws in
            let accent = #Predicate<Guest> { $0.name == "é" }
            let line = #Predicate<Guest> { $0.name.contains("\n") }
            #expect(try context.fetch(Guest.self).count { try accent.evaluate($0) } == 2)
            #expect(try context.count(Guest.self, where: accent) == 2)
            #expect(try context.fetch(Guest.self).count { try line.evaluate($0) } == 0)
            #expect(try context.count(Guest.self, where: line) == 0)
        }
    }
}
