import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Indexes over several columns, or in descending order.
@Suite struct CompoundIndexTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    private func store(
        _ indexes: [[SortKey]],
        version: Int = 1,
        name: String = "name",
        note: AttributeDescription = .string("note", .optional)
    ) throws -> Store {
        let patient = EntityDescription(
            "Patient",
            attributes: [
                .string(name, .renamed(from: "name")), .integer("age"), note,
                .transformed("box", "box", as: Box.self, .optional, .projected("area", as: "area", indexed: false)),
            ],
            relationships: [.toOne("ward", "Ward")],
            indexes: indexes
        )
        let model = try Model(version: version, entities: [patient, EntityDescription("Ward")])
        return try Store(at: folder.file(), model: model, transformers: Transformers().registry())
    }

    /// The columns of an index, with `desc` if they are in descending order.
    private func columns(of index: String) throws -> [String] {
        try shell(folder.file()) { database in
            try Row.fetchAll(database, sql: "SELECT * FROM pragma_index_xinfo(?) WHERE key", arguments: [index])
                .map { "\($0["name"] as String)\($0["desc"] == 1 ? " desc" : "")" }
        }
    }

    private func names() throws -> Set<String> {
        try shell(folder.file()) { database in
            try String.fetchSet(
                database,
                sql: "SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE '\\_index.%' ESCAPE '\\'"
            )
        }
    }

    private static let own = "_index.Patient.name.age desc"

    @Test func aNewTableHasTheIndexes() throws {
        try store([[.ascending("name"), .descending("age")], [.ascending("ward"), .ascending("area")]]).close()
        #expect(try columns(of: Self.own) == ["name", "age desc"])
        #expect(try columns(of: "_index.Patient.ward.area") == ["ward", "area"])
        let plan = try shell(folder.file()) { database in
            try Row.fetchAll(
                database,
                sql: "EXPLAIN QUERY PLAN SELECT * FROM Patient ORDER BY name, age DESC, _id LIMIT 3"
            )
            .map { $0["detail"] as String }
        }
        #expect(plan == ["SCAN Patient USING INDEX \(Self.own)"])
    }

    @Test func duplicateIndexesAreCreatedOnce() throws {
        try store([[.ascending("ward")], [.ascending("age")], [.ascending("age")]]).close()
        #expect(try names() == ["_index.Patient.ward", "_index.Patient.age"])
    }

    /// Makes the models before and after a migration.
    private func migrate(_ kinds: [Kind]) throws {
        for (index, kind) in kinds.enumerated() {
            let visit = EntityDescription(
                "Visit",
                attributes: [
                    .string("place"), .date("day"), .string("code", kind == .index ? .indexed : .unique),
                    .transformed("box", "box", as: Box.self, .optional, .projected("area", as: "area", indexed: false)),
                ],
                unique: kind == .index ? [] : [["place", "day"], ["area", "place"]],
                indexes: kind.indexes
            )
            let json = try Model(version: index + 1, entities: [visit]).json
            let store = try Store(at: folder.file(), model: Model(json: json), transformers: Transformers().registry())
            try store.write { context in
                let visit = try context.insert("Visit")
                try visit.setValue("home", for: "place")
                try visit.setValue(Date(timeIntervalSinceReferenceDate: Double(index)), for: "day")
                try visit.setValue("\(index)", for: "code")
                try visit.setValue(Box(width: 2, height: 3 + index), for: "box")
            }
            try store.close()
        }
    }

    /// What a model declares for columns: that they are unique, that they are indexed, or both.
    enum Kind: CaseIterable, Sendable {
        case unique
        case index
        case both

        /// The indexes of a visit.
        var indexes: [[SortKey]] {
            guard self != .unique else { return [] }
            let shared: [[SortKey]] = [
                [.ascending("place"), .ascending("day")], [.ascending("area"), .ascending("place")],
            ]
            return self == .index ? shared : shared + [[.ascending("code")], [.ascending("day"), .ascending("place")]]
        }
    }

    private func uniqueNames() throws -> Set<String> {
        try shell(folder.file()) { database in
            let sql = "SELECT name FROM pragma_index_list('Visit') WHERE \"unique\""
            return try String.fetchSet(database, sql: sql)
        }
    }

    private static let shared: Set = ["_index.Visit.place.day", "_index.Visit.area.place", "_index.Visit.code"]

    @Test func aUniqueIndexServesAsAnIndexOfTheSameColumns() throws {
        try migrate([.both])
        #expect(try uniqueNames() == Self.shared)
        #expect(try names() == Self.shared.union(["_index.Visit.day.place"]))
        let store = try Store(at: folder.file(), transformers: Transformers().registry())
        #expect(throws: StoreError(code: .notUnique)) {
            try store.write { context in
                let visit = try context.insert("Visit")
                try visit.setValue("home", for: "place")
                try visit.setValue(Date(timeIntervalSinceReferenceDate: 0), for: "day")
                try visit.setValue("new", for: "code")
            }
        }
    }

    @Test(arguments: Kind.allCases, Kind.allCases) func migrationsTurnIndexesIntoUniqueOnesAndBack(
        _ first: Kind,
        _ second: Kind
    ) throws {
        try migrate([first, second])
        #expect(try uniqueNames() == (second == .index ? [] : Self.shared))
        #expect(try names() == Self.shared.union(second == .both ? ["_index.Visit.day.place"] : []))
    }

    @Test func aRecomputedProjectionStaysInAUniqueIndex() throws {
        try migrate([.both])
        try shell(folder.file()) { try $0.execute(sql: "UPDATE _transformable_projection SET fingerprint = 'former'") }
        let store = try Store(at: folder.file(), transformers: Transformers().registry())
        #expect(try store.read { try $0.count("Visit", where: Condition("area == 6")) } == 1)
        try store.close()
        #expect(try uniqueNames() == Self.shared)
        #expect(try names() == Self.shared.union(["_index.Visit.day.place"]))
    }

    @Test func childrenInheritIndexes() throws {
        let parent = EntityDescription(
            "Animal",
            abstract: true,
            attributes: [.integer("age")],
            indexes: [[.descending("age")]]
        )
        let model = try Model(entities: [parent, EntityDescription("Dog", parent: "Animal")])
        try Store(at: folder.file(), model: model, transformers: TransformerRegistry {}).close()
        #expect(try columns(of: "_index.Dog.age desc") == ["age desc"])
    }

    @Test func aReferenceToAFamilyIncludesAllOfItsColumns() throws {
        let model = try Model(entities: [
            EntityDescription("Animal", abstract: true), EntityDescription("Dog", parent: "Animal"),
            EntityDescription("Cat", parent: "Animal"),
            EntityDescription(
                "Visit",
                attributes: [.date("day")],
                relationships: [.toOne("animal", "Animal")],
                indexes: [[.ascending("animal"), .descending("day")]]
            ),
        ])
        try Store(at: folder.file(), model: model, transformers: TransformerRegistry {}).close()
        let name = "_index.Visit.animal.Dog.animal.Cat.day desc"
        #expect(try columns(of: name) == ["animal.Dog", "animal.Cat", "day desc"])
    }

    @Test func migrationsAddAndDropIndexes() throws {
        let first = try store([[.ascending("name"), .descending("age")]])
        try first.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            try patient.setValue(36, for: "age")
        }
        try first.close()
        let error = #expect(throws: StoreError.self) { try store([[.descending("age")]]) }
        #expect(error?.code == .modelMismatch)
        let second = try store([[.descending("age")]], version: 2)
        #expect(try second.read { try $0.fetch("Patient").map { try $0.value("age", as: Int.self) } } == [36])
        try second.close()
        #expect(try names() == ["_index.Patient.ward", "_index.Patient.age desc"])
    }

    @Test func indexesFollowARenamedColumn() throws {
        try store([[.ascending("name"), .descending("age")]]).close()
        try store([[.ascending("title"), .descending("age")]], version: 2, name: "title").close()
        #expect(try columns(of: "_index.Patient.title.age desc") == ["title", "age desc"])
        #expect(try !names().contains(Self.own))
    }

    @Test func aPlanListsIndexes() throws {
        try store([[.ascending("name"), .descending("age")]]).close()
        let patient = EntityDescription(
            "Patient",
            attributes: [.string("name"), .integer("age"), .string("note", .optional)],
            indexes: [[.descending("age")]]
        )
        let model = try Model(version: 2, entities: [patient])
        let plan = try Store.plan(at: folder.file(), model: model, transformers: Transformers().registry())
        let lines = plan.changes.filter { $0.subject == .index }.map(\.description)
        #expect(lines == ["Patient.(age descending): added", "Patient.(name, age descending): dropped"])
    }

    @Test func transformingAnAttributeRemovesItFromIndexes() throws {
        try store([[.ascending("note"), .ascending("age")], [.descending("age")]]).close()
        let store = try Store(at: folder.file(), transformers: Transformers().registry())
        let report = try store.reencode(Reencoding("note", of: "Patient", to: .transformer("text | bound")))
        #expect(report.dropsIndex)
        try store.close()
        let again = try Store(at: folder.file(), transformers: Transformers().registry())
        #expect(again.model.entity("Patient")?.indexes == [[.descending("age")]])
        try again.close()
        #expect(try names() == ["_index.Patient.ward", "_index.Patient.age desc"])
    }

    @Test func aRecomputedProjectionStaysInIndexes() throws {
        let store = try store([[.ascending("area"), .descending("age")]])
        try store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue("Ada", for: "name")
            try patient.setValue(36, for: "age")
            try patient.setValue(Box(width: 2, height: 3), for: "box")
        }
        try store.close()
        try shell(folder.file()) { try $0.execute(sql: "UPDATE _transformable_projection SET fingerprint = 'former'") }
        let again = try self.store([[.ascending("area"), .descending("age")]])
        #expect(try again.read { try $0.count("Patient", where: Condition("area == 6")) } == 1)
        try again.close()
        #expect(try columns(of: "_index.Patient.area.age desc") == ["area", "age desc"])
    }

    @Test func sortedFetchesAreTheSameWithAndWithoutIndexes() throws {
        let texts = ["b", "a", "é", "e\u{301}", "Z", ""]
        func sorted(_ indexes: [[SortKey]]) throws -> [Int64] {
            let patient = EntityDescription(
                "Patient",
                attributes: [.string("name"), .integer("age")],
                indexes: indexes
            )
            let store = try Store.inMemory(model: Model(entities: [patient]), transformers: TransformerRegistry {})
            try store.write { context in
                for number in 0..<60 {
                    let patient = try context.insert("Patient")
                    try patient.setValue(texts[number * 7 % texts.count], for: "name")
                    try patient.setValue(number * 13 % 5, for: "age")
                }
            }
            return try store.read { context in
                try context.ids("Patient", sortedBy: [.ascending("name"), .descending("age")]).map(\.number)
            }
        }
        #expect(try sorted([[.ascending("name"), .descending("age")]]) == sorted([]))
    }
}
