import EncryptionPlugin
import Foundation
import StandardPlugin
import Synchronization
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

@Suite(.eachEngine) struct ProjectionTests {
    private func projections(_ folder: Folder) throws -> [[ColumnValue]] {
        let sql = "SELECT \"area\", \"secret_blind\" FROM \"Person\" ORDER BY \"_id\""
        return try Trial.cells(sql, in: folder.file())
    }

    // The digest of “ab” under key 7: (7 * 31 + 97) * 31 + 98 = 9832, whose last byte is 104.
    @Test func everyWriteUpdatesProjections() throws {
        let folder = try Folder()
        let store = try Store.people(in: folder)
        let id = try store.addPerson("a", box: Box(width: 3, height: 4), secret: "ab")
        #expect(try projections(folder) == [[.integer(12), .integer(104)]])
        try store.write { context in
            let person = try context.object(id)
            try person.setValue(Box(width: 5, height: 5), for: "box")
            try person.removeValue(for: "secret")
        }
        #expect(try projections(folder) == [[.integer(25), .null]])
    }

    /// A projection may be wrong although the value is not.
    @Test func replacingAValueWithItselfWritesItsProjectionsAgain() throws {
        let folder = try Folder()
        let store = try Store.people(in: folder)
        let id = try store.addPerson("a", box: Box(width: 3, height: 4), secret: "ab")
        try Trial.run("UPDATE \"Person\" SET \"secret_blind\" = 0", in: folder.file())
        try store.write { try $0.object(id).setValue("ab", for: "secret") }
        #expect(try projections(folder) == [[.integer(12), .integer(0)]])
        try store.write { try $0.object(id).replaceValue("ab", for: "secret") }
        #expect(try projections(folder) == [[.integer(12), .integer(104)]])
        #expect(try store.verify().isSound)
    }

    /// Each column that is computed again updates the rows, whose references must still hold.
    @Test func twoProjectionsOfRowsWithReferencesChangeAtTheSameTime() throws {
        let folder = try Folder()
        let ring = try KeyRing.empty.addingKey(named: "visits")
        let registry = try TransformerRegistry {
            StandardPlugin()
            EncryptionPlugin(keys: ring)
        }
        func open(_ version: Int, bits: Int) throws -> Store {
            let index = "text | blind-index(bits: \(bits))"
            let visit = EntityDescription(
                "Visit",
                attributes: [
                    .string("patient", .projected(index, as: "patient_index")),
                    .string("ward", .projected(index, as: "ward_index")),
                ],
                relationships: [.toOne("previous", "Visit")]
            )
            let model = try Model(version: version, entities: [visit])
            return try .trial(at: folder.file(), model: model, transformers: registry)
        }
        let old = try open(1, bits: 16)
        try old.write { context in
            var previous: ManagedObject?
            for number in 0..<3 {
                let visit = try context.insert("Visit")
                try visit.setValue("patient \(number)", for: "patient")
                try visit.setValue("ward \(number)", for: "ward")
                if let previous { try visit.setObject(previous, for: "previous") }
                previous = visit
            }
        }
        try old.close()
        let store = try open(2, bits: 12)
        #expect(try store.verify().faults.map(\.description) == [])
        let condition = Field("patient") == "patient 1" && Field("ward") == "ward 1"
        let found = try store.read { try $0.ids("Visit", where: condition) }
        #expect(found.map(\.number) == [2])
    }

