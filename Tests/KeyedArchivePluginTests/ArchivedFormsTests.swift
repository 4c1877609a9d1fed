import Foundation
import KeyedArchivePlugin
import Testing
import Transformable

/// Classes in the forms that Apple's archivers write: their keys and class chains are those of archives
/// that macOS wrote, and of what Foundation's own coding methods say.
@Suite struct ArchivedFormsTests {
    struct Form: CustomTestStringConvertible, Sendable {
        let value: ArchivedValue
        let chain: [String]
        let tree: String

        init(_ value: ArchivedValue, _ chain: [String], _ tree: String) {
            self.value = value
            self.chain = chain
            self.tree = tree
        }

        var testDescription: String { chain[0] }
    }

    static let forms = [
        Form(
            .countedSet(ArchivedCountedSet([.init("b", count: 1), .init("a", count: 2)])),
            ["NSCountedSet", "NSMutableSet", "NSSet", "NSObject"],
            "NS.count: 2|NS.count0: 2|NS.count1: 1|NS.object0: #2 “a”|NS.object1: #3 “b”"
        ),
        Form(.indexSet(ArchivedIndexSet([])), ["NSIndexSet", "NSObject"], "NSRangeCount: 0"),
        Form(
            .indexSet(ArchivedIndexSet(IndexSet(0..<50))),
            ["NSIndexSet", "NSObject"],
            "NSLength: 50|NSLocation: 0|NSRangeCount: 1"
        ),
        Form(
            .indexSet(ArchivedIndexSet([1, 2, 3, 300])),
            ["NSIndexSet", "NSObject"],
            "NSRangeCount: 2|NSRangeData: #2 5 bytes: 0103ac0201"
        ),
        Form(
            .indexPath(ArchivedIndexPath([52])),
            ["NSIndexPath", "NSObject"],
            "NSIndexPathLength: 1|NSIndexPathValue: 52"
        ),
        Form(
            .indexPath(ArchivedIndexPath([4, 8, 15, 16, 23, 42])),
            ["NSIndexPath", "NSObject"],
            "NSIndexPathData: #2 6 bytes: 04080f10172a|NSIndexPathLength: 6"
        ),
        Form(
            .transform(AffineTransform(m11: 1, m12: 2, m21: 3, m22: 4, tX: 5, tY: 6.5)),
            ["NSValue", "NSObject"],
            "NS.atval.a: 1.0|NS.atval.b: 2.0|NS.atval.c: 3.0|NS.atval.d: 4.0|NS.atval.tx: 5.0|NS.atval.ty: 6.5"
                + "|NS.special: 10"
        ),
        Form(
            .edgeInsets(ArchivedEdgeInsets(top: 1, left: 2, bottom: 3, right: 4, isUIKit: true)),
            ["NSValue", "NSObject"],
            "NS.edgeval.bottom: 3.0|NS.edgeval.left: 2.0|NS.edgeval.right: 4.0|NS.edgeval.top: 1.0|NS.special: 11"
        ),
        Form(.locale(ArchivedLocale("de_DE")), ["NSLocale", "NSObject"], "NS.identifier: #2 “de_DE”"),
        Form(
            .timeZone(ArchivedTimeZone("GMT+0100")),
            ["NSTimeZone", "NSObject"],
            "NS.data: nil|NS.name: #2 “GMT+0100”"
        ),
        Form(
            .attributedString(ArchivedAttributedString("")),
            ["NSAttributedString", "NSObject"],
            "NSString: #2 “”"
        ),
        Form(
            .attributedString(ArchivedAttributedString("x")),
            ["NSAttributedString", "NSObject"],
            "NSAttributes: #2 NSDictionary|  NS.keys: list of 0|  NS.objects: list of 0|NSString: #4 “x”"
        ),
        Form(
            .error(ArchivedError(domain: "d", code: -4)),
            ["NSError", "NSObject"],
            "NSCode: -4|NSDomain: #2 “d”|NSUserInfo: nil"
        ),
        Form(
            .notification(ArchivedNotification("n", object: 1)),
            ["NSNotification", "NSObject"],
            "NS.name: #2 “n”|NS.object: #3 1|NS.userinfo: nil"
        ),
        Form(
            .decimal(Decimal(sign: .minus, exponent: -1, significand: 15)),
            ["NSDecimalNumber", "NSNumber", "NSValue", "NSObject"],
            "NS.compact: true|NS.exponent: -1|NS.length: 1|NS.mantissa: 16 bytes: 0f"
                + String(repeating: "00", count: 15)
                + "|NS.mantissa.bo: 1|NS.negative: true"
        ),
    ]

