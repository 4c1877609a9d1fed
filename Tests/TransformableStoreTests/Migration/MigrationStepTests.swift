import Foundation
import GRDB
import Synchronization
import Testing
import Transformable
import TransformableSQLite

// Counts the statements of a step.
@testable import TransformableStore

@Suite(.eachEngine) struct MigrationStepTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    private func open(
        _ version: Int,
        _ entities: [EntityDescription],
        _ steps: MigrationStep...
    ) throws -> Store {
        try Store.trial(
            at: folder.file(),
            model: Model(version: version, entities: entities),
            transformers: Transformers().registry(),
            migrations: steps
        )
    }

    /// Two people with a whole name and an age as text, and an entity that is to go.
    private func first() throws {
        let store = try open(
            1,
            [
                EntityDescription(
                    "Person",
                    attributes: [
                        .transformed("name", "text | bound", as: String.self), .string("age", .default("0")),
                    ]
                ),
                EntityDescription("Note", attributes: [.string("text")]),
            ]
        )
        try store.write { context in
            for (name, age) in [("Ada Lovelace", "36"), ("Alan Turing", "41")] {
                let person = try context.insert("Person")
                try person.setValue(name, for: "name")
                try person.setValue(age, for: "age")
                try context.insert("Note").setValue("about \(name)", for: "text")
            }
        }
        try store.close()
    }

    private static let second = [
        EntityDescription(
            "Person",
            attributes: [
                .string("last", .default("")), .integer("age", .default(0)), .string("about", .optional),
                .transformed("box", "box", as: Box.self, .default("1x1"), .projected("area", as: "area")),
            ]
        )
    ]

    private static let step = MigrationStep(from: 1, to: 2) { migration in
        #expect(migration.oldModel.version == 1)
        try migration.context.forEach("Person") { person in
            let name = try migration.oldValue("name", of: person, as: String.self)
            try person.setValue(String(name.split(separator: " ")[1]), for: "last")
            try person.setValue(Int(try migration.oldValue("age", of: person, as: String.self)), for: "age")
        }
        try migration.forEachDropped("Note") { note in
            let person = try migration.context.object(ObjectID(entity: "Person", number: note.number))
            try person.setValue(note.value("text", as: String?.self), for: "about")
        }
    }

    private final class Counter: Sendable {
        private let count = Atomic<Int>(0)
        var value: Int { count.load(ordering: .relaxed) }
        func add() { count.add(1, ordering: .relaxed) }
    }

    @Test func looksForTheColumnOfOldValuesOnce() throws {
        let store = try open(1, [EntityDescription("Person", attributes: [.string("age")])])
        try store.write { context in
            for number in 0..<100 { try context.insert("Person").setValue("\(number)", for: "age") }
        }
        try store.close()
        let count = Counter()
        let step = MigrationStep(from: 1, to: 2) { migration in
            let people = try migration.context.fetch("Person")
            migration.connection.countStatements { count.add() }
            defer { migration.connection.countStatements(nil) }
            for (number, person) in people.enumerated() {
                #expect(try migration.oldValue("age", of: person, as: String.self) == "\(number)")
            }
        }
        try open(2, [EntityDescription("Person", attributes: [.integer("age", .default(0))])], step).close()
        // One for each object, and a few that look for the column. Looking for it each time would take twice as many.
        #expect(count.value < 110)
    }

    @Test func readsDroppedValues() throws {
        try first()
        let store = try open(2, Self.second, Self.step)
        let found = try store.read { context in
            try context.fetch("Person")
                .map { person in
                    let about = try person.value("about", as: String.self)
                    return
                        "\(try person.value("last", as: String.self)) \(try person.value("age", as: Int.self)) \(about)"
                }
        }
        #expect(found == ["Lovelace 36 about Ada Lovelace", "Turing 41 about Alan Turing"])
        #expect(try store.read { try $0.count("Person", where: Condition("area == 1")) } == 2)
        #expect(try store.namesSetAside() == ["Person.age", "Person.name", "_dropped.Note.1"])
        try store.discardSetAside()
        #expect(try store.namesSetAside() == [])
        #expect(try store.read { try $0.count("Person") } == 2)
    }

    @Test func leavesTheFileUnchangedIfAStepFails() throws {
        struct Stop: Error {}
        try first()
        let failing = MigrationStep(from: 1, to: 2) { migration in
            try migration.context.insert("Person").setValue("new", for: "last")
            throw Stop()
        }
        #expect(throws: Stop.self) { try open(2, Self.second, Self.step, failing) }
        let store = try Store.trial(at: folder.file(), transformers: Transformers().registry())
        #expect(store.model.version == 1)
        #expect(try store.read { try $0.count("Person", where: Condition("age == '41'")) } == 1)
    }

    @Test(.withoutTenants("Steps run only for tenants that have objects.")) func runsStepsInOrder() throws {
        let old = [EntityDescription("Log", attributes: [.string("text", .default(""))])]
        func step(_ from: Int, _ to: Int) -> MigrationStep {
            MigrationStep(from: from, to: to) { try $0.context.insert("Log").setValue("\(from) to \(to)", for: "text") }
        }
        try open(2, old, step(1, 2)).close()
        let store = try open(4, old, step(3, 4), step(1, 2), step(2, 3), step(4, 5))
        let texts = try store.read { try $0.fetch("Log").map { try $0.value("text", as: String.self) } }
        #expect(texts == ["2 to 3", "3 to 4"])
    }

    @Test func providesOldValuesOnlyForRemovedAttributes() throws {
        try first()
        let asking = MigrationStep(from: 1, to: 2) { migration in
            let person = try #require(try migration.context.first("Person"))
            #expect(throws: StoreError(code: .unknownAttribute)) {
                try migration.oldValue("nothing", of: person, as: String.self)
            }
            #expect(throws: StoreError(code: .wrongType)) { try migration.oldValue("age", of: person, as: Int.self) }
            #expect(throws: StoreError(code: .unknownEntity)) { try migration.forEachDropped("None") { _ in } }
            let new = try migration.context.insert("Person")
            try migration.context.save()
            #expect(try migration.oldValue("age", of: new, as: String?.self) == nil)
        }
        try open(2, Self.second, asking).close()
    }

    // MARK: - The guard against changed types

    private static let converted: [(String, AttributeDescription)] = [
        ("int64", .int64("age", .optional)),
        ("transformed", .transformed("age", "text | bound", as: String.self, .optional)),
    ]

    @Test(arguments: converted.indices, [(2, 3), (5, 6)])
    func stepsForOtherVersionsDoNotLetTypesChange(index: Int, versions: (Int, Int)) throws {
        try first()
        let (type, attribute) = Self.converted[index]
        var person = Self.second[0]
        person.attributes = [.transformed("name", "text | bound", as: String.self), attribute]
        let other = MigrationStep(from: versions.0, to: versions.1) { _ in }
        let error = #expect(throws: StoreError(code: .unsupported)) { try open(2, [person], other) }
        #expect(error?.description.contains("its type changes from “string” to “\(type)”") == true)
        let model = try Model(version: 2, entities: [person])
        let registry = try Transformers().registry()
        let plan = try Store.trialPlan(at: folder.file(), model: model, transformers: registry, migrations: [other])
        #expect(plan.refusals.map(\.name) == ["age"])
        let store = try Store.trial(at: folder.file(), transformers: registry)
        #expect(try store.read { try $0.count("Person", where: Condition("age == '41'")) } == 1)
    }

    @Test func everyChangedTypeRequiresAStepThatReadsIt() throws {
        try first()
        let idle = MigrationStep(from: 1, to: 2) { migration in
            try migration.context.forEach("Person") { try $0.setValue("", for: "last") }
        }
        let error = #expect(throws: StoreError(code: .unsupported)) { try open(2, Self.second, idle) }
        #expect(error?.attribute == "age" && error?.description.contains("2 old values") == true)
        let leaving = MigrationStep(from: 1, to: 2) { try $0.leaveOldValues("age", of: "Person") }
        let store = try open(2, Self.second, idle, leaving)
        #expect(try store.namesSetAside().contains("Person.age"))
    }

    @Test(arguments: [
        [(2, 1)], [(1, 1)], [(1, 3), (2, 3)], [(1, 2), (1, 3)], [(3, 5), (1, 4)], [(1, 2), (2, 4), (3, 5)],
    ])
    func stepsThatGoBackwardsOrOverlapAreErrors(versions: [(Int, Int)]) throws {
        let steps = versions.map { MigrationStep(from: $0.0, to: $0.1) { _ in } }
        let model = try Model(version: 1, entities: Self.second)
        let registry = try Transformers().registry()
        #expect(throws: StoreError(code: .misuse)) {
            try Store.trial(at: folder.file(), model: model, transformers: registry, migrations: steps)
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file().path))
    }
}
