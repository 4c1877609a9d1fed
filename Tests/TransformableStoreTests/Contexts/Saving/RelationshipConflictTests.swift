import Synchronization
import Testing
import Transformable
import TransformableStore

private struct Size: CompositeValue, Equatable {
    var width: Int
    var height: Int

    static var parts: [CompositePart<Size>] {
        [CompositePart("width") { $0.width }, CompositePart("height") { $0.height }]
    }

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
    }

    init(parts: CompositeParts) throws {
        self.init(width: try parts("width"), height: try parts("height"))
    }
}

/// A hook that fails for a person who is fetched in a context for editing.
private final class FailingHook: Sendable {
    struct Refused: Error {}

    private let person: ObjectID
    private let state = Mutex(false)

    init(for person: ObjectID) {
        self.person = person
    }

    var fails: Bool {
        get { state.withLock(\.self) }
        set { state.withLock { $0 = newValue } }
    }

    var hooks: EntityHooks {
        var hooks = EntityHooks()
        hooks.awakeFromFetch = { [self] in
            if fails, $0.context.isEditing, $0.id == person { throw Refused() }
        }
        return hooks
    }
}

/// Two contexts that set the same relationship of an object.
@Suite(.eachEngine) struct RelationshipConflictTests {
    private let store: Store
    private let people: [ObjectID]
    private let cat: ObjectID
    private let dog: ObjectID

    init() throws {
        store = try Self.store()
        people = (1...4).map { ObjectID(entity: "Person", number: $0) }
        (cat, dog) = (ObjectID(entity: "Cat", number: 1), ObjectID(entity: "Dog", number: 1))
    }

    static func store(_ hooks: [String: EntityHooks] = [:]) throws -> Store {
        let model = try Model(entities: [
            EntityDescription("Animal", abstract: true, attributes: [.string("name", .optional)]),
            EntityDescription("Cat", parent: "Animal"), EntityDescription("Dog", parent: "Animal"),
            EntityDescription(
                "Person",
                attributes: [.string("name", .optional)],
                composites: [CompositeDescription("size", as: Size.self, optional: true)],
                relationships: [
                    .toOne("spouse", "Person", inverse: "spouse"), .toOne("pet", "Animal"),
                    .toMany("friends", "Person"),
                ]
            ),
        ])
        let store = try Store.trial(model: model, transformers: Transformers().registry(), hooks: hooks)
        try store.write { context in
            for entity in ["Person", "Person", "Person", "Person", "Cat", "Dog"] { _ = try context.insert(entity) }
        }
        return store
    }

    private func partners(in store: Store? = nil) throws -> [Int64?] {
        try (store ?? self.store)
            .read { context in try people.map { try context.object($0).object("spouse")?.id.number } }
    }

    private func marry(_ first: Int, _ second: Int, in context: StoreContext) throws {
        try context.object(people[first]).setObject(context.object(people[second]), for: "spouse")
    }

    @Test(arguments: [(ConflictPolicy.mine, [2, 1, nil, nil] as [Int64?]), (.theirs, [nil, 3, 2, nil])])
    func bothSidesOfACoupleAgree(policy: ConflictPolicy, expected: [Int64?]) throws {
        let mine = store.makeContext(onConflict: policy)
        try marry(0, 1, in: mine)
        let theirs = store.makeContext()
        try marry(2, 1, in: theirs)
        try theirs.save()
        try mine.save()
        #expect(try partners() == expected)
        #expect(try mine.object(people[0]).object("spouse")?.id.number == expected[0])
    }

    /// The first save settles the conflict and then fails, because of a hook of the object, or of the partner that the other
    /// context has given it.
    @Test(
        arguments: [
            (.mine, 1, [2, 1, nil, nil]), (.mine, 2, [2, 1, nil, nil]), (.theirs, 1, [nil, 3, 2, nil]),
            (.theirs, 2, [nil, 3, 2, nil]),
        ] as [(ConflictPolicy, Int, [Int64?])]
    )
    func bothSidesAgreeAfterASaveThatFailed(policy: ConflictPolicy, place: Int, expected: [Int64?]) throws {
        let hook = FailingHook(for: people[place])
        let store = try Self.store(["Person": hook.hooks])
        let mine = store.makeContext(onConflict: policy)
        try marry(0, 1, in: mine)
        try store.write { try marry(2, 1, in: $0) }
        hook.fails = true
        #expect(throws: FailingHook.Refused.self) { try mine.save() }
        hook.fails = false
        try mine.save()
        #expect(try partners(in: store) == expected)
    }

