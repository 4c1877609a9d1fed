import Foundation
import Testing
import Transformable

@Suite struct ExplanationTests {
    let registry: TransformerRegistry

    init() throws {
        registry = try TransformerRegistry {
            Registration("digits", version: 2, summary: "an integer's digits", Stages.digits)
            Registration("flipped", summary: "inverted bits", Stages.flipped)
            Registration("size", Stages.size)
            Registration(
                "packed",
                FunctionTransformer<Data, Data>(
                    traits: [.plain, .compressing],
                    encode: { $0 },
                    decode: { $0 }
                )
            )
            Registration(
                "hidden",
                FunctionTransformer<Data, Data>(
                    traits: [.confidential, .authenticated],
                    encode: { $0 },
                    decode: { $0 }
                )
            )
            Registration(
                "tenths",
                FunctionTransformer<Double, Int64>(
                    traits: [.plain, .lossy],
                    encode: { Int64($0 * 10) },
                    decode: { Double($0) / 10 }
                )
            )
        }
    }

    @Test func describesEachStageOnALine() throws {
        let explanation = try registry.explain("digits|flipped")
        #expect(
            explanation.description == """
                digits | flipped
                  digits: an integer's digits; Int to String
                  text (implied): text as bytes; String to Data
                  flipped: inverted bits; Data to Data
                signature: digits/2 | text/1(encoding: utf-8) | flipped/1
                traits: deterministic, canonical, confidential, reversible
                warning: equal values give equal bytes, which shows which rows are equal to anyone who can read the file
                """
        )
    }

    @Test func warnsAboutLoss() throws {
        let explanation = try registry.explain("tenths")
        #expect(explanation.warnings == ["decoded values may differ from the values that were encoded"])
        #expect(explanation.takes == "Double")
        #expect(explanation.gives == "Int64")
    }

    @Test(arguments: [
        ("packed | hidden", ["“packed” before “hidden”: the stored length depends on the content"]),
        (
            "packed | flipped | hidden",
            ["“packed” before “flipped”: the stored length depends on the content"]
        ),
        ("hidden | packed", ["“packed” after “hidden” has no effect, because encrypted bytes cannot be compressed"]),
        ("hidden", []), ("packed", []), ("packed | size", []),
    ])
    func warnsAboutCompressionWithEncryption(expression: String, beginnings: [String]) throws {
        let warnings = try registry.explain(expression).warnings.filter { !$0.hasPrefix("equal values") }
        #expect(warnings.count == beginnings.count)
        for (warning, beginning) in zip(warnings, beginnings) { #expect(warning.hasPrefix(beginning)) }
    }

    @Test func marksOneWayStages() throws {
        let explanation = try registry.explain("size", for: Data.self)
        #expect(!explanation.isReversible)
        #expect(explanation.description.hasSuffix("traits: deterministic, canonical, one-way"))
    }

    @Test func explanationsCanBeEncodedAsJSON() throws {
        let explanation = try registry.explain("digits")
        let copy = try JSONDecoder().decode(Explanation.self, from: JSONEncoder().encode(explanation))
        #expect(copy.description == explanation.description)
        #expect(copy.stages.map(\.expression) == ["digits"])
    }

    @Test func rejectsExpressionsThatDoNotResolve() {
        #expect(throws: TransformerError(.unknownName, "")) { try registry.explain("nothing") }
    }
}
