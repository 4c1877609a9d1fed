import Foundation
import Transformable
import TransformableTesting

extension PlantedFault {
    /// Faults in decoded values.
    static let ofValues: [PlantedFault] = [
        PlantedFault(
            "decodes where it should encode",
            breaks: .roundTrip,
            of: FunctionTransformer<String, String>(
                encode: { text in
                    guard let bytes = Data(base64Encoded: text) else { throw TransformerError.invalidData("no Base64") }
                    return String(decoding: bytes, as: UTF8.self)
                },
                decode: { Data($0.utf8).base64EncodedString() }
            ),
            values: ["hello world", "!"]
        ),
        PlantedFault(
            "shifts the same way in both directions",
            breaks: .roundTrip,
            and: .encodesAgain,
            of: FunctionTransformer<Int, Int64>(encode: { Int64($0 &+ 3) }, decode: { Int($0 &+ 3) }),
            values: [1, 2]
        ),
        PlantedFault(
            "loses letter case and does not say so",
            breaks: .roundTrip,
            and: .encodesAgain,
            of: FunctionTransformer<String, Data>(
                traits: .deterministic,
                encode: { Data($0.lowercased().utf8) },
                decode: { try TextTransformer().decode($0) }
            ),
            values: ["Ada"]
        ),
        PlantedFault(
            "loses more each time",
            breaks: .roundTrip,
            of: FunctionTransformer<String, String>(
                traits: [.deterministic, .lossy],
                encode: { $0 },
                decode: { String($0.dropLast()) }
            ),
            values: ["abcdef"]
        ),
        PlantedFault(
            "reads bytes from index 0",
            breaks: .neverTraps,
            of: FunctionTransformer<[UInt8], Data>(
                encode: { Data($0) },
                decode: { bytes in (0..<bytes.count).map { bytes[$0] } }
            ),
            values: [[1, 2, 3]]
        ),
        PlantedFault(
            "reads the bytes of a value from index 0",
            breaks: .neverTraps,
            of: FunctionTransformer<Data, [UInt8]>(
                encode: { bytes in (0..<bytes.count).map { bytes[$0] } },
                decode: { Data($0) }
            ),
            values: [Data([1, 2, 3])]
        ),
        PlantedFault(
            "takes the last index of a value for its count",
            breaks: .slices,
            of: FunctionTransformer<Data, Data>(
                encode: { Data([UInt8(truncatingIfNeeded: $0.endIndex)]) + $0 },
                decode: { bytes in
                    guard let count = bytes.first, count == UInt8(truncatingIfNeeded: bytes.count - 1) else {
                        throw TransformerError.invalidData("the count is wrong")
                    }
                    return Data(bytes.dropFirst())
                }
            ),
            values: [Data([1, 2, 3])]
        ),
        PlantedFault(
            "takes the last index for the count",
            breaks: .slices,
            of: FunctionTransformer<[UInt8], Data>(
                encode: { Data($0) },
                decode: { bytes in
                    guard bytes.endIndex <= 3 else { throw TransformerError.invalidData("three bytes at most") }
                    return Array(bytes)
                }
            ),
            values: [[1, 2, 3]]
        ),
        PlantedFault(
            "reads spans in another way than data",
            breaks: .slices,
            of: SpanFault(),
            values: ["ab"]
        ),
        PlantedFault(
            "forgets in a stream where it was",
            breaks: .streams,
            of: StreamFault(),
            values: [Data([1, 2, 3])]
        ),
        PlantedFault(
            "does not authenticate what a stream decodes",
            breaks: .authenticated,
            of: UncheckedStreamFault(),
            values: [Data([1, 2, 3])]
        ),
        PlantedFault(
            "cannot encode a value that it says it takes",
            breaks: .roundTrip,
            of: FunctionTransformer<Int, Data>(
                encode: { number in
                    guard number >= 0 else { throw TransformerError.invalidValue("a number is not negative") }
                    return Digits.encode(number)
                },
                decode: { try Digits.decode($0) }
            ),
            values: [-1]
        ),
        PlantedFault(
            "is checked with values that are not equal to themselves",
            breaks: .samples,
            and: .roundTrip,
            .unchanged,
            of: IdentityTransformer<Double>(),
            values: [.nan]
        ),
        PlantedFault(
            "is checked without values",
            breaks: .samples,
            of: IdentityTransformer<Int>(),
            values: []
        ),
        PlantedFault(
            "takes what it must refuse",
            breaks: .refusal,
            of: PlantedTransformer(
                encoding: { number, _ in Digits.encode(number) },
                decoding: { bytes, _ in try Digits.decode(bytes) }
            ),
            values: [1],
            prepare: { $0.refused = [-1] }
        ),
        PlantedFault(
            "writes more than it reads",
            breaks: .limits,
            of: PlantedTransformer(
                encoding: { number, _ in Digits.encode(number) },
                decoding: { bytes, _ in
                    guard bytes.count <= 3 else { throw TransformerError.invalidData("there are more than 3 digits") }
                    return try Digits.decode(bytes)
                }
            ),
            values: [1],
            prepare: { $0.limited = [999, 1000] }
        ),
        PlantedFault(
            "reads what it must reject",
            breaks: .refusal,
            of: PlantedTransformer(
                encoding: { number, _ in Digits.encode(number) },
                decoding: { bytes, _ in try Digits.decode(bytes) }
            ),
            values: [1],
            prepare: { $0.rejected = [Data("-5".utf8)] }
        ),
    ]
}