    /// The hook of the partner that this context has chosen has failed before, and still fails during the first save.
    @Test(arguments: [(.mine, [2, 1, nil, nil]), (.theirs, [nil, 3, 2, nil])] as [(ConflictPolicy, [Int64?])])
    func bothSidesAgreeAfterTheHookOfAChosenPartnerFailed(policy: ConflictPolicy, expected: [Int64?]) throws {
        let hook = FailingHook(for: people[0])
        let store = try Self.store(["Person": hook.hooks])
        let mine = store.makeContext(onConflict: policy)
        let partner = try mine.object(people[0])
        try marry(0, 1, in: mine)
        hook.fails = true
        #expect(throws: FailingHook.Refused.self) { try mine.refresh(partner, keepingChanges: true) }
        try store.write { try marry(2, 1, in: $0) }
        #expect(throws: FailingHook.Refused.self) { try mine.save() }
        hook.fails = false
        try mine.save()
        #expect(try partners(in: store) == expected)
    }

    /// The closure fails for another object, so that the conflict of the couple is settled by a save that fails.
    @Test func bothSidesAgreeAfterAMergeThatFailed() throws {
        struct Refused: Error {}
        let isRefused = Mutex(true)
        let other = people[3]
        let mine = store.makeContext(
            onConflict: .merge { conflict in
                if conflict.object.id == other, isRefused.withLock({ $0 }) { throw Refused() }
            }
        )
        try marry(0, 1, in: mine)
        try mine.object(other).setValue("mine", for: "name")
        try store.write { context in
            try marry(2, 1, in: context)
            try context.object(other).setValue("theirs", for: "name")
        }
        #expect(throws: Refused.self) { try mine.save() }
        isRefused.withLock { $0 = false }
        try mine.save()
        #expect(try partners() == [2, 1, nil, nil])
    }

    /// This context has read only one of the two since another context married them, and divides the couple.
    @Test(
        arguments: [
            (.fail, nil, [nil, nil, nil, nil]), (.fail, 2, [nil, 3, 2, nil]), (.mine, nil, [nil, nil, nil, nil]),
            (.mine, 2, [nil, 3, 2, nil]), (.theirs, nil, [nil, nil, nil, nil]), (.theirs, 2, [nil, 3, 2, nil]),
        ] as [(ConflictPolicy, Int?, [Int64?])]
    )
    func aPartnerThatWasReadBeforeLosesTheOtherOne(policy: ConflictPolicy, next: Int?, expected: [Int64?]) throws {
        let mine = store.makeContext(onConflict: policy)
        let former = try mine.object(people[0])
        #expect(try former.object("spouse") == nil)
        try store.write { try marry(0, 1, in: $0) }
        let person = try mine.object(people[1])
        try person.setObject(next.map { try mine.object(people[$0]) }, for: "spouse")
        try mine.save()
        #expect(try partners() == expected)
        #expect(try former.object("spouse") == nil)
    }

    /// This context has given the partner another one before it reads the object that another context has married it to.
    @Test(arguments: [(ConflictPolicy.mine, [nil, 3, 2, nil] as [Int64?]), (.theirs, [3, nil, 1, nil])])
    func aFormerPartnerKeepsTheOneThatItWasGivenHere(policy: ConflictPolicy, expected: [Int64?]) throws {
        let mine = store.makeContext(onConflict: policy)
        let partner = try mine.object(people[2])
        #expect(try partner.object("spouse") == nil)
        try store.write { try marry(0, 2, in: $0) }
        try marry(1, 2, in: mine)
        try mine.object(people[0]).setObject(nil, for: "spouse")
        #expect(try partner.object("spouse")?.id == people[1])
        try mine.save()
        #expect(try partners() == expected)
    }

    /// Both contexts divide an existing couple in different ways.
    @Test(arguments: [(ConflictPolicy.mine, [3, nil, 1, nil] as [Int64?]), (.theirs, [nil, 4, nil, 2])])
    func aCoupleThatBothContextsDivideAgrees(policy: ConflictPolicy, expected: [Int64?]) throws {
        try store.write { try marry(0, 1, in: $0) }
        let mine = store.makeContext(onConflict: policy)
        try marry(0, 2, in: mine)
        let theirs = store.makeContext()
        try marry(1, 3, in: theirs)
        try theirs.save()
        try mine.save()
        #expect(try partners() == expected)
    }

