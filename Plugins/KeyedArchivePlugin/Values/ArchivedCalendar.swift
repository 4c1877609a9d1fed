public import Foundation
internal import _PropertyLists

/// An archived `NSCalendar`.
public struct ArchivedCalendar: Sendable, Hashable {
    /// The identifier, such as `gregorian`.
    public var identifier: String
    /// The locale.
    public var locale: ArchivedLocale?
    /// The time zone.
    public var timeZone: ArchivedTimeZone?
    /// The first day of the week, where 1 is Sunday.
    public var firstWeekday: Int?
    /// The minimum number of days in the first week of a year.
    public var minimumDaysInFirstWeek: Int?
    /// The first day of the Gregorian calendar.
    public var gregorianStartDate: Date?

    /// Creates a calendar from an identifier, which is not validated.
    public init(_ identifier: String) {
        self.identifier = identifier
    }

    private init(
        _ identifier: String,
        _ locale: ArchivedLocale?,
        _ timeZone: ArchivedTimeZone?,
        _ firstWeekday: Int?,
        _ minimumDays: Int?,
        _ startDate: Date?
    ) {
        self.identifier = identifier
        self.locale = locale
        self.timeZone = timeZone
        self.firstWeekday = firstWeekday
        minimumDaysInFirstWeek = minimumDays
        gregorianStartDate = startDate
    }
}

extension ArchivedCalendar: ArchivedCompound {
    static let tag = "$calendar"
    private static let fields: Set = [
        "NS.identifier", "NS.locale", "NS.timezone", "NS.firstwkdy", "NS.mindays", "NS.gstartdate",
    ]

    init?(_ instance: ArchivedInstance) {
        guard instance.hasOnly(Self.fields), let identifier = instance["NS.identifier"]?.string,
            let locale = instance.optional("NS.locale", \.locale),
            let timeZone = instance.optional("NS.timezone", \.timeZone),
            let firstWeekday = instance.optional("NS.firstwkdy", \.int),
            let minimumDays = instance.optional("NS.mindays", \.int),
            let startDate = instance.optional("NS.gstartdate", \.date)
        else { return nil }
        self.init(identifier, locale, timeZone, firstWeekday, minimumDays, startDate)
    }

    func instance() -> ArchivedInstance {
        var fields: [(name: String, value: ArchivedInstance.FieldValue)] = [
            ("NS.identifier", .object(.string(identifier)))
        ]
        if let locale { fields.append(("NS.locale", .object(.locale(locale)))) }
        if let timeZone { fields.append(("NS.timezone", .object(.timeZone(timeZone)))) }
        if let firstWeekday { fields.append(("NS.firstwkdy", .integer(firstWeekday))) }
        if let minimumDaysInFirstWeek { fields.append(("NS.mindays", .integer(minimumDaysInFirstWeek))) }
        if let gregorianStartDate { fields.append(("NS.gstartdate", .object(.date(gregorianStartDate)))) }
        return ArchivedInstance(.known(.calendar), fields: fields)
    }

    var plain: ArchivedValue {
        .dictionary(
            ArchivedDictionary(present: [
                ("identifier", .string(identifier)), ("locale", locale?.plain), ("timeZone", timeZone?.plain),
                ("firstWeekday", firstWeekday.map { .integer(Int128($0)) }),
                ("minimumDaysInFirstWeek", minimumDaysInFirstWeek.map { .integer(Int128($0)) }),
                ("gregorianStartDate", gregorianStartDate.map { .date($0) }),
            ])
        )
    }

    init?(plain: ArchivedValue) {
        let names: Set = [
            "identifier", "locale", "timeZone", "firstWeekday", "minimumDaysInFirstWeek", "gregorianStartDate",
        ]
        guard let pairs = plain.dictionary, pairs.hasOnly(names), let identifier = pairs["identifier"]?.string,
            let locale = pairs.optional("locale", ArchivedLocale.init(plain:)),
            let timeZone = pairs.optional("timeZone", ArchivedTimeZone.init(plain:)),
            let firstWeekday = pairs.optional("firstWeekday", \.int),
            let minimumDays = pairs.optional("minimumDaysInFirstWeek", \.int),
            let startDate = pairs.optional("gregorianStartDate", \.date)
        else { return nil }
        self.init(identifier, locale, timeZone, firstWeekday, minimumDays, startDate)
    }
}

/// An archived `NSTimeZone`: its name, and the rules at the time of archiving.
public struct ArchivedTimeZone: Sendable, Hashable {
    /// The name, such as `Europe/Paris` or `GMT+0100`.
    public let name: String
    /// The rules as a time zone file (RFC 8536), or nil for a fixed offset.
    public let data: Data?

    /// Creates a time zone from a name, which is not validated.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - data: The rules. Without rules, readers look the name up.
    public init(_ name: String, data: Data? = nil) {
        self.name = name
        self.data = data
    }

    /// The Foundation time zone with this name, or nil if there is none.
    public var timeZone: TimeZone? {
        TimeZone(identifier: name) ?? TimeZone(abbreviation: name)
    }
}

extension ArchivedTimeZone: ArchivedCompound {
    static let tag = "$timeZone"

    init?(_ instance: ArchivedInstance) {
        guard instance.hasOnly(["NS.name", "NS.data"]), let name = instance["NS.name"]?.string,
            let data = instance.optional("NS.data", \.data)
        else { return nil }
        self.init(name, data: data)
    }

    func instance() -> ArchivedInstance {
        let data = data.map { ArchivedValue.data($0) }
        return ArchivedInstance(
            .known(.timeZone),
            fields: [("NS.name", .object(.string(name))), ("NS.data", .object(data))]
        )
    }

    /// The name, or a dictionary of the name and the data.
    var plain: ArchivedValue {
        guard let data else { return .string(name) }
        return .dictionary(["name": .string(name), "data": .data(data)])
    }

    init?(plain: ArchivedValue) {
        if let name = plain.string {
            self.init(name)
            return
        }
        guard let pairs = plain.dictionary, pairs.hasOnly(["name", "data"]), let name = pairs["name"]?.string,
            let data = pairs["data"]?.data
        else { return nil }
        self.init(name, data: data)
    }
}

/// An archived `NSLocale`, which consists of its identifier.
public struct ArchivedLocale: Sendable, Hashable {
    /// The identifier, such as `de_DE`.
    public let identifier: String

    /// Creates a locale from an identifier, which is not validated.
    public init(_ identifier: String) {
        self.identifier = identifier
    }

    /// The Foundation locale.
    public var locale: Locale { Locale(identifier: identifier) }
}

extension ArchivedLocale: ArchivedCompound {
    static let tag = "$locale"

    init?(_ instance: ArchivedInstance) {
        guard instance.hasOnly(["NS.identifier"]), let identifier = instance["NS.identifier"]?.string else {
            return nil
        }
        self.identifier = identifier
    }

    func instance() -> ArchivedInstance {
        ArchivedInstance(.known(.locale), fields: [("NS.identifier", .object(.string(identifier)))])
    }

    var plain: ArchivedValue { .string(identifier) }

    init?(plain: ArchivedValue) {
        guard let identifier = plain.string else { return nil }
        self.identifier = identifier
    }
}
