internal import Foundation
public import Transformable

/// Foundation's format styles for a locale, which are three unrelated types.
struct NumberFormat: Sendable {
    let style: NumberFormatStyle
    let locale: Locale
    let currency: String

    /// Formats a number.
    ///
    /// If `fraction` is nil, the style determines the number of fractional digits.
    func text(_ value: Double, fraction: ClosedRange<Int>?, grouping: Bool = true) -> String {
        switch style {
        case .decimal, .scientific:
            var format = number.grouping(grouping ? .automatic : .never)
            if let fraction { format = format.precision(.fractionLength(fraction)) }
            return format.format(value)
        case .percent:
            var format = percent.grouping(grouping ? .automatic : .never)
            if let fraction { format = format.precision(.fractionLength(fraction)) }
            return format.format(value)
        case .currency:
            var format = money.grouping(grouping ? .automatic : .never)
            if let fraction { format = format.precision(.fractionLength(fraction)) }
            return format.format(value)
        }
    }

    /// Parses a number leniently, or returns nil if there is none.
    func number(_ text: String) -> Double? {
        switch style {
        case .decimal, .scientific: try? FloatingPointParseStrategy(format: number, lenient: false).parse(text)
        case .percent: try? FloatingPointParseStrategy(format: percent, lenient: false).parse(text)
        case .currency: try? FloatingPointParseStrategy(format: money, lenient: false).parse(text)
        }
    }

    private var number: FloatingPointFormatStyle<Double> {
        .number.locale(locale).notation(style == .scientific ? .scientific : .automatic)
    }

    private var percent: FloatingPointFormatStyle<Double>.Percent {
        .percent.locale(locale)
    }

    private var money: FloatingPointFormatStyle<Double>.Currency {
        .currency(code: currency).locale(locale)
    }
}

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
