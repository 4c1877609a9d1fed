internal import Foundation
public import Transformable

/// A transformer that formats numbers for a locale with Foundation's format styles.
///
/// Parsing is strict. Foundation's parser stops at the first unknown character and parses “12abc” as 12. Therefore, the
/// number is formatted again with the same number of digits, and the result must equal the text, with or without
/// grouping separators. A number that cannot be parsed back from its formatted string, as in the scientific style of
/// some locales, is an error when it is encoded.
public struct NumberFormatTransformer: Transformer {
    private let format: NumberFormat
    private let decimalSeparator: String
    private let minimum: Int?
    private let maximum: Int?
    private static let mostDigits = 17

    /// Creates a transformer.
    ///
    /// - Parameters:
    ///   - style: The style.
    ///   - locale: The identifier of the locale.
    ///   - currency: The currency code, which is required by the currency style and not allowed for other styles.
    ///   - minimumFraction: The minimum number of fractional digits, or nil for the style's default.
    ///   - maximumFraction: The maximum number of fractional digits, or nil for the style's default, up to 6.
    /// - Throws: `TransformerError` with the code `TransformerError.Code.invalidArgument` if an argument is invalid.
    public init(
        style: NumberFormatStyle = .decimal,
        locale: String = "en_US",
        currency: String? = nil,
        minimumFraction: Int? = nil,
        maximumFraction: Int? = nil
    ) throws(TransformerError) {
        guard (style == .currency) == (currency != nil) else {
            throw TransformerError(
                .invalidArgument,
                "“currency” is required for the style “currency”, and not allowed for other styles"
            )
        }
        if let currency, !Self.isCode(currency) {
            throw TransformerError(
                .invalidArgument,
                "“\(currency)” is not a currency code of three letters, such as “USD”"
            )
        }
        let digits = 0...Self.mostDigits
        guard digits.contains(minimumFraction ?? 0), digits.contains(maximumFraction ?? 0),
            minimumFraction ?? 0 <= maximumFraction ?? Self.mostDigits
        else {
            throw TransformerError(.invalidArgument, "a fraction must have from 0 to \(Self.mostDigits) digits")
        }
        let locale = try knownLocale(locale)
        format = NumberFormat(style: style, locale: locale, currency: currency ?? "")
        decimalSeparator = locale.decimalSeparator ?? "."
        minimum = minimumFraction
        maximum = maximumFraction
    }

    /// The traits of the transformer.
    ///
    /// It is lossy, because digits beyond the maximum number are rounded.
    public var traits: TransformerTraits { [.deterministic, .lossy] }

    /// Formats a number.
    public func encode(_ value: Double, in context: TransformContext) throws(TransformerError) -> String {
        guard value.isFinite else { throw .invalidValue("\(value) cannot be written in digits") }
        let text = format.text(value, fraction: fractionDigits)
        do throws(TransformerError) {
            _ = try decode(text, in: context)
        } catch {
            throw .invalidValue("“\(text)” cannot be parsed in this style and locale")
        }
        return text
    }

    private var fractionDigits: ClosedRange<Int>? {
        guard minimum != nil || maximum != nil else { return nil }
        let least = minimum ?? 0
        return least...max(maximum ?? 6, least)
    }

    private static func isCode(_ currency: String) -> Bool {
        currency.utf8.count == 3 && currency.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) }
    }

    /// Parses a number.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Double {
        let fraction = countOfFractionDigits(encoded)
        guard fraction <= Self.mostDigits, let value = format.number(encoded), value.isFinite else {
            throw .invalidData("the text is not a number in this format")
        }
        let whole = format.text(value, fraction: fraction...fraction)
        guard encoded == whole || encoded == format.text(value, fraction: fraction...fraction, grouping: false) else {
            throw .invalidData("the text is not a number in this format, which would be “\(whole)”")
        }
        return value
    }

    private func countOfFractionDigits(_ text: String) -> Int {
        guard let separator = text.range(of: decimalSeparator, options: .backwards) else { return 0 }
        return text[separator.upperBound...].prefix { $0.isNumber }.count
    }
}

/// Foundation's format styles for a locale, which are three unrelated types.
private struct NumberFormat: Sendable {
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
