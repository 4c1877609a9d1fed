internal import Foundation
public import Transformable

/// The calendar by which a date is written.
public enum DateCalendar: String, CaseIterable, Sendable, ArgumentConvertible {
    /// The calendar of most of the world; Julian before 15 October 1582.
    case gregorian
    /// The Gregorian calendar in all years, with ISO 8601's weeks.
    case iso8601
    /// The Buddhist calendar.
    case buddhist
    /// The Chinese calendar.
    case chinese
    /// The Coptic calendar.
    case coptic
    /// The Hebrew calendar.
    case hebrew
    /// The Indian national calendar.
    case indian
    /// The Islamic calendar as Umm al-Qura computes it, the same as ``islamicUmmAlQura``.
    case islamic
    /// The Islamic calendar by its arithmetic rule, whose first day is 16 July 622.
    case islamicCivil = "islamic-civil"
    /// The Islamic calendar by its arithmetic rule, whose first day is 15 July 622.
    case islamicTabular = "islamic-tabular"
    /// The Islamic calendar as Umm al-Qura computes it, used in Saudi Arabia.
    case islamicUmmAlQura = "islamic-umm-al-qura"
    /// The Japanese calendar, with its eras.
    case japanese
    /// The Persian calendar.
    case persian

    var identifier: Calendar.Identifier {
        switch self {
        case .gregorian: .gregorian
        case .iso8601: .iso8601
        case .buddhist: .buddhist
        case .chinese: .chinese
        case .coptic: .coptic
        case .hebrew: .hebrew
        case .indian: .indian
        case .islamic, .islamicUmmAlQura: .islamicUmmAlQura
        case .islamicCivil: .islamicCivil
        case .islamicTabular: .islamicTabular
        case .japanese: .japanese
        case .persian: .persian
        }
    }
}
