import Foundation
import KeyedArchivePlugin
import ObjectArchivePlugin
import Testing
import Transformable
import _PropertyLists

/// Archives in which many objects refer to the same list or dictionary.
@Suite struct SharedListTests {
    enum Field {
        case list
        case text
        case dictionary
    }

    /// An archive of a box with an array of boxes, each with an object of one class.
    ///
    /// The fields of all objects refer to the same list, text, or dictionary.
    private static func archive(_ name: String, count: Int, members: Int, fields: [String: Field]) -> Data {
        var table = PropertyListTable()
        func reference(_ object: Int) -> UInt32 { table.append(PropertyListNode(.uid, payload: UInt64(object))) }
        func list(_ elements: [UInt32]) -> UInt32 { table.append(table.arrayNode(elements)) }
        func dictionary(_ fields: [(String, UInt32)]) -> UInt32 {
            let keys = fields.map { table.append($0.0) }
            return table.append(table.dictionaryNode(keys: keys, values: fields.map(\.1)))
        }
        func described(_ name: String) -> UInt32 { dictionary([("$classname", table.append(name))]) }
        let (firstKey, firstBox) = (9, 9 + members)
        let (text, boxClass, objectClass) = (reference(2), reference(6), reference(7))
        let shared = list(Array(repeating: text, count: members))
        let values: [Field: UInt32] = [.list: shared, .text: text, .dictionary: reference(3)]
        let described = [
            described("NSArray"), described("NSDictionary"), described(String(reflecting: Box.self)), described(name),
        ]
        let whole = list((0..<count).map { reference(firstBox + 2 * $0) })
        let keys = list((0..<members).map { reference(firstKey + $0) })
        let objects =
            [table.append("$null"), dictionary([("content", reference(8)), ("$class", boxClass)]), table.append("x")]
            + [dictionary([("NS.keys", keys), ("NS.objects", shared), ("$class", reference(5))])] + described
            + [dictionary([("NS.objects", whole), ("$class", reference(4))])]
            + (0..<members).map { table.append("key \($0)") }
            + (0..<count)
            .flatMap { position in
                [
                    dictionary([("content", reference(firstBox + 2 * position + 1)), ("$class", boxClass)]),
                    dictionary(fields.map { ($0, values[$1] ?? text) } + [("$class", objectClass)]),
                ]
            }
        let top = dictionary([
            ("$version", table.append(PropertyListNode(.integer, payload: 100_000))),
            ("$archiver", table.append("NSKeyedArchiver")), ("$top", dictionary([("root", reference(1))])),
            ("$objects", list(objects)),
        ])
        table.root = Int(top)
        return BinaryPropertyListWriter.write(table)
    }

    private static func read(_ archive: Data) throws -> [Box] {
        let box = try ObjectArchiveTransformer<Box>().decode(archive)
        return try #require(box.content as? NSArray).compactMap { $0 as? Box }
    }

    @Test func sharedMembersAreAnError() throws {
        let few = Self.archive("NSArray", count: 2_000, members: 3, fields: ["NS.objects": .list])
        #expect(try Self.read(few).count == 2_000)
        let many = Self.archive("NSArray", count: 2_000, members: 4_000, fields: ["NS.objects": .list])
        let error = #expect(throws: TransformerError.self) { try Self.read(many) }
        #expect(error?.code == .limitExceeded)
    }

    /// Without sharing, these would take a hundred million pairs.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            ("NSError", ["NSDomain": .text, "NSUserInfo": .dictionary]),
            ("NSNotification", ["NS.name": .text, "NS.userinfo": .dictionary]),
        ] as [(String, [String: Field])]
    )
    func sharedDictionariesAreConvertedOnce(name: String, fields: [String: Field]) throws {
        let boxes = try Self.read(Self.archive(name, count: 10_000, members: 10_000, fields: fields))
        let last = boxes.last?.content
        let count = (last as? NSError)?.userInfo.count ?? (last as? NSNotification)?.userInfo?.count
        #expect(boxes.count == 10_000)
        #expect(count == 10_000)
    }

    @Test func sharedAttributesAreAnError() throws {
        let fields: [String: Field] = ["NSString": .text, "NSAttributes": .dictionary]
        let few = Self.archive("NSAttributedString", count: 1_000, members: 10, fields: fields)
        #expect(try Self.read(few).count == 1_000)
        let many = Self.archive("NSAttributedString", count: 2_000, members: 2_000, fields: fields)
        let error = #expect(throws: TransformerError.self) { try Self.read(many) }
        #expect(error?.code == .limitExceeded)
    }

    /// Each run has its own copy of its attributes.
    @Test func runsWithManyAttributesAreAnError() throws {
        func archive(runs: Int, attributes count: Int) throws -> Data {
            let pairs = (0..<count).map { ArchivedDictionary.Pair(.string("key \($0)"), 1) }
            let tables = [ArchivedDictionary(pairs), ArchivedDictionary(pairs.dropLast())]
            let text = ArchivedAttributedString(
                String(repeating: "x", count: runs),
                runs: (0..<runs).map { .init(1, attributes: tables[$0 % 2]) }
            )
            return try ArchivedValueTransformer().encode(.attributedString(#require(text)))
        }
        let transformer = ObjectArchiveTransformer<NSAttributedString>()
        #expect(try transformer.decode(archive(runs: 2_000, attributes: 10)).length == 2_000)
        let error = #expect(throws: TransformerError.self) {
            try transformer.decode(archive(runs: 2_000, attributes: 2_000))
        }
        #expect(error?.code == .limitExceeded)
    }

    /// A text in which each character has one of two dictionaries of 16 and 15 attributes.
    private static func text(runs: Int) -> NSMutableAttributedString {
        let tables = [16, 15]
            .map { count in
                let pairs = (0..<count).map { (NSAttributedString.Key("key \($0)"), NSNumber(value: $0) as Any) }
                return Dictionary(uniqueKeysWithValues: pairs)
            }
        let text = NSMutableAttributedString(string: String(repeating: "x", count: runs))
        for position in 0..<runs {
            text.setAttributes(tables[position % 2], range: NSRange(location: position, length: 1))
        }
        return text
    }

    @Test func manyRunsOfTheSameAttributesAreRead() throws {
        let transformer = ObjectArchiveTransformer<NSAttributedString>()
        let text = NSAttributedString(attributedString: Self.text(runs: 7_500))
        let again = try transformer.decode(transformer.encode(text))
        #expect(again.length == 7_500)
        #expect(again.attributes(at: 7_498, effectiveRange: nil).count == 16)
        #expect(again.attributes(at: 7_499, effectiveRange: nil).count == 15)
    }

    /// What could not be read is not written.
    @Test func tooManyRunsOfTheSameAttributesAreNotWritten() {
        let error = #expect(throws: TransformerError.self) {
            try ObjectArchiveTransformer<NSMutableAttributedString>().encode(Self.text(runs: 20_000))
        }
        #expect(error?.code == .limitExceeded)
    }
}