    /// The other context makes a couple of two objects that are in memory here.
    @Test(arguments: [ConflictPolicy.mine, .theirs]) func aCoupleThatTheOtherContextMadeStays(policy: ConflictPolicy)
        throws
    {
        let mine = store.makeContext(onConflict: policy)
        let objects = try people.map(mine.object)
        for object in objects { _ = try object.value("name", as: String?.self) }
        try store.write { try marry(0, 2, in: $0) }
        try objects[0].setValue("Ada", for: "name")
        try mine.save()
        #expect(try partners() == [3, nil, 1, nil])
        #expect(!mine.hasChanges)
    }

    @Test(arguments: [(ConflictPolicy.mine, "Cat"), (.theirs, "Dog")])
    func aReferenceToAFamilyLeadsToOneObject(policy: ConflictPolicy, expected: String) throws {
        let mine = store.makeContext(onConflict: policy)
        try mine.object(people[0]).setObject(mine.object(cat), for: "pet")
        try store.write { try $0.object(people[0]).setObject($0.object(dog), for: "pet") }
        try mine.save()
        #expect(try store.read { try $0.object(people[0]).object("pet")?.id.entity } == expected)
        #expect(try mine.object(people[0]).object("pet")?.id.entity == expected)
    }

    @Test(arguments: [(ConflictPolicy.mine, nil), (.theirs, "Dog")] as [(ConflictPolicy, String?)])
    func aClearedReferenceToAFamilyIsMergedAsAWhole(policy: ConflictPolicy, expected: String?) throws {
        try store.write { try $0.object(people[0]).setObject($0.object(cat), for: "pet") }
        let mine = store.makeContext(onConflict: policy)
        try mine.object(people[0]).setObject(nil, for: "pet")
        try store.write { try $0.object(people[0]).setObject($0.object(dog), for: "pet") }
        try mine.save()
        #expect(try store.read { try $0.object(people[0]).object("pet")?.id.entity } == expected)
    }

    @Test(arguments: [(ConflictPolicy.mine, Size(width: 5, height: 1)), (.theirs, Size(width: 1, height: 7))])
    private func aCompositeIsMergedAsAWhole(policy: ConflictPolicy, expected: Size) throws {
        let id = people[0]
        try store.write { try $0.object(id).setValue(Size(width: 1, height: 1), for: "size") }
        let mine = store.makeContext(onConflict: policy)
        try mine.object(id).setValue(Size(width: 5, height: 1), for: "size")
        try store.write { try $0.object(id).setValue(Size(width: 1, height: 7), for: "size") }
        try mine.save()
        #expect(try store.read { try $0.object(id).value("size", as: Size.self) } == expected)
    }

    @Test func aConflictNamesTheRelationship() throws {
        let mine = store.makeContext(
            onConflict: .merge { conflict in
                #expect(conflict.mine == ["pet"] && conflict.theirs == ["pet"])
                try conflict.takeTheirs("pet")
            }
        )
        try mine.object(people[0]).setObject(mine.object(cat), for: "pet")
        try store.write { try $0.object(people[0]).setObject($0.object(dog), for: "pet") }
        try mine.save()
        #expect(try store.read { try $0.object(people[0]).object("pet")?.id.entity } == "Dog")
    }

    // MARK: Pairs

    /// The other context deletes the friend, or removes only the pair.
    @Test(arguments: [true, false]) func aPairThatIsRemovedAndAddedAgainIsUnchanged(isDeleted: Bool) throws {
        try store.write { try $0.object(people[0]).add($0.object(people[1]), to: "friends") }
        let mine = store.makeContext()
        let (person, friend) = try (mine.object(people[0]), mine.object(people[1]))
        try person.remove(friend, from: "friends")
        try person.add(friend, to: "friends")
        #expect(!mine.hasChanges)
        #expect(try person.objects("friends") == [friend])
        try person.setValue("Ada", for: "name")
        try store.write { context in
            let friend = try context.object(people[1])
            guard !isDeleted else { return try context.delete(friend) }
            try context.object(people[0]).remove(friend, from: "friends")
        }
        try mine.save()
        #expect(try store.read { try $0.object(people[0]).objects("friends").isEmpty })
    }

