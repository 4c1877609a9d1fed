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
