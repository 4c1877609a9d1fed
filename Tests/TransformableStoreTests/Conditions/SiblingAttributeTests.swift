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
                attributes: [.int16("size"), .integer("weight"), .float("ratio"), .integer("mark")],
                relationships: [.toOne("place", "Box")]
            ),
            EntityDescription(
                "Liquid",
                parent: "Item",
                attributes: [.integer("size"), .double("weight"), .double("ratio"), .string("mark")],
                relationships: [.toOne("place", "Tank")]
            ),
            EntityDescription(
                "Box",
                attributes: [.integer("limit")],
                relationships: [.toMany("items", "Item", inverse: "box"), .toOne("favorite", "Item")]
            ),
            EntityDescription("Tank", attributes: [.string("name", .optional)]),
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

    // MARK: - Aggregates

    @Test func aggregatesNumbersOfDifferentTypes() throws {
        let store = try Self.store()
        let row = try store.read { context in
            let aggregates: [Aggregate] = [
                .max("size"), .max("weight"), .min("weight"), .max("ratio"), .sum("size"), .count(of: "mark"),
            ]
            return try context.aggregate("Item", aggregates)[0]
        }
        #expect(try row.value(.max("size"), as: Int.self) == 100_000)
        #expect(try row.value(.max("weight"), as: Int64.self) == Self.odd)
        #expect(try row.value(.min("weight"), as: Double.self) == 1)
        #expect(try row.value(.max("ratio"), as: Double.self) == 2.5)
        #expect(try row.value(.sum("size"), as: Int.self) == 100_017)
        #expect(try row.value(.count(of: "mark"), as: Int.self) == 4)
    }

    @Test func addsUpNumbersOfDifferentTypes() throws {
        let store = try Self.store()
        let row = try store.read { context in
            try context.aggregate("Item", [.sum("weight"), .average("weight")], where: Field("weight") < 100)[0]
        }
        #expect(try row.value(.sum("weight"), as: Double.self) == 3.5)
        #expect(try row.value(.average("weight"), as: Double.self) == 1.75)
    }

    // The nearest number to 0.1 in single precision differs from 0.1.
    @Test(
        arguments: [
            ("size", ["5: 2", "7: 2", "100000: 1"]),
            ("weight", ["1: 2", "2.5: 1", "9007199254740992: 1", "9007199254740993: 1"]),
            ("ratio", ["0.1: 1", "0.10000000149011612: 1", "0.5: 2", "2.5: 1"]),
        ] as [(String, [String])]
    )
    func groupsByNumbersOfDifferentTypes(name: String, groups: [String]) throws {
        let store = try Self.store()
        try store.write { context in
            let values: [String: any Sendable] = ["size": 7, "weight": 1.0, "ratio": 0.5, "mark": "y"]
            _ = try Self.make("Liquid", values, context)
        }
        let found = try store.read { context in
            try context.aggregate("Item", [.count], groupedBy: [name])
                .map { row in
                    let value = try row.anyValue(name) ?? "none"
                    let count = try row.value(.count, as: Int.self)
                    return "\(value): \(count)"
                }
        }
        #expect(found == groups)
    }

    @Test(arguments: [([.min("mark")], []), ([.max("mark")], []), ([.count], ["mark"])] as [([Aggregate], [String])])
    func refusesAggregatesOfNumbersAndText(aggregates: [Aggregate], groups: [String]) throws {
        let store = try Self.store()
        let error = #expect(throws: StoreError.self) {
            try store.read { try $0.aggregate("Item", aggregates, groupedBy: groups) }
        }
        #expect(error?.code == .unsupported)
        #expect(
            error?.message
                == "it is text, but a number in “Part”; aggregate the objects of each entity separately"
        )
        let row = try store.read { try $0.aggregate("Part", [.max("mark")])[0] }
        #expect(try row.value(.max("mark"), as: Int.self) == 4)
    }

    @Test func refusesToGroupByObjectsOfDifferentEntities() throws {
        let store = try Self.store()
        #expect(throws: StoreError(code: .unsupported)) {
            try store.read { try $0.aggregate("Item", [.count], groupedBy: ["place"]) }
        }
    }
}
