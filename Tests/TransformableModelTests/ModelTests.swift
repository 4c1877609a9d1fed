import Foundation
import Testing
import TransformableModel

@Suite struct ModelTests {
    /// The example of the design, with one of every other key.
    static let json = """
        { "transformableModel": 1, "version": 2, "entities": [
          { "name": "Person", "abstract": true, "attributes": [ { "name": "name", "type": "string", "indexed": true } ] },
          { "name": "Patient", "parent": "Person", "renamedFrom": "Client",
            "attributes": [
              { "name": "admitted", "type": "date", "default": { "make": "now" } },
              { "name": "age", "type": "int16", "optional": true, "minimum": 0, "maximum": 150 },
              { "name": "code", "type": "string", "default": "x", "pattern": "[a-z]+", "maximumLength": 8, "unique": true },
              { "name": "ssn", "transformer": "text | sealed(key: \\"clinic\\")", "optional": true, "encode": "onSet",
                "projections": [ { "name": "ssn_index", "transformer": "blind-index(bits: 32)", "indexed": true } ] },
              { "name": "settings", "type": "transformed", "optional": true, "externalStorage": { "over": 1000 } } ],
            "relationships": [
              { "name": "visits", "to": "Visit", "many": true, "ordered": true, "inverse": "patient", "deleteRule": "cascade",
                "minimumCount": 0, "maximumCount": 9 } ],
            "unique": [["name", "admitted"]], "userInfo": { "note": "x" } },
          { "name": "Visit", "relationships": [ { "name": "patient", "to": "Patient", "optional": false } ] } ] }
        """

    @Test func readsItsJSON() throws {
        let model = try Model(json: Data(Self.json.utf8))
        #expect(model.version == 2)
        let patient = try #require(model.entity("Patient"))
        #expect(patient.renamedFrom == "Client")
        #expect(model.attributes(of: "Patient").map(\.name) == ["name", "admitted", "age", "code", "ssn", "settings"])
        let ssn = try #require(patient.attribute("ssn"))
        #expect(ssn.type == .transformed)
        #expect(ssn.encoding == .onSet)
        #expect(ssn.projections == [ProjectionDescription("ssn_index", "blind-index(bits: 32)", indexed: true)])
        #expect(patient.attribute("age")?.validation == ValidationRules(minimum: 0, maximum: 150))
        #expect(patient.attribute("admitted")?.defaultValue == .now)
        #expect(patient.attribute("settings")?.externalThreshold == 1000)
        #expect(patient.relationships[0].deleteRule == .cascade)
        #expect(patient.uniqueness == [["name", "admitted"]])
    }

    @Test func roundTripsThroughJSON() throws {
        let model = try Model(json: Data(Self.json.utf8))
        #expect(try Model(json: model.json) == model)
    }

    @Test func childrenAuthenticateTheirRowsIfAParentDoes() throws {
        let json = Self.json.replacing("\"abstract\": true", with: "\"abstract\": true, \"authenticatesRows\": true")
        let model = try Model(json: Data(json.utf8))
        #expect(["Person", "Patient", "Visit", "None"].map(model.authenticatesRows) == [true, true, false, false])
        #expect(try Model(json: model.json) == model)
        #expect(try !Model(json: Data(Self.json.utf8)).authenticatesRows(of: "Patient"))
    }

    @Test func readsFormerNamesOfKeys() throws {
        let earlier = Self.json.replacing("deleteRule", with: "onDelete")
            .replacing("minimumCount", with: "minimum")
            .replacing("maximumCount", with: "maximum")
        let model = try Model(json: Data(earlier.utf8))
        #expect(try model == Model(json: Data(Self.json.utf8)))
        let text = try #require(String(bytes: model.json, encoding: .utf8))
        #expect(text.contains("\"deleteRule\"") && !text.contains("\"onDelete\""))
        #expect(text.contains("\"maximumCount\""))
    }

