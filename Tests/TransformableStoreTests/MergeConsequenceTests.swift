import Testing
import Transformable
import TransformableStore

/// What a save that resolves conflicts changes in addition to the objects of the conflicts.
@Suite(.eachEngine) struct MergeConsequenceTests {
    private struct Undecided: Error {}
    private struct Invalid: Error {}

    private let people = (1...4).map { ObjectID(entity: "Person", number: $0) }
    private let cat = ObjectID(entity: "Cat", number: 1)
    private let dog = ObjectID(entity: "Dog", number: 1)

    private func marry(_ first: Int, _ second: Int, in context: StoreContext) throws {
        try context.object(people[first]).setObject(context.object(people[second]), for: "spouse")
    }

    /// A reference to a family is in several columns, of which the merge of the first change sets another one.
    @Test(arguments: [false, true]) func undoingALaterChangeLeavesAMergeAsItIs(isRefreshed: Bool) throws {
        let store = try RelationshipConflictTests.store()
        let mine = store.makeContext(onConflict: .merge { _ in throw Undecided() })
        try mine.object(people[0]).setObject(mine.object(cat), for: "pet")
        try mine.object(people[1]).setValue("Ada", for: "name")
        try store.write { try $0.object(people[0]).setObject($0.object(dog), for: "pet") }
        if isRefreshed {
            try mine.refresh(mine.object(people[0]), keepingChanges: true)
        } else {
            #expect(throws: Undecided.self) { try mine.save() }
        }
        try mine.undo()
        mine.onConflict = .mine
        try mine.save()
        let stored = try store.read { context in
            let name = try context.object(people[1]).value("name", as: String?.self)
            return (try context.object(people[0]).object("pet")?.id, name)
        }
        #expect(stored == (cat, nil))
    }

    /// Hooks that call a closure for the third person, which only the merge changes.
    private static func hooks(_ body: @escaping @Sendable (ManagedObject) throws -> Void) -> [String: EntityHooks] {
        var hooks = EntityHooks()
        hooks.willSave = { person in
            if person.context.isEditing, person.id.number == 3 { try body(person) }
        }
        hooks.validateForUpdate = { person in
            if try person.value("name", as: String?.self) == "invalid" { throw Invalid() }
        }
        return ["Person": hooks]
    }

    @Test func whatHooksChangeDuringAMergeIsValidated() throws {
        let store = try RelationshipConflictTests.store(
            Self.hooks { person in
                let other = ObjectID(entity: "Person", number: 4)
                try person.context.object(other).setValue("invalid", for: "name")
            }
        )
        let mine = store.makeContext(onConflict: .mine)
        try marry(0, 1, in: mine)
        try mine.object(people[3]).setValue("Bob", for: "name")
        try store.write { try marry(2, 1, in: $0) }
        #expect(throws: Invalid.self) { try mine.save() }
        let name = try store.read { try $0.object(people[3]).value("name", as: String?.self) }
        #expect(name == nil)
    }

    @Test func whatHooksChangeDuringAMergeCanBeMerged() throws {
        let store = try RelationshipConflictTests.store(
            Self.hooks { person in
                let other = ObjectID(entity: "Person", number: 4)
                try person.context.object(other).setValue("Bob", for: "name")
            }
        )
        let mine = store.makeContext(onConflict: .mine)
        try marry(0, 1, in: mine)
        #expect(try mine.object(people[3]).value("name", as: String?.self) == nil)
        try store.write { context in
            try marry(2, 1, in: context)
            try context.object(people[3]).setValue("Eve", for: "name")
        }
        try mine.save()
        let name = try store.read { try $0.object(people[3]).value("name", as: String?.self) }
        #expect(name == "Bob")
    }
}
