import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore
import _HostileInputs

/// Decimal numbers, which are text in the file, compared with Foundation's.
@Suite struct DecimalTests {
    private static func model() throws -> Model {
        try Model(entities: [
            EntityDescription(
                "Sale",
                abstract: true,
                attributes: [.decimal("price", .optional), .integer("day")],
                relationships: [.toOne("buyer", "Buyer")]
            ),
            EntityDescription("Online", parent: "Sale"), EntityDescription("Counter", parent: "Sale"),
            EntityDescription(
                "Buyer",
                attributes: [.decimal("limit", .optional)],
                relationships: [.toMany("sales", "Sale", inverse: "buyer")]
            ),
        ])
    }

    private static func store() throws -> Store {
        try Store.inMemory(model: model(), transformers: Transformers().registry())
    }

    /// A default with 33 digits, and one that a double could not represent.
    @Test(arguments: ["-258712345678901234567890123456789.5", "738032340.5", "0.1", "12345678901234567890", "-7"])
    func defaultsKeepAllDigits(text: String) throws {
        let json = """
            {"transformableModel": 1, "entities": [{"name": "A", "attributes": [
              {"name": "a", "type": "decimal", "default": \(text), "optional": true}]}]}
            """
        let model = try Model(json: Data(json.utf8))
        let store = try Store.inMemory(model: model, transformers: Transformers().registry())
        let value = try store.write { try $0.insert("A").value("a", as: Decimal.self) }
        #expect(value == Decimal(string: text))
    }

    /// Sales of alternating kinds, on the days 0, 1, and 2 in turn.
    private static func store(of prices: [Decimal?]) throws -> Store {
        let store = try store()
        try store.write { context in
            let buyer = try context.insert("Buyer")
            for (index, price) in prices.enumerated() {
                let sale = try context.insert(index % 2 == 0 ? "Online" : "Counter")
                try sale.setValue(price, for: "price")
                try sale.setValue(index % 3, for: "day")
                try sale.setObject(buyer, for: "buyer")
            }
        }
        return store
    }

