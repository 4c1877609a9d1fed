import Foundation
import KeyedArchivePlugin
import Testing
import Transformable

/// What we write is read by Foundation's unarchiver, and what Foundation archives is read here.
@Suite struct FoundationPeerTests {
    struct Case: CustomTestStringConvertible, @unchecked Sendable {
        let value: ArchivedValue
        // Immutable objects that nothing changes, shared by the tests that read them.
        let object: NSObject

        init(_ value: ArchivedValue, _ object: NSObject) {
            self.value = value
            self.object = object
        }

        var testDescription: String { "\(type(of: object))" }
    }

    static let zone = TimeZone(secondsFromGMT: 3_600)
    static let components = {
        var components = ArchivedDateComponents()
        components[.year] = 2026
        components[.month] = 5
        components.timeZone = ArchivedTimeZone("GMT+0100", data: Data())
        return components
    }()
    static let attributed = Case(
        ArchivedAttributedString("xyz", runs: [.init(1, attributes: ["a": "b"]), .init(2)])
            .map { .attributedString($0) } ?? .null,
        text
    )
    private static var text: NSAttributedString {
        let text = NSMutableAttributedString(string: "xyz")
        text.addAttribute(NSAttributedString.Key("a"), value: "b", range: NSRange(location: 0, length: 1))
        return NSAttributedString(attributedString: text)
    }

    static let cases = [
        Case("naïve 😀", NSString("naïve 😀")),
        Case("", NSString("")),
        Case(42, NSNumber(value: 42)),
        Case(.integer(Int128(Int64.min)), NSNumber(value: Int64.min)),
        Case(.integer(Int128(UInt64.max)), NSNumber(value: UInt64.max)),
        Case(-0.25, NSNumber(value: -0.25)),
        Case(true, NSNumber(value: true)),
        Case(.null, NSNull()),
        Case(.data(Data([0, 1, 2])), NSData(data: Data([0, 1, 2]))),
        Case(
            .date(Date(timeIntervalSinceReferenceDate: 1.5)),
            NSDate(timeIntervalSinceReferenceDate: 1.5)
        ),
        Case(
            .uuid(ArchivedValueTransformerTests.sampleUUID),
            ArchivedValueTransformerTests.sampleUUID as NSUUID
        ),
        Case(.url(ArchivedURL("https://example.com/a?b#c")), URL(filePath: "/") as NSURL),
        Case(["a", 1, 2.5, [.null]], NSArray(array: ["a", 1, 2.5, [NSNull()]])),
        Case(["b": 1, "a": ["c": "d"]], NSDictionary(dictionary: ["b": 1, "a": ["c": "d"]])),
        Case([1: "one", "two": 2], NSDictionary(dictionary: [NSNumber(value: 1): "one", "two": 2])),
        Case(.set(["a", "b", 3]), NSSet(array: ["a", "b", 3])),
        Case(.orderedSet(["b", "a"]), NSOrderedSet(array: ["b", "a"])),
        Case(.point(CGPoint(x: 1, y: 2.5)), NSValue(point: NSPoint(x: 1, y: 2.5))),
        Case(.size(CGSize(width: 1, height: 2.5)), NSValue(size: NSSize(width: 1, height: 2.5))),
        Case(
            .rect(CGRect(x: 1, y: 2, width: 3, height: 4)),
            NSValue(rect: NSRect(x: 1, y: 2, width: 3, height: 4))
        ),
        Case(.range(NSRange(location: 1, length: 2)), NSValue(range: NSRange(location: 1, length: 2))),
        Case(
            .countedSet(ArchivedCountedSet([.init("a", count: 2), .init("b", count: 1)])),
            NSCountedSet(array: ["a", "b", "a"])
        ),
        Case(.indexSet(ArchivedIndexSet([])), NSIndexSet()),
        Case(.indexSet(ArchivedIndexSet([5])), NSIndexSet(index: 5)),
        Case(.indexSet(ArchivedIndexSet([1, 2, 3, 300])), NSIndexSet(indexSet: [1, 2, 3, 300])),
        Case(.indexPath(ArchivedIndexPath([])), NSIndexPath()),
        Case(.indexPath(ArchivedIndexPath([5])), NSIndexPath(index: 5)),
        Case(.indexPath(ArchivedIndexPath([1, 500, 3])), NSIndexPath(indexes: [1, 500, 3], length: 3)),
        Case(
            .affineTransform(ArchivedAffineTransform(AffineTransform(m11: 1, m12: 2, m21: 3, m22: 4, tX: 5, tY: 6.5))),
            NSAffineTransform(transform: AffineTransform(m11: 1, m12: 2, m21: 3, m22: 4, tX: 5, tY: 6.5))
        ),
        Case(.locale(ArchivedLocale("de_DE")), NSLocale(localeIdentifier: "de_DE")),
        Case(.dateComponents(ArchivedDateComponents()), NSDateComponents()),
        Case(.dateComponents(components), DateComponents(timeZone: zone, year: 2026, month: 5) as NSDateComponents),
        Case(.timeZone(ArchivedTimeZone("GMT+0100", data: Data())), NSTimeZone(forSecondsFromGMT: 3_600)),
        Case(
            .notification(ArchivedNotification("n", object: "o", userInfo: ["k": "v"])),
            NSNotification(name: .init("n"), object: "o", userInfo: ["k": "v"])
        ),
        attributed,
        Case(.attributedString(ArchivedAttributedString("")), NSAttributedString(string: "")),
        Case(.attributedString(ArchivedAttributedString("x")), NSAttributedString(string: "x")),
        Case(
            .attributedString(ArchivedAttributedString("x", attributes: ["a": "b"])),
            NSAttributedString(string: "x", attributes: [NSAttributedString.Key("a"): "b"])
        ),
        Case(
            .edgeInsets(ArchivedEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)),
            NSValue(edgeInsets: NSEdgeInsets(top: 1, left: 2, bottom: 3, right: 4))
        ),
    ]

    private func object(_ case: Case) -> NSObject {
        guard case .url(let url) = `case`.value, let url = url.url else { return `case`.object }
        return url as NSURL
    }

    @Test(arguments: cases, KeyedArchiveFormat.allCases)
    func foundationReadsOurArchives(case: Case, format: KeyedArchiveFormat) throws {
        let bytes = try ArchivedValueTransformer(format: format).encode(`case`.value)
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: bytes)
        unarchiver.requiresSecureCoding = false
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        let read = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
        // Foundation on Linux misses the field of many runs in its own archives of one run, too.
        #expect(unarchiver.error == nil || `case`.object is NSAttributedString)
        #expect(Self.areEqual(object(`case`), read))
    }

    /// Notifications on Linux are equal only to themselves, and their user information is not read.
    private static func areEqual(_ object: NSObject, _ other: Any?) -> Bool {
        guard let left = object as? NSNotification, let right = other as? NSNotification else {
            return object.isEqual(other)
        }
        return left.name == right.name && "\(left.object ?? "")" == "\(right.object ?? "")"
    }

    @Test(arguments: cases, [PropertyListSerialization.PropertyListFormat.binary, .xml])
    func weReadFoundationsArchives(case: Case, format: PropertyListSerialization.PropertyListFormat) throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        archiver.outputFormat = format
        archiver.encode(object(`case`), forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        #expect(try ArchivedValueTransformer().decode(archiver.encodedData) == `case`.value)
    }
}
