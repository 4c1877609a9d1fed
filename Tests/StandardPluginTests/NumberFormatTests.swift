import StandardPlugin
import Testing
import Transformable

/// The first values are those of Mantle's tests.
@Suite struct NumberFormatTests {
    @Test(arguments: [
        Sample("number-format", 12345.678, "12,345.678"), Sample("number-format", 0.12345, "0.12345"),
        Sample("number-format(locale: \"de_DE\")", 12345.678, "12.345,678"), Sample("number-format", -5, "-5"),
        Sample("number-format(style: percent)", 0.25, "25%"),
        Sample("number-format(style: currency, currency: USD)", 1234.5, "$1,234.50"),
        Sample("number-format(style: scientific)", 12000, "1.2E4"),
        Sample("number-format(minimumFraction: 2, maximumFraction: 2)", 3, "3.00"),
    ])
    func roundTrips(sample: Sample<Double, String>) throws {
        let expression = sample.expression.replacing("USD", with: "\"USD\"")
        #expect(try encode(expression, sample.value, to: String.self) == sample.encoded)
        #expect(try decode(expression, sample.encoded, as: Double.self) == sample.value)
    }

    /// ICU has these as aliases; the grouping is that of the locale that each stands for.
    @Test(arguments: ["zh_CN", "zh_TW", "sr_RS", "no_NO", "pa_IN", "uz_UZ", "az_AZ", "ur_PK", "iw_IL", "zh-TW"])
    func acceptsAliasesOfLocales(locale: String) throws {
        let expression = "number-format(locale: \"\(locale)\")"
        let text = try encode(expression, 12345.5, to: String.self)
        #expect(try decode(expression, text, as: Double.self) == 12345.5)
    }

    @Test func anAliasWritesLikeItsLocale() throws {
        let serbian = try encode("number-format(locale: \"sr_Cyrl_RS\")", 12345.5, to: String.self)
        #expect(try encode("number-format(locale: \"sr_RS\")", 12345.5, to: String.self) == serbian)
        let norwegian = try encode("number-format(locale: \"nb_NO\")", -12345.5, to: String.self)
        #expect(try encode("number-format(locale: \"no_NO\")", -12345.5, to: String.self) == norwegian)
    }

    /// What is written is read back, up to the last digit of each style, or refused.
    @Test(
        arguments: ["hi_IN", "gu", "mai", "sa", "pa_Guru", "en_SE", "en_US", "de_CH", "ar_EG", "sv_SE"],
        ["scientific", "currency, currency: \"EUR\"", "currency, currency: \"ZZZ\"", "percent", "decimal"]
    )
    func writesOnlyNumbersThatItCanRead(locale: String, style: String) throws {
        let expression = "number-format(style: \(style), locale: \"\(locale)\")"
        let transformer = try standardRegistry().resolve(expression, ending: .anything)
            .reversible(from: Double.self, to: String.self)
        for value in [0, 1, -1, 0.5, 12_345.678, -1e9, 1.5e-7, 98_765_432] {
            do {
                let text = try transformer.encode(value)
                let lost = try abs(transformer.decode(text) - value)
                #expect(lost <= max(0.005, abs(value) * 1e-6), "\(text)")
            } catch let error as TransformerError {
                #expect(error.code == .invalidValue)
            }
        }
    }

    @Test(arguments: [("12345.678", 12345.678), ("12.50", 12.5), ("1,234,567", 1_234_567)])
    func readsWithAndWithoutGrouping(text: String, value: Double) throws {
        #expect(try decode("number-format", text, as: Double.self) == value)
    }

    @Test(arguments: [
        "Apple", "12abc", " 12", "12 ", "1,2,3", "", "1e5", "∞", "NaN", "1.2.3", "--1", "(12)", "+12", "１２", "12.",
        "12,34", "1234,567", "12\u{0}",
    ])
    func rejectsPartialMatches(text: String) {
        expectFailure(.invalidData) { try decode("number-format", text, as: Double.self) }
    }

    @Test(arguments: [
        "number-format(locale: \"xx_YY\")", "number-format(style: currency)", "number-format(currency: \"USD\")",
        "number-format(minimumFraction: 3, maximumFraction: 2)", "number-format(maximumFraction: 18)",
        "number-format(style: roman)", "number-format(style: currency, currency: \"EURO\")",
        "number-format(style: currency, currency: \"\")", "number-format(style: currency, currency: \"U1D\")",
        "number-format(locale: \"de_XX\")",
    ])
    func rejectsInvalidArguments(expression: String) {
        expectFailure(.invalidArgument) { try standardRegistry().resolve(expression) }
    }
}
