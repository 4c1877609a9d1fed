import EncryptionPlugin
import Foundation
import Synchronization
import Testing
import Transformable

@Suite struct DigestTests {
    @Test(arguments: try TestVectors.load().digests)
    func matchesAnotherProgram(vector: TestVectors.Digest) throws {
        let transformer = try TestVectors.registry().projection(vector.expression, for: Data.self, to: Data.self)
        #expect(try transformer.encode(vector.value.bytes) == vector.digest.bytes)
        #expect(try transformer.encode((Data([1]) + vector.value.bytes).dropFirst()) == vector.digest.bytes)
    }

    /// The examples “abc” of FIPS 180-4 and of RFC 7693, appendix A.
    @Test(arguments: [
        ("sha256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "sha512",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
        (
            "blake2b(size: 64)",
            "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
                + "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"
        ),
    ])
    func matchesTheStandard(expression: String, hexadecimal: String) throws {
        let transformer = try TestVectors.registry().projection(expression, for: String.self, to: Data.self)
        let digest = try transformer.encode("abc")
        #expect(digest.map { String(format: "%02x", $0) }.joined() == hexadecimal)
    }

    @Test(arguments: try TestVectors.load().blindIndexes)
    func blindIndexMatchesAnotherProgram(vector: TestVectors.Index) throws {
        let expression = "blind-index(bits: \(vector.bits))"
        let transformer = try TestVectors.registry().projection(expression, for: String.self, to: Int64.self)
        #expect(try transformer.encode(vector.text, in: vector.place.context) == vector.index)
        let candidates = try transformer.candidates(for: vector.text, in: vector.place.context)
        #expect(Set(candidates) == [vector.index, vector.formerIndex])
    }

    @Test(arguments: try TestVectors.load().slowBlindIndexes)
    func slowBlindIndexMatchesAnotherProgram(vector: TestVectors.Index) throws {
        let registry = try TestVectors.registry()
        let transformer = try registry.projection("blind-index(slow: true)", for: String.self, to: Int64.self)
        #expect(try transformer.encode(vector.text, in: vector.place.context) == vector.index)
        let candidates = try transformer.candidates(for: vector.text, in: vector.place.context)
        #expect(Set(candidates) == [vector.index, vector.formerIndex])
    }

    @Test func blindIndexDependsOnTheAttributeButNotOnTheRow() throws {
        let index = BlindIndexTransformer<String>(keys: try .empty.addingKey(), bits: 63)
        var place = TransformContext.cell
        let number = try index.encode("Ada", in: place)
        place.object = nil
        #expect(try index.encode("Ada", in: place) == number)
        place.attribute = 259
        #expect(try index.encode("Ada", in: place) != number)
    }

    @Test func blindIndexOfTextEqualsThatOfItsBytes() throws {
        let ring = try KeyRing.empty.addingKey()
        let ofText = BlindIndexTransformer<String>(keys: ring)
        let ofBytes = BlindIndexTransformer<Data>(keys: ring)
        #expect(try ofText.encode("Zoe\u{308}") == ofBytes.encode(Data("Zo\u{EB}".utf8)))
        #expect(try ofText.encode("Zoe\u{308}") != ofBytes.encode(Data("Zoe\u{308}".utf8)))
    }

    // The first text is in NFC (UAX #15), although Foundation changes it. The second one is not.
    @Test(arguments: [("\u{10041}\u{301}", "\u{10041}\u{301}"), ("\u{AC00}\u{11A8}", "\u{AC01}")])
    func blindIndexIsThatOfTextInNFC(text: String, composed: String) throws {
        let ring = try KeyRing.empty.addingKey()
        let ofText = BlindIndexTransformer<String>(keys: ring)
        let ofBytes = BlindIndexTransformer<Data>(keys: ring)
        #expect(try ofText.encode(text) == ofBytes.encode(Data(composed.utf8)))
        // Rows from earlier versions have the number of what Foundation returns.
        let former = try ofBytes.encode(Data(text.precomposedStringWithCanonicalMapping.utf8))
        #expect(try ofText.candidates(for: text, in: .none).contains(former))
        #expect(try ofText.candidates(for: "Zoe\u{308}", in: .none).count == 1)
    }

    @Test(arguments: [1, 8, 32, 63]) func blindIndexHasTheRequestedNumberOfBits(bits: Int) throws {
        let index = BlindIndexTransformer<String>(keys: try .empty.addingKey(), bits: bits)
        let numbers = try (0..<300).map { try index.encode("\($0)") }
        #expect(numbers.allSatisfy { $0 >= 0 && $0 < 1 << Int64(bits) || bits == 63 })
        #expect(numbers.contains { $0 >= 1 << Int64(bits - 1) })
    }

    @Test(arguments: [false, true])
    func slowNumberIsComputedOncePerKeyForAllFormsOfText(isLowercased: Bool) throws {
        let ring = try KeyRing.empty.addingKey().rotatingKey()
        let slow = BlindIndexTransformer<String>(keys: ring, bits: 63, slow: true)
        let lowercase = OneWayFunctionTransformer<String, String> { $0.lowercased() }
        let index: any OneWayTransformer<String, Int64> = if isLowercased { lowercase.then(slow) } else { slow }
        let forms = ["Tra\u{302}\u{300}n", "Tr\u{E2}\u{300}n", "Tr\u{1EA7}n"]
        let runs = Mutex(0)
        let observer = SlowDigestObserver { runs.withLock { $0 += 1 } }
        let numbers = try SlowDigestObserver.$current.withValue(observer) {
            try index.candidates(forAnyOf: forms, in: .none)
        }
        #expect(runs.withLock(\.self) == 2)
        #expect(Set(numbers).count == 2)
        #expect(try numbers.contains(index.encode("Tr\u{1EA7}n")))
    }

    @Test func retiredKeysAreNotSearchedFor() throws {
        let old = try KeyRing.empty.addingKey()
        let id = try #require(old.generations(of: "default").first?.id)
        let new = try old.rotatingKey()
        #expect(try BlindIndexTransformer<String>(keys: new, bits: 63).candidates(for: "Ada", in: .none).count == 2)
        #expect(try HMACTransformer(.sha256, keys: new).candidates(for: Data(), in: .none).count == 2)
        // With each of the three paddings.
        #expect(try SealedTransformer(keys: new, deterministic: true).candidates(for: Data(), in: .none).count == 6)
        let retired = try new.retiringUnchecked(id)
        #expect(try BlindIndexTransformer<String>(keys: retired, bits: 63).candidates(for: "Ada", in: .none).count == 1)
    }

    @Test(arguments: ["hmac-sha256", "hmac-sha512", "blind-index"]) func requiresAKey(expression: String) throws {
        let registry = try TransformerRegistry { EncryptionPlugin() }
        let resolved = try registry.resolve(expression, for: String.self, ending: .column)
        #expect(throws: TransformerError(.missingKey, "")) { try resolved.encode(any: "Ada", in: .none) }
    }
}

@Suite struct BlindIndexPlanTests {
    /// By hand: of a million, 2^19 numbers are shared by 1.9 values each and 2^18 by 3.8; 2^9 by 1,953, which is
    /// more than the root, and 2^10 by 977.
    @Test(arguments: [(1_000_000, 10...18), (4, 1...1), (100, 4...5), (65_536, 8...15)])
    func recommendsNumbersOfBits(values: Int, bits: ClosedRange<Int>) {
        #expect(BlindIndexPlan(distinctValues: values).suitableBits == bits)
    }

    @Test(arguments: [-1, 0, 1, 3]) func recommendsNothingForAHandfulOfValues(values: Int) {
        #expect(BlindIndexPlan(distinctValues: values).suitableBits == nil)
    }

    @Test func rejectsIdentifyingIndexes() throws {
        let plan = BlindIndexPlan(distinctValues: 1_000_000)
        try plan.verify(bits: 18)
        try plan.verify(bits: 32, allowingIdentification: true)
        let error = #expect(throws: TransformerError.self) { try plan.verify(bits: 32) }
        #expect(error?.code == .identifyingIndex)
        #expect(error?.message.contains("10 to 18 bits") == true)
        #expect(plan.sharing(bits: 18) > 3.8 && plan.sharing(bits: 18) < 3.9)
    }
}
