import Foundation
import Synchronization
import Testing
import Transformable
import TransformableSQLite
import TransformableStore
import TransformableTesting

/// A history of three versions with planted faults.
@Suite struct MigrationTestTests {
    private static func member(
        _ version: Int,
        _ attributes: AttributeDescription...,
        relationships: [RelationshipDescription] = []
    ) throws -> Model {
        try Model(
            version: version,
            entities: [
                EntityDescription("Member", attributes: attributes, relationships: relationships),
                EntityDescription("Team", attributes: [.string("title")]),
            ] + (version == 1 ? [EntityDescription("Scrap", attributes: [.string("text")])] : [])
        )
    }

    private static let team = [RelationshipDescription.toOne("team", "Team")]

    private static func models() throws -> [Model] {
        [
            try member(
                1,
                .string("fullName"),
                .string("age", .optional),
                .string("note", .optional),
                relationships: team
            ),
            try member(
                2,
                .string("name", .renamed(from: "fullName")),
                .string("age", .optional),
                .uuid("token", .default(.newUUID)),
                relationships: team
            ),
            try member(
                3,
                .string("name", .renamed(from: "fullName"), .indexed),
                .integer("age", .optional),
                .uuid("token", .default(.newUUID)),
                .integer("rank", .default(1)),
                relationships: team
            ),
        ]
    }

    /// Ages are text in earlier versions, and numbers from the third version on.
    private static let step = MigrationStep(from: 2, to: 3) { migration in
        try migration.context.forEach("Member") { member in
            let age = try migration.oldValue("age", of: member, as: String?.self)
            try member.setValue(age.flatMap { Int($0) }, for: "age")
        }
    }

    private static func registry() throws -> TransformerRegistry { try TransformerRegistry {} }

    private static func fill(_ context: StoreContext, _ version: Int) throws {
        let team = try context.insert("Team")
        try team.setValue("red", for: "title")
        for (name, age) in [("Ada", "36"), ("Bea", nil), ("Cyd", "old")] {
            let member = try context.insert("Member")
            try member.setValue(name, for: version == 1 ? "fullName" : "name")
            try member.setValue(age, for: "age")
            if version == 1 { try member.setValue("about \(name)", for: "note") }
            if name != "Cyd" { try member.setObject(team, for: "team") }
        }
        if version == 1 { try context.insert("Scrap").setValue("x", for: "text") }
    }

    private static func test(
        _ models: [Model],
        _ migrations: [MigrationStep] = [step]
    ) throws -> MigrationTest {
        var test = try MigrationTest(models, transformers: registry(), migrations: migrations) { try fill($0, $1) }
        test.killCount = 6
        return test
    }