    @Test(arguments: forms)
    func writesFormsLikeApple(form: Form) throws {
        let archive = try Archive(ArchivedValueTransformer().encode(form.value))
        #expect(archive["root"]?.archivedClass?.chain == form.chain)
        let lines = archive.description.split(separator: "\n").dropFirst().map { $0.dropFirst(2) }
        #expect(lines.joined(separator: "|") == form.tree)
    }

    /// What an object of a class and fields is read as.
    private func read(_ className: String, _ fields: [String: ArchivedInstance.FieldValue]) throws -> ArchivedValue {
        let instance = ArchivedInstance(ArchivedClass(className), fields: fields)
        return try ArchivedValueTransformer().decode(ArchivedValueTransformer().encode(.object(instance)))
    }

    @Test func readsRunsOfAttributes() throws {
        let data = ArchivedInstance(
            ArchivedClass("NSMutableData"),
            fields: ["NS.data": .inline(.data(Data([3, 0, 4, 1, 4, 0])))]
        )
        let value = try read(
            "NSMutableAttributedString",
            [
                "NSString": .object("hello world"), "NSAttributes": .object([["a": "b"], ["c": 1]]),
                "NSAttributeInfo": .object(.object(data)),
            ]
        )
        let runs = [(3, ["a": "b"]), (4, ["c": 1]), (4, ["a": "b"])] as [(Int, ArchivedDictionary)]
        let text = ArchivedAttributedString("hello world", runs: runs.map { .init($0, attributes: $1) })
        #expect(try value == .attributedString(#require(text)))
    }

    /// Runs that do not add up to the text, and attributes that are not in the list.
    @Test(arguments: [[3, 0], [20, 0], [3, 0, 8, 1], [3, 0, 8], [0x80], [0, 0, 11, 0]] as [[UInt8]])
    func keepsTextWithInvalidRuns(info: [UInt8]) throws {
        let value = try read(
            "NSAttributedString",
            [
                "NSString": .object("hello world"), "NSAttributes": .object([["a": "b"]]),
                "NSAttributeInfo": .object(.data(Data(info))),
            ]
        )
        guard case .object(let instance) = value else {
            Issue.record("the runs are wrong, and were read")
            return
        }
        #expect(instance["NSString"] == "hello world")
    }

    @Test(arguments: [
        ([] as [UInt8], [1, 0, 0, 1, 0, 0] as [Double]),
        ([1, 0x40, 0xA0, 0, 0, 0x40, 0xC0, 0, 0], [1, 0, 0, 1, 5, 6]),
        ([2, 0x40, 0, 0, 0, 0x40, 0x40, 0, 0], [2, 0, 0, 3, 0, 0]),
        ([0x40, 0, 0, 0, 0x40, 0x40, 0, 0, 0x40, 0xA0, 0, 0, 0x40, 0xC0, 0, 0], [2, 0, 0, 3, 5, 6]),
        (
            [0x3F, 0x80, 0, 0, 0x40, 0, 0, 0, 0x40, 0x40, 0, 0, 0x40, 0x80, 0, 0, 0x40, 0xA0, 0, 0, 0x40, 0xC0, 0, 0],
            [1, 2, 3, 4, 5, 6]
        ),
    ])
    func readsTransformsOfEveryLength(bytes: [UInt8], numbers: [Double]) throws {
        let fields: [String: ArchivedInstance.FieldValue] = [
            "NSTransformStruct": .inline(.data(Data(bytes)))
        ]
        let value = try read("NSAffineTransform", bytes.isEmpty ? [:] : fields)
        let parts = numbers.map { CGFloat($0) }
        let transform = AffineTransform(
            m11: parts[0],
            m12: parts[1],
            m21: parts[2],
            m22: parts[3],
            tX: parts[4],
            tY: parts[5]
        )
        #expect(value == .affineTransform(ArchivedAffineTransform(transform)))
    }

