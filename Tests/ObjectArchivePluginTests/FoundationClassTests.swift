import Foundation
import KeyedArchivePlugin
import ObjectArchivePlugin
import Testing
import Transformable

/// Foundation's classes inside a class of one's own, by our coder and by Foundation's.
@Suite struct FoundationClassTests {
    struct Case: CustomTestStringConvertible, @unchecked Sendable {
        let name: String
        // Nothing changes the objects once they are made.
        let object: NSObject
        /// What keeps Foundation itself from writing it: crashes of its own on Linux.
        var crash: String?
        /// What keeps Foundation itself from reading what it writes.
        var misread: String?
        /// Foundation compares some classes by identity.
        var description: (@Sendable (NSObject) -> String)?

        init(
            _ object: NSObject,
            crash: String? = nil,
            misread: String? = nil,
            description: (@Sendable (NSObject) -> String)? = nil
        ) {
            self.init("\(type(of: object))", object, crash: crash, misread: misread, description: description)
        }

        init(
            _ name: String,
            _ object: NSObject,
            crash: String? = nil,
            misread: String? = nil,
            description: (@Sendable (NSObject) -> String)? = nil
        ) {
            self.name = name
            self.misread = misread
            self.object = object
            self.crash = crash
            self.description = description
        }

        var testDescription: String { name }

        func isEqual(to other: NSObject?) -> Bool {
            guard let description else { return object.isEqual(other) }
            return other.map { description($0) == description(object) } ?? false
        }
    }

    static let cases = texts + numbers + collections + dates + others + matches + units

    static let texts = [
        Case(NSString("naïve 😀")),
        Case(NSMutableString(string: "changes")),
        Case(NSData(data: Data([0, 255]))),
        Case(NSMutableData(data: Data([1]))),
        Case(
            "run of one",
            attributed("plain"),
            misread: "its unarchiver wants NSAttributeInfo, which it does not write"
        ),
        Case("runs", attributed("hello, hello world")),
        Case("characters of a string", NSCharacterSet(charactersIn: "abc")),
        Case("characters of a range", NSCharacterSet(range: NSRange(location: 97, length: 3))),
        Case("known characters", CharacterSet.alphanumerics.inverted as NSCharacterSet),
        Case("any characters", CharacterSet.letters.union(.decimalDigits) as NSCharacterSet),
        Case((try? NSRegularExpression(pattern: "a+", options: [.caseInsensitive])) ?? NSNull()),
    ]

    static let numbers = [
        Case("true", NSNumber(value: true)), Case("-5", NSNumber(value: -5)),
        Case("2^64-1", NSNumber(value: UInt64.max)),
        Case("0.1", NSNumber(value: 0.1)),
        Case(NSDecimalNumber(string: "12.345"), crash: "its archiver crashes"),
        Case("point", NSValue(point: CGPoint(x: 1, y: -2.5))),
        Case("size", NSValue(size: CGSize(width: 3, height: 0.1))),
        Case("rect", NSValue(rect: CGRect(x: 1, y: 2, width: 3, height: 4))),
        Case("range", NSValue(range: NSRange(location: 5, length: 6))),
        Case("insets", NSValue(edgeInsets: NSEdgeInsets(top: 1, left: 2, bottom: 3, right: 4))),
        Case(AffineTransform(m11: 1, m12: 2, m21: 3, m22: 4, tX: 5, tY: 6) as NSAffineTransform),
        Case("number of C", carray([Int32(7)], "i")),
        Case("numbers of C", carray([1, 2, 3] as [Int32], "[3i]")),
    ]

    static let collections = [
        Case(NSArray(array: ["a", 1, [2.5, NSNull()]])), Case(NSMutableArray(array: ["a"])),
        Case(NSDictionary(dictionary: ["a": 1, "b": ["c": NSNull()]])),
        Case(NSMutableDictionary(dictionary: [NSNumber(value: 1): "one"])),
        Case(NSSet(array: ["a", "b", 3])), Case(NSMutableSet(array: ["a"])),
        Case(NSCountedSet(array: ["a", "b", "a"])),
        Case(NSOrderedSet(array: ["b", "a"])), Case(NSMutableOrderedSet(array: ["b", "a"])),
        Case("no indexes", NSIndexSet()), Case("indexes of a range", NSIndexSet(indexSet: [4, 5])),
        Case("indexes", NSIndexSet(indexSet: [1, 300, 301, 100_000])), Case(NSMutableIndexSet(indexSet: [1, 9])),
        Case("index", NSIndexPath(index: 5)), Case(NSIndexPath(indexes: [300, 0, 100_000], length: 3)),
    ]

