import Foundation
import KeyedArchivePlugin
import ObjectArchivePlugin
import Testing
import Transformable

/// `NSValue` of structures, described by their C types.
@Suite struct ValueStructureTests {
    @Test(arguments: [("i", 4), ("Q", 8), ("d", 8), ("[3s]", 6), ("[2d]", 16), ("B", 1)])
    func valuesOfCTypesAreEncoded(type: String, size: Int) throws {
        let value = Data(repeating: 1, count: size)
            .withUnsafeBytes { bytes in
                bytes.baseAddress.map { NSValue(bytes: $0, objCType: type) }
            }
        let object = try #require(value)
        let transformer = ObjectArchiveTransformer<NSValue>()
        #expect(try transformer.decode(transformer.encode(object)).isEqual(object))
    }

    @Test func aCountCanBeText() throws {
        let list = ArchivedInstance(
            ArchivedClass("_NSKeyedCoderOldStyleArray"),
            fields: ["NS.count": .inline(1), "NS.size": .inline(4), "NS.type": .inline(105), "$0": .inline(7)]
        )
        let fields: [String: ArchivedInstance.FieldValue] = ["$0": .object("[+01i]"), "$1": .object(.object(list))]
        let value = ArchivedInstance(ArchivedClass("NSValue"), fields: fields)
        let bytes = try ArchivedValueTransformer().encode(.object(value))
        let read = try ObjectArchiveTransformer<NSValue>().decode(bytes)
        #expect(String(cString: read.objCType) == "[1i]")
    }

    @Test(arguments: [
        "[4000000000i]", "[2i]", "[0i]", "@", "{CGPoint=dd}", "[-1i]", "*", "^i", "", "[3@]", "q",
        "[\(String(repeating: "0", count: 64))3i]",
    ])
    func rejectsTypesThatDoNotMatchTheirValues(encoding: String) throws {
        let list = ArchivedInstance(
            ArchivedClass("_NSKeyedCoderOldStyleArray"),
            fields: [
                "NS.count": .inline(3), "NS.size": .inline(4), "NS.type": .inline(105), "$0": .inline(1),
                "$1": .inline(2), "$2": .inline(3),
            ]
        )
        let value = ArchivedInstance(
            ArchivedClass("NSValue"),
            fields: ["$0": .object(.string(encoding)), "$1": .object(.object(list))]
        )
        let bytes = try ArchivedValueTransformer().encode(.object(value))
        #expect(throws: TransformerError.self) { try ObjectArchiveTransformer<NSValue>().decode(bytes) }
    }
}
