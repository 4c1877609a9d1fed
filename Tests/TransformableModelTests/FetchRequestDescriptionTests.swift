import Foundation
import Testing
import TransformableModel

/// Fetch requests of a model, and the parameters of their conditions.
@Suite struct FetchRequestDescriptionTests {
    private static func model(_ requests: FetchRequestDescription...) throws -> Model {
        let patient = EntityDescription("Patient", attributes: [.string("name"), .int16("age")])
        return try Model(entities: [patient], fetchRequests: requests)
    }

    @Test func readsItsJSON() throws {
        let json = """
            { "transformableModel": 1, "entities": [ { "name": "Patient", "attributes": [
                { "name": "name", "type": "string" }, { "name": "age", "type": "int16" } ] } ],
              "fetchRequests": [
                { "name": "adults", "entity": "Patient", "where": "age >= $age and name in $names",
                  "sortedBy": ["name", { "name": "age", "descending": true }], "limit": 10, "offset": 2,
                  "userInfo": { "screen": "list" } },
                { "name": "everybody", "entity": "Patient" } ] }
            """
        let model = try Model(json: Data(json.utf8))
        let adults = try #require(model.fetchRequest("adults"))
        #expect(adults.entity == "Patient")
        #expect(adults.condition == "age >= $age and name in $names")
        #expect(adults.parameters == ["age", "names"])
        #expect(adults.order == [.ascending("name"), .descending("age")])
        #expect(adults.limit == 10)
        #expect(adults.offset == 2)
        #expect(adults.userInfo == ["screen": "list"])
        #expect(model.fetchRequest("everybody")?.condition == "true")
        #expect(try Model(json: model.json) == model)
    }

    @Test func aModelWithoutRequestsHasNoKeyForThem() throws {
        #expect(try !String(decoding: Self.model().json, as: UTF8.self).contains("fetchRequests"))
    }

    @Test(arguments: [
        (FetchRequestDescription("a", of: "Visit"), "“Visit”"),
        (FetchRequestDescription("a", of: "Patient", where: "age >="), "has an invalid condition"),
        (FetchRequestDescription("a", of: "Patient", where: "age == $"), "“$” must be followed by"),
        (FetchRequestDescription("a", of: "Patient", limit: -1), "negative limit"),
        (FetchRequestDescription("a b", of: "Patient"), "must begin with a letter"),
    ])
    func rejectsInvalidRequests(_ request: FetchRequestDescription, _ message: String) throws {
        let error = #expect(throws: StoreError.self) { _ = try Self.model(request) }
        #expect(error?.code == .invalidModel)
        #expect(error?.faults.contains { $0.contains(message) } == true)
    }

    @Test func rejectsDuplicateNames() throws {
        let request = FetchRequestDescription("a", of: "Patient")
        #expect(throws: StoreError(.invalidModel, "")) { _ = try Self.model(request, request) }
    }

    @Test func everyParameterNeedsAValue() throws {
        let request = FetchRequestDescription("a", of: "Patient", where: "age >= $least and age <= $most")
        let error = #expect(throws: StoreError.self) { _ = try request.condition(with: ["least": 1]) }
        #expect(error?.code == .invalidCondition)
        #expect(error?.description.contains("$most has no value") == true)
    }

    @Test func rejectsUnknownParameters() throws {
        let request = FetchRequestDescription("a", of: "Patient", where: "age >= $least")
        let error = #expect(throws: StoreError.self) { _ = try request.condition(with: ["least": 1, "x": 2]) }
        #expect(error?.description.contains("has no parameter $x; its parameters are $least") == true)
    }

    @Test func onlyAnArrayCanFollowIn() throws {
        let error = #expect(throws: StoreError.self) { _ = try Condition("age in $ages", parameters: ["ages": 3]) }
        #expect(error?.code == .invalidCondition)
        _ = try Condition("age in $ages", parameters: ["ages": [3, 4]])
    }

    /// What a name means is looked up once for a family, however many paths lead through it.
    @Test func checksLongPathsThroughLargeFamilies() throws {
        let parent = EntityDescription("Parent", abstract: true, relationships: [.toOne("r", "Parent")])
        let path = Array(repeating: "r", count: 32).joined(separator: ".")
        let condition = Array(repeating: "\(path) is null", count: 800).joined(separator: " or ")
        let requests = (0..<4).map { FetchRequestDescription("q\($0)", of: "Parent", where: condition) }
        let children = (0..<900).map { EntityDescription("E\($0)", parent: "Parent") }
        try quickly {
            try Model(entities: [parent] + children, fetchRequests: requests).requireNamesOfFetchRequests()
        }
    }
}