    @Test func removingWhatIsNotThereKeepsWhatTheOtherContextAdds() throws {
        let mine = store.makeContext()
        let person = try mine.object(people[0])
        try person.remove(mine.object(people[1]), from: "friends")
        #expect(!mine.hasChanges && !mine.canUndo)
        try person.setValue("Ada", for: "name")
        try store.write { try $0.object(people[0]).add($0.object(people[1]), to: "friends") }
        try mine.save()
        #expect(try store.read { try $0.object(people[0]).objects("friends").map(\.id) } == [people[1]])
    }

    // MARK: Refreshes, which merge as the policy “mine” does

    @Test func bothSidesOfACoupleAgreeAfterARefresh() throws {
        let mine = store.makeContext()
        try marry(0, 1, in: mine)
        try store.write { try marry(2, 1, in: $0) }
        #expect(throws: StoreError(code: .conflict)) { try mine.save() }
        try mine.refresh(mine.object(people[1]), keepingChanges: true)
        #expect(try mine.object(people[2]).object("spouse") == nil)
        try mine.save()
        #expect(try partners() == [2, 1, nil, nil])
    }

    /// The hook fails for the object, or for the partner that the other context has given it.
    @Test(arguments: [1, 2]) func aChangeStaysAConflictAfterARefreshThatFailed(place: Int) throws {
        let hook = FailingHook(for: people[place])
        let store = try Self.store(["Person": hook.hooks])
        let mine = store.makeContext()
        let person = try mine.object(people[1])
        try marry(0, 1, in: mine)
        try store.write { try marry(2, 1, in: $0) }
        hook.fails = true
        #expect(throws: FailingHook.Refused.self) { try mine.refresh(person, keepingChanges: true) }
        hook.fails = false
        #expect(throws: StoreError(code: .conflict)) { try mine.save() }
        try mine.refresh(person, keepingChanges: true)
        try mine.save()
        #expect(try partners(in: store) == [2, 1, nil, nil])
    }

    @Test func bothSidesAgreeAfterTwoContextsSeparateACouple() throws {
        try store.write { try marry(0, 1, in: $0) }
        let mine = store.makeContext()
        try marry(0, 2, in: mine)
        try store.write { try marry(1, 3, in: $0) }
        try mine.refresh(mine.object(people[0]), keepingChanges: true)
        try mine.refresh(mine.object(people[1]), keepingChanges: true)
        try mine.save()
        #expect(try partners() == [3, nil, 1, nil])
    }

    @Test func undoingAChangeUndoesWhatARefreshHasMadeOfIt() throws {
        let mine = store.makeContext()
        try marry(0, 1, in: mine)
        try store.write { try marry(2, 1, in: $0) }
        try mine.refresh(mine.object(people[1]), keepingChanges: true)
        try mine.undo()
        #expect(!mine.canUndo)
        try mine.save()
        #expect(try partners() == [nil, 3, 2, nil])
        #expect(try mine.object(people[1]).object("spouse")?.id == people[2])
    }

    @Test func aReferenceToAFamilyLeadsToOneObjectAfterARefresh() throws {
        let mine = store.makeContext()
        let person = try mine.object(people[0])
        try person.setObject(mine.object(cat), for: "pet")
        try store.write { try $0.object(people[0]).setObject($0.object(dog), for: "pet") }
        try mine.refresh(person, keepingChanges: true)
        #expect(try person.object("pet")?.id == cat)
        try mine.save()
        #expect(try store.read { try $0.object(people[0]).object("pet")?.id } == cat)
    }

    @Test func aRefreshMergesACompositeAsAWhole() throws {
        let id = people[0]
        try store.write { try $0.object(id).setValue(Size(width: 1, height: 1), for: "size") }
        let mine = store.makeContext()
        let person = try mine.object(id)
        try person.setValue(Size(width: 5, height: 1), for: "size")
        try store.write { try $0.object(id).setValue(Size(width: 1, height: 7), for: "size") }
        // It finds that the height was not changed here.
        #expect(throws: StoreError(code: .conflict)) { try mine.save() }
        try mine.refresh(person, keepingChanges: true)
        try mine.save()
        #expect(try store.read { try $0.object(id).value("size", as: Size.self) } == Size(width: 5, height: 1))
    }

    // MARK: Objects that the other context has deleted

