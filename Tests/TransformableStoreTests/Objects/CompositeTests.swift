import Foundation
import GRDB
import Testing
import Transformable
import TransformableSQLite
import TransformableStore

struct Money: Equatable, CompositeValue {
    var amount: Int
    var currency: String
    var note: String?

    static var parts: [CompositePart<Money>] {
        [
            CompositePart("amount", .indexed) { $0.amount },
            CompositePart("currency", .pattern("[A-Z]{3}")) { $0.currency },
            CompositePart(optional: "note") { $0.note },
        ]
    }

    init(_ amount: Int, _ currency: String, note: String? = nil) {
        (self.amount, self.currency, self.note) = (amount, currency, note)
    }

    init(parts: CompositeParts) throws {
        self.init(try parts("amount"), try parts("currency"), note: try parts(optional: "note"))
    }
}

@Suite struct CompositeTests {
    private let folder: Folder
    private let store: Store

    private static func model() throws -> Model {
        try Model(entities: [
            EntityDescription(
                "Item",
                attributes: [.string("name")],
                composites: [
                    CompositeDescription("size", as: CGSize.self),
                    CompositeDescription("price", as: Money.self, optional: true),
                ]
            )
        ])
    }

    init() throws {
        folder = try Folder()
        store = try Store(at: folder.file(), model: Self.model(), transformers: TransformerRegistry {})
        try add("a", CGSize(width: 1, height: 2), Money(5, "EUR"))
        try add("b", CGSize(width: 3, height: 4), Money(7, "USD", note: "old"))
        try add("c", CGSize(width: 5, height: 4), nil)
    }

    private func add(_ name: String, _ size: CGSize, _ price: Money?) throws {
        try store.write { context in
            let item = try context.insert("Item")
            try item.setValue(name, for: "name")
            try item.setValue(size, for: "size")
            try item.setValue(price, for: "price")
        }
    }

    private func names(_ condition: Condition, sortedBy order: [SortKey] = []) throws -> [String] {
        try store.read {
            try $0.fetch("Item", where: condition, sortedBy: order).map { try $0.value("name", as: String.self) }
        }
    }

    @Test func valuesRoundTrip() throws {
        try store.read { context in
            let items = try context.fetch("Item")
            #expect(try items[0].value("size", as: CGSize.self) == CGSize(width: 1, height: 2))
            #expect(try items[1].value("price", as: Money.self) == Money(7, "USD", note: "old"))
            #expect(try items[2].value("price", as: Money?.self) == nil)
            #expect(try items[1].value("price_currency", as: String.self) == "USD")
        }
    }

    @Test func partsAreStoredInPlainColumns() throws {
        let row = try shell(folder.file()) { database in
            try Row.fetchOne(
                database,
                sql: "SELECT size_width, size_height, price_amount, price_note FROM Item WHERE _id = 2"
            )
        }
        #expect(row?.databaseValues.map(\.storage.value).map { "\($0 ?? "NULL")" } == ["3.0", "4.0", "7", "old"])
        let indexes = try shell(folder.file()) { try $0.indexes(on: "Item").map(\.columns) }
        #expect(indexes == [["price_amount"]])
    }

    @Test func partsCanBeChangedOneByOne() throws {
        try store.write { context in
            let item = try context.fetch("Item")[1]
            try item.setValue(9, for: "price_amount")
            #expect(try item.value("price", as: Money.self) == Money(9, "USD", note: "old"))
            try item.setValue(Money?.none, for: "price")
        }
        #expect(try names(Condition("price is null")) == ["b", "c"])
    }

    @Test(arguments: [
        ("size.width > 2", ["b", "c"]), ("size_width > 2", ["b", "c"]), ("price.currency = \"EUR\"", ["a"]),
        ("price is null", ["c"]), ("price is not null", ["a", "b"]), ("not size.height = 4", ["a"]),
        ("price.note is null", ["a", "c"]),
    ])
    func conditionsFindACompositeByItsParts(condition: String, found: [String]) throws {
        #expect(try names(Condition(condition)) == found)
    }

