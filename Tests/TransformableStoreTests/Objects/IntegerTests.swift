import Foundation
import StandardPlugin
import Testing
import Transformable
import TransformableStore

/// Whole numbers of every width, with and without sign, as plain numbers.
@Suite(.eachEngine) struct IntegerTests {
    private static func model(version: Int = 1, count: AttributeDescription? = nil) throws -> Model {
        try Model(
            version: version,
            entities: [
                EntityDescription(
                    "Row",
                    attributes: [
                        .int8("tiny", .optional, .indexed), .uint8("byte", .optional, .default(7)),
                        .uint16("port", .optional, .range(1...65_535)), .uint32("word", .optional),
                        .uint64("long", .optional, .indexed), .plain("size", as: UInt.self, .optional),
                        count ?? .uint64("count", .optional),
                    ]
                )
            ]
        )
    }

    private static func store(_ longs: [UInt64] = []) throws -> Store {
        let store = try Store.trial(model: model(), transformers: TransformerRegistry { StandardPlugin() })
        try store.write { context in
            for long in longs { try context.insert("Row").setValue(long, for: "long") }
        }
        return store
    }

    private func longs(_ store: Store, _ condition: Condition) throws -> [UInt64] {
        try store.read { context in
            try context.fetch("Row", where: condition, sortedBy: [.ascending("long")])
                .map { try $0.value("long", as: UInt64.self) }
        }
    }

    @Test func integersAreStoredAsThemselves() throws {
        let store = try Self.store()
        try store.write { context in
            let row = try context.insert("Row")
            try row.setValue(Int8.min, for: "tiny")
            try row.setValue(UInt16.max, for: "port")
            try row.setValue(UInt32.max, for: "word")
            try row.setValue(UInt64(Int64.max), for: "long")
            try row.setValue(UInt(12), for: "size")
        }
        let cells = try store.read { context in
            let row = try context.fetch("Row")[0]
            return try ["tiny", "byte", "port", "word", "long", "size"].map { "\(try row.anyValue($0) ?? "none")" }
        }
        #expect(cells == ["-128", "7", "65535", "4294967295", "9223372036854775807", "12"])
        #expect(try store.read { try $0.count("Row", where: Condition("tiny == -128 and byte + 1 == 8")) } == 1)
    }

