public import Transformable

/// The representation of dates in JSON, which has no type for them.
public enum JSONDates: String, CaseIterable, Sendable, ArgumentConvertible {
    /// The text of ``ISO8601Transformer``, which represents dates exactly.
    case iso8601
    /// The number of seconds since 1970.
    case unix
    /// The number of seconds since 2001, which is the default of Foundation's coders.
    case reference
}
