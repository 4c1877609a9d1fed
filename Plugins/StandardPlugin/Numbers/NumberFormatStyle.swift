public import Transformable

/// The style of a formatted number.
public enum NumberFormatStyle: String, CaseIterable, Sendable, ArgumentConvertible {
    /// A decimal number, such as `12,345.678`.
    case decimal
    /// A percentage, such as `25.6%` for 0.256.
    case percent
    /// An amount of money, such as `$1,234.50`.
    case currency
    /// Scientific notation, such as `1.2E4`.
    case scientific
}
