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
    func agreesWithCompressingTheWhole(format: CompressionFormat, pieces: Int) throws {
        let pieces = pieces == 1 ? 17 : pieces
        let transformer = CompressionTransformer(format)
        let packed = try run(transformer.encodingStream(in: .none), Self.bytes, pieces: pieces)
        #expect(try transformer.decode(packed) == Self.bytes)
        #expect(
            try run(transformer.decodingStream(in: .none), transformer.encode(Self.bytes), pieces: pieces) == Self.bytes
        )
        #expect(try run(transformer.encodingStream(in: .none), Data(), pieces: 1) == transformer.encode(Data()))
    }

    @Test func endsWithItsInput() throws {
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

    @Test func decompressesABombOnlyUpToTheLimit() throws {
        let packed = try CompressionTransformer(.gzip).encode(Data(count: 50_000_000))
        let stream = try CompressionTransformer(.gzip, limit: 10_000_000).decodingStream(in: .none)
        var largest = 0
        expectFailure(.limitExceeded) { try stream.push(packed) { largest = max(largest, $0.count) } }
        #expect(largest <= 65_536)
    }

    /// Values in memory are read by another library than streams, which must find the same faults at the same places.
    @Test(arguments: [CompressionFormat.zlib, .gzip])
    func wholeValuesAndStreamsReportTheSameFaults(format: CompressionFormat) throws {
        let transformer = CompressionTransformer(format, limit: 400_000)
        let packed = try transformer.encode(Self.bytes)
        var mutator = ByteMutator(seed: 3)
        for _ in 0..<300 {
            let damaged = Data(mutator.mutated(Array(packed)))
            let whole = Result { try transformer.decode(damaged) }
            let streamed = Result { try run(transformer.decodingStream(in: .none), damaged, pieces: damaged.count + 1) }
            #expect("\(whole)" == "\(streamed)")
        }
    }

    /// Python's `zlib.compressobj(9, zlib.DEFLATED, 9).compress(b"hello hello hello")` has a window of 512 bytes.
    @Test func readsSmallWindows() throws {
        let packed = Data(hex: "18d3cb48cdc9c957c84090003a2e067d")
        #expect(try CompressionTransformer(.zlib).decode(packed) == Data("hello hello hello".utf8))
    }

    /// Two bytes after the header of RFC 1952, section 2.3, are the lower half of its CRC-32 if bit 1 of the flags is set.
    @Test(arguments: [("2515", true), ("2516", false)])
    func verifiesTheChecksumOfAGzipHeader(checksum: String, isRight: Bool) throws {
        let file = Data(hex: "1f8b0802000000000203\(checksum)cb48cdc9c957c84090008088f9e511000000")
        let value = try? CompressionTransformer(.gzip).decode(file)
        #expect(value == (isRight ? Data("hello hello hello".utf8) : nil))
    }
}
