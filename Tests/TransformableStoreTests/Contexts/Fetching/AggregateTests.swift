import Foundation
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

@Suite struct AggregateTests {
    private static let hospital = ComputedConditionTests.hospital

    @Test func computesSums() throws {
        let row = try ComputedConditionTests.store.get()
            .read { context in
                try context.aggregate(
                    "Patient",
                    [.count, .count(of: "age"), .sum("age"), .min("weight"), .max("name"), .average("age")],
                    where: Field("small") < 3
                )
            }
        let patients = Self.hospital.patients.filter { $0.small < 3 }
        let ages = patients.compactMap(\.age)
        #expect(row.count == 1)
        #expect(try row[0].value(.count, as: Int.self) == patients.count)
        #expect(try row[0].value(.count(of: "age"), as: Int.self) == ages.count)
        #expect(try row[0].value(.sum("age"), as: Int.self) == ages.reduce(0, +))
        #expect(try row[0].value(.min("weight"), as: Double.self) == patients.compactMap(\.weight).min())
        #expect(try row[0].value(.max("name"), as: String.self) == patients.map(\.name).max())
        let mean = try row[0].value(.average("age"), as: Double.self)
        #expect(abs(mean - Double(ages.reduce(0, +)) / Double(ages.count)) < 1e-9)
    }

    @Test func groupsObjects() throws {
        let rows = try ComputedConditionTests.store.get()
            .read { try $0.aggregate("Patient", [.count, .sum("weight")], groupedBy: ["age", "isActive"]) }
        let groups = Dictionary(grouping: Self.hospital.patients) { [$0.age ?? -99, $0.isActive ? 1 : 0] }
        #expect(rows.count == groups.count)
        let keys = try rows.map {
            [try $0.value("age", as: Int?.self) ?? -99, try $0.value("isActive", as: Bool.self) ? 1 : 0]
        }
        #expect(keys == groups.keys.sorted { $0.lexicographicallyPrecedes($1) })
        for (row, key) in zip(rows, keys) {
            #expect(try row.value(.count, as: Int.self) == groups[key]?.count)
            // Quarters are summed without rounding.
            #expect(try row.value(.sum("weight"), as: Double.self) == groups[key]?.compactMap(\.weight).reduce(0, +))
        }
    }

    @Test func aggregatesOfNoObjectsHaveNoValue() throws {
        let rows = try ComputedConditionTests.store.get()
            .read { context in
                try context.aggregate("Patient", [.count, .sum("age"), .max("age")], where: .none)
            }
        #expect(try rows[0].value(.count, as: Int.self) == 0)
        #expect(try rows[0].value(.sum("age"), as: Int.self) == 0)
        #expect(try rows[0].value(.max("age"), as: Int?.self) == nil)
        #expect(throws: StoreError(code: .missingValue)) { try rows[0].value(.max("age"), as: Int.self) }
        #expect(throws: StoreError(code: .unknownAttribute)) { try rows[0].value(.sum("small"), as: Int.self) }
    }