    static let dates = [
        Case(NSDate(timeIntervalSinceReferenceDate: 0.1)), Case(NSLocale(localeIdentifier: "de_DE")),
        Case("zone", zone), Case("calendar", calendar), Case("components", components),
        Case(
            NSDateInterval(start: Date(timeIntervalSinceReferenceDate: 1), duration: 5),
            misread: "its unarchiver takes the end for the start",
            description: { "\(($0 as? NSDateInterval)?.startDate as Any) \(($0 as? NSDateInterval)?.duration ?? -1)" }
        ),
        Case(
            ISO8601DateFormatter(),
            description: {
                ($0 as? ISO8601DateFormatter)?.string(from: Date(timeIntervalSinceReferenceDate: 0)) ?? "none"
            }
        ),
    ]

    static let others = [
        Case(NSNull()), Case(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)) as NSUUID),
        Case("relative URL", relativeURL),
        Case(NSError(domain: "acme", code: -3, userInfo: ["why": "because"]), crash: "its archiver crashes"),
        Case(
            NSNotification(name: Notification.Name("n"), object: "o", userInfo: ["a": 1]),
            crash: "its notifications do not support secure coding",
            description: {
                let note = $0 as? NSNotification
                return "\(note?.name.rawValue ?? "") \(note?.object ?? "") \(note?.userInfo ?? [:])"
            }
        ),
        Case(name), Case(NSURLQueryItem(name: "a", value: "b")),
        Case("distance", Measurement(value: 1.5, unit: UnitLength.miles) as NSMeasurement),
        Case("consumption", Measurement(value: 30, unit: UnitFuelEfficiency.milesPerGallon) as NSMeasurement),
        Case("temperature", UnitTemperature.fahrenheit), Case("unit", Unit(symbol: "pt")),
        Case(UnitConverterLinear(coefficient: 2, constant: 3)),
    ]

    /// Of few ranges, of some, and of many: three private classes.
    static let matches = ["(a)(b)?", "(a(b(c(d))))", "a(b(c(d(e(f(g(h)))))))"]
        .map { pattern in
            Case("match of \(pattern)", match(pattern), description: { describe($0) })
        }

    static let units = [
        UnitAcceleration.gravity, UnitAngle.degrees, UnitArea.acres, UnitConcentrationMass.gramsPerLiter,
        UnitDispersion.partsPerMillion, UnitDuration.hours, UnitElectricCharge.ampereHours,
        UnitElectricCurrent.milliamperes, UnitElectricPotentialDifference.kilovolts,
        UnitElectricResistance.kiloohms, UnitEnergy.calories, UnitFrequency.kilohertz,
        UnitFuelEfficiency.milesPerGallon, UnitIlluminance.lux, UnitInformationStorage.mebibytes, UnitLength.miles,
        UnitMass.pounds, UnitPower.horsepower, UnitPressure.hectopascals, UnitSpeed.knots, UnitTemperature.celsius,
        UnitVolume.cups,
    ]
    .map { Case($0) }

    static func match(_ pattern: String) -> NSObject {
        let text = "abcdefgh"
        let whole = NSRange(location: 0, length: text.utf16.count)
        return (try? NSRegularExpression(pattern: pattern))?.firstMatch(in: text, range: whole) ?? NSNull()
    }

    @Sendable static func describe(_ object: NSObject) -> String {
        guard let match = object as? NSTextCheckingResult else { return "none" }
        let ranges = (0..<match.numberOfRanges).map { "\(match.range(at: $0))" }
        return "\(type(of: match)) \(match.regularExpression?.pattern ?? "") \(ranges)"
    }

    static func carray<Number: BitwiseCopyable>(_ numbers: [Number], _ type: String) -> NSObject {
        numbers.withUnsafeBytes { bytes in
            bytes.baseAddress.map { NSValue(bytes: $0, objCType: type) } ?? NSNull()
        }
    }

    static var relativeURL: NSObject {
        NSURL(string: "b?c", relativeTo: URL(string: "https://example.com/a/")) ?? NSNull()
    }

    static var zone: NSTimeZone { (TimeZone(identifier: "Europe/Paris") ?? .gmt) as NSTimeZone }

    static var calendar: NSCalendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone as TimeZone
        calendar.locale = Locale(identifier: "fr_FR")
        calendar.firstWeekday = 2
        return calendar as NSCalendar
    }

    static var components: NSDateComponents {
        let (calendar, zone) = (calendar as Calendar, zone as TimeZone)
        return DateComponents(calendar: calendar, timeZone: zone, year: 2024, month: 2, day: 29) as NSDateComponents
    }

    static var name: NSPersonNameComponents {
        var name = PersonNameComponents()
        name.givenName = "Ada"
        name.nickname = "Countess"
        return name as NSPersonNameComponents
    }

    static func attributed(_ text: String) -> NSAttributedString {
        let result = NSMutableAttributedString(string: text, attributes: [.init("plain"): true])
        let count = result.length
        if count > 5 {
            result.setAttributes([.init("link"): URL(string: "a:b") as Any], range: NSRange(location: 0, length: 5))
            result.setAttributes([.init("link"): URL(string: "a:b") as Any], range: NSRange(location: 7, length: 5))
        }
        return NSAttributedString(attributedString: result)
    }

    @Test(arguments: cases)
    func roundTrips(case: Case) throws {
        let transformer = ObjectArchiveTransformer<Box>()
        let read = try transformer.decode(transformer.encode(Box(`case`.object)))
        #expect(`case`.isEqual(to: read.content), "\(read.content as Any)")
    }

    @Test(arguments: cases.filter { $0.crash == nil && $0.misread == nil })
    func foundationReadsOurArchives(case: Case) throws {
        let bytes = try ObjectArchiveTransformer<Box>().encode(Box(`case`.object))
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: bytes)
        unarchiver.requiresSecureCoding = false
        let read = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? Box
        #expect(`case`.isEqual(to: read?.content), "\(read?.content as Any)")
    }

    @Test(arguments: cases.filter { $0.crash == nil })
    func weReadFoundationsArchives(case: Case) throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        archiver.encode(Box(`case`.object), forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        let read = try ObjectArchiveTransformer<Box>().decode(archiver.encodedData)
        #expect(`case`.isEqual(to: read.content), "\(read.content as Any)")
    }

    /// What Foundation archives is read as values and written again, and is the same to Foundation.
    @Test(arguments: cases.filter { $0.crash == nil && $0.misread == nil })
    func valuesArePreserved(case: Case) throws {
        let bytes = try NSKeyedArchiver.archivedData(withRootObject: `case`.object, requiringSecureCoding: false)
        let transformer = ArchivedValueTransformer()
        let rewritten = try transformer.encode(transformer.decode(bytes))
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: rewritten)
        unarchiver.requiresSecureCoding = false
        let read = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey) as? NSObject
        #expect(`case`.isEqual(to: read), "\(read as Any)")
    }

    /// Equal bytes of a bitmap: where, how many, and which.
    typealias BitmapRun = (start: Int, count: Int, byte: UInt8)

    /// Foundation's own sets of these bitmaps read through a bad pointer when they are asked for theirs.
    @Test(
        arguments: [
            [(12, 1, 14), (558, 1, 37), (1614, 1, 89), (1615, 1, 33), (1694, 4731, 128)],
            [(12, 1, 14), (46, 4401, 128), (8100, 1, 16)],
        ] as [[BitmapRun]]
    )
    func acceptsAnyBitmapOfACharacterSet(runs: [BitmapRun]) throws {
        var bitmap = [UInt8](repeating: 0, count: 8192)
        for (start, count, byte) in runs {
            bitmap.replaceSubrange(start..<start + count, with: repeatElement(byte, count: count))
        }
        let fields: [String: ArchivedInstance.FieldValue] = ["NSBitmap": .inline(.data(Data(bitmap)))]
        let object = ArchivedInstance(ArchivedClass("NSCharacterSet"), fields: fields)
        let transformer = ObjectArchiveTransformer<NSCharacterSet>()
        let set = try transformer.decode(ArchivedValueTransformer().encode(.object(object)))
        #expect(set.bitmapRepresentation == Data(bitmap))
        #expect(try transformer.decode(transformer.encode(set)).bitmapRepresentation == Data(bitmap))
    }

    /// What a match without ranges, or with other values than ranges, would trap on later.
    @Test(arguments: [[], [.point(.zero)], ["{0, 1}"], [.null]] as [ArchivedArray])
    func aMatchRequiresRanges(ranges: ArchivedArray) throws {
        let expression = ArchivedInstance(
            ArchivedClass("NSRegularExpression"),
            fields: ["NSPattern": .object("a"), "NSOptions": .inline(0)]
        )
        let match = ArchivedInstance(
            ArchivedClass("NSComplexRegularExpressionCheckingResult"),
            fields: [
                "NSRegularExpression": .object(.object(expression)), "NSRangeArray": .object(.array(ranges)),
            ]
        )
        let bytes = try ArchivedValueTransformer().encode(.object(match))
        #expect(throws: TransformerError.self) { try ObjectArchiveTransformer<NSTextCheckingResult>().decode(bytes) }
    }

    @Test func mutableClassesStayMutable() throws {
        let transformer = ObjectArchiveTransformer<Box>()
        let objects: [NSObject] = [
            NSMutableString(string: "a"), NSMutableArray(), NSMutableDictionary(), NSMutableSet(), NSMutableData(),
            NSMutableOrderedSet(), NSMutableAttributedString(string: "a"), NSMutableIndexSet(),
        ]
        for object in objects {
            let read = try transformer.decode(transformer.encode(Box(object)))
            #expect(read.content.map { type(of: $0) } == type(of: object))
        }
    }

    @Test func supportsFoundationClassesDirectly() throws {
        let transformer = ObjectArchiveTransformer<NSMutableArray>()
        let array = NSMutableArray(array: ["a", 1])
        array.add(NSArray(array: [NSNull()]))
        #expect(try transformer.decode(transformer.encode(array)).isEqual(array))
    }
}