    @Test(arguments: [
        ("{", "not valid JSON: line 1, column 2: expected a key in double quotes"),
        ("{\n  \"entities\": [1 2]\n}", "line 2, column 18: expected “,” or “]”"),
        ("{\"entities\": [],\n \"entities\": []}", "line 2, column 2: the key “entities” is used twice"),
        (number("decimal", "123456789012345678901234567890123456789.5"), "“default” is 12345678901234567890"),
        (number("double", "1e400"), "“default” is 1e400"),
        (number("int64", "9223372036854775808"), "A.a has a default"),
        (number("int64", "1", #""minimum": 9007199254740993"#), "“minimum” is not a number"),
        (#"{"transformableModel": 1, "entities": [], "extra": 1}"#, "unknown key “extra”"),
        (#"{"entities": []}"#, "“transformableModel” must be 1"),
        (
            #"{"transformableModel": 1, "entities": [{"name": "A", "attributes": [{"name": "a"}]}]}"#,
            "“type” is missing"
        ),
        (
            #"{"transformableModel": 1, "entities": [{"name": "A", "attributes": [{"name": "a", "type": "text"}]}]}"#,
            "“type” is “text”, but must be one of"
        ),
        (#"{"transformableModel": 1, "entities": [{"attributes": []}]}"#, "“name” is missing"),
        (
            #"{"transformableModel": 1, "entities": [{"name": "A", "relationships": [{"name": "a", "to": "A", "onDelete": "deny", "deleteRule": "deny"}]}]}"#,
            "both “deleteRule” and its former name “onDelete”"
        ),
        (
            #"{"transformableModel": 1, "entities": [{"name": "A", "attributes": [{"name": "a", "type": "string", "optional": 1}]}]}"#,
            "“optional” is not true or false"
        ),
    ])
    func rejectsMalformedJSON(json: String, message: String) throws {
        let error = #expect(throws: StoreError.self) { try Model(json: Data(json.utf8)) }
        #expect(error?.code == .invalidModel)
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    private static func number(_ type: String, _ value: String, _ rest: String = #""optional": true"#) -> String {
        """
        {"transformableModel": 1, "entities": [{"name": "A", "attributes": [
          {"name": "a", "type": "\(type)", "default": \(value), \(rest)}]}]}
        """
    }

    // The grammar of numbers in RFC 8259, section 6.
    @Test(arguments: ["0", "-0", "10", "1.50", "0.5", "1e5", "1E+5", "-2.5e-3", "0e0", "100000000000000000000"])
    func readsNumbers(text: String) throws {
        let model = try Model(json: Data(Self.number("double", text).utf8))
        let value: Double? =
            switch model.entity("A")?.attributes.first?.defaultValue {
            case .integer(let number): Double(number)
            case .number(let number): number
            default: nil
            }
        #expect(value == Double(text))
    }

    @Test(arguments: [
        "01", "-01", "00", "-", "+1", ".5", "1.", "1.e5", "1e", "1e+", "e5", "--1", "1.2.3", "0x10", "1_000", "1f",
        "NaN", "Infinity", "٣", "1\u{301}", "nul", "True",
    ])
    func rejectsInvalidWords(text: String) {
        let error = #expect(throws: StoreError.self) { try Model(json: Data(Self.number("double", text).utf8)) }
        #expect(error?.description.contains("“\(text)” is not a JSON value") == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        (#""plain é 😀""#, "plain é 😀"), (#""a\"b\\c\/\n""#, "a\"b\\c/\n"), (#""\u00e9\ud83d\ude00""#, "é😀"),
        (#""""#, ""),
    ])
    func readsStrings(json: String, text: String) throws {
        let model = try Model(json: Data(Self.number("string", json).utf8))
        #expect(model.entity("A")?.attributes.first?.defaultValue == .string(text))
    }

    @Test(arguments: [
        (#""a\x""#, "this escape sequence does not exist"), (#""\ud83d""#, "a surrogate is unpaired"),
        ("\"a\u{1}\"", "a control character in a string must be escaped"),
        ("\"a\nb\"", "a control character in a string must be escaped"),
    ])
    func rejectsInvalidStrings(json: String, reason: String) {
        let error = #expect(throws: StoreError.self) { try Model(json: Data(Self.number("string", json).utf8)) }
        #expect(error?.description.contains(reason) == true)
    }

    /// A default of 33 digits, and one that a double would have changed.
    @Test(arguments: ["-258712345678901234567890123456789.5", "738032340.5", "0.1", "12345678901234567890", "-7"])
    func keepsTheDigitsOfADefault(text: String) throws {
        let model = try Model(json: Data(Self.number("decimal", text).utf8))
        #expect(try Model(json: model.json) == model)
        #expect(String(decoding: model.json, as: UTF8.self).contains(text))
    }

    @Test func readsWholeNumbersWithFractions() throws {
        let model = try Model(json: Data(Self.number("int16", "1.20e1").utf8))
        #expect(model.entity("A")?.attributes.first?.defaultValue == 12)
    }

    @Test func reportsANewerFormat() {
        let json = Data(#"{"transformableModel": 2, "entities": [], "newKey": 1}"#.utf8)
        #expect(throws: StoreError(.newerFormat, "")) { try Model(json: json) }
    }

    @Test(arguments: [
        ("", "is empty"), ("_id", "begins with “_”"), ("sqlite_x", "begins with “sqlite_”"),
        ("a b", "must begin with a letter"),
        ("1a", "must begin with a letter"), ("a\"b", "must begin with a letter"), ("e\u{301}", "composed form"),
        (String(repeating: "x", count: 129), "longer than 128 bytes"),
    ])
    func rejectsInvalidNames(name: String, message: String) {
        let error = #expect(throws: StoreError.self) {
            try Model(entities: [EntityDescription("A", attributes: [.string(name)])])
        }
        #expect(error?.faults.count == 1)
        #expect(error?.faults.first?.contains(message) == true)
    }

    @Test(arguments: ["größe", "名前", "a1", "camelCase", "with_underscore", "select"])
    func acceptsValidNames(name: String) throws {
        _ = try Model(entities: [EntityDescription(name, attributes: [.string(name)])])
    }

    @Test(arguments: [
        (EntityDescription("A", attributes: [ruled(.transient("t", as: Int.self))]), "would never be checked"),
        (EntityDescription("A", attributes: [nan(.double("t"))]), "empty range"),
        (EntityDescription("A", attributes: [.string("t", .pattern("a)(b"))]), "not a valid regular expression"),
        (EntityDescription("A", attributes: [.transformed("t", "box", .unique)]), "use a projection"),
        (EntityDescription("A", attributes: [.transformed("t", "box")], unique: [["t"]]), "cannot be compared"),
        (EntityDescription("A", relationships: [needed("many", "A")]), "set a minimum count"),
        (
            EntityDescription("A", attributes: [.string("t")], unique: Array(repeating: ["t"], count: 101)),
            "more than 100 unique groups"
        ),
    ])
    func rejectsContentThatWouldBeLost(entity: EntityDescription, fault: String) {
        let error = #expect(throws: StoreError.self) { try Model(entities: [entity]) }
        #expect(error?.code == .invalidModel)
        #expect(error?.faults.contains { $0.contains(fault) } == true, "\(error?.faults ?? [])")
    }

    private static func ruled(_ attribute: AttributeDescription) -> AttributeDescription {
        var attribute = attribute
        attribute.type = .int64
        attribute.validation = ValidationRules(minimum: 1)
        return attribute
    }

    private static func nan(_ attribute: AttributeDescription) -> AttributeDescription {
        var attribute = attribute
        attribute.validation = ValidationRules(minimum: .nan)
        return attribute
    }

    private static func needed(_ name: String, _ destination: String) -> RelationshipDescription {
        var relationship = RelationshipDescription.toMany(name, destination)
        relationship.isOptional = false
        return relationship
    }

    // JSON has no form for these.
    @Test(arguments: [AttributeType.transformed, .double, .decimal, .string], [Double.infinity, -.infinity, .nan])
    func rejectsADefaultThatIsNotFinite(type: AttributeType, number: Double) {
        let attribute = AttributeDescription("limit", type, [.default(.number(number))])
        let error = #expect(throws: StoreError.self) {
            try Model(entities: [EntityDescription("A", attributes: [attribute])])
        }
        #expect(error?.faults == ["A.limit has a default that is not finite"])
    }

    @Test(arguments: [-0.0, 2, 1e15, 1e16, 9.2e18, 1e19, 0.1, -1e300])
    func theJSONOfADefaultIsTheSameAfterReading(number: Double) throws {
        let attribute = AttributeDescription("limit", .double, [.default(.number(number))])
        let model = try Model(entities: [EntityDescription("A", attributes: [attribute])])
        #expect(try Model(json: model.json).json == model.json)
    }

    // The least limit above 0 is 0 as a Float.
    @Test(arguments: [AttributeType.float, .double]) func zeroIsBelowTheLeastPositiveLimit(type: AttributeType) throws {
        let rules = ValueRules(AttributeDescription("dose", type, [.range(Double.leastNonzeroMagnitude...)]))
        #expect(throws: StoreError(.invalidValue, "")) { try rules.check(.real(0)) }
        try rules.check(.real(Double(Float.leastNonzeroMagnitude)))
    }

    // The Float 0.7 is less than the Double 0.7.
    @Test(arguments: [(AttributeType.float, Double(Float(0.7))), (.double, 0.7)])
    func aLimitIsWithinItsRange(type: AttributeType, limit: Double) throws {
        let rules = ValueRules(AttributeDescription("dose", type, [.range(0.7...1e300)]))
        try rules.check(.real(limit))
        let below = type == .float ? Double(Float(0.7).nextDown) : limit.nextDown
        let error = #expect(throws: StoreError(.invalidValue, "")) { try rules.check(.real(below)) }
        #expect(error?.message == "the value is below the minimum of 0.7")
    }

    @Test func listsEveryFault() {
        let error = #expect(throws: StoreError.self) {
            try Model(
                version: 0,
                entities: [
                    EntityDescription("A", parent: "Nowhere"),
                    EntityDescription("B", parent: "C"),
                    EntityDescription("C", parent: "B"),
                    EntityDescription(
                        "D",
                        attributes: [
                            .string("a"), .string("A"), .transformed("t", "a||b"), .transformed("u", "box", .indexed),
                            .string("r", .range(1...2)), .string("p", .pattern("(")), .integer("n", .default("x")),
                        ],
                        relationships: [.toOne("r1", "Nowhere"), .toOne("r2", "E", inverse: "nothing")],
                        unique: [["missing"]]
                    ),
                    EntityDescription("E"),
                ]
            )
        }
        #expect(error?.faults.count == 13, "\(error?.faults.joined(separator: "\n") ?? "")")
    }
}

/// Small models that would take a long time or much memory if their limits were not checked first.
@Suite struct ModelLimitTests {
    private func faults(_ entities: [EntityDescription]) -> [String] {
        let error = #expect(throws: StoreError.self) { try quickly { try Model(entities: entities) } }
        return error?.faults ?? []
    }

    private func chain(_ count: Int) -> [EntityDescription] {
        (0..<count).map { EntityDescription("E\($0)", parent: $0 == 0 ? nil : "E\($0 - 1)") }
    }

    @Test func limitsTheNumberOfEntities() {
        #expect(faults(chain(5000)) == ["there are more than 1,000 entities"])
    }

    @Test func limitsTheDepthOfInheritance() throws {
        #expect(faults(chain(102)) == ["E101 inherits from more than 100 entities"])
        let model = try quickly { try Model(entities: chain(101).reversed()) }
        #expect(model.lineage(of: model.entities[0]).map(\.name) == (0...100).map { "E\($0)" })
        let many = #expect(throws: StoreError.self) { try quickly { try Model(entities: chain(1000)) } }
        #expect(many?.faults.count == 100)
        #expect(many?.message == "the model has more than 100 faults, of which these are the first")
    }

    @Test(arguments: [(5000, 5000), (101, 0), (0, 101), (10, 10)])
    func limitsTheNumberOfFormerNames(wholeCount: Int, partCount: Int) {
        var part = AttributeDescription.string("x")
        part.renamedFrom = FormerNames((0..<partCount).map { .init("p\($0)") })
        var whole = CompositeDescription("size", parts: [part])
        whole.renamedFrom = FormerNames((0..<wholeCount).map { .init("w\($0)") })
        #expect(faults([EntityDescription("A", composites: [whole])]) == ["A.size has more than 100 former names"])
    }

    @Test func acceptsAsManyFormerNamesAsColumnsHave() throws {
        var part = AttributeDescription.string("x")
        part.renamedFrom = FormerNames((0..<9).map { .init("p\($0)") })
        var whole = CompositeDescription("size", parts: [part])
        whole.renamedFrom = FormerNames((0..<9).map { .init("w\($0)") })
        let model = try quickly { try Model(entities: [EntityDescription("A", composites: [whole])]) }
        #expect(model.attributes(of: "A").first?.renamedFrom.names.count == 99)
    }

    @Test func limitsTheNumberOfListedFaults() throws {
        let zeros = Array(repeating: "0", count: 50_000).joined(separator: ",")
        let json = Data("{\"transformableModel\": 1,\n\"entities\": [\(zeros)]}".utf8)
        let error = #expect(throws: StoreError.self) { try quickly { try Model(json: json) } }
        #expect(error?.faults.count == 100)
        #expect(error?.faults.last == "line 2, column 212: model.entities[99] is not an object")
    }

    @Test(
        arguments: [
            (.blob(Data([1])), "data"), (.text("1"), "text"), (.real(0.5), "a number"),
        ] as [(ColumnValue, String)]
    )
    func describesCellsOfOtherTypes(cell: ColumnValue, what: String) {
        let error = #expect(throws: (any Error).self) { try Int16(column: cell) }
        let expected = "the cell contains \(what) that is not a value of type “int16”"
        #expect(error.map { "\($0)" } == expected)
    }
}