    @Test(arguments: [
        (Aggregate.sum("name"), StoreError.Code.unsupported), (.sum("secret"), .unsupported),
        (.average("name"), .unsupported), (.max("x"), .unknownAttribute),
    ])
    func rejectsAttributesThatCannotBeSummed(aggregate: Aggregate, code: StoreError.Code) throws {
        let error = #expect(throws: StoreError.self) {
            try ComputedConditionTests.store.get().read { try $0.aggregate("Patient", [aggregate]) }
        }
        #expect(error?.code == code)
    }

    @Test(.eachEngine) func aSumThatDoesNotFitIsAnError() throws {
        let store = try Store.trial(model: Models.person(), transformers: Transformers().registry())
        try store.addPerson("a", age: .max)
        try store.addPerson("b", age: 1)
        #expect(throws: StoreError(code: .arithmeticFailure)) {
            try store.read { try $0.aggregate("Person", [.sum("age")]) }
        }
    }

    @Test(.eachEngine) func aSumThatIsNotANumberIsAnError() throws {
        let entity = EntityDescription("Row", attributes: [.double("x", .optional), .string("name", .optional)])
        let store = try Store.trial(model: Model(entities: [entity]), transformers: TransformerRegistry {})
        let sum = { try store.read { try $0.aggregate("Row", [.sum("x")])[0].value(.sum("x"), as: Double.self) } }
        #expect(try sum() == 0)
        try store.write { _ = try $0.insert("Row") }
        #expect(try sum() == 0)
        try store.insert(many: [Double.infinity, 1], into: "Row") { try $0.setValue($1, for: "x") }
        #expect(try sum() == .infinity)
        try store.insert(many: [-Double.infinity], into: "Row") { try $0.setValue($1, for: "x") }
        #expect(throws: StoreError(code: .arithmeticFailure)) { try sum() }
        #expect(throws: StoreError(code: .arithmeticFailure)) {
            try store.read { try $0.aggregate("Row", [.average("x")]) }
        }
        // Only Swift can decide the condition, so it also computes the sum.
        #expect(throws: StoreError(code: .arithmeticFailure)) {
            try store.read { try $0.aggregate("Row", [.sum("x")], where: Condition("name ==[c] 'é' or _id > 0")) }
        }
    }

    @Test func readsSelectedAttributes() throws {
        let rows = try ComputedConditionTests.store.get()
            .read { context in
                try context.values(
                    "Patient",
                    of: ["secret", "name", "secret_blind"],
                    where: Field("secret") != nil,
                    sortedBy: [.descending("age"), .ascending("name")],
                    limit: 5,
                    offset: 1
                )
            }
        let expected = Self.hospital.patients.enumerated().filter { $0.element.secret != nil }
            .sorted { left, right in
                let (one, other) = (left.element.age ?? .min, right.element.age ?? .min)
                if one != other { return one > other }
                return left.element.name == right.element.name
                    ? left.offset < right.offset : left.element.name < right.element.name
            }
            .dropFirst().prefix(5)
        #expect(rows.map(\.id?.number) == expected.map { Int64($0.offset + 1) })
        #expect(try rows.map { try $0.value("name", as: String.self) } == expected.map(\.element.name))
        #expect(try rows.map { try $0.value("secret", as: String?.self) } == expected.map(\.element.secret))
        let digests = expected.map { patient in
            let secret = Data((patient.element.secret ?? "").precomposedStringWithCanonicalMapping.utf8)
            return BlindTransformer(keys: [7]).encode(secret, in: .none)
        }
        #expect(try rows.map { try $0.value("secret_blind", as: Int64.self) } == digests)
        #expect(throws: StoreError(code: .unknownAttribute)) { try rows[0].value("age", as: Int.self) }
        #expect(throws: StoreError(code: .wrongType)) { try rows[0].value("secret", as: Int.self) }
    }

    @Test func iteratesInBatches() throws {
        let sizes = try ComputedConditionTests.store.get()
            .read { context in
                var sizes: [Int] = []
                var numbers: [Int64] = []
                try context.forEachBatch("Patient", of: 90) { batch in
                    sizes.append(batch.count)
                    numbers += batch.map(\.id.number)
                }
                #expect(numbers == Array(1...600))
                return sizes
            }
        #expect(sizes == [90, 90, 90, 90, 90, 90, 60])
    }

    @Test func findsOrInserts() throws {
        let model = try Model(entities: [
            EntityDescription(
                "Ward",
                attributes: [
                    .string("code", .unique), .integer("floor"), .integer("wing"), .string("name", .optional),
                ],
                unique: [["floor", "wing"]]
            )
        ])
        let store = try Store.inMemory(model: model, transformers: Transformers().registry())
        try store.write { context in
            let (first, isNew) = try context.findOrInsert("Ward", ["code": "A"])
            #expect(isNew)
            try first.setValue(1, for: "floor")
            try first.setValue(2, for: "wing")
            let (second, isNewToo) = try context.findOrInsert("Ward", ["code": "A"])
            #expect(second === first && !isNewToo)
            #expect(try context.findOrInsert("Ward", ["floor": 1, "wing": 2]).object === first)
            #expect(throws: StoreError(code: .misuse)) { try context.findOrInsert("Ward", ["name": "x"]) }
            #expect(throws: StoreError(code: .misuse)) { try context.findOrInsert("Ward", ["floor": 1]) }
            #expect(throws: StoreError(code: .unknownAttribute)) { try context.findOrInsert("Ward", ["x": 1]) }
        }
        #expect(try store.read { try $0.count("Ward") } == 1)
        #expect(throws: StoreError(code: .readOnly)) {
            try store.read { _ = try $0.findOrInsert("Ward", ["code": "A"]) }
        }
    }
}
