internal import Foundation

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
