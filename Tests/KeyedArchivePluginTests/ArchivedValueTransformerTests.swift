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
        "transforms": [
            .transform(AffineTransform(rotationByDegrees: 30)),
            .affineTransform(ArchivedAffineTransform(AffineTransform(translationByX: -0.0, byY: 0.5))),
        ],
        "insets": .edgeInsets(ArchivedEdgeInsets(top: 1, left: 2, bottom: 3, right: 4, isUIKit: true)),
        "structures": [
            .offset(ArchivedOffset(horizontal: 0.5, vertical: -.infinity)),
            .directionalEdgeInsets(ArchivedDirectionalEdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4)),
        ],
        "counted": .countedSet(ArchivedCountedSet([.init("b", count: 1), .init(["a"], count: 300)])),
        "indexes": [
            .indexSet(ArchivedIndexSet([])), .indexSet(ArchivedIndexSet([5])),
            .indexSet(ArchivedIndexSet([1, 2, 300, Int.max - 2])), .indexPath(ArchivedIndexPath([])),
            .indexPath(ArchivedIndexPath([-1])), .indexPath(ArchivedIndexPath([1, 500, Int.max])),
        ],
        "times": [
            .locale(ArchivedLocale("de_DE")), .timeZone(ArchivedTimeZone("GMT+0100")),
            .timeZone(ArchivedTimeZone("Europe/Paris", data: Data([1, 2]))), .calendar(calendar),
            .dateComponents(components), .dateComponents(ArchivedDateComponents()),
        ],
        "texts": [
            .attributedString(ArchivedAttributedString("")), .attributedString(ArchivedAttributedString("plain")),
            .attributedString(ArchivedAttributedString("bold", attributes: ["bold": true])),
            text.map { .attributedString($0) } ?? .null,
        ],
        "errors": [
            .error(ArchivedError(domain: "a", code: -1)),
            .error(ArchivedError(domain: "b", code: 4, userInfo: ["why": .error(ArchivedError(domain: "c", code: 1))])),
        ],
        "notifications": [
            .notification(ArchivedNotification("a")), .notification(ArchivedNotification("b", object: .null)),
            .notification(ArchivedNotification("c", userInfo: [:])),
            .notification(ArchivedNotification("d", object: [1], userInfo: ["$key": 1])),
        ],
        "colors": .array(ArchivedArray(ArchivedColorTests.colors.map { .color($0) })),
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
    static let calendar = {
        var calendar = ArchivedCalendar("gregorian")
        calendar.locale = ArchivedLocale("")
        calendar.timeZone = ArchivedTimeZone("Europe/Paris")
        calendar.firstWeekday = 2
        calendar.minimumDaysInFirstWeek = 4
        calendar.gregorianStartDate = Date(timeIntervalSinceReferenceDate: -13_197_600_000)
        return calendar
    }()
    static let components = {
        var components = ArchivedDateComponents()
        components[.year] = 2026
        components[.dayOfYear] = 3
        components.isLeapMonth = true
        components.calendar = calendar
        components.timeZone = ArchivedTimeZone("GMT")
        return components
    }()
    static let text = ArchivedAttributedString(
        "😀 three runs",
        runs: [.init(2, attributes: ["a": 1]), .init(1), .init(10, attributes: ["a": 1])]
    )
    static let sampleUUID = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

    @Test(arguments: KeyedArchiveFormat.allCases)
    func roundTrips(format: KeyedArchiveFormat) throws {
        let transformer = ArchivedValueTransformer(format: format)
        let value = Self.everything
        #expect(try transformer.decode(transformer.encode(value)) == value)
    }

    /// Objects: null, the array, its only member, and its class.
    @Test(arguments: [
        ArchivedValue.string("short"), .string(String(repeating: "long", count: 1_000)), .integer(5),
        .integer(Int128(Int64.max)), .integer(Int128(UInt64.max)), .integer(.max), .integer(.min), .real(0.5),
    ])
    func equalStringsAndNumbersAreWrittenOnce(value: ArchivedValue) throws {
        let bytes = try ArchivedValueTransformer().encode([value, value])
        #expect(try Archive(bytes).count == 4)
        #expect(try ArchivedValueTransformer().decode(bytes) == [value, value])
    }
}