    /// Numbers of all magnitudes and signs whose sums fit, and nil.
    private static func prices(_ count: Int, seed: UInt64) -> [Decimal?] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count)
            .map { _ in
                guard generator.next(12) > 0 else { return nil }
                let digits = Decimal(Int64(bitPattern: generator.next()) >> Int64(generator.next(64)))
                return digits * Decimal(sign: .plus, exponent: Int(generator.next(12)) - 8, significand: 1)
            }
    }

    private func sales(_ store: Store, _ order: SortKey, where condition: Condition = .all) throws -> [Decimal?] {
        try store.read { context in
            try context.fetch("Sale", where: condition, sortedBy: [order])
                .map { try $0.value("price", as: Decimal?.self) }
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func sortsLikeFoundation(seed: UInt64) throws {
        let prices = Self.prices(400, seed: seed)
        let store = try Self.store(of: prices)
        let expected = prices.compactMap(\.self).sorted()
        let none = Array(repeating: Decimal?.none, count: prices.count - expected.count)
        #expect(try sales(store, .ascending("price")) == none + expected)
        #expect(try sales(store, .descending("price")) == expected.reversed() + none)
        let middle = expected[expected.count / 2]
        #expect(
            try sales(store, .ascending("price"), where: Field("price") < middle) == expected.filter { $0 < middle }
        )
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func sumsLikeFoundation(seed: UInt64) throws {
        let prices = Self.prices(300, seed: seed)
        let aggregates: [Aggregate] = [
            .sum("price"), .min("price"), .max("price"), .average("price"), .count(of: "price"),
        ]
        let rows = try Self.store(of: prices).read { try $0.aggregate("Sale", aggregates, groupedBy: ["day"]) }
        #expect(rows.count == 3)
        for (day, row) in rows.enumerated() {
            let known = prices.enumerated().filter { $0.offset % 3 == day }.compactMap(\.element)
            let sum = known.reduce(0, +)
            #expect(try row.value(.sum("price"), as: Decimal.self) == sum)
            #expect(try row.value(.min("price"), as: Decimal.self) == known.min())
            #expect(try row.value(.max("price"), as: Decimal.self) == known.max())
            #expect(try row.value(.average("price"), as: Decimal.self) == sum / Decimal(known.count))
        }
    }

    /// Numbers in ascending order, written by hand.
    @Test func ordersAllMagnitudes() throws {
        let texts = [
            "-99999999999999999999999999999999999999e127", "-100", "-99.99", "-15", "-1.5", "-1.05", "-1", "-0.15",
            "-0.1",
            "-0.011", "-1e-127", "0", "1e-127", "0.011", "0.1", "0.11", "0.2", "1", "1.05", "1.5", "2", "10", "99.99",
            "100", "340282366920938463463374607431768211455",
            "99999999999999999999999999999999999999e127",
        ]
        let numbers = try texts.map { try #require(Decimal(string: $0)) }
        let store = try Self.store(of: numbers.reversed())
        #expect(try sales(store, .ascending("price")) == numbers)
        let rows = try store.read { try $0.aggregate("Sale", [.count], groupedBy: ["price"]) }
        #expect(try rows.map { try $0.value("price", as: Decimal.self) } == numbers)
    }

    @Test func sumsAreExactOrRejected() throws {
        let sum = { (texts: [String]) in
            let store = try Self.store(of: texts.map { Decimal(string: $0) })
            return try store.read {
                try $0.aggregate("Sale", [.sum("price")])[0].value(.sum("price"), as: Decimal.self)
            }
        }
        #expect(try sum(Array(repeating: "0.1", count: 10)) == 1)
        #expect(
            try sum(["99999999999999999999999999999999999999", "1"]).description == "1"
                + String(repeating: "0", count: 38)
        )
        #expect(try sum([]) == 0)
        #expect(throws: StoreError(code: .arithmeticFailure)) { try sum(["1e100", "1e-100"]) }
        // Foundation reports no loss for these, but loses two digits.
        #expect(throws: StoreError(code: .arithmeticFailure)) {
            try sum(["74453934555985028451090063864212345405e17", "2853104066888400185e37"])
        }
    }

    @Test func equalNumbersFormOneGroup() throws {
        let folder = try Folder()
        let store = try Place.file.store(Self.model(), in: folder)
        try shell(folder.url.appending(path: "s.sqlite")) { database in
            for price in ["'1.50'", "'1.5'", "'15e-1'", "'many'", "NULL"] {
                try database.execute(sql: "INSERT INTO Online (_version, price, day) VALUES (1, \(price), 0)")
            }
        }
        let rows = try store.read { try $0.aggregate("Sale", [.count], groupedBy: ["price"]) }
        #expect(try rows.map { try $0.value(.count, as: Int.self) } == [1, 3, 1])
        #expect(try rows[1].value("price", as: Decimal.self) == Decimal(string: "1.5"))
        #expect(throws: StoreError(code: .undecodable)) { try rows[2].value("price", as: Decimal.self) }
        // Invalid numbers come last, and cannot be summed.
        #expect(
            try store.read { try $0.ids("Sale", sortedBy: [.ascending("price")]).map(\.number) } == [5, 1, 2, 3, 4]
        )
        #expect(throws: StoreError(code: .undecodable)) { try store.read { try $0.aggregate("Sale", [.sum("price")]) } }
    }

    @Test(arguments: ["'1' || char(0)", "'1x'", "''", "'0x10'", "'1e999'", "'nan'"])
    func invalidNumbersAreNotSummed(sql: String) throws {
        let folder = try Folder()
        let store = try Place.file.store(Self.model(), in: folder)
        try shell(folder.url.appending(path: "s.sqlite")) { database in
            try database.execute(sql: "INSERT INTO Online (_version, price, day) VALUES (1, \(sql), 0)")
        }
        #expect(throws: StoreError(code: .undecodable)) { try store.read { try $0.aggregate("Sale", [.sum("price")]) } }
        #expect(try store.read { try $0.count("Sale", where: Field("price") >= Decimal(0)) } == 0)
    }

    @Test func conditionsSumOverRelationships() throws {
        let prices = [Decimal(string: "0.1"), Decimal(string: "0.2"), nil, Decimal(string: "-7")]
        let store = try Self.store(of: prices)
        for condition in [
            "sales.@sum.price == -6.7", "sales.@min.price == -7", "sales.@max.price == 0.2",
            "sales.@avg.price > -2.24 and sales.@avg.price < -2.23", "sales.@count == 4", "any sales.price > 0.1",
        ] {
            #expect(try store.read { try $0.count("Buyer", where: Condition(condition)) } == 1, "\(condition)")
        }
        #expect(try store.read { try $0.count("Buyer", where: Condition("sales.@sum.price != -6.7")) } == 0)
    }

    @Test func everyFoundationDecimalRoundTrips() throws {
        // Thirty-nine digits that fit, and the largest number.
        let texts = ["12345678901234567890123456789012345678.5", "340282366920938463463374607431768211455"]
        let numbers = try texts.map { try #require(Decimal(string: $0)) }
        #expect(numbers.map(\.description) == texts)
        #expect(try sales(Self.store(of: numbers), .ascending("price")) == numbers)
    }
}

extension SeededGenerator {
    fileprivate mutating func next(_ bound: UInt64) -> UInt64 { next() % bound }
}
