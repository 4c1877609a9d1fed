import EncryptionPlugin
import Foundation
import Testing
import Transformable

@Suite struct SealedByteStreamTests {
    private let ring: KeyRing

    init() throws {
        ring = try KeyRing.empty.addingKey(named: "clinic").addingKeyPair(named: "inbox")
    }

    private func run(_ stream: any ByteStream, _ bytes: Data, pieces: Int) throws -> Data {
        var result = Data()
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            try stream.push(bytes[start..<min(start + pieces, bytes.count)]) { result += $0 }
        }
        try stream.finish { result += $0 }
        return result
    }

    private func transformers() -> [SealedTransformer] {
        [
            SealedTransformer(keys: ring, key: "clinic"),
            SealedTransformer(keys: ring, key: "clinic", padding: .none, deterministic: true),
            SealedTransformer(keys: ring, to: "inbox"),
        ]
    }

    @Test(arguments: [0, 1, 2], [0, 1, 1000, 200_000])
    func everyKindStreamsInBothDirections(kind: Int, count: Int) throws {
        let transformer = transformers()[kind]
        let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        for pieces in [7, 4096, 1 << 20] where count / pieces < 5000 {
            let sealed = try run(transformer.encodingStream(in: .cell), bytes, pieces: pieces)
            #expect(try transformer.decode(sealed, in: .cell) == bytes)
            #expect(try run(transformer.decodingStream(in: .cell), sealed, pieces: pieces) == bytes)
            let whole = try transformer.encode(bytes, in: .cell)
            #expect(try run(transformer.decodingStream(in: .cell), whole, pieces: pieces) == bytes)
        }
    }

    @Test func truncatedValuesDoNotOpen() throws {
        let transformer = transformers()[0]
        let sealed = try run(transformer.encodingStream(in: .cell), Data(count: 100), pieces: 100)
        for count in 0..<sealed.count {
            #expect(throws: TransformerError(.afterTruncating(to: count), ""), "\(count) bytes") {
                try run(transformer.decodingStream(in: .cell), sealed.prefix(count), pieces: 50)
            }
        }
    }
}
