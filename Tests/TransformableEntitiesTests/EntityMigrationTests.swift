import Foundation
import Testing
import Transformable
import TransformableEntities
import TransformableSQLite
import TransformableStore

/// A file, and the earlier and later versions of a program's class.
private enum First {
    @Entity
    final class Member {
        var fullName: String
        var age = 0
        var mood: Severity = .low

        init(_ fullName: String) { self.fullName = fullName }
    }
}

private enum Second {
    @Entity("Person", renamedFrom: "Member")
    final class Person {
        var lastName = ""
        @Attribute(.renamed(from: "age"), .indexed) var years = 0
        var mood: Severity = .low
        var note: String?
        var tags: [String]?
    }
}

private enum Third {
    @Entity
    final class Member {
        var fullName: String
        var rank: String

        init(_ fullName: String) { (self.fullName, rank) = (fullName, "") }
    }
}

private enum Fourth {
    @Entity
    final class Member {
        var fullName: String
        var token: UUID = UUID()
        var settings: Settings = Settings(beds: 2)
        @Attribute(transformer: .box) var bed: Box = Box(width: 1, height: 2)
        @Attribute(transformer: "bound", .projected("lowercase", as: "code_index")) var code: String = "Fresh"

        init(_ fullName: String) { self.fullName = fullName }
    }
}

private enum Fifth {
    @Entity
    final class Member {
        @Attribute(transformer: "reversed") var fullName: String
        var age = 0
        var mood: Severity = .low

        init(_ fullName: String) { self.fullName = fullName }
    }
}

private enum Sixth {
    @Entity
    final class Member {
        var fullName: String
        var age = 0
        @Attribute(transformer: .box) var bed: Box
        @Attribute(transformer: .box) var chair: Box
        @Transient var noticed = ""

        init(_ fullName: String) {
            self.fullName = fullName
            (bed, chair) = (Box(width: 0, height: 0), Box(width: 0, height: 0))
        }

        func awakeFromFetch() { noticed = "\(bed.width)" }
    }
}

private enum Seventh {
    @Entity
    final class Member {
        var fullName: String
        var age = 0
        var mood: Severity = .low
        var orderID: OrderID = OrderID()

        init(_ fullName: String) { self.fullName = fullName }
    }
}

private enum Eighth {
    @Entity(addedIn: 3)
    final class Member {
        @Attribute(.renamed(from: "fullName", in: 4)) var name = ""
    }
}

@Suite struct EntityMigrationTests {
    let url = URL.temporaryDirectory.appending(path: "\(UUID()).sqlite")

    init() throws {
        let store = try Store(at: url, for: First.Member.self, transformers: Fixtures.registry())
        try store.write { context in
            let member = context.insert(First.Member("Ada Lovelace"))
            member.age = 36
            member.mood = .high
        }
        try store.close()
    }

    private func second(_ steps: [MigrationStep], version: Int = 2) throws -> Store {
        try Store(
            at: url,
            for: Second.Person.self,
            version: version,
            transformers: Fixtures.registry(),
            migrations: steps
        )
    }

    private let step = MigrationStep(from: 1, to: 2) { migration in
        try migration.context.forEach(Second.Person.self) { person in
            let name = try migration.oldValue("fullName", of: person, as: String.self)
            person.lastName = name.split(separator: " ").last.map(String.init) ?? name
            person.note = try migration.oldValue("fullName", of: person, as: String?.self)
        }
    }

    @Test func migratesObjectsToANewClass() throws {
        let store = try second([step])
        try store.read { context in
            let person = try #require(try context.first(Second.Person.self, where: #Predicate { $0.years == 36 }))
            #expect((person.lastName, person.note, person.mood) == ("Lovelace", "Ada Lovelace", .high))
            #expect(person.tags == nil)
        }
    }

