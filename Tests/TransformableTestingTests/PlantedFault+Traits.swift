import Foundation
import Transformable
import TransformableTesting

extension PlantedFault {
    /// Traits that do not hold.
    static let ofTraits: [PlantedFault] = [
        PlantedFault(
            "is random and claims to be deterministic",
            breaks: .deterministic,
            and: .canonical,
            .contextual,
            .unchanged,
            .candidates,
            .threads,
            of: FunctionTransformer<Int, Data>(
                encode: { Data([UInt8.random(in: 0...255), UInt8.random(in: 0...255)]) + Digits.encode($0) },
                decode: { try Digits.decode($0.dropFirst(2)) }
            ),
            values: Digits.values
        ),
        PlantedFault(
            "writes a dictionary as it comes and claims to be canonical",
            breaks: .canonical,
            of: FunctionTransformer<[String: Int], Data>(
                encode: { Data($0.map { "\($0)=\($1)" }.joined(separator: "&").utf8) },
                decode: { bytes in
                    let pairs = try TextTransformer().decode(bytes)
                        .split(separator: "&", omittingEmptySubsequences: false)
                    guard bytes.count > 0 else { return [:] }
                    return try Dictionary(
                        pairs.map { pair in
                            let parts = pair.split(separator: "=", omittingEmptySubsequences: false)
                            guard parts.count == 2 else { throw TransformerError.invalidData("a pair is key=number") }
                            return (String(parts[0]), try Digits.decode(Data(parts[1].utf8)))
                        },
                        uniquingKeysWith: { _, _ in throw TransformerError.invalidData("a key occurs twice") }
                    )
                }
            ),
            values: [["one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7]]
        ),
        PlantedFault(
            "keeps normalization and claims to be canonical",
            breaks: .canonical,
            of: FunctionTransformer<String, String>(bothWays: { $0 }),
            values: ["größe"]
        ),
        PlantedFault(
            "writes numbers as digits and claims to be ordered",
            breaks: .ordered,
            of: FunctionTransformer<Int, Data>(
                traits: [.deterministic, .canonical, .ordered],
                encode: { Digits.encode($0) },
                decode: { try Digits.decode($0) }
            ),
            values: [9, 10]
        ),
        PlantedFault(
            "claims an order of values that have none",
            breaks: .ordered,
            of: FunctionTransformer<[UInt8], String>(
                traits: [.deterministic, .ordered],
                encode: { "\($0.count)" },
                decode: { _ in [] }
            )
            .oneWay,
            values: [[1], [2]]
        ),
        PlantedFault(
            "ignores the context and claims to be contextual",
            breaks: .contextual,
            of: PlantedTransformer(
                traits: [.deterministic, .canonical, .contextual],
                encoding: { number, _ in Digits.encode(number) },
                decoding: { bytes, _ in try Digits.decode(bytes) }
            ),
            values: Digits.values
        ),
        PlantedFault(
            "reads the context and does not say so",
            breaks: .contextual,
            of: PlantedTransformer(
                encoding: { number, context in Data([UInt8(context.attribute ?? 0)]) + Digits.encode(number) },
                decoding: { bytes, context in
                    guard bytes.first == UInt8(context.attribute ?? 0) else {
                        throw TransformerError.invalidData("the bytes belong to another attribute")
                    }
                    return try Digits.decode(bytes.dropFirst())
                }
            ),
            values: Digits.values
        ),
        PlantedFault(
            "has a checksum of 0 and claims to be authenticated",
            breaks: .authenticated,
            of: FunctionTransformer<Int, Data>(
                traits: [.deterministic, .canonical, .authenticated],
                encode: { Digits.encode($0) + [0] },
                decode: { bytes in
                    guard bytes.last == 0 else { throw TransformerError.invalidData("the checksum is wrong") }
                    return try Digits.decode(bytes.dropLast())
                }
            ),
            values: [12_345]
        ),
        PlantedFault(
            "counts everything as unchanged",
            breaks: .unchanged,
            of: PlantedTransformer(
                encoding: { number, _ in Digits.encode(number) },
                decoding: { bytes, _ in try Digits.decode(bytes) },
                comparison: { _, _ in true }
            ),
            values: [1, 2]
        ),
        PlantedFault(
            "counts everything as changed",
            breaks: .unchanged,
            of: PlantedTransformer(
                encoding: { number, _ in Digits.encode(number) },
                decoding: { bytes, _ in try Digits.decode(bytes) },
                comparison: { _, _ in false }
            ),
            values: [1]
        ),
        PlantedFault(
            "looks for a value where it is not",
            breaks: .candidates,
            of: PlantedTransformer(
                encoding: { number, _ in Digits.encode(number) },
                decoding: { bytes, _ in try Digits.decode(bytes) },
                finding: { number in [Digits.encode(number &+ 1)] }
            ),
            values: [1]
        ),
        PlantedFault(
            "looks for several values where they are not",
            breaks: .candidates,
            of: PlantedTransformer(
                encoding: { number, _ in Digits.encode(number) },
                decoding: { bytes, _ in try Digits.decode(bytes) },
                findingAny: { numbers in numbers.map { Digits.encode($0 &+ 1) } }
            ),
            values: [1]
        ),
        PlantedFault(
            "accepts every key",
            breaks: .keys,
            of: KeyedFault(currentKey: "second") { _ in true },
            values: [1]
        ),
        PlantedFault(
            "rejects its current key",
            breaks: .keys,
            of: KeyedFault(currentKey: "second") { $0 == "first" },
            values: [1]
        ),
        PlantedFault(
            "has a key whose identifier contains a space, as a part of a combination",
            breaks: .keys,
            of: FunctionTransformer<String, Int>(encode: { $0.utf8.count }, decode: { String($0) })
                .then(KeyedFault(currentKey: "the second") { $0 == "the second" }),
            values: ["a"]
        ),
        PlantedFault(
            "looks for only the first of several values",
            breaks: .candidates,
            of: PlantedTransformer(
                encoding: { number, _ in Digits.encode(number) },
                decoding: { bytes, _ in try Digits.decode(bytes) },
                findingAny: { numbers in numbers.prefix(1).map { Digits.encode($0) } }
            ),
            values: [1, 2]
        ),
    ]
}

/// Returns numbers under a key of which only the identifier matters.
private struct KeyedFault: KeyIdentifyingTransformer {
    let traits = TransformerTraits.plain
    let currentKey: String?
    let accepts: @Sendable (String) -> Bool

    init(currentKey: String, accepts: @escaping @Sendable (String) -> Bool) {
        self.currentKey = currentKey
        self.accepts = accepts
    }

    func encode(_ value: Int, in context: TransformContext) -> Int64 { Int64(value) }

    func requireKeys(_ identifiers: [String]) throws {
        guard identifiers.allSatisfy(accepts) else {
            throw TransformerError(.unsupported, "there is no such key")
        }
    }
}

extension OneWayTransformer {
    /// This transformer without decoding.
    var oneWay: OneWayFunctionTransformer<Value, Encoded> {
        OneWayFunctionTransformer(traits: traits) { try self.encode($0) }
    }
}
