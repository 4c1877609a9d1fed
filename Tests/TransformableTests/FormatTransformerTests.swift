import Foundation
import Testing
import Transformable

@Suite struct FormatTransformerTests {
    @Test(arguments: [("en_US", "1,234.5"), ("de_DE", "1.234,5"), ("en_IN", "1,234.5"), ("de_CH", "1’234.5")])
    func formatStylesFollowTheirLocale(locale: String, text: String) throws {
        let style = FloatingPointFormatStyle<Double>(locale: Locale(identifier: locale))
        let transformer = FormatStyleTransformer(style)
        #expect(try transformer.encode(1234.5) == text)
        #expect(try transformer.decode(text) == 1234.5)
    }

    @Test func formatStylesRejectInvalidText() {
        let transformer = FormatStyleTransformer(.percent.locale(Locale(identifier: "en_US")))
        let error = #expect(throws: TransformerError.self) { try transformer.decode("half") }
        #expect(error?.code == .invalidData)
        #expect(error?.underlying != nil)
    }

    @Test func formatStylesAreLossyByDefault() {
        let style = IntegerFormatStyle<Int>(locale: Locale(identifier: "en_US"))
        #expect(FormatStyleTransformer(style).traits == [.deterministic, .lossy])
        #expect(FormatStyleTransformer(style, traits: .plain).traits == .plain)
    }

    @Test(arguments: [("en_US", "1,234.50"), ("de_DE", "1.234,50"), ("fr_FR", "1\u{202F}234,50")])
    func formattersFollowTheirLocale(locale: String, text: String) throws {
        let transformer = Self.decimal(locale: locale)
        #expect(try transformer.encode(1234.5) == text)
        #expect(try transformer.decode(text) == 1234.5)
    }

    @Test func formattersRejectInvalidInput() {
        let transformer = Self.decimal(locale: "en_US")
        #expect(throws: TransformerError.invalidData("")) { try transformer.decode("many") }
        let mute = FormatterTransformer(NumberFormatter(), format: { _, _ in nil }, parse: { _, _ -> Double? in nil })
        #expect(throws: TransformerError.invalidValue("")) { try mute.encode(1.0) }
    }

    private static func decimal(locale: String) -> FormatterTransformer<NumberFormatter, Double> {
        let formatter = NumberFormatter()
        formatter.numberStyle = .decimal
        formatter.locale = Locale(identifier: locale)
        formatter.minimumFractionDigits = 2
        return FormatterTransformer(
            formatter,
            format: { $0.string(from: NSNumber(value: $1)) },
            parse: { $0.number(from: $1)?.doubleValue }
        )
    }
}
