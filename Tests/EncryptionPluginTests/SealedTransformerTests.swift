import EncryptionPlugin
import Foundation
import Testing
import Transformable

@Suite struct SealedTransformerTests {
    private let sealed: SealedTransformer
    private let deterministic: SealedTransformer
    private let secret = Data("123-45-6789".utf8)

    init() throws {
        let ring = try KeyRing.empty.addingKey(named: "clinic")
        sealed = SealedTransformer(keys: ring)
        deterministic = SealedTransformer(keys: ring, deterministic: true)
    }

    @Test(arguments: [0, 1, 31, 32, 33, 1000, 1023, 1024, 1025, 65_535, 1_000_000], SealedPadding.allCases)
    func opensValuesThatItSealed(count: Int, padding: SealedPadding) throws {
        let ring = try KeyRing.empty.addingKey()
        let plaintext = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }) + Data(count: count % 7)
        for deterministic in [false, true] {
            let transformer = SealedTransformer(keys: ring, padding: padding, deterministic: deterministic)
            let bytes = try transformer.encode(plaintext, in: .cell)
            #expect(try transformer.decode(bytes, in: .cell) == plaintext)
            #expect(try transformer.isUnchanged(plaintext, since: bytes, in: .cell))
        }
    }

    @Test func opensValuesWithAnyPaddingAndKeyName() throws {
        let ring = try KeyRing.empty.addingKey(named: "clinic").addingKey(named: "lab")
        let writer = SealedTransformer(keys: ring, key: "lab", padding: .buckets)
        let reader = SealedTransformer(keys: ring, key: "clinic", padding: .none)
        #expect(try reader.decode(writer.encode(secret, in: .cell), in: .cell) == secret)
    }

    @Test(arguments: SealedPadding.allCases, SealedPadding.allCases)
    func findsDeterministicValuesWithAnyPadding(former: SealedPadding, current: SealedPadding) throws {
        let ring = try KeyRing.empty.addingKey()
        let stored = try SealedTransformer(keys: ring, padding: former, deterministic: true).encode(secret, in: .cell)
        let now = try SealedTransformer(keys: ring.rotatingKey(), padding: current, deterministic: true)
        #expect(try now.candidates(for: secret, in: .cell).contains(stored))
        #expect(try now.candidates(for: secret, in: .cell).contains(now.encode(secret, in: .cell)))
    }

    @Test(arguments: [0, 1, 15, 16, 100, 5_000])
    func returnsEachCandidateOnce(count: Int) throws {
        let sealed = try SealedTransformer(keys: KeyRing.empty.addingKey().rotatingKey(), deterministic: true)
        let candidates = try sealed.candidates(for: Data(count: count), in: .cell)
        #expect(Set(candidates).count == candidates.count)
    }

    @Test(arguments: [
        TransformContext(store: UUID(), entity: 3, attribute: 258, object: 4_294_967_299),
        TransformContext(store: TransformContext.cell.store, entity: 4, attribute: 258, object: 4_294_967_299),
        TransformContext(store: TransformContext.cell.store, entity: 3, attribute: 2, object: 4_294_967_299),
        TransformContext(store: TransformContext.cell.store, entity: 3, attribute: 258, object: 3),
        TransformContext(store: TransformContext.cell.store, entity: 3, attribute: 258),
        TransformContext(entity: 3, attribute: 258, object: 4_294_967_299),
        .none,
    ])
    func doesNotOpenInAnotherLocation(place: TransformContext) throws {
        let bytes = try sealed.encode(secret, in: .cell)
        expectFailure { try sealed.decode(bytes, in: place) }
        let moved = try sealed.encode(secret, in: place)
        expectFailure { try sealed.decode(moved, in: .cell) }
    }

    @Test func aDeterministicValueOpensOnlyInItsAttribute() throws {
        let bytes = try deterministic.encode(secret, in: .cell)
        var other = TransformContext.cell
        other.object = 1
        #expect(try deterministic.decode(bytes, in: other) == secret)
        other.attribute = 1
        expectFailure { try deterministic.decode(bytes, in: other) }
    }

    @Test(arguments: [TransformContext.none, .cell]) func rejectsTheOtherKind(place: TransformContext) throws {
        let ordinary = try sealed.encode(secret, in: place)
        let equal = try deterministic.encode(secret, in: place)
        expectFailure { try deterministic.decode(ordinary, in: place) }
        expectFailure { try sealed.decode(equal, in: place) }
    }

    @Test(arguments: [false, true]) func everyFlippedBitFails(isDeterministic: Bool) throws {
        let transformer = isDeterministic ? deterministic : sealed
        let bytes = try transformer.encode(secret, in: .cell)
        for bit in 0..<bytes.count * 8 {
            var damaged = bytes
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            let error = #expect(throws: TransformerError.self, "bit \(bit)") {
                try transformer.decode(damaged, in: .cell)
            }
            #expect(error?.code == .afterFlipping(bit, of: bytes), "bit \(bit)")
        }
    }

    @Test(
        arguments: [
            (4, 2, "an unknown version: 2"), (5, 4, "an unknown suite: 4"), (6, 5, "unknown flags: 5"),
            (7, 32, "an unknown binding: 32"),
        ] as [(Int, UInt8, String)]
    )
    func namesWhatIsUnknown(offset: Int, byte: UInt8, reason: String) throws {
        var bytes = try sealed.encode(secret)
        bytes[bytes.startIndex + offset] = byte
        let altered = bytes
        let error = #expect(throws: TransformerError(.unsupported, "")) { try sealed.decode(altered) }
        #expect(error?.message.hasPrefix("the sealed value has \(reason); it is damaged, or was sealed by") == true)
        #expect(error?.offset == offset)
    }

    @Test func everyTruncationAndExtensionFails() throws {
        let bytes = try sealed.encode(secret, in: .cell)
        for count in 0..<bytes.count {
            #expect(throws: TransformerError(.afterTruncating(to: count), ""), "\(count) bytes") {
                try sealed.decode(bytes.prefix(count), in: .cell)
            }
        }
        expectFailure { try sealed.decode(bytes + Data([0]), in: .cell) }
        expectFailure { try sealed.decode(bytes + Data(count: 32), in: .cell) }
    }

    @Test func noNonceRepeats() throws {
        let nonces = try (0..<10_000).map { _ in try sealed.encode(secret, in: .cell)[16..<40] }
        #expect(Set(nonces).count == nonces.count)
    }

    /// Under one nonce, two paddings of one plaintext would share the key of their authenticators.
    @Test func noDeterministicNonceRepeats() throws {
        let ring = try KeyRing.empty.addingKey()
        let values = (0..<2000).map { Data("\($0)".utf8) } + (0..<100).map { Data(count: $0) }
        let nonces = try SealedPadding.allCases.flatMap { padding in
            try [TransformContext.cell, .none]
                .flatMap { place in
                    try values.map { value in
                        let bytes = try SealedTransformer(keys: ring, padding: padding, deterministic: true)
                            .encode(value, in: place)
                        return (nonce: bytes[16..<40], rest: bytes)
                    }
                }
        }
        // The lengths of 32 to 63 bytes, for one, pad to the same bytes in blocks and in buckets.
        let distinct = Set(nonces.map(\.rest))
        #expect(Set(nonces.map(\.nonce)).count == distinct.count)
    }

    @Test func hidesTheLengthsOfNamesAndBooleans() throws {
        func lengths(_ texts: [String], _ padding: SealedPadding) throws -> Set<Int> {
            let transformer = SealedTransformer(keys: try .empty.addingKey(), padding: padding)
            return Set(try texts.map { try transformer.encode(Data($0.utf8)).count })
        }
        let names = (1...60).map { String(repeating: "n", count: $0) }
        #expect(try lengths(["true", "false"], .block) == [88 + 32])
        #expect(try lengths(names, .block) == [88 + 32, 88 + 64])
        #expect(try lengths(names, .buckets) == [88 + 64])
    }

    /// Padmé of 2^k + 1 and its neighbors, by hand: between 1,025 and 2,048 the lengths lie 64 apart (E = 10,
    /// S = 4, ten less four digits are free), between 65,537 and 131,072 they lie 2,048 apart (E = 16, S = 5).
    @Test(arguments: [
        (0, 32), (31, 32), (32, 64), (1023, 1024), (1024, 1088), (1087, 1088), (1088, 1152), (2047, 2048),
        (65_535, 65_536), (65_536, 67_584), (99_999, 100_352),
    ])
    func padsToBlocksAndPadme(count: Int, padded: Int) throws {
        let bytes = try sealed.encode(Data(count: count))
        #expect(bytes.count == 88 + padded)
    }

    @Test func storesTheLengthWithoutPadding() throws {
        let transformer = SealedTransformer(keys: try .empty.addingKey(), padding: .none)
        #expect(try transformer.encode(Data(count: 17)).count == 88 + 17)
        #expect(try transformer.encode(Data()).count == 88)
    }

    @Test func detectsUnchangedValues() throws {
        let bytes = try sealed.encode(secret, in: .cell)
        #expect(try sealed.isUnchanged(secret, since: bytes, in: .cell))
        #expect(try !sealed.isUnchanged(secret + Data([0]), since: bytes, in: .cell))
        #expect(try !sealed.isUnchanged(Data("123-45-6780".utf8), since: bytes, in: .cell))
        expectFailure { try sealed.isUnchanged(secret, since: bytes, in: .none) }
    }

    @Test func equalValuesHaveEqualBytesOnlyOnRequest() throws {
        #expect(try sealed.encode(secret) != sealed.encode(secret))
        #expect(try deterministic.encode(secret) == deterministic.encode(secret))
        #expect(try deterministic.encode(secret, in: .cell) != deterministic.encode(secret))
        #expect(!sealed.traits.contains(.deterministic))
        #expect(deterministic.traits.contains(.deterministic))
    }

    /// A ring with the same id and another secret, as an attacker who writes key files might make it.
    @Test func failsWithAnotherKey() throws {
        let folder = try TemporaryFolder()
        func ring(_ digit: Character) throws -> KeyRing {
            let text = """
                {"transformableKeyRing": 1, "default": "a", "keys": [{"name": "a", "generations": [
                  {"id": "00000000000000ff", "state": "primary", "created": "2026-01-01T00:00:00Z",
                   "secret": "tfm-key-\(String(repeating: digit, count: 64))"}]}]}
                """
            return try KeyRing(contentsOf: folder.write(Data(text.utf8), to: "\(digit).keys"))
        }
        let bytes = try SealedTransformer(keys: ring("1")).encode(secret)
        #expect(try SealedTransformer(keys: ring("1")).decode(bytes) == secret)
        let other = SealedTransformer(keys: try ring("2"))
        expectFailure { try other.decode(bytes) }
    }

    @Test func worksFromManyThreads() async throws {
        let places = (0..<50)
            .map { TransformContext(entity: UInt32($0 % 5), attribute: UInt32($0 % 7), object: Int64($0)) }
        try await withThrowingTaskGroup { group in
            for place in places + places + places {
                group.addTask { [sealed, secret] in
                    let bytes = try sealed.encode(secret, in: place)
                    return try sealed.decode(bytes, in: place) == secret
                }
            }
            for try await isSame in group {
                #expect(isSame)
            }
        }
    }
}

