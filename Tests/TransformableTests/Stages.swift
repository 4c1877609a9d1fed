import Foundation
import Transformable

/// Small transformers that the core's tests put together.
enum Stages {
    /// A decimal integer as text.
    static let digits = FunctionTransformer<Int, String>(
        encode: { String($0) },
        decode: { text in
            guard let number = Int(text) else { throw TransformerError.invalidData("“\(text)” is no integer") }
            return number
        }
    )

    /// Bytes, each with its bits inverted: a cipher for tests.
    static let flipped = FunctionTransformer<Data, Data>(
        traits: [.deterministic, .canonical, .confidential],
        bothWays: { Data($0.map { ~$0 }) }
    )

    /// Bytes with a number in front that is another one each time.
    static let salted = FunctionTransformer<Data, Data>(
        traits: [],
        encode: { Data([UInt8.random(in: 0...255)]) + $0 },
        decode: { bytes in
            guard !bytes.isEmpty else { throw TransformerError.invalidData("the salt is missing") }
            return Data(bytes.dropFirst())
        }
    )

    /// How many bytes there are.
    static let size = OneWayFunctionTransformer<Data, Int64> { Int64($0.count) }

    /// An error that quotes what it was given, as Foundation's do.
    struct QuotingError: Error {
        let text: String
    }

    /// Text that must be a word; both of its errors quote it.
    static let word = FunctionTransformer<String, String>(
        encode: { text in
            guard text.allSatisfy(\.isLetter) else { throw TransformerError.invalidValue("“\(text)” is no word") }
            return text
        },
        decode: { text in
            guard text.allSatisfy(\.isLetter) else { throw QuotingError(text: text) }
            return text
        }
    )

    /// Under two keys, the newer of which encodes.
    struct Rotating: OneWayTransformer {
        let traits = TransformerTraits.plain

        func encode(_ value: String, in context: TransformContext) -> String { "2\(value)" }

        func candidates(for value: String, in context: TransformContext) -> [String] { ["2\(value)", "1\(value)"] }
    }
}
