import Foundation
import Testing
import TransformableEntities
import TransformableStore

/// Predicates on classes with children, compared with Foundation's evaluation.
@Suite struct FamilyPredicateTests {
    struct Case<Object>: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let predicate: Predicate<Object>

        init(_ name: String, _ predicate: Predicate<Object>) {
            testDescription = name
            self.predicate = predicate
        }
    }

    static let animals: [Case<Animal>] = {
        var cases: [Case<Animal>] = []
        cases.append(Case("inherited", #Predicate { $0.name < "L" && $0.age > 1 }))
        cases.append(Case("is a child", #Predicate { $0 is Dog }))
        cases.append(Case("is a grandchild", #Predicate { $0 is Puppy }))
        cases.append(Case("is no child", #Predicate { !($0 is Cat) }))
        cases.append(Case("property of a child", #Predicate { ($0 as? Dog)?.breed == "pug" }))
        cases.append(Case("other property of a child", #Predicate { ($0 as? Dog)?.breed != "pug" }))
        cases.append(Case("nil", #Predicate { ($0 as? Puppy)?.weight == nil }))
        cases.append(Case("not nil", #Predicate { ($0 as? Puppy)?.weight != nil }))
        cases.append(Case("cast to nil", #Predicate { ($0 as? Cat) == nil }))
        cases.append(Case("default", #Predicate { (($0 as? Cat)?.lives ?? 1) < 5 }))
        cases.append(Case("computed", #Predicate { (($0 as? Cat)?.lives ?? 0) + $0.age == 10 }))
        cases.append(Case("computed in the child", #Predicate { ($0 as? Cat).flatMap { $0.lives * 2 + $0.age } == 13 }))
        cases.append(Case("text of a child", #Predicate { ($0 as? Dog)?.breed.starts(with: "p") == true }))
        cases.append(Case("length of a string", #Predicate { ($0 as? Dog)?.breed.count == 3 }))
        cases.append(Case("two children", #Predicate { ($0 as? Cat)?.lives == 3 || ($0 as? Dog)?.breed == "beagle" }))
        cases.append(Case("collection", #Predicate { ($0 as? Dog)?.toys.isEmpty == true }))
        cases.append(Case("count", #Predicate { (($0 as? Dog)?.toys.count ?? -1) < 1 }))
        cases.append(
            Case("contains", #Predicate { ($0 as? Dog)?.toys.contains { $0.label == "bone" } == true })
        )
        cases.append(Case("friend", #Predicate { ($0.friend as? Dog)?.breed == "pug" }))
        cases.append(Case("friend is a child", #Predicate { $0.friend is Cat }))
        cases.append(Case("friend of a child", #Predicate { (($0 as? Dog)?.friend as? Cat)?.lives == 3 }))
        return cases
    }()

    static let keepers: [Case<Keeper>] = {
        var cases: [Case<Keeper>] = []
        cases.append(Case("favorite", #Predicate { ($0.favorite as? Dog)?.breed == "pug" }))
        cases.append(Case("any", #Predicate { $0.animals.contains { ($0 as? Dog)?.breed == "pug" } }))
        cases.append(Case("all", #Predicate { $0.animals.allSatisfy { $0 is Cat } }))
        cases.append(Case("filter", #Predicate { $0.animals.filter { $0 is Puppy }.count == 1 }))
        cases.append(
            Case(
                "nested",
                #Predicate { $0.animals.contains { ($0 as? Dog)?.toys.contains { $0.label == "bone" } == true } }
            )
        )
        cases.append(Case("inherited", #Predicate { $0.animals.contains { $0.age > 6 } }))
        return cases
    }()

    static let dogs: [Case<Dog>] = {
        var cases: [Case<Dog>] = []
        cases.append(Case("inherited", #Predicate { $0.name > "B" && $0.age < 3 }))
        cases.append(Case("own and inherited", #Predicate { $0.breed == "pug" && $0.name == "Rex" }))
        cases.append(Case("relationship", #Predicate { $0.friend?.name == "Kit" || $0.owner?.name == "Ann" }))
        return cases
    }()

    private func check<Object: Entity>(_ test: Case<Object>) throws {
        try Zoo.filled()
            .read { context in
                let expected = try context.fetch(Object.self).filter { try test.predicate.evaluate($0) }
                #expect(try Set(context.fetch(Object.self, where: test.predicate)) == Set(expected))
                #expect(try context.count(Object.self, where: test.predicate) == expected.count)
                let others = try context.fetch(Object.self, where: !Condition(test.predicate))
                #expect(try others.count == context.count(Object.self) - expected.count)
            }
    }

    @Test(arguments: animals) func findsTheSameAnimalsAsSwift(test: Case<Animal>) throws { try check(test) }

    @Test(arguments: keepers) func findsTheSameKeepersAsSwift(test: Case<Keeper>) throws { try check(test) }

    @Test(arguments: dogs) func findsTheSameDogsAsSwift(test: Case<Dog>) throws { try check(test) }

    @Test(arguments: [
        ("Dog.breed == 'pug'", "Bit Rex"), ("Dog is not null", "Ada Bit Rex Zed"), ("Dog is null and age > 5", "Tom"),
        ("Puppy.weight < 2 or Feline.lives < 9", "Bit Tom"), ("friend.Dog.breed == 'pug'", "Ada Tom"),
        ("any Dog.toys (label == 'bone')", "Rex"), ("Dog.toys.@count > 0", "Bit Rex"),
        ("friend.Puppy is not null", "Tom"),
    ])
    func findsChildrenByName(condition: String, names: String) throws {
        try Zoo.filled()
            .read { context in
                let found = try context.fetch(
                    Animal.self,
                    where: Condition(condition),
                    sortedBy: [SortDescriptor(\.name)]
                )
                #expect(found.map(\.name).joined(separator: " ") == names)
            }
    }

    @Test func rejectsAConditionOnAChildForOtherObjects() throws {
        let store = try Zoo.filled()
        #expect(throws: StoreError(.invalidCondition, "")) {
            try store.read { try $0.count(Animal.self, where: \Dog.breed == "pug") }
        }
        #expect(throws: StoreError(.invalidCondition, "")) {
            try store.read { try $0.count(Animal.self, where: Condition("friend.Dog == 1")) }
        }
        #expect(throws: StoreError(.unknownAttribute, "")) {
            try store.read { try $0.count(Animal.self, where: Condition("Dog.color == 'red'")) }
        }
    }
}