    @Test func integersAreComparedSortedAndSummed() throws {
        let store = try Self.store([5, 300, 0, UInt64(UInt32.max) + 1])
        #expect(try longs(store, .all) == [0, 5, 300, 4_294_967_296])
        #expect(try longs(store, Field("long") > UInt64(5)) == [300, 4_294_967_296])
        #expect(try longs(store, Condition("long between 1 and 300")) == [5, 300])
        // No column holds as much, and every one holds less.
        #expect(try longs(store, Field("long") < UInt64.max).count == 4)
        #expect(try longs(store, Field("long") == UInt64.max).isEmpty)
        #expect(
            try store.read { try $0.aggregate("Row", [.sum("long")])[0].value(.sum("long"), as: Int.self) }
                == 4_294_967_601
        )
    }

    @Test func integersAreNotRoundedForAnAlternativeThatNoColumnCanHold() throws {
        let store = try Self.store([9_007_199_254_740_992, 9_007_199_254_740_993])
        let number: UInt64 = 9_007_199_254_740_993
        #expect(try longs(store, (Field("long") ?? UInt64.max) == number) == [number])
        #expect(try longs(store, (Field("count") ?? UInt64.max) > number).count == 2)
    }

    /// Conditions on numbers next to 2⁵³ and 2⁶³, where a whole number is rounded if it is converted.
    private static let realComparisons: [(String, [Int64])] = [
        ("whole == 9007199254740992.0", []), ("whole != 9007199254740992.0", [1, 2, 3, 4, 5, 6]),
        ("9007199254740992.0 == whole", []), ("whole == -9223372036854775808", [3]),
        ("whole in (9007199254740992.0, 3.0, 2.5)", [4]), ("whole in (9007199254740992.0, null)", [5]),
        ("whole < 9223372036854775808", [1, 2, 3, 4, 6]), ("whole <= 9223372036854775808", [1, 2, 3, 4, 6]),
        ("whole > 9223372036854775808", []), ("whole >= 9223372036854775808", []),
        ("whole > -9223372036854775808", [1, 2, 4, 6]), ("whole > -10000000000000000000", [1, 2, 3, 4, 6]),
        ("whole < -10000000000000000000", []), ("whole < 3.5", [3, 4]), ("whole <= 2.5", [3]),
        ("whole > 2.5", [1, 2, 4, 6]), ("whole >= 3.5", [1, 2, 6]), ("whole > 9007199254740992.0", [1, 2, 6]),
        ("whole between 2.5 and 9007199254740994.0", [1, 4]), ("whole == 3.5", []),
        // This number lies between two of type Double, and is rounded down.
        ("real == 9007199254740993", []), ("real < 9007199254740993", [1, 3, 4]),
        ("real <= 9007199254740993", [1, 3, 4]), ("real > 9007199254740993", [2, 6]),
        ("real >= 9007199254740993", [2, 6]),
        // This one is rounded up.
        ("real < 9007199254740995", [1, 3, 4]), ("real <= 9007199254740995", [1, 3, 4]),
        ("real > 9007199254740995", [2, 6]), ("real >= 9007199254740995", [2, 6]),
        ("real in (9007199254740995, 9007199254740996)", [6]), ("real == 9007199254740996", [6]),
        ("real in (9007199254740993, 5)", []), ("real in (9007199254740992, 5)", [1]),
        ("whole == real", [3, 5]), ("whole != real", [1, 2, 4, 6]), ("whole < real", [2, 6]), ("real > whole", [2, 6]),
        ("whole > real", [1, 4]), ("whole >= real", [1, 3, 4]), ("_id < real", [1, 2, 6]),
    ]

    @Test(arguments: realComparisons)
    func integersAreComparedWithRealNumbersWithoutRounding(text: String, numbers: [Int64]) throws {
        let entity = EntityDescription("Pair", attributes: [.integer("whole", .optional), .double("real", .optional)])
        let store = try Store.trial(model: Model(entities: [entity]), transformers: TransformerRegistry {})
        let pairs: [(whole: Int64?, real: Double?)] = [
            (9_007_199_254_740_993, 9_007_199_254_740_992), (.max, 0x1p63), (.min, -0x1p63), (3, 2.5), (nil, nil),
            (9_007_199_254_740_995, 9_007_199_254_740_996),
        ]
        try store.insert(many: pairs, into: "Pair") { object, pair in
            try object.setValue(pair.whole, for: "whole")
            try object.setValue(pair.real, for: "real")
        }
        let condition = try Condition(text)
        #expect(try store.read { try $0.ids("Pair", where: condition).map(\.number) } == numbers)
        let others = try store.read { try $0.ids("Pair", where: !condition).map(\.number) }
        #expect(others == (1...6).filter { !numbers.contains($0) })
    }

    private static let odd: Int64 = 9_007_199_254_740_993

    /// Conditions on the first of two numbers that is present, where a whole number is rounded if it is converted.
    private static let choices: [(Condition, [Int64])] = {
        let (whole, real, odd) = (Field("whole"), Field("real"), Self.odd)
        let (first, last): (Field, Field) = (whole ?? real, real ?? whole)
        var choices: [(Condition, [Int64])] = []
        func add(_ condition: Condition, _ numbers: [Int64]) { choices.append((condition, numbers)) }
        add(first == odd, [1])
        add(first != odd, [2, 3, 4, 5, 6])
        add(first == odd - 1, [2, 3])
        add(first > odd, [])
        add(first >= odd, [1])
        add(first > odd - 1, [1])
        add(first < odd, [2, 3, 4, 6])
        add(first <= odd - 1, [2, 3, 4, 6])
        add(first == 2.5, [4])
        add(first == nil, [5])
        add(first == whole, [1, 2, 5, 6])
        add(whole == last, [1, 2, 5])
        add(last == odd, [1])
        add(last < 3, [4, 6])
        add((whole ?? 0.5) == odd, [1])
        add((whole ?? 0.5) < 1, [3, 4, 5])
        add((real ?? odd) == odd, [1, 2, 5])
        add((real ?? odd) > odd - 1, [1, 2, 5])
        add((real ?? 0) == 0, [1, 2, 5])
        add((real ?? 3) > 2.5, [1, 2, 3, 5])
        return choices
    }()

    @Test(arguments: choices)
    func choosesBetweenIntegersAndRealNumbersWithoutRounding(condition: Condition, numbers: [Int64]) throws {
        let entity = EntityDescription("Pair", attributes: [.integer("whole", .optional), .double("real", .optional)])
        let store = try Store.trial(model: Model(entities: [entity]), transformers: TransformerRegistry {})
        let pairs: [(whole: Int64?, real: Double?)] = [
            (Self.odd, nil), (Self.odd - 1, nil), (nil, 9_007_199_254_740_992), (nil, 2.5), (nil, nil), (3, 2.5),
        ]
        try store.insert(many: pairs, into: "Pair") { object, pair in
            try object.setValue(pair.whole, for: "whole")
            try object.setValue(pair.real, for: "real")
        }
        #expect(try store.read { try $0.ids("Pair", where: condition).map(\.number) } == numbers)
        let others = try store.read { try $0.ids("Pair", where: !condition).map(\.number) }
        #expect(others == (1...6).filter { !numbers.contains($0) })
    }

    // 2²⁴ + 1 lies between two numbers in single precision, and 1e300 is larger than any of them.
    @Test(arguments: [
        ("ratio < 16777217", [1, 2]), ("ratio >= 16777217", [3]), ("ratio == 16777217", []),
        ("ratio in (16777217, 0.1)", [2]), ("ratio in (16777216, 5)", [1]), ("ratio == 0.1", [2]),
        ("ratio <= 0.1", [2]), ("ratio == 1e300", []), ("ratio < 1e300", [1, 2]), ("ratio in (1e300, 5)", []),
    ])
    func singlePrecisionIsComparedWithoutRounding(text: String, numbers: [Int64]) throws {
        let entity = EntityDescription("Scale", attributes: [.float("ratio")])
        let store = try Store.trial(model: Model(entities: [entity]), transformers: TransformerRegistry {})
        try store.insert(many: [16_777_216, 0.1, .infinity] as [Float], into: "Scale") { object, ratio in
            try object.setValue(ratio, for: "ratio")
        }
        let condition = try Condition(text)
        #expect(try store.read { try $0.ids("Scale", where: condition).map(\.number) } == numbers)
        let others = try store.read { try $0.ids("Scale", where: !condition).map(\.number) }
        #expect(others == (1...3).filter { !numbers.contains($0) })
    }

    @Test(arguments: [
        ("tiny", "128"), ("tiny", "-129"), ("byte", "256"), ("byte", "-1"), ("word", "4294967296"), ("long", "-1"),
        ("long", "9223372036854775808"), ("size", "18446744073709551615"), ("byte", "1.5"), ("port", "0"),
    ])
    func rejectsNumbersThatDoNotFit(name: String, text: String) throws {
        let store = try Self.store()
        #expect(throws: StoreError(code: .invalidValue)) {
            try store.write { try $0.insert("Row").setValue(text: text, for: name) }
        }
        #expect(try store.read { try $0.count("Row") } == 0)
    }

    @Test func neverStoresADifferentNumber() throws {
        let store = try Self.store()
        let error = #expect(throws: StoreError.self) {
            try store.write { try $0.insert("Row").setValue(UInt64(Int64.max) + 1, for: "long") }
        }
        #expect(error?.code == .invalidValue)
        #expect(error?.description.contains("9223372036854775807") == true, "\(error?.description ?? "")")
    }

    private static func scales() throws -> Store {
        let entity = EntityDescription("Scale", attributes: [.float("single", .optional), .double("real", .optional)])
        return try Store.trial(model: Model(entities: [entity]), transformers: TransformerRegistry {})
    }

    // The integers lie between two numbers of the attribute's type.
    private static let differentNumbers: [(String, any PlainValue & Sendable)] = [
        ("single", 1e300), ("single", -1e39), ("single", 1e-300), ("single", 16_777_217), ("single", Int.max),
        ("real", 9_007_199_254_740_993), ("real", Int.max),
    ]

    @Test(arguments: differentNumbers)
    func neverConvertsToADifferentNumber(name: String, number: any PlainValue & Sendable) throws {
        let store = try Self.scales()
        try store.write { context in
            let scale = try context.insert("Scale")
            let error = #expect(throws: StoreError.self) { try scale.setValue(any: number, for: name) }
            #expect(error?.code == .wrongType)
            #expect(error?.description.contains("this number cannot be converted") == true)
        }
    }

    @Test func convertsNumbersThatTheTypeCanHold() throws {
        let store = try Self.scales()
        try store.write { context in
            let scale = try context.insert("Scale")
            try scale.setValue(0.1, for: "single")
            try scale.setValue(Int.min, for: "real")
            #expect(try scale.value("single", as: Float.self) == 0.1)
            #expect(try scale.value("real", as: Double.self) == -0x1p63)
            try scale.setValue(Double.infinity, for: "single")
            #expect(try scale.value("single", as: Double.self) == .infinity)
            try scale.setValue(1e300, for: "real")
            let error = #expect(throws: StoreError.self) { try scale.value("real", as: Float.self) }
            #expect(error?.code == .wrongType)
        }
    }

    @Test func modelsContainTheTypes() throws {
        let model = try Self.model()
        let json = String(decoding: model.json, as: UTF8.self)
        for type in ["int8", "uint8", "uint16", "uint32", "uint64"] { #expect(json.contains("\"\(type)\"")) }
        #expect(try Model(json: model.json).json == model.json)
        let bad = json.replacing("\"default\" : 7", with: "\"default\" : 256")
        #expect(throws: StoreError(code: .invalidModel)) { try Model(json: Data(bad.utf8)) }
    }
}
