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
                "how many digits of a second; left out, as many as the date has",
                default: Int?.none
            )
        ) { fraction in try ISO8601Transformer(fraction: fraction) }
        Registration(
            "iso8601-date",
            summary: "a date's day in UTC, as in 2015-09-25",
            form: form,
            ISO8601DayTransformer(.date)
        )
        Registration(
            "iso8601-week",
            summary: "a date's day in UTC by its week, as in 2015-W39-5",
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
            .reading("unit", "what is counted", default: TimeUnit.seconds),
            .reading("form", "real, with a fraction, or integer", default: TimeForm.real)
        ) { _, unit, timeForm in
            switch timeForm {
            case .real: UnixTimeTransformer(unit: unit)
            case .integer: UnixTickTransformer(unit: unit)
            }
        }
        Registration(
            "reference-time",
            summary: "a date as the seconds since 2001, bit for bit",
            form: form,
            ReferenceTimeTransformer()
        )
        Registration(
            "date-format",
            summary: "a date by a pattern",
            form: form,
            .reading("pattern", "a Unicode date format pattern: “MMMM d, yyyy”"),
            .reading("locale", "the locale's identifier", default: "en_US_POSIX"),
            .reading("zone", "the time zone's identifier", default: "UTC"),
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
