internal import Foundation
internal import _PropertyLists

/// An archived `NSDateComponents`.
public struct ArchivedDateComponents: Sendable, Hashable {
    /// A component that is a number.
    public enum Component: String, CaseIterable, Sendable {
        /// The era.
        case era
        /// The year.
        case year
        /// The quarter of the year.
        case quarter
        /// The month.
        case month
        /// The day of the month.
        case day
        /// The hour.
        case hour
        /// The minute.
        case minute
        /// The second.
        case second
        /// The nanosecond.
        case nanosecond
        /// The week, which newer systems divide into the week of the month and the week of the year.
        case week
        /// The week of the month.
        case weekOfMonth
        /// The week of the year.
        case weekOfYear
        /// The year to which the week belongs.
        case yearForWeekOfYear
        /// The day of the week, where 1 is Sunday.
        case weekday
        /// The ordinal of the weekday in the month.
        case weekdayOrdinal
        /// The day of the year.
        case dayOfYear
    }

    private var numbers: [Component: Int] = [:]
    /// Whether the month is a leap month.
    public var isLeapMonth = false
    /// Whether the day occurs a second time, which only newer Apple systems distinguish.
    public var isRepeatedDay = false
    /// The calendar.
    public var calendar: ArchivedCalendar?
    /// The time zone.
    public var timeZone: ArchivedTimeZone?

    /// Creates components, none of which are set.
    public init() {}

    /// Returns the number of a component, or nil if it is not set.
    public subscript(component: Component) -> Int? {
        get { numbers[component] }
        // Foundation uses the largest integer for components that are not set.
        set { numbers[component] = newValue == NSDateComponentUndefined ? nil : newValue }
    }
}

extension ArchivedDateComponents.Component {
    /// The field in which Apple's archivers store the component.
    fileprivate var field: String {
        switch self {
        case .nanosecond: "NS.nanosec"
        case .yearForWeekOfYear: "NS.yearForWOY"
        default: "NS.\(rawValue)"
        }
    }

    /// Whether Foundation on Linux supports the component, and reads zero if its field is missing.
    fileprivate var isAlwaysWritten: Bool { self != .week && self != .dayOfYear }
}

extension ArchivedDateComponents: ArchivedCompound {
    static let tag = "$dateComponents"
    /// The names that Apple's Foundation and Foundation on Linux use for the same field.
    private static let leapMonthFields = ["NS.leapMonth", "NS.isLeapMonth"]
    /// The field that newer Apple systems always write.
    private static let repeatedDayField = "NS.repeatedDay"
    private static let fields = Set(Component.allCases.map(\.field))
        .union(leapMonthFields + [repeatedDayField, "NS.calendar", "NS.timezone"])

    init?(_ instance: ArchivedInstance) {
        guard instance.hasOnly(Self.fields),
            let calendar = instance.optional("NS.calendar", \.calendar),
            let timeZone = instance.optional("NS.timezone", \.timeZone)
        else { return nil }
        self.calendar = calendar
        self.timeZone = timeZone
        for component in Component.allCases {
            guard let number = instance.optional(component.field, \.int) else { return nil }
            self[component] = number
        }
        func boolean(_ field: String) -> Bool?? {
            instance.optional(field) { $0.boolean ?? $0.int.map { $0 != 0 } }
        }
        for field in Self.leapMonthFields {
            guard let flag = boolean(field) else { return nil }
            isLeapMonth = isLeapMonth || flag == true
        }
        guard let isRepeated = boolean(Self.repeatedDayField) else { return nil }
        isRepeatedDay = isRepeated == true
    }

    func instance() -> ArchivedInstance {
        var fields: [(name: String, value: ArchivedInstance.FieldValue)] = []
        for component in Component.allCases where component.isAlwaysWritten || self[component] != nil {
            fields.append((component.field, .integer(self[component] ?? NSDateComponentUndefined)))
        }
        fields.append((Self.leapMonthFields[0], .integer(isLeapMonth ? 1 : 0)))
        fields.append((Self.leapMonthFields[1], .inline(.boolean(isLeapMonth))))
        if isRepeatedDay { fields.append((Self.repeatedDayField, .inline(.boolean(true)))) }
        // Foundation on Linux crashes if these fields are absent instead of null.
        fields.append(("NS.calendar", .object(calendar.map { .calendar($0) })))
        fields.append(("NS.timezone", .object(timeZone.map { .timeZone($0) })))
        return ArchivedInstance(.known(.dateComponents), fields: fields)
    }

    var plain: ArchivedValue {
        var pairs: [(String, ArchivedValue?)] = Component.allCases.map { component in
            (component.rawValue, self[component].map { .integer(Int128($0)) })
        }
        pairs += [
            ("isLeapMonth", isLeapMonth ? true : nil), ("isRepeatedDay", isRepeatedDay ? true : nil),
            ("calendar", calendar?.plain), ("timeZone", timeZone?.plain),
        ]
        return .dictionary(ArchivedDictionary(present: pairs))
    }

    init?(plain: ArchivedValue) {
        let others = ["isLeapMonth", "isRepeatedDay", "calendar", "timeZone"]
        let names = Set(Component.allCases.map(\.rawValue)).union(others)
        guard let pairs = plain.dictionary, pairs.hasOnly(names),
            let flag = pairs.optional("isLeapMonth", \.boolean),
            let isRepeated = pairs.optional("isRepeatedDay", \.boolean),
            let calendar = pairs.optional("calendar", ArchivedCalendar.init(plain:)),
            let timeZone = pairs.optional("timeZone", ArchivedTimeZone.init(plain:))
        else { return nil }
        isLeapMonth = flag ?? false
        isRepeatedDay = isRepeated ?? false
        self.calendar = calendar
        self.timeZone = timeZone
        for component in Component.allCases {
            guard let number = pairs.optional(component.rawValue, \.int) else { return nil }
            self[component] = number
        }
    }
}
