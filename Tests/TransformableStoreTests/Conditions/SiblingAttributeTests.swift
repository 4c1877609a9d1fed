import Foundation
import Testing
import Transformable
import TransformableStore

/// Entities with the same parent that declare attributes of the same name with different types.
@Suite(.eachEngine) struct SiblingAttributeTests {
    // No Double is equal to it.
    private static let odd: Int64 = 9_007_199_254_740_993

    private static func model() throws -> Model {
        try Model(entities: [
            EntityDescription("Item", abstract: true, relationships: [.toOne("box", "Box")]),
            EntityDescription(
                "Part",
                parent: "Item",
                attributes: [.int16("size"), .integer("weight"), .float("ratio"), .integer("mark")]
            ),
            EntityDescription(
                "Liquid",
                parent: "Item",
                attributes: [.integer("size"), .double("weight"), .double("ratio"), .string("mark")]
            ),
            EntityDescription(
                "Box",
                attributes: [.integer("limit")],
                relationships: [.toMany("items", "Item", inverse: "box"), .toOne("favorite", "Item")]
            ),
        ])
    }

    /// Returns a store with two boxes, each of which contains a part and a liquid.
    private static func store() throws -> Store {
        let store = try Store.trial(model: model(), transformers: TransformerRegistry {})
        try store.write { context in
            let boxes = try [odd, 3].map { try make("Box", ["limit": $0], context) }
            let items = try objects.map { try make($0.entity, $0.values, context) }
            for (item, box) in zip(items, [boxes[0], boxes[1], boxes[0], boxes[1]]) {
                try item.setObject(box, for: "box")
            }
            try boxes[0].setObject(items[0], for: "favorite")
            try boxes[1].setObject(items[3], for: "favorite")
        }
        return store
    }

    private static func make(
        _ entity: String,
        _ values: [String: any Sendable],
        _ context: StoreContext
    ) throws -> ManagedObject {
        let object = try context.insert(entity)
        for (name, value) in values { try object.setValue(any: value, for: name) }
        return object
    }

    private static let objects: [(entity: String, values: [String: any Sendable])] = [
        ("Part", ["size": 5, "weight": odd, "ratio": 0.1, "mark": 3]),
        ("Part", ["size": 7, "weight": 1, "ratio": 0.5, "mark": 4]),
        ("Liquid", ["size": 100_000, "weight": 9_007_199_254_740_992.0, "ratio": 0.1, "mark": "3"]),
        ("Liquid", ["size": 5, "weight": 2.5, "ratio": 2.5, "mark": "x"]),
    ]

    @Test(
        arguments: [
            ("limit == favorite.weight", [1]), ("limit > favorite.weight", [2]), ("favorite.weight >= limit", [1]),
            ("favorite.weight - 0.5 == 2", [2]), ("items.@max.weight == 9007199254740993", [1]),
            ("items.@max.weight > 9007199254740992", [1]), ("items.@max.weight == limit", [1]),
            ("items.@min.weight == 9007199254740992", [1]), ("items.@min.weight == 1", [2]),
            ("items.@sum.weight == 3.5", [2]), ("items.@max.size == 100000", [1]),
        ] as [(String, [Int64])]
    )
    func conditionsCompareNumbersOfDifferentTypesWithoutRounding(text: String, numbers: [Int64]) throws {
        let condition = try Condition(text)
        #expect(try Self.store().read { try $0.ids("Box", where: condition).map(\.number) } == numbers)
    }

    /// In single precision, 2²⁴ + 1 is rounded to 2²⁴.
    @Test(arguments: [false, true]) func choosesBetweenNumbersOfEitherPrecisionWithoutRounding(isReversed: Bool) throws
    {
        let entity = EntityDescription("Scale", attributes: [.float("single", .optional), .double("real", .optional)])
        let store = try Store.trial(model: Model(entities: [entity]), transformers: TransformerRegistry {})
        try store.insert(many: [16_777_216.0, 16_777_217.0, 0.1], into: "Scale") { object, number in
            try object.setValue(number, for: "real")
        }
        let (single, real) = (Field("single"), Field("real"))
        let either: Field = isReversed ? real ?? single : single ?? real
        let numbers = { (condition: Condition) in
            try store.read { try $0.ids("Scale", where: condition).map(\.number) }
        }
        #expect(try numbers(either == 0.1) == [3])
        #expect(try numbers(either == 16_777_217.0) == [2])
        #expect(try numbers(either + 1 == 16_777_218) == [2])
    }
}
