import Foundation
import StandardPlugin
import Testing
import Transformable
import _HostileInputs

@Suite struct CompressionStreamTests {
    private static let bytes: Data = {
        var generator = SeededGenerator(seed: 7)
        return Data((0..<300_001).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 60) })
    }()

    private func run(_ stream: any ByteStream, _ bytes: Data, pieces: Int) throws -> Data {
        var result = Data()
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            try stream.push(bytes[start..<min(start + pieces, bytes.count)]) { result += $0 }
        }
        try stream.finish { result += $0 }
        return result
    }

    @Test(arguments: [CompressionFormat.deflate, .zlib, .gzip], [1, 1000, 65_536, 400_000])
    func readsAndWritesWhatTheWholeDoes(format: CompressionFormat, pieces: Int) throws {
        let pieces = pieces == 1 ? 17 : pieces
        let transformer = CompressionTransformer(format)
        let packed = try run(transformer.encodingStream(in: .none), Self.bytes, pieces: pieces)
        #expect(try transformer.decode(packed) == Self.bytes)
        #expect(
            try run(transformer.decodingStream(in: .none), transformer.encode(Self.bytes), pieces: pieces) == Self.bytes
        )
        #expect(try run(transformer.encodingStream(in: .none), Data(), pieces: 1) == transformer.encode(Data()))
    }

    @Test func endsWhereTheInputDoes() throws {
        let transformer = CompressionTransformer(.zlib)
        let packed = try transformer.encode(Self.bytes)
        expectFailure(.truncatedData) {
            try run(transformer.decodingStream(in: .none), packed.dropLast(), pieces: 100)
        }
        expectFailure(.trailingData, at: packed.count) {
            try run(transformer.decodingStream(in: .none), packed + [0], pieces: 100)
        }
        expectFailure(.truncatedData) { try run(transformer.decodingStream(in: .none), Data(), pieces: 1) }
    }

    @Test func joinsTheMembersOfAGzipFile() throws {
        let transformer = CompressionTransformer(.gzip)
        let packed = try transformer.encode(Data([1, 2])) + transformer.encode(Data([3]))
        for pieces in [1, 5, 100] {
            #expect(try run(transformer.decodingStream(in: .none), packed, pieces: pieces) == Data([1, 2, 3]))
        }
    }

    @Test func givesABombInPiecesUpToTheLimit() throws {
        let packed = try CompressionTransformer(.gzip).encode(Data(count: 50_000_000))
        let stream = try CompressionTransformer(.gzip, limit: 10_000_000).decodingStream(in: .none)
        var largest = 0
        expectFailure(.limitExceeded) { try stream.push(packed) { largest = max(largest, $0.count) } }
        #expect(largest <= 65_536)
    }
}
