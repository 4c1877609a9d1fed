internal import Foundation
public import Transformable

/// The calendar in which a date is written.
public enum DateCalendar: String, CaseIterable, Sendable, ArgumentConvertible {
    /// The Gregorian calendar, and the Julian calendar before October 15, 1582.
    case gregorian
    /// The proleptic Gregorian calendar, with the weeks of ISO 8601.
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
    /// The Islamic calendar of Umm al-Qura, the same as ``islamicUmmAlQura``.
    case islamic
    /// The arithmetic Islamic calendar whose first day is July 16, 622.
    case islamicCivil = "islamic-civil"
    /// The arithmetic Islamic calendar whose first day is July 15, 622.
    case islamicTabular = "islamic-tabular"
    /// The Islamic calendar of Umm al-Qura, which is used in Saudi Arabia.
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