/// Drops a byte of a span.
private struct SpanFault: SpanTransformer {
    let traits: TransformerTraits = .deterministic

    func encode(_ value: String, in context: TransformContext) -> Data { Data(value.utf8) }

    func decode(_ encoded: Data, in context: TransformContext) throws -> String {
        try TextTransformer().decode(encoded, in: context)
    }

    func decode(_ encoded: Span<UInt8>, in context: TransformContext) throws -> String {
        try TextTransformer().decode(encoded.extracting(droppingFirst: 1), in: context)
    }
}

/// Adds to each byte its position, which starts again with each piece of a stream.
private struct StreamFault: StreamTransformer {
    let traits: TransformerTraits = .plain

    func encode(_ value: Data, in context: TransformContext) -> Data {
        Data(value.enumerated().map { $1 &+ UInt8(truncatingIfNeeded: $0) })
    }

    func decode(_ encoded: Data, in context: TransformContext) -> Data {
        Data(encoded.enumerated().map { $1 &- UInt8(truncatingIfNeeded: $0) })
    }

    func encodingStream(in context: TransformContext) -> any ByteStream {
        PieceStream { encode($0, in: context) }
    }

    func decodingStream(in context: TransformContext) -> any ByteStream {
        PieceStream { decode($0, in: context) }
    }
}

/// Appends a checksum, which only `decode` compares, as if bytes could not be forged.
private struct UncheckedStreamFault: StreamTransformer {
    let traits: TransformerTraits = [.deterministic, .canonical, .authenticated]

    func encode(_ value: Data, in context: TransformContext) -> Data {
        // FNV-1a
        let sum = value.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return value + (0..<8).map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) }
    }

    func decode(_ encoded: Data, in context: TransformContext) throws -> Data {
        let value = Data(encoded.dropLast(8))
        guard encode(value, in: context) == encoded else { throw TransformerError.invalidData("the sum is wrong") }
        return value
    }

    func encodingStream(in context: TransformContext) -> any ByteStream {
        CollectingStream { encode($0, in: context) }
    }

    func decodingStream(in context: TransformContext) -> any ByteStream {
        CollectingStream { $0.dropLast(8) }
    }
}

/// Converts each piece by itself.
private final class PieceStream: ByteStream {
    private let convert: (Data) throws -> Data

    init(_ convert: @escaping (Data) throws -> Data) {
        self.convert = convert
    }

    func push(_ bytes: Data, into output: (Data) throws -> Void) throws { try output(convert(bytes)) }

    func finish(into output: (Data) throws -> Void) {}
}
