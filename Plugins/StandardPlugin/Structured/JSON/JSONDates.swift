public import Transformable

/// How JSON has dates, for which it has no type.
public enum JSONDates: String, CaseIterable, Sendable, ArgumentConvertible {
    /// Text as ``ISO8601Transformer`` writes it, which brings back the same bits.
    case iso8601
    /// A number of seconds since 1970.
    case unix
    /// A number of seconds since 2001, as Foundation's coders write it by default.
    case reference
}
