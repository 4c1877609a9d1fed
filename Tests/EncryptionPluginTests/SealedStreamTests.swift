import EncryptionPlugin
import Foundation
import Testing
import Transformable

@Suite struct SealedStreamTests {
    private struct Vectors: Decodable {
        struct Case: Decodable {
            let count: Int
            let padding: String
            let sealed: Data
        }

        let place: TestVectors.Place
        let cases: [Case]

        static func load() throws -> Self {
            let url = TestVectors.url.deletingLastPathComponent().appendingPathComponent("chunked.json")
            return try JSONDecoder().decode(Self.self, from: Data(contentsOf: url))
        }
    }

    private let ring: KeyRing
    private let transformer: SealedTransformer

    init() throws {
        ring = try KeyRing.empty.addingKey(named: "clinic").addingKeyPair(named: "inbox")
        transformer = SealedTransformer(keys: ring)
    }

    private static func pattern(_ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: 7 * $0 + 3 * ($0 >> 8) + 128) })
    }

    private func seal(_ plaintext: Data, pieces: Int, _ transformer: SealedTransformer? = nil) throws -> Data {
        var stream = try (transformer ?? self.transformer).sealingStream(in: .cell)
        var sealed = Data()
        for start in stride(from: 0, to: plaintext.count, by: pieces) {
            sealed += try stream.seal(plaintext[start..<min(start + pieces, plaintext.count)])
        }
        return try sealed + stream.finish()
    }

    private func open(_ sealed: Data, pieces: Int) throws -> Data {
        var stream = try transformer.openingStream(in: .cell)
        var plaintext = Data()
        for start in stride(from: 0, to: sealed.count, by: pieces) {
            plaintext += try stream.open(sealed[start..<min(start + pieces, sealed.count)])
        }
        return try plaintext + stream.finish()
    }

    @Test func opensValuesSealedByAnotherProgram() throws {
        let vectors = try Vectors.load()
        #expect(vectors.cases.count == 5)
        let transformer = SealedTransformer(keys: try TestVectors.ring())
        for vector in vectors.cases {
            #expect(try transformer.decode(vector.sealed, in: vectors.place.context) == Self.pattern(vector.count))
        }
    }

    @Test(
        arguments: [0, 1, 65_535, 65_536, 65_537, 131_072, 140_000, 200_000],
        SealedPadding.allCases
    )
    func opensValuesThatItSealed(count: Int, padding: SealedPadding) throws {
        let plaintext = Self.pattern(count)
        let sealed = try seal(plaintext, pieces: 50_000, SealedTransformer(keys: ring, padding: padding))
        #expect(try transformer.decode(sealed, in: .cell) == plaintext)
        for pieces in [1000, 65_553, 1 << 20] {
            #expect(try open(sealed, pieces: pieces) == plaintext)
        }
    }

    @Test func theSizeOfPiecesDoesNotMatter() throws {
        let plaintext = Self.pattern(70_000)
        for pieces in [7, 65_536, 70_000] {
            let sealed = try seal(plaintext, pieces: pieces)
            #expect(try open(sealed, pieces: 13) == plaintext)
        }
    }

    /// 140,000 bytes in buckets are 262,144, four chunks, of which the last holds padding only.
    @Test(
        arguments: [
            [0, 1, 2], [0, 1], [0], [1, 2, 3], [0, 2, 3], [1, 0, 2, 3], [0, 1, 3, 2], [0, 0, 1, 2, 3], [0, 1, 2, 2, 3],
            [0, 1, 2, 3, 3], [0, 1, 2, 3, 0], [3], [0, 1, 3],
        ]
    )
    func chunksCannotBeReordered(order: [Int]) throws {
        let chunk = 65_536 + 17
        let sealed = try seal(Self.pattern(140_000), pieces: 1 << 20, SealedTransformer(keys: ring, padding: .buckets))
        #expect(sealed.count == 72 + 4 * chunk)
        let header = sealed.prefix(72)
        let chunks = (0..<4).map { sealed.dropFirst(72 + $0 * chunk).prefix(chunk) }
        let altered = order.reduce(header) { $0 + chunks[$1] }
        expectFailure { try open(altered, pieces: 100_000) }
        expectFailure { try transformer.decode(altered, in: .cell) }
        #expect(try open([0, 1, 2, 3].reduce(header) { $0 + chunks[$1] }, pieces: 9999) == Self.pattern(140_000))
    }

    @Test func truncationsExtensionsAndFlipsFail() throws {
        let sealed = try seal(Self.pattern(66_000), pieces: 1 << 20)
        for count in Array(0...100) + [65_000, 65_625, 65_626, 66_000, sealed.count - 1] {
            #expect(throws: TransformerError(.afterTruncating(to: count), ""), "\(count) bytes") {
                try open(sealed.prefix(count), pieces: 4096)
            }
        }
        expectFailure { try open(sealed + Data([0]), pieces: 4096) }
        for offset in Array(0..<110) + [65_624, 65_625, 65_626, sealed.count - 17, sealed.count - 1] {
            var damaged = sealed
            damaged[offset] ^= 0x10
            #expect(throws: TransformerError(.afterFlipping(8 * offset + 4, of: sealed), ""), "\(offset)") {
                try open(damaged, pieces: 1 << 20)
            }
        }
    }

    @Test(arguments: [TransformContext(entity: 3), .none]) func doesNotOpenInAnotherLocation(place: TransformContext)
        throws
    {
        let sealed = try seal(Data("secret".utf8), pieces: 10)
        expectFailure { try transformer.decode(sealed, in: place) }
        expectFailure {
            var stream = try transformer.openingStream(in: place)
            return try stream.open(sealed) + stream.finish()
        }
    }

    @Test func hidesTheLength() throws {
        let lengths = try [1, 20, 31].map { try seal(Self.pattern($0), pieces: 10).count }
        #expect(lengths == [121, 121, 121])
    }

    @Test func onlyOrdinaryValuesAreChunked() throws {
        for other in [SealedTransformer(keys: ring, deterministic: true), SealedTransformer(keys: ring, to: "inbox")] {
            #expect(throws: TransformerError(.unsupported, "")) { _ = try other.sealingStream(in: .cell) }
            let sealed = try seal(Data("secret".utf8), pieces: 10)
            expectFailure { try other.decode(sealed, in: .cell) }
        }
        let whole = try transformer.encode(Data("secret".utf8), in: .cell)
        expectFailure { try open(whole, pieces: 10) }
    }
}
