import Foundation
import GeometryPlugin
import ImagePlugin
import KeyedArchivePlugin
import StandardPlugin
import Testing
import TransformableEntities

/// Values of every type are stored and read by generated classes, and objects begin with the model's defaults.
@Suite struct StoredValueTests {
    @Test func beginsWithTheDefaults() throws {
        let before = Date.now
        try GeneratedModel.kinds.roundTrip { context in
            context.insert(Kinds(small: .min, bytes: Data([0, 255])))
        } read: { context in
            let kinds = try #require(try context.first(Kinds.self))
            #expect((kinds.tiny, kinds.small, kinds.medium, kinds.large) == (-8, -32768, nil, .min))
            #expect((kinds.byte, kinds.word, kinds.long, kinds.huge) == (255, 1, 1, 9_223_372_036_854_775_807))
            #expect((kinds.single, kinds.ratio, kinds.whole) == (0.5, -0.0000000015, 2))
            #expect("\(kinds.price) \(kinds.round)" == "0.1 7")
            #expect("\(kinds.exact)" == "12345678901234567890.12345678901234567")
            #expect((kinds.flag, kinds.answer) == (true, false))
            #expect((kinds.title, kinds.empty) == ("a \"quoted\" \\ line\n\u{7}", ""))
            #expect(kinds.made >= before && kinds.made <= .now && kinds.due == nil)
            #expect(kinds.epoch.timeIntervalSince1970 == 0)
            #expect(kinds.bytes == Data([0, 255]))
            #expect(kinds.fixed.uuidString == "6BA7B810-9DAD-11D1-80B4-00C04FD430C8" && kinds.token != kinds.fixed)
            #expect(kinds.page.absoluteString == "https://example.org/a?b=c")
            #expect(kinds.cache == nil && kinds.clicks == 4)
        }
    }

    @Test func storesTheLimitsOfEachType() throws {
        let (token, due) = (UUID(), Date(timeIntervalSinceReferenceDate: -62_135_596_800.125))
        try GeneratedModel.kinds.roundTrip { context in
            let kinds = context.insert(Kinds(small: .max, bytes: Data()))
            (kinds.tiny, kinds.medium, kinds.large) = (.max, .min, .max)
            (kinds.byte, kinds.word, kinds.long, kinds.huge) = (0, .max, .max, nil)
            (kinds.single, kinds.ratio) = (-Float.leastNonzeroMagnitude, .greatestFiniteMagnitude)
            kinds.price = Decimal(sign: .minus, exponent: -20, significand: 1)
            (kinds.answer, kinds.title, kinds.due, kinds.token) = (nil, "e\u{301} 🏝️", due, token)
            kinds.page = URL(filePath: "/tmp/a b")
            (kinds.cache, kinds.clicks) = ("not stored", 5)
        } read: { context in
            let kinds = try #require(try context.first(Kinds.self))
            #expect((kinds.tiny, kinds.small, kinds.medium, kinds.large) == (127, 32767, -2_147_483_648, .max))
            #expect((kinds.byte, kinds.word, kinds.long) == (0, 65535, 4_294_967_295))
            #expect(kinds.huge == nil)
            #expect((kinds.single, kinds.ratio) == (-Float.leastNonzeroMagnitude, .greatestFiniteMagnitude))
            #expect("\(kinds.price)" == "-0.00000000000000000001")
            #expect(kinds.answer == nil && Array(kinds.title.unicodeScalars) == Array("e\u{301} 🏝️".unicodeScalars))
            #expect((kinds.due, kinds.token) == (due, token))
            #expect(kinds.page.absoluteString == "file:///tmp/a%20b")
            #expect(kinds.cache == nil && kinds.clicks == 4)
        }
    }

    @Test func storesTypesOfTheMap() throws {
        try GeneratedModel.mapped.roundTrip { context in
            let weather = context.insert(Weather(wind: ["N": 1.5, "SW": 0]))
            weather.stations = [Station(id: "Zugspitze")]
            context.insert(Weather(wind: [:])).sky = .clear
        } read: { context in
            let cloudy = try #require(try context.first(Weather.self, where: \Weather.sky == .cloudy))
            #expect((cloudy.wind, cloudy.hours) == (["N": 1.5, "SW": 0], nil))
            #expect(cloudy.stations.map(\.id) == ["Zugspitze"])
            let clear = try #require(try context.first(Weather.self, where: \Weather.sky == .clear))
            #expect(clear.wind.isEmpty && clear.stations.isEmpty)
        }
    }

