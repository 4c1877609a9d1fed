import EncryptionPlugin
import Foundation
import Testing
import Transformable
import TransformableTesting

@Suite struct EncryptionLawsTests {
    private let ring: KeyRing
    private let values = [
        Data(), Data([0x80]), Data("Ada".utf8) + Data([0x80, 0, 0]), Data("123-45-6789".utf8), Data(1...32),
    ]
    private let texts = ["", "Ada", "Zo\u{EB}", "Zoe\u{308}", "\0", "a somewhat longer text"]

    init() throws {
        ring = try KeyRing.empty.addingKey(named: "clinic").rotatingKey().addingKeyPair(named: "inbox")
    }

    @Test(arguments: SealedPadding.allCases) func sealedObeysTheLaws(padding: SealedPadding) {
        assertTransformerLaws(of: SealedTransformer(keys: ring, padding: padding), values: values)
    }

    @Test(arguments: SealedPadding.allCases) func deterministicObeysTheLaws(padding: SealedPadding) {
        let transformer = SealedTransformer(keys: ring, padding: padding, deterministic: true)
        assertTransformerLaws(of: transformer, values: values)
    }

    @Test func sealingToAPublicKeyObeysTheLaws() {
        let transformer = SealedTransformer(keys: ring, to: "inbox")
        assertTransformerLaws(of: transformer, values: values)
    }

    @Test func sealedTextObeysTheLaws() {
        let transformer = TextTransformer().then(SealedTransformer(keys: ring))
        assertTransformerLaws(of: transformer, values: texts)
    }

    @Test func digestsObeyTheLaws() {
        assertTransformerLaws(of: DigestTransformer(.sha256), values: values)
        assertTransformerLaws(of: DigestTransformer(.sha512), values: values)
        assertTransformerLaws(of: BLAKE2bTransformer(), values: values)
        assertTransformerLaws(of: HMACTransformer(.sha256, keys: ring), values: values)
        assertTransformerLaws(of: HMACTransformer(.sha512, keys: ring), values: values)
    }

    @Test func blindIndexObeysTheLaws() {
        assertTransformerLaws(of: BlindIndexTransformer<String>(keys: ring), values: texts)
        assertTransformerLaws(of: BlindIndexTransformer<Data>(keys: ring, bits: 63), values: values)
    }
}
