import Testing
import Transformable
import TransformableStore

/// Shared objects in contexts of tenants, which can read them but not change them.
@Suite(.eachEngine) struct SharedObjectTests {
    /// A change to what all tenants share.
    enum Change: CaseIterable {
        case value, valueInPlace, deletion, pair

        func make(of country: ManagedObject, _ neighbor: ManagedObject) throws {
            switch self {
            case .value: try country.setValue("SE", for: "code")
            case .valueInPlace: try country.value("note", as: Note.self).text = "changed"
            case .deletion: try country.context.delete(country)
            case .pair: try country.add(neighbor, to: "neighbors")
            }
        }
    }

    private static let misuse = StoreError(code: .misuse)

    private let store: Store
    private let country: ObjectID
    private let neighbor: ObjectID
    private let patient: ObjectID

    init() throws {
        var hooks = EntityHooks()
        // It changes a shared object along with each patient of a certain name.
        hooks.willSave = { patient in
            guard try patient.value("name", as: String.self) == "Eve" else { return }
            try patient.object("country")?.setValue("SE", for: "code")
        }
        store = try Store.trial(
            model: Self.model(),
            transformers: TransformerRegistry { Registration("note", NoteTransformer()) },
            hooks: ["Patient": hooks]
        )
        (country, neighbor) = try store.writeShared { context in
            let countries = try ["DK", "DE"]
                .map { code in
                    let country = try context.insert("Country")
                    try country.setValue(code, for: "code")
                    try country.setValue(Note("kept"), for: "note")
                    return country.id
                }
            return (countries[0], countries[1])
        }
        let id = country
        patient = try store.write(tenant: 1) { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            try patient.setObject(context.object(id), for: "country")
            return patient.id
        }
    }

    private static func model() throws -> Model {
        try Model(
            hasTenants: true,
            entities: [
                EntityDescription(
                    "Country",
                    attributes: [
                        .string("code", .unique), .transformed("note", "note", as: Note.self),
                        .transient("color", as: Int.self),
                    ],
                    relationships: [.toMany("neighbors", "Country")],
                    shared: true
                ),
                EntityDescription(
                    "Patient",
                    attributes: [.string("name")],
                    relationships: [.toOne("country", "Country"), .toMany("friends", "Patient")]
                ),
            ]
        )
    }

    /// Runs a closure in a block of a tenant, or in an editing context that is then saved.
    private func edit(isEditing: Bool, _ body: (StoreContext) throws -> Void) throws {
        guard isEditing else { return try store.write(tenant: 1) { try body($0) } }
        let context = try store.makeContext(tenant: 1)
        try body(context)
        try context.save()
    }

    private func requireUnchanged(sourceLocation: SourceLocation = #_sourceLocation) throws {
        try store.read(tenant: 1) { context in
            let found = try context.object(country)
            #expect(try found.value("code", as: String.self) == "DK", sourceLocation: sourceLocation)
            #expect(try found.value("note", as: Note.self).text == "kept", sourceLocation: sourceLocation)
            #expect(try found.objects("neighbors").isEmpty, sourceLocation: sourceLocation)
            #expect(try context.object(patient).object("country") === found, sourceLocation: sourceLocation)
        }
    }

    @Test(arguments: Change.allCases, [true, false])
    func changesAreRefusedAtTheEnd(change: Change, isEditing: Bool) throws {
        #expect(throws: Self.misuse) {
            try edit(isEditing: isEditing) { try change.make(of: $0.object(country), $0.object(neighbor)) }
        }
        try requireUnchanged()
    }

    /// In a block, each fetch writes what is pending.
    @Test(arguments: Change.allCases, [true, false])
    func changesAreRefusedAfterAFetch(change: Change, isEditing: Bool) throws {
        #expect(throws: Self.misuse) {
            try edit(isEditing: isEditing) { context in
                try change.make(of: context.object(country), context.object(neighbor))
                _ = try context.count("Patient")
            }
        }
        try requireUnchanged()
    }

    @Test(arguments: Change.allCases) func aCaughtErrorDoesNotAllowAChange(change: Change) throws {
        #expect(throws: Self.misuse) {
            try edit(isEditing: false) { context in
                try change.make(of: context.object(country), context.object(neighbor))
                _ = try? context.count("Patient")
            }
        }
        try requireUnchanged()
    }

    @Test(arguments: [true, false]) func changesByHooksAreRefused(isEditing: Bool) throws {
        #expect(throws: Self.misuse) {
            try edit(isEditing: isEditing) { try $0.object(patient).setValue("Eve", for: "name") }
        }
        try requireUnchanged()
    }

    @Test func pairsOfTenantsAreRefusedInASharedBlock() throws {
        let id = patient
        #expect(throws: Self.misuse) {
            try store.writeShared { context in
                let patient = try context.fault(id)
                try patient.add(patient, to: "friends")
            }
        }
    }

    @Test func bulkInsertionsIntoAnEditingContextAreRefused() throws {
        let context = try store.makeContext(tenant: 1)
        #expect(throws: Self.misuse) {
            try context.insert(many: ["SE", "NO"], into: "Country") { try $0.setValue($1, for: "code") }
        }
        #expect(!context.hasChanges)
    }

    @Test(arguments: [true, false]) func valuesInMemoryCanBeSet(isEditing: Bool) throws {
        try edit(isEditing: isEditing) { context in
            try context.object(country).setValue(7, for: "color")
            try context.object(patient).setValue("Bea", for: "name")
        }
        try requireUnchanged()
        let id = patient
        #expect(try store.read(tenant: 1) { try $0.object(id).value("name", as: String.self) } == "Bea")
    }

    @Test func aRefusedChangeCanBeUndone() throws {
        let context = try store.makeContext(tenant: 1)
        try context.object(patient).setValue("Bea", for: "name")
        try context.object(country).setValue("SE", for: "code")
        #expect(throws: Self.misuse) { try context.save() }
        try context.undo()
        try context.save()
        try requireUnchanged()
        let id = patient
        #expect(try store.read(tenant: 1) { try $0.object(id).value("name", as: String.self) } == "Bea")
    }
}
