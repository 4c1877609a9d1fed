import EncryptionPlugin
import Foundation
import GRDB
import StandardPlugin
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

/// A transformer that leaves bytes unchanged.
private struct RawTransformer: OneWayTransformer {
    var traits: TransformerTraits { .plain }

    func encode(_ value: Data, in context: TransformContext) -> Data { value }
}

/// A transformer to lowercase.
private struct SmallTransformer: OneWayTransformer {
    var traits: TransformerTraits { .plain }

    func encode(_ value: String, in context: TransformContext) -> String { value.lowercased() }
}

/// A transformer to text, in which equal numbers can differ.
private struct DigitsTransformer: OneWayTransformer {
    var traits: TransformerTraits { .deterministic }

    func encode(_ value: Double, in context: TransformContext) -> String { "\(value)" }
}

/// A transformer of whole numbers to text, which does not say that equal numbers have equal text.
private struct CountTransformer: OneWayTransformer {
    var traits: TransformerTraits { .deterministic }

    func encode(_ value: Int, in context: TransformContext) -> String { "\(value)" }
}

@Suite(.eachEngine) struct CompoundProjectionTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    private func registry(keys: [Int64] = [7]) throws -> TransformerRegistry {
        try TransformerRegistry {
            Registration.text
            Registration("raw", RawTransformer())
            Registration("small", SmallTransformer())
            Registration("digits", DigitsTransformer())
            Registration("count", CountTransformer())
            Registration("stamp", StampTransformer())
            Registration("bound", BoundTransformer(key: 1))
            Registration("blind", KeyedBlindTransformer(keys: keys))
        }
    }

    private func model(
        _ projections: [CompoundProjection],
        version: Int = 1,
        name: String = "text | bound"
    ) throws -> Model {
        try Model(
            version: version,
            entities: [
                EntityDescription(
                    "Person",
                    attributes: [
                        .transformed("name", name, as: String.self, .optional), .integer("age", .optional),
                        .double("size", .default(1)),
                    ],
                    projections: projections
                )
            ]
        )
    }

    private func open(_ model: Model, keys: [Int64] = [7]) throws -> Store {
        try Store.trial(at: folder.file(), model: model, transformers: registry(keys: keys))
    }

    private func add(_ people: (String?, Int?)..., to store: Store) throws {
        try store.write { [people] context in
            for (name, age) in people {
                let person = try context.insert("Person")
                try person.setValue(name, for: "name")
                try person.setValue(age, for: "age")
            }
        }
    }

    private func column(_ name: String) throws -> [ColumnValue] {
        try Trial.cells("SELECT \(name) FROM \"Person\" ORDER BY \"_id\"", in: folder.file()).map { $0[0] }
    }

    @Test(.sqliteOnly("SQLite’s shell uses the file."), arguments: ["7", "NULL", "'text'", "finder + 1"])
    func verifyFindsWrongCompoundProjections(cell: String) throws {
        let store = try open(model([CompoundProjection("finder", of: ["name", "age"], "blind")]))
        try add(("Ada", 36), ("Bob", nil), to: store)
        #expect(try store.verify().isSound)
        try shell(folder.file()) { try $0.execute(sql: "UPDATE Person SET finder = \(cell) WHERE _id = 1") }
        let fault = try #require(try store.verify().faults.first)
        #expect(fault.code == .wrongProjection && fault.attribute == "finder" && fault.object?.number == 1)
        // A row with values that could not be decoded when it was written.
        try Trial.run("UPDATE \"Person\" SET \"finder\" = '?'", in: folder.file())
        #expect(try store.verify().isSound)
    }

    @Test func replacingAValueWithItselfWritesItsCompoundProjectionsAgain() throws {
        let store = try open(model([CompoundProjection("finder", of: ["name", "age"], "blind")]))
        try add(("Ada", 36), to: store)
        let cells = try column("finder")
        try Trial.run("UPDATE \"Person\" SET \"finder\" = NULL", in: folder.file())
        try store.write { try $0.fetch("Person")[0].replaceValue(36, for: "age") }
        #expect(try column("finder") == cells)
    }

    // By hand: kind, count in 8 bytes, content; “é” in composed form is c3 a9.
    @Test func joinsValuesInTheDocumentedFormat() throws {
        let store = try open(
            model([
                CompoundProjection("all", of: [.init("name", through: "small"), "age", "size"], "raw", reveals: true)
            ])
        )
        try add(("E\u{301}", 3), (nil, 3), to: store)
        let text: [UInt8] = [3, 2, 0, 0, 0, 0, 0, 0, 0, 0xC3, 0xA9]
        let whole: [UInt8] = [1, 8, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0]
        let real: [UInt8] = [2, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F]
        #expect(try column("\"all\"") == [.blob(Data(text + whole + real)), .null])
    }

    @Test func findsObjectsByAllParts() throws {
        let store = try open(model([CompoundProjection("both", of: ["name", "age"], "blind")]))
        try add(("a", 1), ("a", 2), ("b", 1), (nil, 1), to: store)
        try store.read { (context) throws in
            #expect(try context.ids("Person", where: Condition("name == 'a' and age == 2")).map(\.number) == [2])
            #expect(
                try context.ids("Person", where: Condition("age = 1 and (size > 0 and name = 'b')")).map(\.number) == [
                    3
                ]
            )
            #expect(try context.count("Person", where: !(Field("name") == "a" && Field("age") == 2)) == 3)
            #expect(try context.count("Person", where: Field("name") == nil && Field("age") == 1) == 1)
        }
        // The column, changed without the store's knowledge, determines which rows are examined.
        try Trial.run("UPDATE \"Person\" SET \"both\" = -1 WHERE \"_id\" = 2", in: folder.file())
        #expect(try store.read { try $0.count("Person", where: Condition("name == 'a' and age == 2")) } == 0)
    }

    /// The column is “-0.0”, and a search for 0 would look for “0.0”.
    @Test func findsEqualValuesThatATransformerTellsApart() throws {
        let projection = CompoundProjection("both", of: ["name", .init("size", through: "digits")], "blind")
        let store = try open(model([projection]))
        try add(("a", 1), to: store)
        try store.write { try $0.fetch("Person")[0].setValue(-0.0, for: "size") }
        #expect(try store.read { try $0.count("Person", where: Condition("name == 'a' and size == 0")) } == 1)
        #expect(try store.verify().isSound)
    }

    /// A row whose column was computed under an earlier key has other bytes for the part.
    @Test(arguments: [
        "text | blind-index(key: \"a\")", "text | hmac-sha256(key: \"a\")",
        "text | sealed(key: \"a\", deterministic: true)",
    ])
    func findsRowsWhosePartIsUnderAnEarlierKey(part: String) throws {
        let parts: [CompoundProjection.Part] = [.init("name", through: part), "age"]
        let projection = CompoundProjection("both", of: parts, "blind-index(key: \"a\")")
        let model = try model([projection], name: "text | sealed(key: \"a\")")
        let ring = try KeyRing.empty.addingKey(named: "a")
        for ring in try [ring, ring.rotatingKey(named: "a")] {
            let registry = try TransformerRegistry {
                StandardPlugin()
                EncryptionPlugin(keys: ring)
            }
            let store = try Store.trial(at: folder.file(), model: model, transformers: registry)
            try add(("a", 1), ("a", 2), to: store)
            let count = try store.read { try $0.count("Person", where: Condition("name == 'a' and age == 1")) }
            #expect(try count == store.read { try $0.count("Person") } / 2)
            #expect(try store.verify().isSound)
            try store.close()
        }
    }

    /// Not every equal value is found through such a part, but its rows can be verified.
    @Test func verifiesColumnsOfPartsThatAreNotSearched() throws {
        let projection = CompoundProjection("both", of: ["name", .init("age", through: "count")], "blind")
        let store = try open(model([projection]))
        try add(("a", 1), ("b", 2), to: store)
        #expect(try store.verify().isSound)
        try Trial.run("UPDATE \"Person\" SET \"both\" = -1 WHERE \"_id\" = 2", in: folder.file())
        let faults = try store.verify().faults
        #expect(faults.map(\.code) == [.wrongProjection])
        #expect(faults.first?.attribute == "both" && faults.first?.object?.number == 2)
    }

    @Test func everyWriteUpdatesTheProjection() throws {
        let store = try open(model([CompoundProjection("both", of: ["name", "age"], "raw", reveals: true)]))
        try add(("a", 1), to: store)
        try store.write { try $0.fetch("Person")[0].setValue(2, for: "age") }
        #expect(try store.read { try $0.count("Person", where: Condition("name == 'a' and age == 2")) } == 1)
        let bytes = try column("\"both\"")
        try store.write { try $0.fetch("Person")[0].setValue(9.0, for: "size") }
        #expect(try column("\"both\"") == bytes)
        try store.write { try $0.fetch("Person")[0].removeValue(for: "name") }
        #expect(try column("\"both\"") == [.null])
    }

    // A row whose part cannot be decoded is examined, so that it is not silently omitted.
    @Test func reportsDamageToTheCaller() throws {
        let store = try open(model([CompoundProjection("both", of: ["name", "age"], "blind")]))
        try add(("a", 1), ("b", 1), to: store)
        try Trial.run("UPDATE \"Person\" SET \"name\" = \(Trial.bytes("00")) WHERE \"_id\" = 1", in: folder.file())
        try store.write { try $0.fetch("Person")[0].setValue(2, for: "age") }
        #expect(throws: StoreError(code: .undecodable)) {
            try store.read { try $0.count("Person", where: Condition("name == 'x' and age == 2")) }
        }
        #expect(try store.read { try $0.count("Person", where: Condition("name == 'b' and age == 1")) } == 1)
    }

    @Test func followsChangesOfTheModelAndTheKeys() throws {
        let none = try open(model([]))
        try add(("a", 1), ("b", 2), to: none)
        try none.close()
        let both = CompoundProjection("both", of: ["name", "age"], "blind")
        let second = try open(model([both], version: 2))
        #expect(try second.read { try $0.count("Person", where: Condition("name == 'b' and age == 2")) } == 1)
        try second.close()
        let rotated = try open(model([both], version: 2), keys: [9, 7])
        try add(("b", 2), to: rotated)
        #expect(try rotated.read { try $0.count("Person", where: Condition("name == 'b' and age == 2")) } == 2)
        try rotated.reencode(Reencoding("name", of: "Person"))
        try rotated.close()
        let later = try open(model([both], version: 2), keys: [9])
        #expect(try later.read { try $0.count("Person", where: Condition("name == 'b' and age == 2")) } == 2)
        try later.close()
        let wrong = try open(model([both], version: 2), keys: [8])
        let error = #expect(throws: StoreError.self) {
            try wrong.read { try $0.count("Person", where: Condition("name == 'b' and age == 2")) }
        }
        #expect(error?.transformerError?.message == "there is no key 9")
        try wrong.close()
        #expect(try Trial.columns(of: "Person", in: folder.file()).contains("both"))
        try open(model([], version: 3), keys: [8]).close()
        #expect(try !Trial.columns(of: "Person", in: folder.file()).contains("both"))
    }

    @Test func modelsJSONContainsCompoundProjections() throws {
        let projections = [
            CompoundProjection("both", of: ["name", .init("age", through: "age")], "raw"),
            CompoundProjection("other", of: ["name", "size"], "raw", indexed: false),
        ]
        let model = try model(projections)
        let json = String(decoding: model.json, as: UTF8.self)
        #expect(json.contains("\"attributes\""))
        #expect(try Model(json: model.json).entities[0].projections == projections)
    }

    @Test(arguments: [
        CompoundProjection("both", of: ["name"], "raw"),
        CompoundProjection("both", of: ["name", "name"], "raw"),
        CompoundProjection("both", of: ["name", "none"], "raw"),
        CompoundProjection("age", of: ["name", "size"], "raw"),
        CompoundProjection("both", of: ["name", "size"], "raw("),
    ])
    func rejectsContradictions(projection: CompoundProjection) {
        #expect(throws: StoreError(code: .invalidModel)) { try model([projection]) }
    }

    @Test(arguments: [
        CompoundProjection("both", of: ["name", "age"], "none"),
        CompoundProjection("both", of: ["name", "age"], "small"),
        CompoundProjection("both", of: ["name", .init("age", through: "small")], "raw"),
    ])
    func rejectsUnresolvableExpressions(projection: CompoundProjection) throws {
        #expect(throws: StoreError(code: .unresolvedTransformer)) { try open(model([projection])) }
    }
}
