import EncryptionPlugin
import Foundation
import Testing
import Transformable

struct KeyIdentifyingTransformerTests {
    private static let digests: [@Sendable (KeyRing) -> any KeyIdentifyingTransformer] = [
        { BlindIndexTransformer<String>(keys: $0) },
        { HMACTransformer(.sha256, keys: $0) },
        { SealedTransformer(keys: $0, deterministic: true) },
    ]

    @Test(arguments: 0..<3)
    func requiresTheKeysThatResultsWereComputedWith(index: Int) throws {
        let make = Self.digests[index]
        let first = try KeyRing.empty.addingKey()
        let rotated = try first.rotatingKey()
        let ids = rotated.generations(of: "default").map(\.id)
        #expect(make(.empty).currentKey == nil)
        #expect(make(first).currentKey == "\(ids[0])")
        #expect(make(rotated).currentKey == "\(ids[1])")
        try make(rotated).requireKeys(ids.map { "\($0)" })
        try make(.empty).requireKeys([])
        let missing = #expect(throws: TransformerError.self) { try make(first).requireKeys(ids.map { "\($0)" }) }
        #expect(missing?.code == .missingKey)
        let none = #expect(throws: TransformerError.self) { try make(.empty).requireKeys(["\(ids[0])"]) }
        #expect(none?.code == .missingKey)
        #expect(none?.message.contains("\(ids[0])") == true)
        let retired = try rotated.retiringUnchecked(ids[0])
        let error = #expect(throws: TransformerError.self) { try make(retired).requireKeys(["\(ids[0])"]) }
        #expect(error?.code == .retiredKey)
    }

    @Test func rejectsAKeyWithAnotherName() throws {
        let ring = try KeyRing.empty.addingKey(named: "a").addingKey(named: "b")
        let id = "\(ring.generations(of: "b")[0].id)"
        try BlindIndexTransformer<String>(keys: ring, key: "b").requireKeys([id])
        let error = #expect(throws: TransformerError(.missingKey, "")) {
            try BlindIndexTransformer<String>(keys: ring).requireKeys([id])
        }
        // The ring has the key, so the remedy is not another ring.
        let reason = "values are indexed under the key \(id) of “b”, but the index uses “a”; name the right key"
        #expect(error?.message.hasPrefix(reason) == true)
        // Its candidates are those of one key, although it opens values that were sealed with any key.
        try SealedTransformer(keys: ring, key: "b", deterministic: true).requireKeys([id])
        #expect(throws: TransformerError(.missingKey, "")) {
            try SealedTransformer(keys: ring, deterministic: true).requireKeys([id])
        }
        try SealedTransformer(keys: ring).requireKeys([id])
    }

    @Test func saysThatAnIndexWithoutANameHasNoKey() throws {
        let partner = try KeyRing.empty.addingKey(named: "partner")
        let ring = try KeyRing.empty.importing(partner, shared: true)
        let id = "\(partner.generations(of: "partner")[0].id)"
        let error = #expect(throws: TransformerError(.missingKey, "")) {
            try BlindIndexTransformer<String>(keys: ring).requireKeys([id])
        }
        #expect(error?.message.contains("\(id) of “partner”, but the key ring has no default key") == true)
    }

    @Test(arguments: [(false, "the key ring is empty"), (true, "the key ring has only key pairs")])
    func namesTheReasonWhyThereIsNoDefaultKey(hasPair: Bool, reason: String) throws {
        let ring = try hasPair ? KeyRing.empty.addingKeyPair(named: "letters") : .empty
        let error = #expect(throws: TransformerError(.missingKey, "")) {
            try SealedTransformer(keys: ring).encode(Data())
        }
        #expect(error?.message.hasPrefix(reason) == true)
    }

    // The layout is fixed: 8f 54 46 53, version, suite, flags, binding, and the identifier.
    @Test func readsTheKeyFromAHeader() throws {
        let header = Data([0x8F, 0x54, 0x46, 0x53, 1, 1, 0, 0, 0x54, 0xB1, 0xC8, 0x0E, 0x7D, 0x3F, 0x2A, 0x96])
        #expect(KeyID(sealed: header)?.description == "54b1c80e7d3f2a96")
        #expect(KeyID(sealed: header.dropLast()) == nil)
        #expect(KeyID(sealed: Data(repeating: 0, count: 16)) == nil)
        #expect(KeyID(sealed: Data(header.reversed())) == nil)
    }

    private static let warnings: [(Int?, String?)] = [
        (nil, "with fewer than 131072 distinct values"),
        (1000, "most numbers belong to one or two values; use 5 to 8 bits"),
        (1_000_000, nil),
    ]

    @Test(arguments: warnings)
    func explainsWhatAnIndexReveals(count: Int?, warning: String?) throws {
        let registry = try TransformerRegistry { EncryptionPlugin() }
        let warnings = try registry.explain("blind-index(bits: 16)", distinctValues: count).warnings
        #expect(warnings.count == (warning == nil ? 0 : 1))
        #expect(warning.map { warnings.first?.contains($0) == true } ?? true)
    }
}
