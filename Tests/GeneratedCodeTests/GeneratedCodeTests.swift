import Foundation
import Testing
import TransformableEntities
import TransformableModel

/// The classes of this target's models, which the build plugin generates, say the same as the models.
@Suite struct GeneratedCodeTests {
    struct Case: CustomTestStringConvertible {
        let name: String
        let model: @Sendable () throws -> Model

        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "Bounds", model: BoundsSchema.model), Case(name: "Family", model: FamilySchema.model),
        Case(name: "History", model: HistorySchema.model), Case(name: "Kinds", model: KindsSchema.model),
        Case(name: "Library", model: LibrarySchema.model), Case(name: "Mapped", model: MappedSchema.model),
        Case(name: "Rules", model: RulesSchema.model), Case(name: "Sizes", model: SizesSchema.model),
        Case(name: "Transformed", model: TransformedSchema.model), Case(name: "Words", model: WordsSchema.model),
    ]

    @Test(arguments: cases)
    func declaresTheModel(_ item: Case) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Models")
        let json = try Data(contentsOf: folder.appending(path: "\(item.name).transformable.json"))
        let expected = try PlainModel(Model(json: json))
        let found = try PlainModel(item.model())
        #expect(found.lines.difference(from: expected.lines).map(\.self) == [])
    }
}
