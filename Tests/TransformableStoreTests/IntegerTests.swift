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

    @Test func isStoredAsItself() throws {
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

    @Test func canBeComparedSortedAndSummed() throws {
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

    @Test func modelsContainTheTypes() throws {
        let model = try Self.model()
        let json = String(decoding: model.json, as: UTF8.self)
        for type in ["int8", "uint8", "uint16", "uint32", "uint64"] { #expect(json.contains("\"\(type)\"")) }
        #expect(try Model(json: model.json).json == model.json)
        let bad = json.replacing("\"default\" : 7", with: "\"default\" : 256")
        #expect(throws: StoreError(code: .invalidModel)) { try Model(json: Data(bad.utf8)) }
    }
}
