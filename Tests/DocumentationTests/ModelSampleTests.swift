import Testing
import TransformableModel

/// The samples of TransformableModel's documentation.
@Suite struct ModelSampleTests {
    @Test func landingPage() throws {
        let model = try Model(
            version: 2,
            entities: [
                EntityDescription(
                    "Patient",
                    attributes: [.string("name", .indexed), .transformed("bed", "rect"), .int16("age", .optional)]
                )
            ]
        )
        let same = try Model(json: model.json)
        let types = same.attributes(of: "Patient").map(\.type)  // string, transformed, int16
        let adults = try Condition("age >= 18 and name startsWith \"A\"")
        #expect(types == [.string, .transformed, .int16])
        #expect(same.version == 2)
        _ = adults
    }
}
