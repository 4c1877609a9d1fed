import Foundation
import Testing
import Transformable
import TransformableTesting

@Suite struct LawSampleTests {
    @Test func colorObeysTheLaws() {
        assertTransformerLaws(
            of: HexColorTransformer(),
            values: [Color(red: 0, green: 0, blue: 0), Color(red: 255, green: 128, blue: 1)],
            rejecting: ["", "#12345", "#1234567", "123456", "#12345g"]
        )
    }

    @Test(arguments: ["acme.color", "acme.color(uppercase: true)"])
    func namedColorsObeyTheLaws(expression: String) throws {
        let registry = try TransformerRegistry {
            AcmePlugin()
        }
        let color = try registry.transformer(expression, for: Color.self)
        assertTransformerLaws(of: color, values: [Color(red: 255, green: 128, blue: 1)])
    }

    @Test func percentObeysTheLaws() {
        let style = FloatingPointFormatStyle<Double>.Percent(locale: Locale(identifier: "en_US"))
        assertTransformerLaws(of: FormatStyleTransformer(style), values: [0, 0.25, -1]) { abs($0 - $1) < 0.005 }
    }

    @Test func manyColorsObeyTheLaws() {
        var laws = TransformerLaws(of: HexColorTransformer(), values: [Color(red: 1, green: 2, blue: 3)])
        laws.options.damagesPerValue = 10_000
        laws.options.processorTime = .milliseconds(100)
        assertHolds(laws)
    }
}
