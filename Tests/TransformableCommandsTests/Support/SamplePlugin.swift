import Foundation
import Transformable

/// Transformers of every kind that the command line distinguishes.
struct SamplePlugin: TransformerPlugin {
    let name = "sample"

    var registrations: [Registration] {
        Registration.text
        Registration(
            "upper",
            summary: "upper case",
            FunctionTransformer<String, String>(
                traits: [.deterministic, .lossy],
                encode: { $0.uppercased() },
                decode: { $0 }
            )
        )
        Registration("reverse", FunctionTransformer<String, String>(bothWays: { String($0.reversed()) }))
        Registration(
            "number",
            FunctionTransformer<Int64, String>(encode: { "\($0)" }, decode: { try Self.number($0) })
        )
        Registration("count", OneWayFunctionTransformer<Data, Int64> { Int64($0.count) })
        Registration("bytes", IdentityTransformer<Data>())
        Registration(
            "secret",
            FunctionTransformer<Data, Data>(
                traits: [.deterministic, .confidential],
                bothWays: { Data($0.map { $0 ^ 0xFF }) }
            )
        )
        Registration("broken", FunctionTransformer<Int64, Int64>(encode: { $0 }, decode: { $0 + 1 }))
        Registration("pair", .writing("first", "the first", default: 1), .reading("second", "the second")) {
            (first: Int, second: Int) in IdentityTransformer<String>()
        }
        Registration(
            "remarkable",
            summary: "a text with something to say about it",
            form: HumanForm(
                isText: true,
                parse: { _ in "" },
                print: { _, _ in Data() },
                remarks: { _ in ["half of it"] }
            ),
            IdentityTransformer<String>()
        )
        Registration("opaque", FunctionTransformer<Opaque, Data>(encode: { _ in Data() }, decode: { _ in Opaque() }))
    }

    var inspectors: [Inspector] {
        [
            Inspector("sample file") { bytes in
                guard bytes.starts(with: Data("SAMPLE".utf8)) else { return nil }
                guard bytes.count == 10 else { throw TransformerError.invalidData("the sample has 10 bytes") }
                return Inspection("sample file", facts: [.init("color", "red\u{1B}[31m")], details: "a\n  b")
            }
        ]
    }

    private struct Opaque {}

    private static func number(_ text: String) throws -> Int64 {
        guard let number = Int64(text) else { throw TransformerError.invalidData("“\(text)” is not a number") }
        return number
    }
}
