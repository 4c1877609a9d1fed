import Foundation
import KeyedArchivePlugin
import Testing
import Transformable

/// Archives in which many objects refer to the same long list.
@Suite struct HostileSharingTests {
    private typealias Names = BinaryPropertyListBuilder.Names

    /// An array of ten thousand references to one object, which is an array of numbers, or a dictionary.
    private func references(toDictionary isDictionary: Bool, of count: Int) -> Data {
        var builder = BinaryPropertyListBuilder.archive { names in
            let members = 0..<count
            let (isa, list) = (Names.isa, Names.members)
            let fields = isDictionary ? [(names.next + 4, names.next + 7)] : []
            let extra: [BinaryPropertyListBuilder.Object] = [
                .uid(2), .uid(3), .uid(4), .uid(5), .string("NS.keys"),
                .array(Array(repeating: names.next, count: 10_000)),
                .array(Array(repeating: names.next + 2, count: count)),
                .array(members.map { names.next + 13 + 2 * $0 + 1 }),
                .dictionary([(isa, names.next + 1), (list, names.next + 5)]),
                .dictionary([(isa, names.next + (isDictionary ? 3 : 1)), (list, names.next + 6)] + fields),
                .integer(1), .string("NSDictionary"), .dictionary([(Names.className, names.next + 11)]),
            ]
            let keys = members.flatMap { [BinaryPropertyListBuilder.Object.string("k\($0)"), .uid(6 + $0)] }
            let objects = [names.next + 8, names.next + 9, Names.arrayClass, names.next + 10, names.next + 12]
            return (objects + members.map { names.next + 13 + 2 * $0 }, extra + keys)
        }
        builder.referenceWidth = 3
        builder.offsetWidth = 4
        return builder.data()
    }

    private struct Track: Codable { var k2: Int }

    @Test func sharedKeysAreAnError() throws {
        let transformer = KeyedArchiveTransformer<[Track]>()
        #expect(try transformer.decode(references(toDictionary: true, of: 3)).count == 10_000)
        let error = #expect(throws: TransformerError.self) {
            try transformer.decode(references(toDictionary: true, of: 2_000))
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test func sharedMembersAreAnError() throws {
        let transformer = KeyedArchiveTransformer<[Vector]>()
        #expect(try transformer.decode(references(toDictionary: false, of: 3)).count == 10_000)
        let error = #expect(throws: TransformerError.self) {
            try transformer.decode(references(toDictionary: false, of: 2_000))
        }
        #expect(error?.code == .limitExceeded)
    }

    /// The path to an object names each key by its JSON, although many dictionaries can share a long key.
    @Test func longKeysAreNotPrinted() throws {
        func decode(keyOf count: Int) throws -> ArchivedValue {
            let key = ArchivedValue.array(ArchivedArray((0..<count).map { .integer(Int128($0)) }))
            let object = ArchivedValue.object(ArchivedInstance(ArchivedClass("Acme.Thing"), fields: ["a": .object(1)]))
            let bytes = try ArchivedValueTransformer().encode(.dictionary(ArchivedDictionary([.init(key, object)])))
            return try ArchivedValueTransformer(classes: []).decode(bytes)
        }
        let short = #expect(throws: TransformerError.self) { try decode(keyOf: 3) }
        #expect(short?.message.hasPrefix("“[0, 1, 2]” is an object of class Acme.Thing") == true)
        let long = #expect(throws: TransformerError.self) { try decode(keyOf: 10_000) }
        #expect(long?.message.hasPrefix("“…” is an object of class Acme.Thing") == true)
    }

    /// A URL with a number of bases, as objects of class `NSURL`.
    private func chain(ofURLs bases: Int) throws -> Data {
        let fields: [String: ArchivedInstance.FieldValue] = [
            "NS.base": .object(nil), "NS.relative": .object("https://example.com/"),
        ]
        var url = ArchivedInstance(ArchivedClass("NSURL"), fields: fields)
        for _ in 0..<bases {
            let fields: [String: ArchivedInstance.FieldValue] = [
                "NS.base": .object(.object(url)), "NS.relative": .object("a"),
            ]
            url = ArchivedInstance(ArchivedClass("NSURL"), fields: fields)
        }
        return try ArchivedValueTransformer().encode(.object(url))
    }

    @Test func chainsOfURLsAreLimited() throws {
        let longest = try ArchivedValueTransformer().decode(chain(ofURLs: 64))
        let bases = Array(repeating: "a", count: 63) + ["https://example.com/"]
        #expect(longest == .url(ArchivedURL("a", bases: bases)))
        #expect(try ArchivedValueTransformer().decode(ArchivedValueTransformer().encode(longest)) == longest)
        let url = try KeyedArchiveTransformer<URL>().decode(chain(ofURLs: 64))
        #expect(url.absoluteString == "https://example.com/a")
        let error = #expect(throws: TransformerError.self) {
            try ArchivedValueTransformer().decode(chain(ofURLs: 65))
        }
        #expect(error?.code == .limitExceeded)
        let other = #expect(throws: TransformerError.self) {
            try KeyedArchiveTransformer<URL>().decode(chain(ofURLs: 65))
        }
        #expect(other?.code == .limitExceeded)
        let written = #expect(throws: TransformerError.self) {
            try ArchivedValueTransformer().encode(.url(ArchivedURL("a", bases: bases + ["b:"])))
        }
        #expect(written?.code == .limitExceeded)
    }
}

/// Numbers, read by their type until there are no more.
private struct Vector: Codable {
    var numbers: [Double] = []

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd { numbers.append(try container.decode(Double.self)) }
    }

    func encode(to encoder: any Encoder) throws { try numbers.encode(to: encoder) }
}