    @Test func storesWhatTheRulesAllow() throws {
        let scan = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        try GeneratedModel.rules.roundTrip { context in
            let rules = Rules(least: -0.5, most: 12, both: -1, short: "12345", long: Data([1, 2, 3]), code: "X12\"")
            (rules.scan, rules.kept) = (scan, "kept")
            context.insert(rules)
        } read: { context in
            let rules = try #require(try context.first(Rules.self))
            #expect((rules.least, rules.most, rules.both) == (-0.5, 12, -1))
            #expect((rules.short, rules.long, rules.code) == ("12345", Data([1, 2, 3]), "X12\""))
            #expect((rules.scan, rules.kept) == (scan, "kept"))
        }
    }

    private static func rules(breaking name: String) -> Rules {
        Rules(
            least: name == "least" ? -0.6 : 0,
            most: name == "most" ? 13 : 0,
            both: name == "both" ? 1.5 : 0,
            short: name == "short" ? "123456" : "",
            long: Data(count: name == "long" ? 2 : 3),
            code: name == "code" ? "x1" : "X1"
        )
    }

    @Test(arguments: ["least", "most", "both", "short", "long", "code"])
    func refusesWhatTheRulesDoNotAllow(_ name: String) throws {
        try GeneratedModel.rules.withFile { url in
            let store = try RulesSchema.store(at: url, transformers: GeneratedModel.registry())
            let error = #expect(throws: StoreError.self) {
                try store.write { _ = $0.insert(Self.rules(breaking: name)) }
            }
            #expect(error?.code == .invalidValue)
            #expect(error?.attribute == name)
        }
    }

    @Test func storesComposites() throws {
        try GeneratedModel.sizes.roundTrip { context in
            let box = context.insert(Box(label: "small", size_width: 0.5, size_height: 2))
            box.price_amount = 12.5
            let free = context.insert(Box(label: "free", size_width: 1, size_height: 1))
            free.price_currency = nil
            context.insert(Empty())
        } read: { context in
            let boxes = try context.fetch(Box.self, sortedBy: [SortDescriptor(\.label)])
            #expect(boxes.map(\.size_width) == [1, 0.5] && boxes.map(\.size_height) == [1, 2])
            #expect(boxes.map(\.price_amount) == [nil, 12.5] && boxes.map(\.price_currency) == [nil, "EUR"])
            #expect(try context.count(Empty.self) == 1)
        }
    }

    @Test func storesTransformedValues() throws {
        let pixels = Data([255, 0, 0, 0, 255, 0])
        let photo = try RasterImage(width: 2, height: 1, format: .rgb8, pixels: pixels)
        try GeneratedModel.transformed.roundTrip { context in
            let value = context.insert(Transformed(bed: CGRect(x: 1, y: 2, width: 3.5, height: 4)))
            (value.photo, value.tree, value.list) = (photo, ["a": [1, nil]], .array([.uid(7), .real(0.5)]))
            (value.legacy, value.day) = (["k": 1], Date(timeIntervalSince1970: 86400))
            (value.arrow, value.span, value.raw) = (Vector(dx: -1, dy: 1), NSRange(3..<5), Data([9]))
        } read: { context in
            let value = try #require(try context.first(Transformed.self, where: Condition("bed_area == 14")))
            #expect(value.bed == CGRect(x: 1, y: 2, width: 3.5, height: 4))
            let stored = try #require(value.photo)
            #expect(try (stored.width, stored.height, stored.pixels) == (2, 1, pixels))
            #expect((value.notes, value.tree) == ("none", ["a": [1, nil]]))
            #expect((value.list, value.legacy) == (.array([.uid(7), .real(0.5)]), ["k": 1]))
            #expect(value.day == Date(timeIntervalSince1970: 86400))
            #expect((value.arrow, value.span, value.raw) == (Vector(dx: -1, dy: 1), NSRange(3..<5), Data([9])))
        }
    }

    @Test func storesValuesOfACoreDataModel() throws {
        let code = UUID()
        try GeneratedModel.shop.roundTrip { context in
            let customer = context.insert(ShopCustomer(email: "ada@example.org"))
            customer.tags = ["new", "kind"]
            let order = ShopOrder(number: 7)
            order.items.append(ShopItem(code: code))
            customer.orders.append(order)
        } read: { context in
            let customer = try #require(try context.first(ShopCustomer.self))
            #expect((customer.points, customer.isMember, customer.tags) == (0, false, ["new", "kind"]))
            let order = try #require(customer.orders.first)
            #expect((order.number, order.customer === customer) == (7, true))
            let item = try #require(order.items.first)
            #expect((item.code, item.cost, item.weight, item.page) == (code, 0, 0, nil))
            #expect(item.opened == Date(timeIntervalSince1970: 0))
        }
    }
}
