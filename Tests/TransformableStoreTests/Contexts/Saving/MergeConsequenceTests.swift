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

    /// Both couples are separated by the merge, and neither undo brings a part of the other one back.
    @Test func undoingEverythingAfterAMergeLeavesNothing() throws {
        var hooks = EntityHooks()
        hooks.validateForUpdate = { person in
            if person.context.isEditing, try person.object("spouse") == nil { throw Invalid() }
        }
        let store = try RelationshipConflictTests.store(["Person": hooks])
        let mine = store.makeContext(onConflict: .theirs)
        try marry(0, 1, in: mine)
        try marry(2, 3, in: mine)
        try store.write { try marry(0, 2, in: $0) }
        #expect(throws: StoreError(code: .invalidValue)) { try mine.save() }
        try mine.undo()
        try mine.undo()
        #expect(!mine.canUndo)
        #expect(!mine.hasChanges)
        mine.refreshAll()
        let partners = try people.map { try mine.object($0).object("spouse")?.id.number }
        #expect(partners == [3, nil, 1, nil])
    }

    /// Giving up one deletion reverts the consequences of both, and then those of the other one apply again.
    @Test func rulesThatApplyAgainAreUndoneWithTheDeletion() throws {
        let store = try Store.trial(model: RelationshipTests.clinic(.nullify), transformers: Transformers().registry())
        let ids = try store.write { context in
            try ["Ada", "Bea"]
                .map { name in
                    let patient = try context.insert("Patient")
                    try patient.setValue(name, for: "name")
                    try patient.add(context.insert("Visit"), to: "visits")
                    return patient.id
                }
        }
        let mine = store.makeContext(onConflict: .theirs)
        // Without a name, the doctor cannot be saved.
        _ = try mine.insert("Doctor")
        let patients = try ids.map(mine.object)
        for patient in patients { try mine.delete(patient) }
        try store.write { try $0.object(ids[0]).setValue("Ann", for: "name") }
        #expect(throws: StoreError(code: .missingValue)) { try mine.save() }
        try mine.undo()
        #expect(!patients[1].isDeleted)
        #expect(try patients[1].objects("visits").count == 1)
        try mine.undo()
        try mine.undo()
        #expect(!mine.canUndo)
    }

    /// The first patient was deleted by the other context, and the second one here.
    @Test func aFetchAfterAFailedSaveFindsWhatTheMergeHasTaken() throws {
        let store = try Store.trial(model: RelationshipTests.clinic(), transformers: Transformers().registry())
        let ids = try store.write { context in
            try ["Ada", "Bea"]
                .map { name in
                    let patient = try context.insert("Patient")
                    try patient.setValue(name, for: "name")
                    return patient.id
                }
        }
        let mine = store.makeContext(onConflict: .theirs)
        try mine.object(ids[0]).setValue("Ann", for: "name")
        try mine.delete(mine.object(ids[1]))
        // Without a name, the doctor cannot be saved.
        _ = try mine.insert("Doctor")
        #expect(try mine.ids("Patient") == [ids[0]])
        try store.write { context in
            try context.delete(context.object(ids[0]))
            try context.object(ids[1]).setValue("Bob", for: "name")
        }
        #expect(throws: StoreError(code: .missingValue)) { try mine.save() }
        #expect(try mine.ids("Patient", where: Condition("name == 'Bob'")) == [ids[1]])
        #expect(try mine.ids("Patient") == [ids[1]])
    }

    @Test func bytesThatCannotBeDecodedAreKept() throws {
        let folder = try Folder()
        let store = try Store.people(in: folder)
        let id = try store.addPerson("Ada", secret: "s")
        let mine = store.makeContext(onConflict: .mine)
        try mine.object(id).setValue("t", for: "secret")
        try Trial.run(
            "UPDATE \"Person\" SET \"secret\" = \(Trial.bytes("00FF00")), \"_version\" = \"_version\" + 1",
            in: folder.file()
        )
        #expect(throws: StoreError(code: .undecodable)) { try mine.save() }
        #expect(throws: StoreError(code: .undecodable)) { try mine.save() }
    }

    /// Hooks that set the name of the fourth person when the third one is saved, which only the merge changes.
    private static func hooks(setting name: String) -> [String: EntityHooks] {
        var hooks = EntityHooks()
        hooks.willSave = { person in
            guard person.context.isEditing, person.id.number == 3 else { return }
            try person.context.object(ObjectID(entity: "Person", number: 4)).setValue(name, for: "name")
        }
        hooks.validateForUpdate = { person in
            if try person.value("name", as: String?.self) == "invalid" { throw Invalid() }
        }
        return ["Person": hooks]
    }

    @Test func whatHooksChangeDuringAMergeIsValidated() throws {
        let store = try RelationshipConflictTests.store(Self.hooks(setting: "invalid"))
        let mine = store.makeContext(onConflict: .mine)
        try marry(0, 1, in: mine)
        try mine.object(people[3]).setValue("Bob", for: "name")
        try store.write { try marry(2, 1, in: $0) }
        #expect(throws: Invalid.self) { try mine.save() }
        let name = try store.read { try $0.object(people[3]).value("name", as: String?.self) }
        #expect(name == nil)
    }

    @Test func whatHooksChangeDuringAMergeCanBeMerged() throws {
        let store = try RelationshipConflictTests.store(Self.hooks(setting: "Bob"))
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

    /// A position in the list that the other context has removed the object from says nothing about its new list.
    @Test func aRefreshForgetsAPositionInAFormerList() throws {
        let model = try Model(entities: [
            EntityDescription("Team", relationships: [.toMany("players", "Player", ordered: true, inverse: "team")]),
            EntityDescription("Player", relationships: [.toOne("team", "Team")]),
        ])
        let store = try Store.trial(model: model, transformers: Transformers().registry())
        try store.write { context in
            let teams = try (0..<2).map { _ in try context.insert("Team") }
            for place in [0, 0, 0, 1, 1] { try teams[place].add(context.insert("Player"), to: "players") }
        }
        let context = store.makeContext()
        let team = try #require(try context.first("Team"))
        let players = try team.objects("players")
        try team.setObjects([players[2], players[0], players[1]], for: "players")
        try store.write { try $0.fetch("Player")[2].setObject($0.fetch("Team")[1], for: "team") }
        try context.refresh(players[2], keepingChanges: true)
        try context.save()
        let lists = try store.read { try $0.fetch("Team").map { try $0.objects("players").map(\.id.number) } }
        #expect(lists == [[1, 2], [4, 5, 3]])
    }

    /// The other context has deleted the patient along with the visit.
    @Test(arguments: [true, false]) func aRecreatedObjectLeavesWhatWasDeletedWithIt(isOptional: Bool) throws {
        let model = try RelationshipTests.clinic(optional: isOptional)
        let store = try Store.trial(model: model, transformers: Transformers().registry())
        let ids = try store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            let visit = try context.insert("Visit")
            try patient.add(visit, to: "visits")
            return [patient.id, visit.id]
        }
        let mine = store.makeContext(onConflict: .mine)
        let patient = try mine.object(ids[0])
        try mine.object(ids[1]).setValue(5, for: "cost")
        try store.write { try $0.delete($0.object(ids[0])) }
        if isOptional {
            try mine.save()
        } else {
            let error = #expect(throws: StoreError(code: .missingValue)) { try mine.save() }
            #expect(error?.attribute == "patient")
        }
        let stored = try store.read { context in
            try context.fetch("Visit")
                .map { [try $0.value("cost", as: Int64?.self), try $0.object("patient")?.id.number] }
        }
        #expect(stored == (isOptional ? [[5, nil]] : []))
        withExtendedLifetime(patient) {}
    }
}
