internal import Foundation
public import Transformable

/// A number as people of a locale write it, by Foundation's format styles.
///
/// Reading is strict. Foundation's parser stops at what it does not know and takes “12abc” as 12, so
/// the number it finds is written again with as many digits as the text has: the text must be that,
/// with or without grouping separators. A number whose text cannot be read back so, as in the scientific
/// style of some locales, is an error when it is written.
public struct NumberFormatTransformer: Transformer {
    private let format: NumberFormat
    private let decimalSeparator: String
    private let minimum: Int?
    private let maximum: Int?
    private static let mostDigits = 17

    /// Makes a transformer of formatted numbers.
    ///
    /// - Parameters:
    ///   - style: How the number is written.
    ///   - locale: The locale's identifier.
    ///   - currency: The currency's code; needed by its style alone.
    ///   - minimumFraction: The fewest digits of the fraction; nil leaves it to the style.
    ///   - maximumFraction: The most digits of the fraction; nil leaves it to the style, up to 6.
    /// - Throws: `TransformerError` with `TransformerError.Code.invalidArgument`.
    public init(
        style: NumberFormatStyle = .decimal,
        locale: String = "en_US",
        currency: String? = nil,
        minimumFraction: Int? = nil,
        maximumFraction: Int? = nil
    ) throws(TransformerError) {
        guard (style == .currency) == (currency != nil) else {
            throw TransformerError(.invalidArgument, "the style “currency” has a currency's code, and no other style")
        }
        if let currency, !Self.isCode(currency) {
            throw TransformerError(.invalidArgument, "“\(currency)” is not a currency's code of three letters: “USD”")
        }
        let digits = 0...Self.mostDigits
        guard digits.contains(minimumFraction ?? 0), digits.contains(maximumFraction ?? 0),
            minimumFraction ?? 0 <= maximumFraction ?? Self.mostDigits
        else {
            throw TransformerError(.invalidArgument, "a fraction has from 0 to \(Self.mostDigits) digits")
        }
        let locale = try knownLocale(locale)
        format = NumberFormat(style: style, locale: locale, currency: currency ?? "")
        decimalSeparator = locale.decimalSeparator ?? "."
        minimum = minimumFraction
        maximum = maximumFraction
    }

    /// Lossy: digits beyond the most are rounded away.
    public var traits: TransformerTraits { [.deterministic, .lossy] }

    /// The number as text.
    public func encode(_ value: Double, in context: TransformContext) throws(TransformerError) -> String {
        guard value.isFinite else { throw .invalidValue("\(value) is not written in digits") }
        let text = format.text(value, fraction: fractionDigits)
        do throws(TransformerError) {
            _ = try decode(text, in: context)
        } catch {
            throw .invalidValue("“\(text)” cannot be read back in this style and locale")
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

    /// The text's number.
    public func decode(_ encoded: String, in context: TransformContext) throws(TransformerError) -> Double {
        let fraction = countOfFractionDigits(encoded)
        guard fraction <= Self.mostDigits, let value = format.number(encoded), value.isFinite else {
            throw .invalidData("the text is not a number in this format")
        }
        let whole = format.text(value, fraction: fraction...fraction)
        guard encoded == whole || encoded == format.text(value, fraction: fraction...fraction, grouping: false) else {
            throw .invalidData("the text is not a number in this format, which reads “\(whole)”")
        }
        return value
    }

    private func countOfFractionDigits(_ text: String) -> Int {
        guard let separator = text.range(of: decimalSeparator, options: .backwards) else { return 0 }
        return text[separator.upperBound...].prefix { $0.isNumber }.count
    }
}
