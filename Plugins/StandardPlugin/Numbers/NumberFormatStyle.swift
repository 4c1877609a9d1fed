public import Transformable

/// How a number is written for people.
public enum NumberFormatStyle: String, CaseIterable, Sendable, ArgumentConvertible {
    /// `12,345.678`.
    case decimal
    /// `25.6%` for 0.256.
    case percent
    /// `$1,234.50`.
    case currency
    /// `1.2E4`.
    case scientific
}
