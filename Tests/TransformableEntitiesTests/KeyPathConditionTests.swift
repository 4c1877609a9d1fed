import Foundation
import Testing
import TransformableEntities
import TransformableStore

/// Conditions on key paths, compared with predicates.
@Suite struct KeyPathConditionTests {
    @Test func keyPathsGiveTheSameResults() throws {
        let day = Date(timeIntervalSinceReferenceDate: 86_400)
        var pairs: [(Condition, Predicate<Guest>)] = []
        pairs.append((\Guest.name == "a", #Predicate { $0.name == "a" }))
        pairs.append((\Guest.nick != "a", #Predicate { $0.nick != "a" }))
        pairs.append((\Guest.age == nil, #Predicate { $0.age == nil }))
        pairs.append((\Guest.grade == .high, #Predicate { $0.grade.rawValue == 2 }))
        pairs.append((\Guest.isActive == true, #Predicate { $0.isActive }))
        pairs.append(((\Guest.stays).any(\Stay.cost > 12), #Predicate { $0.stays.contains { $0.cost > 12 } }))
        pairs.append(((\Guest.stays).all(\Stay.note != nil), #Predicate { $0.stays.allSatisfy { $0.note != nil } }))
        let some = (\Guest.name).hasPrefix("a") && !((\Guest.small).isBetween(2, and: 3))
        pairs.append((some, #Predicate { $0.name.starts(with: "a") && !(2...3).contains($0.small) }))
        let others = (\Guest.nick).contains("a") || \Guest.born >= day
        pairs.append((others, #Predicate { ($0.nick?.contains("a") ?? false) || $0.born >= day }))
        let listed = (\Guest.small).isIn([1, 4]) && \Guest.age > 2
        let list: [Int16] = [1, 4]
        pairs.append((listed, #Predicate { list.contains($0.small) && ($0.age ?? 0) > 2 }))
        pairs.append((\Guest.secret == "a", #Predicate { $0.secret == "a" }))
        pairs.append((\Guest.grade < .high, #Predicate { $0.grade.rawValue < 2 }))
        let (guest, room) = (PersistentID<Guest>(number: 7), PersistentID<Room>(number: 3))
        pairs.append((\Guest.persistentID == guest, #Predicate { $0.persistentID == guest }))
        pairs.append(((\Guest.persistentID).isIn([guest]), #Predicate { $0.persistentID == guest }))
        pairs.append((\Guest.room == room, #Predicate { $0.room?.persistentID == room }))
        pairs.append((\Guest.room != room, #Predicate { $0.room?.persistentID != room }))
        pairs.append((\Guest.room == nil, #Predicate { $0.room == nil }))
        let compared = pairs
        try Hotel.store.get()
            .read { context in
                for (index, (condition, predicate)) in compared.enumerated() {
                    let ids = try context.ids(Guest.self, where: condition)
                    #expect(try ids == context.ids(Guest.self, where: predicate), "\(index)")
                    #expect(!ids.isEmpty, "\(index)")
                }
                let options: TextOptions = [.caseInsensitive, .diacriticInsensitive]
                let folded = try context.count(Guest.self, where: (\Guest.name).isEqual(to: "E", options))
                let accented = #Predicate<Guest> { $0.name == "é" || $0.name == "É" }
                #expect(try folded == context.count(Guest.self, where: accented))
                let endings = try context.count(Guest.self, where: (\Guest.name).hasSuffix("z"))
                #expect(try endings == context.count(Guest.self, where: (\Guest.name).like("%z")))
            }
    }

    @Test func aConditionAppliesOnlyToItsClass() throws {
        try Hotel.store.get()
            .read { (context: StoreContext) throws in
                #expect(throws: StoreError(.invalidCondition, "")) {
                    try context.count(Guest.self, where: \Room.name == "a")
                }
                #expect(throws: StoreError(.unknownAttribute, "")) {
                    try context.count(Guest.self, where: \Guest.initials == "a")
                }
            }
    }

    @Test func predicatesCombineAsConditions() throws {
        let (adult, named) = (#Predicate<Guest> { ($0.age ?? 0) > 3 }, #Predicate<Guest> { $0.name == "a" })
        let both = #Predicate<Guest> { ($0.age ?? 0) > 3 || $0.name == "a" }
        try Hotel.store.get()
            .read { context in
                let condition = try Condition(adult) || Condition(named)
                #expect(try context.ids(Guest.self, where: condition) == context.ids(Guest.self, where: both))
            }
    }

    @Test(arguments: [\Guest.rank < .high, (\Guest.rank).isBetween(.low, and: .high), \Guest.size > Size(rawValue: 2)])
    func keyPathsRejectOrdersThatDifferFromRawValues(_ condition: Condition) throws {
        let error = #expect(throws: StoreError.self) {
            _ = try Hotel.store.get().read { try $0.count(Guest.self, where: condition) }
        }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("rawValue") == true)
    }
}
