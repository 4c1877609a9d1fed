import Foundation
import Testing
import Transformable

@Suite struct CoreSampleTests {
    @Test func landingPage() throws {
        let registry = try TransformerRegistry {
            Registration.text
            Registration("acme.severity", MappingTransformer([1: "low", 2: "high"]))
        }
        let severity = try registry.transformer("acme.severity", for: Int.self)
        let bytes = try severity.encode(2)  // the UTF-8 of “high”
        let value = try severity.decode(bytes)  // 2
        #expect(bytes == Data("high".utf8))
        #expect(value == 2)
    }

    @Test func plugin() throws {
        let registry = try TransformerRegistry {
            AcmePlugin()
        }
        let color = try registry.transformer("acme.color(uppercase: true)", for: Color.self)
        let bytes = try color.encode(Color(red: 255, green: 128, blue: 0))  // the UTF-8 of “#FF8000”
        #expect(bytes == Data("#FF8000".utf8))
        #expect(TypedExpression<Color>.color.text == "acme.color")
        #expect(try color.decode(Data("#ff8000".utf8)) == Color(red: 255, green: 128, blue: 0))
        #expect(throws: TransformerError.invalidData("")) { try color.decode(Data("#ff80".utf8)) }
    }
}

extension TypedExpression where Value == Color {
    static var color: Self { Self("acme.color") }
}

struct Color: Hashable, Sendable {
    var red, green, blue: UInt8
}

struct HexColorTransformer: Transformer {
    var uppercase = false
    var traits: TransformerTraits { .plain }

    func encode(_ color: Color, in context: TransformContext) -> String {
        let number = Int(color.red) << 16 | Int(color.green) << 8 | Int(color.blue)
        let digits = String(number, radix: 16, uppercase: uppercase)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }

    func decode(_ text: String, in context: TransformContext) throws -> Color {
        let digits = text.dropFirst()
        guard text.first == "#", digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit),
            let number = Int(digits, radix: 16)
        else {
            throw TransformerError.invalidData("a color is written #rrggbb")
        }
        return Color(
            red: UInt8(number >> 16),
            green: UInt8(number >> 8 & 0xFF),
            blue: UInt8(number & 0xFF)
        )
    }
}

struct AcmePlugin: TransformerPlugin {
    let name = "acme"

    var registrations: [Registration] {
        Registration(
            "acme.color",
            summary: "a color as #rrggbb",
            form: .text(HexColorTransformer()),
            .writing("uppercase", "digits A to F in upper case", default: false)
        ) { uppercase in HexColorTransformer(uppercase: uppercase) }
    }
}
