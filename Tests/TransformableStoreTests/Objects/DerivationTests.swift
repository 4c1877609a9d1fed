import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// Attributes whose values are computed from the rest of their object.
@Suite(.eachEngine) struct DerivationTests {
    private let folder: Folder
    private let store: Store

    private static func model(version: Int = 1, derived: Bool = true) throws -> Model {
        let attributes: [AttributeDescription] = [
            .string("lower", .derived(.lowercased("name")), .unique),
            .string("upper", .optional, .derived(.uppercased("note"))),
            .string("folded", .derived(.folded("name")), .indexed),
            .date("changed", .derived(.dateOfChange)),
            .int32("count", .derived(.count(of: "visits"))),
            .int64("tagCount", .derived(.count(of: "tags"))),
        ]
        return try Model(
            version: version,
            entities: [
                EntityDescription(
                    "Patient",
                    attributes: [.string("name"), .string("note", .optional)] + (derived ? attributes : []),
                    relationships: [
                        .toMany("visits", "Visit", inverse: "patient", deleteRule: .cascade),
                        .toMany("tags", "Tag", inverse: "patients"),
                    ]
                ),
                EntityDescription("Visit", relationships: [.toOne("patient", "Patient", inverse: "visits")]),
                EntityDescription("Tag", relationships: [.toMany("patients", "Patient", inverse: "tags")]),
            ]
        )
    }

    init() throws {
        folder = try Folder()
        store = try Store.trial(at: folder.file(), model: Self.model(), transformers: TransformerRegistry {})
    }

