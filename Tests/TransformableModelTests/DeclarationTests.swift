import Foundation
import Testing
import TransformableModel

/// Indexes, derived attributes, and composites of a model.
@Suite struct DeclarationTests {

    private static func model(_ patient: EntityDescription) throws -> Model {
        try Model(entities: [
            patient, EntityDescription("Visit", relationships: [.toOne("patient", "Patient", inverse: "visits")]),
        ])
    }

    private static func patient(
        _ attributes: AttributeDescription...,
        indexes: [[SortKey]] = [],
        composites: [CompositeDescription] = []
    ) -> EntityDescription {
        EntityDescription(
            "Patient",
            attributes: [.string("name"), .string("note", .optional), .transformed("bed", "rect")] + attributes,
            composites: composites,
            relationships: [.toMany("visits", "Visit", inverse: "patient"), .toOne("doctor", "Patient")],
            indexes: indexes
        )
    }

    private static func faults(_ patient: EntityDescription) -> [String] {
        do {
            _ = try model(patient)
            return []
        } catch {
            return (error as? StoreError)?.faults ?? []
        }
    }

    @Test func readsIndexesFromJSON() throws {
        let json = """
            { "transformableModel": 1, "entities": [ { "name": "Patient", "attributes": [
                { "name": "name", "type": "string" }, { "name": "age", "type": "int16" } ],
                "indexes": [["name", { "name": "age", "descending": true }], [{ "name": "age" }]] } ] }
            """
        let model = try Model(json: Data(json.utf8))
        #expect(model.entity("Patient")?.indexes == [[.ascending("name"), .descending("age")], [.ascending("age")]])
        #expect(try Model(json: model.json) == model)
    }

    @Test func acceptsIndexesOfAttributesAndReferences() {
        #expect(Self.faults(Self.patient(indexes: [[.ascending("doctor"), .descending("name")]])).isEmpty)
    }

    @Test(
        arguments: [
            ([], "is empty"), ([.ascending("name"), .descending("name")], "contains a name twice"),
            ([.ascending("bed")], "whose bytes have no order"), ([.ascending("visits")], "“visits”"),
            ([.ascending("nobody")], "“nobody”"),
        ] as [([SortKey], String)]
    )
    func rejectsInvalidIndexes(_ index: [SortKey], _ message: String) {
        let faults = Self.faults(Self.patient(indexes: [index]))
        #expect(faults.count == 1)
        #expect(faults.first?.contains(message) == true)
    }

    @Test(
        arguments: [
            ("visits.@count", .count(of: "visits")), ("lowercase:(name)", .lowercased("name")),
            ("uppercase:(name)", .uppercased("name")), ("canonical:(name)", .folded("name")), ("now()", .dateOfChange),
        ] as [(String, Derivation)]
    )
    func readsDerivations(_ text: String, _ derivation: Derivation) throws {
        #expect(Derivation(text) == derivation)
        #expect(derivation.description == text)
    }

    @Test(arguments: ["", "@count", ".@count", "a.b.@count", "now", "lowercase:name", "lowercase:()", "trim:(name)"])
    func readsNoOtherDerivation(_ text: String) {
        #expect(Derivation(text) == nil)
    }

    @Test func readsDerivedAttributesFromJSON() throws {
        let model = try Self.model(
            Self.patient(
                .int32("visitCount", .derived(.count(of: "visits"))),
                .string("searchName", .derived(.folded("name")), .indexed),
                .date("changed", .derived(.dateOfChange))
            )
        )
        let read = try Model(json: model.json)
        let patient = try #require(read.entity("Patient"))
        #expect(patient.attribute("visitCount")?.derivation == .count(of: "visits"))
        #expect(patient.attribute("visitCount")?.isTransient == true)
        #expect(patient.attribute("searchName")?.derivation == .folded("name"))
        #expect(patient.attribute("changed")?.derivation == .dateOfChange)
        #expect(try Model(json: read.json) == read)
    }

    @Test func listsTheValidDerivations() throws {
        let json = """
            { "transformableModel": 1, "entities": [ { "name": "A", "attributes": [
                { "name": "a", "type": "string", "derived": "trim:(b)" } ] } ] }
            """
        let error = #expect(throws: StoreError.self) { _ = try Model(json: Data(json.utf8)) }
        #expect(error?.faults.first?.contains("“derived” must be") == true)
    }

    @Test(
        arguments: [
            (.string("x", .derived(.count(of: "visits"))), "is not an integer"),
            (.int16("x", .derived(.count(of: "doctor"))), "which is not a to-many relationship"),
            (.string("x", .derived(.lowercased("bed"))), "which is not a plain text attribute"),
            (.string("x", .derived(.lowercased("note"))), "is not optional, but is derived from note"),
            (.int16("x", .derived(.lowercased("name"))), "is not text"),
            (.int16("x", .derived(.dateOfChange)), "is not a date"),
            (.date("x", .derived(.dateOfChange), .default(.now)), "cannot have a default"),
            (.date("x", .derived(.dateOfChange), .transient), "cannot be transient"),
        ] as [(AttributeDescription, String)]
    )
    func rejectsInvalidDerivations(_ attribute: AttributeDescription, _ message: String) {
        let faults = Self.faults(Self.patient(attribute))
        #expect(faults.count == 1)
        #expect(faults.first?.contains(message) == true)
    }

    @Test func partsOfACompositeCanBeOptionalAndTransformed() {
        let composite = CompositeDescription(
            "address",
            parts: [.string("city", .optional), .transformed("lines", "json", as: [String].self, .optional)]
        )
        #expect(Self.faults(Self.patient(composites: [composite])).isEmpty)
    }
}