    @Test func conditionsFindACompositeByItsValue() throws {
        #expect(try names(Field("size") == CGSize(width: 3, height: 4)) == ["b"])
        #expect(try names(Field("size") != CGSize(width: 3, height: 4)) == ["a", "c"])
        #expect(try names(Field("price") == Money(5, "EUR")) == ["a"])
        #expect(try names(.all, sortedBy: [.descending("size.width")]) == ["c", "b", "a"])
    }

    @Test func rejectsInvalidValues() throws {
        #expect(throws: StoreError(code: .wrongType)) {
            try store.read { try $0.fetch("Item")[0].value("size", as: String.self) }
        }
        #expect(throws: StoreError(code: .wrongType)) {
            try store.read { try $0.fetch("Item")[0].value("size", as: Money.self) }
        }
        #expect(throws: StoreError(code: .wrongType)) {
            try add("d", .zero, nil)
            try setSize(Money(1, "EUR"))
        }
        #expect(throws: StoreError(code: .unsupported)) { try names(Condition("size > 3")) }
        #expect(throws: StoreError(code: .unknownAttribute)) { try names(Condition("size.depth > 3")) }
        #expect(throws: StoreError(code: .invalidValue)) { try add("d", .zero, Money(1, "euro")) }
        #expect(throws: StoreError(code: .missingValue)) {
            try store.write { try $0.insert("Item").setValue("d", for: "name") }
        }
    }

    @Test func rejectsPartialValues() throws {
        let error = #expect(throws: StoreError.self) {
            try store.write { try $0.fetch("Item")[1].setValue(nil as Int?, for: "price_amount") }
        }
        #expect(error?.code == .missingValue)
        #expect(error?.attribute == "price")
        #expect(error?.message.contains("its part “amount” has no value") == true)
        #expect(throws: StoreError(code: .missingValue)) {
            try store.write { context in
                let item = try context.insert("Item")
                try item.setValue("d", for: "name")
                try item.setValue(CGSize.zero, for: "size")
                try item.setValue("EUR", for: "price_currency")
            }
        }
        // A part that is optional, and the last part with a value, can be cleared.
        try store.write { context in
            let item = try context.fetch("Item")[1]
            try item.setValue(nil as String?, for: "price_note")
            try context.save()
            for part in ["amount", "currency"] { try item.setValue(nil as String?, for: "price_\(part)") }
        }
        #expect(try names(Condition("price is null")) == ["b", "c"])
        #expect(try store.read { try $0.fetch("Item")[1].value("price", as: Money?.self) } == nil)
    }

    private func setSize(_ value: any Sendable) throws {
        try store.write { try $0.fetch("Item")[0].setValue(any: value, for: "size") }
    }

    @Test func modelsJSONContainsComposites() throws {
        let json = try Self.model().json
        let model = try Model(json: json)
        #expect(model.json == json)
        #expect(
            model.attributes(of: "Item").map(\.name) == [
                "name", "size_width", "size_height", "price_amount", "price_currency", "price_note",
            ]
        )
        let reopened = try Store(at: folder.file(), model: model, transformers: TransformerRegistry {})
        #expect(try reopened.read { try $0.count("Item", where: Condition("size.width = 3")) } == 1)
    }

    @Test func listsAllFaults() {
        let error = #expect(throws: StoreError.self) {
            try Model(entities: [
                EntityDescription(
                    "A",
                    attributes: [.string("a_x")],
                    composites: [
                        CompositeDescription("a", parts: [.double("x")]), CompositeDescription("b", parts: []),
                        CompositeDescription("c", parts: [.transient("x", as: Int.self)]),
                    ]
                )
            ])
        }
        #expect(error?.faults.count == 3, "\(error?.faults ?? [])")
    }
}
