internal import Foundation
internal import Transformable

extension StandardPlugin {
    private static let form = HumanForm.text(ISO8601Transformer())

    @RegistrationBuilder static var dates: [Registration] {
        Registration(
            "iso8601",
            summary: "a date as ISO 8601 text in UTC",
            form: form,
            .writing(
                "fraction",
                "the number of fractional digits; by default, as many as the date needs",
                default: Int?.none
            )
        ) { fraction in try ISO8601Transformer(fraction: fraction) }
        Registration(
            "iso8601-date",
            summary: "the day of a date in UTC: 2015-09-25",
            form: form,
            ISO8601DayTransformer(.date)
        )
        Registration(
            "iso8601-week",
            summary: "the week date of a date in UTC: 2015-W39-5",
            form: form,
            ISO8601DayTransformer(.week)
        )
        Registration("rfc2822", summary: "a date as in mail headers", form: form, RFC2822Transformer())
        Registration("http-date", summary: "a date as in HTTP headers", form: form, HTTPDateTransformer())
        Registration.family(
            "unix-time",
            default: Date.self,
            summary: "a date as the time since 1970",
            form: form,
            .reading("unit", "the unit of time", default: TimeUnit.seconds),
            .reading("form", "real (with a fraction) or integer", default: TimeForm.real)
        ) { _, unit, timeForm in
            switch timeForm {
            case .real: UnixTimeTransformer(unit: unit)
            case .integer: UnixTickTransformer(unit: unit)
            }
        }
        Registration(
            "reference-time",
            summary: "a date as the exact number of seconds since 2001",
            form: form,
            ReferenceTimeTransformer()
        )
        Registration(
            "date-format",
            summary: "a date formatted with a pattern",
            form: form,
            .reading("pattern", "a Unicode date format pattern, such as “MMMM d, yyyy”"),
            .reading("locale", "the identifier of the locale", default: "en_US_POSIX"),
            .reading("zone", "the identifier of the time zone", default: "UTC"),
            .reading("calendar", "the calendar", default: DateCalendar.gregorian)
        ) { pattern, locale, zone, calendar in
            try DateFormatTransformer(pattern: pattern, locale: locale, zone: zone, calendar: calendar)
        }
    }
}

/// Whether a time has a fraction.
enum TimeForm: String, CaseIterable, Sendable, ArgumentConvertible {
    case real
    case integer
}
