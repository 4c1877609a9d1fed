internal import Foundation
internal import KeyedArchivePlugin
internal import Transformable

extension FoundationClass {
    /// Single values other than strings: numbers, dates, UUIDs, URLs, and geometry.
    static var scalars: [Self] {
        [
            Self(
                NSNull.self,
                "NSNull",
                encode: { _, _ in },
                decode: { _ in NSNull() }
            ),
            Self(
                NSNumber.self,
                "NSNumber",
                "NSValue",
                encode: { try $1.put($0.doubleValue, in: .key("NS.dblval")) },
                decode: { try number($0) }
            ),
            Self(
                NSDecimalNumber.self,
                "NSDecimalNumber",
                "NSNumber",
                "NSValue",
                encode: { _, _ in },
                decode: { NSDecimalNumber(decimal: try $0.storage.decimal($0.frame().node)) }
            ),
            Self(
                NSDate.self,
                "NSDate",
                encode: { try $1.put($0.timeIntervalSinceReferenceDate, in: .key("NS.time")) },
                decode: { try $0.storage.date($0.frame().node) as NSDate }
            ),
            Self(
                NSUUID.self,
                "NSUUID",
                encode: { uuid, archiver in
                    try (uuid as UUID).archivedBytes.withUnsafeBytes { try archiver.put($0, in: .key("NS.uuidbytes")) }
                },
                decode: { try $0.storage.uuid($0.frame().node) as NSUUID }
            ),
            Self(
                NSURL.self,
                "NSURL",
                encode: { url, archiver in
                    try ArchivedURL(url as URL).checkBases()
                    try archiver.put(url.baseURL, in: .key("NS.base"))
                    try archiver.put(url.relativeString, in: .key("NS.relative"))
                },
                decode: { unarchiver in
                    let parts = try unarchiver.storage.url(unarchiver.frame().node)
                    try unarchiver.charge(parts.cost)
                    let base = parts.bases.first.flatMap { ArchivedURL($0, bases: Array(parts.bases.dropFirst())).url }
                    guard (base == nil) == parts.bases.isEmpty,
                        let url = NSURL(string: parts.relativeString, relativeTo: base)
                    else { throw unarchiver.broken(NSURL.self) }
                    return url
                }
            ),
            Self(NSValue.self, "NSValue", encode: { try encode($0, $1) }, decode: { try geometry($0) }),
        ]
    }

    /// Decodes a number that is an object, as in very old archives.
    private static func number(_ unarchiver: ObjectUnarchiver) throws -> NSNumber {
        if let flag = try unarchiver.boolean(.key("NS.boolval")) { return NSNumber(value: flag) }
        if let number: Int64 = try unarchiver.integer(.key("NS.intval")) { return NSNumber(value: number) }
        guard let number = try unarchiver.double(.key("NS.dblval")) else { throw unarchiver.broken(NSNumber.self) }
        return NSNumber(value: number)
    }

    private static func geometry(_ unarchiver: ObjectUnarchiver) throws -> NSValue {
        switch try unarchiver.storage.geometry(unarchiver.frame().node) {
        case .point(let point): return NSValue(point: point)
        case .size(let size): return NSValue(size: size)
        case .rect(let rect): return NSValue(rect: rect)
        case .range(let range): return NSValue(range: range)
        case .edgeInsets(let insets):
            let insets = NSEdgeInsets(top: insets.top, left: insets.left, bottom: insets.bottom, right: insets.right)
            return NSValue(edgeInsets: insets)
        case nil: return try unarchiver.typedValue()
        default: throw unarchiver.broken(NSValue.self)
        }
    }

    private static func encode(_ value: NSValue, _ archiver: ObjectArchiver) throws {
        func put(_ kind: Int, _ key: String, _ text: String) throws {
            try archiver.put(text, in: .key(key))
            try archiver.put(kind, in: .key("NS.special"))
        }
        func pair(_ first: CGFloat, _ second: CGFloat) -> String { GeometryString.pair(Double(first), Double(second)) }
        switch String(cString: value.objCType) {
        case String(cString: NSValue(point: .zero).objCType):
            try put(1, "NS.pointval", pair(value.pointValue.x, value.pointValue.y))
        case String(cString: NSValue(size: .zero).objCType):
            try put(2, "NS.sizeval", pair(value.sizeValue.width, value.sizeValue.height))
        case String(cString: NSValue(rect: .zero).objCType):
            let rect = value.rectValue
            let origin = pair(rect.origin.x, rect.origin.y)
            try put(3, "NS.rectval", "{\(origin), \(pair(rect.size.width, rect.size.height))}")
        case String(cString: NSValue(range: NSRange()).objCType):
            try archiver.put(NSNumber(value: value.rangeValue.length), in: .key("NS.rangeval.length"))
            try archiver.put(NSNumber(value: value.rangeValue.location), in: .key("NS.rangeval.location"))
            try archiver.put(4, in: .key("NS.special"))
        case String(cString: NSValue(edgeInsets: NSEdgeInsets()).objCType):
            let insets = value.edgeInsetsValue
            let fields = [
                ("bottom", insets.bottom), ("left", insets.left), ("right", insets.right), ("top", insets.top),
            ]
            for (field, number) in fields {
                try archiver.put(Double(number), in: .key("NS.edgeval.\(field)"))
            }
            try archiver.put(12, in: .key("NS.special"))
        default:
            try archiver.put(value)
        }
    }