    @discardableResult
    private func add(_ name: String, note: String? = nil, visits: Int = 0) throws -> ObjectID {
        try store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue(name, for: "name")
            try patient.setValue(note, for: "note")
            for _ in 0..<visits { try context.insert("Visit").setObject(patient, for: "patient") }
            return patient.id
        }
    }

    private func text(_ name: String, of id: ObjectID) throws -> String? {
        try store.read { try $0.object(id).value(name, as: String?.self) }
    }

    private func names(_ condition: String, sortedBy order: [SortKey] = []) throws -> [String] {
        try store.read { context in
            try context.fetch("Patient", where: Condition(condition), sortedBy: order)
                .map { try $0.value("name", as: String.self) }
        }
    }

    // MARK: - Text

    // According to Unicode's SpecialCasing, “ß” becomes two letters in uppercase.
    @Test(.sqliteOnly("SQLite’s shell uses the file.")) func textFollowsItsSource() throws {
        let id = try add("ÀÉsop", note: "Maß")
        #expect(try text("lower", of: id) == "àésop")
        #expect(try text("folded", of: id) == "aesop")
        #expect(try text("upper", of: id) == "MASS")
        try store.write { context in
            let patient = try context.object(id)
            try patient.setValue("BOB", for: "name")
            try patient.removeValue(for: "note")
        }
        #expect(try text("lower", of: id) == "bob")
        #expect(try text("upper", of: id) == nil)
        let cell = try shell(folder.file()) { try String.fetchOne($0, sql: "SELECT lower FROM Patient") }
        #expect(cell == "bob")
    }

    @Test func conditionsAndIndexesUseDerivedText() throws {
        try add("Bob")
        try add("ádám")
        #expect(try names("folded startsWith \"ad\"") == ["ádám"])
        #expect(try names("true", sortedBy: [.ascending("folded")]) == ["ádám", "Bob"])
        let error = #expect(throws: StoreError.self) { try add("BOB") }
        #expect(error?.code == .notUnique)
    }

    @Test func pendingTextIsFoundBeforeItIsWritten() throws {
        let id = try add("Bob")
        let context = store.makeContext()
        try context.object(id).setValue("Zoë", for: "name")
        _ = try context.insert("Patient").setValue("Anna", for: "name")
        #expect(try context.count("Patient", where: Condition("folded == \"zoe\"")) == 1)
        #expect(try context.count("Patient", where: Condition("folded == \"anna\"")) == 1)
        #expect(try context.count("Patient", where: Condition("folded == \"bob\"")) == 0)
        try context.save()
        #expect(try context.object(id).value("lower", as: String.self) == "zoë")
    }

    // MARK: - Dates

    @Test func theDateIsThatOfTheLastWrite() throws {
        let start = Date()
        let id = try add("Bob")
        let first = try store.read { try $0.object(id).value("changed", as: Date.self) }
        #expect(first >= start && first <= Date())
        try store.write { context in try context.object(id).setValue("Bob", for: "name") }
        #expect(try store.read { try $0.object(id).value("changed", as: Date.self) } == first)
        try store.write { context in try context.object(id).setValue("Bill", for: "name") }
        #expect(try store.read { try $0.object(id).value("changed", as: Date.self) } > first)
    }

    @Test func anEditingContextSeesTheDateAfterItHasSaved() throws {
        let id = try add("Bob")
        let context = store.makeContext()
        let patient = try context.object(id)
        let first = try patient.value("changed", as: Date.self)
        try patient.setValue("Bill", for: "name")
        #expect(try patient.value("changed", as: Date.self) == first)
        try context.save()
        #expect(try patient.value("changed", as: Date.self) > first)
    }

    // MARK: - Counts

    @Test func aCountFollowsItsRelationship() throws {
        let id = try add("Bob", visits: 2)
        try add("Ada")
        try store.write { context in
            let patient = try context.object(id)
            #expect(try patient.value("count", as: Int.self) == 2)
            let visit = try context.insert("Visit")
            try visit.setObject(patient, for: "patient")
            #expect(try patient.value("count", as: Int.self) == 3)
            try patient.setObjects([context.insert("Tag"), context.insert("Tag")], for: "tags")
            #expect(try patient.value("tagCount", as: Int64.self) == 2)
        }
        #expect(try names("count > 2") == ["Bob"])
        #expect(try names("count == 0 and tagCount == 0") == ["Ada"])
        #expect(try names("count + tagCount == 5") == ["Bob"])
        #expect(try names("true", sortedBy: [.descending("count")]) == ["Bob", "Ada"])
        #expect(try names("true", sortedBy: [.ascending("tagCount")]) == ["Ada", "Bob"])
        let visits = try store.read { try $0.count("Visit", where: Condition("patient.count == 3")) }
        #expect(visits == 3)
    }

    @Test(.sqliteOnly("SQLite’s shell uses the file.")) func aCountHasNoColumn() throws {
        let columns = try shell(folder.file()) { database in
            try String.fetchSet(database, sql: "SELECT name FROM pragma_table_info('Patient')")
        }
        #expect(!columns.contains("count"))
        #expect(columns.contains("lower"))
    }

    // MARK: - Writing

    @Test(arguments: ["lower", "changed", "count"])
    func derivedAttributesCannotBeSet(_ name: String) throws {
        let id = try add("Bob")
        let error = #expect(throws: StoreError.self) {
            try store.write { context in try context.object(id).removeValue(for: name) }
        }
        #expect(error?.code == .invalidValue)
        #expect(error?.message.contains("it is derived") == true)
    }

    @Test func bulkInsertionDerives() throws {
        try store.insert(many: ["Bob", "ANNA"], into: "Patient") { try $0.setValue($1, for: "name") }
        #expect(try names("lower == \"anna\"") == ["ANNA"])
        #expect(try store.verify().faults.isEmpty)
    }

    @Test func aBulkUpdateDerives() throws {
        let id = try add("Bob")
        try store.write { context in
            for patient in try context.fetch("Patient") { try patient.setValue("Bill", for: "name") }
        }
        #expect(try text("lower", of: id) == "bill")
    }

    // MARK: - Migration

    @Test func aMigrationComputesDerivedAttributes() throws {
        let other = try Folder()
        let first = try Store.trial(
            at: other.file(),
            model: Self.model(derived: false),
            transformers: TransformerRegistry {}
        )
        try first.write { context in
            for name in ["Bob", "Zoë"] { try context.insert("Patient").setValue(name, for: "name") }
        }
        try first.close()
        let model = try Self.model(version: 2)
        let plan = try Store.trialPlan(at: other.file(), model: model, transformers: TransformerRegistry {})
        #expect(plan.refusals.isEmpty)
        #expect(plan.description.contains("Patient.lower: added, derived: lowercase:(name)"))
        let start = Date()
        let second = try Store.trial(at: other.file(), model: model, transformers: TransformerRegistry {})
        try second.read { context in
            let patients = try context.fetch("Patient")
            #expect(try patients.map { try $0.value("lower", as: String.self) } == ["bob", "zoë"])
            #expect(try patients.map { try $0.value("folded", as: String.self) } == ["bob", "zoe"])
            #expect(try patients.map { try $0.value("upper", as: String?.self) } == [nil, nil])
            #expect(try patients.allSatisfy { try $0.value("changed", as: Date.self) >= start })
        }
    }

    @Test func aDifferentDerivationRecomputesTheAttribute() throws {
        func model(_ version: Int, _ derivation: Derivation?) throws -> Model {
            let options = derivation.map { [AttributeOption.derived($0)] } ?? []
            let key = options.isEmpty ? AttributeDescription.string("key") : .string("key", options[0])
            return try Model(version: version, entities: [EntityDescription("A", attributes: [.string("name"), key])])
        }
        let other = try Folder()
        let registry = try TransformerRegistry {}
        let first = try Store.trial(at: other.file(), model: model(1, nil), transformers: registry)
        try first.write { context in
            let object = try context.insert("A")
            try object.setValue("Bob", for: "name")
            try object.setValue("old", for: "key")
        }
        try first.close()
        for (version, derivation, text) in [(2, Derivation.lowercased("name"), "bob"), (3, .uppercased("name"), "BOB")]
        {
            let store = try Store.trial(at: other.file(), model: model(version, derivation), transformers: registry)
            #expect(try store.read { try $0.fetch("A").map { try $0.value("key", as: String.self) } } == [text])
            try store.close()
        }
    }

    /// A new version of a model in which text is derived from “name”.
    struct Change: CustomTestStringConvertible {
        let testDescription: String
        let attributes: [AttributeDescription]
        /// The derived text of an object with the title “One” and the name “Uno”, and of one with “Two” and no name.
        let expected: [String?]
        let plan: String
    }

    private static let derivedName = AttributeOption.derived(.lowercased("name"))
    private static let recomputed = "recomputed, derived: lowercase:(name)"

    static let changes = [
        Change(
            testDescription: "another attribute gets the name",
            attributes: [
                .string("heading", .optional, .renamed(from: "name", in: 2)),
                .string("name", .renamed(from: "title", in: 2)), .string("key", .optional, derivedName),
            ],
            expected: ["one", "two"],
            plan: recomputed
        ),
        Change(
            testDescription: "a new attribute gets the name",
            attributes: [
                .string("title"), .string("name", .default("New"), .added(in: 2)),
                .string("key", .optional, derivedName),
            ],
            expected: ["new", "new"],
            plan: recomputed
        ),
        Change(
            testDescription: "the source becomes required",
            attributes: [.string("title"), .string("name", .default("New")), .string("key", .optional, derivedName)],
            expected: ["uno", "new"],
            plan: recomputed
        ),
        Change(
            testDescription: "both become required",
            attributes: [.string("title"), .string("name", .default("New")), .string("key", derivedName)],
            expected: ["uno", "new"],
            plan: "\(recomputed), no longer optional"
        ),
        Change(
            testDescription: "other attributes change",
            attributes: [
                .string("caption", .renamed(from: "title", in: 2)), .string("name", .optional),
                .string("key", .optional, derivedName),
            ],
            expected: ["uno", nil],
            plan: "kept"
        ),
    ]

    @Test(arguments: changes) func derivedTextFollowsItsSourceThroughAMigration(change: Change) throws {
        let old: [AttributeDescription] = [
            .string("title"), .string("name", .optional), .string("key", .optional, Self.derivedName),
        ]
        let models = try [old, change.attributes].enumerated()
            .map { try Model(version: $0 + 1, entities: [EntityDescription("A", attributes: $1)]) }
        let (other, registry) = try (Folder(), TransformerRegistry {})
        let first = try Store.trial(at: other.file(), model: models[0], transformers: registry)
        try first.write { context in
            for (title, name) in [("One", "Uno"), ("Two", nil)] {
                let object = try context.insert("A")
                try object.setValue(title, for: "title")
                try object.setValue(name, for: "name")
            }
        }
        try first.close()
        let plan = try Store.trialPlan(at: other.file(), model: models[1], transformers: registry)
        #expect(plan.description.contains("A.key: \(change.plan)"), "\(plan)")
        let second = try Store.trial(at: other.file(), model: models[1], transformers: registry)
        let found = try second.read { try $0.fetch("A").map { try $0.value("key", as: String?.self) } }
        #expect(found == change.expected)
    }

    @Test func anExportKeepsTheDerivedValues() throws {
        try add("Zoë", note: "x", visits: 1)
        try add("bob")
        let exports = [folder.file("first"), folder.file("second")]
        try store.export(to: exports[0])
        let copy = try Store.trial(model: Self.model(), transformers: TransformerRegistry {})
        try copy.importExport(from: exports[0])
        try copy.export(to: exports[1])
        let lines = try exports.map { try Data(contentsOf: $0.appending(path: "Patient.jsonl")) }
        #expect(lines[0] == lines[1] && !lines[0].isEmpty)
        let folded = try copy.read { try $0.fetch("Patient").map { try $0.value("folded", as: String.self) } }
        #expect(folded == ["zoe", "bob"])
    }
}