    @Test func reportsWhatWasKeptChangedAddedAndDropped() throws {
        let migrated = try Self.test(Self.models()).migrate(from: 1, to: 3)
        #expect(migrated.store.model.version == 3)
        #expect(try migrated.store.read { try $0.count("Member", where: Field("age") == 36) } == 1)
        let lines = migrated.report.description.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "version 1 to 3",
                "Member: 3 kept",
                "Member.name, formerly fullName: 3 kept",
                "Member.age: 1 changed, 1 dropped",
                "Member.token: 3 added",
                "Member.rank: 3 added",
                "Member.team: 2 kept",
                "Member.note: 3 dropped",
                "Team: 1 kept",
                "Team.title: 1 kept",
                "Scrap: 1 dropped",
            ]
        )
        #expect(migrated.report.entry("Member", "note")?.dropped == 3)
        #expect(migrated.report.plan.refusals.isEmpty)
    }

    @Test func findsNothingInASoundHistory() throws {
        let result = try Self.test(Self.models()).run()
        #expect(result.violations == [], "\(result.violations)")
        #expect(result.reports.map { "\($0.oldVersion)-\($0.newVersion)" } == ["1-2", "1-3", "2-3"])
    }

    @Test func doesNotCompareDatesOfChangeThatAMigrationSets() throws {
        let changed = AttributeDescription.date("changed", .derived(.dateOfChange))
        let seen = AttributeDescription.date("seen", .derived(.dateOfChange))
        let models = [
            try Self.member(1, .string("name"), changed),
            try Self.member(2, .string("name"), changed, .string("note", .default(""))),
            try Self.member(3, .string("name"), changed, .string("note", .default("")), seen),
        ]
        let step = MigrationStep(from: 1, to: 2) { migration in
            try migration.context.forEach("Member") { try $0.setValue("new", for: "note") }
        }
        let test = MigrationTest(models, transformers: try Self.registry(), migrations: [step]) { context, _ in
            try context.insert("Member").setValue("Ada", for: "name")
        }
        #expect(try test.run().violations == [])
    }

    @Test func findsADefaultThatDependsOnThePath() throws {
        var models = try Self.models()
        models[1] = try Self.member(
            2,
            .string("name", .renamed(from: "fullName")),
            .string("age", .optional),
            .uuid("token", .default(.newUUID)),
            .integer("rank", .default(2)),
            relationships: Self.team
        )
        let violations = try Self.test(models).run().violations
        #expect(violations.map(\.law) == [.paths, .paths, .paths])
        #expect(violations.first?.oldVersion == 1)
        #expect(violations.first?.newVersion == 3)
        #expect(violations.first?.message.contains("rank of Member 1 differs") == true)
    }

    // Those who skip the second version never get the default, which makes codes equal.
    @Test func findsAPathThatFails() throws {
        let models = [
            try Self.member(1, .string("name")),
            try Self.member(2, .string("name"), .string("code", .default("x"))),
            try Self.member(3, .string("name"), .string("code", .optional, .unique)),
        ]
        var test = MigrationTest(models, transformers: try Self.registry()) { context, version in
            for name in ["a", "b"] {
                let member = try context.insert("Member")
                try member.setValue(name, for: "name")
                if version == 2 { try member.setValue(name, for: "code") }
            }
        }
        test.killCount = 0
        let result = try test.run()
        #expect(result.violations.map { "\($0.law) \($0.oldVersion)-\($0.newVersion)" } == ["paths 1-3"])
        #expect(result.reports.map { "\($0.oldVersion)-\($0.newVersion)" } == ["1-2", "1-3", "2-3"])
    }

    // Swift considers both texts equal, but their bytes differ.
    @Test func reportsTextInAnotherNormalizationAsChanged() throws {
        let models = [try Self.member(1, .string("name")), try Self.member(2, .string("name"))]
        let step = MigrationStep(from: 1, to: 2) { migration in
            try migration.context.forEach("Member") { try $0.setValue("e\u{301}", for: "name") }
        }
        let test = MigrationTest(models, transformers: try Self.registry(), migrations: [step]) { context, _ in
            try context.insert("Member").setValue("\u{E9}", for: "name")
        }
        let entry = try test.migrate(from: 1, to: 2).report.entry("Member", "name")
        #expect(entry?.changed == 1 && entry?.kept == 0)
    }

    /// A type whose values are not plain, so that they are compared by an encoded form.
    private struct Size: Hashable, Sendable {
        var width: Int

        static func transformer(_ prefix: String) -> FunctionTransformer<Size, String> {
            FunctionTransformer(
                encode: { "\(prefix)\($0.width)" },
                decode: { text in
                    guard text.hasPrefix(prefix), let width = Int(text.dropFirst(prefix.count)) else {
                        throw TransformerError.invalidData("a size is \(prefix) and a number")
                    }
                    return Size(width: width)
                }
            )
        }
    }

    // The value is the same, although all of its bytes are different.
    @Test func reportsValuesThatAreOnlyEncodedDifferentlyAsKept() throws {
        func size(_ expression: String) -> AttributeDescription {
            .transformed("size", expression, as: Size.self)
        }
        let models = [try Self.member(1, size("old-size")), try Self.member(2, size("new-size"))]
        let registry = try TransformerRegistry {
            Registration("old-size", Size.transformer("old"))
            Registration("new-size", Size.transformer("new"))
        }
        let step = MigrationStep(from: 1, to: 2) { migration in
            try migration.context.forEach("Member") { member in
                guard try member.value("size", as: Size.self).width == 3 else { return }
                try member.setValue(Size(width: 4), for: "size")
            }
        }
        var test = MigrationTest(models, transformers: registry, migrations: [step]) { context, _ in
            for width in 1...3 { try context.insert("Member").setValue(Size(width: width), for: "size") }
        }
        test.options.changedTransformers = .reencode
        test.killCount = 0
        let entry = try test.migrate(from: 1, to: 2).report.entry("Member", "size")
        #expect(entry?.description == "Member.size: 2 kept, 1 changed")
        let result = try test.run()
        #expect(result.violations == [])
        #expect(result.reports.map { $0.entry("Member", "size") } == [entry])
    }

    @Test func findsAVersionThatDoesNotOpen() throws {
        let violations = try Self.test(Self.models(), []).run().violations
        #expect(Set(violations.map { "\($0.law) \($0.oldVersion)-\($0.newVersion)" }) == ["opens 1-3", "opens 2-3"])
    }

    @Test func findsAStepThatThrows() throws {
        struct Stop: Error {}
        let failing = MigrationStep(from: 1, to: 2) { _ in throw Stop() }
        let test = try Self.test(Array(Self.models().prefix(2)), [failing])
        let violations = try test.run().violations
        #expect(violations.map(\.law) == [.opens])
        #expect(violations.first?.message.contains("the plan contains no refusal") == true)
    }

    // The effects of a step outside of its transaction survive a kill.
    @Test func findsAStepThatCannotBeRepeated() throws {
        struct Stop: Error {}
        let calls = Mutex(0)
        let limit = Mutex(Int.max)
        let step = MigrationStep(from: 1, to: 2) { _ in
            let count = calls.withLock { count in
                count += 1
                return count
            }
            if count > limit.withLock(\.self) { throw Stop() }
        }
        var test = try Self.test(Array(Self.models().prefix(2)), [step])
        test.killCount = 0
        #expect(try test.run().violations == [])
        // As often as without kills, and once more for the migration that is killed.
        limit.withLock { $0 = calls.withLock(\.self) * 2 + 1 }
        test.killCount = 4
        let violations = try test.run().violations
        #expect(!violations.isEmpty)
        #expect(violations.allSatisfy { $0.law == .kills })
        #expect(violations.first?.message.contains("killed after") == true)
    }

    @Test func acceptsAFileFromAnEarlierRelease() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite")
        defer { try? FileManager.default.removeItem(at: url) }
        let models = try Self.models()
        let store = try Store(at: url, model: models[0], transformers: Self.registry())
        try store.write { try Self.fill($0, 1) }
        try store.close()
        let bytes = try Data(contentsOf: url)
        var test = try MigrationTest(models, transformers: Self.registry(), migrations: [Self.step], fill: nil)
        test.killCount = 2
        try test.addFile(url)
        let reports = try assertMigrations(test)
        #expect(reports.map(\.newVersion) == [2, 3])
        #expect(reports.last?.entry("Member", "name")?.kept == 3)
        #expect(try Data(contentsOf: url) == bytes)
        // Only one of them would be tested.
        #expect(throws: StoreError(.misuse, "")) { try test.addFile(url) }
        var other = try MigrationTest(Array(models.dropFirst()), transformers: Self.registry(), fill: nil)
        #expect(throws: StoreError(.modelMismatch, "")) { try other.addFile(url) }
    }

    /// A confidential transformer, and a key for seals if there is one.
    private struct HidingPlugin: TransformerPlugin, StoreSealer {
        let name = "hiding"
        let hasKeys: Bool

        var canSeal: Bool { hasKeys }
        var sealer: (any StoreSealer)? { hasKeys ? self : nil }
        var registrations: [Registration] {
            let hidden = FunctionTransformer<String, Data>(
                traits: [.deterministic, .confidential],
                encode: { Data($0.utf8.map { ~$0 }) },
                decode: { try TextTransformer().decode(Data($0.map { ~$0 })) }
            )
            Registration("hidden", hidden)
        }

        func sealingKey(succeeding former: String?) -> String { "0123456789abcdef" }
        func tag(of message: Data, for store: UUID, under key: String) -> Data {
            let sum = message.reduce(0 as UInt64) { $0 &* 31 &+ UInt64($1) }
            return Data("\(store) \(key) \(sum)".utf8)
        }
        func isTag(_ tag: Data, of message: Data, for store: UUID, under key: String) -> Bool {
            tag == self.tag(of: message, for: store, under: key)
        }
        func rowSealer(for store: UUID, entity: UInt32, under key: String) throws -> any RowSealer {
            throw TransformerError(.unsupported, "no rows are authenticated")
        }
    }

    // The first release had no keys, so the second one accepts its file once.
    @Test func addsAFileThatOnlyTheOptionsOfTheTestOpen() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite")
        defer { try? FileManager.default.removeItem(at: url) }
        let secret = AttributeDescription.transformed("secret", "hidden", as: String.self)
        let models = [try Self.member(1, secret), try Self.member(2, secret, .string("note", .optional))]
        let former = try TransformerRegistry { HidingPlugin(hasKeys: false) }
        let store = try Store(at: url, model: models[0], transformers: former)
        try store.write { try $0.insert("Member").setValue("x", for: "secret") }
        try store.close()
        let registry = try TransformerRegistry { HidingPlugin(hasKeys: true) }
        var test = MigrationTest(models, transformers: registry, fill: nil)
        test.killCount = 2
        #expect(throws: StoreError(.unauthenticatedModel, "")) { try test.addFile(url) }
        test.options.acceptsUnauthenticatedModel = true
        try test.addFile(url)
        #expect(try test.run().violations == [])
    }

    // Without data, every migration would succeed.
    @Test func requiresData() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite")
        defer { try? FileManager.default.removeItem(at: url) }
        let models = try Self.models()
        var test = try MigrationTest(models, transformers: Self.registry(), migrations: [Self.step], fill: nil)
        #expect(throws: StoreError(.misuse, "")) { try test.run() }
        try Store(at: url, model: models[2], transformers: Self.registry()).close()
        try test.addFile(url)
        #expect(throws: StoreError(.misuse, "")) { try test.run() }
    }

    @Test func testsModelsWithTenants() throws {
        func model(_ version: Int, _ badge: AttributeDescription) throws -> Model {
            try Model(
                version: version,
                hasTenants: true,
                entities: [
                    EntityDescription("Country", attributes: [.string("code", .unique)], shared: true),
                    EntityDescription("Customer", attributes: [badge], relationships: [.toOne("country", "Country")]),
                ]
            )
        }
        let models = [
            try model(1, .integer("number", .unique)),
            try model(2, .integer("badge", .renamed(from: "number"), .unique)),
        ]
        var test = try MigrationTest(models, transformers: Self.registry(), tenants: [7, 8]) { context, version in
            guard context.tenant != nil else { return try context.insert("Country").setValue("DK", for: "code") }
            let customer = try context.insert("Customer")
            try customer.setValue(1, for: version == 1 ? "number" : "badge")
            try customer.setObject(context.first("Country"), for: "country")
        }
        test.killCount = 4
        let result = try test.run()
        #expect(result.violations == [], "\(result.violations)")
        let report = try #require(result.reports.first)
        #expect(report.entry("Customer", "badge")?.kept == 2 && report.entry("Country", "code")?.kept == 1)
    }
}
