import Foundation
import Synchronization
import Transformable
import TransformableTesting

extension PlantedFault {
    /// Decoders that do not withstand untrusted input.
    static let ofDecoders: [PlantedFault] = [
        PlantedFault(
            "traps on what is no number",
            breaks: .neverTraps,
            of: FunctionTransformer<Int, Data>(
                encode: { Digits.encode($0) },
                decode: { bytes in
                    guard let number = try? Digits.decode(bytes) else { preconditionFailure("no digits") }
                    return number
                }
            ),
            values: [7]
        ),
        PlantedFault(
            "exits on what is no number, as if all were well",
            breaks: .neverTraps,
            of: FunctionTransformer<Int, Data>(
                encode: { Digits.encode($0) },
                decode: { bytes in
                    guard let number = try? Digits.decode(bytes) else { exit(0) }
                    return number
                }
            ),
            values: [7]
        ),
        PlantedFault(
            "traps on a value",
            breaks: .neverTraps,
            of: FunctionTransformer<Int, Data>(
                encode: { Data(String(repeating: "x", count: $0).utf8) },
                decode: { $0.count }
            ),
            values: [-1]
        ),
        PlantedFault(
            "throws an error of another library",
            breaks: .typedErrors,
            of: FunctionTransformer<Int, Data>(
                encode: { Digits.encode($0) },
                decode: { bytes in
                    guard let number = try? Digits.decode(bytes) else { throw CocoaError(.coderInvalidValue) }
                    return number
                }
            ),
            values: [7]
        ),
        PlantedFault(
            "throws an error that says nothing",
            breaks: .typedErrors,
            of: FunctionTransformer<Int, Data>(
                encode: { Digits.encode($0) },
                decode: { bytes in
                    guard let number = try? Digits.decode(bytes) else { throw TransformerError(.invalidData, "") }
                    return number
                }
            ),
            values: [7]
        ),
        PlantedFault(
            "shows the secret in its errors",
            breaks: .confidential,
            of: FunctionTransformer<String, Data>(
                traits: [.deterministic, .confidential],
                encode: { Data($0.utf8.map { ~$0 }) },
                decode: { bytes in
                    let text = String(decoding: bytes.map { ~$0 }, as: UTF8.self)
                    guard Data(text.utf8.map { ~$0 }) == bytes, text.hasSuffix(".") else {
                        throw TransformerError.invalidData("“\(text)” is no sentence")
                    }
                    return text
                }
            ),
            values: ["The patient has the flu."]
        ),
        PlantedFault(
            "shows the numbers of secret bytes in its errors",
            breaks: .confidential,
            of: FunctionTransformer<[UInt8], Data>(
                traits: [.deterministic, .confidential],
                encode: { Data($0.map { ~$0 }) },
                decode: { bytes in
                    let plain = bytes.map { ~$0 }
                    guard plain.last == UInt8(ascii: ".") else {
                        throw TransformerError.invalidData("\(Array(plain.prefix(16))) is the start of no sentence")
                    }
                    return plain
                }
            ),
            values: [Array("The patient has the flu.".utf8)]
        ),
        PlantedFault(
            "reads cut bytes as a value that cannot be written",
            breaks: .encodesAgain,
            of: FunctionTransformer<String, Data>(
                traits: .deterministic,
                encode: { text in
                    guard text.count > 2 else { throw TransformerError.invalidValue("three characters at least") }
                    return Data(text.utf8)
                },
                decode: { try TextTransformer().decode($0) }
            ),
            values: ["abcdef"]
        ),
        PlantedFault(
            "needs the square of the length of its input",
            breaks: .boundedTime,
            of: FunctionTransformer<Int, Data>(
                encode: { Data(count: $0) },
                decode: { bytes in
                    var sum = 0
                    for _ in bytes { for byte in bytes { sum &+= Int(byte) } }
                    return sum == -1 ? 0 : bytes.count
                }
            ),
            values: [3],
            prepare: { $0.options.processorTime = .milliseconds(300) }
        ),
        PlantedFault(
            "waits for ever",
            breaks: .boundedTime,
            of: FunctionTransformer<Int, Data>(
                encode: { Digits.encode($0) },
                decode: { bytes in
                    while bytes.count == 1 { sleep(1) }
                    return try Digits.decode(bytes)
                }
            ),
            values: [10],
            prepare: { laws in
                laws.options.wallTime = .milliseconds(200)
                laws.options.damagesPerValue = 4
            }
        ),
        PlantedFault(
            "makes room for as much as the input says",
            breaks: .boundedMemory,
            of: FunctionTransformer<Int, Data>(
                encode: { Data([0, 0, UInt8($0)]) },
                decode: { bytes in
                    guard bytes.count == 3 else { throw TransformerError.invalidData("three bytes") }
                    let count = bytes.reduce(0) { $0 << 8 | Int($1) }
                    let room = [Int](repeating: 1, count: count << 8)
                    guard room.count < 256 << 8 else { throw TransformerError.invalidData("too much") }
                    return room.count >> 8
                }
            ),
            values: [1]
        ),
        PlantedFault(
            "recurses as deep as the input says",
            breaks: .neverTraps,
            of: FunctionTransformer<Int, String>(
                encode: { String(repeating: "(", count: $0) },
                decode: { try depth(of: $0.unicodeScalars[...]) }
            ),
            values: [2]
        ),
        PlantedFault(
            "shares a buffer between threads",
            breaks: .threads,
            of: RacyTransformer(),
            values: [1_000_000_007, -5, 99_999_999_999]
        ),
        PlantedFault(
            "shares a buffer between threads and is random",
            breaks: .threads,
            of: RacyTransformer()
                .then(
                    FunctionTransformer<Data, Data>(
                        traits: [],
                        encode: { $0 + [UInt8.random(in: 0...255)] },
                        decode: { $0.dropLast() }
                    )
                ),
            values: [1_000_000_007, -5, 99_999_999_999]
        ),
    ]

    private static func depth(of scalars: Substring.UnicodeScalarView) throws -> Int {
        guard let first = scalars.first else { return 0 }
        guard first == "(" else { throw TransformerError.invalidData("expected “(”") }
        return try depth(of: scalars.dropFirst()) + 1
    }
}

/// Builds digits in a buffer that all calls share.
///
/// Each access is safe, but the sequence of accesses is not.
private final class RacyTransformer: Transformer {
    private let buffer = Mutex([UInt8](repeating: 0, count: 32))

    let traits = TransformerTraits.plain

    func encode(_ value: Int, in context: TransformContext) -> Data {
        let digits = Array(String(value).utf8)
        buffer.withLock { $0.replaceSubrange(..<digits.count, with: digits) }
        usleep(1000)  // Threads meet here, however busy the machine is.
        return buffer.withLock { Data($0.prefix(digits.count)) }
    }

    func decode(_ encoded: Data, in context: TransformContext) throws -> Int {
        try Digits.decode(encoded)
    }
}
