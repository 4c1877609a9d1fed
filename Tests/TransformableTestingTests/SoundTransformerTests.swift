import Foundation
import Testing
import Transformable
import TransformableTesting

@Suite struct SoundTransformerTests {
    @Test(arguments: TextEncoding.allCases)
    func textObeysTheLaws(encoding: TextEncoding) {
        let values = ["", "abc", "größe", String(repeating: "x", count: 1000)]
        assertTransformerLaws(of: TextTransformer(encoding: encoding), values: values)
    }

    @Test func digitsObeyTheLaws() {
        let digits = FunctionTransformer<Int, Data>(encode: { Digits.encode($0) }, decode: { try Digits.decode($0) })
        assertTransformerLaws(
            of: digits,
            values: Digits.values,
            rejecting: [Data("1.5".utf8), Data("+1".utf8), Data([0xFF])]
        )
    }

    @Test func numbersObeyTheLawsBitForBit() {
        let transformer = FunctionTransformer<Double, Data>(
            traits: .deterministic,
            encode: { number in Data((0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> ($0 * 8)) }) },
            decode: { bytes in
                guard bytes.count == 8 else { throw TransformerError.invalidData("a double has 8 bytes") }
                return Double(bitPattern: bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) })
            }
        )
        let values = [0, -0.0, 1.5, .infinity, .nan, .leastNonzeroMagnitude]
        assertTransformerLaws(of: transformer, values: values) { $0.bitPattern == $1.bitPattern }
    }

    @Test func streamsObeyTheLaws() {
        let values = [Data(), Data([7]), Data((0..<1000).map { UInt8(truncatingIfNeeded: $0) })]
        assertTransformerLaws(of: IdentityTransformer<Data>(), values: values)
        assertTransformerLaws(of: IdentityTransformer<Data>().then(IdentityTransformer<Data>()), values: values)
    }

    @Test func lossyTransformersObeyTheLawsWithinATolerance() {
        let tenths = FunctionTransformer<Double, Int64>(
            traits: [.deterministic, .canonical, .ordered, .lossy],
            encode: { number in
                guard abs(number) < 1e15 else { throw TransformerError.invalidValue("too far from 0") }
                return Int64((number * 10).rounded())
            },
            decode: { tenths in
                guard tenths.magnitude < 1_000_000 else { throw TransformerError.invalidData("too far from 0") }
                return Double(tenths) / 10
            }
        )
        assertTransformerLaws(of: tenths, values: [0, 0.04, -3.17, 99.99], refusing: [.infinity])
    }

    @Test func oneWayTransformersObeyTheLaws() {
        let count = OneWayFunctionTransformer<String, Int64> { Int64($0.unicodeScalars.count) }
        assertTransformerLaws(of: count.then(IdentityTransformer()), values: ["a", "bc"])
    }

    @Test func compositionsObeyTheLaws() {
        let integers = FunctionTransformer<Int, Data>(encode: { Digits.encode($0) }, decode: { try Digits.decode($0) })
        assertTransformerLaws(of: integers.lifted, values: [nil, 3])
        assertTransformerLaws(of: integers.ofArray, values: [[], [1, 2, 3]])
        assertTransformerLaws(of: integers.ofSet, values: [[], [1, 2, 3]])
        assertTransformerLaws(of: integers.ofDictionary(keyedBy: String.self), values: [[:], ["a": 1, "b": 2]])
        assertTransformerLaws(of: integers.inverted, values: [Digits.encode(5)])
    }
}
