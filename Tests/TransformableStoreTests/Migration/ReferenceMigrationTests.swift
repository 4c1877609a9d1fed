import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// What becomes of references when entities and relationships change.
@Suite(.eachEngine) struct ReferenceMigrationTests {
    /// A reference: an object's name, a relationship, and what it leads to, in its order.
    typealias Links = [(String, String, [String])]

    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let old: [EntityDescription]
        /// The entity of each object.
        let objects: KeyValuePairs<String, String>
        let links: Links
        let new: [EntityDescription]
        let expected: Links
        /// What the plan says about relationships beside “kept”.
        var plan: [String] = []
    }

    // MARK: - Models

    static func entity(
        _ name: String,
        from former: FormerNames = nil,
        parent: String? = nil,
        abstract: Bool = false,
        _ relationships: RelationshipDescription...
    ) -> EntityDescription {
        let attributes: [AttributeDescription] = parent == nil ? [.string("name")] : []
        var entity = EntityDescription(
            name,
            parent: parent,
            abstract: abstract,
            attributes: attributes,
            relationships: relationships
        )
        entity.renamedFrom = former
        return entity
    }

    static func renamed(_ relationship: RelationshipDescription, _ name: FormerNames) -> RelationshipDescription {
        var copy = relationship
        copy.renamedFrom = name
        return copy
    }

    static func required(_ name: String, _ destination: String, inverse: String? = nil) -> RelationshipDescription {
        .toOne(name, destination, optional: false, inverse: inverse)
    }

    static let animals = [
        entity("Animal", abstract: true), entity("Dog", parent: "Animal"), entity("Cat", parent: "Animal"),
    ]
    static let hounds = [
        entity("Animal", abstract: true), entity("Hound", from: "Dog", parent: "Animal"),
        entity("Cat", parent: "Animal"),
    ]
    static let pets: KeyValuePairs = ["Ada": "Owner", "Bea": "Owner", "rex": "Dog", "tom": "Cat"]

    // MARK: - Stores

    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    private func open(_ version: Int, _ entities: [EntityDescription], _ steps: MigrationStep...) throws -> Store {
        let model = try Model(version: version, entities: entities)
        return try Store.trial(
            at: folder.file(),
            model: model,
            transformers: Transformers().registry(),
            migrations: steps
        )
    }

    private func fill(_ entities: [EntityDescription], _ objects: KeyValuePairs<String, String>, _ links: Links) throws
    {
        let store = try open(1, entities)
        let model = store.model
        try store.write { context in
            var made: [String: ManagedObject] = [:]
            for (name, entity) in objects {
                made[name] = try context.insert(entity)
                try made[name]?.setValue(name, for: "name")
            }
            for (name, relationship, others) in links {
                let object = try #require(made[name])
                let found = try others.map { try #require(made[$0]) }
                let entity = try #require(objects.first { $0.key == name }?.value)
                let isToMany = model.relationships(of: entity).contains { $0.name == relationship && $0.isToMany }
                if isToMany {
                    try object.setObjects(found, for: relationship)
                } else {
                    try object.setObject(found.first, for: relationship)
                }
            }
        }
        try store.close()
    }

    private func names(_ store: Store, _ name: String, _ relationship: String) throws -> [String] {
        try store.read { context in
            let entities = store.model.entities.filter { !$0.isAbstract }
            let owner = try #require(
                try entities.lazy.compactMap { try context.first($0.name, where: Field("name") == name) }.first
            )
            let isToMany = store.model.relationships(of: owner.id.entity)
                .contains { $0.name == relationship && $0.isToMany }
            let found = try isToMany ? owner.objects(relationship) : [owner.object(relationship)].compactMap(\.self)
            return try found.map { try $0.value("name", as: String.self) }
        }
    }

    // MARK: - What is kept

    @Test(arguments: cases) func keepsEveryReference(change: Case) throws {
        try fill(change.old, change.objects, change.links)
        let model = try Model(version: 2, entities: change.new)
        let plan = try Store.trialPlan(at: folder.file(), model: model, transformers: Transformers().registry())
        let told = plan.changes.filter { $0.subject == .relationship && ($0.outcome != .kept || !$0.notes.isEmpty) }
        #expect(Set(told.map(\.description)) == Set(change.plan))
        let store = try open(2, change.new)
        for (name, relationship, expected) in change.expected {
            #expect(try names(store, name, relationship) == expected, "\(name).\(relationship)")
        }
        #expect(try store.verify().isSound)
        #expect(try store.namesSetAside() == [])
        // It can be written as ever.
        try store.write { context in
            for entity in store.model.entities where !entity.isAbstract {
                for object in try context.fetch(entity.name) { try object.setValue("new", for: "name") }
            }
        }
    }

    @Test func aReferenceIsEmptyOnceTheLastKindOfItsFamilyIsDropped() throws {
        let owner = Self.entity("Owner", .toOne("pet", "Animal"))
        try fill([Self.animals[0], Self.animals[1], owner], ["Ada": "Owner"], [])
        let store = try open(2, [Self.animals[0], owner])
        #expect(try names(store, "Ada", "pet") == [])
        #expect(try store.verify().isSound)
    }

    @Test func objectsCannotGetARequiredReferenceToAFamilyWithoutObjects() throws {
        try fill([Self.animals[0], Self.entity("Owner")], ["Ada": "Owner"], [])
        let owner = Self.entity("Owner", Self.required("pet", "Animal"))
        let error = #expect(throws: StoreError.self) { try open(2, [Self.animals[0], owner]) }
        #expect(error?.code == .missingValue)
        #expect(error?.attribute == "pet")
    }

    // MARK: - What cannot be kept

    struct Refusal: CustomTestStringConvertible {
        let testDescription: String
        let old: [EntityDescription]
        let objects: KeyValuePairs<String, String>
        let links: Links
        let new: [EntityDescription]
        let place: String
        let reason: String
        var code = StoreError.Code.unsupported
        let step: MigrationStep
        let expected: Links
    }

    static let refusals: [Refusal] = [
        Refusal(
            testDescription: "a destination is narrowed",
            old: animals + [entity("Owner", .toOne("pet", "Animal"))],
            objects: pets,
            links: [("Ada", "pet", ["rex"]), ("Bea", "pet", ["tom"])],
            new: animals + [entity("Owner", .toOne("pet", "Dog"), .toMany("others", "Animal"))],
            place: "Owner.pet",
            reason: "it now refers to “Dog”, but the store has 1 reference to “Cat”",
            step: MigrationStep(from: 1, to: 2) { migration in
                try migration.context.forEach("Owner") { owner in
                    for id in try migration.oldObjects("pet", of: owner) where id.entity == "Cat" {
                        try owner.add(migration.context.object(id), to: "others")
                    }
                }
            },
            expected: [("Ada", "pet", ["rex"]), ("Bea", "pet", []), ("Bea", "others", ["tom"])]
        ),
        Refusal(
            testDescription: "many become one",
            old: [entity("A", .toMany("bs", "B", ordered: true)), entity("B")],
            objects: ["a1": "A", "a2": "A", "b1": "B", "b2": "B"],
            links: [("a1", "bs", ["b2", "b1"]), ("a2", "bs", ["b1"])],
            new: [entity("A", renamed(.toOne("b", "B"), "bs")), entity("B")],
            place: "A.b",
            reason: "it is now to-one, but 1 object refers to several",
            step: MigrationStep(from: 1, to: 2) { migration in
                try migration.context.forEach("A") { a in
                    guard try a.object("b") == nil, let id = try migration.oldObjects("bs", of: a).first else { return }
                    try a.setObject(migration.context.object(id), for: "b")
                }
            },
            expected: [("a1", "b", ["b2"]), ("a2", "b", ["b1"])]
        ),
        Refusal(
            testDescription: "the other side leads to one",
            old: [entity("A", .toMany("bs", "B", inverse: "as")), entity("B", .toMany("as", "A"))],
            objects: ["a1": "A", "a2": "A", "b1": "B", "b2": "B"],
            links: [("a1", "bs", ["b1", "b2"]), ("a2", "bs", ["b1"])],
            new: [entity("A", .toMany("bs", "B", inverse: "a")), entity("B", renamed(.toOne("a", "A"), "as"))],
            place: "B.a",
            reason: "it is now to-one, but 1 object refers to several",
            step: MigrationStep(from: 1, to: 2) { try $0.leaveOldValues("as", of: "B") },
            expected: [("a1", "bs", ["b2"]), ("a2", "bs", [])]
        ),
        Refusal(
            testDescription: "one to one",
            old: [entity("A", .toMany("bs", "B", inverse: "a")), entity("B", .toOne("a", "A"))],
            objects: ["a1": "A", "b1": "B", "b2": "B"],
            links: [("a1", "bs", ["b1", "b2"])],
            new: [entity("A", renamed(.toOne("b", "B", inverse: "a"), "bs")), entity("B", .toOne("a", "A"))],
            place: "A.b",
            reason: "it is now to-one, but 1 object refers to several",
            step: MigrationStep(from: 1, to: 2) { migration in
                let a = try #require(try migration.context.first("A"))
                let last = try #require(try migration.oldObjects("bs", of: a).last)
                try a.setObject(migration.context.object(last), for: "b")
            },
            expected: [("a1", "b", ["b2"]), ("b1", "a", []), ("b2", "a", ["a1"])]
        ),
        Refusal(
            testDescription: "an entity is dropped that others lead to",
            old: animals + [entity("Owner", .toOne("pet", "Animal"))],
            objects: pets,
            links: [("Ada", "pet", ["rex"]), ("Bea", "pet", ["tom"])],
            new: [animals[0], animals[1], entity("Owner", .toOne("pet", "Animal"))],
            place: "Owner.pet",
            reason: "it now refers to “Animal”, but the store has 1 reference to “Cat”",
            step: MigrationStep(from: 1, to: 2) { try $0.leaveOldValues("pet", of: "Owner") },
            expected: [("Ada", "pet", ["rex"]), ("Bea", "pet", [])]
        ),
        Refusal(
            testDescription: "a required reference is new",
            old: animals + [entity("Owner")],
            objects: pets,
            links: [],
            new: animals + [entity("Owner", required("pet", "Animal"), required("twin", "Owner"))],
            place: "Owner.pet",
            reason: "it is new and not optional, and 2 objects would have no related object; make it optional",
            code: .missingValue,
            step: MigrationStep(from: 1, to: 2) { migration in
                let tom = try #require(try migration.context.first("Cat"))
                try migration.context.forEach("Owner") { owner in
                    try owner.setObject(tom, for: "pet")
                    try owner.setObject(owner, for: "twin")
                }
            },
            expected: [("Ada", "pet", ["tom"]), ("Bea", "twin", ["Bea"])]
        ),
        Refusal(
            testDescription: "a reference is no longer optional",
            old: [entity("A", .toOne("b", "B")), entity("B")],
            objects: ["a1": "A", "a2": "A", "b1": "B"],
            links: [("a1", "b", ["b1"])],
            new: [entity("A", required("b", "B")), entity("B")],
            place: "A.b",
            reason: "it is not optional, and 1 object would have no related object; make it optional",
            code: .missingValue,
            step: MigrationStep(from: 1, to: 2) { migration in
                let b = try #require(try migration.context.first("B"))
                for a in try migration.context.fetch("A") where try a.object("b") == nil {
                    try a.setObject(b, for: "b")
                }
            },
            expected: [("a1", "b", ["b1"]), ("a2", "b", ["b1"])]
        ),
    ]

    /// The tables and indexes of the file, and what it says about itself.
    private func tables() throws -> [[ColumnValue]] {
        let catalog = EachEngine.current == .postgres ? "_transformable_schema" : "sqlite_master"
        let sql = "SELECT \"sql\" FROM \"\(catalog)\" UNION ALL SELECT \"json\" FROM \"_transformable_model\""
        return try Trial.cells(sql, in: folder.file())
    }
    @Test(arguments: refusals) func errorsNameReferencesThatCannotBeKept(change: Refusal) throws {
        try fill(change.old, change.objects, change.links)
        let before = try tables()
        let model = try Model(version: 2, entities: change.new)
        let registry = try Transformers().registry()
        let plan = try Store.trialPlan(at: folder.file(), model: model, transformers: registry)
        let refused = plan.refusals.first { $0.description.contains(change.reason) }
        #expect(refused?.description.hasPrefix("\(change.place): refused: \(change.reason)") == true, "\(plan)")
        let error = #expect(throws: StoreError.self) { try open(2, change.new) }
        #expect(
            error?.description.contains("\(change.place): \(change.reason)") == true,
            "\(String(describing: error))"
        )
        #expect(error?.code == change.code)
        #expect(try tables() == before)
        // A step that does not know of it changes nothing.
        let idle = MigrationStep(from: 1, to: 2) { _ in }
        // After such a step, required references still refer to no object.
        let code = change.code == .missingValue ? StoreError.Code.danglingReference : change.code
        #expect(throws: StoreError(code: code)) { try open(2, change.new, idle) }
        #expect(try Store.trial(at: folder.file(), transformers: registry).model.version == 1)
    }

    @Test(arguments: refusals)
    func aStepHandlesLostReferences(change: Refusal) throws {
        try fill(change.old, change.objects, change.links)
        let model = try Model(version: 2, entities: change.new)
        let registry = try Transformers().registry()
        let plan = try Store.trialPlan(
            at: folder.file(),
            model: model,
            transformers: registry,
            migrations: [change.step]
        )
        #expect(plan.refusals.isEmpty)
        #expect(plan.description.contains("left to a migration step"))
        let store = try open(2, change.new, change.step)
        for (name, relationship, expected) in change.expected {
            #expect(try names(store, name, relationship) == expected, "\(name).\(relationship)")
        }
        #expect(try store.verify().isSound)
    }

    @Test func rejectsAMigrationBeforeValuesAreReencoded() throws {
        var a = Self.entity("A", .toMany("bs", "B"))
        a.attributes.append(.string("note", .optional))
        try fill([a, Self.entity("B")], ["a1": "A", "b1": "B", "b2": "B"], [("a1", "bs", ["b1", "b2"])])
        a.attributes[1] = .transformed("note", "text | bound", as: String.self, .optional)
        a.relationships = [Self.renamed(.toOne("b", "B"), "bs")]
        let model = try Model(version: 2, entities: [a, Self.entity("B")])
        let registry = try Transformers().registry()
        let options = Store.Options(changedTransformers: .reencode)
        #expect(throws: StoreError(code: .unsupported)) {
            try Store.trial(at: folder.file(), model: model, transformers: registry, options: options)
        }
        let store = try Store.trial(at: folder.file(), transformers: registry)
        #expect(store.model.entity("A")?.attribute("note")?.type == .string)
    }

    @Test(.sqliteOnly("SQLite’s shell uses the file."), .alsoWithTenants) func verifyNamesDanglingReferences() throws {
        try fill(
            Self.animals + [Self.entity("Owner", .toOne("pet", "Animal"), .toMany("all", "Animal"))],
            Self.pets,
            [("Ada", "pet", ["rex"]), ("Bea", "all", ["tom"])]
        )
        try shell(folder.file()) { database in
            for sql in ["PRAGMA foreign_keys = OFF", "DELETE FROM Dog", "DELETE FROM Cat"] {
                try database.execute(sql: sql)
            }
        }
        let faults = try Store.trial(at: folder.file(), transformers: Transformers().registry()).verify().faults
        #expect(Set(faults.map(\.code)) == [.danglingReference])
        #expect(Set(faults.map { "\($0.entity ?? "").\($0.attribute ?? "")" }) == ["Owner.pet.Dog", "Owner.all"])
    }
}