    /// This context has divided the couple and married it again, which changes nothing.
    @Test(arguments: [ConflictPolicy.mine, .theirs]) func anUnchangedPartnerStaysDeleted(policy: ConflictPolicy) throws
    {
        try store.write { try marry(0, 1, in: $0) }
        let mine = store.makeContext(onConflict: policy)
        let partner = try mine.object(people[1])
        try mine.object(people[0]).setValue("Ada", for: "name")
        try mine.object(people[0]).setObject(nil, for: "spouse")
        try marry(0, 1, in: mine)
        try store.write { try $0.delete($0.object(people[1])) }
        try mine.save()
        #expect(partner.isDeleted && !mine.hasChanges)
        let left = try store.read { try $0.fetch("Person").map { try $0.object("spouse")?.id } }
        #expect(left == [nil, nil, nil])
    }

    /// The other context has cleared the relationship before, which this context still remembers.
    @Test(arguments: [true, false]) func nothingDeniesADeletionByTheOtherContext(isChanged: Bool) throws {
        let model = try Model(entities: [
            EntityDescription(
                "Person",
                attributes: [.string("name")],
                relationships: [.toOne("pet", "Cat", deleteRule: .deny)]
            ),
            EntityDescription("Cat", attributes: [.string("name", .optional)]),
        ])
        let store = try Store.trial(model: model, transformers: Transformers().registry())
        let id = try store.write { context in
            let person = try context.insert("Person")
            try person.setValue("Ada", for: "name")
            try person.setObject(context.insert("Cat"), for: "pet")
            return person.id
        }
        let mine = store.makeContext(onConflict: .theirs)
        let person = try mine.object(id)
        #expect(try person.object("pet") != nil)
        try person.setValue("Grace", for: "name")
        if !isChanged { try person.setValue("Ada", for: "name") }
        try store.write { context in
            let person = try context.object(id)
            try person.setObject(nil, for: "pet")
            try context.delete(person)
        }
        try mine.save()
        #expect(person.isDeleted && !mine.hasChanges)
        #expect(try store.read { try $0.count("Cat") } == 1)
    }

    /// The former partner is single, married again, or deleted as well.
    @Test(arguments: [(nil, [2, 1, nil, nil]), (2, [nil, 3, 2, nil])] as [(Int?, [Int64?])])
    func aRecreatedObjectAndItsPartnerAgree(next: Int?, expected: [Int64?]) throws {
        try store.write { try marry(0, 1, in: $0) }
        let mine = store.makeContext(onConflict: .mine)
        let partner = try mine.object(people[1])
        #expect(try partner.value("name", as: String?.self) == nil)
        try mine.object(people[0]).setValue("Ada", for: "name")
        try store.write { context in
            try context.delete(context.object(people[0]))
            try next.map { try marry(1, $0, in: context) }
        }
        try mine.save()
        #expect(try partners() == expected)
        #expect(try partner.object("spouse")?.id.number == expected[1])
        #expect(!mine.hasChanges)
    }

    @Test(arguments: [false, true]) func aRecreatedObjectHasNoDeletedPartner(isInMemory: Bool) throws {
        try store.write { try marry(0, 1, in: $0) }
        let mine = store.makeContext(onConflict: .mine)
        let partner = isInMemory ? try mine.object(people[1]) : nil
        try mine.object(people[0]).setValue("Ada", for: "name")
        try store.write { context in
            for id in people.prefix(2) { try context.delete(context.object(id)) }
        }
        try mine.save()
        #expect(try store.read { try $0.object(people[0]).object("spouse")?.id } == nil)
        #expect(try store.read { try $0.count("Person") } == 3)
        withExtendedLifetime(partner) {}
    }

    @Test func aCoupleMadeHereIsRecreated() throws {
        let mine = store.makeContext(onConflict: .mine)
        try marry(0, 1, in: mine)
        try store.write { context in
            try context.delete(context.object(people[0]))
            try marry(1, 2, in: context)
        }
        try mine.save()
        #expect(try partners() == [2, 1, nil, nil])
    }

    @Test func thePartnerOfAnObjectThatStaysDeletedHasNone() throws {
        let mine = store.makeContext(onConflict: .theirs)
        try marry(0, 1, in: mine)
        try store.write { try $0.delete($0.object(people[0])) }
        try mine.save()
        #expect(try store.read { try $0.object(people[1]).object("spouse")?.id } == nil)
        #expect(try mine.object(people[1]).object("spouse") == nil)
        #expect(!mine.hasChanges)
    }