    /// Calendars, time zones, locales, and related classes.
    static var dates: [Self] {
        [
            Self(NSLocale.self, "NSLocale") { NSLocale(localeIdentifier: try $0.identifier("NS.identifier")) },
            // Only the name is used, because untrusted data should not reach a time zone parser.
            Self(NSTimeZone.self, "NSTimeZone") { unarchiver in
                guard let zone = TimeZone(identifier: try unarchiver.identifier("NS.name")) else {
                    throw unarchiver.broken(NSTimeZone.self)
                }
                return zone as NSTimeZone
            },
            Self(NSCalendar.self, "NSCalendar") { try $0.calendar() },
            Self(NSDateInterval.self, "NSDateInterval") { try $0.dateInterval() },
            Self(ISO8601DateFormatter.self, "NSISO8601DateFormatter", "NSFormatter") { try $0.formatter() },
        ]
    }
}

extension ObjectUnarchiver {
    private static let longestIdentifier = 256

    /// Decodes an identifier.
    fileprivate func identifier(_ key: String) throws -> String {
        let path = try frame().path
        guard let text = try text(.key(key)), text.utf8.count <= Self.longestIdentifier else {
            throw TransformerError.unreadable(path, "“\(key)” is not an identifier")
        }
        return text
    }

    /// Decodes an object of a class, if it exists.
    func object<Object: NSObject>(_ type: Object.Type, _ key: String) throws -> Object? {
        try object(.key(key), allowed: AllowedClasses([type])) as? Object
    }

    fileprivate func calendar() throws -> NSCalendar {
        let identifier = NSCalendar.Identifier(rawValue: try identifier("NS.identifier"))
        guard let calendar = NSCalendar(identifier: identifier) else { throw broken(NSCalendar.self) }
        if let zone = try object(NSTimeZone.self, "NS.timezone") { calendar.timeZone = zone as TimeZone }
        if let locale = try object(NSLocale.self, "NS.locale") { calendar.locale = locale as Locale }
        if let day: Int = try integer(.key("NS.firstwkdy")) {
            guard 1...7 ~= day else { throw broken(NSCalendar.self) }
            calendar.firstWeekday = day
        }
        if let days: Int = try integer(.key("NS.mindays")) {
            guard 1...7 ~= days else { throw broken(NSCalendar.self) }
            calendar.minimumDaysInFirstWeek = days
        }
        return calendar
    }

    fileprivate func dateInterval() throws -> NSDateInterval {
        guard let start = try object(NSDate.self, "NS.startDate") else { throw broken(NSDateInterval.self) }
        let duration: Double?
        if let end = try object(NSDate.self, "NS.endDate") {
            duration = end.timeIntervalSince(start as Date)
        } else {
            duration = try double(.key("NS.duration"))
        }
        guard let duration, duration >= 0 else { throw broken(NSDateInterval.self) }
        return NSDateInterval(start: start as Date, duration: duration)
    }

    fileprivate func formatter() throws -> ISO8601DateFormatter {
        let formatter = ISO8601DateFormatter()
        let known: ISO8601DateFormatter.Options = [
            .withYear, .withMonth, .withWeekOfYear, .withDay, .withTime, .withTimeZone, .withSpaceBetweenDateAndTime,
            .withDashSeparatorInDate, .withColonSeparatorInTime, .withColonSeparatorInTimeZone, .withFractionalSeconds,
        ]
        guard let number: UInt = try integer(.key("NS.formatOptions")),
            case let options = ISO8601DateFormatter.Options(rawValue: number), known.isSuperset(of: options)
        else { throw broken(ISO8601DateFormatter.self) }
        formatter.formatOptions = options
        if let zone = try object(NSTimeZone.self, "NS.timeZone") { formatter.timeZone = zone as TimeZone }
        return formatter
    }
}
