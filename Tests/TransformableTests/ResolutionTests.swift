import Foundation
import Testing
import Transformable

@Suite struct ResolutionTests {
    let registry: TransformerRegistry

    init() throws {
        registry = try TransformerRegistry {
            Registration.text
            Registration("digits", version: 2, summary: "an integer's digits", Stages.digits)
            Registration("flipped", Stages.flipped)
            Registration("size", Stages.size)
            Registration("word", Stages.word)
            Registration(
                "failing",
                OneWayFunctionTransformer<String, String> { _ in throw CocoaError(.fileNoSuchFile) }
            )
        }
    }

    @Test func returnsATypedTransformer() throws {
        let transformer = try registry.transformer("digits | text | flipped", for: Int.self)
        #expect(try transformer.encode(7) == Data([0xC8]))
        #expect(try transformer.decode(Data([0xC8])) == 7)
    }

    @Test(arguments: ["digits", "digits | flipped", "digits | flipped | flipped"])
    func textBecomesUTF8IfBytesAreRequired(expression: String) throws {
        let resolved = try registry.resolve(expression)
        #expect(resolved.stages.filter(\.isImplied).map(\.stage.description) == ["text"])
        #expect(resolved.expression.description == expression)
        #expect("\(resolved.encodedType)" == "Data")
        #expect("\(resolved.valueType)" == "Int")
    }

    @Test func impliedTextIsInTheSignature() throws {
        let implied = try registry.resolve("digits | flipped").signature
        #expect(implied.description == "digits/2 | text/1(encoding: utf-8) | flipped/1")
        #expect(try registry.resolve("digits | text | flipped").signature == implied)
        #expect(try registry.resolve("digits | text(encoding: utf-16) | flipped").signature != implied)
    }

    @Test func textIsImpliedWithoutBeingRegistered() throws {
        let bare = try TransformerRegistry { Registration("digits", Stages.digits) }
        #expect(try bare.transformer("digits", for: Int.self).encode(12) == Data("12".utf8))
        #expect(try bare.resolve("digits").signature.description == "digits/1 | text/1(encoding: utf-8)")
    }

    @Test func textValuesBecomeUTF8BeforeBytes() throws {
        let transformer = try registry.transformer("flipped", for: String.self)
        #expect(try transformer.encode("7") == Data([0xC8]))
        let resolved = try registry.resolve("flipped", for: String.self)
        #expect(resolved.expression.description == "flipped")
        #expect(resolved.stages.map(\.isImplied) == [true, false])
    }

    @Test(arguments: [
        ("digits | digits", "“digits” produces String, but “digits” takes Int"),
        ("flipped | digits", "“flipped” produces Data, but “digits” takes Int"),
        ("flipped | word", "“flipped” produces Data, but “word” takes String"),
        ("size | flipped", "“size” produces Int64, but “flipped” takes Data"),
    ])
    func stagesMustFit(expression: String, sentence: String) {
        let error = #expect(throws: TransformerError.self) { try registry.resolve(expression, ending: .anything) }
        #expect(error?.code == .stagesDoNotFit)
        #expect(error?.message == sentence)
    }

    @Test func valuesMustFit() {
        let error = #expect(throws: TransformerError.self) { try registry.transformer("digits", for: Date.self) }
        #expect(error?.code == .unsupportedType)
        #expect(error?.transformer == "digits")
        #expect(error?.message == "“digits” takes values of type Int, not Date")
    }

    @Test func storedValuesMustBeDecodable() {
        let error = #expect(throws: TransformerError.self) {
            try registry.transformer("word | failing | flipped", for: String.self)
        }
        #expect(error?.code == .notReversible)
        #expect(error?.transformer == "failing")
        #expect(error?.message.contains("“failing” in “word | failing | flipped”") == true)
    }

    @Test func storedValuesMustBeBytes() {
        let error = #expect(throws: TransformerError.self) { try registry.transformer("size", for: Data.self) }
        #expect(error?.code == .stagesDoNotFit)
        #expect(error?.message == "“size” ends in Int64, but Data is required")
    }

    @Test func projectionsMustEndInAColumnType() throws {
        let size = try registry.projection("digits | size", for: Int.self, to: Int64.self)
        #expect(try size.encode(123) == 3)
        let digits = try registry.projection("digits", for: Int.self, to: String.self)
        #expect(try digits.encode(5) == "5")
        #expect(try "\(registry.resolve("size", ending: .column).encodedType)" == "Int64")
        #expect(throws: TransformerError(.stagesDoNotFit, "")) {
            try registry.projection("size", for: Data.self, to: Double.self)
        }
    }

    @Test func errorsNameTheirStage() throws {
        let transformer = try registry.transformer("digits | text | flipped", for: Int.self)
        let error = #expect(throws: TransformerError.self) { try transformer.decode(Data([~0x78])) }
        #expect(error?.transformer == "digits")
        let foreign = #expect(throws: TransformerError.self) {
            try registry.projection("failing", for: String.self, to: String.self).encode("")
        }
        #expect(foreign?.transformer == "failing")
        #expect(foreign?.code == .invalidValue)
        #expect(foreign?.underlying is CocoaError)
    }

    @Test func syntaxErrorsArePassedOn() {
        let error = #expect(throws: TransformerError.self) { try registry.resolve("digits |") }
        #expect(error?.code == .invalidExpression)
        #expect(error?.offset == 8)
        #expect(throws: TransformerError(.invalidExpression, "")) {
            try registry.resolve(TransformerExpression(stages: []))
        }
    }

    @Test func worksWithTypesKnownOnlyAtRunTime() throws {
        let resolved = try registry.resolve("digits")
        #expect(try resolved.encode(any: 12, in: .none) as? Data == Data("12".utf8))
        #expect(try resolved.decode(any: Data("12".utf8), in: .none) as? Int == 12)
        #expect(throws: TransformerError(.unsupportedType, "")) { try resolved.encode(any: "12", in: .none) }
        #expect(throws: TransformerError(.unsupportedType, "")) { try resolved.decode(any: "12", in: .none) }
        let oneWay = try registry.resolve("size", ending: .column)
        #expect(throws: TransformerError(.notReversible, "")) { try oneWay.decode(any: Int64(1), in: .none) }
        #expect(throws: TransformerError(.notReversible, "")) {
            try oneWay.reversible(from: Data.self, to: Int64.self)
        }
        #expect(throws: TransformerError(.unsupportedType, "")) {
            try resolved.reversible(from: String.self, to: Data.self)
        }
    }
}
