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
