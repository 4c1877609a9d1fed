internal import Foundation
internal import Transformable

/// The result of encoding a value and decoding it again.
struct RoundtripReport: Encodable {
    let expression: String
    let valueType: String
    let encodedType: String
    let inputBytes: Int
    let encodedBytes: Int
    /// Whether the decoded value equals the value, bit for bit, or nil if its type cannot be compared.
    let isEqual: Bool?
    let isLossy: Bool
    /// Whether encoding again produced the same bytes, or nil if the transformer is not deterministic.
    let isRepeatable: Bool?
    /// The promises of the transformer that were not kept.
    let faults: [String]
    /// Whether the values are equal according to their type, for example 0 and -0, or a composed and a decomposed “é”.
    private let isEquivalent: Bool

    private enum CodingKeys: String, CodingKey {
        case expression, valueType, encodedType, inputBytes, encodedBytes, isEqual, isLossy, isRepeatable, faults
    }

    /// Encodes a value, decodes the result, and compares.
    ///
    /// - Parameters:
    ///   - input: The value in its human-readable form.
    ///   - source: The source of the value.
    ///   - codec: The expression.
    /// - Throws: `TransformerError` if the value cannot be encoded or decoded.
    init(of input: Data, from source: InputSource, _ codec: ValueCodec) throws {
        let resolved = codec.resolved
        let value = try codec.value(input, from: source)
        let encoded = try codec.encode(value)
        let decoded = try resolved.decode(any: encoded, in: .none)
        expression = resolved.expression.description
        valueType = typeName(resolved.valueType)
        encodedType = typeName(resolved.encodedType)
        inputBytes = input.count
        encodedBytes = try codec.size(ofEncoded: encoded)
        isLossy = resolved.traits.contains(.lossy)
        isEqual = try codec.areEqual(value, decoded)
        isEquivalent = BitComparison.areEqual(value, decoded) ?? false
        let promisesToRepeat = resolved.traits.contains(.deterministic)
        isRepeatable = promisesToRepeat ? BitComparison.areSame(encoded, try codec.encode(value)) : nil
        faults = [
            isEqual == false && !isEquivalent && !isLossy
                ? "the decoded value differs, although the expression is not lossy" : nil,
            isRepeatable == false
                ? "encoding again produced different bytes, although the expression is deterministic" : nil,
        ]
        .compactMap { $0 }
    }

    /// The report as lines of text.
    var text: String {
        let comparison =
            switch isEqual {
            case true?: "equal to the value"
            case false? where isEquivalent: "equal to the value, but not bit for bit"
            case false?: isLossy ? "differs from the value, as a lossy expression may" : "DIFFERS from the value"
            case nil: "cannot be compared, because \(valueType) is not Equatable"
            }
        var lines = [
            expression,
            "  value:    \(valueType), \(inputBytes.counted("byte")) as given",
            "  encoded:  \(encodedType), \(encodedBytes.counted("byte"))",
            "  decoded:  \(comparison)",
        ]
        if let isRepeatable {
            lines.append("  repeated: \(isRepeatable ? "the same encoded form" : "a DIFFERENT encoded form")")
        }
        return lines.joined(separator: "\n")
    }
}

extension ValueCodec {
    /// Returns whether two values are the same: bit for bit, or else by their text, or else by their encoded forms.
    fileprivate func areEqual(_ left: Any, _ right: Any) throws -> Bool? {
        if let areSame = BitComparison.areSame(left, right) { return areSame }
        if let texts = try texts(of: left, right) { return texts.left == texts.right }
        guard resolved.traits.contains(.canonical) else { return nil }
        return BitComparison.areSame(try encode(left), try encode(right))
    }
}
