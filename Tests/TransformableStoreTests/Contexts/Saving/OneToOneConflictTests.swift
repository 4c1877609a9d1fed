import Testing
import Transformable
import TransformableStore

/// Two contexts that give one place in a one-to-one relationship to different objects.
@Suite(.eachEngine) struct OneToOneConflictTests {
    /// The column is in the rows of the lockers, which are different.
    @Test(arguments: [1, 2] as [Int64]) func setsOneOfTwoObjectsInAOneToOneRelationship(chosen: Int64) throws {
        let (store, patient, ids) = try Self.lockers()
        let context = store.makeContext()
        try context.object(ids[1]).setObject(context.object(patient), for: "owner")
        try store.write { try $0.object(ids[0]).setObject($0.object(patient), for: "owner") }
        let error = #expect(throws: StoreError(code: .invalidValue)) { try context.save() }
        let message = "it has 2 objects, but can have at most 1; set it to one of them"
        #expect(error?.description == "Patient.locker, object 1: \(message)")
        let locker = try context.object(ObjectID(entity: "Locker", number: chosen))
        try context.object(patient).setObject(locker, for: "locker")
        try context.save()
        let owners = try store.read { try $0.fetch("Locker").map { try $0.object("owner")?.id } }
        #expect(owners == (chosen == 1 ? [patient, nil] : [nil, patient]))
    }

    /// A patient and two lockers.
    private static func lockers(
        _ hooks: [String: EntityHooks] = [:]
    ) throws -> (store: Store, patient: ObjectID, lockers: [ObjectID]) {
        let store = try Store.clinic(hooks: hooks)
        let (patient, lockers) = try store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            return (patient.id, try (0..<2).map { _ in try context.insert("Locker").id })
        }
        return (store, patient, lockers)
    }

    /// This context gives the patient the second locker, or a new one.
    @Test(
        arguments: [
            (.mine, false, false), (.mine, false, true), (.theirs, true, false), (.theirs, true, true),
            (.merge { _ in }, false, false),
        ] as [(ConflictPolicy, Bool, Bool)]
    )
    func thePolicyDecidesAboutAOneToOneRelationship(policy: ConflictPolicy, takesTheirs: Bool, isNew: Bool) throws {
        let log = HookLog()
        var hooks = EntityHooks()
        hooks.willSave = { locker in if locker.context.isEditing { log.add("\(locker.id.number)") } }
        let (store, patient, ids) = try Self.lockers(["Locker": hooks])
        let context = store.makeContext(onConflict: policy)
        let locker = try isNew ? context.insert("Locker") : context.object(ids[1])
        try context.object(patient).setObject(locker, for: "locker")
        try store.write { try $0.object(ids[0]).setObject($0.object(patient), for: "owner") }
        try context.save()
        let chosen = takesTheirs ? ids[0] : locker.id
        #expect(try context.object(patient).object("locker")?.id == chosen)
        #expect(try context.object(ids[0]).object("owner")?.id == (takesTheirs ? patient : nil))
        #expect(!context.hasChanges)
        #expect(log.take() == ["\(locker.id.number)"] + (takesTheirs ? [] : ["1"]))
        let used = try store.read { try $0.fetch("Locker").filter { try $0.object("owner") != nil }.map(\.id) }
        #expect(used == [chosen])
    }

    /// The other context has given the person another passport, or none.
    @Test(arguments: [true, false]) func aRecreatedObjectTakesNoPlaceInAOneToOneRelationship(isTaken: Bool) throws {
        let model = try Model(entities: [
            EntityDescription("Person", relationships: [.toOne("passport", "Passport", inverse: "holder")]),
            EntityDescription(
                "Passport",
                attributes: [.string("code", .optional)],
                relationships: [.toOne("holder", "Person")]
            ),
        ])
        let store = try Store.trial(model: model, transformers: Transformers().registry())
        let ids = try store.write { context in
            let passports = try (0..<2).map { _ in try context.insert("Passport") }
            try context.insert("Person").setObject(passports[0], for: "passport")
            return passports.map(\.id)
        }
        let mine = store.makeContext(onConflict: .mine)
        try mine.object(ids[0]).setValue("C1", for: "code")
        try store.write { context in
            let person = try context.object(ids[0]).object("holder")
            try context.delete(context.object(ids[0]))
            if isTaken { try context.object(ids[1]).setObject(person, for: "holder") }
        }
        try mine.save()
        let held = try store.read { context in try ids.map { try context.object($0).object("holder") != nil } }
        #expect(held == [!isTaken, isTaken])
    }
}
