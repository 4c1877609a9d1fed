internal import Foundation
internal import KeyedArchivePlugin
internal import Transformable

extension FoundationClass {
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
            Self(NSDateComponents.self, "NSDateComponents") { try $0.dateComponents() },
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

    fileprivate func dateComponents() throws -> NSDateComponents {
        let components = NSDateComponents()
        let fields: [(String, ReferenceWritableKeyPath<NSDateComponents, Int>)] = [
            ("era", \.era), ("year", \.year), ("month", \.month), ("day", \.day), ("hour", \.hour),
            ("minute", \.minute), ("second", \.second), ("nanosec", \.nanosecond), ("weekday", \.weekday),
            ("weekdayOrdinal", \.weekdayOrdinal), ("quarter", \.quarter), ("weekOfMonth", \.weekOfMonth),
            ("weekOfYear", \.weekOfYear), ("yearForWOY", \.yearForWeekOfYear),
        ]
        for (name, field) in fields {
            components[keyPath: field] = try integer(.key("NS.\(name)")) ?? NSDateComponentUndefined
        }
        components.isLeapMonth = try boolean(.key("NS.isLeapMonth")) ?? false
        components.calendar = try object(NSCalendar.self, "NS.calendar").map { $0 as Calendar }
        components.timeZone = try object(NSTimeZone.self, "NS.timezone").map { $0 as TimeZone }
        return components
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