    @Test func checksClassesThatStateVersions() throws {
        let registry = try Fixtures.registry()
        try Store.validate(Eighth.Member.self, version: 4, transformers: registry)
        let store = try Store.inMemory(for: Eighth.Member.self, version: 4, transformers: registry)
        #expect(store.model.version == 4)
        let refusal = StoreError(.invalidModel, "")
        #expect(throws: refusal) {
            try Store.validate(Eighth.Member.self, version: 3, transformers: registry)
        }
    }

    @Test func requiresAnInitialValueForNewProperties() throws {
        let error = #expect(throws: StoreError.self) {
            try Store(at: url, for: Third.Member.self, version: 2, transformers: Fixtures.registry())
        }
        #expect(error?.description.contains("Member.rank: it is new and not optional") == true)
    }

    @Test func setsInitialValuesOfExistingObjects() throws {
        let first = try Store(at: url, for: First.Member.self, transformers: Fixtures.registry())
        try first.write { _ = $0.insert(First.Member("Alan Turing")) }
        try first.close()
        let store = try Store(at: url, for: Fourth.Member.self, version: 2, transformers: Fixtures.registry())
        try store.read { context in
            let members = try context.fetch(Fourth.Member.self)
            #expect(members.map(\.fullName) == ["Ada Lovelace", "Alan Turing"])
            #expect(Set(members.map(\.token)).count == 2)
            #expect(members.map(\.settings.beds) == [2, 2])
            #expect(members.map(\.bed) == Array(repeating: Box(width: 1, height: 2), count: 2))
            #expect(members.map(\.code) == ["Fresh", "Fresh"])
            #expect(try context.count(Fourth.Member.self, where: Field("code_index") == "fresh") == 2)
        }
    }

    private func sixth(_ steps: MigrationStep...) throws -> Store {
        try Store(at: url, for: Sixth.Member.self, version: 2, transformers: Fixtures.registry(), migrations: steps)
    }

    private static func members(
        _ body: @escaping @Sendable (MigrationContext, Sixth.Member) throws -> Void
    ) -> MigrationStep {
        MigrationStep(from: 1, to: 2) { migration in
            try migration.context.forEach(Sixth.Member.self) { try body(migration, $0) }
        }
    }

    // These attributes have no value until a step sets it, and no placeholder that a getter could return.
    @Test func aStepSetsRequiredAttributesThroughTheClass() throws {
        let one = Self.members { _, member in member.bed = Box(width: member.age, height: 2) }
        let two = Self.members { migration, member in
            #expect(member.noticed == "")
            #expect(throws: StoreError(.missingValue, "")) { try member.$chair.value() }
            try member.$chair.setValue(Box(width: 3, height: member.bed.height))
            let fetched = try migration.context.fetch(Sixth.Member.self, where: #Predicate { $0.age == 36 })
            #expect(fetched.first === member)
            _ = migration.context.insert(Sixth.Member("Another"))
        }
        let store = try sixth(one, two)
        try store.read { context in
            let member = try #require(try context.first(Sixth.Member.self))
            #expect(member.bed == Box(width: 36, height: 2))
            #expect(member.chair == Box(width: 3, height: 2))
            #expect(member.noticed == "36")
            #expect(try context.count(Sixth.Member.self) == 2)
        }
    }

    @Test func errorsNameAnAttributeThatNoStepSets() throws {
        let error = #expect(throws: StoreError.self) {
            try sixth(Self.members { _, member in member.bed = Box(width: 1, height: 1) })
        }
        #expect(error?.description.hasPrefix("Member.chair: it is not optional, and 1 object has no value") == true)
        #expect(error?.code == .missingValue)
    }

    @Test func readingAnAttributeBeforeAStepSetsItStopsTheProgram() async throws {
        let path = url.path
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) { [path = path as String] in
            let step = Self.members { _, member in member.bed.height = 2 }
            _ = try Store(
                at: URL(filePath: path),
                for: Sixth.Member.self,
                version: 2,
                transformers: Fixtures.registry(),
                migrations: [step]
            )
        }
        let messages = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(messages.contains("“Member.bed” has no value yet"), "\(messages)")
        let first = try Store(at: url, for: First.Member.self, transformers: Fixtures.registry())
        #expect(try await first.read { try $0.first(First.Member.self)?.age } == 36)
    }

    @Test func requiresANewVersion() throws {
        let error = #expect(throws: StoreError.self) { try second([step], version: 1) }
        #expect(error?.description.contains("version") == true, "\(error?.description ?? "")")
        let first = try Store(at: url, for: First.Member.self, transformers: Fixtures.registry())
        #expect(try first.read { try $0.first(First.Member.self)?.age } == 36)
    }

    @Test(arguments: [true, false])
    func encodesPlainValues(atOpening: Bool) throws {
        let registry = try Fixtures.registry()
        if !atOpening {
            let first = try Store(at: url, for: First.Member.self, transformers: registry)
            try first.reencode(Reencoding("fullName", of: "Member", to: .transformer("reversed")))
            try first.close()
        }
        var options = Store.Options.createIfMissing
        if atOpening { options.changedTransformers = .reencode }
        let store = try Store(at: url, for: Fifth.Member.self, transformers: registry, options: options)
        #expect(try store.read { try $0.fetch(Fifth.Member.self).map(\.fullName) } == ["Ada Lovelace"])
    }

    @Test func initialValuesThatDifferAreMadeForEachObject() throws {
        let first = try Store(at: url, for: First.Member.self, transformers: Fixtures.registry())
        try first.write { _ = $0.insert(First.Member("Alan Turing")) }
        try first.close()
        let store = try Store(at: url, for: Seventh.Member.self, version: 2, transformers: Fixtures.registry())
        let ids = try store.read { try $0.fetch(Seventh.Member.self).map(\.orderID) }
        #expect(Set(ids).count == 2)
    }
}
