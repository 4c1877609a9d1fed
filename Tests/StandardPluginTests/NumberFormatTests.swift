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
    func writesAndReads(sample: Sample<Double, String>) throws {
        let expression = sample.expression.replacing("USD", with: "\"USD\"")
        #expect(try encode(expression, sample.value, to: String.self) == sample.encoded)
        #expect(try decode(expression, sample.encoded, as: Double.self) == sample.value)
    }

    @Test(arguments: [("12345.678", 12345.678), ("12.50", 12.5), ("1,234,567", 1_234_567)])
    func readsWithAndWithoutGrouping(text: String, value: Double) throws {
        #expect(try decode("number-format", text, as: Double.self) == value)
    }

    @Test(arguments: [
        "Apple", "12abc", " 12", "12 ", "1,2,3", "", "1e5", "∞", "NaN", "1.2.3", "--1", "(12)", "+12", "１２", "12.",
        "12,34", "1234,567", "12\u{0}",
    ])
    func refusesWhatIsNotWhole(text: String) {
        expectFailure(.invalidData) { try decode("number-format", text, as: Double.self) }
    }

    @Test(arguments: [
        "number-format(locale: \"xx_YY\")", "number-format(style: currency)", "number-format(currency: \"USD\")",
        "number-format(minimumFraction: 3, maximumFraction: 2)", "number-format(maximumFraction: 18)",
        "number-format(style: roman)",
    ])
    func refusesWrongArguments(expression: String) {
        expectFailure(.invalidArgument) { try standardRegistry().resolve(expression) }
    }
}
