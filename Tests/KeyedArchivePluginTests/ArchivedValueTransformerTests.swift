import Foundation
import KeyedArchivePlugin
import Testing
import Transformable

@Suite struct ArchivedValueTransformerTests {
    static let everything: ArchivedValue = [
        "null": .null,
        "flags": [true, false],
        "integers": [
            0, 1, -1, 255, 256, 65_535, 65_536, 4_294_967_296, .integer(Int128(Int64.min)),
            .integer(Int128(UInt64.max)),
        ],
        "reals": [0.0, -0.0, 1.5, .real(.pi), .real(.infinity), .real(.leastNonzeroMagnitude)],
        "strings": ["", "plain", "naïve", "日本語", "😀", "a\u{301}", "á"],
        "data": [.data(Data()), .data(Data([0, 1, 255]))],
        "date": .date(Date(timeIntervalSinceReferenceDate: 700_000_000.125)),
        "uuid": .uuid(sampleUUID),
        "url": .url(ArchivedURL("foo.xml", bases: ["https://www.example.com"])),
        "decimal": [.decimal(Decimal(string: "-12345.678901234567890123") ?? 0), .decimal(0), .decimal(.nan)],
        "set": .set(["b", "a", 1, [2, 3]]),
        "ordered": .orderedSet(["b", "a"]),
        "dictionary": [1: "one", 2.5: "real", true: "true", "text": "text", ["a", "b"]: "array"],
        "geometry": [
            .point(CGPoint(x: 1, y: -2.5)), .size(CGSize(width: 0.1, height: 3)),
            .rect(CGRect(x: 1, y: 2, width: 3, height: 4)), .range(NSRange(location: 5, length: 6)),
            .edgeInsets(ArchivedEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)),
        ],
        "object": .object(
            ArchivedInstance(
                ArchivedClass("Acme.Thing", chain: ["Acme.Thing", "NSObject"]),
                fields: [
                    "count": .inline(3), "name": .object("thing"), "none": .object(nil),
                    "parts": .objects(["a", nil, ["b"]]),
                ]
            )
        ),
    ]
    static let sampleUUID = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

    @Test(arguments: KeyedArchiveFormat.allCases)
    func readsWhatItWrites(format: KeyedArchiveFormat) throws {
        let transformer = ArchivedValueTransformer(format: format)
        let value = Self.everything
        #expect(try transformer.decode(transformer.encode(value)) == value)
    }
}