    @Test func rejectsTransformsThatWouldBeRounded() {
        let transform = ArchivedAffineTransform(AffineTransform(rotationByDegrees: 30))
        let error = #expect(throws: TransformerError.self) {
            try ArchivedValueTransformer().encode(.affineTransform(transform))
        }
        #expect(error?.code == .invalidValue)
    }

    @Test func readsAppleDateComponents() throws {
        let zone = ArchivedInstance(
            ArchivedClass("NSTimeZone"),
            fields: ["NS.name": .object("GMT"), "NS.data": .object(nil)]
        )
        let value = try read(
            "NSDateComponents",
            ["NS.year": .inline(2026), "NS.leapMonth": .inline(1), "NS.timezone": .object(.object(zone))]
        )
        var components = ArchivedDateComponents()
        components[.year] = 2026
        components.isLeapMonth = true
        components.timeZone = ArchivedTimeZone("GMT")
        #expect(value == .dateComponents(components))
    }

    @Test(arguments: [false, true])
    func keepsRepeatedDays(isRepeated: Bool) throws {
        let fields: [String: ArchivedInstance.FieldValue] = [
            "NS.day": .inline(3), "NS.repeatedDay": .inline(.boolean(isRepeated)),
        ]
        let value = try read("NSDateComponents", fields)
        var components = ArchivedDateComponents()
        components[.day] = 3
        components.isRepeatedDay = isRepeated
        #expect(value == .dateComponents(components))
        let bytes = try ArchivedValueTransformer().encode(value)
        #expect(try ArchivedValueTransformer().decode(bytes) == value)
        #expect(try ArchivedValue(json: Data(value.json.utf8)) == value)
    }

    /// `-[NSURL encodeWithCoder:]` stores bookmark data with the URL of a file.
    @Test func keepsURLsWithOtherFields() throws {
        let bookmark = ArchivedInstance(
            ArchivedClass("NSURL"),
            fields: [
                "NS.base": .object(nil), "NS.relative": .object("file:///a/"),
                "NS.minimalBookmarkData": .object(.data(Data([1, 2]))),
            ]
        )
        let relative = ArchivedInstance(
            ArchivedClass("NSURL"),
            fields: ["NS.base": .object(.object(bookmark)), "NS.relative": .object("b")]
        )
        let value = ArchivedValue.array([.object(bookmark), .object(relative), .url(ArchivedURL("c"))])
        let bytes = try ArchivedValueTransformer().encode(value)
        #expect(try ArchivedValueTransformer().decode(bytes) == value)
        let urls = try KeyedArchiveTransformer<[URL]>().decode(bytes)
        #expect(urls.map(\.absoluteString) == ["file:///a/", "file:///a/b", "c"])
    }

    @Test(arguments: [
        ("NS.intval", ArchivedValue.integer(5)), ("NS.dblval", .real(2.5)), ("NS.boolval", .boolean(true)),
    ])
    func readsNumbersInInterfaceFiles(field: String, value: ArchivedValue) throws {
        #expect(try read("NSNumber", [field: .inline(value)]) == value)
    }

    /// Counts that no field stands for must not be believed.
    @Test(arguments: [-1, 3, Int.max, Int.min])
    func keepsSetsWithInvalidCounts(count: Int) throws {
        for (className, field) in [
            ("NSCountedSet", "NS.count"), ("NSIndexSet", "NSRangeCount"), ("NSIndexPath", "NSIndexPathLength"),
        ] {
            guard case .object = try read(className, [field: .inline(.integer(Int128(count)))]) else {
                Issue.record("\(className) of a wrong count was read")
                return
            }
        }
    }

    @Test func keepsRangesBeyondIntegers() throws {
        let value = try read(
            "NSValue",
            [
                "NS.special": .inline(4), "NS.rangeval.location": .object(0),
                "NS.rangeval.length": .object(.integer(Int128(UInt64.max))),
            ]
        )
        guard case .object(let instance) = value else {
            Issue.record("a range beyond Int is no NSRange")
            return
        }
        #expect(instance["NS.rangeval.length"] == .integer(Int128(UInt64.max)))
    }
}