    /// This context has given the former partner another one, or none.
    @Test(arguments: [(2, [nil, 3, 2, nil]), (nil, [2, 1, nil, nil])] as [(Int?, [Int64?])])
    func anObjectWhoseDeletionIsGivenUpAndItsPartnerAgree(next: Int?, expected: [Int64?]) throws {
        try store.write { try marry(0, 1, in: $0) }
        let mine = store.makeContext(onConflict: .theirs)
        let person = try mine.object(people[0])
        try mine.delete(person)
        try next.map { try marry(1, $0, in: mine) }
        try store.write { try $0.object(people[0]).setValue("Ada", for: "name") }
        try mine.save()
        #expect(!person.isDeleted)
        #expect(try person.object("spouse")?.id.number == expected[0])
        #expect(try partners() == expected)
    }

    @Test func anObjectThatAnotherContextRestoredIsAFriendAgain() throws {
        let other = store.makeContext(onConflict: .mine)
        try other.object(people[1]).setValue("Ada", for: "name")
        let context = store.makeContext()
        let deleted = try context.object(people[1])
        try context.delete(deleted)
        try context.save()
        try other.object(people[0]).add(other.object(people[1]), to: "friends")
        try other.save()
        #expect(try context.object(people[0]).objects("friends") == [deleted])
        #expect(!deleted.isDeleted)
    }

    // MARK: Saves that resolve conflicts

    @Test func undoingAChangeUndoesWhatAFailedSaveHasMadeOfIt() throws {
        struct Undecided: Error {}
        let mine = store.makeContext(onConflict: .merge { _ in throw Undecided() })
        try mine.object(people[0]).setObject(mine.object(cat), for: "pet")
        try store.write { try $0.object(people[0]).setObject($0.object(dog), for: "pet") }
        #expect(throws: Undecided.self) { try mine.save() }
        try mine.undo()
        #expect(!mine.canUndo)
        mine.onConflict = .mine
        try mine.save()
        #expect(try store.read { try $0.object(people[0]).object("pet")?.id } == dog)
    }

    /// Hooks run for objects that only the merge has changed, and validations again for all that it has changed, or for
    /// all objects if hooks may have changed them.
    @Test(
        arguments: [
            (.mine, ["will-save 3", "validate 1", "validate 2", "validate 3"], ["Ada", "Ada", "Ada", nil]),
            (.theirs, ["validate 1", "validate 2"], ["Ada", "Ada", nil, nil]),
        ] as [(ConflictPolicy, [String], [String?])]
    )
    func hooksRunForPartnersThatAMergeChanges(policy: ConflictPolicy, lines: [String], names: [String?]) throws {
        let log = HookLog()
        var hooks = EntityHooks()
        hooks.willSave = { person in
            guard person.context.isEditing else { return }
            log.add("will-save \(person.id.number)")
            try person.setValue("Ada", for: "name")
        }
        hooks.validateForUpdate = { person in
            if person.context.isEditing { log.add("validate \(person.id.number)") }
        }
        let store = try Self.store(["Person": hooks])
        let mine = store.makeContext(onConflict: policy)
        try marry(0, 1, in: mine)
        try store.write { try marry(2, 1, in: $0) }
        try mine.save()
        #expect(log.take() == ["will-save 1", "will-save 2", "validate 1", "validate 2"] + lines)
        let stored = try store.read { context in
            try people.map { try context.object($0).value("name", as: String?.self) }
        }
        #expect(stored == names)
    }

    @Test func aConflictNamesTheObjectsOfARelationship() throws {
        let (partner, cat, dog) = (people[1], cat, dog)
        try store.write { try $0.object(people[0]).setObject($0.object(cat), for: "pet") }
        let mine = store.makeContext(
            onConflict: .merge { conflict in
                let pets = try (conflict.base("pet", as: ObjectID?.self), conflict.theirs("pet", as: ObjectID?.self))
                #expect(pets == (cat, dog))
                #expect(try conflict.base("spouse", as: ObjectID?.self) == nil)
                #expect(try conflict.theirs("spouse", as: ObjectID?.self) == partner)
                #expect(try conflict.theirs("spouse", as: Int64?.self) == partner.number)
                #expect(throws: StoreError(code: .wrongType)) { try conflict.base("pet", as: Int64?.self) }
                #expect(throws: StoreError(code: .unknownAttribute)) { try conflict.base("x", as: ObjectID?.self) }
            }
        )
        try mine.object(people[0]).setObject(nil, for: "pet")
        try store.write { context in
            try context.object(people[0]).setObject(context.object(dog), for: "pet")
            try marry(0, 1, in: context)
        }
        try mine.save()
        #expect(try store.read { try $0.object(people[0]).object("pet")?.id } == nil)
    }
}
