import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Steps that set the values that a newer model requires.
@Suite(.eachEngine) struct RequiredValueStepTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    private func open(_ version: Int, _ entity: EntityDescription, _ steps: MigrationStep...) throws -> Store {
        try Store.trial(
            at: folder.file(),
            model: Model(version: version, entities: [entity]),
            transformers: Transformers().registry(),
            migrations: steps
        )
    }

    private static func person(_ attributes: AttributeDescription...) -> EntityDescription {
        EntityDescription("Person", attributes: [.string("name")] + attributes)
    }

    /// Three people, the second of whom has no title.
    private func first() throws {
        let store = try open(1, Self.person(.string("title", .optional)))
        try store.write { context in
            for (name, title) in [("Ada", "Countess"), ("Alan", nil), ("Grace", "Admiral")] {
                let person = try context.insert("Person")
                try person.setValue(name, for: "name")
                try person.setValue(title, for: "title")
            }
        }
        try store.close()
    }

    private static let second = person(.string("title", .optional), .string("initial", .unique), .int64("length"))

    private static func fill(_ names: Set<String>) -> MigrationStep {
        MigrationStep(from: 1, to: 2) { migration in
            try migration.context.forEach("Person") { person in
                let name = try person.value("name", as: String.self)
                guard names.contains(name) else { return }
                try person.setValue(String(name.prefix(2)), for: "initial")
                try person.setValue(name.count, for: "length")
            }
        }
    }

    @Test func existingValuesAreKept() throws {
        try first()
        let store = try open(2, Self.second, Self.fill(["Ada", "Alan", "Grace"]))
        let found = try store.read { context in
            try context.fetch("Person")
                .map { try "\($0.value("initial", as: String.self)) \($0.value("length", as: Int.self))" }
        }
        #expect(found == ["Ad 3", "Al 4", "Gr 5"])
        #expect(try store.verify().isSound)
    }

    @Test func valuesAreRequiredForEveryObject() throws {
        try first()
        let error = #expect(throws: StoreError(code: .missingValue)) {
            try open(2, Self.second, Self.fill(["Alan"]))
        }
        #expect(
            error?.description
                == """
                Person.initial: it is not optional, and 2 objects have no value of it after the migration steps; set it \
                in a step, make it optional, or give it a default
                """
        )
        let old = try open(1, Self.person(.string("title", .optional)))
        #expect(try old.read { try $0.count("Person") } == 3)
        #expect(try old.namesSetAside() == [])
    }

    @Test func valuesAreRequiredWithoutAStepForTheVersion() throws {
        try first()
        let other = MigrationStep(from: 2, to: 3) { _ in }
        #expect(throws: StoreError(code: .missingValue)) { try open(2, Self.second, other) }
        #expect(throws: StoreError(code: .missingValue)) { try open(2, Self.second) }
    }

    @Test func optionalAttributesGetValues() throws {
        try first()
        let step = MigrationStep(from: 1, to: 2) { migration in
            try migration.context.forEach("Person") { person in
                guard try person.value("title", as: String?.self) == nil else { return }
                try person.setValue("none", for: "title")
            }
        }
        let store = try open(2, Self.person(.string("title")), step)
        let titles = try store.read { try $0.fetch("Person").map { try $0.value("title", as: String.self) } }
        #expect(titles == ["Countess", "none", "Admiral"])
    }

    // Neither this program nor another one can remove the value.
    @Test(.sqliteOnly("SQLite’s shell uses the file.")) func valuesAreRequiredAfterward() throws {
        try first()
        let store = try open(2, Self.second, Self.fill(["Ada", "Alan", "Grace"]))
        #expect(throws: StoreError(code: .missingValue)) {
            try store.write { try $0.insert("Person").setValue("Bea", for: "name") }
        }
        try store.close()
        #expect(throws: DatabaseError.self) {
            try shell(folder.file()) { try $0.execute(sql: "UPDATE Person SET length = NULL WHERE _id = 1") }
        }
        var third = Self.second
        third.attributes.append(.string("note", .optional))
        let next = try open(3, third)
        #expect(try next.verify().isSound)
        try next.close()
        #expect(throws: DatabaseError.self) {
            try shell(folder.file()) { try $0.execute(sql: "UPDATE Person SET length = NULL WHERE _id = 1") }
        }
    }

    @Test func thePlanListsRequiredValues() throws {
        try first()
        func plan(_ steps: MigrationStep...) throws -> MigrationPlan {
            try Store.trialPlan(
                at: folder.file(),
                model: Model(version: 2, entities: [Self.person(.string("title"), .string("initial"))]),
                transformers: Transformers().registry(),
                migrations: steps
            )
        }
        #expect(try plan().refusals.count == 2)
        let planned = try plan(Self.fill([]))
        #expect(planned.refusals.isEmpty)
        let lines = planned.description.split(separator: "\n").map(String.init)
        #expect(lines.contains("Person.title: kept, no longer optional, a migration step has to give 1 object a value"))
        #expect(lines.contains("Person.initial: added, a migration step has to give 3 objects a value"))
    }

    // A step can set one attribute after another, with a separate save for each.
    @Test func severalStepsCanSetValues() throws {
        try first()
        let one = MigrationStep(from: 1, to: 2) { migration in
            try migration.context.forEach("Person") { try $0.setValue("x\($0.id.number)", for: "initial") }
        }
        let two = MigrationStep(from: 1, to: 2) { migration in
            try migration.context.forEach("Person") { try $0.setValue(7, for: "length") }
        }
        let store = try open(2, Self.second, one, two)
        #expect(try store.read { try $0.count("Person", where: Condition("length == 7")) } == 3)
    }
}