    // Digests have one byte, so several of 600 secrets share each of them.
    @Test func projectionsOnlyPreselectObjects() throws {
        let store = try Store.trial(model: Models.person(), transformers: Transformers().registry())
        try store.write { context in
            for number in 0..<600 {
                let person = try context.insert("Person")
                try person.setValue("\(number)", for: "name")
                try person.setValue("secret \(number)", for: "secret")
            }
        }
        for number in stride(from: 0, to: 600, by: 97) {
            #expect(try store.names(where: Field("secret") == "secret \(number)") == ["\(number)"])
        }
        #expect(try store.read { try $0.count("Person", where: Field("secret") != "secret 1") } == 599)
        #expect(
            try store.read {
                try $0.fetch("Person", where: Condition("secret startsWith 'secret 1'"), limit: 3, offset: 2)
                    .map(\.id.number)
            } == [12, 13, 14]
        )
    }

    @Test func projectionsFindValuesWithEveryKey() throws {
        let folder = try Folder()
        let old = try Store.people(in: folder)
        try old.addPerson("old", secret: "ab")
        try old.close()
        let store = try Store.people(in: folder, Transformers(blindKeys: [9, 7]))
        try store.addPerson("new", secret: "ab")
        #expect(try store.names(where: Field("secret") == "ab") == ["old", "new"])
        let cells = try Trial.cells("SELECT DISTINCT \"secret_blind\" FROM \"Person\"", in: folder.file())
        #expect(cells.count == 2)
    }

    @Test(arguments: NameSearch.all)
    func slowNumberIsComputedOnceForAllFormsOfAName(search: NameSearch) throws {
        let ring = try KeyRing.empty.addingKey()
        let registry = try TransformerRegistry {
            StandardPlugin()
            EncryptionPlugin(keys: ring)
        }
        let store = try Store.trial(model: NameSearch.model(), transformers: registry)
        try store.write { context in
            let patient = try context.insert("Patient")
            try patient.setValue(1, for: "number")
            try patient.setValue(NameSearch.name, for: "name")
            try patient.setValue(NameSearch.name.uppercased(), for: "alias")
        }
        let runs = Mutex(0)
        let observer = SlowDigestObserver { runs.withLock { $0 += 1 } }
        let count = try SlowDigestObserver.$current.withValue(observer) { try store.write(search.count) }
        #expect(count == 1)
        #expect(runs.withLock(\.self) == search.expectedRuns)
    }

    @Test func changedExpressionsRecomputeProjections() throws {
        let folder = try Folder()
        let store = try Store.people(in: folder)
        try store.addPerson("a", box: Box(width: 3, height: 4))
        try store.close()
        let registry = try TransformerRegistry {
            Registration.text
            Registration("box", form: .text(BoxTransformer()), BoxTransformer())
            Registration("bound", .reading("key", "the key", default: 42)) { (key: Int) in
                BoundTransformer(key: UInt8(key))
            }
            Registration("blind", BlindTransformer(keys: [7]))
            Registration("area", version: 2, WidthName())
        }
        let reopened = try Store.trial(at: folder.file(), model: Models.person(), transformers: registry)
        #expect(try reopened.names(where: Condition("area == 'w3'")) == ["a"])
        #expect(try projections(folder)[0][0] == .text("w3"))
    }

    @Test func valuesThatCannotBeMeasuredAreNull() throws {
        let registry = try TransformerRegistry {
            Registration("box", form: .text(BoxTransformer()), BoxTransformer())
            Registration("ratio", Ratio())
        }
        let model = try Model(entities: [
            EntityDescription(
                "A",
                attributes: [.transformed("box", "box", as: Box.self, .projected("ratio", as: "ratio"))]
            )
        ])
        let store = try Store.trial(model: model, transformers: registry)
        try store.write { context in
            try context.insert("A").setValue(Box(width: 0, height: 0), for: "box")
            try context.insert("A").setValue(Box(width: 1, height: 2), for: "box")
        }
        let count = { (text: String) in
            let condition = try Condition(text)
            return try store.read { try $0.count("A", where: condition) }
        }
        #expect(try count("ratio is null") == 1)
        #expect(try count("ratio < 1") == 1)
        #expect(try count("ratio >= 1") == 0)
        #expect(try count("box = '0x0'") == 1)
    }

    private struct Ratio: OneWayTransformer {
        var traits: TransformerTraits { .plain }
        func encode(_ value: Box, in context: TransformContext) -> Double { Double(value.width) / Double(value.height) }
    }

    @Test func errorsDoNotRevealConfidentialValues() throws {
        let canary = "canary-7QX"
        let registry = try TransformerRegistry {
            Registration.text
            Registration("bound", .reading("key", "the key", default: 42)) { (key: Int) in
                BoundTransformer(key: UInt8(key))
            }
            Registration("talkative", Talkative())
        }
        let model = try Model(entities: [
            EntityDescription(
                "A",
                attributes: [
                    .transformed(
                        "secret",
                        "text | bound",
                        as: String.self,
                        .optional,
                        .projected("talkative", as: "index", .revealing)
                    )
                ]
            )
        ])
        let store = try Store.trial(model: model, transformers: registry)
        let writing = #expect(throws: StoreError.self) {
            try store.write { try $0.insert("A").setValue(canary, for: "secret") }
        }
        let finding = #expect(throws: StoreError.self) {
            try store.read { try $0.count("A", where: Field("secret") == canary) }
        }
        for error in [writing, finding] {
            var dumped = ""
            dump(error, to: &dumped)
            #expect(error?.code == (error == writing ? .invalidValue : .invalidCondition))
            #expect(error?.transformerError?.transformer == "talkative")
            #expect(error?.description.contains(canary) == false)
            #expect(!dumped.contains(canary))
        }
    }

    private struct Talkative: OneWayTransformer {
        var traits: TransformerTraits { .plain }

        func encode(_ value: String, in context: TransformContext) throws -> String {
            throw TransformerError.invalidValue("“\(value)” has no index")
        }
    }

    private struct WidthName: OneWayTransformer {
        var traits: TransformerTraits { .plain }
        func encode(_ value: Box, in context: TransformContext) -> String { "w\(value.width)" }
    }
}

/// A search for a name that has hundreds of canonically equivalent forms.
struct NameSearch: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let expectedRuns: Int
    /// Returns the number of objects that are found.
    let count: @Sendable (StoreContext) throws -> Int

    init(_ description: String, runs: Int = 1, count: @escaping @Sendable (StoreContext) throws -> Int) {
        testDescription = description
        expectedRuns = runs
        self.count = count
    }

    static let name = "Tr\u{1EA7}n Nguy\u{1EC5}n H\u{1ED3}ng Y\u{1EBF}n B\u{1EA3}o"

    static func model() throws -> Model {
        let slow = "blind-index(bits: 12, slow: true)"
        let folded = "lowercase | blind-index(bits: 13, slow: true)"
        return try Model(entities: [
            EntityDescription(
                "Patient",
                attributes: [
                    .integer("number", .unique), .integer("visits", .optional),
                    .transformed("name", "text | sealed", as: String.self, .projected(slow, as: "name_index")),
                    .transformed("alias", "text | sealed", as: String.self, .projected(folded, as: "alias_index")),
                ]
            )
        ])
    }

    static let all = [
        Self("equality") { try $0.count("Patient", where: Field("name") == name) },
        Self("a list", runs: 2) { try $0.count("Patient", where: Field("name").isIn([name, "Bob"])) },
        Self("two stages") { try $0.count("Patient", where: Field("alias") == name.uppercased()) },
        Self("an update") { context in
            try context.update("Patient", where: Field("name") == name) { try $0.setValue(3, for: "visits") }
        },
        Self("a deletion") { try $0.delete("Patient", where: Field("name") == name) },
        Self("find or insert") { context in
            try context.findOrInsert("Patient", ["number": 1, "name": name]).isNew ? 0 : 1
        },
    ]
}
