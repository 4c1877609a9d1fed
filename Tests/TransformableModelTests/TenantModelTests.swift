import Foundation
import Testing
import TransformableModel

@Suite struct TenantModelTests {
    private static let json = """
        { "transformableModel": 1, "tenants": true, "entities": [
            { "name": "Country", "shared": true, "attributes": [{ "name": "code", "type": "string" }] },
            { "name": "State", "parent": "Country" },
            { "name": "Patient", "attributes": [{ "name": "name", "type": "string" }],
              "relationships": [{ "name": "country", "to": "Country" }] }
        ] }
        """

    @Test func readsTenantsFromJSON() throws {
        let model = try Model(json: Data(Self.json.utf8))
        #expect(model.hasTenants)
        #expect(model.entities.map(\.isShared) == [true, false, false])
        #expect(["Country", "State", "Patient", "Nobody"].map(model.belongsToTenants) == [false, false, true, false])
    }

    @Test func survivesJSON() throws {
        let model = try Model(json: Data(Self.json.utf8))
        #expect(try Model(json: model.json) == model)
        let text = String(decoding: model.json, as: UTF8.self)
        #expect(text.contains("\"tenants\" : true") && text.contains("\"shared\" : true"))
    }

    @Test func modelWithoutTenantsDoesNotMentionThem() throws {
        let model = try Model(entities: [EntityDescription("Patient")])
        #expect(!model.hasTenants && !model.belongsToTenants("Patient"))
        let text = String(decoding: model.json, as: UTF8.self)
        #expect(!text.contains("tenants") && !text.contains("shared"))
    }

    @Test func changesOfVersionsAndRequestsKeepTenants() throws {
        let model = try Model(json: Data(Self.json.utf8))
        #expect(try model.replacingFetchRequests(with: []).hasTenants)
    }

    @Test(arguments: [
        ("shared", "{ \"name\": \"A\", \"shared\": 1 }"), ("tenants", ""),
    ]) func flagsMustBeBooleans(key: String, entity: String) {
        let tenants = key == "tenants" ? "\"yes\"" : "true"
        let json = "{ \"transformableModel\": 1, \"tenants\": \(tenants), \"entities\": [\(entity)] }"
        let error = #expect(throws: StoreError.self) { try Model(json: Data(json.utf8)) }
        #expect(error?.code == .invalidModel)
        #expect(error?.faults.contains { $0.contains(key) } == true)
    }

    struct Case: CustomTestStringConvertible {
        let fault: String
        var hasTenants = true
        let entities: [EntityDescription]

        var testDescription: String { fault }
    }

    private static let patient = EntityDescription("Patient")
    private static let country = EntityDescription("Country", shared: true)

    static let cases = [
        Case(fault: "Country is shared, but the model has no tenants", hasTenants: false, entities: [country]),
        Case(
            fault: "Child is shared, but its parent Patient is not",
            entities: [patient, EntityDescription("Child", parent: "Patient", shared: true)]
        ),
        Case(
            fault: "Country.patient refers from a shared entity to Patient, whose objects belong to tenants",
            entities: [
                patient, EntityDescription("Country", relationships: [.toOne("patient", "Patient")], shared: true),
            ]
        ),
        Case(
            fault: "State.patient refers from a shared entity to Patient, whose objects belong to tenants",
            entities: [
                patient, country,
                EntityDescription("State", parent: "Country", relationships: [.toOne("patient", "Patient")]),
            ]
        ),
        Case(
            fault:
                "Patient.countries refers to several objects of the shared entity Country: use an entity for the pairs",
            entities: [
                country, EntityDescription("Patient", relationships: [.toMany("countries", "Country")]),
            ]
        ),
        Case(
            fault: "Patient.country would delete objects of the shared entity Country along with those of a tenant",
            entities: [
                country,
                EntityDescription("Patient", relationships: [.toOne("country", "Country", deleteRule: .cascade)]),
            ]
        ),
    ]

    @Test(arguments: cases) func rejects(invalid: Case) {
        let error = #expect(throws: StoreError.self) {
            try Model(hasTenants: invalid.hasTenants, entities: invalid.entities)
        }
        #expect(error?.code == .invalidModel)
        #expect(error?.faults == [invalid.fault])
    }

    @Test func tenantsMayReferToSharedObjects() throws {
        let entities = [
            Self.country, EntityDescription("State", parent: "Country"),
            EntityDescription("Patient", relationships: [.toOne("state", "State")]),
        ]
        #expect(try Model(hasTenants: true, entities: entities).belongsToTenants("Patient"))
    }
}
