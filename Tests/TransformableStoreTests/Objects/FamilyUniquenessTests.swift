import Foundation
import Testing
import Transformable
import TransformableStore

/// Unique groups that a parent declares, in the tables of its children.
@Suite(.eachEngine) struct FamilyUniquenessTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    private static func entities(unique groups: [[String]] = [["code", "name"]]) -> [EntityDescription] {
        [
            EntityDescription(
                "Owner",
                abstract: true,
                attributes: [.string("code"), .string("name", .optional)],
                unique: groups
            ),
            EntityDescription("Person", parent: "Owner", attributes: [.integer("age", .optional)]),
            EntityDescription("Company", parent: "Owner"),
        ]
    }

    /// A person before the family existed.
    private static let loner = EntityDescription("Person", attributes: [.string("code"), .string("name", .optional)])

    private func open(
        _ entities: [EntityDescription] = FamilyUniquenessTests.entities(),
        version: Int = 1
    ) throws -> Store {
        let model = try Model(version: version, entities: entities)
        return try Store.trial(at: folder.file(), model: model, transformers: Transformers().registry())
    }

    private func plan(_ entities: [EntityDescription] = FamilyUniquenessTests.entities()) throws -> [String] {
        let model = try Model(version: 2, entities: entities)
        return try Store.trialPlan(at: folder.file(), model: model, transformers: Transformers().registry())
            .changes.filter { $0.subject == .uniqueGroup }.map(\.description)
    }

    private static func insert(
        _ entity: String,
        _ code: String,
        named name: String? = "Ada",
        in context: StoreContext
    ) throws {
        let owner = try context.insert(entity)
        try owner.setValue(code, for: "code")
        if let name { try owner.setValue(name, for: "name") }
    }

    private func expectRefusal(
        _ entity: String = "Person",
        in store: Store,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
            try store.write { try Self.insert(entity, "A", in: $0) }
        }
        #expect(error?.code == .notUnique, sourceLocation: sourceLocation)
        #expect(error?.entity == entity, sourceLocation: sourceLocation)
    }

    /// Makes the file one of an earlier version, which did not enforce inherited groups.
    private func dropIndex(_ columns: String, of entity: String) throws {
        let name = "_index.\(entity).\(columns)"
        try Trial.run("DROP INDEX \"\(name)\"", in: folder.file())
        guard EachEngine.current == .postgres else { return }
        try Trial.run("DELETE FROM \"_transformable_schema\" WHERE \"name\" = '\(name)'", in: folder.file())
    }

    // MARK: - Objects

    @Test(arguments: [("A", "A"), ("\u{E9}", "e\u{301}")])
    func valuesAreUniqueInEachTable(first: String, second: String) throws {
        let store = try open()
        try store.write { context in
            try Self.insert("Person", first, in: context)
            try Self.insert("Person", first, named: "Bo", in: context)
            try Self.insert("Person", first, named: nil, in: context)
            try Self.insert("Person", second, named: nil, in: context)
            try Self.insert("Company", second, in: context)
        }
        let error = #expect(throws: StoreError.self) { try store.write { try Self.insert("Person", second, in: $0) } }
        #expect(error?.code == .notUnique)
        #expect(error?.message.contains("another object has the same code and name") == true)
        #expect(try store.read { try $0.count("Owner") } == 5)
    }

    @Test(arguments: [false, true]) func objectsAreFoundByAGroupOfTheirParent(isEditing: Bool) throws {
        let store = try open()
        let body = { (context: StoreContext) in
            let (ada, isNew) = try context.upsert("Person", ["code": "A", "name": "Ada"])
            #expect(isNew)
            #expect(try context.upsert("Person", ["code": "A", "name": "Ada", "age": 36]).object === ada)
            #expect(try context.findOrInsert("Person", ["code": "A", "name": "Ada"]).object === ada)
            #expect(try context.upsert("Company", ["code": "A", "name": "Ada"]).isNew)
        }
        if isEditing {
            let context = store.makeContext()
            try body(context)
            try context.save()
        } else {
            try store.write { try body($0) }
        }
        #expect(try store.read { try $0.count("Owner") } == 2)
    }

    @Test func valuesAreUniqueWithinATenant() throws {
        let model = try Model(hasTenants: true, entities: Self.entities())
        let store = try Store.trial(at: folder.file(), model: model, transformers: Transformers().registry())
        try store.write(tenant: 1) { try Self.insert("Person", "A", in: $0) }
        try store.write(tenant: 2) { try Self.insert("Person", "A", in: $0) }
        let error = #expect(throws: StoreError.self) {
            try store.write(tenant: 2) { try Self.insert("Person", "A", in: $0) }
        }
        #expect(error?.code == .notUnique)
    }

    // MARK: - Migrations

    @Test(arguments: [entities(unique: []), [loner]]) func aGroupThatIsNewMustHold(former: [EntityDescription]) throws {
        let old = try open(former)
        try old.write { context in
            for _ in 1...2 { try Self.insert("Person", "A", in: context) }
        }
        try old.close()
        let reason = "refused: it must be unique, but 1 value occurs more than once"
        #expect(try plan().contains("Person.(code, name): \(reason)"))
        #expect(throws: StoreError(code: .notUnique)) { try open(version: 2) }
        let mended = try open(former)
        try mended.write { try $0.delete($0.fetch("Person")[0]) }
        try mended.close()
        #expect(try plan() == ["Person.(code, name): added", "Company.(code, name): added"])
        let store = try open(version: 2)
        expectRefusal(in: store)
        #expect(try store.verify().isSound)
    }

    @Test func aGroupThatIsDroppedNoLongerHolds() throws {
        try open().close()
        #expect(
            try plan(Self.entities(unique: [])) == ["Person.(code, name): dropped", "Company.(code, name): dropped"]
        )
        let store = try open(Self.entities(unique: []), version: 2)
        try store.write { context in
            for _ in 1...2 { try Self.insert("Person", "A", in: context) }
        }
        #expect(try store.read { try $0.count("Person") } == 2)
    }

    @Test func aNewChildInheritsTheGroups() throws {
        let old = try open()
        try old.write { try Self.insert("Person", "A", in: $0) }
        try old.close()
        let store = try open(Self.entities() + [EntityDescription("Club", parent: "Owner")], version: 2)
        try store.write { try Self.insert("Club", "A", in: $0) }
        expectRefusal("Club", in: store)
        expectRefusal(in: store)
    }

    // MARK: - Files from earlier versions

    @Test func anOldFileEnforcesTheGroupsFromItsNextMigrationOn() throws {
        try open().close()
        try dropIndex("code.name", of: "Person")
        let old = try open()
        try old.write { context in
            for _ in 1...2 { try Self.insert("Person", "A", in: context) }
            try Self.insert("Person", "B", in: context)
        }
        let found = try old.verify()
        #expect(found.faultCount == 2)
        #expect(found.faults.map(\.code) == [.notUnique, .notUnique])
        #expect(found.faults.compactMap(\.object?.description) == ["Person/1", "Person/2"])
        try old.close()
        #expect(
            try plan() == [
                "Person.(code, name): refused: it must be unique, but 1 value occurs more than once",
                "Company.(code, name): kept",
            ]
        )
        #expect(throws: StoreError(code: .notUnique)) { try open(version: 2) }
        let mended = try open()
        try mended.write { try $0.delete($0.fetch("Person")[0]) }
        #expect(try mended.verify().isSound)
        try mended.close()
        #expect(try plan() == ["Person.(code, name): added", "Company.(code, name): kept"])
        let store = try open(version: 2)
        expectRefusal(in: store)
        #expect(try store.read { try $0.count("Person") } == 2)
    }

    @Test func aProjectionOfAnOldFileIsComputedAgainWithoutItsGroup() throws {
        let owner = EntityDescription(
            "Owner",
            abstract: true,
            attributes: [
                .transformed("secret", "text | bound", as: String.self, .projected("text | blind", as: "finder"))
            ],
            unique: [["finder"]]
        )
        let entities = [owner, EntityDescription("Person", parent: "Owner")]
        try open(entities).close()
        try dropIndex("finder", of: "Person")
        let old = try open(entities)
        try old.write { context in
            for _ in 1...2 { try context.insert("Person").setValue("x", for: "secret") }
        }
        try old.close()
        try Trial.run("UPDATE \"_transformable_projection\" SET \"fingerprint\" = 'former'", in: folder.file())
        let store = try open(entities)
        #expect(try store.read { try $0.count("Person", where: Condition("secret == 'x'")) } == 2)
        #expect(try store.verify().faults.map(\.code) == [.notUnique, .notUnique])
    }
}