/// Expects the one failure that every forgery gives.
func expectFailure<Result>(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Result
) {
    let message = "the value cannot be opened: it was altered or moved, or was sealed with a different key "
    let error = #expect(throws: TransformerError.self, sourceLocation: sourceLocation) { try body() }
    #expect(error?.code == .authenticationFailed, sourceLocation: sourceLocation)
    #expect(error?.message.hasPrefix(message) == true, sourceLocation: sourceLocation)
    #expect(error?.offset == nil && error?.underlying == nil, sourceLocation: sourceLocation)
}

extension TransformerError.Code {
    /// The code of the error after a bit of a sealed value is flipped.
    static func afterFlipping(_ bit: Int, of sealed: Data) -> Self {
        switch bit / 8 {
        case 0..<4: .invalidData
        case 4: .unsupported
        case 5: (1...3).contains(sealed[5] ^ 1 << UInt8(bit % 8)) ? .authenticationFailed : .unsupported
        case 6: bit % 8 < 2 ? .authenticationFailed : .unsupported
        case 7: bit % 8 < 5 ? .authenticationFailed : .unsupported
        case 8..<16: .missingKey
        default: .authenticationFailed
        }
    }

    /// The code of the error after a sealed value is truncated: its header and a tag have 88 bytes, or 120 in suite 3.
    static func afterTruncating(to count: Int, toPublicKey: Bool = false) -> Self {
        count < (toPublicKey ? 120 : 88) ? .invalidData : .authenticationFailed
    }
}
