import Foundation

/// A class with `NSSecureCoding` that holds an object of any of Foundation's value classes.
final class Holder: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let content: NSObject?

    init(_ content: NSObject) { self.content = content }

    required init?(coder: NSCoder) { content = coder.decodeObject(forKey: "content") as? NSObject }

    func encode(with coder: NSCoder) { coder.encode(content, forKey: "content") }

    override func isEqual(_ other: Any?) -> Bool { (other as? Holder).map { content == $0.content } ?? false }

    override var hash: Int { content?.hash ?? 0 }

    static var samples: [Holder] { objects.map { Holder($0) } }

    private static var objects: [NSObject] {
        let zone = TimeZone(secondsFromGMT: 3_600) ?? .gmt
        let components = DateComponents(timeZone: zone, year: 2026, month: 5)
        let link = [NSAttributedString.Key("link"): URL(string: "https://a.b/c") as Any]
        return [
            NSString(string: "größe"), NSMutableString(string: "a"), NSNumber(value: UInt64.max),
            NSDecimalNumber(string: "-12.5"),
            NSData(data: Data([1, 2])), NSDate(timeIntervalSinceReferenceDate: 0.5), NSNull(),
            NSUUID(uuidString: "01020304-0506-0708-090A-0B0C0D0E0F10") ?? NSNull(),
            NSURL(string: "b?c", relativeTo: URL(string: "https://example.com/a/")) ?? NSNull(),
            NSArray(array: ["a", [1, 2.5]]), NSDictionary(dictionary: ["one": 1, "two": NSNull()]),
            NSSet(array: ["a", "b"]), NSCountedSet(array: ["a", "b", "a"]), NSOrderedSet(array: ["b", "a"]),
            NSIndexSet(indexSet: [1, 2, 300]), NSIndexPath(indexes: [1, 500], length: 2),
            NSValue(rect: CGRect(x: 1, y: 2, width: 3, height: 4)), NSValue(range: NSRange(location: 1, length: 2)),
            [1, 2, 3].withUnsafeBytes { $0.baseAddress.map { NSValue(bytes: $0, objCType: "[3q]") } } ?? NSNull(),
            NSLocale(localeIdentifier: "de_DE"), zone as NSTimeZone, Calendar(identifier: .gregorian) as NSCalendar,
            components as NSDateComponents, NSAttributedString(string: "größe", attributes: link),
            NSError(domain: "d", code: 4, userInfo: ["why": NSError(domain: "e", code: 5)]),
            (try? NSRegularExpression(pattern: "a(b)?")) ?? NSNull(), NSURLQueryItem(name: "a", value: "b"),
            NSCharacterSet(charactersIn: "abc"), Measurement(value: 1.5, unit: UnitLength.miles) as NSMeasurement,
            AffineTransform(scale: 2) as NSAffineTransform, UnitTemperature.fahrenheit,
        ]
    }
}
